/* Boids never cross walls, at any speed. Walls reflect like mirrors. */
#include "sim/flock.h"
#include "sim_tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 500 };

static float x[MOST], y[MOST], vx[MOST], vy[MOST];

/* Makes a flock whose rules do not change velocities: steering without forces and with immediate
 * turns. */
static struct flock *coasting(float width, float height)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, flock_model_find("birds"));
    definition.settings.boundary = FLOCK_WALLS;
    definition.settings.width = width;
    definition.settings.height = height;
    struct flock *flock = flock_create(&definition);
    const char *const zero[] = {"cohesion_weight", "alignment_weight", "separation_weight",
                                "min_speed"};
    for (size_t i = 0; i < 4; i++) {
        flock_param_set(flock, (size_t)flock_param_find(definition.settings.model, zero[i]), 0.0f);
    }
    flock_param_set(flock, (size_t)flock_param_find(definition.settings.model, "max_speed"),
                    100.0f);
    return flock;
}

static void place(struct flock *flock, uint32_t count)
{
    struct flock_state state = {.x = x, .y = y, .vx = vx, .vy = vy};
    assert_true(flock_replace(flock, &state, count));
}

static void look(const struct flock *flock)
{
    flock_positions(flock, x, y);
    flock_velocities(flock, vx, vy);
}

static void test_edge_mirrors(void **state)
{
    (void)state;
    struct flock *flock = coasting(100.0f, 50.0f);
    x[0] = 95.0f;
    y[0] = 2.0f;
    vx[0] = 8.0f;
    vy[0] = -6.0f;
    place(flock, 1);
    tick_flock(flock, NULL);
    look(flock);
    assert_true(fabsf(x[0] - 97.0f) < 1e-4f && fabsf(y[0] - 4.0f) < 1e-4f);
    assert_true(vx[0] == -8.0f && vy[0] == 6.0f);
    flock_destroy(flock);
}

static void test_segment_mirrors(void **state)
{
    (void)state;
    struct flock *flock = coasting(100.0f, 100.0f);
    const struct flock_wall wall = {20.0f, 20.0f, 80.0f, 80.0f};
    assert_true(flock_set_walls(flock, &wall, 1));
    x[0] = 40.0f;
    y[0] = 50.0f;
    vx[0] = 20.0f;
    vy[0] = 0.0f;
    place(flock, 1);
    tick_flock(flock, NULL);
    look(flock);
    /* Half of the way leads to the wall at (50, 50), and the other half down, close to the wall. */
    assert_true(fabsf(x[0] - 50.0f) < 0.05f && fabsf(y[0] - 60.0f) < 0.05f);
    assert_true(fabsf(vx[0]) < 1e-4f && fabsf(vy[0] - 20.0f) < 1e-4f);
    flock_destroy(flock);
}

static void test_walls_are_checked(void **state)
{
    (void)state;
    struct flock *flock = coasting(100.0f, 100.0f);
    const struct flock_wall bad[] = {
        {1.0f, 1.0f, 1.0f, 1.0f}, {NAN, 1.0f, 2.0f, 2.0f}, {1.0f, 1.0f, 2.0f, 70000.0f}};
    for (size_t i = 0; i < 3; i++) {
        assert_false(flock_set_walls(flock, &bad[i], 1));
    }
    struct flock_wall many[FLOCK_WALLS_MAX + 1];
    for (size_t i = 0; i <= FLOCK_WALLS_MAX; i++) {
        many[i] = (struct flock_wall){(float)i, 0.0f, (float)i, 9.0f};
    }
    const struct flock_settings *settings = flock_settings_of(flock);
    assert_false(flock_set_walls(flock, many, FLOCK_WALLS_MAX + 1));
    assert_int_equal(settings->wall_count, 0);
    assert_true(flock_set_walls(flock, many, FLOCK_WALLS_MAX));
    assert_true(settings->walls[9].x1 == 9.0f);
    assert_int_equal(settings->wall_count, FLOCK_WALLS_MAX);
    flock_destroy(flock);
}

static unsigned draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* A closed cell of four slanted walls, without round numbers, with a wall inside. */
static const struct flock_wall cell[] = {
    {30.0f, 21.0f, 171.0f, 33.0f}, {171.0f, 33.0f, 160.0f, 111.0f}, {160.0f, 111.0f, 40.0f, 97.0f},
    {40.0f, 97.0f, 30.0f, 21.0f},  {90.0f, 29.0f, 97.0f, 90.0f},    {97.0f, 90.0f, 104.0f, 29.0f}};

static bool in_cell(float px, float py)
{
    bool inside = true;
    for (int i = 0; i < 4; i++) {
        const struct flock_wall *w = &cell[i];
        double side = ((double)w->x2 - (double)w->x1) * ((double)py - (double)w->y1) -
                      ((double)w->y2 - (double)w->y1) * ((double)px - (double)w->x1);
        inside = inside && side > 0.0;
    }
    return inside;
}

/* Fires boids at `speed` around a world with a closed cell in it. Boids inside stay inside, boids
 * outside stay outside, none leaves the world, and none gains or loses speed. */
static void fire(float speed, int ticks)
{
    struct flock *flock = coasting(200.0f, 120.0f);
    assert_true(flock_set_walls(flock, cell, sizeof cell / sizeof *cell));
    unsigned seed = 7;
    static bool inside[MOST];
    for (uint32_t i = 0; i < MOST; i++) {
        float angle = (float)draw(&seed) * 3.7e-7f;
        x[i] = (float)(draw(&seed) % 200000) * 1e-3f;
        y[i] = (float)(draw(&seed) % 120000) * 1e-3f;
        vx[i] = speed * cosf(angle);
        vy[i] = speed * sinf(angle);
    }
    place(flock, MOST);
    look(flock);
    for (uint32_t i = 0; i < MOST; i++) {
        inside[i] = in_cell(x[i], y[i]);
    }
    for (int tick = 0; tick < ticks; tick++) {
        tick_flock(flock, NULL);
        look(flock);
        for (uint32_t i = 0; i < MOST; i++) {
            assert_true(x[i] >= 0.0f && x[i] <= 200.0f && y[i] >= 0.0f && y[i] <= 120.0f);
            assert_int_equal(in_cell(x[i], y[i]), inside[i]);
            assert_true(fabsf(hypotf(vx[i], vy[i]) - fminf(speed, 100.0f)) < 1e-3f * speed);
        }
    }
    flock_destroy(flock);
}

static void test_slow_boids_stay_on_their_side(void **state)
{
    (void)state;
    fire(1.5f, 200);
}

static void test_fast_boids_stay_on_their_side(void **state)
{
    (void)state;
    fire(100.0f, 100);
}

/* A swarm with a target far beyond the edge moves by a hundred times the world's size per tick.
 */
static void test_no_speed_is_enough(void **state)
{
    (void)state;
    struct flock_definition definition = flock_definition_default();
    definition.settings.boundary = FLOCK_WALLS;
    definition.boids = MOST;
    definition.settings.width = 200.0f;
    definition.settings.height = 120.0f;
    struct flock *flock = flock_create(&definition);
    assert_true(flock_set_walls(flock, cell, sizeof cell / sizeof *cell));
    static bool inside[MOST];
    look(flock);
    for (uint32_t i = 0; i < MOST; i++) {
        inside[i] = in_cell(x[i], y[i]);
    }
    float fastest = 0.0f;
    for (int tick = 0; tick < 12; tick++) {
        struct flock_point target = {tick % 2 ? 8e5f : -7e5f, tick % 3 ? 9e5f : -3e5f};
        tick_flock(flock, &target);
        look(flock);
        for (uint32_t i = 0; i < MOST; i++) {
            fastest = fmaxf(fastest, hypotf(vx[i], vy[i]));
            assert_true(x[i] >= 0.0f && x[i] <= 200.0f && y[i] >= 0.0f && y[i] <= 120.0f);
            assert_int_equal(in_cell(x[i], y[i]), inside[i]);
        }
    }
    assert_true(fastest > 20000.0f);
    flock_destroy(flock);
}

/* Boids do not get stuck on a wall that is added at their position. */
static void test_wall_on_top_of_a_boid(void **state)
{
    (void)state;
    struct flock *flock = coasting(100.0f, 100.0f);
    for (uint32_t i = 0; i < 3; i++) {
        x[i] = 25.0f * (float)i + 25.0f;
        y[i] = 50.0f;
        vx[i] = 0.0f;
        vy[i] = 1.0f - (float)i;
    }
    place(flock, 3);
    const struct flock_wall wall = {0.0f, 50.0f, 100.0f, 50.0f};
    assert_true(flock_set_walls(flock, &wall, 1));
    for (int tick = 0; tick < 10; tick++) {
        tick_flock(flock, NULL);
    }
    look(flock);
    assert_true(fabsf(y[0] - 50.0f) > 8.0f && fabsf(y[2] - 50.0f) > 8.0f);
    assert_true(y[1] != 50.0f);
    flock_destroy(flock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edge_mirrors),
        cmocka_unit_test(test_segment_mirrors),
        cmocka_unit_test(test_walls_are_checked),
        cmocka_unit_test(test_slow_boids_stay_on_their_side),
        cmocka_unit_test(test_fast_boids_stay_on_their_side),
        cmocka_unit_test(test_no_speed_is_enough),
        cmocka_unit_test(test_wall_on_top_of_a_boid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
