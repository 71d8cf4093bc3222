/* A queue: the events that wait for a room, in order. Each room has a queue, so that many events of
 * a room delay that room only. The memory for all queues of a runner is allocated at once; the
 * system backs only the memory of the most events that ever waited together. Each account has a
 * share of it (base/share.h). For a runner's files. */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/list.h"
#include "hub/event.h"

struct account;

struct queue {
    struct list events; /* struct waiting */
    size_t count;
    struct account *account; /* of the room: the events count toward its share */
};

struct waiting {
    struct list_item item; /* in its queue, or in memory->free */
    struct seat *seat;     /* of the session that sent the event; NULL: an event without a session.
                            * The queue owns the seat of an EVENT_LEAVE. */
    struct event event;
};

struct queue_memory {
    struct waiting *all;
    struct list free; /* the last one that was freed is used first: its memory is in a cache */
    size_t unused;    /* index in `all` of the first that was never in a queue */
    size_t most;      /* events of all accounts together */
    size_t taken, of_trusted; /* waiting events; waiting events of trusted accounts */
};

/* most: events of all accounts together; more: events that are not counted, because they must not
 * be lost: see queue_counts(). Returns false when memory runs out; then there is nothing to
 * destroy. */
bool queue_memory_create(struct queue_memory *memory, size_t most, size_t more);
void queue_memory_destroy(struct queue_memory *memory);

/* Whether an event of that type counts toward the share of the room's account. */
bool queue_counts(enum event_type type);

/* Whether another event that counts fits into the share of the queue's account; without `spare`
 * only if a quarter of the share stays free. */
bool queue_fits(const struct queue *queue, const struct queue_memory *memory, bool spare);

/* Adds an event at the end. An event that counts must fit. seat: of struct waiting. */
void queue_add(struct queue *queue, struct queue_memory *memory, const struct event *event,
               struct seat *seat);

/* Replaces the seat's last cursor in its queue by another cursor. Returns false, and does nothing,
 * if no cursor of the seat waits, or another event of the seat waits behind it. */
bool queue_replace_cursor(struct queue_memory *memory, const struct event *event,
                          const struct seat *seat);

/* Removes the first event and returns it, valid until the next queue_add(). Returns NULL if the
 * queue is empty. */
const struct waiting *queue_take(struct queue *queue, struct queue_memory *memory);

#endif
