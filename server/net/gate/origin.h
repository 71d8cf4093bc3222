/* Which web pages may talk to this server: a browser says which page a request comes from (Origin),
 * and under which name the page reached the server (Host). Whoever makes his own name resolve to
 * this machine (DNS rebinding) has a page whose origin is that host, so the name has to be one of
 * the server's. */
#ifndef ORIGIN_H
#define ORIGIN_H

#include <libwebsockets.h>
#include <stdbool.h>

#include "config/config.h"

/* Why a request with these headers ("": none) is refused, a sentence; NULL: it is not. `socket`: it
 * is for a WebSocket, where every browser says which page it comes from. Pure. */
const char *origin_fault(const struct config *config, const char *origin, const char *host,
                         bool socket);

/* The same of the request of that connection. */
const char *origin_refusal(const struct config *config, struct lws *wsi, bool socket);

#endif
