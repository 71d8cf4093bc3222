/* The sums over the swarm's discs, for one tick. For the engine's own files. */
#ifndef SUMS_H
#define SUMS_H

#include "sim/arena.h"
#include "sim/state.h"

/* The sum of the displacements to all boids in a boid's disc, and their number; by slot. */
struct swarm_sums {
    float *x, *y, *counted;
};

static inline void swarm_sums_take(struct swarm_sums *sums, struct arena *arena, uint32_t boids)
{
    size_t count = (size_t)boids + FLOCK_SLACK;
    sums->x = arena_take(arena, count, sizeof *sums->x);
    sums->y = arena_take(arena, count, sizeof *sums->y);
    sums->counted = arena_take(arena, count, sizeof *sums->counted);
}

/* The targets and the flights of the boids, by slot: see struct aimed in wide/group.h. A boid with
 * a keenness of 0 seeks nothing. */
struct swarm_aims {
    float *target_x, *target_y, *keenness, *flight_x, *flight_y;
};

static inline void swarm_aims_take(struct swarm_aims *aims, struct arena *arena, uint32_t boids)
{
    size_t count = (size_t)boids + FLOCK_SLACK;
    aims->target_x = arena_take(arena, count, sizeof *aims->target_x);
    aims->target_y = arena_take(arena, count, sizeof *aims->target_y);
    aims->keenness = arena_take(arena, count, sizeof *aims->keenness);
    aims->flight_x = arena_take(arena, count, sizeof *aims->flight_x);
    aims->flight_y = arena_take(arena, count, sizeof *aims->flight_y);
}

/* A swarm before it moves. */
struct swarm_before {
    float *x, *y, *vx, *vy;
};

static inline void swarm_before_take(struct swarm_before *before, struct arena *arena,
                                     uint32_t boids)
{
    before->x = arena_take(arena, boids, sizeof *before->x);
    before->y = arena_take(arena, boids, sizeof *before->y);
    before->vx = arena_take(arena, boids, sizeof *before->vx);
    before->vy = arena_take(arena, boids, sizeof *before->vy);
}

#endif
