/* The server disconnects clients that read nothing, and keeps clients that read little, in
 * simulated time. */
#include "line_world.h"

/* A client that reads nothing counts as stalled; a client that reads little does not. */
static void test_stall(void **state)
{
    struct world *world = join(2000000, 30 * MS, 3000, true);
    struct line *line = &world->outlet.line;

    (void)state;
    run(world, 15 * S);
    assert_false(line_waits(line, outlet_ms(world->now)));
    world->deaf_at = world->now;
    world->deaf_until = UINT64_MAX;
    run(world, 8 * S);
    assert_true(line_waits(line, outlet_ms(world->now)));
    assert_false(line_stalled(line, 5000, 30000, outlet_ms(world->now)));
    run(world, 20 * S);
    assert_false(line_stalled(line, 4000, 30000,
                              outlet_ms(world->now))); /* its kernel accepted some bytes */
    run(world, 29 * S);
    assert_false(line_stalled(line, 4000, 30000, outlet_ms(world->now)));
    run(world, 2 * S);
    assert_true(line_stalled(line, 4000, 30000, outlet_ms(world->now)));
    leave(world);
}

/* Checks once a second, like the server. The kernel has no unsent bytes, so only pongs show what
 * the client reads. */
static bool is_given_up(struct world *world)
{
    uint32_t now = outlet_ms(world->now);
    struct line *line = &world->outlet.line;

    return line_waits(line, now) && line_stalled(line, 0, 30000, now);
}

/* Asserts that the client does not count as stalled for three minutes. Its own kernel has accepted
 * all bytes, so only its pongs show what it reads. */
static void assert_kept(struct world *world)
{
    begin_counting(world);
    for (int second = 0; second < 180; second++) {
        assert_false(is_given_up(world));
        run(world, 1 * S);
    }
    assert_true(world->frames > 20);
    leave(world);
}

/* A client that reads slowly but steadily stays, from the start or later. */
static void test_steady_reader(void **state)
{
    static const uint64_t rates[] = {1024, 2048, 4096};
    static const uint32_t flocks[] = {300, 3000, 10000};

    (void)state;
    for (size_t i = 0; i < 18; i++) {
        uint64_t rate = rates[i % 3];
        uint32_t flock = flocks[i / 3 % 3];
        struct world *world = join(rate, 30 * MS, flock, i >= 9);
        assert_kept(world);
        if (flock == 300) { /* with a larger flock, half an hour of snapshots could be on the way */
            world = join(2000000, 30 * MS, flock, i >= 9);
            run(world, 15 * S + 10 * MS);
            world->rate = rate;
            assert_kept(world);
        }
    }
}

/* The pauses of a client that sometimes reads do not add up. */
static void test_now_and_then(void **state)
{
    for (int packed = 0; packed < 2; packed++) {
        struct world *world = join(2000000, 30 * MS, 3000, packed);
        (void)state;
        run(world, 15 * S);
        for (int turn = 0; turn < 4; turn++) {
            begin_counting(world);
            world->deaf_at = world->now;
            world->deaf_until = world->now + 25 * S;
            for (int second = 0; second < 26; second++) {
                run(world, 1 * S);
                assert_false(is_given_up(world));
            }
            assert_true(world->frames > 0);
        }
        leave(world);
    }
}

/* A client that reads nothing is disconnected exactly after --stall-timeout. */
static void test_long_timeout(void **state)
{
    struct line line;

    (void)state;
    line_init(&line, 0, 1000);
    line_pinged(&line, 1000);
    for (uint32_t now = 2000; now < 121000; now += 1000) {
        assert_true(line_waits(&line, now) || now < 3000);
        assert_false(line_stalled(&line, 6, 120000, now));
    }
    assert_true(line_stalled(&line, 6, 120000, 121000));
}

/* Bytes that the client's kernel acknowledges count as read, for any age of the ping. */
static void test_slow_kernel(void **state)
{
    struct line line;

    (void)state;
    line_init(&line, 0, 1000);
    line_sent(&line, 4000000, 1000);
    line_pinged(&line, 1000);
    for (uint32_t now = 2000; now < 600000; now += 1000) {
        assert_false(line_stalled(&line, 4000000 - now, 30000, now));
    }
    assert_false(line_stalled(&line, 3400000, 30000, 600000));
    assert_false(line_stalled(&line, 3400000, 30000, 629999));
    assert_true(line_stalled(&line, 3400000, 30000, 630000));
}

/* A server that was stopped does not disconnect its clients for that. */
static void test_standstill(void **state)
{
    struct world *world = join(2000000, 30 * MS, 3000, true);
    struct line *line = &world->outlet.line;

    (void)state;
    run(world, 20 * S);
    begin_counting(world);
    for (int turn = 0; turn < 5; turn++) {
        run(world, 1 * S + 17 * MS); /* with and without a ping on the way */
        world->now += 38 * S;
        world->count_from = world->now; /* snapshots on the way are that old */
        line_skip(line, 38000);
        assert_false(line_stalled(line, 6, 10000, outlet_ms(world->now)));
    }
    run(world, 1 * S);
    world->age_max = 0;
    world->frames = 0;
    run(world, 5 * S);
    assert_int_equal(world->raised, 0);
    assert_int_equal(world->frames, 5 * RATE);
    leave(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stall),        cmocka_unit_test(test_steady_reader),
        cmocka_unit_test(test_now_and_then), cmocka_unit_test(test_long_timeout),
        cmocka_unit_test(test_slow_kernel),  cmocka_unit_test(test_standstill),
    };

    return cmocka_run_group_tests_name("outlet_stall", tests, NULL, NULL);
}
