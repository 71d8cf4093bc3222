/* A block of memory that is handed out to arrays from the front: a flock's own, and the scratch
 * memory of a tick, of which a small flock touches little though it was made for a big one. */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

/* Each array begins a line of the cache. The gap keeps arrays whose sizes are powers of two from
 * all being in the same sets of the cache. */
enum { ARENA_LINE = 64, ARENA_GAP = 3 * ARENA_LINE };

struct arena {
    unsigned char *memory; /* on a line's begin; NULL: nothing is handed out, but counted */
    size_t used;
};

static inline void *arena_take(struct arena *arena, size_t count, size_t size)
{
    size_t bytes = (count * size + ARENA_LINE - 1) / ARENA_LINE * ARENA_LINE;
    unsigned char *array = arena->memory != NULL ? arena->memory + arena->used : NULL;
    arena->used += bytes + ARENA_GAP;
#if defined(__SANITIZE_ADDRESS__)
    if (array != NULL) { /* an access beyond an array hits the gap */
        __asan_unpoison_memory_region(array, count * size);
        __asan_poison_memory_region(array + count * size, bytes - count * size + ARENA_GAP);
    }
#endif
    return array;
}

#endif
