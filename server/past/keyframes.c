#include "past/keyframes.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "past/history_budget.h"
#include "scene/saved.h"
#include "scene/scene_state.h"

#define BLOCK_FIRST 16u /* keyframes of the first block; each is twice as big as the one before */
#define BLOCKS      11u

_Static_assert(KEYFRAMES_MAX <= BLOCK_FIRST * ((1u << BLOCKS) - 1), "blocks of enough keyframes");

struct keyframes {
    struct history_budget *budget;
    atomic_uint holders;
    uint32_t most;
    atomic_size_t count;
    struct checkpoint *blocks[BLOCKS]; /* each is made when its first one is reserved, and stays */
};

/* ---- where they are ---- */

/* The block that has the one of that index, and where in it. */
static size_t block_of(size_t index, size_t *at)
{
    size_t block = 0;

    for (*at = index; *at >= BLOCK_FIRST << block; block++) {
        *at -= BLOCK_FIRST << block;
    }
    return block;
}

static const struct checkpoint *keyframe_at(const struct keyframes *keyframes, size_t index)
{
    size_t at;
    size_t block = block_of(index, &at);

    return &keyframes->blocks[block][at];
}

static size_t block_bytes(size_t block)
{
    return (BLOCK_FIRST << block) * sizeof(struct checkpoint);
}

/* Returns the bytes of the blocks and of the list. */
static size_t table_bytes(const struct keyframes *keyframes)
{
    size_t bytes = sizeof *keyframes;

    for (size_t block = 0; block < BLOCKS && keyframes->blocks[block] != NULL; block++) {
        bytes += block_bytes(block);
    }
    return keyframes->blocks[0] != NULL ? bytes : 0;
}

/* ---- life ---- */

struct keyframes *keyframes_create(struct history_budget *budget, uint32_t most)
{
    struct keyframes *keyframes = calloc(1, sizeof *keyframes);

    if (keyframes != NULL) {
        keyframes->budget = history_budget_hold(budget);
        keyframes->most = most < KEYFRAMES_MAX ? most : KEYFRAMES_MAX;
        atomic_init(&keyframes->holders, 1);
        atomic_init(&keyframes->count, 0);
    }
    return keyframes;
}

void keyframes_set_budget(struct keyframes *keyframes, struct history_budget *budget)
{
    assert(keyframes_count(keyframes) == 0);
    history_budget_release(keyframes->budget);
    keyframes->budget = history_budget_hold(budget);
}

size_t keyframes_count(const struct keyframes *keyframes)
{
    return atomic_load_explicit(&keyframes->count, memory_order_acquire);
}

size_t keyframes_bytes(const struct keyframes *keyframes)
{
    size_t bytes = table_bytes(keyframes);

    for (size_t i = 0; i < keyframes_count(keyframes); i++) {
        bytes += keyframe_at(keyframes, i)->size;
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
    history_budget_give(keyframes->budget, keyframes_bytes(keyframes));
    for (size_t i = 0; i < keyframes_count(keyframes); i++) {
        free(keyframe_at(keyframes, i)->state);
    }
    for (size_t block = 0; block < BLOCKS; block++) {
        free(keyframes->blocks[block]);
    }
    history_budget_release(keyframes->budget);
    free(keyframes);
}

/* ---- adding ---- */

/* Takes its bytes, but leaves half of all to the pasts of other rooms. */
static bool take_bytes(struct history_budget *budget, size_t size)
{
    return history_budget_has_half(budget, size) && history_budget_take(budget, size);
}

bool keyframes_reserve(struct keyframes *keyframes, size_t size)
{
    size_t count = keyframes_count(keyframes);
    size_t at;
    size_t block = block_of(count, &at);
    size_t more = 0;

    if (count >= keyframes->most) {
        return false;
    }
    if (keyframes->blocks[block] == NULL) {
        more = block_bytes(block) + (block == 0 ? sizeof *keyframes : 0);
    }
    if (!take_bytes(keyframes->budget, size + more)) {
        return false;
    }
    if (more > 0 && (keyframes->blocks[block] = malloc(block_bytes(block))) == NULL) {
        history_budget_give(keyframes->budget, size + more);
        return false;
    }
    return true;
}

bool keyframes_add(struct keyframes *keyframes, const struct checkpoint *keyframe, size_t reserved)
{
    size_t count = keyframes_count(keyframes);
    size_t at;
    size_t block = block_of(count, &at);

    if (keyframe->state == NULL ||
        (keyframe->size > reserved && !take_bytes(keyframes->budget, keyframe->size - reserved))) {
        history_budget_give(keyframes->budget, reserved);
        free(keyframe->state);
        return false;
    }
    if (keyframe->size < reserved) {
        history_budget_give(keyframes->budget, reserved - keyframe->size);
    }
    assert(count < keyframes->most && keyframes->blocks[block] != NULL);
    assert(count == 0 || keyframe_at(keyframes, count - 1)->round < keyframe->round);
    keyframes->blocks[block][at] = *keyframe;
    atomic_store_explicit(&keyframes->count, count + 1, memory_order_release);
    return true;
}

bool keyframes_add_scene(struct keyframes *keyframes, struct checkpoint *keyframe,
                         const struct scene *scene, uint64_t time)
{
    const size_t reserved = scene_save_size(scene);

    if (!keyframes_reserve(keyframes, reserved)) {
        return false;
    }
    keyframe->state = scene_save(scene, time, &keyframe->size);
    if (keyframe->state != NULL) {
        saved_seal(keyframe->state, keyframe->size);
    }
    return keyframes_add(keyframes, keyframe, reserved);
}

const struct checkpoint *keyframes_find(const struct keyframes *keyframes, uint64_t from,
                                        uint64_t round)
{
    size_t low = 0;
    size_t high = keyframes_count(keyframes);

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keyframe_at(keyframes, middle)->round <= round) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && keyframe_at(keyframes, low - 1)->round > from
               ? keyframe_at(keyframes, low - 1)
               : NULL;
}
