/* The flock between snapshots: smooth for any arrival of snapshots, and correct at the edges of a
 * torus. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/flock/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEND_MAX = 8 };

#define MS       INT64_C(1000)
#define SECOND   (1000 * MS)
#define INTERVAL (33 * MS)

static const struct timeline_space OPEN = {550, 400, 1.0F / 16, {0, 0}};
static const struct timeline_space WRAP = {550, 400, 1.0F / 16, {550 * 16, 400 * 16}};

static int setup(void **state)
{
    struct timeline *timeline = timeline_create();
    if (timeline != NULL) {
        timeline_reset(timeline, &OPEN);
    }
    *state = timeline;
    return timeline == NULL;
}

static int teardown(void **state)
{
    timeline_destroy(*state);
    return 0;
}

/* Pushes a snapshot of every stride-th boid. All boids and the cursor are at (x, y). */
static bool push_of(struct timeline *timeline, uint32_t stride, uint32_t epoch, int64_t time,
                    int64_t arrival, uint32_t boids, float x, float y)
{
    uint8_t positions[SEND_MAX * PROTO_BOID_SIZE];
    uint8_t cursor[PROTO_CURSOR_SIZE];
    int16_t qx = proto_quantise(x, 550, 1.0F / 16);
    int16_t qy = proto_quantise(y, 400, 1.0F / 16);
    for (uint32_t i = 0; i < boids && i < SEND_MAX; i++) {
        proto_put_position(positions + (size_t)i * PROTO_BOID_SIZE, qx, qy);
    }
    proto_put_cursor(cursor, 7, qx, qy);
    struct proto_snapshot snapshot = {
        .epoch = epoch,
        .time = (uint64_t)time,
        .boid_count = boids,
        .boids = positions,
        .cursor_count = 1,
        .cursors = cursor,
        .has_target = true,
        .target_x = x,
        .target_y = y,
    };
    return timeline_push(timeline, &snapshot, stride, NULL, arrival);
}

static bool push(struct timeline *timeline, uint32_t epoch, int64_t time, int64_t arrival,
                 uint32_t boids, float x, float y)
{
    return push_of(timeline, 1, epoch, time, arrival, boids, x, y);
}

static struct timeline_boid boid(const struct timeline *timeline)
{
    struct timeline_boid out[SEND_MAX] = {0};
    assert_true(timeline_boids(timeline, 0, SEND_MAX, out) > 0);
    return out[0];
}

static void nothing_is_shown_before_the_first_snapshot(void **state)
{
    struct timeline *timeline = *state;
    struct timeline_boid out;
    struct timeline_cursor cursors[PROTO_PEOPLE_MAX];
    float x = 0;
    float y = 0;
    timeline_play(timeline, 5);
    assert_false(timeline_play(timeline, 6));
    assert_int_equal(timeline_boid_count(timeline), 0);
    assert_int_equal(timeline_boids(timeline, 0, 1, &out), 0);
    assert_int_equal(timeline_cursors(timeline, cursors), 0);
    assert_false(timeline_target(timeline, &x, &y));
    assert_int_equal(timeline_time(timeline), 0);
}

/* Plays a boid that moves at 100 units per second. Snapshot i arrives late by late(i). Returns the
 * largest deviation from that speed between two frames after the first second, as a share of the
 * speed. */
static float unevenness(struct timeline *timeline, int64_t (*late)(int i))
{
    const int64_t frame = 10 * MS;
    float worst = 0;
    float before = NAN;
    int sent = 0;
    for (int64_t now = 0; now < 6000 * MS; now += frame) {
        while (sent * INTERVAL + late(sent) <= now) {
            int64_t time = sent * INTERVAL;
            assert_true(push(timeline, 1, time + 1, time + late(sent), 1, (float)time / 1e4F, 200));
            sent++;
        }
        timeline_play(timeline, now);
        if (now < 1000 * MS) {
            continue;
        }
        float x = boid(timeline).x;
        float expected = (float)frame / 1e4F;
        if (!isnan(before)) {
            worst = fmaxf(worst, fabsf(x - before - expected) / expected);
        }
        before = x;
    }
    return worst;
}

static int64_t punctual(int i)
{
    (void)i;
    return 5 * MS;
}

static int64_t jittery(int i)
{
    static const int64_t late[] = {5, 48, 12, 90, 71, 38, 5, 9, 60, 27, 82, 49};
    /* TCP keeps the order of snapshots. */
    int64_t latest = 0;
    for (int k = i > 3 ? i - 3 : 0; k <= i; k++) {
        int64_t then = (k - i) * INTERVAL + late[k % 12] * MS;
        latest = then > latest ? then : latest;
    }
    return latest;
}

static void punctual_snapshots_play_smoothly(void **state)
{
    /* a position is rounded to 1/16, and the playback may be slewed by a tenth */
    assert_true(unevenness(*state, punctual) < 0.2F);
}

static void jitter_is_played_out(void **state)
{
    assert_true(unevenness(*state, jittery) < 0.2F);
}

static void the_delay_is_no_longer_than_it_must_be(void **state)
{
    struct timeline *timeline = *state;
    for (int i = 0; i < 100; i++) {
        int64_t time = i * INTERVAL;
        push(timeline, 1, time + 1, time + 5 * MS, 1, 0, 0);
        timeline_play(timeline, time + 5 * MS);
    }
    int64_t behind = 99 * INTERVAL + 5 * MS - timeline_time(timeline);
    assert_in_range(behind, INTERVAL, 3 * INTERVAL);
}

/* Returns the boid halfway between two snapshots. */
static struct timeline_boid halfway(struct timeline *timeline, const struct timeline_space *space,
                                    float x1, float y1, float x2, float y2)
{
    timeline_reset(timeline, space);
    push(timeline, 1, 1000 * MS, 0, 1, x1, y1);
    push(timeline, 1, 1100 * MS, 100 * MS, 1, x2, y2);
    timeline_play(timeline, 0);
    int64_t now = 1050 * MS - timeline_time(timeline);
    /* In small steps, like frames. */
    for (int64_t t = 0; t < now; t += MS) {
        timeline_play(timeline, t);
        if (timeline_time(timeline) >= 1050 * MS) {
            break;
        }
    }
    return boid(timeline);
}

static void boids_cross_the_seam_of_a_torus(void **state)
{
    struct timeline_boid shown = halfway(*state, &WRAP, 548, 200, 4, 200);
    assert_true(shown.x >= 0 && shown.x < 550);
    assert_true(shown.x > 547 || shown.x < 5);
    assert_float_equal(shown.dx, 6 * 16, 2);
    shown = halfway(*state, &WRAP, 275, 2, 275, 398);
    assert_true(shown.y > 397 || shown.y < 3);
    assert_float_equal(shown.dy, -4 * 16, 2);
}

static void boids_cross_an_open_world(void **state)
{
    struct timeline_boid shown = halfway(*state, &OPEN, 540, 200, 10, 200);
    assert_float_equal(shown.dx, -530 * 16, 2);
    assert_true(shown.x > 200 && shown.x < 350);
    assert_false(shown.hidden);
}

static void boids_beyond_the_range_of_positions_are_hidden(void **state)
{
    struct timeline_boid shown = halfway(*state, &OPEN, 540, 200, 1e6F, 200);
    assert_true(shown.hidden);
    shown = halfway(*state, &OPEN, 540, -1e6F, 540, 200);
    assert_true(shown.hidden);
}

static void a_cursor_at_the_limit_is_shown(void **state)
{
    struct timeline *timeline = *state;
    struct timeline_cursor cursors[PROTO_PEOPLE_MAX];
    push(timeline, 1, 1000 * MS, 0, 1, 1e6F, -1e6F);
    timeline_play(timeline, 0);
    assert_true(boid(timeline).hidden);
    assert_int_equal(timeline_cursors(timeline, cursors), 1);
    assert_float_equal(cursors[0].x, 275 + 32767.0F / 16, 0);
    assert_float_equal(cursors[0].y, 200 - 32768.0F / 16, 0);
}

/* Asserts that the boid jumps between the two pushed snapshots, at 1 s and at 1.1 s. */
static void expect_jump(struct timeline *timeline)
{
    for (int64_t now = 0; now < 1000 * MS; now += MS) {
        timeline_play(timeline, now);
        struct timeline_boid shown = boid(timeline);
        bool first = fabsf(shown.x - 100) < 0.1F;
        bool second = fabsf(shown.x - 500) < 0.1F;
        assert_true(first || second);
        assert_int_equal(second, timeline_time(timeline) >= 1100 * MS);
    }
    assert_float_equal(boid(timeline).x, 500, 0.1F);
}

static void no_boid_moves_from_one_epoch_to_the_next(void **state)
{
    struct timeline *timeline = *state;
    push(timeline, 1, 1000 * MS, 0, 1, 100, 100);
    push(timeline, 2, 1100 * MS, 100 * MS, 1, 500, 300);
    expect_jump(timeline);
}

/* For example when the flock grows and the number of shown boids stays. */
static void no_boid_moves_from_one_stride_to_the_next(void **state)
{
    struct timeline *timeline = *state;
    push_of(timeline, 2, 1, 1000 * MS, 0, 1, 100, 100);
    push_of(timeline, 3, 1, 1100 * MS, 100 * MS, 1, 500, 300);
    expect_jump(timeline);
    assert_float_equal(boid(timeline).dx, 0, 0); /* the boid has no heading */
}

static void flock_may_grow_and_shrink(void **state)
{
    struct timeline *timeline = *state;
    static const uint32_t counts[] = {3, 8, 1, 0, 5};
    for (int i = 0; i < 40; i++) {
        int64_t time = i * INTERVAL;
        struct timeline_boid out[SEND_MAX];
        push(timeline, (uint32_t)i / 2, time + 1, time, counts[i % 5], 100, 100);
        timeline_play(timeline, time);
        uint32_t count = timeline_boid_count(timeline);
        assert_true(count <= SEND_MAX);
        assert_int_equal(timeline_boids(timeline, 0, SEND_MAX, out), count);
        assert_int_equal(timeline_boids(timeline, count, SEND_MAX, out), 0);
    }
}

static void silence_ends_in_a_standstill(void **state)
{
    struct timeline *timeline = *state;
    for (int i = 0; i < 30; i++) {
        int64_t time = i * INTERVAL;
        push(timeline, 1, time + 1, time, 1, (float)i, 200);
        timeline_play(timeline, time);
    }
    bool changed = true;
    for (int64_t now = 30 * INTERVAL; now < 60 * INTERVAL; now += 10 * MS) {
        changed = timeline_play(timeline, now);
    }
    assert_false(changed); /* the picture is unchanged */
    /* The boid continued straight for 0.1 s: three intervals with one unit each. */
    assert_float_equal(boid(timeline).x, 29 + 3, 0.2F);
}

static void clock_that_starts_again_is_followed(void **state)
{
    struct timeline *timeline = *state;
    for (int i = 0; i < 30; i++) {
        push(timeline, 1, 1000000 * MS + i * INTERVAL, i * INTERVAL, 1, 100, 100);
        timeline_play(timeline, i * INTERVAL);
    }
    for (int i = 30; i < 60; i++) {
        push(timeline, 1, (i - 29) * INTERVAL, i * INTERVAL, 1, 300, 100);
        timeline_play(timeline, i * INTERVAL);
    }
    assert_float_equal(boid(timeline).x, 300, 0.1F);
    assert_in_range(timeline_time(timeline), 20 * INTERVAL, 31 * INTERVAL);
}

static void long_pause_does_not_leave_a_lag(void **state)
{
    struct timeline *timeline = *state;
    for (int i = 0; i < 200; i++) {
        int64_t time = i * INTERVAL;
        int64_t arrival = time + (i >= 100 ? 8000 * MS : 0); /* this machine slept for 8 s */
        push(timeline, 1, time + 1, arrival, 1, 0, 0);
        timeline_play(timeline, arrival);
    }
    int64_t behind = 199 * INTERVAL - timeline_time(timeline);
    assert_in_range(behind, 0, 3 * INTERVAL);
}

static void absurd_times_do_no_harm(void **state)
{
    struct timeline *timeline = *state;
    struct proto_snapshot snapshot = {.time = UINT64_MAX, .epoch = 1};
    assert_false(timeline_push(timeline, &snapshot, 1, NULL, 0));
    static const int64_t times[] = {5, INT64_MAX / 4, 6, INT64_MAX / 4 - 1, 0, 1};
    for (int round = 0; round < 20; round++) {
        for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
            push(timeline, 1, times[i], round * MS, 1, 100, 100);
            timeline_play(timeline, round * MS + 1);
            assert_float_equal(boid(timeline).x, 100, 0.1F);
        }
    }
}

static void cursor_and_target_move_with_the_boids(void **state)
{
    struct timeline *timeline = *state;
    struct timeline_boid shown = halfway(timeline, &OPEN, 100, 100, 200, 300);
    struct timeline_cursor cursors[PROTO_PEOPLE_MAX];
    float x = 0;
    float y = 0;
    assert_int_equal(timeline_cursors(timeline, cursors), 1);
    assert_int_equal(cursors[0].id, 7);
    assert_true(shown.x > 140 && shown.x < 160);
    assert_float_equal(cursors[0].x, shown.x, 0.1F);
    assert_float_equal(cursors[0].y, shown.y, 0.1F);
    assert_true(timeline_target(timeline, &x, &y));
    assert_float_equal(x, shown.x, 0.1F);
}

/* Pushes a snapshot of one boid with its heading; NULL: without a heading. */
static void push_heading(struct timeline *timeline, uint32_t epoch, int64_t time, float x, float y,
                         const uint8_t *heading)
{
    uint8_t position[PROTO_BOID_SIZE];
    proto_put_position(position, proto_quantise(x, 550, 1.0F / 16),
                       proto_quantise(y, 400, 1.0F / 16));
    struct proto_snapshot snapshot = {
        .epoch = epoch, .time = (uint64_t)time, .boid_count = 1, .boids = position};
    assert_true(timeline_push(timeline, &snapshot, 1, heading, time));
    timeline_play(timeline, time);
}

static void assert_heads(const struct timeline *timeline, float x, float y)
{
    struct timeline_boid shown = boid(timeline);
    float length = hypotf(shown.dx, shown.dy);
    assert_true(length > 0);
    assert_float_equal(shown.dx / length, x, 0.05F);
    assert_float_equal(shown.dy / length, y, 0.05F);
}

static void a_boid_that_does_not_move_heads_where_the_keyframe_says(void **state)
{
    struct timeline *timeline = *state;
    static const float ways[8][2] = {{1, 0},  {0.707F, 0.707F},   {0, 1},  {-0.707F, 0.707F},
                                     {-1, 0}, {-0.707F, -0.707F}, {0, -1}, {0.707F, -0.707F}};
    for (int i = 0; i < 8; i++) {
        uint8_t heading = (uint8_t)(32 * i);
        push_heading(timeline, (uint32_t)i, (i + 1) * SECOND, 100, 100, &heading);
        for (int k = 1; k < 20; k++) {
            push_heading(timeline, (uint32_t)i, (i + 1) * SECOND + k * INTERVAL, 100, 100, NULL);
        }
        assert_heads(timeline, ways[i][0], ways[i][1]);
    }
}

static void a_boid_that_stops_heads_where_it_went(void **state)
{
    struct timeline *timeline = *state;
    uint8_t heading = 128;
    timeline_reset(timeline, &WRAP);
    push_heading(timeline, 1, SECOND, 549, 100, &heading);
    push_heading(timeline, 1, SECOND + INTERVAL, 2, 103, NULL); /* across the edge */
    for (int k = 2; k < 20; k++) {
        push_heading(timeline, 1, SECOND + k * INTERVAL, 2, 103, NULL);
    }
    assert_heads(timeline, 0.707F, 0.707F);
    for (int k = 20; k < 40; k++) { /* the index now names another boid */
        push_heading(timeline, 2, SECOND + k * INTERVAL, 2, 103, NULL);
    }
    assert_float_equal(boid(timeline).dx, 0, 0);
    assert_float_equal(boid(timeline).dy, 0, 0);
}

static void the_measures_are_those_of_the_picture(void **state)
{
    struct timeline *timeline = *state;
    struct proto_measures measures;
    timeline_reset(timeline, &WRAP);
    assert_false(timeline_measures(timeline, &measures));
    assert_int_equal(timeline_flock(timeline), 0);
    for (int i = 0; i < 60; i++) {
        struct proto_snapshot snapshot = {.epoch = 1,
                                          .time = (uint64_t)((i + 1) * INTERVAL),
                                          .flock = 5000,
                                          .has_measures = true,
                                          .measures = {.polarization = 0.5F, .nearest = 12}};
        snapshot.measures.centroid_x = fmodf(500 + (float)i, 550);
        snapshot.measures.centroid_y = 100;
        timeline_push(timeline, &snapshot, 1, NULL, i * INTERVAL);
        timeline_play(timeline, i * INTERVAL);
        assert_true(timeline_measures(timeline, &measures));
        assert_float_equal(measures.polarization, 0.5F, 0);
        assert_float_equal(measures.nearest, 12, 0);
        /* The centroid crosses the edge with the flock, a few snapshots behind the newest. */
        assert_true(measures.centroid_x >= 497 || measures.centroid_x < 10);
        assert_float_equal(measures.centroid_y, 100, 0);
    }
    assert_int_equal(timeline_flock(timeline), 5000);
    struct proto_snapshot without = {.epoch = 1, .time = 1000 * SECOND};
    timeline_push(timeline, &without, 1, NULL, 1000 * SECOND);
    timeline_play(timeline, 1001 * SECOND);
    assert_false(timeline_measures(timeline, &measures));
}

/* The timeline reports how far boids have moved since a picture. The terminal redraws only after
 * enough movement. */
static void how_far_boids_moved_since_a_picture_is_known(void **state)
{
    struct timeline *timeline = *state;
    struct timeline_mark drawn = {0};
    assert_true(isinf(timeline_moved(timeline, &drawn)));
    for (int i = 0; i < 4; i++) {
        int64_t time = 1 + i * INTERVAL;
        assert_true(push(timeline, 1, time, time, 2, 100 + 2 * (float)i, 200 - (float)i));
    }
    int others = 0;
    float at = 0;
    for (int64_t now = 3 * INTERVAL + 1; now < 6 * INTERVAL; now += 3 * MS) {
        timeline_play(timeline, now);
        float moved = timeline_moved(timeline, &drawn);
        float x = boid(timeline).x;
        if (isinf(moved)) {
            drawn = timeline_mark(timeline);
            at = x;
            others++;
            assert_true(timeline_moved(timeline, &drawn) == 0);
        } else {
            assert_true(fabsf(moved - fabsf(x - at)) < 0.001F);
        }
    }
    assert_in_range(others, 2, 4); /* pairs of snapshots */
    timeline_reset(timeline, &OPEN);
    assert_true(isinf(timeline_moved(timeline, &drawn)));
}

static void the_largest_flock_is_taken(void **state)
{
    struct timeline *timeline = *state;
    uint8_t *positions = calloc(PROTO_BOIDS_MAX, PROTO_BOID_SIZE);
    assert_non_null(positions);
    for (int i = 0; i < 3 * (int)TIMELINE_SNAPSHOTS; i++) {
        struct proto_snapshot snapshot = {
            .epoch = 1,
            .time = (uint64_t)(i * INTERVAL + 1),
            .boid_count = i % 5 == 4 ? 10 : PROTO_BOIDS_MAX,
            .boids = positions,
        };
        assert_true(timeline_push(timeline, &snapshot, 1, NULL, i * INTERVAL));
        timeline_play(timeline, i * INTERVAL);
    }
    struct proto_snapshot beyond = {
        .epoch = 1, .time = 1000000 * MS, .boid_count = PROTO_BOIDS_MAX + 1, .boids = positions};
    assert_false(timeline_push(timeline, &beyond, 1, NULL, 0));
    free(positions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_shown_before_the_first_snapshot, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(punctual_snapshots_play_smoothly, setup, teardown),
        cmocka_unit_test_setup_teardown(jitter_is_played_out, setup, teardown),
        cmocka_unit_test_setup_teardown(the_delay_is_no_longer_than_it_must_be, setup, teardown),
        cmocka_unit_test_setup_teardown(boids_cross_the_seam_of_a_torus, setup, teardown),
        cmocka_unit_test_setup_teardown(boids_cross_an_open_world, setup, teardown),
        cmocka_unit_test_setup_teardown(boids_beyond_the_range_of_positions_are_hidden, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_cursor_at_the_limit_is_shown, setup, teardown),
        cmocka_unit_test_setup_teardown(no_boid_moves_from_one_epoch_to_the_next, setup, teardown),
        cmocka_unit_test_setup_teardown(no_boid_moves_from_one_stride_to_the_next, setup, teardown),
        cmocka_unit_test_setup_teardown(flock_may_grow_and_shrink, setup, teardown),
        cmocka_unit_test_setup_teardown(silence_ends_in_a_standstill, setup, teardown),
        cmocka_unit_test_setup_teardown(clock_that_starts_again_is_followed, setup, teardown),
        cmocka_unit_test_setup_teardown(long_pause_does_not_leave_a_lag, setup, teardown),
        cmocka_unit_test_setup_teardown(absurd_times_do_no_harm, setup, teardown),
        cmocka_unit_test_setup_teardown(cursor_and_target_move_with_the_boids, setup, teardown),
        cmocka_unit_test_setup_teardown(a_boid_that_does_not_move_heads_where_the_keyframe_says,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_boid_that_stops_heads_where_it_went, setup, teardown),
        cmocka_unit_test_setup_teardown(the_measures_are_those_of_the_picture, setup, teardown),
        cmocka_unit_test_setup_teardown(how_far_boids_moved_since_a_picture_is_known, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_largest_flock_is_taken, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
