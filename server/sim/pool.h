/* Threads that share the work of one tick. The pool belongs to its workspace; pool_run() is called
 * by the thread that ticks a flock, which works along, and returns when all parts are done. After
 * that the other threads look out for the next call for a moment, then they sleep. */
#ifndef POOL_H
#define POOL_H

#include <stdint.h>

struct pool;

/* `threads` counts the caller: with 1 there are no others. NULL if they cannot be had. */
struct pool *pool_create(uint32_t threads);
void pool_destroy(struct pool *pool);

/* Calls task(context, part) for every part from 0 to parts - 1, each once, on the caller's thread
 * and up to `workers` - 1 others, `workers` being 1 to `threads`. No more than these are woken. */
void pool_run(struct pool *pool, uint32_t workers, void (*task)(void *context, uint32_t part),
              void *context, uint32_t parts);

#endif
