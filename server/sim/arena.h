/* Arrays in one block of memory, given out from its front: a flock's own arrays, and the scratch
 * memory of a tick. A small flock touches little of a block that was made for a big flock. */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

/* Each array begins on a cache line. Without the gap, arrays whose sizes are powers of two would
 * share the same sets of the cache. */
enum { ARENA_LINE = 64, ARENA_GAP = 3 * ARENA_LINE };

struct arena {
    unsigned char *memory; /* on a cache line; NULL: the arena only counts the bytes */
    size_t used;
};

static inline void *arena_take(struct arena *arena, size_t count, size_t size)
{
    size_t bytes = (count * size + ARENA_LINE - 1) / ARENA_LINE * ARENA_LINE;
    unsigned char *array = arena->memory != NULL ? arena->memory + arena->used : NULL;
    arena->used += bytes + ARENA_GAP;
#if defined(__SANITIZE_ADDRESS__)
    if (array != NULL) { /* a sanitizer finds an access beyond an array in the gap */
        __asan_unpoison_memory_region(array, count * size);
        __asan_poison_memory_region(array + count * size, bytes - count * size + ARENA_GAP);
    }
#endif
    return array;
}

#endif
