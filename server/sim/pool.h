/* Threads that share the work of one tick. The pool belongs to its workspace. The thread that ticks
 * a flock calls pool_run(), takes parts itself, and returns when all parts are done. The other
 * threads then watch for the next call for a moment, and then sleep. */
#ifndef POOL_H
#define POOL_H

#include <stdint.h>

struct pool;

/* `threads` includes the caller; with 1 there are no other threads. Returns NULL without memory or
 * threads. */
struct pool *pool_create(uint32_t threads);
void pool_destroy(struct pool *pool);

/* Shares the parts of pool_run() among at least two threads. */
void pool_share(struct pool *pool, uint32_t workers, void (*task)(void *context, uint32_t part),
                void *context, uint32_t parts);

/* Calls task(context, part) for every part from 0 to parts - 1, each once, on the caller's thread
 * and up to `workers` - 1 others. `workers` is 1 to `threads`. Wakes no more threads than these. */
static inline void pool_run(struct pool *pool, uint32_t workers,
                            void (*task)(void *context, uint32_t part), void *context,
                            uint32_t parts)
{
    if (workers > 1 && parts > 1) {
        pool_share(pool, workers, task, context, parts);
        return;
    }
    for (uint32_t part = 0; part < parts; part++) {
        task(context, part);
    }
}

#endif
