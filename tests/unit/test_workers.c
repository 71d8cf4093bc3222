/* Threads for the work of requests: jobs of strangers delay no job of a trusted client. */
#include "net/gate/workers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <uv.h>

#include <cmocka.h>

#include "base/thread_priority.h"

#define JOBS 16u

/* A job that runs until the test lets it end. */
struct job {
    struct worker_job work; /* must be first */
    int priority;           /* of its thread */
    uv_sem_t begun, end;
    atomic_uint order; /* of its beginning; 0: it has not begun */
};

static struct workers *workers;
static struct job jobs[JOBS];
static uv_sem_t woken;
static atomic_uint begun;

static void wake(void *waker, uint32_t shard)
{
    assert_ptr_equal(waker, &woken);
    assert_int_equal(shard, 1);
    uv_sem_post(&woken);
}

static void run(struct worker_job *work)
{
    struct job *job = (struct job *)work;

    job->priority = getpriority(PRIO_PROCESS, (id_t)gettid());
    atomic_store(&job->order, atomic_fetch_add(&begun, 1) + 1);
    uv_sem_post(&job->begun);
    uv_sem_wait(&job->end);
}

static int begin(void **state)
{
    (void)state;
    atomic_store(&begun, 0);
    memset(jobs, 0, sizeof jobs);
    for (uint32_t i = 0; i < JOBS; i++) {
        uv_sem_init(&jobs[i].begun, 0);
        uv_sem_init(&jobs[i].end, 0);
    }
    uv_sem_init(&woken, 0);
    workers = workers_create(2, wake, &woken);
    return workers == NULL;
}

static int end(void **state)
{
    (void)state;
    workers_stop(workers);
    while (workers_take_back(workers, 1) != NULL) {
    }
    workers_destroy(workers);
    for (uint32_t i = 0; i < JOBS; i++) {
        uv_sem_destroy(&jobs[i].begun);
        uv_sem_destroy(&jobs[i].end);
    }
    uv_sem_destroy(&woken);
    return 0;
}

static void add(uint32_t number, uint8_t address, bool trusted, bool heavy)
{
    struct job *job = &jobs[number];

    job->work = (struct worker_job){.run = run, .shard = 1, .trusted = trusted, .heavy = heavy};
    job->work.network.bytes[15] = address;
    assert_true(workers_add(workers, &job->work));
}

static void wait_for(uint32_t number)
{
    uv_sem_wait(&jobs[number].begun);
}

/* Ends a running job, and takes it back. */
static void finish(uint32_t number)
{
    struct worker_job *job;

    uv_sem_post(&jobs[number].end);
    uv_sem_wait(&woken);
    assert_null(workers_take_back(workers, 0));
    job = workers_take_back(workers, 1);
    assert_ptr_equal(job, &jobs[number].work);
    assert_true(job->ran);
}

static void test_trusted_jobs_do_not_wait(void **state)
{
    (void)state;
    /* The heavy job first: the thread for heavy jobs would take a light one, too. */
    add(1, 1, false, true);
    wait_for(1);
    add(0, 0, false, false);
    wait_for(0);
    for (uint32_t i = 2; i < 8; i++) {
        add(i, (uint8_t)i, false, i % 2);
    }
    add(8, 1, true, true);
    wait_for(8);
    finish(8);
    add(9, 1, true, false);
    wait_for(9);
    finish(9);
    assert_int_equal(atomic_load(&begun), 4);
    for (uint32_t i = 0; i < 8; i++) {
        uv_sem_post(&jobs[i].end);
    }
}

static void test_light_jobs_do_not_wait_for_heavy_ones(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 5; i++) {
        add(i, (uint8_t)i, false, true);
    }
    wait_for(0);
    add(5, 5, false, false);
    wait_for(5);
    finish(5);
    add(6, 6, false, false);
    wait_for(6);
    finish(6);
    for (uint32_t i = 0; i < 5; i++) {
        uv_sem_post(&jobs[i].end);
    }
}

/* An address with many jobs has one at a time, and the other address is next. */
static void test_addresses_take_turns(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        add(i, 1, false, true);
    }
    wait_for(0);
    add(6, 2, false, true);
    finish(0);
    wait_for(6);
    finish(6);
    for (uint32_t i = 1; i < 6; i++) {
        wait_for(i);
        assert_int_equal(atomic_load(&jobs[i].order), i + 2);
        finish(i);
    }
}

/* Each address has one job at a time, also if a thread has nothing else to do. */
static void test_one_job_at_a_time(void **state)
{
    (void)state;
    add(0, 1, false, false);
    wait_for(0);
    add(1, 1, false, false);
    add(2, 2, false, false);
    wait_for(2);
    assert_int_equal(atomic_load(&jobs[1].order), 0);
    finish(0);
    wait_for(1);
    finish(1);
    finish(2);
}

static void test_stop_gives_jobs_back(void **state)
{
    uint32_t ran = 0;
    struct worker_job *job;

    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        add(i, 1, false, true);
    }
    wait_for(0);
    for (uint32_t i = 0; i < 6; i++) {
        uv_sem_post(&jobs[i].end);
    }
    workers_stop(workers);
    for (uint32_t i = 0; i < 6; i++) {
        job = workers_take_back(workers, 1);
        assert_ptr_equal(job, &jobs[i].work);
        ran += job->ran;
    }
    assert_in_range(ran, 1, 6);
    assert_null(workers_take_back(workers, 1));
}

/* A thread far below the process keeps a lock that others wait for, while it waits for a processor.
 */
static void test_heavy_jobs_run_a_little_below_the_process(void **state)
{
    const int own = getpriority(PRIO_PROCESS, (id_t)gettid());
    const int lower = own + PRIORITY_STEPS;

    (void)state;
    add(0, 0, false, true);
    wait_for(0);
    finish(0);
    assert_int_equal(jobs[0].priority, lower < 19 ? lower : 19);
    assert_int_equal(getpriority(PRIO_PROCESS, (id_t)gettid()), own);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_trusted_jobs_do_not_wait), TEST(test_light_jobs_do_not_wait_for_heavy_ones),
        TEST(test_addresses_take_turns),     TEST(test_one_job_at_a_time),
        TEST(test_stop_gives_jobs_back),     TEST(test_heavy_jobs_run_a_little_below_the_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
