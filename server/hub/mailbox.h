/* A mailbox: a bounded queue of fixed-size items between threads. A push that does not fit is
 * refused. What must not be lost has a place reserved for it beforehand: pushing it then cannot
 * fail. Any thread may push and take.
 *
 * All its memory is allocated at once, but used from the front whenever the mailbox was empty, so
 * that the system backs only as much of it as was ever in use at a time. */
#ifndef MAILBOX_H
#define MAILBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

struct mailbox {
    uv_mutex_t lock;
    uv_cond_t pushed;
    char *items;
    size_t item_size, capacity; /* items that there may be, reserved places included */
    size_t first, count, reserved;
    bool woken;
};

/* `bound`: items that there may be at most, reserved places included. Returns false when memory
 * runs out; then there is nothing to destroy. */
bool mailbox_create(struct mailbox *mailbox, size_t item_size, size_t bound);
void mailbox_destroy(struct mailbox *mailbox);

/* Copies the item in; false when it is full. `wake` ends a mailbox_wait(). */
bool mailbox_push(struct mailbox *mailbox, const void *item, bool wake);

/* Keeps places for mailbox_push_reserved(), each for one item; false, and none is kept, when they
 * do not fit or memory runs out. */
bool mailbox_reserve(struct mailbox *mailbox, size_t places);

/* Gives up reserved places that are not needed after all. */
void mailbox_unreserve(struct mailbox *mailbox, size_t places);

/* Copies the item into a place that was reserved. */
void mailbox_push_reserved(struct mailbox *mailbox, const void *item, bool wake);

/* Copies up to `max` of the oldest items out. Returns how many. */
size_t mailbox_take(struct mailbox *mailbox, void *items, size_t max);

/* Ends a mailbox_wait() of now, or the next one. */
void mailbox_wake(struct mailbox *mailbox);

/* Returns at the time `deadline` (uv_hrtime(), ns), earlier when woken, or without a reason. */
void mailbox_wait(struct mailbox *mailbox, uint64_t deadline);

#endif
