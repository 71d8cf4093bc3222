#include "sim/line.h"

#include <string.h>

enum { RADIX_BITS = 11, RADIX_SIZE = 1 << RADIX_BITS, RADIX_PASSES = 3, KEY_SHIFT = 32 };

void line_take(struct line *line, struct arena *arena, uint32_t boids)
{
    size_t padded = (size_t)boids + LINE_BLOCK;
    line->along = arena_take(arena, padded, sizeof *line->along);
    line->across = arena_take(arena, padded, sizeof *line->across);
    line->number = arena_take(arena, boids, sizeof *line->number);
    line->keys = arena_take(arena, boids, sizeof *line->keys);
    line->spare = arena_take(arena, boids, sizeof *line->spare);
}

static double variance_of(const float *at, uint32_t count)
{
    double sum = 0.0;
    double squares = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        double from_first = (double)at[i] - (double)at[0];
        sum += from_first;
        squares += from_first * from_first;
    }
    return squares - sum * sum / count;
}

/* Returns a number that grows with the float, in the high half, and the slot in the low half. */
static uint64_t key_of(float value, uint32_t slot)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << KEY_SHIFT | slot;
}

static void sort_keys(struct line *line)
{
    uint32_t starts[RADIX_PASSES][RADIX_SIZE] = {0};
    for (uint32_t i = 0; i < line->count; i++) {
        for (int pass = 0; pass < RADIX_PASSES; pass++) {
            starts[pass][line->keys[i] >> (KEY_SHIFT + pass * RADIX_BITS) & (RADIX_SIZE - 1)]++;
        }
    }
    for (int pass = 0; pass < RADIX_PASSES; pass++) {
        uint32_t *start = starts[pass];
        uint32_t at = 0;
        for (int digit = 0; digit < RADIX_SIZE; digit++) {
            uint32_t keys = start[digit];
            start[digit] = at;
            at += keys;
        }
        for (uint32_t i = 0; i < line->count; i++) {
            uint64_t key = line->keys[i];
            line->spare[start[key >> (KEY_SHIFT + pass * RADIX_BITS) & (RADIX_SIZE - 1)]++] = key;
        }
        uint64_t *sorted = line->spare;
        line->spare = line->keys;
        line->keys = sorted;
    }
}

void line_sort(struct line *line, const struct flock *flock)
{
    const struct flock_settings *world = &flock->definition.settings;
    bool torus = world->boundary == FLOCK_WRAP;
    bool tall = variance_of(flock->y, flock->count) > variance_of(flock->x, flock->count);
    const float *along = tall ? flock->y : flock->x;
    const float *across = tall ? flock->x : flock->y;
    line->count = flock->count;
    line->blocks = (flock->count + LINE_BLOCK - 1) / LINE_BLOCK;
    line->length = torus ? tall ? world->height : world->width : INFINITY;
    line->width = torus ? tall ? world->width : world->height : INFINITY;
    for (uint32_t slot = 0; slot < flock->count; slot++) {
        line->keys[slot] = key_of(along[slot], slot);
    }
    sort_keys(line);
    for (uint32_t i = 0; i < flock->count; i++) {
        uint32_t slot = (uint32_t)line->keys[i];
        line->along[i] = along[slot];
        line->across[i] = across[slot];
        line->number[i] = flock->id[slot];
    }
    for (uint32_t i = flock->count; i < line->blocks * LINE_BLOCK; i++) {
        line->along[i] = INFINITY;
        line->across[i] = 0.0f;
    }
}
