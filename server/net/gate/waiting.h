/* Connections that wait outside libwebsockets: first until the head of their request is complete,
 * and then until their address may have one more. They are struct arrivals. For the files of gate/.
 * Must be used on the shard's thread. */
#ifndef GATE_WAITING_H
#define GATE_WAITING_H

#include <stdbool.h>

struct connection;
struct context;

/* Lets a new connection wait. It may enter, or end, in this call. */
void waiting_begin(struct connection *connection);

/* Closes a waiting connection, after an answer if there is a text. */
void waiting_end(struct connection *connection, unsigned status, const char *text);

/* Refuses a connection that waits for its address, if no address has more guests, and these are
 * more than a class: of such connections the one with the most time to wait. Must be called when
 * there are too many guests. Returns false if there is none: then admission_enter() displaces a
 * guest. */
bool waiting_give_way(struct context *context);

/* Lets connections in that have waited for their address, and others while the shard has time: for
 * up to READERS_SLICE. Must be called by the context's timer, whose period is twice as long: so
 * they get up to half of the time. Returns false if none waits. */
bool waiting_turn(struct context *context);

#endif
