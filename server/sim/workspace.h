/* The memory and threads that a workspace lends to a tick; for the engine's own files. */
#ifndef WORKSPACE_H
#define WORKSPACE_H

#include "sim/arena.h"
#include "sim/limit.h"
#include "sim/pool.h"
#include "sim/state.h"

struct flock_workspace {
    struct pool *pool;
    uint32_t threads;
    uint32_t workers;      /* threads that take part in the present tick, 1 to `threads` */
    bool all_work;         /* use all threads for any number of boids; for tests */
    uint32_t boids;        /* number of boids that `memory` suffices for */
    unsigned char *memory; /* NULL: no memory yet */
    struct limit limit;    /* for the ticks that use it */
};

/* Chooses how many threads take part in a tick: one for every `worker_boids` boids. */
void workspace_choose(struct flock_workspace *workspace, uint32_t boids, uint32_t worker_boids);

/* Returns all of the scratch memory, from its front. */
static inline struct arena workspace_arena(const struct flock_workspace *workspace)
{
    return (struct arena){.memory = workspace->memory};
}

/* Calls task(context, part) for every part from 0 to parts - 1, each once, on the threads that take
 * part in the tick. */
static inline void workspace_run(struct flock_workspace *workspace,
                                 void (*task)(void *context, uint32_t part), void *context,
                                 uint32_t parts)
{
    pool_run(workspace->pool, workspace->workers, task, context, parts);
}

#endif
