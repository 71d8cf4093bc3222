/* The age of the snapshots that a client reads, over connections of all kinds, in simulated time.
 */
#include "line_world.h"

static void assert_young(const struct world *world, uint64_t most)
{
    if (world->age_max > most) {
        print_error("a line of %llu B/s, %llu ms there and back, %u boids%s: %llu ms old\n",
                    (unsigned long long)world->rate, (unsigned long long)(world->way / MS),
                    world->flock, world->packed ? ", packed" : "",
                    (unsigned long long)(world->age_max / MS));
    }
    assert_true(world->age_max <= most);
}

/* Connections that are too slow for 3,000 boids: from the first snapshot on, no snapshot is old
 * when it is read. A large part of the bandwidth is used. */
static void test_slow_lines(void **state)
{
    static const uint64_t rates[] = {4096, 8192, 16384, 65536};
    static const uint64_t ways[] = {1 * MS, 60 * MS, 300 * MS};

    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        for (size_t j = 0; j < sizeof ways / sizeof ways[0]; j++) {
            for (int packed = 0; packed < 2; packed++) {
                struct world *world = join(rates[i], ways[j], 3000, packed);
                run(world, 10 * S);
                assert_young(world, 1 * S);
                assert_true(world->frames >= 20);
                begin_counting(world);
                run(world, 60 * S);
                assert_young(world, 1 * S);
                assert_true(world->frames >= 180); /* three a second */
                assert_true(world->bytes >= rates[i] * 60 / 6);
                leave(world);
            }
        }
    }
}

/* A client on a very slow line gets few snapshots, but no old ones. */
static void test_very_slow_line(void **state)
{
    struct world *world = join(2048, 60 * MS, 3000, false);

    (void)state;
    run(world, 10 * S);
    begin_counting(world);
    run(world, 60 * S);
    assert_young(world, 1 * S);
    assert_true(world->frames >= 60);
    leave(world);
}

/* Presenters change the room faster than a slow line carries the room's facts. The client still
 * sees the flock move, and gets the newest facts. */
static void test_a_room_that_changes_often(void **state)
{
    static const uint64_t ways[] = {1 * MS, 60 * MS, 300 * MS};

    (void)state;
    for (size_t i = 0; i < 2 * sizeof ways / sizeof ways[0]; i++) {
        struct world *world = join(8192, ways[i / 2], 100, i % 2 != 0);
        world->facts = 4000;
        world->change_time = 100 * MS;
        run(world, 10 * S);
        begin_counting(world);
        run(world, 60 * S);
        assert_young(world, 2 * S);
        assert_true(world->frames >= 60); /* one a second */
        world->change_time = 0;
        run(world, 4 * S);
        assert_int_equal(world->outlet.versions[VIEW_ROOM], world->view->versions[VIEW_ROOM]);
        leave(world);
    }
}

/* After the line asked for less, it does not ping again and again until the room grants that. A
 * room that takes long to tick grants it late. */
static void test_a_room_that_grants_late(void **state)
{
    struct world *world = join(32768, 2 * MS, 3000, false);

    (void)state;
    while (world->raised == 0) {
        run(world, 1 * MS);
    }
    world->rate = 100000000;
    world->grant_at = world->now + 800 * MS;
    begin_counting(world);
    run(world, 700 * MS);
    assert_int_equal(world->frames, 0);
    assert_true(world->pings <= 2);
    run(world, 101 * MS);
    while (world->outlet.line.offered == 0) {
        run(world, 1 * MS);
    }
    assert_int_equal(world->outlet.line.missed, 0); /* of the new stream */
    run(world, 2 * S);
    assert_true(world->frames >= RATE / 4);
    leave(world);
}

/* A client with a limit of bytes never gets more, even in bursts of a second, and sees the current
 * flock on any line. */
static void test_shares(void **state)
{
    static const uint32_t shares[] = {4000, 16000, 64000};
    static const uint64_t ways[] = {1 * MS, 60 * MS, 300 * MS};

    (void)state;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        for (size_t j = 0; j < sizeof ways / sizeof ways[0]; j++) {
            for (int packed = 0; packed < 2; packed++) {
                struct world *world = join(100000000, ways[j], 3000, packed);
                uint64_t before = 0;
                share_set(&world->outlet.line.share, shares[i], outlet_ms(world->now));
                run(world, 10 * S);
                assert_true(world->frames >= 10);
                begin_counting(world);
                run(world, 60 * S);
                assert_young(world, ways[j] / 2 + 300 * MS);
                assert_true(world->frames >= 180); /* three a second */
                assert_true(world->bytes <= (uint64_t)shares[i] * 63);
                assert_true(world->bytes >= (uint64_t)shares[i] * 60 / 6);
                assert_true(world->raised <= 2);
                before = world->counts.withheld;
                run(world, 10 * S);
                assert_true(world->counts.withheld - before <=
                            10); /* the room offers snapshots that fit */
                leave(world);
            }
        }
    }
}

/* A flock that is much too large for the share: the first snapshot comes at once, with few boids.
 */
static void test_share_of_a_big_flock(void **state)
{
    struct world *world = join(100000000, 20 * MS, 100000, true);

    (void)state;
    share_set(&world->outlet.line.share, 40000, outlet_ms(world->now));
    run(world, 5 * S);
    assert_true(world->frames >= 3);
    assert_true(world->bytes < 5 * 40000);
    /* Without the limit, the whole stream returns. */
    share_set(&world->outlet.line.share, 0, outlet_ms(world->now));
    run(world, 60 * S);
    begin_counting(world);
    run(world, 10 * S);
    assert_int_equal(world->frames, 10 * RATE);
    leave(world);
}

/* The deltas of a flock at rest are small, but its keyframes are not. A client for which a keyframe
 * is too large sees fewer boids, and the server does not repeatedly retry the whole flock.
 */
static void test_share_of_a_flock_at_rest(void **state)
{
    struct world *world = join(100000000, 20 * MS, 10000, true);

    (void)state;
    world->at_rest = true;
    share_set(&world->outlet.line.share, 10000, outlet_ms(world->now));
    run(world, 20 * S);
    begin_counting(world);
    run(world, 120 * S);
    assert_true(world->raised <= 4);
    assert_true(world->frames >= 300);
    leave(world);
}

/* A fast line gets all snapshots, for any flock and delay. */
static void test_full_speed(void **state)
{
    static const uint64_t ways[] = {0, 1 * MS, 60 * MS, 200 * MS};
    static const uint32_t flocks[] = {12, 3000, 100000};

    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        for (size_t j = 0; j < sizeof flocks / sizeof flocks[0]; j++) {
            for (int packed = 0; packed < 2; packed++) {
                struct world *world = join(100000000, ways[i], flocks[j], packed);
                run(world, 2 * S);
                begin_counting(world);
                run(world, 60 * S);
                assert_int_equal(world->frames, 60 * RATE);
                assert_young(world, ways[i] / 2 + 20 * MS);
                assert_int_equal(world->raised, 0);
                assert_int_equal(world->outlet.line.level, 0);
                assert_true(world->pings <= (flocks[j] < 1000 ? 25 : 62));
                leave(world);
            }
        }
    }
}

/* A client that asks for less gets exactly that, over a line or a share that suffices for it but
 * not for the whole stream. */
static void test_wanting_less(void **state)
{
    static const struct stream_want wants[] = {{.rate = 10, .boids = 300},
                                               {.rate = 5, .boids = 200}};

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        const struct stream_want *want = &wants[i % 2];
        bool shared = i / 2 % 2 == 0;
        struct world *world = join_wanting(want, shared ? 100000000 : 32000, 60 * MS, 3000, i >= 4);
        share_set(&world->outlet.line.share, shared ? 16000 : 0, outlet_ms(world->now));
        run(world, 2 * S);
        begin_counting(world);
        run(world, 60 * S);
        assert_int_equal(world->frames, 60 * want->rate);
        assert_int_equal(world->raised, 0);
        assert_int_equal(world->outlet.line.level, 0);
        assert_young(world, 300 * MS);
        leave(world);
    }
}

/* On a free line a new client sees the flock after one more round trip, and all of it from then on.
 */
static void test_beginning(void **state)
{
    struct world *world = join(100000000, 60 * MS, 3000, false);

    (void)state;
    run(world, 200 * MS);
    assert_true(world->frames >= 2);
    begin_counting(world);
    run(world, 1 * S);
    assert_true(world->frames >= RATE - 2);
    leave(world);
}

/* A client that stops reading for a moment does not count as slow. */
static void test_hiccup(void **state)
{
    struct world *world = join(2000000, 30 * MS, 3000, true);

    (void)state;
    run(world, 15 * S);
    begin_counting(world);
    world->deaf_at = world->now + 500 * MS;
    world->deaf_until = world->deaf_at + 2 * S;
    run(world, 5 * S);
    assert_int_equal(world->raised, 0);
    leave(world);
}

/* After a slow time, a client gets the whole stream again within some seconds. */
static void test_recovery(void **state)
{
    struct world *world = join(2000000, 30 * MS, 3000, false);

    (void)state;
    run(world, 15 * S);
    world->rate = 32768;
    run(world, 60 * S);
    assert_true(world->outlet.line.level > 0);
    begin_counting(world);
    run(world, 10 * S);
    assert_young(world, 1 * S);
    world->rate = 2000000;
    run(world, 80 * S); /* including the wait before a failed try is repeated */
    assert_int_equal(world->outlet.line.level, 0);
    begin_counting(world);
    run(world, 2 * S);
    assert_int_equal(world->frames, 2 * RATE);
    leave(world);
}

/* A line carried less than a third of the stream for minutes, so tries became rare. When it carries
 * one and a half times the stream, one try comes within a minute, succeeds, and the next ones
 * follow soon. When it carries three times the stream, the server sees that at once. */
static void test_recovery_after_failed_tries(void **state)
{
    static const struct {
        uint64_t rate, time;
    } good[] = {{545000, 70 * S}, {1090000, 10 * S}};

    (void)state;
    for (uint64_t i = 0; i < 24; i++) {
        struct world *world = join(109000, 2 * MS, 3000, false);
        run(world, (300 + 7 * (i / 2)) * S);
        assert_true(world->outlet.line.level > 1);
        world->rate = good[i % 2].rate;
        run(world, good[i % 2].time);
        assert_int_equal(world->outlet.line.level, 0);
        begin_counting(world);
        run(world, 60 * S);
        assert_int_equal(world->raised, 0);
        leave(world);
    }
}

/* A client reads nothing for some seconds. It gets a flock of 4 MB again if it reads such a
 * snapshot within 350 ms. If not, it sees some of the boids, and no old ones. */
static void test_recovery_of_a_large_flock(void **state)
{
    const struct stream_want want = {.rate = 2};

    (void)state;
    for (uint64_t seconds = 1; seconds <= 10; seconds++) {
        for (int quick = 0; quick < 2; quick++) {
            struct world *world =
                join_wanting(&want, quick ? 12000000 : 11000000, 2 * MS, 1000000, false);
            world->deaf_at = world->now + 1500 * MS;
            world->deaf_until = world->deaf_at + seconds * S;
            run(world, 1500 * MS + seconds * S);
            run(world, 15 * S);
            begin_counting(world);
            run(world, 120 * S);
            assert_young(world, 500 * MS);
            assert_true(world->frames >= 220);
            assert_true(quick ? world->outlet.line.level == 0 : world->raised > 0);
            assert_true(!quick || world->raised == 0);
            leave(world);
        }
    }
}

/* Packed, the same flock has keyframes of 3.5 MB and deltas of 1.5 MB. The client reads a keyframe
 * in half a second, and all deltas in time. So after a pause, too, it gets all boids, although the
 * larger stream begins with a keyframe. */
static void test_recovery_with_a_large_keyframe(void **state)
{
    const struct stream_want want = {.rate = 2};

    (void)state;
    for (uint64_t seconds = 1; seconds <= 10; seconds++) {
        struct world *world = join_wanting(&want, 6500000, 2 * MS, 1000000, true);
        run(world, 10 * S);
        assert_int_equal(world->outlet.line.level, 0);
        world->deaf_at = world->now;
        world->deaf_until = world->now + seconds * S;
        run(world, (seconds + 20) * S);
        begin_counting(world);
        run(world, 120 * S);
        assert_int_equal(world->raised, 0);
        assert_int_equal(world->outlet.line.level, 0);
        assert_young(world, 400 * MS);
        leave(world);
    }
}

/* A client that reads again after a pause does not get old snapshots. */
static void test_pause(void **state)
{
    struct world *world = join(2000000, 30 * MS, 3000, true);
    uint64_t sent;

    (void)state;
    run(world, 15 * S);
    world->deaf_at = world->now;
    world->deaf_until = world->now + 60 * S;
    run(world, 10 * S);
    sent = world->counts.sent;
    run(world, 45 * S);
    assert_int_equal(world->counts.sent, sent); /* no further snapshots are sent */
    run(world, 10 * S);
    begin_counting(world);
    run(world, 10 * S);
    assert_young(world, 1 * S);
    assert_int_equal(world->outlet.line.level, 0);
    leave(world);
}

/* Failed tries to send more become rarer. */
static void test_tries(void **state)
{
    struct world *world = join(16384, 30 * MS, 3000, false);

    (void)state;
    run(world, 120 * S);
    begin_counting(world);
    run(world, 300 * S);
    assert_in_range(world->raised, 1, 6);
    leave(world);
}

/* Pings are distinct, and pings of many clients are spread. */
static void test_pings(void **state)
{
    uint32_t at[100];
    struct line line;

    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        line_init(&line, i, UINT32_MAX - 500); /* the clock wraps during the test */
        assert_true(line_ping_due(&line, UINT32_MAX - 500));
        line_pinged(&line, UINT32_MAX - 500);
        line_pong(&line, 2, UINT32_MAX - 400, 0); /* not a ping of this line */
        assert_true(line.pinging);
        line_pong(&line, 1, UINT32_MAX - 400, 0);
        assert_false(line.pinging);
        at[i] = 0;
        while (!line_ping_due(&line, at[i])) {
            at[i]++;
        }
        assert_in_range(at[i], 400, 1000);
        for (uint32_t k = 0; k < i && k + 10 > i; k++) {
            assert_int_not_equal(at[i], at[k]);
        }
    }
}

/* 400 kbit/s, a round trip of 200 ms, and jitter. After some seconds the client has a stream that
 * fits, and all snapshots are young. About ten seconds after the connection becomes good, the whole
 * stream returns. Snapshots have 3 and 6 KB. */
static void test_long_jittery_line(void **state)
{
    static const uint32_t flocks[] = {1870, 4000};
    unsigned soon = 0;

    (void)state;
    for (uint32_t i = 0; i < 40; i++) {
        struct world *world = join(50000, 200 * MS, flocks[i % 2], true);
        world->jitter = 40 * MS;
        world->random = i;
        run(world, 8 * S);
        assert_true(world->outlet.line.level > 0);
        assert_young(world, 1 * S);
        begin_counting(world);
        run(world, 12 * S);
        assert_young(world, 800 * MS); /* including a try to send more */
        assert_true(world->raised <= 2);
        world->rate = 10000000;
        run(world, 10 * S);
        soon += world->outlet.line.level == 0;
        run(world, 4 * S);
        begin_counting(world);
        run(world, 20 * S);
        assert_true(world->frames >= 20 * RATE - 15);
        assert_int_equal(world->raised, 0);
        leave(world);
    }
    assert_true(soon >= 36);
}

/* ---- a new client ---- */

struct sweep {
    uint32_t flock;
    bool packed;
    uint64_t way;
    bool jitter;
    uint32_t percent; /* bandwidth as a share of the whole stream's bytes */
};

/* Returns the i-th case; false: there are no more cases. */
static bool next_sweep(struct sweep *sweep, uint32_t i, uint32_t from, uint32_t to, uint32_t step)
{
    static const uint32_t flocks[] = {1870, 4000};
    static const uint64_t ways[] = {1 * MS, 60 * MS, 200 * MS};

    *sweep = (struct sweep){.flock = flocks[i % 2],
                            .packed = i / 2 % 2 == 0,
                            .way = ways[i / 4 % 3],
                            .jitter = i / 12 % 2 == 0,
                            .percent = from + i / 24 * step};
    return sweep->percent <= to;
}

static struct world *join_sweep(const struct sweep *sweep, uint32_t seed)
{
    uint64_t frame = HEADER_SIZE + (sweep->packed ? 3 * sweep->flock / 2 : 4 * sweep->flock);
    struct world *world =
        join(frame * RATE * sweep->percent / 100, sweep->way, sweep->flock, sweep->packed);

    world->jitter = sweep->jitter ? sweep->way / 5 : 0;
    world->random = seed;
    return world;
}

static void explain(const struct sweep *sweep, const struct world *world)
{
    print_error("%u %% of %u boids%s, %llu ms%s: raised %u times, the last after %llu ms\n",
                sweep->percent, sweep->flock, sweep->packed ? ", packed" : "",
                (unsigned long long)(sweep->way / MS), sweep->jitter ? " and jitter" : "",
                world->raised, (unsigned long long)((world->raised_at - S) / MS));
}

/* Within five seconds the server detects a connection that is slower than the stream. After that it
 * sends no more than fits, and the client's view is never old. */
static void test_settling(void **state)
{
    struct sweep sweep;

    (void)state;
    for (uint32_t i = 0; next_sweep(&sweep, i, 20, 92, 4); i++) {
        struct world *world = join_sweep(&sweep, i);
        run(world, 5 * S - sweep.way); /* since its hello */
        uint32_t raised = world->raised;
        if (raised == 0) {
            explain(&sweep, world);
        }
        assert_true(raised > 0);
        run(world, 2 * S); /* before the next try to send more */
        if (world->raised != raised) {
            explain(&sweep, world);
        }
        assert_int_equal(world->raised, raised);
        assert_young(world, 1 * S);
        leave(world);
    }
}

/* A connection with 1.5 times the stream's bytes keeps its stream. */
static void test_good_lines(void **state)
{
    struct sweep sweep;

    (void)state;
    for (uint32_t i = 0; next_sweep(&sweep, i, 150, 450, 50); i++) {
        struct world *world = join_sweep(&sweep, i);
        run(world, 20 * S);
        if (world->raised > 0) {
            explain(&sweep, world);
        }
        assert_int_equal(world->raised, 0);
        leave(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_lines),
        cmocka_unit_test(test_very_slow_line),
        cmocka_unit_test(test_a_room_that_changes_often),
        cmocka_unit_test(test_a_room_that_grants_late),
        cmocka_unit_test(test_full_speed),
        cmocka_unit_test(test_wanting_less),
        cmocka_unit_test(test_beginning),
        cmocka_unit_test(test_hiccup),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_recovery_after_failed_tries),
        cmocka_unit_test(test_recovery_of_a_large_flock),
        cmocka_unit_test(test_recovery_with_a_large_keyframe),
        cmocka_unit_test(test_pause),
        cmocka_unit_test(test_tries),
        cmocka_unit_test(test_pings),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_share_of_a_big_flock),
        cmocka_unit_test(test_share_of_a_flock_at_rest),
        cmocka_unit_test(test_long_jittery_line),
        cmocka_unit_test(test_settling),
        cmocka_unit_test(test_good_lines),
    };

    return cmocka_run_group_tests_name("outlet_line", tests, NULL, NULL);
}
