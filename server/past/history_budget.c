#include "past/history_budget.h"

#include <assert.h>
#include <stdlib.h>

#include "base/share.h"

/* Of the root's bytes, the KEYFRAME_SHAREth may be keyframes of one scene. */
#define KEYFRAME_SHARE 4u

struct history_budget *history_budget_create(uint64_t bytes_max)
{
    struct history_budget *budget = calloc(1, sizeof *budget);

    if (budget != NULL) {
        budget->bytes_max = bytes_max;
        atomic_init(&budget->holders, 1);
    }
    return budget;
}

struct history_budget *history_budget_below(struct history_budget *parent, uint64_t bytes_max,
                                            bool trusted)
{
    struct history_budget *budget = history_budget_create(bytes_max);

    if (budget != NULL) {
        budget->parent = history_budget_hold(parent);
        budget->trusted = trusted;
    }
    return budget;
}

struct history_budget *history_budget_hold(struct history_budget *budget)
{
    if (budget != NULL && atomic_load(&budget->holders) > 0) {
        atomic_fetch_add(&budget->holders, 1);
    }
    return budget;
}

void history_budget_release(struct history_budget *budget)
{
    while (budget != NULL && atomic_load(&budget->holders) > 0 &&
           atomic_fetch_sub(&budget->holders, 1) == 1) {
        struct history_budget *parent = budget->parent;
        free(budget);
        budget = parent;
    }
}

static struct history_budget *root_of(struct history_budget *budget)
{
    while (budget->parent != NULL) {
        budget = budget->parent;
    }
    return budget;
}

uint64_t history_budget_taken(const struct history_budget *budget)
{
    return atomic_load(&budget->bytes) + atomic_load(&budget->beside);
}

uint64_t history_budget_used(const struct history_budget *budget)
{
    return history_budget_taken(budget) + atomic_load(&budget->lent);
}

/* Keeps the root's bytes if they are the most until now. */
static void note_peak(struct history_budget *root)
{
    const uint64_t used = history_budget_used(root);
    uint64_t most = atomic_load(&root->most);

    while (used > most && !atomic_compare_exchange_weak(&root->most, &most, used)) {
    }
}

uint64_t history_budget_peak(struct history_budget *budget)
{
    const uint64_t most = atomic_exchange(&budget->most, 0);
    const uint64_t used = history_budget_used(budget);

    assert(budget->parent == NULL);
    return most > used ? most : used;
}

static bool is_creators(const struct history_budget *budget)
{
    return budget->parent != NULL && budget->parent->parent == NULL;
}

uint64_t history_budget_limit(const struct history_budget *budget)
{
    const struct history_budget *parent = budget->parent;

    if (is_creators(budget)) {
        return share_limit(parent->bytes_max, history_budget_taken(parent),
                           atomic_load(&parent->of_trusted), history_budget_taken(budget),
                           budget->trusted);
    }
    return parent == NULL || budget->bytes_max > 0 ? budget->bytes_max : UINT64_MAX;
}

/* Lent bytes count toward the limit of a room: by others, they take nothing from it. */
static bool has(const struct history_budget *budget, uint64_t bytes)
{
    const uint64_t used =
        is_creators(budget) ? history_budget_taken(budget) : history_budget_used(budget);

    return used + bytes <= history_budget_limit(budget);
}

/* more: may be a negative number, modulo 2^64. */
static void add_to(_Atomic uint64_t *bytes, struct history_budget *budget, uint64_t more)
{
    atomic_fetch_add(bytes, more);
    if (budget->parent == NULL) {
        note_peak(budget);
    }
    if (budget->trusted && is_creators(budget)) {
        atomic_fetch_add(&budget->parent->of_trusted, more);
    }
}

void history_budget_force(struct history_budget *budget, size_t bytes)
{
    for (; budget != NULL; budget = budget->parent) {
        add_to(&budget->bytes, budget, bytes);
    }
}

void history_budget_give(struct history_budget *budget, size_t bytes)
{
    history_budget_force(budget, -bytes);
}

void history_budget_lend(struct history_budget *budget, size_t bytes)
{
    for (; budget != NULL; budget = budget->parent) {
        atomic_fetch_add(&budget->lent, bytes);
        if (budget->parent == NULL) {
            note_peak(budget);
        }
    }
}

void history_budget_return(struct history_budget *budget, size_t bytes)
{
    history_budget_lend(budget, -bytes);
}

const char *history_budget_lent_option(const struct history_budget *budget)
{
    bool trusted = false;

    for (; budget != NULL; budget = budget->parent) {
        trusted |= budget->trusted && is_creators(budget);
        if (!trusted && atomic_load(&budget->lent) > history_budget_limit(budget) / 2) {
            return budget->parent == NULL || is_creators(budget) ? "--rewind-memory"
                                                                 : "--room-memory";
        }
    }
    return NULL;
}

bool history_budget_fits(const struct history_budget *budget, size_t bytes)
{
    for (; budget->parent != NULL; budget = budget->parent) {
        if (!has(budget, bytes)) {
            return false;
        }
    }
    return history_budget_taken(budget) + bytes <= budget->bytes_max;
}

bool history_budget_take(struct history_budget *budget, size_t bytes)
{
    struct history_budget *root;

    if (budget == NULL) {
        return true;
    }
    for (const struct history_budget *each = budget; each->parent != NULL; each = each->parent) {
        if (!has(each, bytes)) { /* of several threads, one too many may pass */
            return false;
        }
    }
    root = root_of(budget);
    if (atomic_fetch_add(&root->bytes, bytes) + atomic_load(&root->beside) + bytes >
        root->bytes_max) {
        atomic_fetch_sub(&root->bytes, bytes);
        return false;
    }
    note_peak(root);
    for (; budget->parent != NULL; budget = budget->parent) {
        add_to(&budget->bytes, budget, bytes);
    }
    return true;
}

bool history_budget_set_beside(struct history_budget *budget, uint64_t bytes)
{
    uint64_t more = budget != NULL ? bytes - atomic_load(&budget->beside) : 0;
    bool fits = true;

    for (; budget != NULL; budget = budget->parent) {
        add_to(&budget->beside, budget, more);
        fits &= budget->parent == NULL || (budget->trusted && is_creators(budget)) ||
                atomic_load(&budget->beside) <= history_budget_limit(budget);
    }
    return fits;
}

bool history_budget_is_exceeded(const struct history_budget *budget)
{
    return budget->bytes_max > 0 && atomic_load(&budget->beside) > budget->bytes_max;
}

bool history_budget_is_own(const struct history_budget *budget, size_t bytes)
{
    return budget->parent != NULL && budget->parent->parent != NULL && !has(budget, bytes);
}

const char *history_budget_option(struct history_budget *budget, size_t bytes)
{
    return history_budget_is_own(budget, bytes) ? "--room-memory" : "--rewind-memory";
}

bool history_budget_has_half(struct history_budget *budget, size_t bytes)
{
    const struct history_budget *root = budget != NULL ? root_of(budget) : NULL;

    return root == NULL || history_budget_taken(root) + bytes <= root->bytes_max / 2;
}

uint64_t history_budget_keyframes(const struct history_budget *budget)
{
    const uint64_t own = budget->parent != NULL ? budget->bytes_max / 4 * 3 : 0;
    uint64_t share;

    while (budget->parent != NULL) {
        budget = budget->parent;
    }
    share = budget->bytes_max / KEYFRAME_SHARE;
    return own > 0 && own < share ? own : share;
}
