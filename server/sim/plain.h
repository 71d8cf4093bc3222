/* A flock moved by the models' rules as they are written, in double precision, for both update
 * orders: the reference that looks at every pair, and the engine of the sequential order, which
 * finds neighbours in cells and so does the same work in less time.
 *
 * plain_create() allocates for `capacity` boids; nothing else does. Used by one thread at a time.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include "sim/state.h"

struct plain;

struct plain *plain_create(uint32_t capacity);
void plain_destroy(struct plain *plain);

/* Takes over the flock's state, boid by boid in the order of their numbers. */
void plain_load(struct plain *plain, const struct flock *flock);

/* Moves the boids that were loaded by one tick, by the flock's model, parameters and world. Looks
 * at every pair if `all_pairs`. */
void plain_tick(struct plain *plain, const struct flock *flock, const struct aim *aim,
                bool all_pairs);

/* The boids as they are now. */
const struct body *plain_bodies(const struct plain *plain);

#endif
