/* The vector of each rule, compared with the formulas of the models: a transcription of its own,
 * rule by rule, for a few boids at random. test_sim_why.c has the swarm. */
#include "sim/why.h"

#include "sim/rng.h"
#include "sim_tick.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 1e-5 /* units per tick */
#define HALF_TURN 3.14159265358979323846

enum { BOIDS = 7, FLOCKS = 60 };

struct arrow {
    double x, y;
};

/* A flock of a model, and the boid whose rules are computed. */
struct scenery {
    struct flock *flock;
    float x[BOIDS], y[BOIDS], vx[BOIDS], vy[BOIDS];
    struct flock_target aims[2]; /* a target, and a cursor that scares */
    uint32_t self;
};

static struct arrow scaled(struct arrow a, double factor)
{
    return (struct arrow){a.x * factor, a.y * factor};
}

static struct arrow sum(struct arrow a, struct arrow b)
{
    return (struct arrow){a.x + b.x, a.y + b.y};
}

static double length(struct arrow a)
{
    return hypot(a.x, a.y);
}

static struct arrow unit(struct arrow a)
{
    return length(a) > 0.0 ? scaled(a, 1.0 / length(a)) : a;
}

static struct arrow limited(struct arrow a, double most)
{
    return length(a) > most ? scaled(unit(a), most) : a;
}

static double value(const struct scenery *scenery, const char *name)
{
    const int index = flock_param_find(flock_settings_of(scenery->flock)->model, name);
    assert_true(index >= 0);
    return (double)flock_param_get(scenery->flock, (size_t)index);
}

static struct arrow velocity(const struct scenery *scenery, uint32_t boid)
{
    return (struct arrow){(double)scenery->vx[boid], (double)scenery->vy[boid]};
}

/* Returns the way from the boid to a place. */
static struct arrow way(const struct scenery *scenery, float x, float y)
{
    return (struct arrow){(double)x - (double)scenery->x[scenery->self],
                          (double)y - (double)scenery->y[scenery->self]};
}

static struct arrow way_to(const struct scenery *scenery, uint32_t other)
{
    return way(scenery, scenery->x[other], scenery->y[other]);
}

static struct arrow steer(const struct scenery *scenery, struct arrow wish)
{
    const struct arrow ideal = scaled(unit(wish), value(scenery, "max_speed"));
    return limited(sum(ideal, scaled(velocity(scenery, scenery->self), -1.0)),
                   value(scenery, "max_force"));
}

/* Returns the sum over the predators within flee_distance. */
static struct arrow flight(const struct scenery *scenery)
{
    const struct arrow d = way(scenery, scenery->aims[1].x, scenery->aims[1].y);
    const double far = value(scenery, "flee_distance");
    return length(d) < far ? scaled(unit(d), length(d) / far - 1.0) : (struct arrow){0};
}

static double ahead(const struct scenery *scenery, struct arrow d)
{
    const struct arrow h = unit(velocity(scenery, scenery->self));
    const struct arrow u = unit(d);
    return h.x * u.x + h.y * u.y;
}

static double cosine(const struct scenery *scenery, const char *angle)
{
    return cos(value(scenery, angle) / 360.0 * HALF_TURN);
}

/* ---- the formulas ---- */

/* The sums over the other boids that a formula takes. */
struct sums {
    struct arrow apart, along, together;
    uint32_t close, seen;
};

static void steer_all(const struct scenery *scenery, const struct sums *sums,
                      struct arrow push[CAUSE_COUNT])
{
    if (sums->close > 0) {
        push[CAUSE_SEPARATION] =
            scaled(steer(scenery, sums->apart), value(scenery, "separation_weight"));
    }
    if (sums->seen > 0) {
        push[CAUSE_ALIGNMENT] =
            scaled(steer(scenery, sums->along), value(scenery, "alignment_weight"));
        push[CAUSE_COHESION] =
            scaled(steer(scenery, sums->together), value(scenery, "cohesion_weight"));
    }
    push[CAUSE_SEEK] = scaled(steer(scenery, way(scenery, scenery->aims[0].x, scenery->aims[0].y)),
                              value(scenery, "seek_weight"));
    if (length(flight(scenery)) > 0.0) {
        push[CAUSE_FLEE] = scaled(steer(scenery, flight(scenery)), value(scenery, "flee_weight"));
    }
}

static void compute_boids(const struct scenery *scenery, struct arrow push[CAUSE_COUNT])
{
    struct sums sums = {0};
    for (uint32_t j = 0; j < BOIDS; j++) {
        const struct arrow d = way_to(scenery, j);
        if (j != scenery->self && length(d) < value(scenery, "desired_separation")) {
            sums.apart = sum(sums.apart, scaled(unit(d), -1.0 / length(d)));
            sums.close++;
        }
        if (j != scenery->self && length(d) < value(scenery, "neighbor_distance")) {
            sums.along = sum(sums.along, velocity(scenery, j));
            sums.together = sum(sums.together, d);
            sums.seen++;
        }
    }
    steer_all(scenery, &sums, push);
}

static void compute_steering(const struct scenery *scenery, struct arrow push[CAUSE_COUNT])
{
    struct sums sums = {0};
    for (uint32_t j = 0; j < BOIDS; j++) {
        const struct arrow d = way_to(scenery, j);
        if (j != scenery->self && length(d) < value(scenery, "separation_distance")) {
            sums.apart = sum(sums.apart, scaled(unit(d), -1.0));
            sums.close++;
        }
        if (j != scenery->self && length(d) < value(scenery, "neighbor_distance")) {
            sums.along = sum(sums.along, unit(velocity(scenery, j)));
            sums.together = sum(sums.together, d);
            sums.seen++;
        }
    }
    steer_all(scenery, &sums, push);
}

/* Stores the unit vectors of the sums, each with its weight. scale: of all of them. */
static void pull_all(const struct scenery *scenery, const struct sums *sums, double scale,
                     struct arrow push[CAUSE_COUNT])
{
    const struct arrow goal = way(scenery, scenery->aims[0].x, scenery->aims[0].y);
    push[CAUSE_SEPARATION] = scaled(unit(sums->apart), scale * value(scenery, "separation_weight"));
    push[CAUSE_ALIGNMENT] = scaled(unit(sums->along), scale * value(scenery, "alignment_weight"));
    push[CAUSE_COHESION] = scaled(unit(sums->together), scale * value(scenery, "cohesion_weight"));
    push[CAUSE_SEEK] = scaled(unit(goal), scale * value(scenery, "seek_weight"));
    push[CAUSE_FLEE] = scaled(unit(flight(scenery)), scale * value(scenery, "flee_weight"));
}

static void compute_birds(const struct scenery *scenery, struct arrow push[CAUSE_COUNT])
{
    const double far = value(scenery, "separation_distance");
    struct sums sums = {0};
    for (uint32_t j = 0; j < BOIDS; j++) {
        const struct arrow d = way_to(scenery, j);
        if (j == scenery->self || ahead(scenery, d) < cosine(scenery, "view_angle")) {
            continue;
        }
        if (length(d) <= far) {
            sums.apart = sum(sums.apart, scaled(d, length(d) / far - 3.0));
        }
        if (length(d) <= value(scenery, "view_distance")) {
            sums.along = sum(sums.along, velocity(scenery, j));
            sums.together = sum(sums.together, d);
            sums.seen++;
        }
    }
    if (sums.seen > 0) { /* the mean of the others' velocities, beyond its own */
        sums.along = sum(scaled(sums.along, 1.0 / sums.seen),
                         scaled(velocity(scenery, scenery->self), -1.0));
    } else {
        sums.apart = (struct arrow){0};
    }
    pull_all(scenery, &sums, 1.0 / value(scenery, "smoothing"), push);
}

/* A pull of 1 is as long as the change of velocity of the greatest turn. */
static void compute_vision(const struct scenery *scenery, struct arrow push[CAUSE_COUNT])
{
    const double far = value(scenery, "separation_radius");
    const double turn = value(scenery, "max_turn") / 180.0 * HALF_TURN;
    struct sums sums = {0};
    for (uint32_t j = 0; j < BOIDS; j++) {
        const struct arrow d = way_to(scenery, j);
        if (j == scenery->self) {
            continue;
        }
        if (ahead(scenery, d) > cosine(scenery, "view_angle") &&
            length(d) < value(scenery, "view_radius")) {
            sums.along = sum(sums.along, unit(velocity(scenery, j)));
            sums.together = sum(sums.together, d);
        }
        if (ahead(scenery, d) > cosine(scenery, "separation_angle") && length(d) < far) {
            sums.apart = sum(sums.apart, scaled(unit(d), length(d) / far - 1.0));
        }
    }
    pull_all(scenery, &sums, 2.0 * sin(turn / 2.0) * value(scenery, "speed"), push);
}

/* ---- flocks at random ---- */

static float draw(struct rng *rng, float least, float most)
{
    return least + (most - least) * rng_unit(rng);
}

static void scatter(struct scenery *scenery, const char *model, struct rng *rng)
{
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, flock_model_find(model));
    definition.settings.boundary = FLOCK_OPEN;
    definition.boids = BOIDS;
    scenery->flock = flock_create(&definition);
    assert_non_null(scenery->flock);
    for (uint32_t i = 0; i < BOIDS; i++) {
        scenery->x[i] = draw(rng, 200.0f, 290.0f);
        scenery->y[i] = draw(rng, 200.0f, 290.0f);
        scenery->vx[i] = draw(rng, -2.0f, 2.0f);
        scenery->vy[i] = draw(rng, -2.0f, 2.0f);
    }
    const struct flock_state state = {
        .x = scenery->x, .y = scenery->y, .vx = scenery->vx, .vy = scenery->vy};
    const int flee = flock_param_find(flock_settings_of(scenery->flock)->model, "flee_weight");
    assert_true(flock_replace(scenery->flock, &state, BOIDS));
    assert_true(flee >= 0 && flock_param_set(scenery->flock, (size_t)flee, 1.25f));
    scenery->aims[0] =
        (struct flock_target){draw(rng, 0.0f, 500.0f), draw(rng, 0.0f, 400.0f), false};
    scenery->aims[1] =
        (struct flock_target){draw(rng, 150.0f, 350.0f), draw(rng, 150.0f, 350.0f), true};
    scenery->self = (uint32_t)draw(rng, 0.0f, (float)BOIDS);
}

static void compare_flock(const struct scenery *scenery, const char *model,
                          void (*compute)(const struct scenery *, struct arrow *))
{
    static const enum flock_cause causes[] = {CAUSE_SEPARATION, CAUSE_ALIGNMENT, CAUSE_COHESION,
                                              CAUSE_SEEK, CAUSE_FLEE};
    struct arrow push[CAUSE_COUNT] = {0};
    struct flock_why why = {.boid = scenery->self};
    assert_true(flock_explain(scenery->flock, workspace_for(scenery->flock, 1), scenery->aims, 2,
                              0.0f, &why, 1));
    compute(scenery, push);
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        const struct flock_point told = why.push[causes[i]];
        const struct arrow rest = {(double)told.x - push[causes[i]].x,
                                   (double)told.y - push[causes[i]].y};
        if (length(rest) > TOLERANCE) {
            fail_msg("%s, %s: the vector is (%g, %g) instead of (%g, %g)", model,
                     flock_cause_name(causes[i]), (double)told.x, (double)told.y, push[causes[i]].x,
                     push[causes[i]].y);
        }
    }
}

static const struct formulas {
    const char *model;
    void (*compute)(const struct scenery *, struct arrow *);
} formulas[] = {{"boids", compute_boids},
                {"steering", compute_steering},
                {"birds", compute_birds},
                {"vision", compute_vision}};

enum { FORMULAS = sizeof formulas / sizeof formulas[0] };

static void each_rule_has_the_vector_of_its_formula(void **state)
{
    struct rng rng = rng_of_boid(22, 0);

    (void)state;
    for (size_t row = 0; row < FORMULAS; row++) {
        for (uint32_t i = 0; i < FLOCKS; i++) {
            struct scenery scenery;
            scatter(&scenery, formulas[row].model, &rng);
            compare_flock(&scenery, formulas[row].model, formulas[row].compute);
            flock_destroy(scenery.flock);
        }
    }
}

static void each_model_has_formulas(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        bool has = strcmp(flock_models[m]->name, "swarm") == 0;
        for (size_t row = 0; row < FORMULAS; row++) {
            has = has || strcmp(flock_models[m]->name, formulas[row].model) == 0;
        }
        if (!has) {
            fail_msg("%s has no formulas in this test", flock_models[m]->name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_has_the_vector_of_its_formula),
        cmocka_unit_test(each_model_has_formulas),
    };
    return cmocka_run_group_tests_name("sim_why_rules", tests, NULL, NULL);
}
