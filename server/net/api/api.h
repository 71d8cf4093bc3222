/* The HTTP API: creating, finding, listing, changing and ending rooms (docs/API.md). Must be used
 * on a shard's thread from libwebsockets' HTTP callbacks. An answer that needs the hub is sent
 * later, by ticket, or dropped if the client has closed the connection. */
#ifndef API_H
#define API_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

#include "hub/hub.h"
#include "net/gate/context.h"
#include "net/http/request.h"

/* Returns true if the path belongs to the API. */
bool api_serves(const char *path);

/* Must be called when a request's headers are complete. *asked: the request until it is answered,
 * or NULL if it was answered at once. All of these return what the callback must return. */
int api_begin(struct context *context, struct lws *wsi, enum request_method method,
              const char *path, struct api_request **asked);

/* Must be called with each part of the body, and after its end. */
int api_body(struct context *context, struct api_request **asked, const void *bytes, size_t size);
int api_complete(struct context *context, struct api_request **asked);

/* Must be called when the connection's timer ends: a request waits in line. */
int api_timer(struct context *context, struct api_request **asked);

/* Must be called at the end of a turn of the shard's loop. Handles requests that were complete in
 * an earlier turn. A turn spends only a slice of time on complete requests, in turn of each
 * address: see readers.h. An address that uses less than its share does not wait. late: snapshots
 * are still due, and go first. Returns true if the next turn must begin at once. */
bool api_turn(struct context *context, bool late);

/* Must be called when the socket is writable. */
int api_writable(struct context *context, struct api_request **asked);

/* Must be called when the connection is closed. */
void api_forget(struct context *context, struct api_request **asked);

/* Handles the hub's answer to a request. Takes over what the reply owns. */
void api_answer(struct context *context, struct hub_reply *reply);

#endif
