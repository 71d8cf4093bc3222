/* A busy server, in simulated time: it reads late what its clients answer. Its own delay is not
 * charged to their lines, and slow lines are still found. */
#include "line_world.h"

/* A client's way, and what a turn of the server takes. A packed stream needs turns of less than
 * VIEW_DELTAS snapshots: a longer delay of the server lowers the rate. */
struct delay {
    uint64_t way, turn; /* µs */
    bool packed;
};

static const struct delay delays[] = {
    {1 * MS, 40 * MS, false},   {1 * MS, 150 * MS, false},   {1 * MS, 300 * MS, false},
    {1 * MS, 1 * S, false},     {1 * MS, 40 * MS, true},     {1 * MS, 150 * MS, true},
    {60 * MS, 40 * MS, false},  {60 * MS, 150 * MS, false},  {60 * MS, 300 * MS, false},
    {60 * MS, 1 * S, false},    {60 * MS, 40 * MS, true},    {60 * MS, 150 * MS, true},
    {300 * MS, 40 * MS, false}, {300 * MS, 150 * MS, false}, {300 * MS, 300 * MS, false},
    {300 * MS, 1 * S, false},   {300 * MS, 40 * MS, true},   {300 * MS, 150 * MS, true},
};

#define DELAYS (sizeof delays / sizeof delays[0])

/* Makes the server busy or idle. */
static void set_turn(struct world *world, uint64_t turn)
{
    world->turn = turn;
    world->turn_at = world->now;
}

/* Returns a new client of a busy server. */
static struct world *join_late(const struct delay *delay, uint64_t rate, uint32_t flock)
{
    struct world *world = join(rate, delay->way, flock, delay->packed);

    set_turn(world, delay->turn);
    return world;
}

/* A client on a good line that joined a busy server is never eased. It gets a snapshot with each
 * turn of the server. */
static void test_good_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < DELAYS; i++) {
        struct world *world = join_late(&delays[i], 2000000, 600);
        uint64_t turn_count = 60 * S / delays[i].turn;
        begin_counting(world);
        run(world, 20 * S);
        assert_int_equal(world->raised, 0);
        begin_counting(world);
        run(world, 60 * S);
        assert_int_equal(world->raised, 0);
        assert_true(world->frames >= turn_count - 1);
        assert_true(world->age_max <= delays[i].turn + delays[i].way / 2 + S / RATE);
        leave(world);
    }
}

/* The server becomes busy and is idle again, several times. No client on a good line is eased. */
static void test_busy_times(void **state)
{
    (void)state;
    for (size_t i = 0; i < DELAYS; i++) {
        struct world *world = join(2000000, delays[i].way, 600, delays[i].packed);
        begin_counting(world);
        for (int time = 0; time < 6; time++) {
            run(world, (uint64_t)(1 + time) * S);
            set_turn(world, delays[i].turn);
            run(world, 9 * S);
            set_turn(world, 0);
        }
        run(world, 4 * S);
        assert_int_equal(world->raised, 0);
        leave(world);
    }
}

/* A line that is too slow is found although the server is late, too. The client sees the current
 * flock, except for the server's own delay. */
static void test_slow_lines(void **state)
{
    static const uint64_t rates[] = {4096, 8192};

    (void)state;
    for (size_t i = 0; i < 2 * DELAYS; i++) {
        const struct delay *delay = &delays[i / 2];
        struct world *world = join_late(delay, rates[i % 2], 3000);
        run(world, 20 * S);
        /* With one snapshot a second, the line can carry most of what the server sends. */
        assert_true(world->ease > 0 || delay->turn == 1 * S);
        begin_counting(world);
        run(world, 60 * S);
        assert_true(world->age_max <= 1 * S + 4 * delay->turn);
        assert_true(world->frames >= 20);
        leave(world);
    }
}

/* A line becomes slow while the server is late. */
static void test_line_that_becomes_slow(void **state)
{
    (void)state;
    for (size_t i = 0; i < DELAYS; i++) {
        struct world *world = join_late(&delays[i], 2000000, 3000);
        run(world, 15 * S);
        assert_int_equal(world->ease, 0);
        world->rate = 8192;
        run(world, 60 * S);
        assert_true(world->ease > 0);
        leave(world);
    }
}

/* An overloaded server pings clients on good lines less often, asks the kernel less often for their
 * unsent bytes, and still finds a line that becomes slow. */
static void test_spared(void **state)
{
    struct world *world = join(2000000, 1 * MS, 600, false);

    (void)state;
    run(world, 4 * S);
    begin_counting(world);
    run(world, 8 * S);
    assert_in_range(world->pings, 6, 12);
    const uint32_t asked = world->asked;
    world->outlet.line.spared = true;
    run(world, 1 * S);
    begin_counting(world);
    run(world, 8 * S);
    assert_in_range(world->asked, 1, asked / 3);
    run(world, 52 * S);
    assert_in_range(world->pings, 3, 6);
    assert_int_equal(world->raised, 0);
    world->rate = 8192;
    run(world, 60 * S);
    assert_true(world->ease > 0);
    leave(world);
}

/* A new client is pinged as usual until its line is known. */
static void test_spared_too_early(void **state)
{
    struct world *world = join(2048, 1 * MS, 600, false);

    (void)state;
    world->outlet.line.spared = true;
    run(world, 10 * S);
    assert_true(world->ease > 0);
    leave(world);
}

/* Reads nothing from the client for that time, and then all that has come. */
static void read_late(struct world *world, uint64_t time)
{
    world->unread_at = world->now;
    run(world, time);
    take_pong(world, world->now - world->unread_at);
    world->unread_at = 0;
}

/* A shard that reads late from a client, because others send much, still sends all snapshots. */
static void test_unread_pongs(void **state)
{
    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        struct world *world = join(2000000, 1 * MS, 3000, packed == 1);
        run(world, 2 * S);
        for (int i = 0; i < 4; i++) {
            begin_counting(world);
            read_late(world, 10 * S);
            run(world, 1 * S);
            assert_true(world->frames >= 11 * RATE - 1);
            assert_true(world->age_max <= 2 * S / RATE);
            assert_int_equal(world->raised, 0);
        }
        leave(world);
    }
}

/* No more than a window waits on a slow line in that time. */
static void test_unread_pongs_of_a_slow_line(void **state)
{
    struct world *world = join(16384, 1 * MS, 3000, false);

    (void)state;
    run(world, 20 * S);
    begin_counting(world);
    for (int i = 0; i < 4; i++) {
        read_late(world, 10 * S);
        run(world, 1 * S);
    }
    assert_true(world->frames >= 20);
    assert_true(world->age_max <= 2 * S);
    leave(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_lines),   cmocka_unit_test(test_busy_times),
        cmocka_unit_test(test_slow_lines),   cmocka_unit_test(test_line_that_becomes_slow),
        cmocka_unit_test(test_spared),       cmocka_unit_test(test_spared_too_early),
        cmocka_unit_test(test_unread_pongs), cmocka_unit_test(test_unread_pongs_of_a_slow_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
