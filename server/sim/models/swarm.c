/* The ActionScript swarm: global centroid, target vector, and a separation distance, alignment and
 * cohesion for each boid. */
#include "sim/models/models.h"
#include "sim/wide/disc.h"
#include "sim/wide/group.h"

enum {
    SWARM_SEPARATION_MIN,
    SWARM_SEPARATION_MAX,
    SWARM_ALIGNMENT_MIN,
    SWARM_ALIGNMENT_MAX,
    SWARM_COHESION_MIN,
    SWARM_COHESION_MAX,
    SWARM_INERTIA,
    COMMON_PARAMS(SWARM),
    SWARM_PARAMS
};

#if MODEL_ONCE

static const struct flock_param params[SWARM_PARAMS] = {
    [SWARM_SEPARATION_MIN] = {"separation_min", "units", 0.0f, 200.0f, 20.0f,
                              "least distance that a boid keeps from the others",
                              1u << CAUSE_SEPARATION},
    [SWARM_SEPARATION_MAX] = {"separation_max", "units", 0.0f, 200.0f, 30.0f,
                              "greatest distance that a boid keeps from the others",
                              1u << CAUSE_SEPARATION},
    [SWARM_ALIGNMENT_MIN] = {"alignment_min", "", 0.0f, 2.0f, 0.1f, "least pull toward the target",
                             CAUSES_OF_TARGETS},
    [SWARM_ALIGNMENT_MAX] = {"alignment_max", "", 0.0f, 2.0f, 0.3f,
                             "greatest pull toward the target", CAUSES_OF_TARGETS},
    [SWARM_COHESION_MIN] = {"cohesion_min", "", 0.0f, 2.0f, 0.3f, "least pull toward the centroid",
                            1u << CAUSE_COHESION},
    [SWARM_COHESION_MAX] = {"cohesion_max", "", 0.0f, 2.0f, 0.5f,
                            "greatest pull toward the centroid", 1u << CAUSE_COHESION},
    [SWARM_INERTIA] = {"inertia", "", 0.0f, 3.0f, 1.0f, "how much of its velocity a boid keeps",
                       1u << CAUSE_INERTIA},
    COMMON_ROWS(SWARM),
};

static float reach(const float *p)
{
    return fmaxf(p[SWARM_SEPARATION_MIN], p[SWARM_SEPARATION_MAX]);
}

static struct vec velocity(const struct sight *sight, struct parts *parts)
{
    const float *p = sight->params;
    const struct body *self = &sight->bodies[sight->self];
    double s = sight->own[PLACE_SEPARATION];
    struct vec sum = {0};
    uint32_t others = 0;
    parts_zones(parts, (struct flock_zone){0.0f, 360.0f}, (struct flock_zone){(float)s, 360.0f});
    for (uint32_t k = 0; k < sight->near_count; k++) {
        struct vec d = sight->near[k].d;
        if (vec_dot(d, d) < s * s) {
            sum = vec_add(sum, d);
            others++;
            parts_see(parts, &sight->near[k], true, true);
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
    struct vec v = vec_scale(self->v, (double)p[SWARM_INERTIA]);
    v = parts_push(parts, CAUSE_SEPARATION, v, apart);
    v = parts_push(parts, sight_lure(sight), v,
                   vec_scale(pull, sight->own[PLACE_ALIGNMENT] * sight->keenness));
    v = parts_push(parts, CAUSE_COHESION, v, vec_scale(home, sight->own[PLACE_COHESION]));
    v = parts_push(parts, CAUSE_FLEE, v,
                   vec_scale(sight->flight, s * (double)p[SWARM_FLEE_WEIGHT]));
    parts_scale(parts, 0.25);
    parts_add(parts, CAUSE_INERTIA, vec_scale(self->v, 0.25 * (double)p[SWARM_INERTIA] - 1.0));
    return vec_scale(v, 0.25);
}

static const struct flock_rules rules = {
    .reach = reach,
    .velocity = velocity,
    .causes = 1u << CAUSE_SEPARATION | 1u << CAUSE_COHESION | 1u << CAUSE_INERTIA,
    .own = true,
    .tick = TICK_SWARM,
    .loops = MODEL_LOOPS(swarm),
};

const struct flock_model swarm_model = {
    .name = "swarm",
    .version = 1,
    .text =
        "Each boid is pulled to the centre of the flock and pushed from boids that are too near",
    .boundary = FLOCK_OPEN,
    .params = params,
    .param_count = SWARM_PARAMS,
    .neighbour = SWARM_SEPARATION_MAX,
    .common = COMMON_INDEXES(SWARM),
    .flight = 1.0F,
    .rules = &rules,
};

#endif

/* The values of the boids' coefficients. */
struct own {
    wide of[PLACE_COUNT];
};

WIDE_INLINE struct own own_values(const struct kernel_job *job, uint32_t from, uint32_t count)
{
    float within[PLACE_COUNT][WIDE] = {{0.0f}};
    struct own own;
    for (uint32_t lane = 0; lane < count; lane++) {
        const uint32_t number = job->id[from + lane];
        within[PLACE_SEPARATION][lane] = job->place[PLACE_SEPARATION][number];
        within[PLACE_ALIGNMENT][lane] = job->place[PLACE_ALIGNMENT][number];
        within[PLACE_COHESION][lane] = job->place[PLACE_COHESION][number];
    }
    for (int place = 0; place < PLACE_COUNT; place++) {
        const float *range = &job->params[2 * place]; /* the swarm's table begins with the ranges */
        own.of[place] = range[0] + wide_load(within[place]) * (range[1] - range[0]);
    }
    return own;
}

WIDE_INLINE struct aimed load_aims(const struct swarm_aims *aims, uint32_t from)
{
    const wide keenness = wide_load(aims->keenness + from);
    return (struct aimed){
        .sought = wide_less((wide){0}, keenness),
        .target = {wide_load(aims->target_x + from), wide_load(aims->target_y + from)},
        .flight = {wide_load(aims->flight_x + from), wide_load(aims->flight_y + from)},
        .keenness = keenness};
}

/* Stores the aims of the boids in these slots. The flights are 0 before. */
WIDE_INLINE void store_aims(const struct swarm_aims *aims, const uint32_t *slot,
                            const struct aimed *aimed, uint32_t count)
{
    float lanes[5][WIDE];
    wide_store(lanes[0], aimed->target.x);
    wide_store(lanes[1], aimed->target.y);
    wide_store(lanes[2], wide_only(aimed->sought, aimed->keenness));
    for (uint32_t lane = 0; lane < count; lane++) {
        aims->target_x[slot[lane]] = lanes[0][lane];
        aims->target_y[slot[lane]] = lanes[1][lane];
        aims->keenness[slot[lane]] = lanes[2][lane];
    }
    if (!wide_any(aimed->fled)) {
        return;
    }
    wide_store(lanes[3], aimed->flight.x);
    wide_store(lanes[4], aimed->flight.y);
    for (uint32_t lane = 0; lane < count; lane++) {
        aims->flight_x[slot[lane]] = lanes[3][lane];
        aims->flight_y[slot[lane]] = lanes[4][lane];
    }
}

/* The boids of a block of the disc. Entries after the last one repeat the first. */
struct block {
    uint32_t count;
    uint32_t slot[DISC_BLOCK], number[DISC_BLOCK];
    float x[DISC_BLOCK], y[DISC_BLOCK];
};

/* Loads the boids of a block; their numbers only if some boids ignore targets. */
static void load_block(const struct kernel_job *job, uint32_t index, struct block *block)
{
    const uint32_t *owner = job->disc->owner + (size_t)index * DISC_BLOCK;
    uint32_t count = 0;
    for (uint32_t k = 0; k < DISC_BLOCK; k++) {
        block->slot[count] = owner[k];
        count += owner[k] != DISC_NOBODY;
    }
    block->count = count;
    if (count == 0) {
        return;
    }
    for (uint32_t k = count; k < DISC_BLOCK; k++) {
        block->slot[k] = block->slot[0];
    }
    for (uint32_t k = 0; k < DISC_BLOCK; k++) {
        block->x[k] = job->x[block->slot[k]];
        block->y[k] = job->y[block->slot[k]];
    }
    for (uint32_t k = 0; k < DISC_BLOCK && job->aim->informed < 1.0f; k++) {
        block->number[k] = job->id[block->slot[k]];
    }
}

static void find_aims_of(const struct kernel_job *job, const struct block *block)
{
    struct nearby nearby = {.end = 0};
    for (uint32_t at = 0; at < block->count; at += WIDE) {
        uint32_t count = block->count - at < WIDE ? block->count - at : WIDE;
        struct group group = load_group(job, block->number + at, block->x + at, block->y + at,
                                        block->x + at, block->y + at, count);
        share_nearby(&group, &nearby, block->x, block->y, at, block->count);
        const struct aimed aimed = aim_group(&group);
        store_aims(job->aims, block->slot + at, &aimed, count);
    }
}

/* Loads each block while it works on the block before: a processor that has just stored single
 * floats waits before it loads many of them. */
static void find_aims(const struct kernel_job *job, uint32_t first, uint32_t end)
{
    struct block blocks[2];
    load_block(job, first, &blocks[first % 2]);
    for (uint32_t index = first; index < end; index++) {
        if (index + 1 < end) {
            load_block(job, index + 1, &blocks[(index + 1) % 2]);
        }
        find_aims_of(job, &blocks[index % 2]);
    }
}

WIDE_INLINE struct wide_vec turn(const struct group *group, uint32_t from, uint32_t count)
{
    const struct kernel_job *job = group->job;
    const struct own own = own_values(job, from, count);
    const wide separation = own.of[PLACE_SEPARATION];
    const wide alignment = own.of[PLACE_ALIGNMENT];
    const wide cohesion = own.of[PLACE_COHESION];
    struct wide_vec home = {
        wide_nearest(wide_all(job->centroid_x) - group->p.x, group->half.x, group->size.x),
        wide_nearest(wide_all(job->centroid_y) - group->p.y, group->half.y, group->size.y)};
    /* The count includes the boid itself unless its distance is 0; it adds no displacement. */
    struct wide_vec sum = {wide_load(job->sums.x + from), wide_load(job->sums.y + from)};
    wide others = wide_load(job->sums.counted + from) - 1.0f;
    wide square = wide_dot(sum, sum);
    wide length = wide_sqrt(square);
    wide_mask pushed_away = wide_both(wide_less((wide){0}, others), wide_less((wide){0}, square));
    wide factor = wide_only(pushed_away, (length / others - separation) / length);
    struct wide_vec v = wide_scale(group->v, wide_all(job->params[SWARM_INERTIA]));
    v = wide_add(v, wide_scale(sum, factor));
    v = wide_add(v, wide_scale(home, cohesion));
    if (aim_seeks(job->aim) || job->aim->predators > 0) {
        struct aimed aimed = job->aims != NULL ? load_aims(job->aims, from) : aim_group(group);
        struct wide_vec pull = wide_sub(aimed.target, home); /* from the centroid */
        pull.x = wide_nearest(pull.x, group->half.x, group->size.x);
        pull.y = wide_nearest(pull.y, group->half.y, group->size.y);
        wide pulled = alignment * aimed.keenness;
        v.x = wide_plus(v.x, aimed.sought, pull.x * pulled);
        v.y = wide_plus(v.y, aimed.sought, pull.y * pulled);
        wide fear = separation * job->params[SWARM_FLEE_WEIGHT];
        v = wide_add(v, wide_scale(aimed.flight, fear));
    }
    return wide_scale(v, wide_all(0.25f));
}

static void move(const struct kernel_job *job, uint32_t first, uint32_t end)
{
    struct nearby nearby = {.end = 0};
    for (uint32_t from = first; from < end && !limit_is_exceeded(job->limit); from += WIDE) {
        uint32_t count = end - from < WIDE ? end - from : WIDE;
        struct group group = load_group(job, job->id + from, job->x + from, job->y + from,
                                        job->vx + from, job->vy + from, count);
        if (job->aims == NULL) {
            share_nearby(&group, &nearby, job->x, job->y, from, end);
        }
        finish(&group, turn(&group, from, count), true, from, count);
    }
}

const struct flock_loops WIDE_NAME(swarm_loops) = {.sum = disc_ask, .aim = find_aims, .move = move};
