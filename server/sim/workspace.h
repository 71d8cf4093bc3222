/* What a tick borrows; for the engine's own files. */
#ifndef WORKSPACE_H
#define WORKSPACE_H

#include "sim/arena.h"
#include "sim/pool.h"
#include "sim/state.h"

#include <stdatomic.h>

struct flock_workspace {
    struct pool *pool;
    uint32_t threads;
    uint32_t workers;      /* threads that take part in the present tick, 1 to `threads` */
    bool all_work;         /* however few boids there are: for tests */
    uint32_t boids;        /* that `memory` is enough for */
    unsigned char *memory; /* NULL: none yet */
    /* Whether to give up the present tick, and whether it is. */
    bool (*wanted)(void *argument);
    void *argument;
    _Atomic bool abandoned;
};

/* Boids that a thread looks at, several at a time or one, between two questions whether to go on:
 * some 10 to 100 us. */
enum { WORK_AT_ONCE = 1 << 15 };

/* Chooses how many threads take part in a tick: one for every `worker_boids` boids. */
void workspace_choose(struct flock_workspace *workspace, uint32_t boids, uint32_t worker_boids);

/* All of the scratch memory, from the front. */
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

/* Whether the present tick is given up: what it has made of the flock so far is to be undone. */
static inline bool workspace_abandoned(const struct flock_workspace *workspace)
{
    return atomic_load_explicit(&workspace->abandoned, memory_order_relaxed);
}

/* Asks whether to give it up. */
bool workspace_ask(struct flock_workspace *workspace);

/* The same, each time that *work, to which `more` is added, says that it is time. */
static inline bool workspace_worked(struct flock_workspace *workspace, uint32_t *work,
                                    uint32_t more)
{
    *work += more;
    if (*work < WORK_AT_ONCE) {
        return false;
    }
    *work = 0;
    return workspace_ask(workspace);
}

#endif
