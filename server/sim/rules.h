/* The rules of a model: how far a boid looks, and its new velocity from what it sees, in double
 * precision as the model was published. The reference and the sequential order run these rules.
 * Tests compare the fast engine, which runs the model's loops, with them. For the engine's own
 * files. */
#ifndef RULES_H
#define RULES_H

#include "sim/flock.h"
#include "sim/noise.h"
#include "sim/why.h"

#include <math.h>
#include <stdatomic.h>

struct vec {
    double x, y;
};

struct body {
    struct vec p, v;
    struct vec h; /* unit(v) */
};

/* A boid's place within the range of each of its coefficients, 0 to 1. It keeps the place when the
 * range or the model changes. */
enum { PLACE_SEPARATION, PLACE_ALIGNMENT, PLACE_COHESION, PLACE_COUNT };

/* Returns the value of a common parameter; `params` are in the order of the model's table. */
static inline float common_param(const struct flock_model *model, enum flock_common common,
                                 const float *params)
{
    return params[model->common[common]];
}

/* Returns how many of the boids with a number below `numbers` follow the target, if that share of
 * all boids does. They are spread evenly over the numbers. */
static inline uint32_t informed_below(uint32_t numbers, float share)
{
    return (uint32_t)(numbers * (double)share);
}

static inline bool is_informed(uint32_t number, float share)
{
    return informed_below(number + 1, share) > informed_below(number, share);
}

/* Another boid, as a boid sees it. */
struct glimpse {
    struct vec d;  /* the displacement to it; in a torus to its nearest image */
    double length; /* of d */
    uint32_t number;
};

/* The boids and settings that the boid `self` can read. */
struct sight {
    const struct body *bodies;
    struct glimpse *near; /* every boid within reach, in any order; may include farther boids, but
                             not the boid itself */
    uint32_t near_count;
    uint32_t self;
    const float *params;
    double width, height;     /* of a torus; 0 x 0 is a plane */
    const struct vec *target; /* NULL: none */
    double keenness;          /* the factor of the weight with which the boid seeks its target */
    uint32_t bite;            /* index of the food that the boid eats, or FOOD_NONE */
    struct vec flight;        /* away from predators; 0 if none is within flee_distance */
    struct vec centroid;      /* the centroid of all boids before the tick */
    double own[PLACE_COUNT];  /* the boid's own coefficients, if the model has any */
};

#define FOOD_NONE     UINT32_MAX
#define FOOD_KEENNESS 2.0

enum { AIM_POINTS_MAX = FLOCK_TARGETS_MAX + FLOCK_HUNTERS_MAX };

/* Points for the wide loops: after the last one it is repeated up to a multiple of 16. */
struct aim_points {
    uint32_t count;
    float x[AIM_POINTS_MAX], y[AIM_POINTS_MAX];
};

_Static_assert(AIM_POINTS_MAX % 16 == 0, "the last point can be repeated");

/* From these numbers of targets, pieces of food or predators on, a boid looks only at the near
 * ones: see wide/targets.h. */
enum { TARGETS_MANY = 24, PREDATORS_MANY = 4 };

/* The cursors, food and hunters of one tick: targets to seek, food, and predators. All are
 * finite. */
struct aim {
    struct vec target[FLOCK_TARGETS_MAX];
    struct vec food[FLOCK_FOOD_MAX];
    struct vec predator[AIM_POINTS_MAX];
    uint32_t targets, foods, predators;
    struct aim_points goals, meals, fears; /* targets, food and predators, rounded */
    bool many;                             /* one kind has TARGETS_MANY or PREDATORS_MANY */
    float clearance; /* units: a boid nearer to its target than this does not seek it */
    float informed;  /* the share of boids that seek targets and food; the others have none */
};

/* Returns whether there is anything to seek. */
static inline bool aim_seeks(const struct aim *aim)
{
    return aim->targets > 0 || aim->foods > 0;
}

/* The bites that boids take in one tick, by the index of the food. Threads count them together. */
struct bites {
    _Atomic uint32_t of[FLOCK_FOOD_MAX];
};

/* Takes the cursors and things for a tick of a flock with those settings. */
void aim_take(struct aim *aim, const struct flock_settings *settings,
              const struct flock_things *things, const struct flock_target *targets, size_t count,
              float clearance);

/* Moves cursors into the torus. Food and hunters are in it. */
void aim_wrap(struct aim *aim, struct vec torus);

/* Rounds targets, food and predators for the wide loops. */
void aim_round(struct aim *aim);

struct kernel_job;
struct parts;

/* A model's inner loops at one width of wide.h; loops that its tick does not call are NULL. */
struct flock_loops {
    /* For crowd_tick(): moves the boids of one row of the grid. `headings`: it reads headings
     * instead of velocities. */
    bool headings;
    void (*row)(const struct kernel_job *job, uint32_t row);
    /* For swarm_tick(), which has a disc: add up the boids in the disc's blocks from `first` to
     * before `end`; find their aims; move the boids in the slots from `first` to before `end`. */
    void (*sum)(const struct kernel_job *job, uint32_t first, uint32_t end);
    void (*aim)(const struct kernel_job *job, uint32_t first, uint32_t end);
    void (*move)(const struct kernel_job *job, uint32_t first, uint32_t end);
};

/* The most widths that a processor family has. */
enum { LOOPS_WIDTHS = 3 };

/* The function that makes the synchronous tick: crowd_tick() or swarm_tick(). */
enum rules_tick { TICK_CROWD, TICK_SWARM };

struct flock_rules {
    float (*reach)(const float *params); /* boids ignore boids farther away than this */
    /* Returns the new velocity. `parts`: NULL, or where the rules' vectors and the neighbours are
     * stored; before, it is all 0 except `farthest`, which is infinite. */
    struct vec (*velocity)(const struct sight *sight, struct parts *parts);
    uint32_t causes; /* bits (1 << enum flock_cause) of the model's own causes */
    bool own;        /* boids have their own coefficients; the table begins with their ranges */
    /* Computes what the loops need from the parameters, as floats, in job->prepared. NULL:
     * nothing. */
    void (*prepare)(const float *params, void *prepared);
    enum rules_tick tick;
    const struct flock_loops *loops[LOOPS_WIDTHS];
};

/* Returns the shorter way around a torus. Half a torus is equally far on either side and keeps its
 * sign. */
static inline double nearest_image(double d, double size)
{
    return fabs(d) > 0.5 * size && size > 0.0 ? d - size * rint(d / size) : d;
}

static inline struct vec vec_add(struct vec a, struct vec b)
{
    return (struct vec){a.x + b.x, a.y + b.y};
}

/* a + b, or a; without a branch, which the processor would often guess wrong */
static inline struct vec vec_add_if(bool add, struct vec a, struct vec b)
{
    double factor = add;
    return (struct vec){a.x + factor * b.x, a.y + factor * b.y};
}

static inline struct vec vec_scale(struct vec a, double factor)
{
    return (struct vec){a.x * factor, a.y * factor};
}

static inline struct vec vec_sub(struct vec a, struct vec b)
{
    return (struct vec){a.x - b.x, a.y - b.y};
}

static inline double vec_dot(struct vec a, struct vec b)
{
    return a.x * b.x + a.y * b.y;
}

static inline double vec_cross(struct vec a, struct vec b)
{
    return a.x * b.y - a.y * b.x;
}

static inline double vec_length(struct vec a)
{
    return sqrt(vec_dot(a, a));
}

static inline struct vec vec_unit(struct vec a)
{
    double length = vec_length(a);
    return length > 0.0 ? vec_scale(a, 1.0 / length) : (struct vec){0.0, 0.0};
}

static inline struct vec vec_limit(struct vec a, double most)
{
    double length = vec_length(a);
    return length > most ? vec_scale(a, most / length) : a;
}

static inline struct vec vec_turn(struct vec a, double sine, double cosine)
{
    return (struct vec){a.x * cosine - a.y * sine, a.x * sine + a.y * cosine};
}

/* Returns the square of the distance from a point to food. */
static inline double aim_square(const struct aim *aim, uint32_t food, struct vec p,
                                struct vec torus)
{
    struct vec d = {nearest_image(aim->food[food].x - p.x, torus.x),
                    nearest_image(aim->food[food].y - p.y, torus.y)};
    return vec_dot(d, d);
}

/* Returns vec_unit(other->d). */
static inline struct vec glimpse_unit(const struct glimpse *other)
{
    double factor = other->length > 0.0 ? 1.0 / other->length : 0.0;
    return vec_scale(other->d, factor);
}

/* Returns the displacement from a to b; in a torus, to the nearest image. */
static inline struct vec sight_between(const struct sight *sight, struct vec a, struct vec b)
{
    return (struct vec){nearest_image(b.x - a.x, sight->width),
                        nearest_image(b.y - a.y, sight->height)};
}

/* Returns the displacement from the boid to another. */
static inline struct vec sight_of(const struct sight *sight, const struct body *other)
{
    return sight_between(sight, sight->bodies[sight->self].p, other->p);
}

/* Returns the displacement to the target; 0 without a target. */
static inline struct vec sight_of_target(const struct sight *sight)
{
    return sight->target != NULL
               ? sight_between(sight, sight->bodies[sight->self].p, *sight->target)
               : (struct vec){0.0, 0.0};
}

/* Returns the steering force toward a wish. Only the wish's direction matters. */
static inline struct vec sight_steer(const struct sight *sight, struct vec wish, double max_speed,
                                     double max_force)
{
    struct vec ideal = vec_scale(vec_unit(wish), max_speed);
    return vec_limit(vec_sub(ideal, sight->bodies[sight->self].v), max_force);
}

/* ---- the vectors of a boid's rules ---- */

/* Returns the cause that pulls the boid to its target: boids seek food more keenly. */
static inline enum flock_cause sight_lure(const struct sight *sight)
{
    return sight->keenness > 1.0 ? CAUSE_FOOD : CAUSE_SEEK;
}

/* The causes of parameters that say which neighbours a boid follows, and how much it follows
 * targets: see struct flock_param. */
#define CAUSES_OF_NEIGHBOURS (1u << CAUSE_ALIGNMENT | 1u << CAUSE_COHESION)
#define CAUSES_OF_TARGETS    (1u << CAUSE_SEEK | 1u << CAUSE_FOOD)

/* The causes that most models have of their own. */
#define CAUSES_OF_RULES                                                                            \
    (1u << CAUSE_SEPARATION | 1u << CAUSE_ALIGNMENT | 1u << CAUSE_COHESION | 1u << CAUSE_LIMITS)

struct parts_neighbour {
    uint32_t number;
    double square; /* of the distance */
    struct vec d;
    bool close;
};

/* All that the rules say of a boid. Functions below take NULL, and then store nothing. */
struct parts {
    struct vec push[CAUSE_COUNT];
    struct flock_zone view, close;
    uint32_t seen, crowding, listed;
    double farthest; /* square of the distance beyond which the list takes no neighbour */
    struct parts_neighbour nearest[WHY_NEIGHBOURS];
};

static inline void parts_add(struct parts *parts, enum flock_cause cause, struct vec push)
{
    if (parts != NULL) {
        parts->push[cause] = vec_add(parts->push[cause], push);
    }
}

/* Returns the sum of a wish and a push, and stores the push. */
static inline struct vec parts_push(struct parts *parts, enum flock_cause cause, struct vec wish,
                                    struct vec push)
{
    parts_add(parts, cause, push);
    return vec_add(wish, push);
}

/* Returns the velocity that the limits allow, and stores how it differs from the one asked for. */
static inline struct vec parts_limit(struct parts *parts, struct vec asked, struct vec allowed)
{
    parts_add(parts, CAUSE_LIMITS, vec_sub(allowed, asked));
    return allowed;
}

/* Adds a neighbour to the list of the nearest ones, unless it is farther away than all of them. */
void parts_list(struct parts *parts, const struct parts_neighbour *neighbour);

/* Notes whether the boid sees the other, and whether it is too close. */
static inline void parts_see(struct parts *parts, const struct glimpse *other, bool seen,
                             bool close)
{
    if (parts == NULL) {
        return;
    }
    struct parts_neighbour neighbour = {other->number, vec_dot(other->d, other->d), other->d,
                                        close};
    parts->seen += seen;
    parts->crowding += seen & close;
    if ((neighbour.square <= parts->farthest) & seen) {
        parts_list(parts, &neighbour);
    }
}

static inline void parts_zones(struct parts *parts, struct flock_zone view, struct flock_zone close)
{
    if (parts != NULL) {
        parts->view = view;
        parts->close = close;
    }
}

/* Scales all vectors so far. */
void parts_scale(struct parts *parts, double factor);

/* Returns the sum of all vectors so far. */
struct vec parts_sum(const struct parts *parts);

/* Returns the cosine of half a view angle in degrees. With 360 degrees a boid also sees what is
 * straight behind it. */
double sight_cosine(float degrees);

/* Sets the boid's target, the nearest one that it can seek or food that it sees, and its flight
 * from predators. An uninformed boid has no target. */
void sight_aim(struct sight *sight, const struct aim *aim, double flee_distance);

#endif
