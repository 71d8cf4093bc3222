#include "hub/indexer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <uv.h>

#include "base/list.h"
#include "base/thread_priority.h"
#include "past/film_index.h"
#include "past/history_budget.h"

#define FILM_TIME UINT64_C(600000000000) /* ns: limit for one film */
#define TURN_TIME UINT64_C(100000000)    /* ns: then a film of another creator goes on */

/* A creator with films. Each has the same share of the thread. */
struct payer {
    struct list_item item;
    const struct history_budget *creator; /* held by its films */
    bool trusted;
    uint64_t used; /* ns of the thread */
    unsigned films;
};

struct job {
    struct list_item item;
    struct film *film;
    struct payer *payer;
    struct film_index *index; /* NULL: it has not begun */
    uint64_t spent;           /* ns */
};

struct indexer {
    uv_thread_t thread; /* started with the first film */
    bool started;
    uv_mutex_t lock;
    uv_cond_t changed;
    struct list waiting; /* jobs; of each creator the one that has begun is first */
    struct list payers;
    uint64_t level; /* ns: what the creator with the last turn had used */
    atomic_bool stopping;
    /* For the thread only. */
    struct flock_workspace *workspace;
    struct job *job;     /* the job that it works on */
    uint64_t tick_limit; /* ns */
    uint64_t until;      /* ns: end of the turn */
};

/* ---- jobs, under the lock ---- */

/* Returns the budget of the film's creator, or the film's own without one. */
static const struct history_budget *creator_of(const struct film *film)
{
    const struct history_budget *budget = film->budget;

    return budget != NULL && budget->parent != NULL && budget->parent->parent != NULL
               ? budget->parent
               : budget;
}

/* Returns the creator's payer, a new one if it has no films yet. Returns NULL when memory runs out.
 */
static struct payer *payer_of(struct indexer *indexer, const struct history_budget *creator)
{
    struct list_item *item = indexer->payers.first;
    struct payer *payer;

    for (; item != NULL; item = item->next) {
        payer = list_entry(item, struct payer, item);
        if (payer->creator == creator) {
            return payer;
        }
    }
    payer = calloc(1, sizeof *payer);
    if (payer != NULL) {
        payer->creator = creator;
        payer->trusted = creator != NULL && creator->trusted;
        payer->used = indexer->level;
        list_append(&indexer->payers, &payer->item);
    }
    return payer;
}

static void finish_job(struct indexer *indexer, struct job *job)
{
    film_index_end(job->index);
    film_release(job->film);
    if (--job->payer->films == 0) {
        list_remove(&indexer->payers, &job->payer->item);
        free(job->payer);
    }
    free(job);
}

/* Whether the payer's job goes before the other's: trusted creators first, then creators who have
 * used less. */
static bool is_before(const struct payer *payer, const struct payer *other)
{
    return payer->trusted != other->trusted ? payer->trusted : payer->used < other->used;
}

/* Takes the next job, or NULL if none waits. */
static struct job *next_job(struct indexer *indexer)
{
    struct list_item *item = indexer->waiting.first;
    struct job *best = NULL;

    for (; item != NULL; item = item->next) {
        struct job *job = list_entry(item, struct job, item);
        best = best == NULL || is_before(job->payer, best->payer) ? job : best;
    }
    if (best != NULL) {
        list_remove(&indexer->waiting, &best->item);
        indexer->level = best->payer->used > indexer->level ? best->payer->used : indexer->level;
    }
    return best;
}

/* ---- the thread ---- */

/* Stops at a film that no room holds. */
static bool may_go_on(void *argument)
{
    struct indexer *indexer = argument;

    flock_workspace_limit(indexer->workspace, indexer->tick_limit);
    return !atomic_load(&indexer->stopping) && uv_hrtime() < indexer->until &&
           atomic_load(&indexer->job->film->holders) > 1;
}

/* Returns the next job, or NULL when the thread must end. */
static struct job *take_job(struct indexer *indexer)
{
    struct job *job = NULL;

    uv_mutex_lock(&indexer->lock);
    while (!atomic_load(&indexer->stopping) && (job = next_job(indexer)) == NULL) {
        uv_cond_wait(&indexer->changed, &indexer->lock);
    }
    uv_mutex_unlock(&indexer->lock);
    return job;
}

/* Works on the job for a turn. Returns false when nothing remains to be done. */
static bool work_on(struct indexer *indexer, struct job *job)
{
    const uint64_t begin = uv_hrtime();
    const uint64_t left = FILM_TIME - job->spent;
    bool complete;

    indexer->until = begin + (left < TURN_TIME ? left : TURN_TIME);
    job->index = job->index != NULL ? job->index : film_index_begin(job->film);
    complete =
        job->index == NULL || film_index_work(job->index, indexer->workspace, may_go_on, indexer);
    job->spent += uv_hrtime() - begin;
    return !complete && job->spent < FILM_TIME && atomic_load(&job->film->holders) > 1;
}

static void run_thread(void *argument)
{
    struct indexer *indexer = argument;

    lower_priority();
    while ((indexer->job = take_job(indexer)) != NULL) {
        struct job *job = indexer->job;
        const uint64_t before = job->spent;
        bool more = work_on(indexer, job);
        uv_mutex_lock(&indexer->lock);
        job->payer->used += job->spent - before;
        if (more) {
            list_insert(&indexer->waiting, NULL, &job->item);
        } else {
            finish_job(indexer, job);
        }
        uv_mutex_unlock(&indexer->lock);
        if (!more) {
            flock_workspace_shrink(indexer->workspace, 1);
        }
    }
}

/* Starts the thread. Must be called with the first film. */
static bool start_thread(struct indexer *indexer)
{
    if (indexer->started) {
        return true;
    }
    indexer->workspace =
        indexer->workspace != NULL ? indexer->workspace : flock_workspace_create(1);
    if (indexer->workspace == NULL) {
        return false;
    }
    indexer->started = uv_thread_create(&indexer->thread, run_thread, indexer) == 0;
    return indexer->started;
}

/* Makes a job of the film. Returns NULL when memory runs out. */
static struct job *make_job(struct indexer *indexer, struct film *film)
{
    struct job *job = calloc(1, sizeof *job);

    if (job == NULL || (job->payer = payer_of(indexer, creator_of(film))) == NULL) {
        free(job);
        return NULL;
    }
    job->payer->films++;
    job->film = film_hold(film);
    return job;
}

void indexer_add(struct indexer *indexer, struct film *film)
{
    struct job *job = NULL;

    uv_mutex_lock(&indexer->lock);
    if (!atomic_load(&indexer->stopping) && start_thread(indexer)) {
        job = make_job(indexer, film);
    }
    if (job != NULL) {
        list_append(&indexer->waiting, &job->item);
        uv_cond_signal(&indexer->changed);
    }
    uv_mutex_unlock(&indexer->lock);
}

void indexer_sweep(struct indexer *indexer)
{
    struct list_item *item;

    uv_mutex_lock(&indexer->lock);
    item = indexer->waiting.first;
    while (item != NULL) {
        struct job *job = list_entry(item, struct job, item);
        item = item->next;
        if (atomic_load(&job->film->holders) == 1) {
            list_remove(&indexer->waiting, &job->item);
            finish_job(indexer, job);
        }
    }
    uv_mutex_unlock(&indexer->lock);
}

struct indexer *indexer_create(uint64_t tick_limit)
{
    struct indexer *indexer = calloc(1, sizeof *indexer);

    if (indexer == NULL) {
        return NULL;
    }
    indexer->tick_limit = tick_limit > 0 ? tick_limit * 1000 : FILM_TIME;
    if (uv_mutex_init(&indexer->lock) != 0) {
        free(indexer);
        return NULL;
    }
    if (uv_cond_init(&indexer->changed) != 0) {
        uv_mutex_destroy(&indexer->lock);
        free(indexer);
        return NULL;
    }
    return indexer;
}

void indexer_stop(struct indexer *indexer)
{
    uv_mutex_lock(&indexer->lock);
    atomic_store(&indexer->stopping, true);
    if (indexer->workspace != NULL) {
        flock_workspace_stop(indexer->workspace);
    }
    uv_cond_signal(&indexer->changed);
    uv_mutex_unlock(&indexer->lock);
    if (indexer->started) {
        uv_thread_join(&indexer->thread);
        indexer->started = false;
    }
}

void indexer_destroy(struct indexer *indexer)
{
    struct job *job;

    if (indexer == NULL) {
        return;
    }
    while ((job = next_job(indexer)) != NULL) {
        finish_job(indexer, job);
    }
    uv_cond_destroy(&indexer->changed);
    uv_mutex_destroy(&indexer->lock);
    flock_workspace_destroy(indexer->workspace);
    free(indexer);
}
