/* Connections that libwebsockets has adopted, before they are WebSockets or transfer a recording.
 * libwebsockets searches lists of all of them for each new one. So their number is limited: one
 * more displaces another, by the rules of admission.h. Must be used on the shard's thread. */
#ifndef ADOPTED_H
#define ADOPTED_H

#include "net/gate/connection.h"
#include "net/gate/context.h"

#define ADOPTED_MAX 512u /* of a shard */

/* Must be called before libwebsockets adopts the connection. Closes the connection that it
 * displaces, so it must not be called from a libwebsockets callback. */
void adopted_enter(struct context *context, struct connection *connection);

/* Does nothing if the connection is not among them. */
void adopted_leave(struct context *context, struct connection *connection);

#endif
