/* A heap: the item with the smallest key is first. Its items know their positions, so that any of
 * them can be removed. An item of zeros is in no heap. */
#ifndef HEAP_H
#define HEAP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap_item {
    uint64_t key;
    size_t place; /* 1 is the first; 0: in no heap */
};

struct heap {
    struct heap_item **items;
    size_t count, capacity;
};

/* Makes a heap for up to `most` items. Returns false when memory runs out. heap_destroy() takes a
 * struct of zeros, too. */
bool heap_create(struct heap *heap, size_t most);
void heap_destroy(struct heap *heap);

/* Makes place for up to `most` items. Returns false, with nothing changed, when memory runs out. */
bool heap_grow(struct heap *heap, size_t most);

/* Adds an item that is in no heap. */
void heap_add(struct heap *heap, struct heap_item *item, uint64_t key);

/* Removes an item of this heap. */
void heap_remove(struct heap *heap, struct heap_item *item);

/* Gives an item of this heap another key. */
void heap_change(struct heap *heap, struct heap_item *item, uint64_t key);

/* Returns the item with the smallest key, or NULL. */
static inline struct heap_item *heap_first(const struct heap *heap)
{
    assert(heap->count == 0 || heap->items != NULL);
    return heap->count > 0 ? heap->items[0] : NULL;
}

#endif
