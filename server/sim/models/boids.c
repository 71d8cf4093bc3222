/* Reynolds' three rules as steering forces, after the C++ original. */
#include "sim/models/models.h"
#include "sim/wide/crowd.h"

enum {
    BOIDS_NEIGHBOR_DISTANCE,
    BOIDS_DESIRED_SEPARATION,
    BOIDS_MAX_SPEED,
    BOIDS_MAX_FORCE,
    BOIDS_SEPARATION_WEIGHT,
    BOIDS_ALIGNMENT_WEIGHT,
    BOIDS_COHESION_WEIGHT,
    BOIDS_SEEK_WEIGHT,
    COMMON_PARAMS(BOIDS),
    BOIDS_PARAMS
};

#if MODEL_ONCE

static const struct flock_param params[BOIDS_PARAMS] = {
    [BOIDS_NEIGHBOR_DISTANCE] = {"neighbor_distance", "units", 0.0f, 1000.0f, 50.0f,
                                 "how far a boid sees others to align and gather with",
                                 CAUSES_OF_NEIGHBOURS},
    [BOIDS_DESIRED_SEPARATION] = {"desired_separation", "units", 0.0f, 1000.0f, 20.0f,
                                  "distance that a boid keeps from others", 1u << CAUSE_SEPARATION},
    [BOIDS_MAX_SPEED] = {"max_speed", "units/tick", 0.0f, 100.0f, 3.0f, "greatest speed", 0},
    [BOIDS_MAX_FORCE] = {"max_force", "units/tick²", 0.0f, 10.0f, 0.05f,
                         "greatest change of velocity that one rule asks for", 0},
    [BOIDS_SEPARATION_WEIGHT] = {"separation_weight", "", 0.0f, 10.0f, 1.5f,
                                 "how strongly boids keep apart", 1u << CAUSE_SEPARATION},
    [BOIDS_ALIGNMENT_WEIGHT] = {"alignment_weight", "", 0.0f, 10.0f, 1.0f,
                                "how strongly boids take their neighbours' direction",
                                1u << CAUSE_ALIGNMENT},
    [BOIDS_COHESION_WEIGHT] = {"cohesion_weight", "", 0.0f, 10.0f, 1.0f,
                               "how strongly boids gather", 1u << CAUSE_COHESION},
    [BOIDS_SEEK_WEIGHT] = {"seek_weight", "", 0.0f, 10.0f, 0.5f,
                           "how strongly boids go to the cursor", CAUSES_OF_TARGETS},
    COMMON_ROWS(BOIDS),
};

static float reach(const float *p)
{
    return fmaxf(p[BOIDS_NEIGHBOR_DISTANCE], p[BOIDS_DESIRED_SEPARATION]);
}

static struct vec velocity(const struct sight *sight, struct parts *parts)
{
    const float *p = sight->params;
    double max_speed = (double)p[BOIDS_MAX_SPEED];
    double max_force = (double)p[BOIDS_MAX_FORCE];
    struct vec apart = {0};
    struct vec along = {0};
    struct vec together = {0};
    uint32_t neighbours = 0;
    parts_zones(parts, (struct flock_zone){p[BOIDS_NEIGHBOR_DISTANCE], 360.0f},
                (struct flock_zone){p[BOIDS_DESIRED_SEPARATION], 360.0f});
    for (uint32_t k = 0; k < sight->near_count; k++) {
        const struct glimpse *other = &sight->near[k];
        struct vec d = other->d;
        double length = other->length;
        if (length == 0.0) {
            continue;
        }
        bool near = length < (double)p[BOIDS_NEIGHBOR_DISTANCE];
        bool crowded = length < (double)p[BOIDS_DESIRED_SEPARATION];
        parts_see(parts, other, near | crowded, crowded);
        if (crowded) {
            apart = vec_sub(apart, vec_scale(d, 1.0 / (length * length)));
        }
        along = vec_add_if(near, along, sight->bodies[other->number].v);
        together = vec_add_if(near, together, d);
        neighbours += near;
    }
    /* sight_steer() uses only the direction, so sums replace means. */
    struct vec v = sight->bodies[sight->self].v;
    if (apart.x != 0.0 || apart.y != 0.0) {
        struct vec push = sight_steer(sight, apart, max_speed, max_force);
        v = parts_push(parts, CAUSE_SEPARATION, v,
                       vec_scale(push, (double)p[BOIDS_SEPARATION_WEIGHT]));
    }
    if (neighbours > 0) {
        struct vec push = sight_steer(sight, along, max_speed, max_force);
        v = parts_push(parts, CAUSE_ALIGNMENT, v,
                       vec_scale(push, (double)p[BOIDS_ALIGNMENT_WEIGHT]));
        push = sight_steer(sight, together, max_speed, max_force);
        v = parts_push(parts, CAUSE_COHESION, v, vec_scale(push, (double)p[BOIDS_COHESION_WEIGHT]));
    }
    if (sight->target != NULL) {
        struct vec seek = sight_steer(sight, sight_of_target(sight), max_speed, max_force);
        v = parts_push(parts, sight_lure(sight), v,
                       vec_scale(seek, (double)p[BOIDS_SEEK_WEIGHT] * sight->keenness));
    }
    if (sight->flight.x != 0.0 || sight->flight.y != 0.0) {
        struct vec flee = sight_steer(sight, sight->flight, max_speed, max_force);
        v = parts_push(parts, CAUSE_FLEE, v, vec_scale(flee, (double)p[BOIDS_FLEE_WEIGHT]));
    }
    return parts_limit(parts, v, vec_limit(v, max_speed));
}

static const struct flock_rules rules = {
    .reach = reach,
    .velocity = velocity,
    .causes = CAUSES_OF_RULES,
    .tick = TICK_CROWD,
    .loops = MODEL_LOOPS(boids),
};

const struct flock_model boids_model = {
    .name = "boids",
    .version = 1,
    .text = "Reynolds' separation, alignment and cohesion as steering forces",
    .boundary = FLOCK_WRAP,
    .params = params,
    .param_count = BOIDS_PARAMS,
    .neighbour = BOIDS_NEIGHBOR_DISTANCE,
    .common = COMMON_INDEXES(BOIDS),
    .flight = 5.0F,
    .rules = &rules,
};

#endif

struct sums {
    struct wide_vec apart, along, together;
    wide_mask seen;
};

WIDE_INLINE void look(const struct group *group, struct sums *sums, const struct candidate *other)
{
    const float *p = group->job->params;
    float far = p[BOIDS_NEIGHBOR_DISTANCE];
    float close = p[BOIDS_DESIRED_SEPARATION];
    wide_mask present = wide_less((wide){0}, other->square);
    wide_mask near = wide_both(present, wide_less(other->square, wide_all(far * far)));
    sums->seen = wide_either(sums->seen, near);
    sums->along.x = wide_plus(sums->along.x, near, other->v.x);
    sums->along.y = wide_plus(sums->along.y, near, other->v.y);
    sums->together.x = wide_plus(sums->together.x, near, other->d.x);
    sums->together.y = wide_plus(sums->together.y, near, other->d.y);
    wide_mask crowded = wide_both(present, wide_less(other->square, wide_all(close * close)));
    wide inverse = -1.0f / other->square;
    sums->apart.x = wide_plus(sums->apart.x, crowded, other->d.x * inverse);
    sums->apart.y = wide_plus(sums->apart.y, crowded, other->d.y * inverse);
}

WIDE_INLINE struct wide_vec turn(const struct group *group, const struct sums *sums)
{
    const float *p = group->job->params;
    wide speed = wide_all(p[BOIDS_MAX_SPEED]);
    wide force = wide_all(p[BOIDS_MAX_FORCE]);
    struct aimed aimed = aim_group(group);
    wide_mask apart = wide_less((wide){0}, wide_dot(sums->apart, sums->apart));
    struct wide_vec v = group->v;
    v = pushed(v, apart, steer(group, sums->apart, speed, force), p[BOIDS_SEPARATION_WEIGHT]);
    v = pushed(v, sums->seen, steer(group, sums->along, speed, force), p[BOIDS_ALIGNMENT_WEIGHT]);
    v = pushed(v, sums->seen, steer(group, sums->together, speed, force), p[BOIDS_COHESION_WEIGHT]);
    if (aim_seeks(group->job->aim)) {
        struct wide_vec seek = steer(group, aimed.target, speed, force);
        v = pushed(v, aimed.sought, wide_scale(seek, aimed.keenness), p[BOIDS_SEEK_WEIGHT]);
    }
    if (group->job->aim->predators > 0) {
        v = pushed(v, aimed.fled, steer(group, aimed.flight, speed, force), p[BOIDS_FLEE_WEIGHT]);
    }
    return wide_limit(v, speed);
}

CROWD_LOOPS(boids, false)
