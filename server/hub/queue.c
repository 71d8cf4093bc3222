#include "hub/queue.h"

#include <assert.h>
#include <stdlib.h>

bool queue_memory_create(struct queue_memory *memory, size_t capacity)
{
    *memory = (struct queue_memory){.all = calloc(capacity, sizeof *memory->all), .left = capacity};
    return memory->all != NULL;
}

void queue_memory_destroy(struct queue_memory *memory)
{
    free(memory->all);
}

void queue_add(struct queue *queue, struct queue_memory *memory, const struct event *event,
               struct seat *seat)
{
    struct waiting *waiting = list_entry(list_take(&memory->free), struct waiting, item);

    assert(memory->left > 0);
    if (waiting == NULL) {
        waiting = &memory->all[memory->unused++];
    }
    memory->left--;
    *waiting = (struct waiting){.seat = seat, .event = *event};
    list_append(&queue->events, &waiting->item);
    queue->count++;
    if (seat != NULL) {
        seat->cursor = event->type == EVENT_CURSOR ? (uint32_t)(waiting - memory->all) + 1 : 0;
    }
}

bool queue_replace_cursor(struct queue_memory *memory, const struct event *event,
                          const struct seat *seat)
{
    if (seat->cursor == 0) {
        return false;
    }
    memory->all[seat->cursor - 1].event = *event;
    return true;
}

const struct waiting *queue_take(struct queue *queue, struct queue_memory *memory)
{
    struct waiting *waiting = list_entry(list_take(&queue->events), struct waiting, item);

    if (waiting == NULL) {
        return NULL;
    }
    queue->count--;
    if (waiting->seat != NULL && waiting->seat->cursor == (uint32_t)(waiting - memory->all) + 1) {
        waiting->seat->cursor = 0;
    }
    list_prepend(&memory->free, &waiting->item);
    memory->left++;
    return waiting;
}
