/* What is for machines that watch over this one: /healthz, /readyz and /metrics. Where --admin-bind
 * names a port for them, the figures are there alone, and nothing else is; with --metrics-key they
 * are for those who have it. On the shard's thread. */
#ifndef ADMIN_H
#define ADMIN_H

#include <libwebsockets.h>
#include <stdbool.h>

#include "net/context.h"

/* Answers a GET or HEAD, and anything at the port of --admin-bind. *served: whether that path is
 * such. Returns what the callback has to if it is. */
int admin_serve(const struct context *context, struct lws *wsi, const char *path, bool *served);

#endif
