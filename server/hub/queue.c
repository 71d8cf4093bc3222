#include "hub/queue.h"

#include <assert.h>
#include <stdlib.h>

#include "base/share.h"
#include "hub/turns.h"

#define SPARE 4u /* one part of an account's share */

bool queue_memory_create(struct queue_memory *memory, size_t most, size_t more)
{
    *memory = (struct queue_memory){.all = calloc(most + more, sizeof *memory->all), .most = most};
    return memory->all != NULL;
}

void queue_memory_destroy(struct queue_memory *memory)
{
    free(memory->all);
}

bool queue_counts(enum event_type type)
{
    return type != EVENT_LEAVE && type != EVENT_RELEASE && type != EVENT_GIVE_WAY &&
           type != EVENT_PAST;
}

bool queue_fits(const struct queue *queue, const struct queue_memory *memory, bool spare)
{
    const struct account *account = queue->account;
    uint64_t limit = share_limit(memory->most, memory->taken, memory->of_trusted, account->events,
                                 account->trusted);

    return account->events < (spare ? limit : limit - limit / SPARE);
}

/* Adds `more`, 1 or -1, to what the queue's account has. */
static void count_event(const struct queue *queue, struct queue_memory *memory,
                        const struct event *event, size_t more)
{
    if (queue_counts(event->type)) {
        queue->account->events += more;
        memory->taken += more;
        memory->of_trusted += queue->account->trusted ? more : 0;
    }
}

void queue_add(struct queue *queue, struct queue_memory *memory, const struct event *event,
               struct seat *seat)
{
    struct waiting *waiting = list_entry(list_take(&memory->free), struct waiting, item);

    if (waiting == NULL) {
        waiting = &memory->all[memory->unused++];
    }
    count_event(queue, memory, event, 1);
    assert(memory->taken <= memory->most);
    *waiting = (struct waiting){.seat = seat, .event = *event};
    list_append(&queue->events, &waiting->item);
    queue->count++;
    if (seat != NULL) {
        assert(seat->waiting < SEAT_WAITING_MAX);
        seat->waiting++;
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
    assert(queue->count > 0);
    queue->count--;
    if (waiting->seat != NULL) {
        bool is_cursor = waiting->seat->cursor == (uint32_t)(waiting - memory->all) + 1;
        waiting->seat->waiting--;
        waiting->seat->cursor = is_cursor ? 0 : waiting->seat->cursor;
    }
    list_insert(&memory->free, NULL, &waiting->item);
    count_event(queue, memory, &waiting->event, (size_t)-1);
    return waiting;
}
