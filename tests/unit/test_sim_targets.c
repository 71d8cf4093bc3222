/* The search for the nearest of many targets finds, bit for bit, what a comparison with each target
 * finds: for random boids and targets, on a lattice where many distances are equal, in a plane and
 * in a torus. The search for points within a distance misses none. */
#include "sim/wide/targets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 200000 };

static uint64_t random_state = 7;

static uint32_t below(uint32_t bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % bound;
}

/* Returns a random coordinate from 0 to `side`: any, or with a step a multiple of the step. */
static float place(float side, float step)
{
    return step > 0.0f ? step * (float)below(1 + (uint32_t)(side / step))
                       : side * (float)below(1u << 24) * 0x1p-24f;
}

static const float steps[] = {0.0f, 0.0f, 1.0f, 25.0f};

static void make_targets(struct aim *aim, float width, float height, float offset)
{
    const float step = steps[below(4)];
    const float spread = below(3) == 0 ? 0.1f : 1.0f;

    aim->targets = 1 + below(FLOCK_TARGETS_MAX);
    for (uint32_t i = 0; i < aim->targets; i++) {
        aim->target[i].x = (double)(offset + place(spread * width, step));
        aim->target[i].y = (double)(offset + place(spread * height, step));
    }
    aim_round(aim);
}

struct boids {
    float x[TARGETS_SHARED], y[TARGETS_SHARED];
    struct seekers world; /* its size */
};

/* Makes adjacent boids: near each other, or anywhere, as in a grid that was rolled up. */
static struct boids make_boids(float width, float height, float offset, bool torus)
{
    const float step = steps[below(4)];
    const float near = below(4) == 0 ? 1.0f : 0.1f;
    const float x = place((1.0f - near) * width, step);
    const float y = place((1.0f - near) * height, step);
    struct boids boids;

    for (int i = 0; i < TARGETS_SHARED; i++) {
        boids.x[i] = offset + x + place(near * width, step);
        boids.y[i] = offset + y + place(near * height, step);
    }
    width = torus ? width : INFINITY;
    height = torus ? height : INFINITY;
    boids.world = (struct seekers){.half = {wide_all(0.5f * width), wide_all(0.5f * height)},
                                   .size = {wide_all(width), wide_all(height)}};
    return boids;
}

/* Compares the group of boids from index `at` on. */
static void assert_same_in_group(const struct aim *aim, const struct boids *boids, uint32_t at,
                                 uint32_t count, const struct near_points *nearby)
{
    const struct seekers seekers = {
        {wide_load(boids->x + at), wide_load(boids->y + at)}, boids->world.half, boids->world.size};
    struct seeking plain = {.square = wide_all(INFINITY)};
    struct seeking found = plain;

    for (uint32_t i = 0; i < aim->targets; i++) {
        compare_target(&plain, &seekers, &aim->goals, i, true); /* right in a plane, too */
    }
    seek_targets(&aim->goals, &seekers, nearby, &found);
    assert_memory_equal(&plain.square, &found.square, count * sizeof(float));
    assert_memory_equal(&plain.target.x, &found.target.x, count * sizeof(float));
    assert_memory_equal(&plain.target.y, &found.target.y, count * sizeof(float));
}

/* Returns whether the search found the point of that index. */
static bool is_found(const struct near_points *near, uint32_t i)
{
    return (near->bits[i / 64] >> (i % 64) & 1) != 0;
}

/* Asserts that the search within a distance finds each point that is so near to a boid, and few
 * others. */
static void assert_all_within(const struct aim *aim, const struct boids *boids,
                              const struct neighbourhood *neighbours)
{
    const float far = 1.0f + (float)below(300);
    struct near_points near;

    find_within(&aim->goals, neighbours, far * far, &near);
    for (uint32_t at = 0; at < neighbours->count; at += WIDE) {
        const struct seekers seekers = {{wide_load(boids->x + at), wide_load(boids->y + at)},
                                        boids->world.half,
                                        boids->world.size};
        const uint32_t left = neighbours->count - at;
        const unsigned used = left < WIDE ? (1u << left) - 1u : ~0u;
        for (uint32_t i = 0; i < aim->targets; i++) {
            const struct wide_vec d = target_from(&seekers, &aim->goals, i, true);
            const unsigned within = wide_bits(wide_less(wide_dot(d, d), wide_all(far * far)));
            assert_true((within & used) == 0 || is_found(&near, i));
            assert_true(neighbours->count > 1 ||
                        is_found(&near, i) == (wide_dot(d, d)[0] <= far * far));
        }
    }
}

static void assert_same(const struct aim *aim, struct boids boids)
{
    const uint32_t count = 1 + below(TARGETS_SHARED);
    struct near_points nearby;

    for (uint32_t i = count; i < TARGETS_SHARED; i++) { /* a lane without a boid */
        boids.x[i] = below(2) == 0 ? NAN : -1e30f;
        boids.y[i] = below(2) == 0 ? INFINITY : 0.0f;
    }
    const struct neighbourhood neighbours = neighbourhood_of(boids.x, boids.y, count, &boids.world);
    find_nearest(&aim->goals, &neighbours, &nearby);
    assert_all_within(aim, &boids, &neighbours);
    for (uint32_t at = 0; at < count; at += WIDE) {
        assert_same_in_group(aim, &boids, at, count - at < WIDE ? count - at : WIDE, &nearby);
    }
}

static void test_finds_the_nearest(void **state)
{
    const float worlds[][3] = {
        {900.0f, 700.0f, 0.0f}, {60000.0f, 17.0f, 0.0f}, {2000.0f, 1500.0f, -998000.0f}};
    static struct aim aim;

    (void)state;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const float *world = worlds[i / 16 % 3];
        const bool torus = world[2] == 0.0f && below(2) == 0;
        if (i % 16 == 0) {
            make_targets(&aim, world[0], world[1], world[2]);
        }
        assert_same(&aim, make_boids(world[0], world[1], world[2], torus));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
