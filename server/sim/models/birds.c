/* Soft steering within a range of speeds, after the JavaScript original. */
#include "sim/models/models.h"

static const struct flock_param params[BIRDS_PARAMS] = {
    [BIRDS_VIEW_DISTANCE] = {"view_distance", "units", 0.0f, 1000.0f, 80.0f,
                             "how far a bird sees others to align and gather with"},
    [BIRDS_VIEW_ANGLE] = {"view_angle", "degrees", 0.0f, 360.0f, 270.0f,
                          "width of the cone in which it looks at others"},
    [BIRDS_SEPARATION_DISTANCE] = {"separation_distance", "units", 1.0f, 1000.0f, 25.0f,
                                   "distance that a bird keeps from others"},
    [BIRDS_COHESION_WEIGHT] = {"cohesion_weight", "", 0.0f, 10.0f, 1.0f,
                               "how strongly birds gather"},
    [BIRDS_ALIGNMENT_WEIGHT] = {"alignment_weight", "", 0.0f, 10.0f, 1.0f,
                                "how strongly birds take their neighbours' velocity"},
    [BIRDS_SEPARATION_WEIGHT] = {"separation_weight", "", 0.0f, 10.0f, 2.0f,
                                 "how strongly birds keep apart"},
    [BIRDS_SEEK_WEIGHT] = {"seek_weight", "", 0.0f, 10.0f, 0.5f,
                           "how strongly birds go to the cursor"},
    [BIRDS_SMOOTHING] = {"smoothing", "ticks", 1.0f, 1000.0f, 40.0f,
                         "how slowly a bird gives in to what moves it"},
    [BIRDS_MIN_SPEED] = {"min_speed", "units/tick", 0.0f, 100.0f, 1.0f, "least speed"},
    [BIRDS_MAX_SPEED] = {"max_speed", "units/tick", 0.0f, 100.0f, 3.0f, "greatest speed"},
    FLEE_ROWS(BIRDS_FLEE_WEIGHT),
};

static float reach(const float *p)
{
    return fmaxf(p[BIRDS_VIEW_DISTANCE], p[BIRDS_SEPARATION_DISTANCE]);
}

/* The length into [min_speed, max_speed], the greater having the last word; zero stays zero. */
static struct vec clamped(struct vec v, const float *p)
{
    double length = vec_length(v);
    double wanted = fmin(fmax(length, (double)p[BIRDS_MIN_SPEED]), (double)p[BIRDS_MAX_SPEED]);
    return length > 0.0 ? vec_scale(v, wanted / length) : v;
}

static struct vec velocity(const struct sight *sight)
{
    const float *p = sight->params;
    const struct body *self = &sight->bodies[sight->self];
    double separation = (double)p[BIRDS_SEPARATION_DISTANCE];
    double cosine = sight_cosine(p[BIRDS_VIEW_ANGLE]);
    struct vec together = {0};
    struct vec along = {0};
    struct vec apart = {0};
    uint32_t seen = 0;
    for (uint32_t k = 0; k < sight->near_count; k++) {
        if (sight->near[k] == sight->self) {
            continue;
        }
        const struct body *other = &sight->bodies[sight->near[k]];
        struct vec d = sight_of(sight, other);
        double length = vec_length(d);
        if (vec_dot(self->h, vec_unit(d)) < cosine) {
            continue;
        }
        if (length <= separation) {
            apart = vec_sub(apart, vec_scale(d, 3.0 - length / separation));
        }
        if (length <= (double)p[BIRDS_VIEW_DISTANCE]) {
            together = vec_add(together, d);
            along = vec_add(along, other->v);
            seen++;
        }
    }
    struct vec force = {0};
    if (seen > 0) {
        struct vec change = vec_sub(vec_scale(along, 1.0 / seen), self->v);
        force = vec_scale(vec_unit(together), (double)p[BIRDS_COHESION_WEIGHT]);
        force = vec_add(force, vec_scale(vec_unit(change), (double)p[BIRDS_ALIGNMENT_WEIGHT]));
        force = vec_add(force, vec_scale(vec_unit(apart), (double)p[BIRDS_SEPARATION_WEIGHT]));
    }
    struct vec seek = vec_unit(sight_of_target(sight));
    force = vec_add(force, vec_scale(seek, (double)p[BIRDS_SEEK_WEIGHT]));
    force = vec_add(force, vec_scale(vec_unit(sight->flight), (double)p[BIRDS_FLEE_WEIGHT]));
    return clamped(vec_add(self->v, vec_scale(force, 1.0 / (double)p[BIRDS_SMOOTHING])), p);
}

static const struct flock_rules rules = {reach, velocity};

const struct flock_model birds_model = {
    .name = "birds",
    .text = "Birds that give in softly to what moves them, within a range of speeds",
    .boundary = FLOCK_WRAP,
    .params = params,
    .param_count = BIRDS_PARAMS,
    .rules = &rules,
};
