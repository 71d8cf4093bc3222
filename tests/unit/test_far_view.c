/* A room's view put together from messages: what is there, what is missing, and what clients get.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cluster/far_view.h"

#define ROOM 77u

static struct far_view view;

static int empty(void **state)
{
    (void)state;
    far_view_forget(&view);
    return 0;
}

/* Returns bytes of their own for each letter. */
static struct wire_bytes letters(const char *text)
{
    return (struct wire_bytes){(const uint8_t *)text, strlen(text)};
}

static struct wire_frame frame(uint32_t number, const char *text)
{
    struct wire_frame made = {.there = true, .number = number};

    made.frame = text != NULL ? letters(text) : made.frame;
    return made;
}

static bool shows(struct frame *shown, const char *text)
{
    return shown != NULL && shown->size == strlen(text) &&
           memcmp(frame_data(shown), text, shown->size) == 0;
}

static enum far_view_result take(uint64_t number, const struct wire_state *state)
{
    const struct wire_head head = {.kind = WIRE_STATE, .number = number};

    return far_view_take_state(&view, &head, state);
}

static void take_whole(uint64_t continues)
{
    struct wire_state state = {.whole = true, .continues = continues, .time = 1000};

    state.parts[VIEW_ROOM] = frame(1, "room");
    assert_int_equal(take(1, &state), FAR_VIEW_TAKEN);
}

static enum far_view_result snapshot(uint32_t sequence, bool key, const char *text)
{
    return far_view_take_snapshot(
        &view, &(struct wire_snapshot){
                   .stream = 5, .sequence = sequence, .key = key, .frame = letters(text)});
}

static struct room_view *make_view(void)
{
    struct room_view *made = far_view_make(&view, ROOM, -42);

    assert_non_null(made);
    assert_int_equal(made->room, ROOM);
    assert_int_equal(made->ahead, -42);
    return made;
}

/* ---- tests ---- */

static void test_whole_and_changes(void **state)
{
    struct wire_state changes = {.time = 2000};
    struct room_view *made;

    (void)state;
    take_whole(10);
    changes.parts[VIEW_PARAMS] = frame(3, "params");
    changes.topics[VIEW_MARKS] = frame(4, "marks");
    changes.presence = frame(6, "all");
    changes.changes[0] = frame(6, "one");
    changes.change_count = 1;
    changes.events[0] = frame(20, "event");
    changes.event_count = 1;
    assert_int_equal(take(11, &changes), FAR_VIEW_TAKEN);
    made = make_view();
    assert_true(shows(made->frames[VIEW_ROOM], "room"));
    assert_true(shows(made->frames[VIEW_PARAMS], "params"));
    assert_int_equal(made->versions[VIEW_PARAMS], 3);
    assert_true(shows(made->topics[VIEW_MARKS], "marks"));
    assert_int_equal(made->presence, 6);
    assert_true(shows(made->presence_whole, "all"));
    assert_true(shows(made->presence_changes[6 % VIEW_PRESENCES], "one"));
    assert_int_equal(made->events, 20);
    assert_true(shows(made->event_frames[20 % VIEW_EVENTS], "event"));
    assert_int_equal(made->time, 2000);
    view_release(made);
    /* A topic without subscribers ends. */
    changes = (struct wire_state){0};
    changes.topics[VIEW_MARKS] = frame(4, NULL);
    assert_int_equal(take(12, &changes), FAR_VIEW_TAKEN);
    made = make_view();
    assert_null(made->topics[VIEW_MARKS]);
    assert_true(shows(made->frames[VIEW_ROOM], "room"));
    view_release(made);
}

/* Clients here would read the snapshots of a world by the room of the next one. */
static void test_a_new_scale_drops_snapshots(void **state)
{
    struct wire_state changes = {0};
    struct room_view *made;

    (void)state;
    take_whole(0);
    assert_int_equal(snapshot(1, true, "key"), FAR_VIEW_TAKEN);
    assert_int_equal(snapshot(2, false, "delta"), FAR_VIEW_TAKEN);
    changes.parts[VIEW_ROOM] = frame(2, "title");
    changes.scale_since = 1;
    assert_int_equal(take(1, &changes), FAR_VIEW_TAKEN);
    assert_true(far_view_has_key(&view, 5));
    changes.parts[VIEW_ROOM] = frame(3, "world");
    changes.scale_since = 3;
    assert_int_equal(take(2, &changes), FAR_VIEW_TAKEN);
    made = make_view();
    assert_int_equal(made->scale_since, 3);
    assert_null(made->streams[0].key);
    assert_null(made->streams[0].deltas[2 % VIEW_DELTAS]);
    view_release(made);
    assert_int_equal(snapshot(3, false, "next"), FAR_VIEW_TAKEN);
    made = make_view();
    assert_true(shows(made->streams[0].deltas[3 % VIEW_DELTAS], "next"));
    view_release(made);
}

/* An older view keeps its frames. */
static void test_views_do_not_change(void **state)
{
    struct wire_state changes = {0};
    struct room_view *first;

    (void)state;
    take_whole(0);
    first = make_view();
    assert_false(view.changed);
    changes.parts[VIEW_ROOM] = frame(2, "other");
    assert_int_equal(take(1, &changes), FAR_VIEW_TAKEN);
    assert_true(view.changed);
    assert_true(shows(first->frames[VIEW_ROOM], "room"));
    view_release(first);
}

static void test_state_gap(void **state)
{
    const struct wire_state nothing = {0};

    (void)state;
    assert_int_equal(take(3, &nothing), FAR_VIEW_OLD); /* the whole state is missing */
    assert_false(far_view_is_complete(&view));
    assert_int_equal(take(1, &(struct wire_state){.whole = true}), FAR_VIEW_TAKEN);
    assert_false(far_view_is_complete(&view)); /* it is empty */
    take_whole(3);
    assert_true(far_view_is_complete(&view));
    assert_int_equal(take(3, &nothing), FAR_VIEW_OLD);
    assert_int_equal(take(4, &nothing), FAR_VIEW_TAKEN);
    assert_int_equal(take(6, &nothing), FAR_VIEW_GAP);
    assert_false(view.whole);
    assert_int_equal(take(7, &nothing), FAR_VIEW_OLD); /* it has been asked for */
    take_whole(9);
    assert_int_equal(take(8, &nothing), FAR_VIEW_OLD);
    assert_int_equal(take(10, &nothing), FAR_VIEW_TAKEN);
}

/* Events whose frames were lost are missing, and older ones stay as long as they fit. */
static void test_events_in_a_ring(void **state)
{
    struct wire_state changes = {.event_count = 1};
    struct room_view *made;

    (void)state;
    take_whole(0);
    changes.events[0] = frame(5, "five");
    assert_int_equal(take(1, &changes), FAR_VIEW_TAKEN);
    changes.events[0] = frame(8, "eight");
    assert_int_equal(take(2, &changes), FAR_VIEW_TAKEN);
    made = make_view();
    assert_true(shows(made->event_frames[5], "five"));
    assert_null(made->event_frames[6]);
    assert_null(made->event_frames[7]);
    assert_true(shows(made->event_frames[8], "eight"));
    view_release(made);
    changes.events[0] = frame(5 + 3 * VIEW_EVENTS, "later");
    assert_int_equal(take(3, &changes), FAR_VIEW_TAKEN);
    made = make_view();
    assert_true(shows(made->event_frames[5], "later"));
    for (uint32_t i = 0; i < VIEW_EVENTS; i++) {
        assert_true(i == 5 || made->event_frames[i] == NULL);
    }
    view_release(made);
}

static void test_deltas(void **state)
{
    struct room_view *made;

    (void)state;
    take_whole(0);
    assert_false(far_view_has_key(&view, 5));
    assert_int_equal(snapshot(100, true, "k100"), FAR_VIEW_TAKEN);
    assert_true(far_view_has_key(&view, 5));
    for (uint32_t i = 1; i <= VIEW_DELTAS; i++) {
        char text[8];
        snprintf(text, sizeof text, "d%u", 100 + i);
        assert_int_equal(snapshot(100 + i, false, text), FAR_VIEW_TAKEN);
    }
    made = make_view();
    assert_int_equal(made->stream_count, 1);
    assert_int_equal(made->streams[0].sequence, 108);
    assert_int_equal(made->streams[0].key_sequence, 100);
    assert_true(shows(made->streams[0].key, "k100"));
    assert_true(shows(made->streams[0].deltas[101 % VIEW_DELTAS], "d101"));
    assert_true(shows(made->streams[0].deltas[108 % VIEW_DELTAS], "d108"));
    view_release(made);
    /* A keyframe that deltas can no longer follow is no use. */
    assert_int_equal(snapshot(109, false, "d109"), FAR_VIEW_TAKEN);
    assert_false(far_view_has_key(&view, 5));
}

/* After a gap there is nothing to continue from before the next keyframe. */
static void test_missing_snapshot(void **state)
{
    struct room_view *made;

    (void)state;
    take_whole(0);
    assert_int_equal(snapshot(UINT32_MAX, true, "k"), FAR_VIEW_TAKEN); /* numbers wrap */
    assert_int_equal(snapshot(0, false, "d0"), FAR_VIEW_TAKEN);
    assert_int_equal(snapshot(2, false, "d2"), FAR_VIEW_TAKEN);
    made = make_view();
    assert_int_equal(made->streams[0].sequence, 2);
    assert_null(made->streams[0].key);
    assert_null(made->streams[0].deltas[0]);
    assert_null(made->streams[0].deltas[1]);
    view_release(made);
    assert_int_equal(snapshot(1, false, "d1"), FAR_VIEW_OLD);
    assert_int_equal(snapshot(3, false, "d3"), FAR_VIEW_TAKEN);
    assert_int_equal(snapshot(3, true, "k3"), FAR_VIEW_TAKEN); /* both of the same snapshot */
    assert_int_equal(snapshot(3, true, "k3"), FAR_VIEW_TAKEN); /* and again */
    made = make_view();
    assert_true(shows(made->streams[0].key, "k3"));
    assert_true(shows(made->streams[0].deltas[3], "d3"));
    view_release(made);
}

/* Streams are in the order of their ids, and end without the others. */
static void test_streams(void **state)
{
    static const uint32_t ids[] = {9, 3, 7, 1, 8, 2, 6, 4};
    struct room_view *made;

    (void)state;
    take_whole(0);
    for (uint32_t i = 0; i < 8; i++) {
        const struct wire_snapshot first = {
            .stream = ids[i], .sequence = 1, .key = true, .frame = letters("key")};
        assert_int_equal(far_view_take_snapshot(&view, &first), FAR_VIEW_TAKEN);
    }
    far_view_end_stream(&view, 7);
    far_view_end_stream(&view, 5);
    made = make_view();
    assert_int_equal(made->stream_count, 7);
    for (uint32_t i = 1; i < 7; i++) {
        assert_true(made->streams[i - 1].id < made->streams[i].id);
    }
    assert_null(view_stream(made, 7));
    assert_true(shows(view_stream(made, 8)->key, "key"));
    view_release(made);
}

static void test_forget(void **state)
{
    (void)state;
    take_whole(4);
    assert_int_equal(snapshot(100, true, "k100"), FAR_VIEW_TAKEN);
    far_view_forget(&view);
    assert_null(far_view_make(&view, ROOM, 0));
    assert_false(view.whole);
    /* Another owner's numbers may be lower. */
    take_whole(0);
    assert_int_equal(snapshot(3, true, "k3"), FAR_VIEW_TAKEN);
    assert_true(far_view_has_key(&view, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_whole_and_changes, empty),
        cmocka_unit_test_setup(test_a_new_scale_drops_snapshots, empty),
        cmocka_unit_test_setup(test_views_do_not_change, empty),
        cmocka_unit_test_setup(test_state_gap, empty),
        cmocka_unit_test_setup(test_events_in_a_ring, empty),
        cmocka_unit_test_setup(test_deltas, empty),
        cmocka_unit_test_setup(test_missing_snapshot, empty),
        cmocka_unit_test_setup(test_streams, empty),
        cmocka_unit_test_setup_teardown(test_forget, empty, empty),
    };
    return cmocka_run_group_tests_name("views of far rooms", tests, NULL, NULL);
}
