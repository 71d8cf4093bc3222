#include "hub/indexer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include <uv.h>

#include "base/list.h"
#include "past/film_index.h"

#define NICENESS  19
#define FILM_TIME UINT64_C(600000000000) /* ns: limit for one film */

struct waiting {
    struct list_item item;
    struct film *film;
};

struct indexer {
    uv_thread_t thread; /* started with the first film */
    bool started;
    uv_mutex_t lock;
    uv_cond_t changed;
    struct list waiting;
    atomic_bool stopping;
    /* For the thread only. */
    struct flock_workspace *workspace;
    struct film *film;   /* the film that it works on */
    uint64_t tick_limit; /* ns */
    uint64_t until;      /* ns: deadline of the film */
};

/* Stops at a film that no room holds. */
static bool may_go_on(void *argument)
{
    struct indexer *indexer = argument;

    flock_workspace_limit(indexer->workspace, indexer->tick_limit);
    return !atomic_load(&indexer->stopping) && uv_hrtime() < indexer->until &&
           atomic_load(&indexer->film->holders) > 1;
}

/* Returns the next film, or NULL when the thread must end. */
static struct film *take_film(struct indexer *indexer)
{
    struct waiting *waiting;
    struct film *film;

    uv_mutex_lock(&indexer->lock);
    while (indexer->waiting.first == NULL && !atomic_load(&indexer->stopping)) {
        uv_cond_wait(&indexer->changed, &indexer->lock);
    }
    waiting = list_entry(list_take(&indexer->waiting), struct waiting, item);
    film = waiting != NULL ? waiting->film : NULL;
    uv_mutex_unlock(&indexer->lock);
    free(waiting);
    return film;
}

static void run_thread(void *argument)
{
    struct indexer *indexer = argument;

    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), NICENESS);
    while (!atomic_load(&indexer->stopping) && (indexer->film = take_film(indexer)) != NULL) {
        indexer->until = uv_hrtime() + FILM_TIME;
        film_index(indexer->film, indexer->workspace, may_go_on, indexer);
        film_release(indexer->film);
        flock_workspace_shrink(indexer->workspace, 1);
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

void indexer_add(struct indexer *indexer, struct film *film)
{
    struct waiting *waiting = calloc(1, sizeof *waiting);

    uv_mutex_lock(&indexer->lock);
    if (waiting == NULL || atomic_load(&indexer->stopping) || !start_thread(indexer)) {
        uv_mutex_unlock(&indexer->lock);
        free(waiting);
        return;
    }
    waiting->film = film_hold(film);
    list_append(&indexer->waiting, &waiting->item);
    uv_cond_signal(&indexer->changed);
    uv_mutex_unlock(&indexer->lock);
}

void indexer_sweep(struct indexer *indexer)
{
    struct list_item *item;

    uv_mutex_lock(&indexer->lock);
    item = indexer->waiting.first;
    while (item != NULL) {
        struct waiting *waiting = list_entry(item, struct waiting, item);
        item = item->next;
        if (atomic_load(&waiting->film->holders) == 1) {
            list_remove(&indexer->waiting, &waiting->item);
            film_release(waiting->film);
            free(waiting);
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
    struct film *film;

    if (indexer == NULL) {
        return;
    }
    while ((film = take_film(indexer)) != NULL) {
        film_release(film);
    }
    uv_cond_destroy(&indexer->changed);
    uv_mutex_destroy(&indexer->lock);
    flock_workspace_destroy(indexer->workspace);
    free(indexer);
}
