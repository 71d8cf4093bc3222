#include "room/workspace.h"

#include <stdlib.h>

#include "packed.h"
#include "scene/scene.h"

#define LEAST_BOIDS 256u

struct room_workspace *room_workspace_create(uint32_t threads)
{
    struct room_workspace *workspace = calloc(1, sizeof *workspace);

    if (workspace == NULL) {
        return NULL;
    }
    workspace->engine = flock_workspace_create(threads);
    if (workspace->engine == NULL) {
        free(workspace);
        return NULL;
    }
    return workspace;
}

/* Takes over the arrays of the other. Leaves the engine, which another thread may read to stop it.
 */
static void take_arrays(struct room_workspace *workspace, const struct room_workspace *other)
{
    workspace->boids = other->boids;
    workspace->positions = other->positions;
    workspace->headings = other->headings;
    workspace->some_positions = other->some_positions;
    workspace->some_headings = other->some_headings;
    workspace->bytes = other->bytes;
}

static void forget(struct room_workspace *workspace)
{
    free(workspace->positions);
    free(workspace->headings);
    free(workspace->some_positions);
    free(workspace->some_headings);
    free(workspace->bytes);
    take_arrays(workspace, &(struct room_workspace){0});
}

void room_workspace_destroy(struct room_workspace *workspace)
{
    if (workspace != NULL) {
        forget(workspace);
        flock_workspace_destroy(workspace->engine);
        free(workspace);
    }
}

void room_workspace_limit(struct room_workspace *workspace, uint64_t time)
{
    flock_workspace_limit(workspace->engine, time);
}

void room_workspace_stop(struct room_workspace *workspace)
{
    flock_workspace_stop(workspace->engine);
}

static bool resize(struct room_workspace *workspace, uint32_t boids)
{
    struct room_workspace other = {.boids = boids};

    other.positions = malloc((size_t)boids * PROTO_BOID_SIZE);
    other.headings = malloc(boids);
    other.some_positions = malloc((size_t)boids * PROTO_BOID_SIZE);
    other.some_headings = malloc(boids);
    other.bytes = malloc(packed_bound(boids));
    if (other.positions == NULL || other.headings == NULL || other.some_positions == NULL ||
        other.some_headings == NULL || other.bytes == NULL) {
        forget(&other);
        return false;
    }
    forget(workspace);
    take_arrays(workspace, &other);
    return true;
}

bool workspace_reserve(struct room_workspace *workspace, uint32_t boids)
{
    uint32_t more = workspace->boids + workspace->boids / 2;

    if (boids <= workspace->boids) {
        return true;
    }
    /* By half at least, so that a flock that grows boid by boid does not make it again each time.
     */
    more = more < LEAST_BOIDS ? LEAST_BOIDS : more > SCENE_BOIDS_MAX ? SCENE_BOIDS_MAX : more;
    return (more > boids && resize(workspace, more)) || resize(workspace, boids);
}

void room_workspace_shrink(struct room_workspace *workspace, uint32_t boids)
{
    flock_workspace_shrink(workspace->engine, boids);
    if (boids == 0) {
        forget(workspace);
    } else if (boids < workspace->boids) {
        (void)resize(workspace, boids); /* without memory for a smaller one it stays */
    }
}
