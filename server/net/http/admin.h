/* Endpoints for monitoring: /healthz, /readyz and /metrics. With --admin-bind, only the admin port
 * serves /metrics and the details of /healthz, and it serves nothing else. With --metrics-key, they
 * need that key. Must be called on the shard's thread. */
#ifndef ADMIN_H
#define ADMIN_H

#include <libwebsockets.h>
#include <stdbool.h>

#include "net/gate/context.h"

/* Answers a GET or HEAD of a path above, and every request at the admin port. *served says whether
 * the request was answered; if so, returns what the HTTP callback must return. */
int admin_serve(const struct context *context, struct lws *wsi, const char *path, bool *served);

#endif
