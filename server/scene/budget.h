/* The budget of boids that all scenes share. Any thread may call it. A NULL budget has any number.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"

/* Takes boids. Returns false, with nothing taken, if fewer are left; *left says how many. */
bool budget_take(struct boid_budget *budget, uint32_t boids, uint32_t *left);

/* Counts a request for boids that a limit refused. */
void budget_count_refusal(struct boid_budget *budget);

void budget_give(struct boid_budget *budget, uint32_t boids);

/* Take and give back boids in the flocks that undo may restore. All scenes together may keep as
 * many of these as they may have boids. */
bool budget_take_kept(struct boid_budget *budget, uint32_t boids);
void budget_give_kept(struct boid_budget *budget, uint32_t boids);

#endif
