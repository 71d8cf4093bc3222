/* Food and hunters in a tick. Both engines, in both update orders, read the things and the boids
 * from before the tick. For the engine's own files. */
#ifndef THINGS_H
#define THINGS_H

#include "sim/state.h"

/* Begin and end a tick of the fast engine, of a flock with things. Between them, the loops count
 * bites. things_begin() moves the hunters in a copy of the things. things_end() removes the bites
 * from the copy and gives it to the flock. */
void things_begin(const struct flock *flock, struct flock_things *things, struct bites *bites);
void things_end(struct flock *flock, struct flock_things *things, const struct bites *bites);

/* Removes bites from the food, and food without units. */
void things_eat(struct flock_things *things, const uint32_t bites[FLOCK_FOOD_MAX]);

/* Returns how far a hunter moves in a tick. */
double things_pace(double mean_speed);

/* Moves a hunter on its way to a boid, `way` from it, by at most `pace`. */
void things_hunt(const struct flock *flock, struct flock_point *hunter, struct vec way,
                 double pace);

/* Moves the things into the world, after a change of it. */
void things_admit(struct flock *flock);

/* Returns NULL if the things are valid, else a literal that says what is wrong. */
const char *things_problem(const struct flock_things *things);

#endif
