#include "sim/workspace.h"

#include "sim/clusters.h"
#include "sim/disc.h"
#include "sim/grid.h"
#include "sim/line.h"
#include "sim/plain.h"
#include "sim/sums.h"

#include <stdlib.h>

struct flock_workspace *flock_workspace_create(uint32_t threads)
{
    if (threads < 1 || threads > FLOCK_THREADS_MAX) {
        return NULL;
    }
    struct flock_workspace *workspace = calloc(1, sizeof *workspace);
    if (workspace == NULL) {
        return NULL;
    }
    workspace->threads = threads;
    workspace->workers = 1;
    workspace->limit.alone = threads == 1;
    limit_begin(&workspace->limit, UINT64_MAX);
    workspace->pool = pool_create(threads);
    if (workspace->pool == NULL) {
        free(workspace);
        return NULL;
    }
    return workspace;
}

void flock_workspace_destroy(struct flock_workspace *workspace)
{
    if (workspace != NULL) {
        pool_destroy(workspace->pool);
        free(workspace->memory);
        free(workspace);
    }
}

static size_t greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Returns the bytes that the most expensive kind of tick or measure takes for a flock of `boids`
 * boids. More boids never take less, so memory for many boids suffices for few. */
static size_t bytes_for(uint32_t boids, uint32_t threads)
{
    struct arena crowd = {0};
    struct arena swarm = {0};
    struct arena sequential = {0};
    struct arena line = {0};
    struct arena clusters = {0};
    grid_take(&(struct grid){0}, &crowd, boids, threads);
    disc_take(&(struct disc){0}, &swarm, boids, true);
    swarm_sums_take(&(struct swarm_sums){0}, &swarm, boids);
    swarm_before_take(&(struct swarm_before){0}, &swarm, boids);
    swarm_aims_take(&(struct swarm_aims){0}, &swarm, boids);
    plain_take(&(struct plain){0}, &sequential, boids);
    line_take(&(struct line){0}, &line, boids);
    clusters_take(&(struct clusters){0}, &clusters, boids < FLOCK_EXACT ? boids : FLOCK_EXACT);
    size_t tick = greater(greater(crowd.used, swarm.used), sequential.used);
    return greater(tick, greater(line.used, clusters.used));
}

/* Replaces the scratch memory by memory for `boids` boids. */
static bool resize(struct flock_workspace *workspace, uint32_t boids)
{
    unsigned char *memory = aligned_alloc(ARENA_LINE, bytes_for(boids, workspace->threads));
    if (memory == NULL) {
        return false;
    }
    free(workspace->memory);
    workspace->memory = memory;
    workspace->boids = boids;
    return true;
}

bool flock_workspace_reserve(struct flock_workspace *workspace, uint32_t boids)
{
    if (boids < 1 || boids > FLOCK_BOIDS_MAX) {
        return false;
    }
    if (boids <= workspace->boids) {
        return true;
    }
    /* Grows by at least half, so that a flock that grows boid by boid does not allocate each
     * time. */
    uint32_t room = workspace->boids + workspace->boids / 2;
    room = room < FLOCK_BOIDS_MAX ? room : FLOCK_BOIDS_MAX;
    return (room > boids && resize(workspace, room)) || resize(workspace, boids);
}

void flock_workspace_shrink(struct flock_workspace *workspace, uint32_t boids)
{
    if (boids == 0) {
        free(workspace->memory);
        workspace->memory = NULL;
        workspace->boids = 0;
    } else if (boids < workspace->boids) {
        (void)resize(workspace, boids); /* without memory for a smaller one, it keeps its memory */
    }
}

void flock_workspace_limit(struct flock_workspace *workspace, uint64_t time)
{
    limit_begin(&workspace->limit, time);
}

void flock_workspace_limit_again(struct flock_workspace *workspace)
{
    limit_again(&workspace->limit);
}

uint64_t flock_workspace_spent(struct flock_workspace *workspace)
{
    return limit_spent(&workspace->limit);
}

void flock_workspace_stop(struct flock_workspace *workspace)
{
    limit_stop(&workspace->limit);
}

uint32_t flock_workspace_threads(const struct flock_workspace *workspace)
{
    return workspace->threads;
}

uint32_t flock_workspace_boids(const struct flock_workspace *workspace)
{
    return workspace->boids;
}

void flock_workspace_run(struct flock_workspace *workspace, uint32_t workers,
                         void (*task)(void *context, uint32_t part), void *context, uint32_t parts)
{
    workers = workers > 1 ? workers : 1;
    pool_run(workspace->pool, workers < workspace->threads ? workers : workspace->threads, task,
             context, parts);
}

void workspace_choose(struct flock_workspace *workspace, uint32_t boids, uint32_t worker_boids)
{
    uint32_t workers = workspace->all_work ? FLOCK_THREADS_MAX : boids / worker_boids;
    workers = workers > 1 ? workers : 1;
    workspace->workers = workers < workspace->threads ? workers : workspace->threads;
}
