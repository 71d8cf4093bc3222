/* The far end: an edge's half of the links between its sessions and rooms of other nodes. It stands
 * where a runner stands: it takes the events of links, and answers through their seats and with
 * views.
 *
 * A link joins again when its room has another owner, or when a message was lost: the far end sends
 * HUB_MOVED, and the link comes back with its token. The client gets another welcome. Cursors go
 * out every 4 ms, of each link the newest; everything else at once and in order.
 *
 * The thread of ends.h alone uses it. Times are µs on this server's clock. */
#ifndef FAR_END_H
#define FAR_END_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/post.h"
#include "cluster/wire.h"
#include "hub/far.h"

#define FAR_CURSORS  UINT64_C(4000)     /* µs that a cursor waits for others */
#define FAR_RETRY    UINT64_C(250000)   /* µs until an unanswered join is sent again */
#define FAR_PATIENCE UINT64_C(10000000) /* µs that a session waits for its room's next owner */
#define FAR_LINGER   UINT64_C(10000000) /* µs that subscriptions outlive their last session */

struct far_end;
struct hub;

/* Called when a room of another node admits a session, once for each owner of the room. people: the
 * sessions of this node in the room. Must be quick. */
typedef void far_end_want(void *argument, const char *code, uint32_t people);

/* rooms: of other nodes, with the mailbox of their links' events. It must outlive the far end.
 * want: may be NULL. Returns NULL when memory runs out; destroy takes NULL. */
struct far_end *far_end_create(struct post *post, const struct hub_far *rooms, far_end_want *want,
                               void *argument);
void far_end_destroy(struct far_end *far);

/* Must be called once, before the first event: subscribes to this node's own subject. shards: of
 * the hub, without that of other nodes' sessions. Returns false when memory runs out. */
bool far_end_start(struct far_end *far, struct hub *hub, uint32_t shards);

/* Frees all links and rooms, and unsubscribes. Must be called when all shards have left their
 * links, and before the hub is destroyed. */
void far_end_leave(struct far_end *far);

/* Takes a message of an owner: WIRE_SNAPSHOT, WIRE_STATE, WIRE_REPLIES, WIRE_CLOCK, WIRE_TAKEN or
 * WIRE_AGAIN. */
void far_end_take(struct far_end *far, const struct wire_message *message, uint64_t now);

/* The room of that code has that epoch now. here: this node is its owner, and has it. */
void far_end_moved(struct far_end *far, const char *code, uint64_t epoch, bool here, uint64_t now);

/* The room of that code has ended. Its owner's own words to its sessions have half a second. */
void far_end_ended(struct far_end *far, const char *code, uint64_t now);

/* The connection to the broker is back: messages were lost. */
void far_end_reconnected(struct far_end *far, uint64_t now);

/* This process stood still for that time: rooms that seem silent get as much time to be heard. */
void far_end_skip(struct far_end *far, uint64_t time);

/* Handles all waiting events, sends what is due and publishes changed views. Returns the time of
 * the next call. */
uint64_t far_end_turn(struct far_end *far, uint64_t now);

#endif
