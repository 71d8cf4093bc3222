/* What flockd answers to plain HTTP: the page's files, the API, /healthz and /metrics. On the
 * shard's thread. */
#ifndef HTTP_H
#define HTTP_H

#include <libwebsockets.h>

/* The libwebsockets callback of everything that is not a flock.v1 WebSocket; the context's user is
 * a struct context. */
int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t size);

#endif
