#include "room/keyframes.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "room/history_budget.h"

#define CHUNK      256u
#define CHUNKS_MAX 256u

struct keyframes {
    struct history_budget *budget;
    atomic_size_t count;
    struct keyframe *chunks[CHUNKS_MAX]; /* those that hold `count`; each stays where it is */
};

struct keyframes *keyframes_create(struct history_budget *budget)
{
    struct keyframes *keyframes = calloc(1, sizeof *keyframes);

    if (keyframes != NULL) {
        keyframes->budget = budget;
        atomic_init(&keyframes->count, 0);
    }
    return keyframes;
}

void keyframes_count_in(struct keyframes *keyframes, struct history_budget *budget)
{
    keyframes->budget = budget;
}

static const struct keyframe *get(const struct keyframes *keyframes, size_t index)
{
    return &keyframes->chunks[index / CHUNK][index % CHUNK];
}

size_t keyframes_count(const struct keyframes *keyframes)
{
    return atomic_load_explicit(&keyframes->count, memory_order_acquire);
}

void keyframes_destroy(struct keyframes *keyframes)
{
    if (keyframes == NULL) {
        return;
    }
    for (size_t i = 0; i < keyframes_count(keyframes); i++) {
        history_budget_give(keyframes->budget, get(keyframes, i)->size);
        free(get(keyframes, i)->state);
    }
    for (size_t i = 0; i < CHUNKS_MAX; i++) {
        free(keyframes->chunks[i]);
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
    struct keyframe **chunk = count < CHUNK * CHUNKS_MAX ? &keyframes->chunks[count / CHUNK] : NULL;

    if (chunk != NULL && *chunk == NULL) {
        *chunk = calloc(CHUNK, sizeof **chunk);
    }
    if (chunk == NULL || *chunk == NULL || !take_bytes(keyframes->budget, keyframe->size)) {
        free(keyframe->state);
        return false;
    }
    (*chunk)[count % CHUNK] = *keyframe;
    atomic_store_explicit(&keyframes->count, count + 1, memory_order_release);
    return true;
}

const struct keyframe *keyframes_find(const struct keyframes *keyframes, size_t part,
                                      uint64_t round)
{
    size_t low = 0;
    size_t high = keyframes_count(keyframes);

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (get(keyframes, middle)->round <= round) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && get(keyframes, low - 1)->part == part ? get(keyframes, low - 1) : NULL;
}
