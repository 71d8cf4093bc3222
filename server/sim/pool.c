#include "sim/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct pool {
    uint32_t helpers; /* threads beside the caller */
    pthread_t *threads;
    pthread_mutex_t lock;
    pthread_cond_t begin, done;
    /* Under the lock. */
    uint64_t round; /* counts the calls of pool_run() */
    uint32_t busy;  /* helpers that have not finished this round */
    bool stop;
    void (*task)(void *context, uint32_t part);
    void *context;
    uint32_t parts;
    atomic_uint next; /* the next part to take */
};

static void work(struct pool *pool)
{
    for (;;) {
        uint32_t part = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (part >= pool->parts) {
            return;
        }
        pool->task(pool->context, part);
    }
}

static void *help(void *argument)
{
    struct pool *pool = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == seen && !pool->stop) {
            pthread_cond_wait(&pool->begin, &pool->lock);
        }
        if (pool->stop) {
            break;
        }
        seen = pool->round;
        pthread_mutex_unlock(&pool->lock);
        work(pool);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0) {
            pthread_cond_signal(&pool->done);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct pool *pool_create(uint32_t threads)
{
    struct pool *pool = calloc(1, sizeof *pool);
    if (pool == NULL) {
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->done, NULL);
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
    pthread_cond_destroy(&pool->done);
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
    pthread_mutex_lock(&pool->lock);
    pool->task = task;
    pool->context = context;
    pool->parts = parts;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->busy = pool->helpers;
    pool->round++;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    work(pool);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0) {
        pthread_cond_wait(&pool->done, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}
