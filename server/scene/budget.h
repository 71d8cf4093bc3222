/* The budget of boids that all scenes share, and the shares of creators in it. Any thread may call
 * it. A NULL budget has any number.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"

/* Takes boids. Returns false, with nothing taken, if fewer are left; *left says how many. */
bool budget_take(struct boid_budget *budget, uint32_t boids, uint32_t *left);

/* As budget_take(), for a scene that continues: the creator's share is no limit. The total is, and
 * for an untrusted creator the part of it that is not reserved for trusted ones. */
bool budget_take_again(struct boid_budget *budget, uint32_t boids, uint32_t *left);

/* Takes boids beyond all limits. */
void budget_force(struct boid_budget *budget, uint32_t boids);

/* Return how many boids are left: for budget_take(), and for budget_take_again(). */
uint64_t budget_left(const struct boid_budget *budget);
uint64_t budget_left_again(const struct boid_budget *budget);

/* Returns whose boids are the limit: for a refusal. */
const char *budget_whose(const struct boid_budget *budget);

/* Counts a request for boids that a limit refused. */
void budget_count_refusal(struct boid_budget *budget);

void budget_give(struct boid_budget *budget, uint32_t boids);

/* Take and give back boids in the flocks that undo may restore. All scenes together may keep as
 * many of these as they may have boids. */
bool budget_take_kept(struct boid_budget *budget, uint32_t boids);
void budget_give_kept(struct boid_budget *budget, uint32_t boids);

#endif
