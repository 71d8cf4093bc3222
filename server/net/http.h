/* What flockd answers to plain HTTP: the page's files, /healthz and /metrics. On the shard's
 * thread. */
#ifndef HTTP_H
#define HTTP_H

#include <libwebsockets.h>

/* The libwebsockets callback of everything that is not a flock.v1 WebSocket; the context's user is
 * a struct shard. */
int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t size);

/* Asks the flockd at that address and port for /healthz. Returns the exit code of --healthcheck: 0
 * when it is well; else 1, with one line on standard error. */
int http_healthcheck(const char *bind, unsigned port);

#endif
