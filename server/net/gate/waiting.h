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

/* Lets connections in that have waited for their address. Must be called by the context's timer.
 * Returns false if none waits. */
bool waiting_turn(struct context *context);

#endif
