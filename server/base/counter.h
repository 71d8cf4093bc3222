/* Counters, and histograms of times. One thread adds to them; any thread may read them at the same
 * time without a lock. Each number is correct by itself, but two numbers may be of different
 * moments. */
#ifndef COUNTER_H
#define COUNTER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t counter_read(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static inline void counter_set(_Atomic uint64_t *counter, uint64_t value)
{
    atomic_store_explicit(counter, value, memory_order_relaxed);
}

/* Only one thread writes, so this needs no atomic addition. */
static inline void counter_add(_Atomic uint64_t *counter, uint64_t more)
{
    counter_set(counter, counter_read(counter) + more);
}

#define HISTOGRAM_BOUNDS 9u

/* ns; a time belongs to the first bucket whose bound is not less */
static const uint64_t histogram_bounds[HISTOGRAM_BOUNDS] = {
    100000, 500000, 1000000, 2500000, 5000000, 10000000, 25000000, 50000000, 100000000,
};

struct histogram {
    _Atomic uint64_t buckets[HISTOGRAM_BOUNDS + 1]; /* the last bucket: above all bounds */
    _Atomic uint64_t sum;                           /* ns */
};

static inline void histogram_add(struct histogram *histogram, uint64_t time)
{
    size_t bucket = 0;

    while (bucket < HISTOGRAM_BOUNDS && time > histogram_bounds[bucket]) {
        bucket++;
    }
    counter_add(&histogram->buckets[bucket], 1);
    counter_add(&histogram->sum, time);
}

#endif
