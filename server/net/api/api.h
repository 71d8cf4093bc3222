/* The HTTP API: creating, finding, listing, changing and ending rooms (docs/API.md). It belongs to
 * a shard's thread and is called from libwebsockets' HTTP callbacks; what the hub has to be asked
 * is answered later, by ticket, and forgotten when the client hangs up meanwhile. */
#ifndef API_H
#define API_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

#include "hub/hub.h"
#include "net/gate/context.h"
#include "net/http/request.h"

/* Whether that path is the API's. */
bool api_serves(const char *path);

/* A request's headers are there. *asked: what is kept of it until it is answered, if it cannot be
 * at once. All of these return what the callback has to. */
int api_begin(struct context *context, struct lws *wsi, enum request_method method,
              const char *path, struct api_request **asked);

/* Some of its body, and all of it. */
int api_body(struct context *context, struct api_request **asked, const void *bytes, size_t size);
int api_complete(struct context *context, struct api_request **asked);

/* The answer can be sent. */
int api_writable(struct context *context, struct api_request **asked);

/* The connection is gone. */
void api_forget(struct context *context, struct api_request **asked);

/* The hub's answer to one of them; takes over what is in it. */
void api_answer(struct context *context, const struct hub_reply *reply);

#endif
