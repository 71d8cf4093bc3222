#include "hub/mailbox.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define FILLED 4u /* one part of the slots: the receiver should take items now */

bool mailbox_create(struct mailbox *mailbox, size_t item_size, size_t capacity)
{
    *mailbox = (struct mailbox){.item_size = item_size, .capacity = capacity};
    mailbox->items = malloc(capacity * item_size);
    if (mailbox->items == NULL) {
        return false;
    }
    if (uv_mutex_init(&mailbox->lock) != 0) {
        free(mailbox->items);
        return false;
    }
    if (uv_cond_init(&mailbox->pushed) != 0) {
        uv_mutex_destroy(&mailbox->lock);
        free(mailbox->items);
        return false;
    }
    return true;
}

void mailbox_destroy(struct mailbox *mailbox)
{
    uv_cond_destroy(&mailbox->pushed);
    uv_mutex_destroy(&mailbox->lock);
    free(mailbox->items);
}

static char *item_at(const struct mailbox *mailbox, size_t index)
{
    return mailbox->items + (mailbox->first + index) % mailbox->capacity * mailbox->item_size;
}

static bool has_slots(const struct mailbox *mailbox, size_t places)
{
    return mailbox->capacity - mailbox->count - mailbox->reserved >= places;
}

static void put_item(struct mailbox *mailbox, const void *item, bool wake)
{
    assert(mailbox->count + mailbox->reserved < mailbox->capacity);
    memcpy(item_at(mailbox, mailbox->count), item, mailbox->item_size);
    mailbox->count++;
    if (wake || mailbox->count == mailbox->capacity / FILLED) {
        mailbox->woken = true;
        uv_cond_signal(&mailbox->pushed);
    }
}

/* Copies the item in if `spare` slots stay free. */
static bool push(struct mailbox *mailbox, const void *item, size_t spare, bool wake)
{
    bool fit;

    uv_mutex_lock(&mailbox->lock);
    fit = has_slots(mailbox, 1 + spare);
    if (fit) {
        put_item(mailbox, item, wake);
    }
    uv_mutex_unlock(&mailbox->lock);
    return fit;
}

bool mailbox_push(struct mailbox *mailbox, const void *item, bool wake)
{
    return push(mailbox, item, 0, wake);
}

bool mailbox_push_spare(struct mailbox *mailbox, const void *item, size_t parts, bool wake)
{
    return push(mailbox, item, mailbox->capacity / parts, wake);
}

bool mailbox_reserve(struct mailbox *mailbox, size_t places)
{
    bool fit;

    uv_mutex_lock(&mailbox->lock);
    fit = has_slots(mailbox, places);
    mailbox->reserved += fit ? places : 0;
    uv_mutex_unlock(&mailbox->lock);
    return fit;
}

void mailbox_unreserve(struct mailbox *mailbox, size_t places)
{
    uv_mutex_lock(&mailbox->lock);
    assert(mailbox->reserved >= places);
    mailbox->reserved -= places;
    uv_mutex_unlock(&mailbox->lock);
}

void mailbox_push_reserved(struct mailbox *mailbox, const void *item, bool wake)
{
    uv_mutex_lock(&mailbox->lock);
    assert(mailbox->reserved > 0);
    mailbox->reserved--;
    put_item(mailbox, item, wake);
    uv_mutex_unlock(&mailbox->lock);
}

size_t mailbox_take(struct mailbox *mailbox, void *items, size_t max)
{
    size_t taken;

    uv_mutex_lock(&mailbox->lock);
    taken = mailbox->count < max ? mailbox->count : max;
    for (size_t i = 0; i < taken; i++) {
        memcpy((char *)items + i * mailbox->item_size, item_at(mailbox, i), mailbox->item_size);
    }
    mailbox->count -= taken;
    mailbox->first = mailbox->count > 0 ? (mailbox->first + taken) % mailbox->capacity : 0;
    uv_mutex_unlock(&mailbox->lock);
    return taken;
}

void mailbox_wake(struct mailbox *mailbox)
{
    uv_mutex_lock(&mailbox->lock);
    mailbox->woken = true;
    uv_cond_signal(&mailbox->pushed);
    uv_mutex_unlock(&mailbox->lock);
}

void mailbox_wait(struct mailbox *mailbox, uint64_t deadline)
{
    uint64_t now;

    uv_mutex_lock(&mailbox->lock);
    now = uv_hrtime();
    if (!mailbox->woken && now < deadline) {
        uv_cond_timedwait(&mailbox->pushed, &mailbox->lock, deadline - now);
    }
    mailbox->woken = false;
    uv_mutex_unlock(&mailbox->lock);
}
