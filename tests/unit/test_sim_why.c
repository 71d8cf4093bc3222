/* Why a boid turns: the vectors of its rules, compared with the ticks of the fast engine in all
 * models, boundaries and orders; the neighbours, compared with all pairs of boids; and flocks of
 * two or three boids whose vectors follow from the rules. */
#include "sim/why.h"

#include "sanitized.h"
#include "sim/rng.h"
#include "sim_tick.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TOLERANCE 1e-3 /* units per tick: that of the fast engine */

enum { MOST = 1200, TICKS = 6 };

static const struct flock_target targets[] = {
    {130.0f, 90.0f, false}, {30.0f, 300.0f, true}, {260.0f, 40.0f, true}};

static void set(struct flock *flock, const char *name, float value)
{
    int index = flock_param_find(flock_settings_of(flock)->model, name);
    assert_true(index >= 0);
    assert_true(flock_param_set(flock, (size_t)index, value));
}

static struct flock *make(const char *model, enum flock_boundary boundary, enum flock_update update,
                          uint32_t boids)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, flock_model_find(model));
    definition.settings.boundary = boundary;
    definition.settings.update = update;
    definition.boids = boids;
    definition.seed = boids + 1;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    return flock;
}

/* Two or three boids in an open world of the model. */
static struct flock *place(const char *model, const struct flock_state *state, uint32_t count)
{
    struct flock *flock = make(model, FLOCK_OPEN, FLOCK_SYNCHRONOUS, count);
    assert_true(flock_replace(flock, state, count));
    return flock;
}

static void explain(const struct flock *flock, const struct flock_target *aims, size_t count,
                    struct flock_why *whys, uint32_t boids)
{
    assert_true(flock_explain(flock, workspace_for(flock, 1), aims, count, 0.0f, whys, boids));
}

static struct flock_why explain_one(const struct flock *flock, uint32_t boid,
                                    const struct flock_target *target)
{
    struct flock_why why = {.boid = boid};
    explain(flock, target, target != NULL, &why, 1);
    return why;
}

static struct flock_point sum_of(const struct flock_why *why)
{
    struct flock_point sum = {0};
    for (size_t cause = 0; cause < CAUSE_COUNT; cause++) {
        sum.x += why->push[cause].x;
        sum.y += why->push[cause].y;
    }
    return sum;
}

static bool is_zero(struct flock_point point)
{
    return point.x == 0.0f && point.y == 0.0f;
}

static double differ(struct flock_point a, float x, float y)
{
    return fmax(fabs((double)a.x - (double)x), fabs((double)a.y - (double)y));
}

/* ---- against the ticks of the fast engine ---- */

/* Picks boids at random, in ascending order. Returns how many. */
static uint32_t pick(struct flock_why whys[WHY_BOIDS], uint32_t boids, uint64_t seed)
{
    struct rng rng = rng_of_boid(seed, 0);
    uint32_t count = 0;
    for (uint32_t i = 0; i < boids && count < WHY_BOIDS; i++) {
        if (rng_unit(&rng) < 2.0f * (float)WHY_BOIDS / (float)boids) {
            whys[count++].boid = i;
        }
    }
    return count;
}

static void assert_adds_up(const struct flock_why *why)
{
    const struct flock_point sum = sum_of(why);
    const double size = 1.0 + fabs((double)why->after.x) + fabs((double)why->after.y) +
                        fabs((double)why->push[CAUSE_INERTIA].x) +
                        fabs((double)why->push[CAUSE_INERTIA].y);
    assert_true(differ(why->after, why->velocity.x + sum.x, why->velocity.y + sum.y) <=
                1e-5 * size);
    for (uint32_t cause = 0; cause < CAUSE_COUNT; cause++) {
        assert_true((why->causes >> cause & 1) != 0 || is_zero(why->push[cause]));
    }
}

/* Ticks the flock, and compares each tick with its explanation. Returns how many boids differ:
 * where the model itself jumps, as at the edge of sight, floats cannot decide as the rules do. */
static uint32_t compare(struct flock *flock, uint32_t *compared)
{
    static float x[MOST], y[MOST], vx[MOST], vy[MOST], to_x[MOST], to_y[MOST];
    struct flock_why whys[WHY_BOIDS];
    uint32_t jumps = 0;
    for (uint64_t tick = 0; tick < TICKS; tick++) {
        const uint32_t count = pick(whys, flock_count(flock), tick);
        flock_positions(flock, x, y);
        flock_velocities(flock, vx, vy);
        explain(flock, targets, 3, whys, count);
        tick_clear(flock, 2, targets, 3, 0.0f);
        flock_velocities(flock, to_x, to_y);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t boid = whys[i].boid;
            const double fast = fabs((double)to_x[boid]) + fabs((double)to_y[boid]);
            assert_adds_up(&whys[i]);
            assert_true(differ(whys[i].position, x[boid], y[boid]) == 0.0);
            assert_true(differ(whys[i].velocity, vx[boid], vy[boid]) == 0.0);
            jumps += differ(whys[i].after, to_x[boid], to_y[boid]) > TOLERANCE + fast * 1e-5;
            *compared += 1;
        }
    }
    return jumps;
}

static const struct flock_things some_things = {
    .food_count = 3,
    .hunter_count = 2,
    .food = {{150.0f, 120.0f, 1000}, {400.0f, 300.0f, 2}, {500.0f, 30.0f, 1000}},
    .hunters = {{350.0f, 200.0f}, {60.0f, 60.0f}}};

static void compare_model(const char *model, enum flock_boundary boundary, enum flock_update update,
                          bool noise, bool things)
{
    static const struct flock_wall walls[] = {{100.0f, 50.0f, 220.0f, 190.0f},
                                              {300.0f, 350.0f, 310.0f, 100.0f}};
    static const uint32_t sizes[] = {1, 2, 40, 300, MOST};
    for (size_t i = 0; i < (SANITIZED ? 4 : sizeof sizes / sizeof sizes[0]); i++) {
        struct flock *flock = make(model, boundary, update, sizes[i]);
        uint32_t compared = 0;
        assert_true(flock_set_walls(flock, walls, 2));
        set(flock, "flee_weight", 1.5f);
        set(flock, "informed", 0.7f);
        set(flock, "noise", noise ? 40.0f : 0.0f);
        assert_true(!things || flock_set_things(flock, &some_things));
        const uint32_t jumps = compare(flock, &compared);
        if (jumps > 1 + compared / 100) {
            fail_msg("%s, boundary %d, update %d, %u boids, %s: %u of %u explanations differ from "
                     "the tick",
                     model, (int)boundary, (int)update, sizes[i],
                     things ? "food and hunters" : "no things", jumps, compared);
        }
        flock_destroy(flock);
    }
}

static void the_vectors_add_up_to_what_the_tick_does(void **state)
{
    (void)state;
    for (size_t model = 0; flock_models[model] != NULL; model++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            for (int way = 0; way < 6; way++) {
                compare_model(flock_models[model]->name, (enum flock_boundary)boundary,
                              (enum flock_update)(way & 1), way / 2 == 1, way / 2 == 2);
            }
        }
    }
}

static void an_explanation_changes_no_flock(void **state)
{
    static float before[4][MOST], after[4][MOST];
    struct flock_why whys[WHY_BOIDS];

    (void)state;
    for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
        struct flock *flock = make("boids", FLOCK_WRAP, (enum flock_update)update, MOST);
        assert_true(flock_set_things(flock, &some_things));
        const struct flock_things things = *flock_things_of(flock);
        flock_positions(flock, before[0], before[1]);
        flock_velocities(flock, before[2], before[3]);
        explain(flock, targets, 3, whys, pick(whys, MOST, 7));
        flock_positions(flock, after[0], after[1]);
        flock_velocities(flock, after[2], after[3]);
        assert_memory_equal(before, after, sizeof before);
        assert_memory_equal(flock_things_of(flock), &things, sizeof things);
        assert_int_equal(flock_ticks(flock), 0);
        flock_destroy(flock);
    }
}

/* Explanations compare all boids, some lanes at a time. */
static void an_explanation_is_the_same_with_any_number_of_lanes(void **state)
{
    static const uint32_t lanes[] = {4, 8, 16};
    struct flock_why first[WHY_BOIDS], whys[WHY_BOIDS];
    const uint32_t count = pick(first, MOST + 1, 5);

    (void)state;
    for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
        for (size_t i = 0; i < 3; i++) {
            struct flock_definition definition = flock_definition_default();
            flock_settings_choose(&definition.settings, flock_model_find("vision"));
            definition.settings.boundary = (enum flock_boundary)boundary;
            definition.boids = MOST + 1; /* no multiple of a width */
            definition.lanes = lanes[i];
            struct flock *flock = flock_create(&definition);
            memcpy(whys, first, sizeof whys);
            explain(flock, targets, 3, i == 0 ? first : whys, count);
            for (uint32_t k = 0; i > 0 && k < count; k++) {
                assert_memory_equal(whys[k].push, first[k].push, sizeof whys[k].push);
                assert_int_equal(whys[k].seen, first[k].seen);
                assert_int_equal(whys[k].listed, first[k].listed);
                for (uint32_t n = 0; n < whys[k].listed; n++) {
                    assert_int_equal(whys[k].neighbours[n].number, first[k].neighbours[n].number);
                }
            }
            flock_destroy(flock);
        }
    }
}

/* ---- what a boid sees ---- */

static double apart(double d, double side)
{
    d = fabs(d);
    return fmin(d, side - d);
}

/* Looks at all boids. Returns how many are within the radius, and stores the distance of the
 * nearest one. */
static uint32_t count_within(const struct flock *flock, uint32_t boid, double radius,
                             double *nearest)
{
    static float x[MOST], y[MOST];
    uint32_t count = 0;
    flock_positions(flock, x, y);
    *nearest = INFINITY;
    for (uint32_t i = 0; i < flock_count(flock); i++) {
        const double dx = apart((double)x[i] - (double)x[boid], 550.0);
        const double dy = apart((double)y[i] - (double)y[boid], 400.0);
        const double d = sqrt(dx * dx + dy * dy);
        count += i != boid && d > 0.0 && d < radius;
        *nearest = i != boid ? fmin(*nearest, d) : *nearest;
    }
    return count;
}

static double length_of(struct flock_point point)
{
    return hypot((double)point.x, (double)point.y);
}

static void neighbours_are_listed_nearest_first(void **state)
{
    struct flock_why whys[WHY_BOIDS];
    struct flock *flock = make("boids", FLOCK_WRAP, FLOCK_SYNCHRONOUS, MOST);
    const uint32_t count = pick(whys, MOST, 3);

    (void)state;
    explain(flock, NULL, 0, whys, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct flock_why *why = &whys[i];
        double nearest;
        assert_int_equal(why->seen, count_within(flock, why->boid, 50.0, &nearest));
        assert_int_equal(why->crowding, count_within(flock, why->boid, 20.0, &nearest));
        assert_int_equal(why->listed, why->seen < WHY_NEIGHBOURS ? why->seen : WHY_NEIGHBOURS);
        assert_true(why->listed > 8);
        assert_true(fabs(length_of(why->neighbours[0].away) - nearest) < 1e-3);
        for (uint32_t k = 0; k < why->listed; k++) {
            const double d = length_of(why->neighbours[k].away);
            assert_true(k == 0 || d >= length_of(why->neighbours[k - 1].away));
            assert_int_equal(why->neighbours[k].close, d < 20.0);
            assert_int_not_equal(why->neighbours[k].number, why->boid);
        }
    }
    flock_destroy(flock);
}

static void a_boid_behind_is_outside_a_cone(void **state)
{
    const struct flock_state three = {.x = (const float[]){100, 140, 60},
                                      .y = (const float[]){100, 100, 100},
                                      .vx = (const float[]){2, 2, 2},
                                      .vy = (const float[]){0, 0, 0}};
    static const char *const models[] = {"vision", "birds"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct flock *flock = place(models[i], &three, 3);
        set(flock, "view_angle", 90.0f);
        struct flock_why why = explain_one(flock, 0, NULL);
        assert_int_equal(why.listed, 1);
        assert_int_equal(why.neighbours[0].number, 1);
        assert_true(why.view.radius == 80.0f && why.view.angle == 90.0f);
        assert_true(why.close.radius == 25.0f);
        set(flock, "view_angle", 360.0f);
        assert_int_equal(explain_one(flock, 0, NULL).listed, 2);
        flock_destroy(flock);
    }
}

/* ---- vectors that follow from the rules ---- */

static const char *const steered[] = {"boids", "vision", "birds", "steering"};

/* Boid 0 flies to the right. Boid 1 is too close, ahead and below, and flies downward. */
static const struct flock_state close_pair = {.x = (const float[]){100, 110},
                                              .y = (const float[]){100, 105},
                                              .vx = (const float[]){2, 0},
                                              .vy = (const float[]){0, 2}};

static void each_rule_pushes_its_way(void **state)
{
    const struct flock_target above = {100.0f, 20.0f, false};

    (void)state;
    for (size_t i = 0; i < sizeof steered / sizeof steered[0]; i++) {
        struct flock *flock = place(steered[i], &close_pair, 2);
        const struct flock_why why = explain_one(flock, 0, &above);
        assert_int_equal(why.crowding, 1);
        assert_true(why.push[CAUSE_SEPARATION].y < 0.0f); /* away from boid 1 */
        assert_true(why.push[CAUSE_COHESION].y > 0.0f);
        assert_true(why.push[CAUSE_ALIGNMENT].y > 0.0f);
        assert_true(why.push[CAUSE_SEEK].y < 0.0f);
        assert_true(is_zero(why.push[CAUSE_FLEE]) && is_zero(why.push[CAUSE_NOISE]));
        flock_destroy(flock);
    }
}

static void a_rule_without_weight_has_no_vector(void **state)
{
    static const struct {
        const char *param;
        enum flock_cause cause;
    } rows[] = {{"separation_weight", CAUSE_SEPARATION},
                {"alignment_weight", CAUSE_ALIGNMENT},
                {"cohesion_weight", CAUSE_COHESION},
                {"seek_weight", CAUSE_SEEK}};
    const struct flock_target above = {100.0f, 20.0f, false};

    (void)state;
    for (size_t i = 0; i < sizeof steered / sizeof steered[0]; i++) {
        for (size_t row = 0; row < 4; row++) {
            struct flock *flock = place(steered[i], &close_pair, 2);
            const struct flock_why with = explain_one(flock, 0, &above);
            set(flock, rows[row].param, 0.0f);
            const struct flock_why without = explain_one(flock, 0, &above);
            assert_false(is_zero(with.push[rows[row].cause]));
            assert_true(is_zero(without.push[rows[row].cause]));
            flock_destroy(flock);
        }
    }
}

/* A doubled weight doubles the vector: the vectors are what the rules add up. */
static void a_boid_that_keeps_no_distance_has_no_separation(void **state)
{
    (void)state;
    struct flock *flock = make("vision", FLOCK_WRAP, FLOCK_SEQUENTIAL, 200);
    set(flock, "separation_radius", 0.0f);
    struct flock_why why = explain_one(flock, 7, &targets[0]);
    assert_true(why.seen > 0);
    assert_true(is_zero(why.push[CAUSE_SEPARATION]));
    assert_false(is_zero(why.push[CAUSE_SEEK]));
    assert_true(differ(why.push[CAUSE_COHESION], 0.0f, 0.0f) < 100.0);
    flock_destroy(flock);
}

static void a_vector_is_proportional_to_its_weight(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof steered / sizeof steered[0]; i++) {
        struct flock *flock = place(steered[i], &close_pair, 2);
        set(flock, "cohesion_weight", 0.5f);
        const struct flock_point half = explain_one(flock, 0, NULL).push[CAUSE_COHESION];
        set(flock, "cohesion_weight", 1.0f);
        const struct flock_why why = explain_one(flock, 0, NULL);
        assert_true(differ(why.push[CAUSE_COHESION], 2.0f * half.x, 2.0f * half.y) < 1e-6);
        flock_destroy(flock);
    }
}

static void slow_boids_meet_no_limit(void **state)
{
    const struct flock_state slow = {.x = (const float[]){100, 110},
                                     .y = (const float[]){100, 105},
                                     .vx = (const float[]){1.5f, 1.5f},
                                     .vy = (const float[]){0.5f, 0.5f}};
    static const char *const models[] = {"boids", "birds"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct flock *flock = place(models[i], &slow, 2);
        struct flock_why why = explain_one(flock, 0, NULL);
        assert_true(is_zero(why.push[CAUSE_LIMITS]));
        set(flock, "max_speed", 1.0f);
        why = explain_one(flock, 0, NULL);
        assert_true(why.push[CAUSE_LIMITS].x < 0.0f); /* it is slowed down */
        flock_destroy(flock);
    }
}

/* In `swarm`, with everything about a boid known: s = 20, k = 0.4, a = 0.2, inertia 1. */
static void a_swarm_has_the_vectors_of_its_formula(void **state)
{
    const struct flock_state three = {.x = (const float[]){100, 110, 400},
                                      .y = (const float[]){100, 100, 100},
                                      .vx = (const float[]){4, 0, 0},
                                      .vy = (const float[]){0, 0, 0},
                                      .separation = (const float[]){20, 20, 20},
                                      .alignment = (const float[]){0.2f, 0.2f, 0.2f},
                                      .cohesion = (const float[]){0.4f, 0.4f, 0.4f}};
    const struct flock_target target = {203.0f + 1.0f / 3.0f, 200.0f, false};
    struct flock *flock = place("swarm", &three, 3);
    const struct flock_why why = explain_one(flock, 0, &target);

    (void)state;
    assert_int_equal(why.crowding, 1);
    assert_true(differ(why.push[CAUSE_SEPARATION], -10.0f / 4.0f, 0.0f) < 1e-4);
    assert_true(differ(why.push[CAUSE_COHESION], 0.1f * (203.0f + 1.0f / 3.0f - 100.0f), 0.0f) <
                1e-4);
    assert_true(differ(why.push[CAUSE_SEEK], 0.0f, 0.05f * 100.0f) < 1e-4);
    assert_true(differ(why.push[CAUSE_INERTIA], -3.0f, 0.0f) < 1e-5);
    assert_true(why.close.radius == 20.0f);
    flock_destroy(flock);
}

static void an_uninformed_boid_does_not_seek(void **state)
{
    const struct flock_target above = {100.0f, 20.0f, false};

    (void)state;
    for (size_t model = 0; flock_models[model] != NULL; model++) {
        struct flock *flock = place(flock_models[model]->name, &close_pair, 2);
        assert_false(is_zero(explain_one(flock, 0, &above).push[CAUSE_SEEK]));
        set(flock, "informed", 0.5f); /* boid 1 alone */
        assert_true(is_zero(explain_one(flock, 0, &above).push[CAUSE_SEEK]));
        assert_false(is_zero(explain_one(flock, 1, &above).push[CAUSE_SEEK]));
        flock_destroy(flock);
    }
}

/* Food pulls twice as much as a target at the same place, and instead of it. */
static void food_pulls_instead_of_the_target(void **state)
{
    const struct flock_target above = {100.0f, 20.0f, false};
    const struct flock_things food = {.food_count = 1, .food = {{100.0f, 20.0f, 9}}};

    (void)state;
    for (size_t model = 0; flock_models[model] != NULL; model++) {
        struct flock *flock = place(flock_models[model]->name, &close_pair, 2);
        const struct flock_point pull = explain_one(flock, 0, &above).push[CAUSE_SEEK];
        assert_true(flock_set_things(flock, &food));
        const struct flock_why why = explain_one(flock, 0, &above);
        assert_false(is_zero(pull));
        assert_true(is_zero(why.push[CAUSE_SEEK]));
        assert_true(differ(why.push[CAUSE_FOOD], 2.0f * pull.x, 2.0f * pull.y) < 1e-5);
        flock_destroy(flock);
    }
}

/* A hunter scares as a cursor at the same place does. */
static void a_boid_flees_from_a_hunter(void **state)
{
    const struct flock_target cursor = {120.0f, 100.0f, true};
    const struct flock_things hunter = {.hunter_count = 1, .hunters = {{120.0f, 100.0f}}};

    (void)state;
    for (size_t model = 0; flock_models[model] != NULL; model++) {
        struct flock *flock = place(flock_models[model]->name, &close_pair, 2);
        set(flock, "flee_weight", 1.0f);
        const struct flock_point flight = explain_one(flock, 0, &cursor).push[CAUSE_FLEE];
        assert_true(flock_set_things(flock, &hunter));
        const struct flock_why why = explain_one(flock, 0, NULL);
        assert_true(flight.x < 0.0f);
        assert_true(differ(why.push[CAUSE_FLEE], flight.x, flight.y) < 1e-6);
        flock_destroy(flock);
    }
}

static void a_wall_mirrors_the_rest(void **state)
{
    const struct flock_state one = {.x = (const float[]){548},
                                    .y = (const float[]){100},
                                    .vx = (const float[]){3},
                                    .vy = (const float[]){0}};
    struct flock *flock = make("boids", FLOCK_WALLS, FLOCK_SYNCHRONOUS, 1);

    (void)state;
    assert_true(flock_replace(flock, &one, 1));
    const struct flock_why why = explain_one(flock, 0, NULL);
    assert_true(differ(why.after, -3.0f, 0.0f) < 1e-5);
    assert_true(differ(why.push[CAUSE_WALLS], -6.0f, 0.0f) < 1e-5);
    flock_destroy(flock);
}

static void only_causes_that_can_act_are_named(void **state)
{
    struct flock *flock = make("boids", FLOCK_WRAP, FLOCK_SYNCHRONOUS, 3);
    const uint32_t base = 1u << CAUSE_SEPARATION | 1u << CAUSE_ALIGNMENT | 1u << CAUSE_COHESION |
                          1u << CAUSE_SEEK | 1u << CAUSE_LIMITS;

    (void)state;
    assert_int_equal(explain_one(flock, 0, NULL).causes, base);
    set(flock, "noise", 10.0f);
    set(flock, "flee_weight", 1.0f);
    assert_int_equal(explain_one(flock, 0, NULL).causes,
                     base | 1u << CAUSE_NOISE | 1u << CAUSE_FLEE);
    assert_true(flock_set_things(flock, &some_things));
    assert_true((explain_one(flock, 0, NULL).causes >> CAUSE_FOOD & 1) != 0);
    assert_true(flock_set_world(flock, FLOCK_WALLS, 550.0f, 400.0f));
    assert_true((explain_one(flock, 0, NULL).causes >> CAUSE_WALLS & 1) != 0);
    for (uint32_t cause = 0; cause < CAUSE_COUNT; cause++) {
        assert_true(strlen(flock_cause_name((enum flock_cause)cause)) > 3);
    }
    flock_destroy(flock);
}

/* Returns the bits of the causes whose vector differs for some of the boids. */
static uint32_t causes_that_differ(const struct flock_why *a, const struct flock_why *b)
{
    uint32_t causes = 0;
    for (uint32_t i = 0; i < WHY_BOIDS; i++) {
        for (uint32_t cause = 0; cause < CAUSE_COUNT; cause++) {
            const struct flock_point push = b[i].push[cause];
            causes |= (uint32_t)(differ(a[i].push[cause], push.x, push.y) > 0.0) << cause;
        }
    }
    return causes;
}

/* The causes of a parameter in its model's table are those whose vectors it changes. The limits and
 * the random turn act on the sum of the others, and in `swarm` separation is also how far a boid
 * flees. */
static void a_parameter_changes_the_vectors_of_its_causes(void **state)
{
    const uint32_t follow = 1u << CAUSE_LIMITS | 1u << CAUSE_NOISE | 1u << CAUSE_FLEE;
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (size_t i = 0; i < flock_models[m]->param_count; i++) {
            const struct flock_param *param = &flock_models[m]->params[i];
            struct flock *flock = make(flock_models[m]->name, FLOCK_WRAP, FLOCK_SYNCHRONOUS, 300);
            struct flock_why before[WHY_BOIDS], after[WHY_BOIDS];
            assert_true(flock_set_things(flock, &some_things));
            set(flock, "noise", 30.0f);
            set(flock, "flee_weight", 1.0f);
            for (uint32_t boid = 0; boid < WHY_BOIDS; boid++) {
                before[boid].boid = after[boid].boid = 9 * boid;
            }
            explain(flock, targets, 3, before, WHY_BOIDS);
            const float value = flock_param_get(flock, i);
            const float most = fminf(value * 5.0f, param->max);
            /* A new flock is so slow that only a low limit of speed acts. */
            const bool speed = strcmp(param->unit, "units/tick") == 0;
            set(flock, param->name, value * (speed ? 0.1f : 0.6f));
            explain(flock, targets, 3, after, WHY_BOIDS);
            uint32_t differing = causes_that_differ(before, after);
            set(flock, param->name, most);
            explain(flock, targets, 3, after, WHY_BOIDS);
            differing |= causes_that_differ(before, after);
            if (param->causes != 0) {
                assert_int_equal(differing & param->causes & ~(1u << CAUSE_FOOD),
                                 param->causes & ~(1u << CAUSE_FOOD));
                assert_int_equal(differing & ~param->causes & ~follow, 0);
            }
            flock_destroy(flock);
        }
    }
}

static void a_stopped_workspace_explains_nothing(void **state)
{
    struct flock *flock = make("boids", FLOCK_WRAP, FLOCK_SEQUENTIAL, MOST);
    struct flock_workspace *workspace = flock_workspace_create(1);
    struct flock_why why = {.boid = MOST - 1};

    (void)state;
    assert_non_null(workspace);
    flock_workspace_stop(workspace);
    set(flock, "neighbor_distance", 200.0f);
    assert_false(flock_explain(flock, workspace, NULL, 0, 0.0f, &why, 1));
    flock_workspace_destroy(workspace);
    flock_destroy(flock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vectors_add_up_to_what_the_tick_does),
        cmocka_unit_test(an_explanation_changes_no_flock),
        cmocka_unit_test(an_explanation_is_the_same_with_any_number_of_lanes),
        cmocka_unit_test(neighbours_are_listed_nearest_first),
        cmocka_unit_test(a_boid_behind_is_outside_a_cone),
        cmocka_unit_test(each_rule_pushes_its_way),
        cmocka_unit_test(a_rule_without_weight_has_no_vector),
        cmocka_unit_test(a_boid_that_keeps_no_distance_has_no_separation),
        cmocka_unit_test(a_vector_is_proportional_to_its_weight),
        cmocka_unit_test(slow_boids_meet_no_limit),
        cmocka_unit_test(a_swarm_has_the_vectors_of_its_formula),
        cmocka_unit_test(an_uninformed_boid_does_not_seek),
        cmocka_unit_test(food_pulls_instead_of_the_target),
        cmocka_unit_test(a_boid_flees_from_a_hunter),
        cmocka_unit_test(a_wall_mirrors_the_rest),
        cmocka_unit_test(only_causes_that_can_act_are_named),
        cmocka_unit_test(a_parameter_changes_the_vectors_of_its_causes),
        cmocka_unit_test(a_stopped_workspace_explains_nothing),
    };
    return cmocka_run_group_tests_name("sim_why", tests, NULL, NULL);
}
