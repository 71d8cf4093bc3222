/* Data for one shard: replies to sessions, in order, and the newest view of each room, which
 * replaces the one before. Any runner may add; only the shard takes.
 *
 * Rooms of the server, which are the lobby and rooms made with its key, have a lane of their own.
 * So their data never waits behind that of strangers' rooms. */
#ifndef OUTBOX_H
#define OUTBOX_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "hub/hub.h"
#include "hub/mailbox.h"

enum { OUTBOX_LANES = 2 };

struct outbox {
    struct outbox_lane {
        struct mailbox replies; /* struct hub_reply */
        struct mailbox ready;   /* uint32_t: slots with an untaken view */
        atomic_bool waits;      /* `ready` may have a slot that is new */
    } lanes[OUTBOX_LANES];      /* of strangers' rooms, and of the server's */
    uint32_t slots;
    _Atomic(struct room_view *) *latest; /* by the room's slot */
};

#define OUTBOX_SEAT 3u /* replies of a seat that must not be lost */

/* Returns how many seats have slots at once, at most. */
size_t outbox_seats(uint32_t sessions_max);

/* Creates it for that many rooms and sessions. Returns false when memory runs out; then there is
 * nothing to destroy. */
bool outbox_create(struct outbox *outbox, uint32_t rooms_max, uint32_t sessions_max);
void outbox_destroy(struct outbox *outbox);

/* Returns the mailbox for replies of a room. by_server: of one of the server's rooms. */
static inline struct mailbox *outbox_replies(struct outbox *outbox, bool by_server)
{
    return &outbox->lanes[by_server].replies;
}

/* Takes over the newest view of the room in that slot. */
void outbox_publish(struct outbox *outbox, bool by_server, uint32_t slot, struct room_view *view);

/* Releases the room's view if it was not taken. */
void outbox_withdraw(struct outbox *outbox, uint32_t slot);

/* Take the next reply or view of the server's rooms, or of the others. */
bool outbox_take_reply(struct outbox *outbox, bool by_server, struct hub_reply *reply);
struct room_view *outbox_take_view(struct outbox *outbox, bool by_server);

/* Returns true if a view was published since outbox_take_view() was last called. Takes no lock. */
static inline bool outbox_view_waits(const struct outbox *outbox, bool by_server)
{
    return atomic_load_explicit(&outbox->lanes[by_server].waits, memory_order_relaxed);
}

#endif
