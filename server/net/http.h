/* Plain HTTP: the page's files, the API, /healthz and /metrics. Called on the shard's thread. */
#ifndef HTTP_H
#define HTTP_H

#include <libwebsockets.h>

/* The libwebsockets callback for everything except flock.v1 WebSockets. The context's user pointer
 * is a struct context. */
int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t size);

#endif
