#include "net/gate/workers.h"

#include <assert.h>
#include <stdlib.h>
#include <uv.h>

#include "base/thread_priority.h"

#define THREADS 3u

/* The jobs of an address that the server does not trust, while there are any. */
struct worker_account {
    struct list_item item;
    struct ip network;
    uint64_t used; /* ns: of its jobs so far */
    uint32_t jobs;
    bool busy; /* a thread runs a job of the address */
};

struct worker {
    struct workers *workers;
    uv_thread_t thread;
    uint32_t number; /* see may_run() */
};

struct workers {
    uv_mutex_t lock;
    uv_cond_t changed;
    bool stopping;
    struct list waiting;  /* jobs */
    struct list accounts; /* of jobs that wait or run */
    uint64_t level;       /* ns: what the account with the latest job had used before */
    struct list *done;    /* jobs, by shard */
    uint32_t shards;
    void (*wake)(void *waker, uint32_t shard);
    void *waker;
    struct worker threads[THREADS];
    uint32_t started;
};

/* ---- the next job, under the lock ---- */

static struct worker_job *job_of(struct list_item *item)
{
    return list_entry(item, struct worker_job, item);
}

static bool may_run(const struct worker *worker, const struct worker_job *job)
{
    if (job->trusted) {
        return true;
    }
    return !job->account->busy && worker->number >= (job->heavy ? 2u : 1u);
}

static bool is_before(const struct worker_job *job, const struct worker_job *other)
{
    if (job->trusted || other->trusted) {
        return job->trusted && !other->trusted;
    }
    return job->account->used < other->account->used;
}

/* Takes the next job of that thread out of the waiting ones. Returns NULL if there is none. */
static struct worker_job *take_next(struct worker *worker)
{
    struct workers *workers = worker->workers;
    struct worker_job *next = NULL;

    for (struct list_item *item = workers->waiting.first; item != NULL; item = item->next) {
        struct worker_job *job = job_of(item);
        if (may_run(worker, job) && (next == NULL || is_before(job, next))) {
            next = job;
        }
    }
    if (next == NULL) {
        return NULL;
    }
    list_remove(&workers->waiting, &next->item);
    if (next->account != NULL) {
        next->account->busy = true;
        workers->level = next->account->used;
    }
    return next;
}

/* ---- accounts, under the lock ---- */

static struct worker_account *find_account(const struct workers *workers, const struct ip *network)
{
    struct worker_account *account =
        list_entry(workers->accounts.first, struct worker_account, item);

    while (account != NULL && !ip_same(&account->network, network)) {
        account = list_entry(account->item.next, struct worker_account, item);
    }
    return account;
}

/* Returns NULL when memory runs out. */
static struct worker_account *hold_account(struct workers *workers, const struct ip *network)
{
    struct worker_account *account = find_account(workers, network);

    if (account == NULL) {
        account = calloc(1, sizeof *account);
        if (account == NULL) {
            return NULL;
        }
        account->network = *network;
        account->used = workers->level;
        list_append(&workers->accounts, &account->item);
    }
    account->jobs++;
    return account;
}

static void release_account(struct workers *workers, struct worker_job *job, uint64_t time)
{
    struct worker_account *account = job->account;

    job->account = NULL;
    if (account == NULL) {
        return;
    }
    account->busy = false;
    account->used += time;
    if (--account->jobs == 0) {
        list_remove(&workers->accounts, &account->item);
        free(account);
    }
}

/* ---- threads ---- */

/* Runs a job without the lock. */
static void run_job(struct workers *workers, struct worker_job *job)
{
    const uint64_t begun = uv_hrtime();
    const uint32_t shard = job->shard;

    uv_mutex_unlock(&workers->lock);
    job->run(job);
    uv_mutex_lock(&workers->lock);
    job->ran = true;
    release_account(workers, job, uv_hrtime() - begun);
    list_append(&workers->done[shard], &job->item);
    uv_cond_broadcast(&workers->changed);
    workers->wake(workers->waker, shard);
}

static void run_thread(void *argument)
{
    struct worker *worker = argument;
    struct workers *workers = worker->workers;
    struct worker_job *job;

    if (worker->number == THREADS - 1) {
        lower_priority();
    }
    uv_mutex_lock(&workers->lock);
    while (!workers->stopping) {
        job = take_next(worker);
        if (job != NULL) {
            run_job(workers, job);
        } else {
            uv_cond_wait(&workers->changed, &workers->lock);
        }
    }
    uv_mutex_unlock(&workers->lock);
}

static bool start_threads(struct workers *workers)
{
    for (; workers->started < THREADS; workers->started++) {
        struct worker *worker = &workers->threads[workers->started];
        worker->workers = workers;
        worker->number = workers->started;
        if (uv_thread_create(&worker->thread, run_thread, worker) != 0) {
            return false;
        }
    }
    return true;
}

static bool create_locks(struct workers *workers)
{
    if (uv_mutex_init(&workers->lock) != 0) {
        return false;
    }
    if (uv_cond_init(&workers->changed) != 0) {
        uv_mutex_destroy(&workers->lock);
        return false;
    }
    return true;
}

struct workers *workers_create(uint32_t shards, void (*wake)(void *waker, uint32_t shard),
                               void *waker)
{
    struct workers *workers = calloc(1, sizeof *workers);
    struct list *done = calloc(shards, sizeof *done);

    if (workers == NULL || done == NULL || !create_locks(workers)) {
        free(done);
        free(workers);
        return NULL;
    }
    workers->done = done;
    workers->shards = shards;
    workers->wake = wake;
    workers->waker = waker;
    if (!start_threads(workers)) {
        workers_stop(workers);
        workers_destroy(workers);
        return NULL;
    }
    return workers;
}

void workers_stop(struct workers *workers)
{
    struct worker_job *job;

    if (workers == NULL) {
        return;
    }
    uv_mutex_lock(&workers->lock);
    workers->stopping = true;
    uv_cond_broadcast(&workers->changed);
    uv_mutex_unlock(&workers->lock);
    while (workers->started > 0) {
        uv_thread_join(&workers->threads[--workers->started].thread);
    }
    while ((job = job_of(list_take(&workers->waiting))) != NULL) {
        release_account(workers, job, 0);
        list_append(&workers->done[job->shard], &job->item);
    }
}

void workers_destroy(struct workers *workers)
{
    if (workers == NULL) {
        return;
    }
    assert(workers->started == 0 && workers->accounts.first == NULL);
    uv_cond_destroy(&workers->changed);
    uv_mutex_destroy(&workers->lock);
    free(workers->done);
    free(workers);
}

/* ---- from the shards ---- */

bool workers_add(struct workers *workers, struct worker_job *job)
{
    bool added;

    assert(job->shard < workers->shards && job->account == NULL && !job->ran);
    uv_mutex_lock(&workers->lock);
    if (!job->trusted) {
        job->account = hold_account(workers, &job->network);
    }
    added = job->trusted || job->account != NULL;
    if (added) {
        list_append(&workers->waiting, &job->item);
        uv_cond_broadcast(&workers->changed);
    }
    uv_mutex_unlock(&workers->lock);
    return added;
}

struct worker_job *workers_take_back(struct workers *workers, uint32_t shard)
{
    struct worker_job *job;

    uv_mutex_lock(&workers->lock);
    job = job_of(list_take(&workers->done[shard]));
    uv_mutex_unlock(&workers->lock);
    return job;
}
