/* The ActionScript swarm: global centroid, target vector, and a separation distance, alignment and
 * cohesion of every boid's own. */
#include "sim/models/models.h"

static const struct flock_param params[SWARM_PARAMS] = {
    [SWARM_SEPARATION_MIN] = {"separation_min", "units", 0.0f, 200.0f, 20.0f,
                              "least distance that a boid keeps from the others"},
    [SWARM_SEPARATION_MAX] = {"separation_max", "units", 0.0f, 200.0f, 30.0f,
                              "greatest distance that a boid keeps from the others"},
    [SWARM_ALIGNMENT_MIN] = {"alignment_min", "", 0.0f, 2.0f, 0.1f, "least pull toward the target"},
    [SWARM_ALIGNMENT_MAX] = {"alignment_max", "", 0.0f, 2.0f, 0.3f,
                             "greatest pull toward the target"},
    [SWARM_COHESION_MIN] = {"cohesion_min", "", 0.0f, 2.0f, 0.3f, "least pull toward the centroid"},
    [SWARM_COHESION_MAX] = {"cohesion_max", "", 0.0f, 2.0f, 0.5f,
                            "greatest pull toward the centroid"},
    [SWARM_INERTIA] = {"inertia", "", 0.0f, 3.0f, 1.0f, "how much of its velocity a boid keeps"},
    FLEE_ROWS(SWARM_FLEE_WEIGHT),
};

static float reach(const float *p)
{
    return fmaxf(p[SWARM_SEPARATION_MIN], p[SWARM_SEPARATION_MAX]);
}

static struct vec velocity(const struct sight *sight)
{
    const float *p = sight->params;
    const struct body *self = &sight->bodies[sight->self];
    double s = sight->separation;
    struct vec sum = {0};
    uint32_t others = 0;
    for (uint32_t k = 0; k < sight->near_count; k++) {
        struct vec d = sight_of(sight, &sight->bodies[sight->near[k]]);
        if (sight->near[k] != sight->self && vec_dot(d, d) < s * s) {
            sum = vec_add(sum, d);
            others++;
        }
    }
    struct vec apart = {0};
    if (others > 0) {
        struct vec e = vec_scale(sum, -1.0 / others);
        double d = vec_length(e);
        apart = d > 0.0 ? vec_scale(e, (s - d) / d) : apart;
    }
    struct vec pull = {0};
    if (sight->target != NULL) {
        pull = sight_between(sight, sight->centroid, *sight->target);
    }
    struct vec home = sight_between(sight, self->p, sight->centroid);
    struct vec v = vec_add(vec_scale(self->v, (double)p[SWARM_INERTIA]), apart);
    v = vec_add(v, vec_scale(pull, sight->alignment));
    v = vec_add(v, vec_scale(home, sight->cohesion));
    v = vec_add(v, vec_scale(sight->flight, s * (double)p[SWARM_FLEE_WEIGHT]));
    return vec_scale(v, 0.25);
}

static const struct flock_rules rules = {reach, velocity};

const struct flock_model swarm_model = {
    .name = "swarm",
    .text = "Every boid is drawn to the centre of all and pushed from those too near",
    .boundary = FLOCK_OPEN,
    .params = params,
    .param_count = SWARM_PARAMS,
    .rules = &rules,
};
