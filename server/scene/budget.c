#include "scene/budget.h"

#include "base/share.h"

/* Takes that many boids, if *taken stays at most `most`. */
static bool take(_Atomic uint64_t *taken, uint64_t most, uint32_t boids, uint32_t *left)
{
    uint64_t now = atomic_load(taken);

    do {
        uint64_t rest = now < most ? most - now : 0;
        if (boids > rest) {
            *left = rest < UINT32_MAX ? (uint32_t)rest : UINT32_MAX;
            return false;
        }
    } while (!atomic_compare_exchange_weak(taken, &now, now + boids));
    return true;
}

/* Returns how many boids a creator may have. */
static uint64_t share_of(const struct boid_budget *budget)
{
    const struct boid_budget *all = budget->all;

    return share_limit(all->boids_max, atomic_load(&all->boids), atomic_load(&all->of_trusted),
                       atomic_load(&budget->boids), budget->trusted);
}

/* As share_of(), for a scene that continues. */
static uint64_t share_again(const struct boid_budget *budget)
{
    const struct boid_budget *all = budget->all;

    return share_free(all->boids_max, atomic_load(&all->boids), atomic_load(&all->of_trusted),
                      atomic_load(&budget->boids), budget->trusted);
}

/* share: how many boids the creator may have. */
static bool take_of_share(struct boid_budget *budget, uint64_t share, uint32_t boids,
                          uint32_t *left)
{
    if (!take(&budget->boids, share, boids, left)) {
        return false;
    }
    if (!take(&budget->all->boids, budget->all->boids_max, boids, left)) {
        atomic_fetch_sub(&budget->boids, boids);
        return false;
    }
    if (budget->trusted) {
        atomic_fetch_add(&budget->all->of_trusted, boids);
    }
    return true;
}

bool budget_take(struct boid_budget *budget, uint32_t boids, uint32_t *left)
{
    if (budget == NULL) {
        return true;
    }
    if (budget->all == NULL) {
        return take(&budget->boids, budget->boids_max, boids, left);
    }
    return take_of_share(budget, share_of(budget), boids, left);
}

bool budget_take_again(struct boid_budget *budget, uint32_t boids, uint32_t *left)
{
    return budget != NULL && budget->all != NULL
               ? take_of_share(budget, share_again(budget), boids, left)
               : budget_take(budget, boids, left);
}

void budget_force(struct boid_budget *budget, uint32_t boids)
{
    if (budget == NULL) {
        return;
    }
    atomic_fetch_add(&budget->boids, boids);
    if (budget->all != NULL) {
        atomic_fetch_add(&budget->all->boids, boids);
    }
    if (budget->all != NULL && budget->trusted) {
        atomic_fetch_add(&budget->all->of_trusted, boids);
    }
}

void budget_give(struct boid_budget *budget, uint32_t boids)
{
    if (budget == NULL) {
        return;
    }
    atomic_fetch_sub(&budget->boids, boids);
    if (budget->all != NULL) {
        atomic_fetch_sub(&budget->all->boids, boids);
    }
    if (budget->all != NULL && budget->trusted) {
        atomic_fetch_sub(&budget->all->of_trusted, boids);
    }
}

static uint64_t left_of(const struct boid_budget *budget, uint64_t share)
{
    const struct boid_budget *all = budget->all != NULL ? budget->all : budget;
    const uint64_t taken = atomic_load(&all->boids);
    const uint64_t mine = atomic_load(&budget->boids);
    const uint64_t rest = taken < all->boids_max ? all->boids_max - taken : 0;
    const uint64_t own = mine < share ? share - mine : 0;

    return own < rest ? own : rest;
}

uint64_t budget_left(const struct boid_budget *budget)
{
    return left_of(budget, budget->all != NULL ? share_of(budget) : budget->boids_max);
}

uint64_t budget_left_again(const struct boid_budget *budget)
{
    return left_of(budget, budget->all != NULL ? share_again(budget) : budget->boids_max);
}

const char *budget_whose(const struct boid_budget *budget)
{
    if (budget == NULL || budget->all == NULL || budget_left(budget) == budget_left(budget->all)) {
        return "all rooms";
    }
    return "the rooms of this address";
}

/* The flocks that undo may restore have the same total; a creator may have half of what is free. */
bool budget_take_kept(struct boid_budget *budget, uint32_t boids)
{
    uint32_t left;

    if (budget == NULL) {
        return true;
    }
    if (budget->all == NULL) {
        return take(&budget->kept, budget->boids_max, boids, &left);
    }
    const uint64_t share = share_limit(budget->all->boids_max, atomic_load(&budget->all->kept), 0,
                                       atomic_load(&budget->kept), budget->trusted);
    if (!take(&budget->kept, share, boids, &left)) {
        return false;
    }
    if (!take(&budget->all->kept, budget->all->boids_max, boids, &left)) {
        atomic_fetch_sub(&budget->kept, boids);
        return false;
    }
    return true;
}

void budget_give_kept(struct boid_budget *budget, uint32_t boids)
{
    if (budget != NULL) {
        atomic_fetch_sub(&budget->kept, boids);
    }
    if (budget != NULL && budget->all != NULL) {
        atomic_fetch_sub(&budget->all->kept, boids);
    }
}

void budget_count_refusal(struct boid_budget *budget)
{
    if (budget != NULL) {
        atomic_fetch_add(budget->all != NULL ? &budget->all->refused : &budget->refused, 1);
    }
}
