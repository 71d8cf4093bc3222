/* Gradual steering within a range of speeds, after the JavaScript original. */
#include "sim/models/cone.h"
#include "sim/models/models.h"
#include "sim/wide/crowd.h"

enum {
    BIRDS_VIEW_DISTANCE,
    BIRDS_VIEW_ANGLE,
    BIRDS_SEPARATION_DISTANCE,
    BIRDS_COHESION_WEIGHT,
    BIRDS_ALIGNMENT_WEIGHT,
    BIRDS_SEPARATION_WEIGHT,
    BIRDS_SEEK_WEIGHT,
    BIRDS_SMOOTHING,
    BIRDS_MIN_SPEED,
    BIRDS_MAX_SPEED,
    COMMON_PARAMS(BIRDS),
    BIRDS_PARAMS
};

_Static_assert(sizeof(struct cone) <= sizeof((struct kernel_job *)0)->prepared, "it fits");

#if MODEL_ONCE

static const struct flock_param params[BIRDS_PARAMS] = {
    [BIRDS_VIEW_DISTANCE] = {"view_distance", "units", 0.0f, 1000.0f, 80.0f,
                             "how far a bird sees others to align and gather with",
                             CAUSES_OF_NEIGHBOURS},
    [BIRDS_VIEW_ANGLE] = {"view_angle", "degrees", 0.0f, 360.0f, 270.0f,
                          "width of the cone in which a bird sees others",
                          1u << CAUSE_SEPARATION | CAUSES_OF_NEIGHBOURS},
    [BIRDS_SEPARATION_DISTANCE] = {"separation_distance", "units", 1.0f, 1000.0f, 25.0f,
                                   "distance that a bird keeps from others",
                                   1u << CAUSE_SEPARATION},
    [BIRDS_COHESION_WEIGHT] = {"cohesion_weight", "", 0.0f, 10.0f, 1.0f,
                               "how strongly birds gather", 1u << CAUSE_COHESION},
    [BIRDS_ALIGNMENT_WEIGHT] = {"alignment_weight", "", 0.0f, 10.0f, 1.0f,
                                "how strongly birds take their neighbours' velocity",
                                1u << CAUSE_ALIGNMENT},
    [BIRDS_SEPARATION_WEIGHT] = {"separation_weight", "", 0.0f, 10.0f, 2.0f,
                                 "how strongly birds keep apart", 1u << CAUSE_SEPARATION},
    [BIRDS_SEEK_WEIGHT] = {"seek_weight", "", 0.0f, 10.0f, 0.5f,
                           "how strongly birds go to the cursor", CAUSES_OF_TARGETS},
    [BIRDS_SMOOTHING] = {"smoothing", "ticks", 1.0f, 1000.0f, 40.0f,
                         "how slowly a bird follows the forces on it", 0},
    [BIRDS_MIN_SPEED] = {"min_speed", "units/tick", 0.0f, 100.0f, 1.0f, "least speed",
                         1u << CAUSE_LIMITS},
    [BIRDS_MAX_SPEED] = {"max_speed", "units/tick", 0.0f, 100.0f, 3.0f, "greatest speed",
                         1u << CAUSE_LIMITS},
    COMMON_ROWS(BIRDS),
};

static float reach(const float *p)
{
    return fmaxf(p[BIRDS_VIEW_DISTANCE], p[BIRDS_SEPARATION_DISTANCE]);
}

/* Limits the length to [min_speed, max_speed]; if they contradict, max_speed counts. Zero stays
 * zero. */
static struct vec clamped(struct vec v, const float *p)
{
    double length = vec_length(v);
    double wanted = fmin(fmax(length, (double)p[BIRDS_MIN_SPEED]), (double)p[BIRDS_MAX_SPEED]);
    return length > 0.0 ? vec_scale(v, wanted / length) : v;
}

static struct vec velocity(const struct sight *sight, struct parts *parts)
{
    const float *p = sight->params;
    const struct body *self = &sight->bodies[sight->self];
    double separation = (double)p[BIRDS_SEPARATION_DISTANCE];
    double cosine = sight_cosine(p[BIRDS_VIEW_ANGLE]);
    struct vec together = {0};
    struct vec along = {0};
    struct vec apart = {0};
    uint32_t seen = 0;
    parts_zones(parts, (struct flock_zone){p[BIRDS_VIEW_DISTANCE], p[BIRDS_VIEW_ANGLE]},
                (struct flock_zone){p[BIRDS_SEPARATION_DISTANCE], p[BIRDS_VIEW_ANGLE]});
    for (uint32_t k = 0; k < sight->near_count; k++) {
        const struct glimpse *other = &sight->near[k];
        struct vec d = other->d;
        double length = other->length;
        bool ahead = vec_dot(self->h, glimpse_unit(other)) >= cosine;
        bool in_view = ahead & (length <= (double)p[BIRDS_VIEW_DISTANCE]);
        bool close = ahead & (length <= separation);
        parts_see(parts, other, in_view | close, close);
        if (close) {
            apart = vec_sub(apart, vec_scale(d, 3.0 - length / separation));
        }
        together = vec_add_if(in_view, together, d);
        along = vec_add_if(in_view, along, sight->bodies[other->number].v);
        seen += in_view;
    }
    struct vec force = {0};
    if (seen > 0) {
        struct vec change = vec_sub(vec_scale(along, 1.0 / seen), self->v);
        force = vec_scale(vec_unit(together), (double)p[BIRDS_COHESION_WEIGHT]);
        parts_add(parts, CAUSE_COHESION, force);
        force = parts_push(parts, CAUSE_ALIGNMENT, force,
                           vec_scale(vec_unit(change), (double)p[BIRDS_ALIGNMENT_WEIGHT]));
        force = parts_push(parts, CAUSE_SEPARATION, force,
                           vec_scale(vec_unit(apart), (double)p[BIRDS_SEPARATION_WEIGHT]));
    }
    struct vec seek = vec_unit(sight_of_target(sight));
    force = parts_push(parts, sight_lure(sight), force,
                       vec_scale(seek, (double)p[BIRDS_SEEK_WEIGHT] * sight->keenness));
    force = parts_push(parts, CAUSE_FLEE, force,
                       vec_scale(vec_unit(sight->flight), (double)p[BIRDS_FLEE_WEIGHT]));
    parts_scale(parts, 1.0 / (double)p[BIRDS_SMOOTHING]);
    struct vec v = vec_add(self->v, vec_scale(force, 1.0 / (double)p[BIRDS_SMOOTHING]));
    return parts_limit(parts, v, clamped(v, p));
}

static void prepare(const float *p, void *prepared)
{
    *(struct cone *)prepared =
        cone_make(p[BIRDS_VIEW_ANGLE], p[BIRDS_VIEW_ANGLE] >= 180.0f, 1e-30f);
}

static const struct flock_rules rules = {
    .reach = reach,
    .velocity = velocity,
    .causes = CAUSES_OF_RULES,
    .prepare = prepare,
    .tick = TICK_CROWD,
    .loops = MODEL_LOOPS(birds),
};

const struct flock_model birds_model = {
    .name = "birds",
    .version = 1,
    .text = "Birds that follow forces gradually, within a range of speeds",
    .boundary = FLOCK_WRAP,
    .params = params,
    .param_count = BIRDS_PARAMS,
    .neighbour = BIRDS_VIEW_DISTANCE,
    .common = COMMON_INDEXES(BIRDS),
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
    const struct cone *view = (const void *)job->prepared;
    float far = job->params[BIRDS_VIEW_DISTANCE];
    float close = job->params[BIRDS_SEPARATION_DISTANCE];
    struct angle angle = angle_to(group, other);
    wide_mask ahead =
        wide_at_most(angle.across * view->cosine + view->bias, angle.along * view->sine);
    wide_mask near = wide_both(ahead, wide_at_most(other->square, wide_all(far * far)));
    sums->seen = wide_plus(sums->seen, near, wide_all(1.0f));
    sums->along.x = wide_plus(sums->along.x, near, other->v.x);
    sums->along.y = wide_plus(sums->along.y, near, other->v.y);
    sums->together.x = wide_plus(sums->together.x, near, other->d.x);
    sums->together.y = wide_plus(sums->together.y, near, other->d.y);
    wide_mask crowded = wide_both(ahead, wide_at_most(other->square, wide_all(close * close)));
    wide factor = wide_sqrt(other->square) * (1.0f / close) - 3.0f;
    sums->apart.x = wide_plus(sums->apart.x, crowded, other->d.x * factor);
    sums->apart.y = wide_plus(sums->apart.y, crowded, other->d.y * factor);
}

WIDE_INLINE struct wide_vec turn(const struct group *group, const struct sums *sums)
{
    const struct cone *view = (const void *)group->job->prepared;
    const float *p = group->job->params;
    struct aimed aimed = aim_group(group);
    /* The candidates include the bird itself. */
    float self = view->bias > 0.0f ? 0.0f : 1.0f;
    wide others = sums->seen - self;
    wide_mask seen = wide_less(wide_all(0.5f), others);
    struct wide_vec along = wide_sub(sums->along, wide_scale(group->v, wide_all(self)));
    wide share = 1.0f / wide_max(others, wide_all(1.0f));
    struct wide_vec change = wide_sub(wide_scale(along, share), group->v);
    struct wide_vec force = {0};
    force = pushed(force, seen, wide_unit(sums->together), p[BIRDS_COHESION_WEIGHT]);
    force = pushed(force, seen, wide_unit(change), p[BIRDS_ALIGNMENT_WEIGHT]);
    force = pushed(force, seen, wide_unit(sums->apart), p[BIRDS_SEPARATION_WEIGHT]);
    force =
        wide_add(force, wide_scale(wide_unit(aimed.target), aimed.keenness * p[BIRDS_SEEK_WEIGHT]));
    force = wide_add(force, wide_scale(wide_unit(aimed.flight), wide_all(p[BIRDS_FLEE_WEIGHT])));
    struct wide_vec v = wide_add(group->v, wide_scale(force, wide_all(1.0f / p[BIRDS_SMOOTHING])));
    wide square = wide_dot(v, v);
    wide length = wide_sqrt(square);
    wide wanted =
        wide_min(wide_max(length, wide_all(p[BIRDS_MIN_SPEED])), wide_all(p[BIRDS_MAX_SPEED]));
    wide_mask moves = wide_less((wide){0}, square);
    return wide_scale(v, wide_pick(moves, wanted / length, (wide){0}));
}

CROWD_LOOPS(birds, false)
