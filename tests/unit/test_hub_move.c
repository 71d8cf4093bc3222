/* A room leaves its hub and comes back: its members' links join it again, and no session is closed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "film_room.h"
#include "past/earlier_past.h"
#include "past/history_budget.h"
#include "room/room_state.h"

/* ---- a released room ---- */

static struct store_room kept;
static struct recording *kept_past;
static struct film *kept_film;
static sem_t released;

static void take_released(void *argument, const struct store_room *room, struct film *film,
                          struct recording *past)
{
    (void)argument;
    kept = *room;
    kept_past = past;
    kept_film = film;
    sem_post(&released);
}

static int make_both(void **state)
{
    sem_init(&released, 0, 0);
    return make(state);
}

static int make_two_runners(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    sem_init(&released, 0, 0);
    definition.runners = definition.shards = 2;
    return start(&definition);
}

static int make_with_pasts(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    sem_init(&released, 0, 0);
    definition.lobby.rewind = UINT64_C(600000000);
    return start(&definition);
}

static void await_release(void)
{
    struct timespec deadline;

    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += DEADLINE_S;
    assert_int_equal(sem_timedwait(&released, &deadline), 0);
}

static void release(const char *code)
{
    assert_true(hub_release_room(hub, code, take_released, NULL));
    await_release();
    assert_non_null(kept.state);
    assert_null(kept_film);
}

static struct directory_entry adopt(bool returning)
{
    struct hub_made made;

    assert_int_equal(hub_adopt(hub, &kept, NULL, kept_past, returning, &made), DIRECTORY_OK);
    free(kept.state);
    recording_destroy(kept_past);
    return made.entry;
}

/* ---- tests ---- */

/* A running hub adopts a room, and its people come back with their tokens. */
static void test_adopt_while_running(void **state)
{
    struct directory_entry first = create_room("boids", 50, NULL);
    struct player ada = join_at(0, first.code, "Ada");
    struct proto_hello hello = hello_of("", 0);
    struct proto_welcome welcome = welcomed(&ada);
    struct directory_entry found;

    (void)state;
    link_leave(ada.link, END_NONE);
    release(first.code);
    assert_false(directory_find(hub_directory(hub), first.code, &found));
    assert_int_equal(hub_boids(hub), 12); /* the lobby's */
    struct directory_entry second = adopt(false);
    assert_string_equal(second.code, first.code);
    assert_int_not_equal(second.number, first.number);
    assert_int_equal(second.boids, 50);
    snprintf(hello.room, sizeof hello.room, "%s", second.code);
    hello.has_token = true;
    memcpy(hello.token, welcome.token, sizeof hello.token);
    ada = join_with(0, &hello);
    struct proto_welcome again = welcomed(&ada);
    assert_int_equal(again.id, welcome.id);
    assert_string_equal(again.name, "Ada");
    link_leave(ada.link, END_NONE);
}

/* Members stay the same people in the same scene, on either runner. */
static void test_members_continue(void **state)
{
    struct directory_entry first = create_room("boids", 50, NULL);
    struct player players[2] = {join_at(0, first.code, "Ada"), join_at(1, first.code, "Bob")};
    struct proto_welcome before[2] = {welcomed(&players[0]), welcomed(&players[1])};

    (void)state;
    for (int round = 0; round < 5; round++) {
        release(first.code);
        struct directory_entry second = adopt(true);
        assert_int_equal(second.people, 2); /* the list of rooms says so at once */
        for (int i = 0; i < 2; i++) {
            struct proto_welcome after = welcomed(&players[i]);
            assert_int_equal(after.id, before[i].id);
            assert_string_equal(after.name, before[i].name);
            assert_memory_equal(after.token, before[i].token, sizeof after.token);
            assert_string_equal(after.room.code, second.code);
            assert_true(send_name(&players[i], before[i].name));
            assert_int_equal(next_told(&players[i]).type, PROTO_DONE);
        }
        struct room_view *view;
        do {
            view = next_shown(0);
            if (view->room != second.number) { /* from before the move */
                view_release(view);
                view = NULL;
            }
        } while (view == NULL);
        assert_int_equal(shown(view)->people, 2);
        assert_int_equal(shown(view)->boid_count, 50);
        view_release(view);
    }
    link_leave(players[0].link, END_NONE);
    link_leave(players[1].link, END_NONE);
}

/* Returns the next view of that room with snapshots. */
static struct room_view *next_view_of_room(uint64_t number)
{
    struct room_view *view = next_shown(0);

    while (view->room != number) {
        view_release(view);
        view = next_shown(0);
    }
    return view;
}

/* A subscription of a hello or of the last want holds in the room that came back. */
static void test_subscriptions_continue(void **state)
{
    struct directory_entry first = create_room("boids", 50, NULL);
    struct proto_hello hello = hello_of("Ada", 0);
    const struct proto_client_message wants[] = {
        {.type = PROTO_WANT, .want = {.rate = RATE}},
        {.type = PROTO_WANT, .want = {.has_topics = true}},
        {.type = PROTO_WANT, .want = {.has_topics = true, .topics = PROTO_TOPIC_LEADS}},
    };
    const bool subscribed[] = {true, false, true};

    (void)state;
    snprintf(hello.room, sizeof hello.room, "%s", first.code);
    hello.topics = PROTO_TOPIC_LEADS;
    struct player ada = join_with(0, &hello);
    welcomed(&ada);
    for (size_t i = 0; i < 3; i++) {
        assert_true(link_send(ada.link, &wants[i]));
        assert_int_equal(next_told(&ada).type, PROTO_STREAM);
        assert_int_equal(next_told(&ada).type, PROTO_DONE);
        release(first.code);
        const struct directory_entry second = adopt(true);
        welcomed(&ada);
        struct room_view *view = next_view_of_room(second.number);
        assert_int_equal(view->topics[VIEW_LEADS] != NULL, subscribed[i]);
        view_release(view);
    }
    link_leave(ada.link, END_NONE);
}

/* Each message during a move has one answer, in order: the room's answer, or an error that asks to
 * try again.
 */
static void test_messages_of_a_move_are_answered(void **state)
{
    struct player ada = join("Ada");
    struct proto_client_message message = {.type = PROTO_NAME, .has_tag = true};
    struct hub_reply reply;

    (void)state;
    welcomed(&ada);
    snprintf(message.name.name, sizeof message.name.name, "Ada");
    for (uint32_t tag = 0; tag < 20; tag++) {
        message.tag = tag;
        assert_true(link_send(ada.link, &message));
        if (tag == 10) {
            release(ROOM_LOBBY);
        }
    }
    for (uint32_t tag = 0; tag < 20; tag++) {
        struct proto_server_message answer = next_told(&ada);
        assert_int_equal(answer.type, tag <= 10 ? PROTO_DONE : PROTO_ERROR);
        if (tag > 10) {
            assert_int_equal(answer.error.code, PROTO_E_FULL);
        }
        assert_int_equal(tag <= 10 ? answer.done.tag : answer.error.tag, tag);
    }
    assert_false(links_take_reply(hub_links(hub, 0), &reply));
    assert_false(link_send(ada.link, &message)); /* the link waits for its room */
    adopt(true);
    welcomed(&ada);
    assert_true(link_send(ada.link, &message));
    assert_int_equal(next_told(&ada).type, PROTO_DONE);
    link_leave(ada.link, END_NONE);
}

/* A link may leave while its room moves. */
static void test_leaving_without_a_room(void **state)
{
    struct player ada = join("Ada");

    (void)state;
    welcomed(&ada);
    release(ROOM_LOBBY);
    link_leave(ada.link, END_NONE);
    adopt(true);
    struct player bob = join("Bob");
    assert_int_equal(welcomed(&bob).id, 2);
    link_leave(bob.link, END_NONE);
}

/* Another node has the room: this hub drops it without a word, and saves nothing. When it gets the
 * room back, its people are the same, and ids of people that it has not seen are not used. */
static void test_a_dropped_room(void **state)
{
    struct player ada = join("Ada");
    const struct proto_welcome before = welcomed(&ada);
    struct directory_entry entry;
    struct hub_made made;

    (void)state;
    release(ROOM_LOBBY);
    const struct store_room saved = kept;
    recording_destroy(kept_past);
    assert_int_equal(hub_take_over(hub, &saved, NULL, &made), DIRECTORY_OK);
    assert_int_equal(welcomed(&ada).id, before.id);
    assert_true(hub_drop_room(hub, ROOM_LOBBY, take_released, NULL));
    sem_wait(&released);
    assert_null(kept.state);
    assert_null(kept_past);
    assert_false(directory_find(hub_directory(hub), ROOM_LOBBY, &entry));
    assert_int_equal(hub_take_over(hub, &saved, NULL, &made), DIRECTORY_OK);
    assert_int_equal(welcomed(&ada).id, before.id);
    struct player bob = join("Bob");
    assert_int_equal(welcomed(&bob).id, before.id + 1 + 1000);
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
    free(saved.state);
}

/* ---- boids ---- */

static int make_narrow(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    sem_init(&released, 0, 0);
    definition.boids_max = 1000; /* 125 are reserved */
    definition.limits.rooms_max = 32;
    return start(&definition);
}

/* Makes a room of that many boids. Returns its entry; fails the test on an error. */
static struct directory_entry make_of(const char *address, bool trusted, uint32_t boids)
{
    struct hub_making making = {.definition = room_definition_default(), .address = address};
    struct hub_made made;

    making.definition.trusted = trusted;
    making.definition.flock.boids = boids;
    making.definition.people_max = SESSIONS;
    making.definition.boids_max = SCENE_BOIDS_MAX;
    assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_OK);
    return made.entry;
}

/* Makes such a room, and takes it out of the hub. */
static struct store_room room_of_another_node(bool trusted, uint32_t boids)
{
    release(make_of("10.0.9.9", trusted, boids).code);
    recording_destroy(kept_past);
    return kept;
}

static bool is_here(const char *code)
{
    struct directory_entry entry;

    return directory_find(hub_directory(hub), code, &entry);
}

/* Untrusted rooms of another node get no boids of the reserve. To trusted ones, idle rooms give
 * way.
 */
static void test_boids_of_rooms_of_another_node(void **state)
{
    struct store_room stranger = room_of_another_node(false, 300);
    struct store_room trusted = room_of_another_node(true, 400);
    struct hub_made made;

    (void)state;
    const struct directory_entry idle = make_of("10.0.0.1", false, 400);
    const struct directory_entry other = make_of("10.0.0.2", false, 200);
    assert_int_equal(hub_boids(hub), 12 + 400 + 200);
    assert_int_equal(hub_take_over(hub, &stranger, NULL, &made),
                     DIRECTORY_FULL); /* 113 are reserved */
    assert_int_equal(hub_take_over(hub, &trusted, NULL, &made), DIRECTORY_OK);
    assert_int_equal(hub_boids(hub), 12 + 200 + 400);
    assert_false(is_here(idle.code));
    assert_true(is_here(other.code));
    assert_int_equal(hub_take_over(hub, &stranger, NULL, &made),
                     DIRECTORY_OK); /* nothing is reserved */
    assert_int_equal(hub_boids(hub), 12 + 200 + 400 + 300);
    free(stranger.state);
    free(trusted.state);
}

/* Without idle rooms a trusted room gets none, and the lobby gets all that it has. */
static void test_the_lobby_gets_its_boids(void **state)
{
    struct store_room trusted = room_of_another_node(true, 60);
    struct hub_made made;

    (void)state;
    release(ROOM_LOBBY);
    recording_destroy(kept_past);
    struct store_room saved = kept;
    (void)make_of("10.0.0.9", true, 995);
    assert_int_equal(hub_take_over(hub, &trusted, NULL, &made), DIRECTORY_FULL);
    assert_int_equal(hub_take_over(hub, &saved, NULL, &made), DIRECTORY_OK);
    assert_int_equal(hub_boids(hub), 995 + 12);
    assert_int_equal(hub_boids_left(hub), 0);
    free(saved.state);
    free(trusted.state);
}

/* While the hub stands still, its rooms do not tick, and answer. */
static void test_standing_still(void **state)
{
    struct player ada = join("Ada");

    (void)state;
    (void)welcomed(&ada);
    view_release(next_shown(0));
    hub_stand(hub, false);
    assert_true(send_name(&ada, "Eve"));
    assert_int_equal(next_told(&ada).type, PROTO_DONE);
    const struct room_stats *stats = directory_stats(hub_directory(hub), room_slot(lobby));
    const uint64_t ticks = counter_read(&stats->ticks);
    uv_sleep(10 * 1000 / RATE);
    assert_in_range(counter_read(&stats->ticks), ticks, ticks + 1); /* one may have begun before */
    hub_stand(hub, true);
    while (counter_read(&stats->ticks) < ticks + 5) {
        uv_sleep(1);
    }
    link_leave(ada.link, END_NONE);
}

/* ---- bare rooms ---- */

/* Asks the hub for the room as for a bare one. Returns whether the hub gives it up. */
static bool moves_as_bare(const char *code)
{
    struct directory_entry entry;

    assert_true(hub_release_bare_room(hub, code, take_released, NULL));
    await_release();
    const bool gone = kept.state != NULL;
    free(kept.state);
    recording_destroy(kept_past);
    film_release(kept_film);
    assert_true(directory_find(hub_directory(hub), code, &entry) != gone);
    return gone;
}

/* Waits until the room has ticked for that time (s). */
static void await_ticks(const struct directory_entry *room, uint32_t seconds)
{
    const struct room_stats *stats = directory_stats(hub_directory(hub), room_slot(room->number));

    while (counter_read(&stats->ticks) <= (uint64_t)seconds * RATE) {
        uv_sleep(1);
    }
}

/* A room without members, and a room that its first member has just joined, have a short past. */
static void test_a_new_room_moves(void **state)
{
    const struct directory_entry unused = create_room("boids", 50, NULL);
    const struct directory_entry room = create_room("boids", 60, NULL);
    struct player ada = join_at(0, room.code, "Ada");

    (void)state;
    assert_true(moves_as_bare(unused.code));
    assert_false(hub_release_bare_room(hub, unused.code, take_released, NULL));
    (void)welcomed(&ada);
    await_ticks(&room, 0);
    assert_true(moves_as_bare(room.code));
    link_leave(ada.link, END_NONE);
}

/* A room with a longer past stays, with and without members. They notice nothing. */
static void test_a_room_with_a_past_stays(void **state)
{
    const struct directory_entry room = create_room("boids", 50, NULL);
    struct player ada = join_at(0, room.code, "Ada");

    (void)state;
    (void)welcomed(&ada);
    await_ticks(&room, ROOM_BARE_PAST);
    assert_false(moves_as_bare(room.code));
    assert_true(send_name(&ada, "Eve"));
    assert_int_equal(next_told(&ada).type, PROTO_DONE);
    link_leave(ada.link, END_NONE);
    assert_false(moves_as_bare(room.code));
}

/* Without --rewind a room moves, unless a presenter has changed something that can be undone. */
static void test_a_room_with_an_undo_stays(void **state)
{
    struct proto_client_message message = {.type = PROTO_PARAM, .param.value = 5};
    char key[PROTO_KEY_MAX + 1];
    const struct directory_entry used = create_room("boids", 50, NULL);
    const struct directory_entry changed = create_room("boids", 60, key);
    struct player ada = join_at(0, used.code, "Ada");

    (void)state;
    (void)welcomed(&ada);
    await_ticks(&used, ROOM_BARE_PAST);
    link_leave(ada.link, END_NONE);
    assert_true(moves_as_bare(used.code));
    snprintf(message.param.name, sizeof message.param.name, "max_speed");
    assert_int_equal(ask(changed.number, key, &message, false), PROTO_OK);
    assert_false(moves_as_bare(changed.code));
}

/* A room that plays a recording stays. */
static void test_a_replay_stays(void **state)
{
    size_t size;
    const struct directory_entry room = play_film("10.0.0.1", SCENE_BOIDS_MAX, &size);

    (void)state;
    assert_false(moves_as_bare(room.code));
}

/* ---- what goes along ---- */

/* The undo steps go along with a room that leaves, also with an empty room whose state the store
 * has. */
static void test_undo_goes_along(void **state)
{
    struct proto_client_message message = {.type = PROTO_PARAM, .param.value = 5};
    const struct proto_client_message undo = {.type = PROTO_UNDO};
    char key[PROTO_KEY_MAX + 1];
    struct directory_entry room = create_room("boids", 60, key);

    (void)state;
    snprintf(message.param.name, sizeof message.param.name, "max_speed");
    assert_int_equal(ask(room.number, key, &message, false), PROTO_OK);
    for (int i = 0; i < 2; i++) {
        release(room.code);
        room = adopt(true);
    }
    assert_int_equal(ask(room.number, key, &undo, false), PROTO_OK);
    assert_int_equal(ask(room.number, key, &undo, false), PROTO_E_STATE); /* there was one */
}

static void on_past_taken(void *argument, bool taken)
{
    *(bool *)argument = taken;
    sem_post(&released);
}

static bool give_past(const char *code, struct earlier_past *past)
{
    bool taken = false;

    assert_true(hub_give_past(hub, code, past, on_past_taken, &taken));
    await_release();
    return taken;
}

static void on_past_asked(void *argument, const struct hub_arrival *arrival)
{
    *(struct hub_arrival *)argument = *arrival;
    sem_post(&released);
}

/* Returns the room's limits for a past. The budget is the caller's. */
static struct hub_arrival ask_past(const char *code)
{
    struct hub_arrival arrival;

    assert_true(hub_ask_past(hub, code, on_past_asked, &arrival));
    await_release();
    return arrival;
}

/* A film that came for a room which plays none costs the room no member. */
static void test_a_film_for_another_room(void **state)
{
    size_t size;
    const struct directory_entry played = play_film("10.0.0.1", SCENE_BOIDS_MAX, &size);
    const struct directory_entry first = create_room("boids", 50, NULL);
    struct player ada = join_at(0, first.code, "Ada");
    struct directory_entry found;
    struct hub_made made;

    (void)state;
    (void)welcomed(&ada);
    assert_true(hub_hold_film(hub, played.code, take_released, NULL));
    await_release();
    struct film *film = kept_film;
    assert_non_null(film);
    release(first.code);
    link_leave(ada.link, END_NONE); /* she does not join again at once */
    assert_int_equal(hub_adopt(hub, &kept, film, NULL, true, &made), DIRECTORY_OK);
    film_release(film);
    free(kept.state);
    recording_destroy(kept_past);
    history_budget_release(ask_past(made.entry.code).budget); /* its runner has it */
    assert_true(directory_find(hub_directory(hub), made.entry.code, &found));
    assert_int_equal(found.people, 1);
}

/* The past of a room comes after the room, while its people are in it, and only once. */
static void test_a_past_follows(void **state)
{
    const struct directory_entry first = create_room("boids", 50, NULL);
    struct player ada = join_at(0, first.code, "Ada");

    (void)state;
    (void)welcomed(&ada);
    await_ticks(&first, 1);
    release(first.code);
    struct recording *past = kept_past;
    kept_past = NULL;
    const uint64_t rounds = recording_end(past);
    const struct directory_entry second = adopt(true);
    (void)welcomed(&ada);
    await_ticks(&second, 0);
    const struct hub_arrival arrival = ask_past(second.code);
    assert_non_null(arrival.budget);
    assert_true(arrival.boids_max >= 50);
    for (int i = 0; i < 2; i++) {
        struct earlier_past *earlier = earlier_past_create(past, arrival.budget);
        assert_non_null(earlier);
        assert_int_equal(give_past(second.code, earlier), i == 0);
        assert_false(hub_give_past(hub, "NOSUCH", earlier, on_past_taken, NULL));
        earlier_past_destroy(earlier);
    }
    assert_false(hub_ask_past(hub, "NOSUCH", on_past_asked, NULL));
    history_budget_release(arrival.budget);
    recording_destroy(past);
    link_leave(ada.link, END_NONE);
    release(second.code);
    assert_int_equal(kept_past->parts[0].round, 0);
    assert_true(recording_end(kept_past) > rounds);
    (void)adopt(false);
}

/* Nothing needs to be read for a room that keeps no past. */
static void test_a_room_without_a_past(void **state)
{
    const struct directory_entry room = create_room("boids", 50, NULL);

    (void)state;
    assert_null(ask_past(room.code).budget);
}

/* ---- turns ---- */

static atomic_uint wakes[2]; /* by shard */
static sem_t begun, may_end;
static unsigned then[2], later[2];

static void count_wake(void *argument, uint32_t shard)
{
    atomic_fetch_add(&wakes[shard], 1);
    wake(argument, shard);
}

static void note_wakes(unsigned counts[2])
{
    for (int shard = 0; shard < 2; shard++) {
        counts[shard] = atomic_load(&wakes[shard]);
    }
}

static int make_counting(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    sem_init(&begun, 0, 0);
    sem_init(&may_end, 0, 0);
    definition.shards = 2;
    definition.wake = count_wake;
    return start(&definition);
}

static void forget_released(const struct store_room *room, struct film *film,
                            struct recording *past)
{
    free(room->state);
    film_release(film);
    recording_destroy(past);
}

/* Holds a room's turn until the lobby's next tick is due. */
static void hold_turn(void *argument, const struct store_room *room, struct film *film,
                      struct recording *past)
{
    (void)argument;
    sem_post(&begun);
    sem_wait(&may_end);
    forget_released(room, film, past);
    note_wakes(then);
}

static void count_wakes(void *argument, const struct store_room *room, struct film *film,
                        struct recording *past)
{
    (void)argument;
    note_wakes(later);
    forget_released(room, film, past);
    sem_post(&begun);
}

/* The runner wakes the shard for the lobby's snapshot before a stranger's room gets its turn. Both
 * shards hear of rooms that leave, but only the first has a client in the lobby. */
static void test_the_lobby_does_not_wait_for_a_strangers_turn(void **state)
{
    const struct proto_client_message change = {.type = PROTO_PARAM,
                                                .param = {.name = "max_speed", .value = 5}};
    char key[PROTO_KEY_MAX + 1];
    const struct directory_entry first = create_room("boids", 12, key);
    const struct directory_entry second = create_room("boids", 12, NULL);
    const struct player ada = join("Ada");
    const struct timespec ticks = {.tv_nsec = 5 * (1000000000 / RATE)};

    (void)state;
    welcomed(&ada);
    assert_int_equal(ask(first.number, key, &change, false), PROTO_OK); /* so it stays */
    view_release(next_shown(0));
    assert_true(hub_release_bare_room(hub, first.code, hold_turn, NULL));
    sem_wait(&begun);
    assert_true(hub_release_room(hub, second.code, count_wakes, NULL));
    nanosleep(&ticks, NULL);
    sem_post(&may_end);
    sem_wait(&begun);
    assert_true(later[0] - then[0] > later[1] - then[1]);
    link_leave(ada.link, END_NONE);
}

static void test_a_room_that_is_not_here(void **state)
{
    (void)state;
    assert_false(hub_release_room(hub, "NOSUCH", take_released, NULL));
    assert_false(hub_hold_film(hub, "NOSUCH", take_released, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_adopt_while_running, make_both, finish),
        cmocka_unit_test_setup_teardown(test_members_continue, make_two_runners, finish),
        cmocka_unit_test_setup_teardown(test_the_lobby_does_not_wait_for_a_strangers_turn,
                                        make_counting, finish),
        cmocka_unit_test_setup_teardown(test_subscriptions_continue, make_both, finish),
        cmocka_unit_test_setup_teardown(test_messages_of_a_move_are_answered, make_both, finish),
        cmocka_unit_test_setup_teardown(test_leaving_without_a_room, make_both, finish),
        cmocka_unit_test_setup_teardown(test_a_dropped_room, make_both, finish),
        cmocka_unit_test_setup_teardown(test_boids_of_rooms_of_another_node, make_narrow, finish),
        cmocka_unit_test_setup_teardown(test_the_lobby_gets_its_boids, make_narrow, finish),
        cmocka_unit_test_setup_teardown(test_standing_still, make_both, finish),
        cmocka_unit_test_setup_teardown(test_a_new_room_moves, make_with_pasts, finish),
        cmocka_unit_test_setup_teardown(test_a_room_with_a_past_stays, make_with_pasts, finish),
        cmocka_unit_test_setup_teardown(test_a_room_with_an_undo_stays, make_both, finish),
        cmocka_unit_test_setup_teardown(test_a_replay_stays, make_both, finish),
        cmocka_unit_test_setup_teardown(test_undo_goes_along, make_both, finish),
        cmocka_unit_test_setup_teardown(test_a_film_for_another_room, make_both, finish),
        cmocka_unit_test_setup_teardown(test_a_past_follows, make_with_pasts, finish),
        cmocka_unit_test_setup_teardown(test_a_room_without_a_past, make_both, finish),
        cmocka_unit_test_setup_teardown(test_a_room_that_is_not_here, make_both, finish),
    };
    return cmocka_run_group_tests_name("rooms that move", tests, NULL, NULL);
}
