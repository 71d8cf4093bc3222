#include "sim/reference.h"

#include "sim/plain.h"

#include <stdlib.h>

struct flock_reference {
    const struct flock *flock;
    struct plain plain;
    unsigned char *memory; /* of `plain` */
};

struct flock_reference *flock_reference_create(const struct flock *flock)
{
    struct flock_reference *reference = malloc(sizeof *reference);
    if (reference == NULL) {
        return NULL;
    }
    reference->flock = flock;
    struct arena arena = {0};
    plain_take(&reference->plain, &arena, flock->count);
    reference->memory = aligned_alloc(ARENA_LINE, arena.used);
    if (reference->memory == NULL) {
        free(reference);
        return NULL;
    }
    arena = (struct arena){.memory = reference->memory};
    plain_take(&reference->plain, &arena, flock->count);
    plain_load(&reference->plain, flock);
    return reference;
}

void flock_reference_destroy(struct flock_reference *reference)
{
    if (reference != NULL) {
        free(reference->memory);
        free(reference);
    }
}

void flock_reference_load(struct flock_reference *reference)
{
    plain_load(&reference->plain, reference->flock);
}

void flock_reference_tick(struct flock_reference *reference, const struct flock_target *targets,
                          size_t count, float clearance)
{
    struct aim aim;
    aim_take(&aim, &reference->flock->definition.settings, &reference->plain.things, targets, count,
             clearance);
    plain_tick(&reference->plain, reference->flock, &aim, NULL);
}

void flock_reference_boid(const struct flock_reference *reference, uint32_t boid, double state[4])
{
    const struct body *body = &reference->plain.bodies[boid];
    state[0] = body->p.x;
    state[1] = body->p.y;
    state[2] = body->v.x;
    state[3] = body->v.y;
}

const struct flock_things *flock_reference_things(const struct flock_reference *reference)
{
    return &reference->plain.things;
}
