/* Steering behaviours with a rate of turn, after the UE4 original. */
#include "sim/models/models.h"
#include "sim/trig.h"

static const struct flock_param params[STEERING_PARAMS] = {
    [STEERING_NEIGHBOR_DISTANCE] = {"neighbor_distance", "units", 0.0f, 1000.0f, 80.0f,
                                    "how far a boid sees others to align and gather with"},
    [STEERING_SEPARATION_DISTANCE] = {"separation_distance", "units", 0.0f, 1000.0f, 30.0f,
                                      "distance that a boid keeps from others"},
    [STEERING_MAX_SPEED] = {"max_speed", "units/tick", 0.0f, 100.0f, 3.0f, "greatest speed"},
    [STEERING_MAX_FORCE] = {"max_force", "units/tick²", 0.0f, 10.0f, 0.1f,
                            "greatest change of velocity that one rule asks for"},
    [STEERING_SEPARATION_WEIGHT] = {"separation_weight", "", 0.0f, 10.0f, 1.5f,
                                    "how strongly boids keep apart"},
    [STEERING_ALIGNMENT_WEIGHT] = {"alignment_weight", "", 0.0f, 10.0f, 1.0f,
                                   "how strongly boids take their neighbours' heading"},
    [STEERING_COHESION_WEIGHT] = {"cohesion_weight", "", 0.0f, 10.0f, 1.0f,
                                  "how strongly boids gather"},
    [STEERING_SEEK_WEIGHT] = {"seek_weight", "", 0.0f, 10.0f, 0.5f,
                              "how strongly boids go to the cursor"},
    [STEERING_TURN_RATE] = {"turn_rate", "", 0.0f, 1.0f, 0.2f,
                            "part of the angle still to turn that is turned in a tick"},
    FLEE_ROWS(STEERING_FLEE_WEIGHT),
};

static float reach(const float *p)
{
    return fmaxf(p[STEERING_NEIGHBOR_DISTANCE], p[STEERING_SEPARATION_DISTANCE]);
}

/* The speed of `wish` along a heading turned toward it by a part of the angle between them. */
static struct vec turned(struct vec h, struct vec wish, double rate)
{
    if (h.x == 0.0 && h.y == 0.0) {
        return wish;
    }
    double sine;
    double cosine;
    trig_sincos(trig_atan2(vec_cross(h, wish), vec_dot(h, wish)) * rate, &sine, &cosine);
    return vec_scale(vec_turn(h, sine, cosine), vec_length(wish));
}

static struct vec velocity(const struct sight *sight)
{
    const float *p = sight->params;
    double max_speed = (double)p[STEERING_MAX_SPEED];
    double max_force = (double)p[STEERING_MAX_FORCE];
    const struct body *self = &sight->bodies[sight->self];
    struct vec apart = {0};
    struct vec along = {0};
    struct vec together = {0};
    uint32_t close = 0;
    uint32_t neighbours = 0;
    for (uint32_t k = 0; k < sight->near_count; k++) {
        const struct body *other = &sight->bodies[sight->near[k]];
        struct vec d = sight_of(sight, other);
        double length = vec_length(d);
        if (sight->near[k] == sight->self || length == 0.0) {
            continue;
        }
        if (length < (double)p[STEERING_SEPARATION_DISTANCE]) {
            apart = vec_sub(apart, vec_unit(d));
            close++;
        }
        if (length < (double)p[STEERING_NEIGHBOR_DISTANCE]) {
            along = vec_add(along, other->h);
            together = vec_add(together, d);
            neighbours++;
        }
    }
    /* sight_steer() looks at directions alone, so sums do for means. */
    struct vec v = self->v;
    if (close > 0) {
        v = vec_add(v, vec_scale(sight_steer(sight, apart, max_speed, max_force),
                                 (double)p[STEERING_SEPARATION_WEIGHT]));
    }
    if (neighbours > 0) {
        v = vec_add(v, vec_scale(sight_steer(sight, along, max_speed, max_force),
                                 (double)p[STEERING_ALIGNMENT_WEIGHT]));
        v = vec_add(v, vec_scale(sight_steer(sight, together, max_speed, max_force),
                                 (double)p[STEERING_COHESION_WEIGHT]));
    }
    if (sight->target != NULL) {
        struct vec seek = sight_steer(sight, sight_of_target(sight), max_speed, max_force);
        v = vec_add(v, vec_scale(seek, (double)p[STEERING_SEEK_WEIGHT]));
    }
    if (sight->flight.x != 0.0 || sight->flight.y != 0.0) {
        struct vec flee = sight_steer(sight, sight->flight, max_speed, max_force);
        v = vec_add(v, vec_scale(flee, (double)p[STEERING_FLEE_WEIGHT]));
    }
    v = vec_limit(v, max_speed);
    return turned(self->h, v, (double)p[STEERING_TURN_RATE]);
}

static const struct flock_rules rules = {reach, velocity};

const struct flock_model steering_model = {
    .name = "steering",
    .text = "Steering behaviours among walls, turning a part of the way each tick",
    .boundary = FLOCK_WALLS,
    .params = params,
    .param_count = STEERING_PARAMS,
    .rules = &rules,
};
