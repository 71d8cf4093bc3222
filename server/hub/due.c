#include "hub/due.h"

#include <assert.h>
#include <stdlib.h>

#include "hub/runner_room.h"

bool due_create(struct due *due, size_t rooms_max)
{
    *due = (struct due){0};
    due->cheap.rooms = calloc(rooms_max, sizeof(struct runner_room *));
    due->costly.rooms = calloc(rooms_max, sizeof(struct runner_room *));
    return due->cheap.rooms != NULL && due->costly.rooms != NULL;
}

void due_destroy(struct due *due)
{
    free(due->cheap.rooms);
    free(due->costly.rooms);
}

/* ---- a heap ---- */

static void put_room(struct due_heap *heap, size_t index, struct runner_room *room)
{
    heap->rooms[index] = room;
    room->due_index = index;
}

static void sift_up(struct due_heap *heap, struct runner_room *room)
{
    size_t index = room->due_index;

    while (index > 0 && room->deadline < heap->rooms[(index - 1) / 2]->deadline) {
        put_room(heap, index, heap->rooms[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    put_room(heap, index, room);
}

static void sift_down(struct due_heap *heap, struct runner_room *room)
{
    size_t index = room->due_index;

    for (;;) {
        size_t child = 2 * index + 1;
        if (child + 1 < heap->count &&
            heap->rooms[child + 1]->deadline < heap->rooms[child]->deadline) {
            child++;
        }
        if (child >= heap->count || heap->rooms[child]->deadline >= room->deadline) {
            break;
        }
        put_room(heap, index, heap->rooms[child]);
        index = child;
    }
    put_room(heap, index, room);
}

/* ---- both heaps ---- */

static struct due_heap *heap_of(struct due *due, const struct runner_room *room)
{
    return room->costly ? &due->costly : &due->cheap;
}

void due_add(struct due *due, struct runner_room *room)
{
    struct due_heap *heap;

    assert(room->due_index == DUE_NONE);
    room->costly = room->cost > DUE_COSTLY;
    heap = heap_of(due, room);
    put_room(heap, heap->count++, room);
    sift_up(heap, room);
}

void due_remove(struct due *due, struct runner_room *room)
{
    struct due_heap *heap = heap_of(due, room);
    struct runner_room *last;

    assert(room->due_index < heap->count && heap->rooms[room->due_index] == room);
    last = heap->rooms[--heap->count];

    if (last != room) {
        put_room(heap, room->due_index, last);
        sift_up(heap, last);
        sift_down(heap, last);
    }
    room->due_index = DUE_NONE;
}

void due_ticked(struct due *due, struct runner_room *room, uint64_t now)
{
    bool costly = room->cost > DUE_COSTLY;

    if (costly) {
        due->settled = now;
    }
    if (costly != room->costly) {
        due_remove(due, room);
        due_add(due, room);
    } else {
        sift_down(heap_of(due, room), room); /* deadlines only move later */
    }
}

static const struct runner_room *first_room(const struct due_heap *heap)
{
    return heap->count > 0 ? heap->rooms[0] : NULL;
}

struct runner_room *due_next(const struct due *due, uint64_t now)
{
    const struct runner_room *cheap = first_room(&due->cheap);
    const struct runner_room *costly = first_room(&due->costly);
    bool cheap_due = cheap != NULL && cheap->deadline <= now;
    bool costly_due = costly != NULL && costly->deadline <= now;

    if (cheap_due &&
        (!costly_due || cheap->deadline <= due->settled || cheap->deadline <= costly->deadline)) {
        return due->cheap.rooms[0];
    }
    return costly_due ? due->costly.rooms[0] : NULL;
}

uint64_t due_deadline(const struct due *due)
{
    const struct runner_room *cheap = first_room(&due->cheap);
    const struct runner_room *costly = first_room(&due->costly);
    uint64_t first = cheap != NULL ? cheap->deadline : UINT64_MAX;

    return costly != NULL && costly->deadline < first ? costly->deadline : first;
}

static uint32_t most_boids(const struct due_heap *heap)
{
    uint32_t most = 0;

    for (size_t i = 0; i < heap->count; i++) {
        most = heap->rooms[i]->boids > most ? heap->rooms[i]->boids : most;
    }
    return most;
}

uint32_t due_boids(const struct due *due)
{
    uint32_t cheap = most_boids(&due->cheap);
    uint32_t costly = most_boids(&due->costly);

    return cheap > costly ? cheap : costly;
}
