/* The part of the stream that a terminal asks for, on simulated screens and connections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/net/pace.h"

#include <math.h>
#include <string.h>

#define MS     INT64_C(1000)
#define SECOND (1000 * MS)
#define STEP   (4 * MS)

enum { SNAPSHOT_RATE = 30 };

/* A server and the screen. */
struct world {
    struct term_pace pace;
    int64_t now;
    uint32_t flock;
    int64_t frame; /* µs that the screen takes for a frame … */
    double each;   /* … and for each boid in it */
    bool paused;   /* no snapshots come */
    bool lossy;    /* every second snapshot is lost */

    struct proto_stream granted;
    double due; /* snapshots so far */
    uint64_t sent;
    int64_t frame_at;
    unsigned changes; /* number of wants */
};

/* Returns the smallest of 1, 2, 3, 4, 6, 8, 12 … that is at least `least`. */
static uint32_t divisor(double least)
{
    uint32_t power = 1;
    while (power < least) {
        power *= 2;
    }
    uint32_t between = power / 4 * 3;
    return power >= 4 && between >= least ? between : power;
}

static void answer(struct world *world, struct proto_want want)
{
    uint32_t slower = want.rate > 0 ? divisor(SNAPSHOT_RATE / (double)want.rate) : 1;
    world->granted.rate = SNAPSHOT_RATE / (float)slower;
    world->granted.boids = want.boids;
    world->granted.stride = want.boids > 0 ? divisor(world->flock / (double)want.boids) : 1;
}

static void start(struct world *world, uint32_t rate, uint32_t flock)
{
    struct proto_welcome welcome = {.room = {.snapshot_rate = SNAPSHOT_RATE}};
    *world = (struct world){.flock = flock, .frame = 32 * MS};
    term_pace_init(&world->pace, rate);
    answer(world, term_pace_want(&world->pace));
    welcome.stream = world->granted;
    term_pace_join(&world->pace, &welcome);
}

static uint32_t shown(const struct world *world)
{
    return (world->flock + world->granted.stride - 1) / world->granted.stride;
}

static void serve(struct world *world)
{
    world->due += world->paused ? 0 : (double)STEP * (double)world->granted.rate / SECOND;
    while ((double)world->sent + 1 <= world->due) {
        const struct proto_snapshot snapshot = {.flock = world->flock};
        world->sent++;
        if (!world->lossy || world->sent % 2 == 0) {
            term_pace_snapshot(&world->pace, &snapshot);
        }
    }
}

static void run(struct world *world, int64_t time)
{
    for (int64_t end = world->now + time; world->now < end; world->now += STEP) {
        int64_t frame = world->frame + (int64_t)(world->each * shown(world));
        serve(world);
        if (world->now - world->frame_at >= frame) {
            term_pace_frame(&world->pace, world->now - world->frame_at);
            world->frame_at = world->now;
        }
        if (term_pace_decide(&world->pace, world->now)) {
            world->changes++;
            answer(world, term_pace_want(&world->pace));
            term_pace_granted(&world->pace, &world->granted);
            term_pace_answered(&world->pace);
        }
    }
}

/* Asserts the present want. 0: all. */
static void assert_wants(const struct world *world, uint32_t rate, uint32_t boids)
{
    struct proto_want want = term_pace_want(&world->pace);
    assert_int_equal(want.rate, rate);
    assert_int_equal(want.boids, boids);
}

static struct world world;

static void a_fast_screen_gets_all(void **state)
{
    (void)state;
    static const uint32_t rates[] = {30, 0, 1, 7, 240};
    for (int i = 0; i < 5; i++) {
        start(&world, rates[i], 10000);
        run(&world, 300 * SECOND);
        assert_int_equal(world.changes, 0);
        assert_wants(&world, rates[i], 0);
        assert_false(term_pace_lowered(&world.pace));
    }
}

static void a_hiccup_changes_nothing(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    run(&world, 10 * SECOND);
    world.frame = 700 * MS;
    run(&world, 1000 * MS);
    world.frame = 32 * MS;
    run(&world, 60 * SECOND);
    assert_int_equal(world.changes, 0);
}

/* Missing or few snapshots are caused by the connection, which the server judges. */
static void the_line_is_not_judged(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    world.lossy = true;
    run(&world, 60 * SECOND);
    assert_int_equal(world.changes, 0);
    world.granted = (struct proto_stream){.rate = 2.5F, .stride = 4, .slow = true};
    term_pace_granted(&world.pace, &world.granted);
    run(&world, 60 * SECOND);
    assert_int_equal(world.changes, 0);
    assert_wants(&world, 30, 0);
}

static void a_slow_screen_asks_for_less(void **state)
{
    static const struct {
        int64_t frame;
        uint32_t rate, boids;
    } screens[] = {{32, 30, 0}, {45, 30, 0}, {100, 15, 0}, {180, 8, 0}, {1000, 5, 1250}};
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
        assert_int_equal(term_pace_lowered(&world.pace), i >= 2);
        world.frame = 32 * MS;
        run(&world, 600 * SECOND);
        assert_wants(&world, 30, 0);
    }
}

/* With a million boids of 1 µs each, the terminal asks for a part that gives a few frames per
 * second. */
static void a_flock_too_big_to_draw_is_thinned_out(void **state)
{
    (void)state;
    start(&world, 30, 1000000);
    world.each = 1;
    run(&world, 30 * SECOND);
    struct proto_want want = term_pace_want(&world.pace);
    assert_int_equal(want.rate, 5);
    assert_true(want.boids > 0 && shown(&world) <= 250000);
    assert_true(shown(&world) >= 100000);
}

static void requests_have_a_lower_limit(void **state)
{
    (void)state;
    start(&world, 30, 100000);
    world.frame = 3 * SECOND;
    run(&world, 240 * SECOND);
    assert_wants(&world, 5, 1042);
    start(&world, 30, 12); /* fewer of 12 boids make no difference */
    world.frame = 3 * SECOND;
    run(&world, 60 * SECOND);
    assert_wants(&world, 5, 0);
    start(&world, 4, 100);
    world.frame = 3 * SECOND;
    run(&world, 60 * SECOND);
    assert_wants(&world, 4, 0);
    assert_int_equal(world.changes, 0);
}

static void it_does_not_flap(void **state)
{
    (void)state;
    for (int64_t frame = 40; frame <= 1000; frame = frame * 5 / 4) {
        start(&world, 30, 10000);
        world.frame = frame * MS;
        world.each = (double)frame / 20;
        run(&world, 600 * SECOND);
        world.changes = 0;
        run(&world, 1200 * SECOND);
        /* one try for more in two minutes, and the step back */
        assert_in_range(world.changes, 0, 2 * 1200 / 120 + 2);
    }
}

static void a_smaller_flock_changes_the_request_at_once(void **state)
{
    (void)state;
    start(&world, 30, 100000);
    world.each = 5;
    run(&world, 60 * SECOND);
    assert_true(term_pace_want(&world.pace).boids > 4096);
    world.flock = 3000;
    answer(&world, term_pace_want(&world.pace));
    run(&world, 10 * SECOND);
    world.frame = 2 * SECOND;
    run(&world, 8 * SECOND);
    assert_int_equal(term_pace_want(&world.pace).boids, 1500);
}

static void when_the_screen_is_fast_again_all_is_asked_for(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    world.frame = SECOND;
    run(&world, 60 * SECOND);
    assert_true(term_pace_want(&world.pace).boids > 0);
    world.frame = 32 * MS;
    run(&world, 180 * SECOND);
    assert_wants(&world, 30, 0);
    assert_false(term_pace_lowered(&world.pace));
}

/* With few snapshots it is unknown whether the screen could draw more. */
static void on_a_slow_line_the_request_does_not_grow(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    world.frame = 100 * MS;
    run(&world, 60 * SECOND);
    assert_wants(&world, 15, 0);
    world.granted.rate = 3.75F;
    world.granted.slow = true;
    term_pace_granted(&world.pace, &world.granted);
    world.frame = 32 * MS;
    run(&world, 300 * SECOND);
    assert_wants(&world, 15, 0);
    world.granted.rate = 15;
    world.granted.slow = false;
    term_pace_granted(&world.pace, &world.granted);
    run(&world, 300 * SECOND);
    assert_wants(&world, 30, 0);
}

static void a_paused_flock_is_no_reason(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    run(&world, 5 * SECOND);
    world.paused = true;
    world.frame = 500 * MS; /* no boids */
    run(&world, 30 * SECOND);
    world.paused = false;
    world.frame = 32 * MS;
    run(&world, 30 * SECOND);
    assert_int_equal(world.changes, 0);
}

static void a_sleep_changes_no_request(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    for (int i = 0; i < 10; i++) {
        run(&world, 5 * SECOND);
        world.now += 20 * SECOND;
        term_pace_frame(&world.pace, world.now - world.frame_at);
        world.frame_at = world.now;
        term_pace_awake(&world.pace);
    }
    assert_int_equal(world.changes, 0);
}

static void requests_carry_over_to_the_next_connection(void **state)
{
    struct proto_welcome welcome = {.stream = {.rate = 7.5F, .boids = 2048, .stride = 6},
                                    .room = {.snapshot_rate = SNAPSHOT_RATE}};
    (void)state;
    start(&world, 30, 10000);
    world.frame = 100 * MS;
    world.each = 50;
    run(&world, 30 * SECOND);
    struct proto_want want = term_pace_want(&world.pace);
    assert_int_equal(want.rate, 5);
    assert_true(want.boids > 0);
    term_pace_join(&world.pace, &welcome);
    assert_wants(&world, want.rate, want.boids);
    assert_false(world.pace.asked); /* the hello had this want */
}

static void nothing_is_decided_before_the_server_has_answered(void **state)
{
    (void)state;
    start(&world, 30, 10000);
    world.pace.asked = true;
    world.frame = SECOND;
    run(&world, 60 * SECOND);
    assert_int_equal(world.changes, 0);
    term_pace_answered(&world.pace);
    run(&world, 60 * SECOND);
    assert_int_not_equal(world.changes, 0);
}

static void absurd_servers_do_no_harm(void **state)
{
    static const float rates[] = {0, -1, NAN, INFINITY, -INFINITY, 1e-30F, 1e30F};
    static const uint32_t flocks[] = {0, UINT32_MAX, 5, UINT32_MAX - 1, 1};
    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        struct proto_welcome welcome = {.stream = {.rate = rates[i]}};
        welcome.room.snapshot_rate = i % 3 == 0 ? UINT32_MAX : 0;
        term_pace_init(&world.pace, 30);
        term_pace_join(&world.pace, &welcome);
        for (int64_t now = 0; now < 100 * SECOND; now += 100 * MS) {
            struct proto_snapshot snapshot = {.flock = flocks[now / MS % 5]};
            term_pace_snapshot(&world.pace, &snapshot);
            term_pace_frame(&world.pace, SECOND);
            if (term_pace_decide(&world.pace, now)) {
                term_pace_granted(&world.pace, &welcome.stream);
                term_pace_answered(&world.pace);
            }
            struct proto_want want = term_pace_want(&world.pace);
            assert_true(want.rate <= PROTO_RATE_MAX);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_screen_gets_all),
        cmocka_unit_test(a_hiccup_changes_nothing),
        cmocka_unit_test(the_line_is_not_judged),
        cmocka_unit_test(a_slow_screen_asks_for_less),
        cmocka_unit_test(a_flock_too_big_to_draw_is_thinned_out),
        cmocka_unit_test(requests_have_a_lower_limit),
        cmocka_unit_test(it_does_not_flap),
        cmocka_unit_test(a_smaller_flock_changes_the_request_at_once),
        cmocka_unit_test(when_the_screen_is_fast_again_all_is_asked_for),
        cmocka_unit_test(on_a_slow_line_the_request_does_not_grow),
        cmocka_unit_test(a_paused_flock_is_no_reason),
        cmocka_unit_test(a_sleep_changes_no_request),
        cmocka_unit_test(requests_carry_over_to_the_next_connection),
        cmocka_unit_test(nothing_is_decided_before_the_server_has_answered),
        cmocka_unit_test(absurd_servers_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
