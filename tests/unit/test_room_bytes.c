/* A room counts the memory that it takes at its real size, for the limits of the room, of its
 * creator and of all rooms. */
#include "room/room_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "past/history_budget.h"
#include "room/state.h"
#include "scene/saved.h"
#include "test_workspace.h"

#define NOW    UINT64_C(7) /* µs */
#define PERIOD UINT64_C(33333)

static bool join(struct room *room)
{
    const struct proto_hello hello = {.version = 1, .encoding_count = 1, .encodings = {"plain"}};
    struct room_end refused = {0};
    const room_member member = room_join(room, &hello, 0, NOW, &refused);

    frame_release(refused.frame);
    if (member != 0) {
        room_welcome(room, member, NOW);
    }
    return member != 0;
}

/* A room is counted at its real size: 32 bytes a boid, its people's slots, the flocks that undo
 * restores. A new room beyond its limit is refused; a restored one keeps what it has. */
static void test_the_memory_of_a_room(void **state)
{
    const struct proto_client_message reset = {.type = PROTO_RESET};
    const struct proto_client_message undo = {.type = PROTO_UNDO};
    struct history_budget *all = history_budget_create(64u << 20);
    struct history_budget *creator = history_budget_below(all, 0, false);
    struct history_budget *budget = history_budget_below(creator, 1u << 20, false);
    struct room_definition definition = room_definition_default();
    struct room_origin origin = {.continues = true};
    struct proto_error error = {0};

    (void)state;
    definition.flock.boids = 30000;
    definition.history_budget = budget;
    struct room *room = room_create(&definition, &room_sink_none, NULL, &error);
    assert_non_null(room);
    assert_in_range(room_bytes(room), 32 * 30000, 32 * 30000 + 65536);
    assert_true(room_direct(room, &reset, 0, &error));
    assert_in_range(room_bytes(room), 2 * 32 * 30000, 2 * 32 * 30000 + 65536);
    assert_false(room_count_memory(room));
    assert_int_equal(atomic_load(&all->beside), room_bytes(room));
    assert_false(room_direct(room, &reset, 0, &error)); /* another flock for undo */
    assert_non_null(strstr(error.message, "more than its limit (--room-memory)"));
    assert_true(room_direct(room, &undo, 0, &error));
    assert_true(room_direct(room, &reset, 0, &error));
    uint8_t *bytes = room_save(room, 0, &origin.size);
    saved_seal(bytes, origin.size);
    room_destroy(room);
    assert_int_equal(atomic_load(&all->beside), 0);
    definition.flock.boids = 33000;
    assert_null(room_create(&definition, &room_sink_none, NULL, &error));
    assert_non_null(strstr(error.message, "more than its limit (--room-memory)"));
    history_budget_release(budget);
    definition.history_budget = budget = history_budget_below(creator, 1u << 19, false);
    origin.state = bytes;
    room = room_create(&definition, &room_sink_none, &origin, &error);
    assert_non_null(room);
    assert_false(history_budget_take(budget, 1));
    room_destroy(room);
    free(bytes);
    history_budget_release(budget);
    history_budget_release(creator);
    history_budget_release(all);
}

/* Ticks count the memory of a room again and again: people take memory, too. */
static void test_the_memory_of_a_ticking_room(void **state)
{
    struct history_budget *all = history_budget_create(64u << 20);
    struct room_definition definition = room_definition_default();

    (void)state;
    definition.history_budget = all;
    struct room *room = room_create(&definition, &room_sink_none, NULL, NULL);
    while (room_bytes(room) == atomic_load(&all->beside)) {
        assert_true(join(room));
    }
    for (uint32_t i = 0; i < 64; i++) {
        assert_true(room_tick(room, workspace, NOW + i * PERIOD));
    }
    assert_int_equal(atomic_load(&all->beside), room_bytes(room));
    room_vacate(room, NOW + 64 * PERIOD);
    room_destroy(room);
    history_budget_release(all);
}

/* A shard with members has a copy of the newest view. */
static void test_copies_of_views_are_counted(void **state)
{
    enum { MANY = 30000 };
    struct room_definition definition = room_definition_default();
    struct proto_error error = {0};

    (void)state;
    definition.flock.boids = MANY;
    struct room *room = room_create(&definition, &room_sink_none, NULL, &error);
    assert_true(join(room));
    assert_true(room_tick(room, workspace, NOW));
    view_release(room_snapshot(room, workspace, NOW));
    const uint64_t alone = room_bytes(room);
    room_set_copies(room, 1);
    const uint64_t one = room_bytes(room);
    assert_true(one - alone >= MANY * PROTO_BOID_SIZE);
    room_set_copies(room, 3);
    assert_int_equal(room_bytes(room) - alone, 3 * (one - alone));
    room_destroy(room);
}

/* Saved marks of changes, and the messages that a room holds for its members. */
static void test_marks_and_messages_are_counted(void **state)
{
    struct room_definition definition = room_definition_default();
    struct proto_client_message title = {.type = PROTO_TITLE, .title.title = "Bees"};
    const struct mark mark = {.round = 1};
    struct proto_error error = {0};

    (void)state;
    struct room *room = room_create(&definition, &room_sink_none, NULL, &error);
    assert_true(join(room));
    const uint64_t bare = room_bytes(room);
    assert_true(marks_add(&room->marks, &mark));
    const uint64_t marked = room_bytes(room);
    assert_true(marked >= bare + sizeof mark);
    assert_true(room_direct(room, &title, NOW, &error));
    assert_true(room_tick(room, workspace, NOW));
    view_release(room_snapshot(room, workspace, NOW));
    assert_true(room->frames[VIEW_ROOM]->size > 1000);
    assert_true(room_bytes(room) >= marked + room->frames[VIEW_ROOM]->size);
    room_destroy(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_memory_of_a_room),
        cmocka_unit_test(test_the_memory_of_a_ticking_room),
        cmocka_unit_test(test_copies_of_views_are_counted),
        cmocka_unit_test(test_marks_and_messages_are_counted),
    };
    return cmocka_run_group_tests_name("the memory of a room", tests, make_workspace,
                                       end_workspace);
}
