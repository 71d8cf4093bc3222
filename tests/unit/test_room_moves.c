/* Cursor moves: how many a tick applies, whose come first, and how long they leave the past. */
#include "people_room.h"

#include "past/history.h"
#include "past/recording.h"
#include "room/room_state.h"
#include "room/workspace.h"
#include "scene/inputs.h"

enum { RATE = 30, CROWD = 800, A_TICK = MOVES_SECOND / RATE };

static struct room_workspace *workspace;
static uint32_t slots[CROWD];
static uint64_t clock_now;

static int begin(void **state)
{
    const struct room_sink sink = {.tell = ignore_frame, .close = note_closed};
    struct room_definition definition = define_room();

    (void)state;
    definition.people_max = CROWD;
    definition.rewind = 600 * SECOND;
    address_now = 0;
    clock_now = SECOND;
    workspace = room_workspace_create(1);
    the_room = room_create(&definition, &sink, NULL, NULL);
    return workspace != NULL && the_room != NULL ? 0 : -1;
}

static int finish(void **state)
{
    room_workspace_destroy(workspace);
    return destroy(state);
}

static void tick(void)
{
    clock_now += SECOND / RATE;
    assert_true(room_tick(the_room, workspace, clock_now));
}

static void join_all(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        slots[i] = join("", clock_now);
    }
    tick();
}

static void send_move(uint32_t slot, float x, float y)
{
    room_receive(the_room, people.slots[slot].member,
                 &(struct proto_client_message){.type = PROTO_CURSOR, .cursor = {x, y}}, clock_now);
}

static void send_type(uint32_t slot, enum proto_type type)
{
    room_receive(the_room, people.slots[slot].member, &(struct proto_client_message){.type = type},
                 clock_now);
}

static bool is_at(uint32_t slot, float x)
{
    return people.slots[slot].cursor.present && people.slots[slot].cursor.x == x;
}

static uint32_t count_at(uint32_t count, float x)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++) {
        found += is_at(slots[i], x);
    }
    return found;
}

static struct recording *hold_past(void)
{
    struct recording *past = room_hold_past(the_room);

    assert_non_null(past);
    return past;
}

/* 800 people move as often as they may, by differences that take as many bytes as possible. */
static void many_cursors_leave_ten_minutes_of_past(void **state)
{
    uint32_t random = 1;
    struct recording *past;

    (void)state;
    join_all(CROWD);
    for (uint32_t round = 0; round < 600 * RATE; round++) {
        for (uint32_t i = 0; i < 2 * A_TICK; i++) {
            random = random * 1664525 + 1013904223;
            const float far = 1.0F + (float)(random >> 8) / 4096.0F;
            const uint32_t slot = slots[(random >> 8) % CROWD];
            const bool back = is_at(slot, 0.0F) || people.slots[slot].cursor.x < 1e-6F;
            send_move(slot, back ? far : 1e-30F / far, back ? 1e-30F / far : far);
        }
        tick();
    }
    past = hold_past();
    assert_true(recording_end(past) - past->parts[0].round >= 599 * RATE);
    assert_true(history_bytes(the_room->history) <= HISTORY_BYTES_MAX);
    recording_destroy(past);
}

static void a_class_moves_with_each_tick(void **state)
{
    (void)state;
    join_all(30);
    for (uint32_t round = 1; round <= 100; round++) {
        for (uint32_t i = 0; i < 60; i++) {
            send_move(slots[i % 30], (float)(i + round), 5.0F);
        }
        tick();
        for (uint32_t i = 0; i < 30; i++) {
            assert_true(is_at(slots[i], (float)(i + 30 + round)));
        }
    }
}

static void a_crowd_takes_turns(void **state)
{
    (void)state;
    join_all(CROWD);
    for (uint32_t i = 0; i < CROWD; i++) {
        send_move(slots[i], 7.0F, 5.0F);
    }
    for (uint32_t i = 1; i <= CROWD / A_TICK; i++) {
        tick();
        assert_int_equal(count_at(CROWD, 7.0F), i * A_TICK);
        send_move(slots[0], 7.0F + (float)i, 5.0F); /* moving again costs no one else a turn */
        send_move(slots[0], 7.0F, 5.0F);
    }
}

/* The people whose cursors are visible need not wait for the others, nor a presenter for them. */
static void presenters_and_shown_people_come_first(void **state)
{
    uint32_t presenter;

    (void)state;
    join_all(CROWD);
    presenter = slots[CROWD - 1];
    members_set_role(the_room, presenter, PROTO_PRESENTER);
    people_spotlight(&people, slots[CROWD - 2]);
    for (uint32_t round = 0; round < 60; round++) {
        const float x = 100.0F + (float)round;
        for (uint32_t i = 0; i < CROWD; i++) {
            send_move(slots[i], x, 5.0F);
        }
        tick();
        assert_true(is_at(presenter, x));
        assert_true(is_at(slots[CROWD - 2], x));
    }
    for (uint32_t i = 0; i < CROWD; i++) {
        if (people.slots[slots[i]].shown) { /* 128 people in turns of 60 */
            assert_true(people.slots[slots[i]].cursor.x >= 100.0F + 57);
        } else {
            assert_true(people.slots[slots[i]].cursor.present);
        }
    }
}

static void a_cursor_that_has_gone_does_not_move(void **state)
{
    (void)state;
    join_all(4);
    send_move(slots[0], 7.0F, 5.0F);
    send_type(slots[0], PROTO_AWAY);
    send_move(slots[1], 7.0F, 5.0F);
    leave(slots[1], true, clock_now);
    send_move(slots[2], 7.0F, 5.0F);
    send_type(slots[2], PROTO_AWAY);
    send_move(slots[2], 8.0F, 5.0F);
    send_move(slots[3], 7.0F, 5.0F);
    the_room->present->controls.viewers = VIEWERS_WATCH;
    tick();
    assert_false(people.slots[slots[0]].cursor.present);
    assert_false(people.slots[slots[2]].cursor.present);
    assert_false(people.slots[slots[3]].cursor.present);
    the_room->present->controls.viewers = VIEWERS_STEER;
    send_move(slots[2], 8.0F, 5.0F);
    tick();
    assert_true(is_at(slots[2], 8.0F));
    assert_int_equal(count_at(4, 7.0F), 0);
}

/* Returns the cursors in the part that begins the past, and stores its ticks. */
static uint32_t count_cursors(uint32_t *ticks)
{
    struct recording *past = hold_past();
    const struct recording_part *part = &past->parts[0];
    struct input_reader reader = {.clock = input_clock_at(part->clock, RATE),
                                  .at = part->inputs,
                                  .end = part->inputs + part->input_size};
    struct input input;
    uint32_t cursors = 0;

    *ticks = 0;
    while (input_next(&reader, &input) == INPUT_READ) {
        cursors += input.type == INPUT_CURSOR || input.type == INPUT_MOVE;
        *ticks += input.type == INPUT_TICK;
    }
    recording_destroy(past);
    return cursors;
}

/* However many moves a client sends within a tick, and with other inputs between them. */
static void the_past_has_one_move_a_tick(void **state)
{
    uint32_t ticks;

    (void)state;
    join_all(1);
    for (uint32_t round = 0; round < 30; round++) {
        for (uint32_t i = 0; i < 8; i++) {
            send_move(slots[0], (float)(8 * round + i), 5.0F);
            (void)join("", clock_now);
        }
        tick();
    }
    assert_int_equal(count_cursors(&ticks), 30);
    assert_int_equal(ticks, 31);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    const struct CMUnitTest tests[] = {
        TEST(many_cursors_leave_ten_minutes_of_past),
        TEST(a_class_moves_with_each_tick),
        TEST(a_crowd_takes_turns),
        TEST(presenters_and_shown_people_come_first),
        TEST(a_cursor_that_has_gone_does_not_move),
        TEST(the_past_has_one_move_a_tick),
    };
#undef TEST
    return cmocka_run_group_tests_name("room_moves", tests, NULL, NULL);
}
