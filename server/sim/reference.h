/* The reference engine: the models' formulas in double precision, with every boid looking at every
 * other. It is slow; tests compare the fast engine with it. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "sim/flock.h"

struct flock_reference;

/* Starts from the flock's present state and follows its model, parameters, walls and world, but not
 * its boids, food and hunters. It reads `flock` and never moves it; `flock` must outlive the
 * reference. Returns NULL if memory runs out. */
struct flock_reference *flock_reference_create(const struct flock *flock);
void flock_reference_destroy(struct flock_reference *reference);

/* Takes the flock's present state again; the flock has as many boids as it had. */
void flock_reference_load(struct flock_reference *reference);

/* See flock_tick_clear(). */
void flock_reference_tick(struct flock_reference *reference, const struct flock_target *targets,
                          size_t count, float clearance);

/* Stores x, y, vx and vy of the boid of that number. */
void flock_reference_boid(const struct flock_reference *reference, uint32_t boid, double state[4]);

const struct flock_things *flock_reference_things(const struct flock_reference *reference);

#endif
