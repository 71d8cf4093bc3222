/* The threads that share a tick do every part of every round once, before the round ends. */
#include "sim/pool.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

enum { PARTS_MOST = 300, ROUNDS = 3000 };

struct round {
    _Atomic uint32_t times[PARTS_MOST];
    uint32_t plain[PARTS_MOST]; /* written by the thread of the part, read after the round */
    uint32_t number;
};

static void do_part(void *context, uint32_t part)
{
    struct round *round = context;
    atomic_fetch_add(&round->times[part], 1);
    round->plain[part] = round->number + part;
}

static void run_round(struct pool *pool, uint32_t threads, uint32_t number, uint32_t parts)
{
    struct round round = {.number = number};
    pool_run(pool, threads, do_part, &round, parts);
    for (uint32_t part = 0; part < PARTS_MOST; part++) {
        assert_int_equal(round.times[part], part < parts);
        assert_int_equal(round.plain[part], part < parts ? number + part : 0);
    }
}

static void nap(long milliseconds)
{
    struct timespec time = {0, milliseconds * 1000000};
    nanosleep(&time, NULL);
}

static void test_each_part_once(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        struct pool *pool = pool_create(threads);
        assert_non_null(pool);
        for (uint32_t number = 0; number < ROUNDS; number++) {
            run_round(pool, threads, number, number * 7 % PARTS_MOST);
            if (number % 500 == 0) {
                nap(3); /* the threads fall asleep and are woken */
            }
        }
        pool_destroy(pool);
    }
}

/* The threads that did parts. */
struct crew {
    pthread_mutex_t lock;
    pthread_t thread[8];
    uint32_t count;
};

static void sign_on(void *context, uint32_t part)
{
    struct crew *crew = context;
    uint32_t i = 0;
    (void)part;
    pthread_mutex_lock(&crew->lock);
    while (i < crew->count && !pthread_equal(crew->thread[i], pthread_self())) {
        i++;
    }
    if (i == crew->count) {
        crew->thread[crew->count++] = pthread_self();
    }
    pthread_mutex_unlock(&crew->lock);
    nap(1); /* the other threads have time for parts, too */
}

/* All rounds for a number of threads use at most that number of the pool's threads. */
static void test_no_more_threads_than_asked_for(void **state)
{
    (void)state;
    struct pool *pool = pool_create(5);
    assert_non_null(pool);
    for (uint32_t workers = 1; workers <= 5; workers++) {
        struct crew crew = {.lock = PTHREAD_MUTEX_INITIALIZER};
        for (int round = 0; round < 12; round++) {
            pool_run(pool, workers, sign_on, &crew, 40);
            if (round % 4 == 3) {
                nap(3);
            }
        }
        assert_in_range(crew.count, 1, workers);
        if (workers == 1) {
            assert_true(pthread_equal(crew.thread[0], pthread_self()));
        }
    }
    pool_destroy(pool);
}

static double processor_time(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static void test_idle_threads_sleep(void **state)
{
    (void)state;
    struct pool *pool = pool_create(4);
    assert_non_null(pool);
    run_round(pool, 4, 0, PARTS_MOST);
    double before = processor_time();
    nap(500); /* three busy threads would use up to 1.5 s of processor time */
    assert_true(processor_time() - before < 0.1);
    run_round(pool, 4, 1, PARTS_MOST);
    pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_part_once),
        cmocka_unit_test(test_no_more_threads_than_asked_for),
        cmocka_unit_test(test_idle_threads_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
