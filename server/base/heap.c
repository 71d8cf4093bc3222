#include "base/heap.h"

#include <assert.h>
#include <stdlib.h>

#include "base/grow.h"

bool heap_create(struct heap *heap, size_t most)
{
    *heap = (struct heap){.items = calloc(most, sizeof(struct heap_item *)), .capacity = most};
    return heap->items != NULL;
}

void heap_destroy(struct heap *heap)
{
    free(heap->items);
}

bool heap_grow(struct heap *heap, size_t most)
{
    struct heap_item **items =
        grow_array(heap->items, &heap->capacity, most, UINT32_MAX, sizeof(struct heap_item *));

    if (items == NULL) {
        return false;
    }
    heap->items = items;
    return true;
}

static void put(struct heap *heap, size_t index, struct heap_item *item)
{
    heap->items[index] = item;
    item->place = index + 1;
}

static void sift_up(struct heap *heap, struct heap_item *item)
{
    size_t index = item->place - 1;

    while (index > 0 && item->key < heap->items[(index - 1) / 2]->key) {
        put(heap, index, heap->items[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    put(heap, index, item);
}

static void sift_down(struct heap *heap, struct heap_item *item)
{
    size_t index = item->place - 1;

    for (;;) {
        size_t child = 2 * index + 1;
        if (child + 1 < heap->count && heap->items[child + 1]->key < heap->items[child]->key) {
            child++;
        }
        if (child >= heap->count || heap->items[child]->key >= item->key) {
            break;
        }
        put(heap, index, heap->items[child]);
        index = child;
    }
    put(heap, index, item);
}

void heap_add(struct heap *heap, struct heap_item *item, uint64_t key)
{
    assert(item->place == 0 && heap->count < heap->capacity);
    item->key = key;
    put(heap, heap->count, item);
    heap->count++;
    sift_up(heap, item);
}

void heap_remove(struct heap *heap, struct heap_item *item)
{
    struct heap_item *last = heap->items[heap->count - 1];

    assert(item->place > 0 && item->place <= heap->count && heap->items[item->place - 1] == item);
    heap->count--;
    if (last != item) {
        put(heap, item->place - 1, last);
        sift_up(heap, last);
        sift_down(heap, last);
    }
    item->place = 0;
}

void heap_change(struct heap *heap, struct heap_item *item, uint64_t key)
{
    item->key = key;
    sift_up(heap, item);
    sift_down(heap, item);
}
