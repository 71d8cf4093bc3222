#include "room/keyframes.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "room/history_budget.h"

struct keyframes {
    struct history_budget *budget;
    atomic_uint holders;
    uint32_t most;
    atomic_size_t count;
    struct keyframe all[]; /* memory that is not used is not there */
};

struct keyframes *keyframes_create(struct history_budget *budget, uint32_t most)
{
    struct keyframes *keyframes = calloc(1, sizeof *keyframes + most * sizeof keyframes->all[0]);

    if (keyframes != NULL) {
        keyframes->budget = budget;
        keyframes->most = most;
        atomic_init(&keyframes->holders, 1);
        atomic_init(&keyframes->count, 0);
    }
    return keyframes;
}

void keyframes_count_in(struct keyframes *keyframes, struct history_budget *budget)
{
    keyframes->budget = budget;
}

size_t keyframes_count(const struct keyframes *keyframes)
{
    return atomic_load_explicit(&keyframes->count, memory_order_acquire);
}

size_t keyframes_bytes(const struct keyframes *keyframes)
{
    size_t bytes = 0;

    for (size_t i = 0; i < keyframes_count(keyframes); i++) {
        bytes += keyframes->all[i].size;
    }
    return bytes;
}

struct keyframes *keyframes_hold(struct keyframes *keyframes)
{
    atomic_fetch_add(&keyframes->holders, 1);
    return keyframes;
}

void keyframes_release(struct keyframes *keyframes)
{
    if (keyframes == NULL || atomic_fetch_sub(&keyframes->holders, 1) > 1) {
        return;
    }
    for (size_t i = 0; i < keyframes_count(keyframes); i++) {
        history_budget_give(keyframes->budget, keyframes->all[i].size);
        free(keyframes->all[i].state);
    }
    free(keyframes);
}

/* Takes its bytes, but leaves half of all to the pasts of other rooms. */
static bool take_bytes(struct history_budget *budget, size_t size)
{
    if (budget != NULL && atomic_load(&budget->bytes) + size > budget->bytes_max / 2) {
        return false;
    }
    return history_budget_take(budget, size);
}

bool keyframes_add(struct keyframes *keyframes, const struct keyframe *keyframe)
{
    size_t count = keyframes_count(keyframes);

    if (count == keyframes->most || !take_bytes(keyframes->budget, keyframe->size)) {
        free(keyframe->state);
        return false;
    }
    keyframes->all[count] = *keyframe;
    atomic_store_explicit(&keyframes->count, count + 1, memory_order_release);
    return true;
}

const struct keyframe *keyframes_find(const struct keyframes *keyframes, uint64_t from,
                                      uint64_t round)
{
    size_t low = 0;
    size_t high = keyframes_count(keyframes);

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keyframes->all[middle].round <= round) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && keyframes->all[low - 1].round > from ? &keyframes->all[low - 1] : NULL;
}
