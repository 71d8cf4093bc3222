#include "sim/pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* Looks before a thread sleeps, 20 to 100 µs. The steps of a tick follow each other faster than a
 * thread wakes up, but no processor is kept busy between ticks. */
#define LOOKS 2000

/* A round in one number: its parts, its threads, and the parts that threads have taken. */
#define PARTS_MASK    0xffffffu
#define WORKERS_SHIFT 24u
#define GIVEN_SHIFT   32u

enum { HELPERS_MAX = 63 }; /* bits in pool.asleep */

struct helper {
    struct pool *pool;
    uint32_t rank; /* takes part in rounds of more than this many threads: 1, 2, ... */
    pthread_t thread;
    pthread_cond_t begin;
    int avoids; /* the processor that it avoids; -1: none */
};

struct pool {
    uint32_t helpers; /* threads beside the caller */
    /* Written between rounds. A thread that has taken a part may read them until that part is
     * done. */
    void (*task)(void *context, uint32_t part);
    void *context;
    _Atomic uint64_t round;
    _Atomic uint32_t done;   /* parts */
    _Atomic uint64_t asleep; /* a bit for each helper: 1 << (rank - 1) */
    _Atomic bool waiting;    /* the caller sleeps */
    pthread_mutex_t lock;    /* for going to sleep and waking up */
    pthread_cond_t end;
    bool stop; /* guarded by the lock */
    struct helper helper[];
};

static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Returns whether parts are left for the thread of that rank; the caller has rank 0. */
static bool has_parts(const struct pool *pool, uint32_t rank)
{
    uint64_t round = atomic_load(&pool->round);
    return round >> GIVEN_SHIFT < (round & PARTS_MASK) && rank < (round >> WORKERS_SHIFT & 0xff);
}

/* Takes parts until none is left. A helper may be late and take parts of a later round than the one
 * that woke it; this does no harm. */
static void work(struct pool *pool, uint32_t rank)
{
    while (has_parts(pool, rank)) {
        uint64_t round = atomic_fetch_add(&pool->round, UINT64_C(1) << GIVEN_SHIFT);
        uint32_t parts = (uint32_t)(round & PARTS_MASK);
        uint64_t part = round >> GIVEN_SHIFT;
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

/* Returns false when the pool stops. */
static bool sleep_till_begin(struct pool *pool, struct helper *helper)
{
    uint64_t bit = UINT64_C(1) << (helper->rank - 1);
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_or(&pool->asleep, bit);
    while (!has_parts(pool, helper->rank) && !pool->stop) {
        pthread_cond_wait(&helper->begin, &pool->lock);
    }
    atomic_fetch_and(&pool->asleep, ~bit);
    bool stop = pool->stop;
    pthread_mutex_unlock(&pool->lock);
    return !stop;
}

static void *help(void *argument)
{
    struct helper *helper = argument;
    struct pool *pool = helper->pool;
    do {
        for (int look = 0; look < LOOKS; look++) {
            if (has_parts(pool, helper->rank)) {
                work(pool, helper->rank);
                look = 0;
            }
            relax();
        }
    } while (sleep_till_begin(pool, helper));
    return NULL;
}

/* Keeps the helpers of the given bits off the caller's processor. Linux often starts a thread on
 * the processor of the thread that wakes it. There it does not help, and load balancing takes many
 * milliseconds to move it. With 5 ms between ticks, on a virtual machine with two processors, two
 * threads then took 1.7 times as long as one for 5,000 boids, and equally long for 100,000. */
static void keep_off_caller(struct pool *pool, uint64_t helpers)
{
#if defined(__linux__)
    const int caller = sched_getcpu();
    for (; helpers != 0; helpers &= helpers - 1) {
        struct helper *helper = &pool->helper[__builtin_ctzll(helpers)];
        cpu_set_t processors;
        if (helper->avoids == caller || caller < 0 || caller >= CPU_SETSIZE ||
            sched_getaffinity(0, sizeof processors, &processors) != 0) {
            continue;
        }
        CPU_CLR((size_t)caller, &processors);
        if (CPU_COUNT(&processors) > 0 &&
            pthread_setaffinity_np(helper->thread, sizeof processors, &processors) == 0) {
            helper->avoids = caller;
        }
    }
#else
    (void)pool;
    (void)helpers;
#endif
}

/* Wakes the sleeping helpers among the given bits. */
static void wake(struct pool *pool, uint64_t helpers)
{
    uint64_t asleep = atomic_load(&pool->asleep) & helpers;
    if (asleep == 0) {
        return;
    }
    keep_off_caller(pool, asleep);
    /* A helper that has set its bit, but does not wait yet, holds the lock. */
    pthread_mutex_lock(&pool->lock);
    pthread_mutex_unlock(&pool->lock);
    for (; asleep != 0; asleep &= asleep - 1) {
        pthread_cond_signal(&pool->helper[__builtin_ctzll(asleep)].begin);
    }
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

static bool start_helper(struct pool *pool)
{
    struct helper *helper = &pool->helper[pool->helpers];
    helper->pool = pool;
    helper->rank = pool->helpers + 1;
    helper->avoids = -1;
    pthread_cond_init(&helper->begin, NULL);
    if (pthread_create(&helper->thread, NULL, help, helper) != 0) {
        pthread_cond_destroy(&helper->begin);
        return false;
    }
    pool->helpers++;
    return true;
}

struct pool *pool_create(uint32_t threads)
{
    if (threads < 1 || threads > HELPERS_MAX + 1) {
        return NULL;
    }
    struct pool *pool = calloc(1, sizeof *pool + (threads - 1) * sizeof *pool->helper);
    if (pool == NULL) {
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->end, NULL);
    while (pool->helpers + 1 < threads) {
        if (!start_helper(pool)) {
            pool_destroy(pool);
            return NULL;
        }
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
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->helpers; i++) {
        struct helper *helper = &pool->helper[i];
        pthread_cond_signal(&helper->begin);
        pthread_join(helper->thread, NULL);
        pthread_cond_destroy(&helper->begin);
    }
    pthread_cond_destroy(&pool->end);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void pool_share(struct pool *pool, uint32_t workers, void (*task)(void *context, uint32_t part),
                void *context, uint32_t parts)
{
    assert(workers >= 2 && workers <= pool->helpers + 1);
    pool->task = task;
    pool->context = context;
    atomic_store(&pool->done, 0);
    atomic_store(&pool->round, parts | (uint64_t)workers << WORKERS_SHIFT);
    wake(pool, (UINT64_C(1) << (workers - 1)) - 1);
    work(pool, 0);
    wait_for_end(pool, parts);
}
