#include "sim/reference.h"

#include "sim/plain.h"

#include <stdlib.h>

struct flock_reference {
    const struct flock *flock;
    struct plain *plain;
};

struct flock_reference *flock_reference_create(const struct flock *flock)
{
    struct flock_reference *reference = malloc(sizeof *reference);
    if (reference == NULL) {
        return NULL;
    }
    reference->flock = flock;
    reference->plain = plain_create(flock->count);
    if (reference->plain == NULL) {
        free(reference);
        return NULL;
    }
    plain_load(reference->plain, flock);
    return reference;
}

void flock_reference_destroy(struct flock_reference *reference)
{
    if (reference != NULL) {
        plain_destroy(reference->plain);
        free(reference);
    }
}

void flock_reference_load(struct flock_reference *reference)
{
    plain_load(reference->plain, reference->flock);
}

void flock_reference_tick(struct flock_reference *reference, const struct flock_target *targets,
                          size_t count)
{
    struct aim aim;
    aim_take(&aim, targets, count);
    plain_tick(reference->plain, reference->flock, &aim, true);
}

void flock_reference_boid(const struct flock_reference *reference, uint32_t boid, double state[4])
{
    const struct body *body = &plain_bodies(reference->plain)[boid];
    state[0] = body->p.x;
    state[1] = body->p.y;
    state[2] = body->v.x;
    state[3] = body->v.y;
}
