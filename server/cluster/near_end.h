/* The near end: an owner's half of the links between rooms here and sessions of other nodes. It
 * stands where a shard stands: it makes a link for each of these sessions, and takes replies and
 * views. It publishes a stream once for all edges, and only while an edge has members of it.
 *
 * The thread of ends.h alone uses it. Times are µs on this server's clock. */
#ifndef NEAR_END_H
#define NEAR_END_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/post.h"
#include "cluster/wire.h"

#define NEAR_EDGES 1024u /* edges that a process ever hears of */

struct hub;
struct near_end;

/* sessions_max: of all edges together. Returns NULL when memory runs out; destroy takes NULL. */
struct near_end *near_end_create(struct post *post, uint32_t sessions_max);
void near_end_destroy(struct near_end *near);

/* Must be called once, before the first message. Returns false when memory runs out. */
bool near_end_start(struct near_end *near, struct hub *hub);

/* Leaves all links and forgets all rooms. Must be called before the hub is destroyed. */
void near_end_leave(struct near_end *near);

/* This node owns the room of that code now, with that epoch: its messages are taken from now on.
 * Returns false when memory runs out. */
bool near_end_own(struct near_end *near, const char *code, uint64_t epoch, uint64_t now);

/* The hub has that room: tells its edges, and earlier owners. */
void near_end_announce(struct near_end *near, const char *code, uint64_t now);

/* The room of that epoch has left this node. A later epoch of it stays. */
void near_end_disown(struct near_end *near, const char *code, uint64_t epoch, uint64_t now);

/* Takes a message of an edge: WIRE_ITEMS or WIRE_PROBE. */
void near_end_take(struct near_end *near, const struct wire_message *message, uint64_t now);

/* This process stood still for that time: edges that seem silent get as much time to be heard. */
void near_end_skip(struct near_end *near, uint64_t time);

/* Sends waiting replies and views. Returns the time of the next call, if nothing comes before. */
uint64_t near_end_turn(struct near_end *near, uint64_t now);

#endif
