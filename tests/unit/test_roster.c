/* A shard's sessions by id and by room, and the views that they share. */
#include "net/session/roster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hub/directory.h"
#include "room/frame.h"

/* The number of a room: see directory.h. */
#define NUMBER(generation, slot) ((uint64_t)(generation) << 32 | ((slot) + 1))

#define SESSIONS 1000u

static struct roster roster;
static struct roster_entry entries[SESSIONS];

static int begin(void **state)
{
    (void)state;
    roster_init(&roster, false);
    memset(entries, 0, sizeof entries);
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SESSIONS; i++) {
        if (entries[i].id != 0) {
            roster_remove(&roster, &entries[i]);
        }
    }
    assert_int_equal(roster.count, 0);
    roster_finish(&roster);
    return 0;
}

static struct room_view *view_of(uint64_t number)
{
    struct room_view *view = view_create(0, 0);

    assert_non_null(view);
    view->room = number;
    return view;
}

/* Returns the number of the room's entries, each of which knows the room. */
static uint32_t count_entries(const struct roster_room *room)
{
    uint32_t count = 0;

    for (uint32_t rank = 0; rank < ROSTER_RANKS; rank++) {
        const struct list_item *item = room->ranks[rank].entries.first;
        for (; item != NULL; item = item->next) {
            assert_ptr_equal(list_entry(item, struct roster_entry, item)->room, room);
            count++;
        }
    }
    return count;
}

static void test_ids(void **state)
{
    uint64_t first;

    (void)state;
    assert_null(roster_find(&roster, 1));
    for (uint32_t i = 0; i < SESSIONS; i++) {
        assert_true(roster_add(&roster, &entries[i]));
    }
    for (uint32_t i = 0; i < SESSIONS; i++) {
        assert_ptr_equal(roster_find(&roster, entries[i].id), &entries[i]);
    }
    assert_int_equal(roster.count, SESSIONS);
    assert_null(roster_find(&roster, 0));
    assert_null(roster_find(&roster, UINT64_MAX));
    first = entries[3].id;
    roster_remove(&roster, &entries[3]);
    assert_null(roster_find(&roster, first));
    assert_true(roster_add(&roster, &entries[3]));
    assert_int_equal((uint32_t)entries[3].id, (uint32_t)first); /* the slot is reused … */
    assert_int_not_equal(entries[3].id, first);                 /* … and the id is not */
    assert_null(roster_find(&roster, first));
}

static void test_rooms(void **state)
{
    struct roster_room *room;

    (void)state;
    for (uint32_t i = 0; i < SESSIONS; i++) {
        assert_true(roster_add(&roster, &entries[i]));
        assert_true(roster_enter(&roster, &entries[i], NUMBER(1, i % 100)));
    }
    roster_take(&roster, view_of(NUMBER(1, 42)), false);
    room = entries[42].room;
    assert_non_null(room->view);
    assert_int_equal(count_entries(room), SESSIONS / 100);
    assert_ptr_equal(entries[42].room, room);
    roster_leave(&roster, &entries[42]);  /* the first */
    roster_leave(&roster, &entries[942]); /* the last */
    roster_leave(&roster, &entries[542]); /* one in between */
    roster_leave(&roster, &entries[542]); /* is in no room now */
    assert_int_equal(count_entries(room), SESSIONS / 100 - 3);
    assert_null(entries[542].room);
    assert_ptr_equal(roster_find(&roster, entries[542].id), &entries[542]);
    assert_true(roster_enter(&roster, &entries[542], NUMBER(1, 7)));
}

/* The roster distinguishes an ended room and the next room in its slot. */
static void test_slot_used_again(void **state)
{
    struct roster_room *room;

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(roster_add(&roster, &entries[i]));
        assert_true(roster_enter(&roster, &entries[i], NUMBER(i + 1, 5)));
    }
    for (uint32_t i = 0; i < 3; i++) {
        roster_take(&roster, view_of(NUMBER(i + 1, 5)), false);
        room = entries[i].room;
        assert_non_null(room->view);
        assert_int_equal(count_entries(room), 1);
        assert_ptr_equal(room->ranks[0].entries.first, &entries[i].item);
    }
    roster_leave(&roster, &entries[1]);
    assert_ptr_equal(roster_due(&roster, false), &entries[0]);
    assert_ptr_equal(roster_due(&roster, false), &entries[2]);
    assert_null(roster_due(&roster, false));
    for (uint32_t i = 0; i < 3; i++) {
        roster_take(&roster, view_of(NUMBER(i + 1, 5)), false);
        assert_ptr_equal(roster_due(&roster, false), i == 1 ? NULL : &entries[i]);
    }
}

/* The roster holds the newest view only while the room has sessions. */
static void test_views(void **state)
{
    struct room_view *view = view_of(NUMBER(1, 0));

    (void)state;
    roster_take(&roster, view_hold(view), false); /* no session: released at once */
    assert_int_equal(view->holders, 1);
    roster_add(&roster, &entries[0]);
    roster_enter(&roster, &entries[0], NUMBER(1, 0));
    assert_null(entries[0].room->view);
    roster_take(&roster, view_hold(view), false);
    assert_ptr_equal(entries[0].room->view, view);
    assert_int_equal(view->holders, 2);
    assert_ptr_equal(roster_due(&roster, false), &entries[0]);
    roster_take(&roster, view_of(NUMBER(1, 0)), false);
    assert_int_equal(view->holders, 1);
    roster_take(&roster, view_hold(view), false);
    roster_leave(&roster, &entries[0]);
    assert_int_equal(view->holders, 1);
    view_release(view);
}

/* With several shards, each sends its own copies of frames, made once. */
static void test_shared_views(void **state)
{
    struct room_view *view = view_of(NUMBER(1, 0));
    struct room_view *next = view_of(NUMBER(1, 0));
    struct roster_room *room;
    struct frame *own;

    (void)state;
    roster.shares = true;
    roster_add(&roster, &entries[0]);
    roster_enter(&roster, &entries[0], NUMBER(1, 0));
    view->frames[VIEW_ROOM] = frame_of((const uint8_t *)"room", 4);
    view->versions[VIEW_ROOM] = 1;
    next->frames[VIEW_ROOM] = frame_hold(view->frames[VIEW_ROOM]);
    next->versions[VIEW_ROOM] = 1;
    roster_take(&roster, view, false);
    room = entries[0].room;
    assert_ptr_equal(roster_due(&roster, false), &entries[0]);
    own = room->view->frames[VIEW_ROOM];
    assert_non_null(own);
    assert_ptr_not_equal(own, next->frames[VIEW_ROOM]);
    roster_take(&roster, next, false);
    assert_ptr_equal(room->view->frames[VIEW_ROOM], own);
}

/* The roster requests a keyframe once for any number of sessions that need it. */
static void test_keys(void **state)
{
    struct roster_room *room;

    (void)state;
    roster_add(&roster, &entries[0]);
    roster_enter(&roster, &entries[0], NUMBER(1, 0));
    room = entries[0].room;
    assert_true(roster_wants_key(room, 3));
    roster_key_asked(room, 3);
    assert_false(roster_wants_key(room, 3));
    assert_true(roster_wants_key(room, 4));
    for (uint32_t stream = 10; stream < 10 + 2 * ROSTER_KEYS_MAX; stream++) {
        roster_key_asked(room, stream);
    }
    assert_false(roster_wants_key(room, 3));
    roster_take(&roster, view_of(NUMBER(1, 0)), false);
    assert_true(roster_wants_key(room, 3)); /* that view had no keyframe of the stream */
}

/* Returns which of the entries the view is due to next, and takes it; SESSIONS: none. */
static uint32_t next_due(bool by_server)
{
    const struct roster_entry *entry = roster_due(&roster, by_server);

    return entry != NULL ? (uint32_t)(entry - entries) : SESSIONS;
}

static void enter(uint32_t first, uint32_t count, uint64_t number)
{
    for (uint32_t i = first; i < first + count; i++) {
        assert_true(roster_add(&roster, &entries[i]));
        assert_true(roster_enter(&roster, &entries[i], number));
    }
}

/* A view is due to each session once, and a newer one after that. */
static void test_a_view_is_due_to_each(void **state)
{
    (void)state;
    enter(0, 10, NUMBER(1, 0));
    assert_int_equal(next_due(false), SESSIONS);
    roster_take(&roster, view_of(NUMBER(1, 0)), false);
    for (uint32_t i = 0; i < 20; i++) {
        if (i == 7) {
            roster_take(&roster, view_of(NUMBER(1, 0)), false);
        }
        assert_int_equal(next_due(false), i % 10);
    }
    assert_int_equal(next_due(false), SESSIONS);
    roster_take(&roster, view_of(NUMBER(1, 0)), false);
    assert_int_equal(next_due(false), 0);
    roster_take(&roster, view_of(NUMBER(1, 0)), false);
    for (uint32_t i = 0; i < 10; i++) {
        roster_leave(&roster, &entries[i]); /* the last one frees the room */
    }
    assert_int_equal(next_due(false), SESSIONS);
}

/* A room may have the slot of an earlier one of the other kind, whose lane then has its first view.
 */
static void test_a_room_changes_its_kind(void **state)
{
    (void)state;
    enter(0, 2, NUMBER(1, 0));
    roster_take(&roster, view_of(NUMBER(1, 0)), true);
    assert_int_equal(next_due(true), 0);
    roster_take(&roster, view_of(NUMBER(1, 0)), true);
    assert_int_equal(next_due(true), 1);
    roster_take(&roster, view_of(NUMBER(1, 0)), false); /* in place of the one that waits */
    assert_int_equal(next_due(true), SESSIONS);
    assert_int_equal(next_due(false), 0);
    assert_int_equal(next_due(false), 1);
    assert_int_equal(next_due(false), SESSIONS);
}

/* A room with thousands of sessions delays the views of strangers' rooms by a turn, and the views
 * of the server's rooms not at all. */
static void test_rooms_take_turns(void **state)
{
    enum { LARGE = 900 };

    (void)state;
    enter(0, LARGE, NUMBER(1, 0));
    enter(LARGE, 2, NUMBER(1, 1));
    enter(LARGE + 2, 1, NUMBER(1, 2));
    roster_take(&roster, view_of(NUMBER(1, 0)), false);
    roster_take(&roster, view_of(NUMBER(1, 1)), false);
    roster_take(&roster, view_of(NUMBER(1, 2)), true);
    assert_int_equal(next_due(true), LARGE + 2);
    assert_int_equal(next_due(true), SESSIONS);
    uint32_t before = 0;
    while (next_due(false) < LARGE) {
        before++;
    }
    assert_true(before <= ROSTER_TURN);
    assert_int_equal(next_due(false), LARGE + 1);
    for (uint32_t i = before; i < LARGE; i++) {
        assert_int_equal(next_due(false), i);
    }
    assert_int_equal(next_due(false), SESSIONS);
}

/* Returns a view with one stream. */
static struct room_view *snapshot_of(uint64_t number, uint32_t sequence)
{
    struct room_view *view = view_create(1, 0);

    assert_non_null(view);
    view->room = number;
    view->streams[0].sequence = sequence;
    return view;
}

/* Of views that come too fast, the newest follows the one that is sent. No session misses a view
 * that others get. */
static void test_a_slow_room_leaves_out_views(void **state)
{
    enum { ALL = 10, VIEWS = 20 };
    uint32_t got[ALL] = {0};

    (void)state;
    enter(0, ALL, NUMBER(1, 0));
    for (uint32_t i = 1; i <= VIEWS; i++) {
        roster_take(&roster, snapshot_of(NUMBER(1, 0), i), false);
        for (uint32_t k = 0; k < ALL / 2; k++) {
            const uint32_t entry = next_due(false);
            assert_in_range(entry, 0, ALL - 1);
            got[entry]++;
        }
    }
    for (uint32_t i = 0; i < ALL; i++) {
        assert_int_equal(got[i], VIEWS / 2);
    }
}

/* ---- ranks ---- */

enum { FIRST = 10, LATER = 500 };

/* Enters FIRST entries of the first rank, and LATER ones of a later rank before them. */
static void enter_ranks(uint64_t number)
{
    enter(FIRST, LATER, number);
    for (uint32_t i = FIRST; i < FIRST + LATER; i++) {
        roster_set_rank(&roster, &entries[i], 2);
    }
    enter(0, FIRST, number);
}

/* A crowd in the room costs the others nothing: they come first, and a new view does not wait until
 * the crowd has the last one. */
static void test_the_first_rank_comes_first(void **state)
{
    enum { VIEWS = 50, TIME = 20 };
    uint32_t got[FIRST + LATER] = {0};

    (void)state;
    enter_ranks(NUMBER(1, 0));
    for (uint32_t i = 1; i <= VIEWS; i++) {
        roster_take(&roster, snapshot_of(NUMBER(1, 0), i), true);
        for (uint32_t k = 0; k < TIME; k++) {
            const uint32_t entry = next_due(true);
            assert_in_range(entry, 0, FIRST + LATER - 1);
            got[entry]++;
        }
        for (uint32_t k = 0; k < FIRST; k++) {
            assert_int_equal(got[k], i);
        }
    }
    for (uint32_t i = FIRST; i < FIRST + LATER; i++) { /* these take turns */
        assert_int_equal(got[i], VIEWS * (TIME - FIRST) / LATER);
    }
}

/* When there is time for the first rank alone, a later one gets a part of it all the same. */
static void test_a_later_rank_does_not_starve(void **state)
{
    uint32_t later = 0;

    (void)state;
    enter_ranks(NUMBER(1, 0));
    for (uint32_t i = 1; i <= 100; i++) {
        roster_take(&roster, snapshot_of(NUMBER(1, 0), i), true);
        for (uint32_t k = 0; k < FIRST; k++) {
            later += next_due(true) >= FIRST;
        }
    }
    assert_int_equal(later, 100 * FIRST / ROSTER_LATER);
}

/* Newcomers who always wait leave a part to the ranks between. */
static void test_each_rank_moves_on(void **state)
{
    uint32_t got[ROSTER_RANKS] = {0};

    (void)state;
    enter(0, SESSIONS, NUMBER(1, 0));
    for (uint32_t i = 0; i < SESSIONS; i++) {
        roster_set_rank(&roster, &entries[i], i % 3 == 0 ? 0 : i % 3 == 1 ? 3 : ROSTER_FRESH);
    }
    for (uint32_t i = 1; i <= 10; i++) {
        roster_take(&roster, snapshot_of(NUMBER(1, 0), i), true);
        for (uint32_t k = 0; k < SESSIONS / 3; k++) {
            got[entries[next_due(true)].rank]++;
        }
    }
    assert_true(got[3] >= SESSIONS / 3 / ROSTER_LATER * 4);
    assert_true(got[ROSTER_FRESH] >= SESSIONS / 3 / ROSTER_LATER * 4);
}

/* A room whose entries are all of a later rank sends each view to all of them, as any other. */
static void test_a_later_rank_alone(void **state)
{
    (void)state;
    enter(0, 3, NUMBER(1, 0));
    for (uint32_t i = 0; i < 3; i++) {
        roster_set_rank(&roster, &entries[i], 3);
    }
    roster_take(&roster, snapshot_of(NUMBER(1, 0), 1), false);
    assert_int_equal(next_due(false), 0);
    roster_take(&roster, snapshot_of(NUMBER(1, 0), 2), false); /* waits */
    assert_int_equal(next_due(false), 1);
    assert_int_equal(next_due(false), 2);
    assert_int_equal(next_due(false), 0);
}

/* An entry that changes its rank gets the next view, and is counted once. */
static void test_a_rank_changes(void **state)
{
    (void)state;
    enter(0, 3, NUMBER(1, 0));
    roster_take(&roster, snapshot_of(NUMBER(1, 0), 1), false);
    assert_int_equal(next_due(false), 0);
    roster_set_rank(&roster, &entries[1], 1); /* while the view is due to it … */
    roster_set_rank(&roster, &entries[0], 1); /* … and when it has it */
    assert_int_equal(entries[1].room->count, 3);
    assert_int_equal(next_due(false), 2);
    assert_int_equal(next_due(false), SESSIONS);
    roster_take(&roster, snapshot_of(NUMBER(1, 0), 2), false);
    assert_int_equal(next_due(false), 2);
    assert_int_equal(next_due(false), 1);
    assert_int_equal(next_due(false), 0);
    assert_int_equal(next_due(false), SESSIONS);
    roster_leave(&roster, &entries[0]);
    roster_set_rank(&roster, &entries[0], 2); /* in no room: it enters the next one so */
    assert_true(roster_enter(&roster, &entries[0], NUMBER(1, 0)));
    assert_int_equal(entries[0].room->ranks[2].count, 1);
}

/* Views that only newcomers wait for do not shorten the time for replies. */
static void test_views_for_newcomers_only(void **state)
{
    (void)state;
    enter(0, 3, NUMBER(1, 0));
    roster_set_rank(&roster, &entries[0], ROSTER_FRESH);
    roster_take(&roster, snapshot_of(NUMBER(1, 0), 1), false);
    assert_true(roster_is_due(&roster, false));
    assert_int_equal(next_due(false), 1);
    assert_int_equal(next_due(false), 2);
    assert_false(roster_is_due(&roster, false));
    assert_int_equal(next_due(false), 0);
    roster_take(&roster, snapshot_of(NUMBER(1, 0), 2), false);
    roster_set_rank(&roster, &entries[1], ROSTER_FRESH); /* then it waits for the next view */
    assert_true(roster_is_due(&roster, false));
    roster_leave(&roster, &entries[2]);
    assert_false(roster_is_due(&roster, false));
    roster_set_rank(&roster, &entries[0], 1);
    roster_take(&roster, snapshot_of(NUMBER(1, 0), 3), false);
    assert_true(roster_is_due(&roster, false));
    roster_take(&roster, snapshot_of(NUMBER(1, 0), 4), false);
    assert_int_equal(next_due(false), 0);
    assert_false(roster_is_due(&roster, false));
    roster_set_rank(&roster, &entries[1], 2);
    roster_take(&roster, snapshot_of(NUMBER(1, 0), 5), false);
    assert_int_equal(next_due(false), 0);
    assert_true(roster_is_due(&roster, false));               /* to entry 1 */
    roster_take(&roster, snapshot_of(NUMBER(1, 0), 6), true); /* the room is the server's now */
    assert_false(roster_is_due(&roster, false));
    assert_true(roster_is_due(&roster, true));
    roster_leave(&roster, &entries[0]);
    roster_leave(&roster, &entries[1]);
    assert_false(roster_is_due(&roster, true));
}

/* A newer view waits while the first rank waits. When that rank leaves, it is the others' turn. */
static void test_the_first_rank_leaves(void **state)
{
    (void)state;
    enter_ranks(NUMBER(1, 0));
    roster_take(&roster, snapshot_of(NUMBER(1, 0), 1), true);
    roster_take(&roster, snapshot_of(NUMBER(1, 0), 2), true);
    for (uint32_t i = 0; i < FIRST; i++) {
        roster_leave(&roster, &entries[i]);
    }
    for (uint32_t i = FIRST; i < FIRST + LATER; i++) {
        assert_int_equal(next_due(true), i);
        assert_int_equal(entries[i].room->view->streams[0].sequence, 1);
    }
    assert_int_equal(next_due(true), FIRST);
    assert_int_equal(entries[FIRST].room->view->streams[0].sequence, 2);
}

#define ROSTER_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ROSTER_TEST(test_ids),
        ROSTER_TEST(test_rooms),
        ROSTER_TEST(test_slot_used_again),
        ROSTER_TEST(test_views),
        ROSTER_TEST(test_shared_views),
        ROSTER_TEST(test_keys),
        ROSTER_TEST(test_a_view_is_due_to_each),
        ROSTER_TEST(test_a_room_changes_its_kind),
        ROSTER_TEST(test_rooms_take_turns),
        ROSTER_TEST(test_a_slow_room_leaves_out_views),
        ROSTER_TEST(test_the_first_rank_comes_first),
        ROSTER_TEST(test_a_later_rank_does_not_starve),
        ROSTER_TEST(test_each_rank_moves_on),
        ROSTER_TEST(test_a_later_rank_alone),
        ROSTER_TEST(test_a_rank_changes),
        ROSTER_TEST(test_views_for_newcomers_only),
        ROSTER_TEST(test_the_first_rank_leaves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
