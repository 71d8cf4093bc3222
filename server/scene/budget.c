#include "scene/budget.h"

/* Takes that many boids, if *taken stays at most `most`. */
static bool take(_Atomic uint64_t *taken, uint64_t most, uint32_t boids, uint32_t *left)
{
    uint64_t now = atomic_load(taken);

    do {
        uint64_t rest = now < most ? most - now : 0;
        if (boids > rest) {
            *left = (uint32_t)rest;
            return false;
        }
    } while (!atomic_compare_exchange_weak(taken, &now, now + boids));
    return true;
}

bool budget_take(struct boid_budget *budget, uint32_t boids, uint32_t *left)
{
    return budget == NULL || take(&budget->boids, budget->boids_max, boids, left);
}

void budget_give(struct boid_budget *budget, uint32_t boids)
{
    if (budget != NULL) {
        atomic_fetch_sub(&budget->boids, boids);
    }
}

bool budget_take_kept(struct boid_budget *budget, uint32_t boids)
{
    uint32_t left;

    return budget == NULL || take(&budget->kept, budget->boids_max, boids, &left);
}

void budget_give_kept(struct boid_budget *budget, uint32_t boids)
{
    if (budget != NULL) {
        atomic_fetch_sub(&budget->kept, boids);
    }
}

void budget_count_refusal(struct boid_budget *budget)
{
    if (budget != NULL) {
        atomic_fetch_add(&budget->refused, 1);
    }
}
