/* Boids seek and eat food. Hunters run after boids, which flee. */
#include "sim/flock.h"
#include "sim_tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 300 };

static float x[MOST], y[MOST], vx[MOST], vy[MOST];

static struct flock *make(const char *model, enum flock_boundary boundary, uint32_t boids)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, flock_model_find(model));
    definition.settings.boundary = boundary;
    definition.settings.width = 900.0f;
    definition.settings.height = 700.0f;
    definition.boids = boids;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    return flock;
}

static void set(struct flock *flock, const char *name, float value)
{
    int index = flock_param_find(flock_settings_of(flock)->model, name);
    assert_true(index >= 0);
    assert_true(flock_param_set(flock, (size_t)index, value));
}

static void place(struct flock *flock, uint32_t count)
{
    const struct flock_state state = {.x = x, .y = y, .vx = vx, .vy = vy};
    assert_true(flock_replace(flock, &state, count));
}

static void look(const struct flock *flock)
{
    flock_positions(flock, x, y);
    flock_velocities(flock, vx, vy);
}

static void give(struct flock *flock, struct flock_things things)
{
    assert_true(flock_set_things(flock, &things));
}

static void give_food(struct flock *flock, float at_x, float at_y, uint32_t amount)
{
    give(flock, (struct flock_things){.food_count = 1, .food = {{at_x, at_y, amount}}});
}

static void give_hunter(struct flock *flock, float at_x, float at_y)
{
    give(flock, (struct flock_things){.hunter_count = 1, .hunters = {{at_x, at_y}}});
}

static struct flock_point hunter_of(const struct flock *flock)
{
    assert_int_equal(flock_things_of(flock)->hunter_count, 1);
    return flock_things_of(flock)->hunters[0];
}

/* A boid at rest that no force moves. */
static struct flock *make_still(enum flock_boundary boundary, enum flock_update update)
{
    struct flock *flock = make("vision", boundary, 3);
    assert_true(flock_set_update(flock, update));
    set(flock, "speed", 0.0f);
    return flock;
}

/* Of boids at 5.9, 0 and 6.1 units, two eat a unit in each tick, until the food is gone. */
static void test_boids_eat(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        struct flock *flock = make_still((enum flock_boundary)(k % 3), (enum flock_update)(k / 3));
        x[0] = 105.9f;
        x[1] = 100.0f;
        x[2] = 93.9f;
        for (int i = 0; i < 3; i++) {
            y[i] = 50.0f;
            vx[i] = vy[i] = 0.0f;
        }
        place(flock, 3);
        give_food(flock, 100.0f, 50.0f, 5);
        const uint32_t left[] = {3, 1, 0, 0};
        for (int tick = 0; tick < 4; tick++) {
            tick_flock(flock, NULL);
            const struct flock_things *things = flock_things_of(flock);
            assert_int_equal(things->food_count, left[tick] > 0);
            assert_true(left[tick] == 0 || things->food[0].amount == left[tick]);
        }
        flock_destroy(flock);
    }
}

/* In a torus a boid eats across the edge. Only the nearest food shrinks. */
static void test_boids_eat_the_nearest_food(void **state)
{
    (void)state;
    for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
        struct flock *flock = make_still(FLOCK_WRAP, (enum flock_update)update);
        const struct flock_things things = {
            .food_count = 3, .food = {{5.0f, 10.0f, 9}, {898.0f, 699.0f, 9}, {4.0f, 10.0f, 9}}};
        x[0] = 1.0f;
        x[1] = 1.0f;
        x[2] = 400.0f;
        y[0] = 1.0f;
        y[1] = 10.0f;
        y[2] = 300.0f;
        place(flock, 3);
        give(flock, things);
        tick_flock(flock, NULL);
        assert_int_equal(flock_things_of(flock)->food[0].amount, 9);
        assert_int_equal(flock_things_of(flock)->food[1].amount, 8);
        assert_int_equal(flock_things_of(flock)->food[2].amount, 8);
        flock_destroy(flock);
    }
}

/* Returns how far the first of two boids that rest, far apart, goes to the right in one tick. */
static float pull(const char *model, int update, const struct flock_point *target, float food_at)
{
    struct flock *flock = make(model, FLOCK_OPEN, 2);
    assert_true(flock_set_update(flock, (enum flock_update)update));
    if (flock_param_find(flock_settings_of(flock)->model, "min_speed") >= 0) {
        set(flock, "min_speed", 0.0f);
    }
    x[0] = 400.0f;
    x[1] = 400.0f;
    y[0] = 300.0f;
    y[1] = -3000.0f;
    vx[0] = vx[1] = vy[0] = vy[1] = 0.0f;
    place(flock, 2);
    if (food_at > 0.0f) {
        give_food(flock, food_at, 300.0f, 10);
    }
    tick_flock(flock, target);
    look(flock);
    flock_destroy(flock);
    return vx[0];
}

/* Food within 150 units pulls as a cursor there would, but twice as strongly. Beyond, the boid
 * follows the cursor. */
static void test_food_pulls_twice_as_strongly(void **state)
{
    const char *const models[] = {"swarm", "boids", "birds"};
    const struct flock_point right = {500.0f, 300.0f};
    const struct flock_point left = {100.0f, 300.0f};

    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
            float once = pull(models[m], update, &right, 0.0f);
            float twice = pull(models[m], update, &left, 500.0f);
            assert_true(once > 0.0f);
            assert_true(fabsf(twice - 2.0f * once) < 1e-4f * once);
            assert_true(pull(models[m], update, NULL, 549.9f) > 0.0f);
            assert_true(pull(models[m], update, NULL, 550.1f) == 0.0f);
            assert_true(pull(models[m], update, &left, 550.1f) < 0.0f);
        }
    }
}

/* A flock gathers where food lies, in every model, and eats all of it. */
static void test_a_flock_eats_up(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        struct flock *flock = make(flock_models[m]->name, FLOCK_WALLS, MOST);
        give_food(flock, 450.0f, 350.0f, 100);
        int ticks = 0;
        while (flock_things_of(flock)->food_count > 0) {
            assert_true(++ticks < 3000);
            tick_flock(flock, NULL);
        }
        flock_destroy(flock);
    }
}

/* Boids that are not informed neither seek food nor eat it. */
static void test_uninformed_boids_ignore_food(void **state)
{
    static float with[2][MOST];

    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
            struct flock *flock = make(flock_models[m]->name, FLOCK_WRAP, MOST);
            assert_true(flock_set_update(flock, (enum flock_update)update));
            set(flock, "informed", 0.0f);
            look(flock);
            give_food(flock, x[7], y[7], 100);
            tick_flock(flock, NULL);
            assert_int_equal(flock_things_of(flock)->food[0].amount, 100);
            flock_velocities(flock, with[0], with[1]);
            flock_reset(flock);
            tick_flock(flock, NULL);
            look(flock);
            assert_memory_equal(with[0], vx, sizeof vx);
            assert_memory_equal(with[1], vy, sizeof vy);
            flock_destroy(flock);
        }
    }
}

/* A hunter goes to the nearest boid, of two the one with the lower number, at 0.9 times the mean
 * speed of the flock before the tick. */
static void test_a_hunter_runs(void **state)
{
    (void)state;
    for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
        struct flock *flock = make("vision", FLOCK_WRAP, 3);
        assert_true(flock_set_update(flock, (enum flock_update)update));
        x[0] = 750.0f; /* 150 away, around the edge */
        x[1] = 60.0f;  /* 60 away, as the boid 2 is */
        x[2] = 0.0f;
        y[0] = y[1] = 200.0f;
        y[2] = 260.0f;
        vx[0] = 10.0f;
        vx[1] = vx[2] = 0.0f;
        vy[0] = 0.0f;
        vy[1] = 6.0f;
        vy[2] = -4.0f;
        place(flock, 3);
        give_hunter(flock, 0.0f, 200.0f);
        tick_flock(flock, NULL);
        assert_true(fabsf(hunter_of(flock).x - 6.0f) < 1e-4f);
        assert_true(hunter_of(flock).y == 200.0f);
        x[0] = 890.0f;
        place(flock, 3);
        give_hunter(flock, 0.0f, 200.0f);
        tick_flock(flock, NULL);
        assert_true(fabsf(hunter_of(flock).x - 894.0f) < 1e-3f);
        flock_destroy(flock);
    }
}

/* Among slow boids a hunter moves by 1 unit, and not beyond the boid. */
static void test_a_hunter_catches_up(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        struct flock *flock = make_still((enum flock_boundary)(k % 3), (enum flock_update)(k / 3));
        for (int i = 0; i < 3; i++) {
            x[i] = 300.0f + 100.0f * (float)i;
            y[i] = 100.0f;
            vx[i] = vy[i] = 0.0f;
        }
        place(flock, 3);
        give_hunter(flock, 300.0f, 98.5f);
        tick_flock(flock, NULL);
        assert_true(hunter_of(flock).x == 300.0f && hunter_of(flock).y == 99.5f);
        for (int tick = 0; tick < 2; tick++) {
            tick_flock(flock, NULL);
            assert_true(hunter_of(flock).x == 300.0f && hunter_of(flock).y == 100.0f);
        }
        flock_destroy(flock);
    }
}

/* A hunter runs to the nearest of many boids. The engine keeps them in no particular order. */
static void test_a_hunter_finds_the_nearest_of_many(void **state)
{
    (void)state;
    for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
        struct flock *flock = make("boids", (enum flock_boundary)boundary, MOST);
        for (int tick = 0; tick < 200; tick++) {
            const struct flock_point from = {(float)(tick * 367 % 900), (float)(tick * 251 % 700)};
            float pace = 0.0f;
            float nearest = INFINITY;
            struct flock_point way = {0.0f, 0.0f};
            look(flock);
            for (int i = 0; i < MOST; i++) {
                float dx = x[i] - from.x;
                float dy = y[i] - from.y;
                dx -= boundary == FLOCK_WRAP ? 900.0f * rintf(dx / 900.0f) : 0.0f;
                dy -= boundary == FLOCK_WRAP ? 700.0f * rintf(dy / 700.0f) : 0.0f;
                pace += 0.9f * hypotf(vx[i], vy[i]) / (float)MOST;
                if (hypotf(dx, dy) < nearest) {
                    nearest = hypotf(dx, dy);
                    way = (struct flock_point){dx, dy};
                }
            }
            give_hunter(flock, from.x, from.y);
            tick_flock(flock, NULL);
            float part = fminf(fmaxf(pace, 1.0f), nearest) / nearest;
            float dx = hunter_of(flock).x - from.x - part * way.x;
            float dy = hunter_of(flock).y - from.y - part * way.y;
            dx -= 900.0f * rintf(dx / 900.0f);
            dy -= 700.0f * rintf(dy / 700.0f);
            assert_true(fabsf(dx) < 1e-2f && fabsf(dy) < 1e-2f);
        }
        flock_destroy(flock);
    }
}

/* A wall between a hunter and the boids stops it. */
static void test_a_hunter_stops_at_walls(void **state)
{
    const struct flock_wall fence = {500.0f, 0.0f, 500.0f, 700.0f};

    (void)state;
    for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
        struct flock *flock = make_still(FLOCK_WALLS, (enum flock_update)update);
        for (int i = 0; i < 3; i++) {
            x[i] = 520.0f + (float)i;
            y[i] = 100.0f;
            vx[i] = vy[i] = 0.0f;
        }
        place(flock, 3);
        assert_true(flock_set_walls(flock, &fence, 1));
        give_hunter(flock, 480.0f, 100.0f);
        for (int tick = 0; tick < 60; tick++) {
            tick_flock(flock, NULL);
        }
        assert_true(hunter_of(flock).x > 499.9f && hunter_of(flock).x < 500.0f);
        assert_true(flock_set_walls(flock, NULL, 0));
        for (int tick = 0; tick < 30; tick++) {
            tick_flock(flock, NULL);
        }
        assert_true(hunter_of(flock).x == 520.0f);
        flock_destroy(flock);
    }
}

/* With the strength of flight of its model, each flock keeps away from a hunter. */
static void test_boids_flee_from_hunters(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        int close[2] = {0, 0};
        for (int flees = 0; flees < 2; flees++) {
            struct flock *flock = make(flock_models[m]->name, FLOCK_WRAP, MOST);
            if (flees == 1) {
                assert_true(flock_frighten(flock));
                assert_false(flock_frighten(flock));
            }
            give_hunter(flock, 450.0f, 350.0f);
            for (int tick = 0; tick < 300; tick++) {
                tick_flock(flock, NULL);
                look(flock);
                for (int i = 0; i < MOST; i++) {
                    float dx = x[i] - hunter_of(flock).x;
                    float dy = y[i] - hunter_of(flock).y;
                    close[flees] += hypotf(dx, dy) < 30.0f;
                }
            }
            flock_destroy(flock);
        }
        assert_true(close[1] < close[0]);
    }
}

/* Food and hunters stay in a world that shrinks. A reset removes them. */
static void test_the_world_holds_things(void **state)
{
    const struct flock_things things = {.food_count = 1,
                                        .hunter_count = 1,
                                        .food = {{2000.0f, 650.0f, 3}},
                                        .hunters = {{-7.0f, 20.0f}}};
    const struct flock_point kept[][2] = {{{2000.0f, 650.0f}, {-7.0f, 20.0f}},
                                          {{200.0f, 50.0f}, {893.0f, 20.0f}},
                                          {{900.0f, 650.0f}, {0.0f, 20.0f}}};

    (void)state;
    for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
        struct flock *flock = make("boids", (enum flock_boundary)boundary, 10);
        give(flock, things);
        const struct flock_things *now = flock_things_of(flock);
        assert_true(now->food[0].x == (boundary == FLOCK_WRAP ? 200.0f : kept[boundary][0].x));
        assert_true(now->hunters[0].x == kept[boundary][1].x);
        assert_true(flock_set_world(flock, (enum flock_boundary)boundary, 300.0f, 100.0f));
        assert_true(boundary == FLOCK_OPEN ||
                    (now->food[0].x <= 300.0f && now->food[0].y <= 100.0f));
        flock_reset(flock);
        now = flock_things_of(flock);
        assert_int_equal(now->food_count + now->hunter_count, 0);
        flock_destroy(flock);
    }
}

static void test_wrong_things_change_nothing(void **state)
{
    const struct flock_things wrong[] = {
        {.food_count = FLOCK_FOOD_MAX + 1},
        {.hunter_count = FLOCK_HUNTERS_MAX + 1},
        {.food_count = 1, .food = {{1.0f, 1.0f, 0}}},
        {.food_count = 1, .food = {{1.0f, 1.0f, FLOCK_AMOUNT_MAX + 1}}},
        {.food_count = 1, .food = {{NAN, 1.0f, 1}}},
        {.food_count = 1, .food = {{1.0f, 2e6f, 1}}},
        {.hunter_count = 1, .hunters = {{1.0f, INFINITY}}},
        {.hunter_count = 1, .hunters = {{NAN, 1.0f}}},
    };
    struct flock *flock = make("boids", FLOCK_WRAP, 10);

    (void)state;
    give_hunter(flock, 3.0f, 4.0f);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(flock_set_things(flock, &wrong[i]));
        assert_int_equal(flock_things_of(flock)->food_count, 0);
        assert_true(hunter_of(flock).x == 3.0f);
    }
    flock_destroy(flock);
}

/* A flock made from an image has its food and hunters, and continues in the same way. */
static void test_an_image_has_things(void **state)
{
    struct flock *flock = make("birds", FLOCK_WALLS, MOST);
    struct flock_image image;
    const char *problem;

    (void)state;
    give(flock, (struct flock_things){.food_count = 2,
                                      .hunter_count = 2,
                                      .food = {{300.0f, 300.0f, 900}, {500.0f, 100.0f, 2}},
                                      .hunters = {{3.0f, 4.0f}, {800.0f, 600.0f}}});
    tick_flock(flock, NULL);
    flock_image_of(flock, &image);
    struct flock *copy = flock_create_image(&image, &problem);
    assert_non_null(copy);
    for (int tick = 0; tick < 50; tick++) {
        tick_flock(flock, NULL);
        tick_flock(copy, NULL);
    }
    assert_memory_equal(flock_things_of(flock), flock_things_of(copy), sizeof(struct flock_things));
    image.things.hunter_count = FLOCK_HUNTERS_MAX + 1;
    assert_null(flock_create_image(&image, &problem));
    assert_string_equal(problem, "food or a hunter is out of range");
    flock_destroy(copy);
    flock_destroy(flock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boids_eat),
        cmocka_unit_test(test_boids_eat_the_nearest_food),
        cmocka_unit_test(test_food_pulls_twice_as_strongly),
        cmocka_unit_test(test_a_flock_eats_up),
        cmocka_unit_test(test_uninformed_boids_ignore_food),
        cmocka_unit_test(test_a_hunter_runs),
        cmocka_unit_test(test_a_hunter_catches_up),
        cmocka_unit_test(test_a_hunter_finds_the_nearest_of_many),
        cmocka_unit_test(test_a_hunter_stops_at_walls),
        cmocka_unit_test(test_boids_flee_from_hunters),
        cmocka_unit_test(test_the_world_holds_things),
        cmocka_unit_test(test_wrong_things_change_nothing),
        cmocka_unit_test(test_an_image_has_things),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
