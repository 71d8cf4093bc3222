/* What a model is made of: how far a boid looks, and its new velocity given what it sees, written
 * in double precision as the model was published. The reference and the sequential update order run
 * these rules as they stand; the fast engine, which runs the model's loops, is held to them. For
 * the engine's own files. */
#ifndef RULES_H
#define RULES_H

#include "sim/flock.h"

#include <math.h>

struct vec {
    double x, y;
};

struct body {
    struct vec p, v;
    struct vec h; /* unit(v) */
};

/* A boid's place within the range of each coefficient of its own, 0 to 1: it keeps the place when
 * the range is changed, and the model. */
enum { PLACE_SEPARATION, PLACE_ALIGNMENT, PLACE_COHESION, PLACE_COUNT };

/* What the boid `self` may read. */
struct sight {
    const struct body *bodies;
    const uint32_t
        *near; /* every boid within reach, in any order, itself and farther ones among them */
    uint32_t near_count;
    uint32_t self;
    const float *params;
    double width, height;     /* of a torus; 0 x 0 is a plane */
    const struct vec *target; /* NULL: none */
    struct vec flight;        /* away from the marked targets, 0 if none is within flee_distance */
    struct vec centroid;      /* of all boids, at the start of the tick */
    double own[PLACE_COUNT];  /* the boid's own coefficients, where the model has them */
};

/* The cursors of one tick: those to seek and those to flee. All are finite. */
struct aim {
    struct vec target[FLOCK_TARGETS_MAX];
    struct vec predator[FLOCK_TARGETS_MAX];
    uint32_t targets, predators;
};

void aim_take(struct aim *aim, const struct flock_target *targets, size_t count);

/* Brings the cursors into the torus. */
void aim_wrap(struct aim *aim, struct vec torus);

struct kernel_job;

/* A model's inner loops at one width of wide.h; loops that its tick does not call are NULL. */
struct flock_loops {
    /* For crowd_tick(): moves the boids of one row of the grid. `headings`: it reads headings
     * instead of velocities. */
    bool headings;
    void (*row)(const struct kernel_job *job, uint32_t row);
    /* For swarm_tick(): sums up the boids in the disc's blocks from `first` to before `end`;
     * and moves the boids in the slots from `first` to before `end`. */
    void (*sum)(const struct kernel_job *job, uint32_t first, uint32_t end);
    void (*move)(const struct kernel_job *job, uint32_t first, uint32_t end);
};

/* How many there are of which a processor family may have one. */
enum { LOOPS_WIDTHS = 3 };

/* What makes the synchronous tick: crowd_tick() or swarm_tick(). */
enum rules_tick { TICK_CROWD, TICK_SWARM };

struct flock_rules {
    float (*reach)(const float *params); /* a boid farther away than this is not looked at */
    struct vec (*velocity)(const struct sight *sight);
    bool own; /* boids have coefficients of their own, with whose ranges the table begins */
    /* Makes what the loops need of the parameters, as floats, in job->prepared; NULL: nothing. */
    void (*prepare)(const float *params, void *prepared);
    enum rules_tick tick;
    const struct flock_loops *loops[LOOPS_WIDTHS];
};

/* Returns the shorter way around a torus. Half a torus is as near on either side: it keeps its
 * sign. */
static inline double nearest_image(double d, double size)
{
    return size > 0.0 ? d - size * rint(d / size) : d;
}

static inline struct vec vec_add(struct vec a, struct vec b)
{
    return (struct vec){a.x + b.x, a.y + b.y};
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

/* Displacement from a to b: the nearest image in a torus. */
static inline struct vec sight_between(const struct sight *sight, struct vec a, struct vec b)
{
    return (struct vec){nearest_image(b.x - a.x, sight->width),
                        nearest_image(b.y - a.y, sight->height)};
}

/* Displacement from the boid to another. */
static inline struct vec sight_of(const struct sight *sight, const struct body *other)
{
    return sight_between(sight, sight->bodies[sight->self].p, other->p);
}

/* Displacement to the target; 0 without one. */
static inline struct vec sight_of_target(const struct sight *sight)
{
    return sight->target != NULL
               ? sight_between(sight, sight->bodies[sight->self].p, *sight->target)
               : (struct vec){0.0, 0.0};
}

/* Steering force toward a wish, which counts by its direction alone. */
static inline struct vec sight_steer(const struct sight *sight, struct vec wish, double max_speed,
                                     double max_force)
{
    struct vec ideal = vec_scale(vec_unit(wish), max_speed);
    return vec_limit(vec_sub(ideal, sight->bodies[sight->self].v), max_force);
}

/* Cosine of half a view angle given in degrees; a whole turn sees what is straight behind, too. */
double sight_cosine(float degrees);

/* Sets the boid's target, the nearest of those it could seek, and its flight from the predators. */
void sight_aim(struct sight *sight, const struct aim *aim, double flee_distance);

#endif
