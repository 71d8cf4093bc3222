/* View cones and limited turns, after the Houdini VEX original: a boid keeps its speed and
 * turns. */
#include "sim/models/cone.h"
#include "sim/models/models.h"
#include "sim/trig.h"
#include "sim/wide/crowd.h"

enum {
    VISION_SPEED,
    VISION_MAX_TURN,
    VISION_VIEW_RADIUS,
    VISION_VIEW_ANGLE,
    VISION_SEPARATION_RADIUS,
    VISION_SEPARATION_ANGLE,
    VISION_COHESION_WEIGHT,
    VISION_ALIGNMENT_WEIGHT,
    VISION_SEPARATION_WEIGHT,
    VISION_SEEK_WEIGHT,
    COMMON_PARAMS(VISION),
    VISION_PARAMS
};

/* The parameters that the loops need. */
struct prepared {
    struct cone view, close;
    float turn_sine, turn_cosine;
};

_Static_assert(sizeof(struct prepared) <= sizeof((struct kernel_job *)0)->prepared, "it fits");

#if MODEL_ONCE

static const struct flock_param params[VISION_PARAMS] = {
    [VISION_SPEED] = {"speed", "units/tick", 0.0f, 100.0f, 2.0f, "speed of every boid", 0},
    [VISION_MAX_TURN] = {"max_turn", "degrees/tick", 0.0f, 180.0f, 4.0f,
                         "how far a boid can turn in a tick", 0},
    [VISION_VIEW_RADIUS] = {"view_radius", "units", 0.0f, 1000.0f, 80.0f,
                            "how far a boid sees others to align and gather with",
                            CAUSES_OF_NEIGHBOURS},
    [VISION_VIEW_ANGLE] = {"view_angle", "degrees", 0.0f, 360.0f, 270.0f,
                           "width of the cone in which a boid sees others", CAUSES_OF_NEIGHBOURS},
    [VISION_SEPARATION_RADIUS] = {"separation_radius", "units", 0.0f, 1000.0f, 25.0f,
                                  "distance that a boid keeps from others", 1u << CAUSE_SEPARATION},
    [VISION_SEPARATION_ANGLE] = {"separation_angle", "degrees", 0.0f, 360.0f, 300.0f,
                                 "width of the cone in which a boid keeps that distance",
                                 1u << CAUSE_SEPARATION},
    [VISION_COHESION_WEIGHT] = {"cohesion_weight", "", 0.0f, 10.0f, 1.0f,
                                "how strongly boids gather", 1u << CAUSE_COHESION},
    [VISION_ALIGNMENT_WEIGHT] = {"alignment_weight", "", 0.0f, 10.0f, 1.0f,
                                 "how strongly boids take their neighbours' direction",
                                 1u << CAUSE_ALIGNMENT},
    [VISION_SEPARATION_WEIGHT] = {"separation_weight", "", 0.0f, 10.0f, 1.5f,
                                  "how strongly boids keep apart", 1u << CAUSE_SEPARATION},
    [VISION_SEEK_WEIGHT] = {"seek_weight", "", 0.0f, 10.0f, 0.5f,
                            "how strongly boids go to the cursor", CAUSES_OF_TARGETS},
    COMMON_ROWS(VISION),
};

static float reach(const float *p)
{
    return fmaxf(p[VISION_VIEW_RADIUS], p[VISION_SEPARATION_RADIUS]);
}

/* Returns the heading turned toward the wish by at most max_turn. A boid at rest takes the wish's
 * direction. To turn straight back, it turns in the positive direction. */
static struct vec turned(struct vec h, struct vec wish, double max_turn)
{
    double sine;
    double cosine;
    trig_sincos(max_turn * (TRIG_PI / 180.0), &sine, &cosine);
    bool at_rest = h.x == 0.0 && h.y == 0.0;
    if (at_rest || vec_dot(h, wish) >= cosine) {
        return wish;
    }
    return vec_turn(h, vec_cross(h, wish) < 0.0 ? -sine : sine, cosine);
}

/* Finishes the vectors of a boid that only turns. A pull of 1, straight to the side, is as long as
 * the change of velocity of the greatest turn; the limits are the rest of the real change. */
static void finish_parts(struct parts *parts, const struct body *self, const float *p, struct vec v)
{
    double sine;
    double cosine;
    trig_sincos((double)p[VISION_MAX_TURN] * (TRIG_PI / 360.0), &sine, &cosine);
    parts_scale(parts, 2.0 * sine * (double)p[VISION_SPEED]);
    parts_limit(parts, vec_add(self->v, parts_sum(parts)), v);
}

static struct vec velocity(const struct sight *sight, struct parts *parts)
{
    const float *p = sight->params;
    const struct body *self = &sight->bodies[sight->self];
    double separation = (double)p[VISION_SEPARATION_RADIUS];
    double view_cosine = sight_cosine(p[VISION_VIEW_ANGLE]);
    double separation_cosine = sight_cosine(p[VISION_SEPARATION_ANGLE]);
    struct vec together = {0};
    struct vec along = {0};
    struct vec apart = {0};
    uint32_t seen = 0;
    parts_zones(parts, (struct flock_zone){p[VISION_VIEW_RADIUS], p[VISION_VIEW_ANGLE]},
                (struct flock_zone){p[VISION_SEPARATION_RADIUS], p[VISION_SEPARATION_ANGLE]});
    for (uint32_t k = 0; k < sight->near_count; k++) {
        const struct glimpse *other = &sight->near[k];
        struct vec d = other->d;
        double length = other->length;
        struct vec unit = glimpse_unit(other);
        double c = vec_dot(self->h, unit);
        bool in_view = (c > view_cosine) & (length < (double)p[VISION_VIEW_RADIUS]);
        bool close = (c > separation_cosine) & (length < separation);
        parts_see(parts, other, in_view | close, close);
        together = vec_add_if(in_view, together, d);
        along = vec_add_if(in_view, along, sight->bodies[other->number].h);
        seen += in_view;
        if (close) {
            apart = vec_sub(apart, vec_scale(unit, 1.0 - length / separation));
        }
    }
    bool flees = p[VISION_FLEE_WEIGHT] > 0.0f && (sight->flight.x != 0.0 || sight->flight.y != 0.0);
    struct vec wish = {0};
    if (seen > 0 || sight->target != NULL || flees) {
        struct vec seek = vec_unit(sight_of_target(sight));
        wish = vec_scale(vec_unit(together), (double)p[VISION_COHESION_WEIGHT]);
        parts_add(parts, CAUSE_COHESION, wish);
        wish = parts_push(parts, CAUSE_ALIGNMENT, wish,
                          vec_scale(vec_unit(along), (double)p[VISION_ALIGNMENT_WEIGHT]));
        wish = parts_push(parts, CAUSE_SEPARATION, wish,
                          vec_scale(vec_unit(apart), (double)p[VISION_SEPARATION_WEIGHT]));
        wish = parts_push(parts, sight_lure(sight), wish,
                          vec_scale(seek, (double)p[VISION_SEEK_WEIGHT] * sight->keenness));
        wish = parts_push(parts, CAUSE_FLEE, wish,
                          vec_scale(vec_unit(sight->flight), (double)p[VISION_FLEE_WEIGHT]));
        wish = vec_unit(wish);
    }
    struct vec h = self->h;
    if (wish.x != 0.0 || wish.y != 0.0) {
        h = turned(h, wish, (double)p[VISION_MAX_TURN]);
    }
    struct vec v = vec_scale(h, (double)p[VISION_SPEED]);
    if (parts != NULL) {
        finish_parts(parts, self, p, v);
    }
    return v;
}

static void prepare(const float *p, void *prepared)
{
    double sine;
    double cosine;
    trig_sincos((double)p[VISION_MAX_TURN] * (TRIG_PI / 180.0), &sine, &cosine);
    *(struct prepared *)prepared = (struct prepared){
        .view = cone_make(p[VISION_VIEW_ANGLE], p[VISION_VIEW_ANGLE] > 180.0f, -1e-30f),
        .close =
            cone_make(p[VISION_SEPARATION_ANGLE], p[VISION_SEPARATION_ANGLE] > 180.0f, -1e-30f),
        .turn_sine = (float)sine,
        .turn_cosine = (float)cosine,
    };
}

static const struct flock_rules rules = {
    .reach = reach,
    .velocity = velocity,
    .causes = CAUSES_OF_RULES,
    .prepare = prepare,
    .tick = TICK_CROWD,
    .loops = MODEL_LOOPS(vision),
};

const struct flock_model vision_model = {
    .name = "vision",
    .version = 1,
    .text = "A steady speed, a view cone and a limited turn: columns or crowds",
    .boundary = FLOCK_WRAP,
    .params = params,
    .param_count = VISION_PARAMS,
    .neighbour = VISION_VIEW_RADIUS,
    .common = COMMON_INDEXES(VISION),
    .flight = 4.0F,
    .rules = &rules,
};

#endif

struct sums {
    struct wide_vec apart, along, together;
    wide seen;
};

WIDE_INLINE void look(const struct group *group, struct sums *sums, const struct candidate *other)
{
    const struct kernel_job *job = group->job;
    const struct prepared *prepared = (const void *)job->prepared;
    float far = job->params[VISION_VIEW_RADIUS];
    float close = job->params[VISION_SEPARATION_RADIUS];
    struct angle angle = angle_to(group, other);
    wide_mask ahead = wide_less(angle.across * prepared->view.cosine + prepared->view.bias,
                                angle.along * prepared->view.sine);
    wide_mask near = wide_both(ahead, wide_less(other->square, wide_all(far * far)));
    sums->seen = wide_plus(sums->seen, near, wide_all(1.0f));
    sums->along.x = wide_plus(sums->along.x, near, other->v.x);
    sums->along.y = wide_plus(sums->along.y, near, other->v.y);
    sums->together.x = wide_plus(sums->together.x, near, other->d.x);
    sums->together.y = wide_plus(sums->together.y, near, other->d.y);
    wide_mask crowded = wide_both(wide_less((wide){0}, other->square),
                                  wide_less(other->square, wide_all(close * close)));
    if (wide_any(crowded)) {
        crowded = wide_both(crowded,
                            wide_less(angle.across * prepared->close.cosine + prepared->close.bias,
                                      angle.along * prepared->close.sine));
        wide factor = 1.0f / close - 1.0f / wide_sqrt(other->square);
        sums->apart.x = wide_plus(sums->apart.x, crowded, other->d.x * factor);
        sums->apart.y = wide_plus(sums->apart.y, crowded, other->d.y * factor);
    }
}

WIDE_INLINE struct wide_vec turn(const struct group *group, const struct sums *sums)
{
    const struct prepared *prepared = (const void *)group->job->prepared;
    const float *p = group->job->params;
    struct aimed aimed = aim_group(group);
    /* The candidates include the boid itself, unless it sees nothing at all. */
    float self = prepared->view.bias < 0.0f && p[VISION_VIEW_RADIUS] > 0.0f ? 1.0f : 0.0f;
    wide_mask seen = wide_less(wide_all(self + 0.5f), sums->seen);
    struct wide_vec along = wide_sub(sums->along, wide_scale(group->h, wide_all(self)));
    if (p[VISION_FLEE_WEIGHT] > 0.0f) {
        seen = wide_either(seen, aimed.fled);
    }
    seen = wide_either(seen, aimed.sought);
    struct wide_vec wish =
        wide_scale(wide_unit(sums->together), wide_all(p[VISION_COHESION_WEIGHT]));
    wish = wide_add(wish, wide_scale(wide_unit(along), wide_all(p[VISION_ALIGNMENT_WEIGHT])));
    wish =
        wide_add(wish, wide_scale(wide_unit(sums->apart), wide_all(p[VISION_SEPARATION_WEIGHT])));
    wish =
        wide_add(wish, wide_scale(wide_unit(aimed.target), aimed.keenness * p[VISION_SEEK_WEIGHT]));
    wish = wide_add(wish, wide_scale(wide_unit(aimed.flight), wide_all(p[VISION_FLEE_WEIGHT])));
    wish = wide_unit(wish);
    wide_mask wished = wide_both(seen, wide_less((wide){0}, wide_dot(wish, wish)));
    /* A boid at rest, or nearly, takes the wish's direction. */
    struct wide_vec h = group->h;
    wide cross = h.x * wish.y - h.y * wish.x;
    wide_mask within = wide_at_most(wide_abs(cross) * prepared->turn_cosine,
                                    wide_dot(h, wish) * prepared->turn_sine);
    wide_mask at_once = wide_either(wide_at_most(wide_dot(h, h), (wide){0}), within);
    wide sine = wide_pick(wide_less(cross, (wide){0}), wide_all(-prepared->turn_sine),
                          wide_all(prepared->turn_sine));
    struct wide_vec turned = {h.x * prepared->turn_cosine - h.y * sine,
                              h.x * sine + h.y * prepared->turn_cosine};
    turned = wide_pick_vec(at_once, wish, turned);
    return wide_scale(wide_pick_vec(wished, turned, h), wide_all(p[VISION_SPEED]));
}

CROWD_LOOPS(vision, true)
