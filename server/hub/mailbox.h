/* A mailbox: a bounded queue of fixed-size items between threads. A push that does not fit is
 * refused. An item that must not be lost has a slot reserved beforehand; then its push cannot fail.
 * Any thread may push and take. The push that fills a quarter of the slots ends a mailbox_wait().
 *
 * All memory is allocated at once, but an empty mailbox is filled from the front again. So the
 * system backs only the memory of the most items that ever waited together. */
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
    size_t item_size, capacity; /* capacity: limit of items and reserved slots together */
    size_t first, count, reserved;
    bool woken;
};

/* `bound`: limit of items and reserved slots together. Returns false when memory runs out; then
 * there is nothing to destroy. */
bool mailbox_create(struct mailbox *mailbox, size_t item_size, size_t bound);
void mailbox_destroy(struct mailbox *mailbox);

/* Copies the item in. Returns false if the mailbox is full. `wake` ends a mailbox_wait(). */
bool mailbox_push(struct mailbox *mailbox, const void *item, bool wake);

/* As mailbox_push(), but leaves one of `parts` parts of the slots to others. */
bool mailbox_push_spare(struct mailbox *mailbox, const void *item, size_t parts, bool wake);

/* Reserves slots for mailbox_push_reserved(), one for each item. Returns false, and reserves none,
 * if they do not fit. */
bool mailbox_reserve(struct mailbox *mailbox, size_t places);

/* Releases reserved slots that are not needed. */
void mailbox_unreserve(struct mailbox *mailbox, size_t places);

/* Copies the item into a reserved slot. */
void mailbox_push_reserved(struct mailbox *mailbox, const void *item, bool wake);

/* Copies out and removes up to `max` of the oldest items. Returns their number. */
size_t mailbox_take(struct mailbox *mailbox, void *items, size_t max);

/* Ends the present mailbox_wait(), or the next one. */
void mailbox_wake(struct mailbox *mailbox);

/* Returns at the time `deadline` (uv_hrtime(), ns), or earlier when woken, or earlier for no
 * reason. */
void mailbox_wait(struct mailbox *mailbox, uint64_t deadline);

#endif
