#include "base/slab.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) /* gcc's */
#define POISONS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) /* clang's */
#define POISONS
#endif
#endif

#ifdef POISONS
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size)   ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

#define STRUCTS_MAX 64u /* of a block: a bit for each */

/* The beginning of a block, at a multiple of SLAB_BLOCK. The structs begin a line later. */
struct block {
    struct list_item item; /* in slab->open, unless all are taken */
    uint64_t free;         /* bit i is set while struct i is free */
};

_Static_assert(sizeof(struct block) <= SLAB_LINE, "the structs follow");

static struct block *block_of(struct list_item *item)
{
    return list_entry(item, struct block, item);
}

static unsigned char *struct_at(const struct slab *slab, struct block *block, size_t index)
{
    return (unsigned char *)block + SLAB_LINE + index * slab->size;
}

/* Returns the bits of a block from which nothing is taken. */
static uint64_t all_free(const struct slab *slab)
{
    const size_t count = (SLAB_BLOCK - SLAB_LINE) / slab->size;

    return count < STRUCTS_MAX ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

void slab_init(struct slab *slab, size_t size)
{
    assert(size > 0 && size <= SLAB_BLOCK / 4);
    *slab = (struct slab){.size = (size + SLAB_LINE - 1) / SLAB_LINE * SLAB_LINE};
}

static bool add_block(struct slab *slab)
{
    struct block *block = aligned_alloc(SLAB_BLOCK, SLAB_BLOCK);

    if (block == NULL) {
        return false;
    }
    *block = (struct block){.free = all_free(slab)};
    list_append(&slab->open, &block->item);
    ASAN_POISON_MEMORY_REGION(struct_at(slab, block, 0), SLAB_BLOCK - SLAB_LINE);
    return true;
}

void *slab_take(struct slab *slab)
{
    struct block *block;
    unsigned char *taken;

    if (slab->open.first == NULL && !add_block(slab)) {
        return NULL;
    }
    block = block_of(slab->open.first);
    taken = struct_at(slab, block, (size_t)__builtin_ctzll(block->free));
    block->free &= block->free - 1;
    if (block->free == 0) {
        list_remove(&slab->open, &block->item);
    }
    ASAN_UNPOISON_MEMORY_REGION(taken, slab->size);
    return memset(taken, 0, slab->size);
}

void slab_give(struct slab *slab, void *taken)
{
    const uintptr_t offset = (uintptr_t)taken % SLAB_BLOCK;
    struct block *block;
    size_t index;

    if (taken == NULL) {
        return;
    }
    block = (struct block *)(void *)((unsigned char *)taken - offset);
    index = (offset - SLAB_LINE) / slab->size;
    assert(struct_at(slab, block, index) == taken && (block->free >> index & 1) == 0);
    if (block->free == 0) {
        list_insert(&slab->open, NULL, &block->item); /* is filled before newer blocks */
    }
    block->free |= UINT64_C(1) << index;
    ASAN_POISON_MEMORY_REGION(taken, slab->size);
    if (block->free == all_free(slab)) {
        list_remove(&slab->open, &block->item);
        ASAN_UNPOISON_MEMORY_REGION(block, SLAB_BLOCK);
        free(block);
    }
}
