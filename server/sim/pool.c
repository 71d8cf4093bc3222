#include "sim/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* Looks that a thread takes before it sleeps, some 20 to 100 us: the steps of a tick follow one
 * another faster than a thread can be woken, but between ticks no processor is kept busy. */
#define LOOKS 2000

/* A round's parts and, above them, how many have been given out. */
#define PARTS_BITS 24u
#define PARTS_MASK ((1u << PARTS_BITS) - 1)

struct pool {
    uint32_t helpers; /* threads beside the caller */
    pthread_t *threads;
    /* Written between rounds; whoever takes a part may read them until it is done. */
    void (*task)(void *context, uint32_t part);
    void *context;
    _Atomic uint64_t round;  /* parts | given << PARTS_BITS */
    _Atomic uint32_t done;   /* parts */
    _Atomic uint32_t asleep; /* helpers */
    _Atomic bool waiting;    /* the caller sleeps */
    pthread_mutex_t lock;    /* of going to sleep and of being woken */
    pthread_cond_t begin, end;
    bool stop; /* under the lock */
};

static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool has_parts(const struct pool *pool)
{
    uint64_t round = atomic_load(&pool->round);
    return round >> PARTS_BITS < (round & PARTS_MASK);
}

/* Takes parts as long as there are any. A helper may come late and take them of a later round than
 * it was woken for: it does not matter which. */
static void work(struct pool *pool)
{
    while (has_parts(pool)) {
        uint64_t round = atomic_fetch_add(&pool->round, UINT64_C(1) << PARTS_BITS);
        uint32_t parts = (uint32_t)(round & PARTS_MASK);
        uint64_t part = round >> PARTS_BITS;
        if (part >= parts) {
            return;
        }
        pool->task(pool->context, (uint32_t)part);
        if (atomic_fetch_add(&pool->done, 1) + 1 == parts && atomic_load(&pool->waiting)) {
            pthread_mutex_lock(&pool->lock);
            pthread_cond_signal(&pool->end);
            pthread_mutex_unlock(&pool->lock);
        }
    }
}

/* False: the pool stops. */
static bool sleep_till_begin(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->asleep, 1);
    while (!has_parts(pool) && !pool->stop) {
        pthread_cond_wait(&pool->begin, &pool->lock);
    }
    atomic_fetch_sub(&pool->asleep, 1);
    bool stop = pool->stop;
    pthread_mutex_unlock(&pool->lock);
    return !stop;
}

static void *help(void *argument)
{
    struct pool *pool = argument;
    do {
        for (int look = 0; look < LOOKS; look++) {
            if (has_parts(pool)) {
                work(pool);
                look = 0;
            }
            relax();
        }
    } while (sleep_till_begin(pool));
    return NULL;
}

static void wait_for_end(struct pool *pool, uint32_t parts)
{
    for (int look = 0; look < LOOKS; look++) {
        if (atomic_load(&pool->done) == parts) {
            return;
        }
        relax();
    }
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->waiting, true);
    while (atomic_load(&pool->done) < parts) {
        pthread_cond_wait(&pool->end, &pool->lock);
    }
    atomic_store(&pool->waiting, false);
    pthread_mutex_unlock(&pool->lock);
}

struct pool *pool_create(uint32_t threads)
{
    struct pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->end, NULL);
    pool->threads = calloc(threads, sizeof *pool->threads);
    while (pool->threads != NULL && pool->helpers + 1 < threads &&
           pthread_create(&pool->threads[pool->helpers], NULL, help, pool) == 0) {
        pool->helpers++;
    }
    if (pool->threads == NULL || pool->helpers + 1 < threads) {
        pool_destroy(pool);
        return NULL;
    }
    return pool;
}

void pool_destroy(struct pool *pool)
{
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->helpers; i++) {
        pthread_join(pool->threads[i], NULL);
    }
    pthread_cond_destroy(&pool->end);
    pthread_cond_destroy(&pool->begin);
    pthread_mutex_destroy(&pool->lock);
    free(pool->threads);
    free(pool);
}

void pool_run(struct pool *pool, void (*task)(void *context, uint32_t part), void *context,
              uint32_t parts)
{
    if (pool->helpers == 0 || parts < 2) {
        for (uint32_t part = 0; part < parts; part++) {
            task(context, part);
        }
        return;
    }
    pool->task = task;
    pool->context = context;
    atomic_store(&pool->done, 0);
    atomic_store(&pool->round, parts);
    if (atomic_load(&pool->asleep) > 0) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_broadcast(&pool->begin);
        pthread_mutex_unlock(&pool->lock);
    }
    work(pool);
    wait_for_end(pool, parts);
}
