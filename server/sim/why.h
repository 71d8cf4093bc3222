/* Why a boid changes its velocity: the vector of each rule in the tick that comes next. The rules
 * themselves return the vectors, from the function that computes the velocity.
 *
 * Explaining a boid is no part of a tick, so a flock without questions pays nothing. */
#ifndef WHY_H
#define WHY_H

#include "sim/flock.h"

/* The causes of a change of velocity. */
enum flock_cause {
    CAUSE_SEPARATION, /* from boids that are too close */
    CAUSE_ALIGNMENT,  /* the neighbours' velocity or heading */
    CAUSE_COHESION,   /* to the neighbours, or in `swarm` to the centroid of all boids */
    CAUSE_SEEK,       /* to the target */
    CAUSE_FOOD,       /* to food, which a boid seeks instead of the target */
    CAUSE_FLEE,       /* from predators: cursors that scare, and hunters */
    CAUSE_INERTIA,    /* in `swarm`: a boid keeps only a part of its velocity */
    CAUSE_LIMITS,     /* of speed and turn: the difference between the wish and what is allowed */
    CAUSE_NOISE,      /* the random turn */
    CAUSE_WALLS,      /* the mirrored velocity after a wall */
    CAUSE_COUNT
};

/* Returns the cause's name for the wire: a lower-case word. */
const char *flock_cause_name(enum flock_cause cause);

/* The most neighbours that an explanation lists. */
#define WHY_NEIGHBOURS 16u

/* The most boids that one call explains. */
#define WHY_BOIDS 32u

struct flock_neighbour {
    uint32_t number;
    struct flock_point away; /* units: from the boid to the neighbour; in a torus the shorter way */
    bool close;              /* so near that separation acts */
};

/* A part of a disc around a boid, in which it sees others. */
struct flock_zone {
    float radius; /* units; 0: none */
    float angle;  /* degrees, the full cone around the heading; 360: all round */
};

struct flock_why {
    uint32_t boid;
    struct flock_point position; /* before the tick */
    struct flock_point velocity; /* before the tick, units per tick */
    struct flock_point after;    /* the velocity that the tick gives */
    uint32_t causes;             /* bits (1 << enum flock_cause): the causes that can act */
    struct flock_point push[CAUSE_COUNT]; /* they add up to after - velocity */
    struct flock_zone view, close;        /* of neighbours; of boids that are too close */
    uint32_t seen, crowding;              /* neighbours, and how many of them are too close */
    uint32_t listed;                      /* the nearest neighbours first, at most WHY_NEIGHBOURS */
    struct flock_neighbour neighbours[WHY_NEIGHBOURS];
};

/* Explains the boids with the numbers why[0].boid to why[count - 1].boid. There are at most
 * WHY_BOIDS of them, below flock_count(), and each number is greater than the number before. The
 * other arguments are as in flock_tick_clear(): the next tick gives the explained velocities, up to
 * the rounding of floats. Leaves the flock unchanged.
 *
 * In the synchronous order 32 boids of 5,000 take 0.2 to 1 ms, more in a denser flock. The
 * sequential order takes as long as a tick, because a boid reads the moves before its own. Must be
 * called between ticks. Returns false if memory for the workspace runs out, or if it was stopped:
 * see flock_workspace_limit(). */
bool flock_explain(const struct flock *flock, struct flock_workspace *workspace,
                   const struct flock_target *targets, size_t target_count, float clearance,
                   struct flock_why *why, uint32_t count);

#endif
