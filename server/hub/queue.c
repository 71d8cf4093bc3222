#include "hub/queue.h"

#include <stdlib.h>
#include <string.h>

bool queue_create(struct queue *queue, size_t item_size, size_t capacity)
{
    *queue = (struct queue){.item_size = item_size, .capacity = capacity};
    queue->items = calloc(capacity, item_size);
    if (queue->items == NULL) {
        return false;
    }
    if (uv_mutex_init(&queue->lock) != 0) {
        free(queue->items);
        return false;
    }
    if (uv_cond_init(&queue->pushed) != 0) {
        uv_mutex_destroy(&queue->lock);
        free(queue->items);
        return false;
    }
    return true;
}

void queue_destroy(struct queue *queue)
{
    uv_cond_destroy(&queue->pushed);
    uv_mutex_destroy(&queue->lock);
    free(queue->items);
}

bool queue_push(struct queue *queue, const void *item, size_t reserve, bool wake)
{
    bool fits;

    uv_mutex_lock(&queue->lock);
    fits = queue->capacity - queue->count > reserve;
    if (fits) {
        size_t at = (queue->first + queue->count) % queue->capacity;
        memcpy(queue->items + at * queue->item_size, item, queue->item_size);
        queue->count++;
        if (wake) {
            queue->woken = true;
            uv_cond_signal(&queue->pushed);
        }
    }
    uv_mutex_unlock(&queue->lock);
    return fits;
}

size_t queue_places(struct queue *queue)
{
    size_t places;

    uv_mutex_lock(&queue->lock);
    places = queue->capacity - queue->count;
    uv_mutex_unlock(&queue->lock);
    return places;
}

bool queue_take(struct queue *queue, void *item)
{
    bool any;

    uv_mutex_lock(&queue->lock);
    any = queue->count > 0;
    if (any) {
        memcpy(item, queue->items + queue->first * queue->item_size, queue->item_size);
        queue->first = (queue->first + 1) % queue->capacity;
        queue->count--;
    }
    uv_mutex_unlock(&queue->lock);
    return any;
}

void queue_wake(struct queue *queue)
{
    uv_mutex_lock(&queue->lock);
    queue->woken = true;
    uv_cond_signal(&queue->pushed);
    uv_mutex_unlock(&queue->lock);
}

void queue_wait(struct queue *queue, uint64_t deadline)
{
    uint64_t now;

    uv_mutex_lock(&queue->lock);
    now = uv_hrtime();
    if (!queue->woken && now < deadline) {
        uv_cond_timedwait(&queue->pushed, &queue->lock, deadline - now);
    }
    queue->woken = false;
    uv_mutex_unlock(&queue->lock);
}
