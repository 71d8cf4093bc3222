/* How much of the snapshots a terminal asks for, on simulated lines and screens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../clients/term/pace.h"

#include <math.h>
#include <string.h>

#define MS     INT64_C(1000)
#define SECOND (1000 * MS)
#define STEP   (4 * MS)

enum { TICK_RATE = 60, SNAPSHOT_RATE = 30, FLIGHT_MAX = 1024, HEADER = 100, BOID = 2 };

/* A server, the line from it and the screen. The server skips a snapshot while more than `buffer`
 * bytes are on their way. */
struct world {
    struct term_pace pace;
    int64_t now;
    uint32_t flock;
    double line; /* bytes a second */
    double buffer;
    int64_t frame;  /* µs that the screen takes for one */
    int64_t way;    /* µs that the line is long */
    int64_t jitter; /* µs of delay at most, at random */
    bool paused;

    double divisor; /* of the snapshot rate, as granted */
    uint32_t every; /* one boid of so many */
    uint64_t turns, ticks, snapshots;
    double free_at; /* µs: when the line is done with all that was sent */
    struct flight {
        int64_t arrival;
        struct proto_snapshot snapshot;
    } flights[FLIGHT_MAX];
    unsigned sent, received;
    int64_t frame_at;
    uint32_t random;

    unsigned changes; /* asked for */
    uint64_t lost;
};

static void answer(struct world *world, struct proto_want want)
{
    static const int divisors[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
    int i = 0;
    while (want.rate > 0 && SNAPSHOT_RATE / (double)divisors[i] > want.rate) {
        i++;
    }
    world->divisor = divisors[i];
    world->every = 1;
    while (want.boids > 0 && world->flock / world->every > want.boids) {
        world->every *= 2;
    }
}

static void start(struct world *world, uint32_t rate, uint32_t flock)
{
    struct proto_welcome welcome = {.rate = SNAPSHOT_RATE};
    *world = (struct world){
        .flock = flock, .line = 1e12, .buffer = 3e4, .frame = 32 * MS, .way = 20 * MS};
    welcome.room.snapshot_rate = SNAPSHOT_RATE;
    welcome.room.tick_rate = TICK_RATE;
    term_pace_init(&world->pace, rate);
    answer(world, term_pace_want(&world->pace));
    welcome.rate = (float)(SNAPSHOT_RATE / world->divisor);
    term_pace_join(&world->pace, &welcome);
}

static int64_t shaken(struct world *world)
{
    world->random = world->random * 1664525 + 1013904223;
    return world->jitter > 0 ? (world->random >> 8) % world->jitter : 0;
}

static void send_snapshot(struct world *world)
{
    double waiting = fmax(world->free_at - (double)world->now, 0) * world->line / 1e6;
    uint32_t boids = world->flock / world->every;
    if (waiting > world->buffer) {
        world->lost++;
        return;
    }
    double begins = world->free_at > (double)world->now ? world->free_at : (double)world->now;
    world->free_at = begins + (HEADER + (double)boids * BOID) / world->line * 1e6;
    struct flight *flight = &world->flights[world->sent++ % FLIGHT_MAX];
    assert_true(world->sent - world->received < FLIGHT_MAX);
    flight->snapshot = (struct proto_snapshot){.tick = world->ticks,
                                               .time = (uint64_t)world->now,
                                               .flock = world->flock,
                                               .boid_count = boids};
    flight->arrival = (int64_t)world->free_at + world->way + shaken(world);
}

static void serve(struct world *world)
{
    while ((int64_t)world->turns * SECOND / TICK_RATE <= world->now) {
        world->turns++;
        world->ticks += world->paused ? 0 : 1;
        double due = (double)world->turns * SNAPSHOT_RATE / TICK_RATE / world->divisor;
        if ((uint64_t)due != world->snapshots) {
            world->snapshots = (uint64_t)due;
            send_snapshot(world);
        }
    }
}

static void run(struct world *world, int64_t time)
{
    for (int64_t end = world->now + time; world->now < end; world->now += STEP) {
        serve(world);
        while (world->received != world->sent &&
               world->flights[world->received % FLIGHT_MAX].arrival <= world->now) {
            const struct proto_snapshot *snapshot =
                &world->flights[world->received++ % FLIGHT_MAX].snapshot;
            term_pace_snapshot(&world->pace, snapshot, snapshot->boid_count, world->now);
        }
        if (world->now - world->frame_at >= world->frame) {
            term_pace_frame(&world->pace, world->now - world->frame_at);
            world->frame_at = world->now;
        }
        if (term_pace_decide(&world->pace, world->now)) {
            world->changes++;
            answer(world, term_pace_want(&world->pace));
            term_pace_answered(&world->pace, (float)(SNAPSHOT_RATE / world->divisor));
        }
    }
}

/* What is wanted now: all of it, or so much. */
static void assert_wants(const struct world *world, uint32_t rate, uint32_t boids)
{
    struct proto_want want = term_pace_want(&world->pace);
    assert_int_equal(want.rate, rate);
    assert_int_equal(want.boids, boids);
}

static struct world world;

static void a_good_line_gets_all(void **state)
{
    (void)state;
    static const uint32_t rates[] = {30, 0, 1, 7, 240};
    for (int i = 0; i < 5; i++) {
        start(&world, rates[i], 10000);
        world.jitter = 80 * MS;
        run(&world, 300 * SECOND);
        assert_int_equal(world.changes, 0);
        assert_wants(&world, rates[i], 0);
        assert_int_equal(world.pace.cause, TERM_PACE_ALL);
    }
}

static void a_hiccup_changes_nothing(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    run(&world, 10 * SECOND);
    world.buffer = -1; /* all is skipped */
    run(&world, 300 * MS);
    world.buffer = 3e4;
    run(&world, 60 * SECOND);
    assert_true(world.lost > 0);
    assert_int_equal(world.changes, 0);
}

/* All of 10,000 boids 30 times a second is 603 KB/s. */
static void on_a_slow_line_it_asks_for_fewer_snapshots(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    world.line = 400e3;
    run(&world, 10 * SECOND);
    assert_wants(&world, 15, 0);
    assert_int_equal(world.pace.cause, TERM_PACE_LINE);
    assert_int_equal(world.changes, 1);
    start(&world, 30, 10000);
    world.line = 200e3;
    run(&world, 10 * SECOND);
    assert_wants(&world, 8, 0);
}

/* Whoever is behind gets what it has missed in one go, until that is too much. */
static void snapshots_that_are_skipped_in_bursts_count(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    for (int i = 0; i < 20 && world.changes == 0; i++) {
        run(&world, 1100 * MS);
        world.buffer = -1;
        run(&world, 400 * MS);
        world.buffer = 3e4;
    }
    assert_wants(&world, 15, 0);
}

static void on_a_very_slow_line_it_asks_for_fewer_boids(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    world.line = 25e3;
    run(&world, 30 * SECOND);
    assert_wants(&world, 8, 2048);
    uint64_t lost = world.lost;
    run(&world, 4 * SECOND);
    assert_int_equal(world.lost, lost); /* that much gets through */
}

static void there_is_a_least_that_it_asks_for(void **state)
{
    (void)state;
    start(&world, 30, 100000);
    world.line = 5e3;
    run(&world, 240 * SECOND);
    assert_wants(&world, 8, 512);
    start(&world, 30, 12); /* so few boids make no difference */
    world.line = 500;
    run(&world, 60 * SECOND);
    assert_wants(&world, 8, 0);
    start(&world, 4, 100);
    world.line = 200;
    run(&world, 60 * SECOND);
    assert_wants(&world, 4, 0);
    assert_int_equal(world.changes, 0);
}

static void it_does_not_flap(void **state)
{
    (void)state;
    for (int line = 10; line <= 1000; line = line * 5 / 4 + 1) {
        start(&world, 30, 10000);
        world.line = line * 1e3;
        world.jitter = 30 * MS;
        run(&world, 600 * SECOND);
        uint64_t lost = world.lost;
        uint64_t sent = world.sent;
        world.changes = 0;
        run(&world, 1200 * SECOND);
        /* one try in two minutes to get more, and the way back */
        assert_in_range(world.changes, 0, 2 * 1200 / 120 + 2);
        lost = world.lost - lost;
        assert_true(5 * lost < world.sent - sent + lost);
    }
}

static void of_a_flock_that_shrank_fewer_are_asked_for_at_once(void **state)
{
    (void)state;
    start(&world, 30, 100000);
    world.line = 300e3;
    run(&world, 60 * SECOND);
    assert_true(term_pace_want(&world.pace).boids > 4096);
    world.flock = 1500;
    answer(&world, term_pace_want(&world.pace));
    run(&world, 10 * SECOND);
    world.line = 6e3;
    run(&world, 8 * SECOND);
    assert_in_range(term_pace_want(&world.pace).boids, 512, 1024);
}

/* Where the rate is at its least from the beginning, there are the boids alone. */
static void when_all_is_back_nothing_is_blamed(void **state)
{
    (void)state;
    start(&world, 7, 10000);
    world.line = 30e3;
    run(&world, 30 * SECOND);
    assert_true(term_pace_want(&world.pace).boids > 0);
    assert_int_equal(world.pace.cause, TERM_PACE_LINE);
    world.line = 1e9;
    run(&world, 180 * SECOND);
    assert_wants(&world, 7, 0);
    assert_int_equal(world.pace.cause, TERM_PACE_ALL);
}

static void when_the_line_is_fast_again_all_is_asked_for(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    world.line = 8e3;
    run(&world, 60 * SECOND);
    assert_true(term_pace_want(&world.pace).boids > 0);
    world.line = 1e9;
    run(&world, 180 * SECOND);
    assert_wants(&world, 30, 0);
    assert_int_equal(world.pace.cause, TERM_PACE_ALL);
}

static void a_queue_that_stands_on_the_line_counts(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    run(&world, 5 * SECOND);
    world.buffer = 1e12; /* nothing is ever skipped, but all comes late */
    world.line = 500e3;
    run(&world, 10 * SECOND);
    assert_int_equal(world.lost, 0);
    assert_int_equal(term_pace_want(&world.pace).rate, 15);
    assert_int_equal(world.pace.cause, TERM_PACE_LINE);
}

/* As when the route changes, or the server's machine has slept: less does not help against that. */
static void a_way_that_stays_longer_costs_nothing_for_long(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    run(&world, 10 * SECOND);
    world.way = 820 * MS;
    run(&world, 10 * SECOND);
    assert_true(term_pace_want(&world.pace).rate >= 15);
    run(&world, 30 * SECOND);
    assert_wants(&world, 30, 0);
    assert_int_equal(world.pace.cause, TERM_PACE_ALL);
    world.buffer = 1e12; /* a queue on top of it counts as before */
    world.line = 500e3;
    run(&world, 10 * SECOND);
    assert_int_equal(term_pace_want(&world.pace).rate, 15);
}

static void a_drifting_clock_does_not_count(void **state)
{
    (void)state;
    start(&world, 30, 100);
    for (int i = 0; i < 1200; i++) {
        run(&world, SECOND);
        /* later by half a millisecond a second */
        for (unsigned k = world.received; k != world.sent; k++) {
            world.flights[k % FLIGHT_MAX].arrival += i * MS / 2;
        }
        world.now += MS / 2;
    }
    assert_int_equal(world.changes, 0);
}

static void a_slow_screen_asks_for_what_it_can_show(void **state)
{
    static const struct {
        int64_t frame;
        uint32_t rate, boids;
    } screens[] = {{32, 30, 0}, {45, 30, 0}, {100, 15, 0}, {180, 8, 0}, {1000, 8, 512}};
    (void)state;
    for (size_t i = 0; i < sizeof screens / sizeof screens[0]; i++) {
        start(&world, 30, 10000);
        world.frame = screens[i].frame * MS;
        run(&world, 60 * SECOND);
        assert_wants(&world, screens[i].rate, screens[i].boids);
        unsigned changes = world.changes;
        run(&world, 600 * SECOND);
        if (screens[i].boids == 0) {
            assert_int_equal(world.changes, changes);
        }
        assert_int_equal(world.pace.cause, i < 2 ? TERM_PACE_ALL : TERM_PACE_SCREEN);
        world.frame = 32 * MS;
        run(&world, 600 * SECOND);
        assert_wants(&world, 30, 0);
    }
}

static void a_paused_flock_is_no_reason(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    run(&world, 5 * SECOND);
    world.paused = true;
    run(&world, 30 * SECOND);
    world.paused = false;
    run(&world, 30 * SECOND);
    world.ticks = 0; /* made anew */
    run(&world, 30 * SECOND);
    assert_int_equal(world.changes, 0);
}

static void a_process_that_slept_is_no_reason(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    for (int i = 0; i < 10; i++) {
        run(&world, 5 * SECOND);
        world.now += 20 * SECOND;
        world.turns += 20 * (uint64_t)TICK_RATE;
        world.ticks += 20 * (uint64_t)TICK_RATE;
        world.snapshots += 20 * (uint64_t)SNAPSHOT_RATE;
        world.frame_at = world.now;
        term_pace_awake(&world.pace);
    }
    assert_int_equal(world.changes, 0);
}

static void what_it_has_learnt_holds_for_the_next_connection(void **state)
{
    struct proto_welcome welcome = {.rate = 7.5F};
    (void)state;
    start(&world, 30, 10000);
    world.line = 25e3;
    run(&world, 30 * SECOND);
    welcome.room.snapshot_rate = SNAPSHOT_RATE;
    welcome.room.tick_rate = TICK_RATE;
    term_pace_join(&world.pace, &welcome);
    assert_wants(&world, 8, 2048);
    assert_true(world.pace.asked); /* the boids, which a hello does not mention */
}

static void nothing_is_decided_before_the_server_has_answered(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    world.pace.asked = true;
    world.line = 1000;
    run(&world, 60 * SECOND);
    assert_int_equal(world.changes, 0);
}

static void absurd_servers_do_no_harm(void **state)
{
    static const float rates[] = {0, -1, NAN, INFINITY, -INFINITY, 1e-30F, 1e30F};
    static const uint64_t ticks[] = {0, UINT64_MAX, 5, UINT64_MAX - 1, 1};
    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        struct proto_welcome welcome = {.rate = rates[i]};
        welcome.room.tick_rate = i % 2 == 0 ? UINT32_MAX : 0;
        welcome.room.snapshot_rate = i % 3 == 0 ? UINT32_MAX : 0;
        term_pace_init(&world.pace, 30);
        term_pace_join(&world.pace, &welcome);
        for (int64_t now = 0; now < 100 * SECOND; now += 100 * MS) {
            struct proto_snapshot snapshot = {.tick = ticks[now / MS % 5],
                                              .time = ticks[now / MS % 3],
                                              .flock = (uint32_t)ticks[now / MS % 5]};
            term_pace_snapshot(&world.pace, &snapshot, UINT32_MAX, now);
            term_pace_frame(&world.pace, now % 7);
            if (term_pace_decide(&world.pace, now)) {
                term_pace_answered(&world.pace, rates[i]);
            }
            struct proto_want want = term_pace_want(&world.pace);
            assert_true(want.rate <= PROTO_RATE_MAX);
            assert_true(want.boids <= PROTO_BOIDS_MAX);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_line_gets_all),
        cmocka_unit_test(a_hiccup_changes_nothing),
        cmocka_unit_test(on_a_slow_line_it_asks_for_fewer_snapshots),
        cmocka_unit_test(snapshots_that_are_skipped_in_bursts_count),
        cmocka_unit_test(on_a_very_slow_line_it_asks_for_fewer_boids),
        cmocka_unit_test(there_is_a_least_that_it_asks_for),
        cmocka_unit_test(it_does_not_flap),
        cmocka_unit_test(of_a_flock_that_shrank_fewer_are_asked_for_at_once),
        cmocka_unit_test(when_all_is_back_nothing_is_blamed),
        cmocka_unit_test(when_the_line_is_fast_again_all_is_asked_for),
        cmocka_unit_test(a_queue_that_stands_on_the_line_counts),
        cmocka_unit_test(a_way_that_stays_longer_costs_nothing_for_long),
        cmocka_unit_test(a_drifting_clock_does_not_count),
        cmocka_unit_test(a_slow_screen_asks_for_what_it_can_show),
        cmocka_unit_test(a_paused_flock_is_no_reason),
        cmocka_unit_test(a_process_that_slept_is_no_reason),
        cmocka_unit_test(what_it_has_learnt_holds_for_the_next_connection),
        cmocka_unit_test(nothing_is_decided_before_the_server_has_answered),
        cmocka_unit_test(absurd_servers_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
