/* The budget of boids that all rooms share. Any thread may call it. */
#ifndef BUDGET_H
#define BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"

/* Takes that many boids; a NULL budget has any number. False, with nothing taken, when fewer are
 * left: *left says how many. */
bool budget_take(struct boid_budget *budget, uint32_t boids, uint32_t *left);

/* A room was refused boids, because it or all rooms have as many as they may. */
void budget_count_refusal(struct boid_budget *budget);

void budget_give(struct boid_budget *budget, uint32_t boids);

/* The same of boids in flocks that are kept to be restored: all rooms together keep as many as they
 * may have. */
bool budget_take_kept(struct boid_budget *budget, uint32_t boids);
void budget_give_kept(struct boid_budget *budget, uint32_t boids);

#endif
