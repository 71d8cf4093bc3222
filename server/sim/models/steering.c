/* Steering behaviours with a rate of turn, after the Unreal Engine 4 original. */
#include "sim/models/models.h"
#include "sim/trig.h"
#include "sim/wide/crowd.h"

enum {
    STEERING_NEIGHBOR_DISTANCE,
    STEERING_SEPARATION_DISTANCE,
    STEERING_MAX_SPEED,
    STEERING_MAX_FORCE,
    STEERING_SEPARATION_WEIGHT,
    STEERING_ALIGNMENT_WEIGHT,
    STEERING_COHESION_WEIGHT,
    STEERING_SEEK_WEIGHT,
    STEERING_TURN_RATE,
    COMMON_PARAMS(STEERING),
    STEERING_PARAMS
};

#if MODEL_ONCE

static const struct flock_param params[STEERING_PARAMS] = {
    [STEERING_NEIGHBOR_DISTANCE] = {"neighbor_distance", "units", 0.0f, 1000.0f, 80.0f,
                                    "how far a boid sees others to align and gather with",
                                    CAUSES_OF_NEIGHBOURS},
    [STEERING_SEPARATION_DISTANCE] = {"separation_distance", "units", 0.0f, 1000.0f, 30.0f,
                                      "distance that a boid keeps from others",
                                      1u << CAUSE_SEPARATION},
    [STEERING_MAX_SPEED] = {"max_speed", "units/tick", 0.0f, 100.0f, 3.0f, "greatest speed", 0},
    [STEERING_MAX_FORCE] = {"max_force", "units/tick²", 0.0f, 10.0f, 0.1f,
                            "greatest change of velocity that one rule asks for", 0},
    [STEERING_SEPARATION_WEIGHT] = {"separation_weight", "", 0.0f, 10.0f, 1.5f,
                                    "how strongly boids keep apart", 1u << CAUSE_SEPARATION},
    [STEERING_ALIGNMENT_WEIGHT] = {"alignment_weight", "", 0.0f, 10.0f, 1.0f,
                                   "how strongly boids take their neighbours' heading",
                                   1u << CAUSE_ALIGNMENT},
    [STEERING_COHESION_WEIGHT] = {"cohesion_weight", "", 0.0f, 10.0f, 1.0f,
                                  "how strongly boids gather", 1u << CAUSE_COHESION},
    [STEERING_SEEK_WEIGHT] = {"seek_weight", "", 0.0f, 10.0f, 0.5f,
                              "how strongly boids go to the cursor", CAUSES_OF_TARGETS},
    [STEERING_TURN_RATE] = {"turn_rate", "", 0.0f, 1.0f, 0.2f,
                            "part of the remaining angle that a boid turns in a tick",
                            1u << CAUSE_LIMITS},
    COMMON_ROWS(STEERING),
};

static float reach(const float *p)
{
    return fmaxf(p[STEERING_NEIGHBOR_DISTANCE], p[STEERING_SEPARATION_DISTANCE]);
}

/* Returns a velocity with the speed of `wish`. Its heading is turned toward `wish` by a part of the
 * angle between them. */
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

static struct vec velocity(const struct sight *sight, struct parts *parts)
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
    parts_zones(parts, (struct flock_zone){p[STEERING_NEIGHBOR_DISTANCE], 360.0f},
                (struct flock_zone){p[STEERING_SEPARATION_DISTANCE], 360.0f});
    for (uint32_t k = 0; k < sight->near_count; k++) {
        const struct glimpse *other = &sight->near[k];
        struct vec d = other->d;
        double length = other->length;
        if (length == 0.0) {
            continue;
        }
        bool near = length < (double)p[STEERING_NEIGHBOR_DISTANCE];
        bool crowded = length < (double)p[STEERING_SEPARATION_DISTANCE];
        parts_see(parts, other, near | crowded, crowded);
        if (crowded) {
            apart = vec_sub(apart, glimpse_unit(other));
            close++;
        }
        along = vec_add_if(near, along, sight->bodies[other->number].h);
        together = vec_add_if(near, together, d);
        neighbours += near;
    }
    /* sight_steer() uses only the direction, so sums replace means. */
    struct vec v = self->v;
    if (close > 0) {
        struct vec push = sight_steer(sight, apart, max_speed, max_force);
        v = parts_push(parts, CAUSE_SEPARATION, v,
                       vec_scale(push, (double)p[STEERING_SEPARATION_WEIGHT]));
    }
    if (neighbours > 0) {
        struct vec push = sight_steer(sight, along, max_speed, max_force);
        v = parts_push(parts, CAUSE_ALIGNMENT, v,
                       vec_scale(push, (double)p[STEERING_ALIGNMENT_WEIGHT]));
        push = sight_steer(sight, together, max_speed, max_force);
        v = parts_push(parts, CAUSE_COHESION, v,
                       vec_scale(push, (double)p[STEERING_COHESION_WEIGHT]));
    }
    if (sight->target != NULL) {
        struct vec seek = sight_steer(sight, sight_of_target(sight), max_speed, max_force);
        v = parts_push(parts, sight_lure(sight), v,
                       vec_scale(seek, (double)p[STEERING_SEEK_WEIGHT] * sight->keenness));
    }
    if (sight->flight.x != 0.0 || sight->flight.y != 0.0) {
        struct vec flee = sight_steer(sight, sight->flight, max_speed, max_force);
        v = parts_push(parts, CAUSE_FLEE, v, vec_scale(flee, (double)p[STEERING_FLEE_WEIGHT]));
    }
    struct vec wish = vec_limit(v, max_speed);
    return parts_limit(parts, v, turned(self->h, wish, (double)p[STEERING_TURN_RATE]));
}

static const struct flock_rules rules = {
    .reach = reach,
    .velocity = velocity,
    .causes = CAUSES_OF_RULES,
    .tick = TICK_CROWD,
    .loops = MODEL_LOOPS(steering),
};

const struct flock_model steering_model = {
    .name = "steering",
    .version = 1,
    .text = "Steering among walls: in each tick a boid turns by a part of the remaining angle",
    .boundary = FLOCK_WALLS,
    .params = params,
    .param_count = STEERING_PARAMS,
    .neighbour = STEERING_NEIGHBOR_DISTANCE,
    .common = COMMON_INDEXES(STEERING),
    .flight = 6.0F,
    .rules = &rules,
};

#endif

struct sums {
    struct wide_vec apart, along, together;
    wide_mask seen, crowded;
};

WIDE_INLINE void look(const struct group *group, struct sums *sums, const struct candidate *other)
{
    const float *p = group->job->params;
    float far = p[STEERING_NEIGHBOR_DISTANCE];
    float close = p[STEERING_SEPARATION_DISTANCE];
    wide_mask present = wide_less((wide){0}, other->square);
    wide_mask near = wide_both(present, wide_less(other->square, wide_all(far * far)));
    sums->seen = wide_either(sums->seen, near);
    sums->along.x = wide_plus(sums->along.x, near, other->v.x);
    sums->along.y = wide_plus(sums->along.y, near, other->v.y);
    sums->together.x = wide_plus(sums->together.x, near, other->d.x);
    sums->together.y = wide_plus(sums->together.y, near, other->d.y);
    wide_mask crowded = wide_both(present, wide_less(other->square, wide_all(close * close)));
    if (wide_any(crowded)) {
        wide inverse = -1.0f / wide_sqrt(other->square);
        sums->crowded = wide_either(sums->crowded, crowded);
        sums->apart.x = wide_plus(sums->apart.x, crowded, other->d.x * inverse);
        sums->apart.y = wide_plus(sums->apart.y, crowded, other->d.y * inverse);
    }
}

/* Returns the angle from one direction to another, -pi to pi: halves the angle twice, then uses a
 * series. */
WIDE_INLINE wide angle_between(struct wide_vec from, struct wide_vec to)
{
    wide dot = wide_dot(from, to);
    wide cross = from.x * to.y - from.y * to.x;
    wide length = wide_sqrt(dot * dot + cross * cross);
    wide t = cross / wide_max(length + wide_abs(dot), wide_all(1e-30f));
    for (int i = 0; i < 2; i++) {
        t = t / (1.0f + wide_sqrt(1.0f + t * t)); /* |t| <= 0.2 */
    }
    wide b = t * t;
    wide half =
        4.0f * t * (1.0f - b * (0.33333333f - b * (0.2f - b * (0.14285714f - b * 0.11111111f))));
    wide straight =
        wide_pick(wide_less(cross, (wide){0}), wide_all(-3.14159265f), wide_all(3.14159265f));
    return wide_pick(wide_less(dot, (wide){0}), straight - 2.0f * half, 2.0f * half);
}

WIDE_INLINE struct wide_vec turned_by(struct wide_vec a, wide angle)
{
    struct wide_vec turn = wide_direction(angle);
    return (struct wide_vec){a.x * turn.x - a.y * turn.y, a.x * turn.y + a.y * turn.x};
}

WIDE_INLINE struct wide_vec turn(const struct group *group, const struct sums *sums)
{
    const float *p = group->job->params;
    wide speed = wide_all(p[STEERING_MAX_SPEED]);
    wide force = wide_all(p[STEERING_MAX_FORCE]);
    struct aimed aimed = aim_group(group);
    struct wide_vec v = group->v;
    v = pushed(v, sums->crowded, steer(group, sums->apart, speed, force),
               p[STEERING_SEPARATION_WEIGHT]);
    v = pushed(v, sums->seen, steer(group, sums->along, speed, force),
               p[STEERING_ALIGNMENT_WEIGHT]);
    v = pushed(v, sums->seen, steer(group, sums->together, speed, force),
               p[STEERING_COHESION_WEIGHT]);
    if (aim_seeks(group->job->aim)) {
        struct wide_vec seek = steer(group, aimed.target, speed, force);
        v = pushed(v, aimed.sought, wide_scale(seek, aimed.keenness), p[STEERING_SEEK_WEIGHT]);
    }
    if (group->job->aim->predators > 0) {
        v = pushed(v, aimed.fled, steer(group, aimed.flight, speed, force),
                   p[STEERING_FLEE_WEIGHT]);
    }
    v = wide_limit(v, speed);
    wide angle = angle_between(group->h, v) * p[STEERING_TURN_RATE];
    struct wide_vec turned = wide_scale(turned_by(group->h, angle), wide_sqrt(wide_dot(v, v)));
    wide_mask at_rest = wide_at_most(wide_dot(group->h, group->h), (wide){0});
    return wide_pick_vec(at_rest, v, turned);
}

CROWD_LOOPS(steering, true)
