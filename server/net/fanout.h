/* Sends the hub's data to the clients of a shard: replies, and the newest view of each room. Data
 * of rooms that the server trusts goes first. A turn of the shard's loop sends for a limited time,
 * also to a room with thousands of clients; then it reads its sockets again. Must be used on the
 * shard's thread. */
#ifndef FANOUT_H
#define FANOUT_H

#include <stdbool.h>
#include <stdint.h>

struct context;

/* Must be called after the sockets were read. Adds the ns for which it sent views. Returns false if
 * there may be more to send. */
bool fanout_turn(struct context *context, uint64_t *sent);

#endif
