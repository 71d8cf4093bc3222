/* A bounded queue of fixed-size items between threads. It never grows: a push that does not fit is
 * refused, and the last `reserve` places can be kept for what must not be lost. Any thread may push
 * and take. */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

struct queue {
    uv_mutex_t lock;
    uv_cond_t pushed;
    char *items;
    size_t item_size, capacity, first, count;
    bool woken;
};

/* Returns false when memory runs out; then there is nothing to destroy. */
bool queue_create(struct queue *queue, size_t item_size, size_t capacity);
void queue_destroy(struct queue *queue);

/* Copies the item in if more than `reserve` places are free; returns whether it did. `wake` ends a
 * queue_wait(). */
bool queue_push(struct queue *queue, const void *item, size_t reserve, bool wake);

/* The places that are free now: no fewer until something is pushed. */
size_t queue_places(struct queue *queue);

/* Copies the oldest item out; false when there is none. */
bool queue_take(struct queue *queue, void *item);

/* Ends a queue_wait() of now, or the next one. */
void queue_wake(struct queue *queue);

/* Returns at the time `deadline` (uv_hrtime(), ns), earlier when woken, or without a reason. */
void queue_wait(struct queue *queue, uint64_t deadline);

#endif
