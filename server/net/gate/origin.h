/* Which web pages may use this server. A browser sends the page's origin (Origin) and the name by
 * which it reached the server (Host). An attacker can make a name of his own resolve to this
 * machine (DNS rebinding); his page then has that name as origin. So the name must be one of the
 * server's. */
#ifndef ORIGIN_H
#define ORIGIN_H

#include <libwebsockets.h>
#include <stdbool.h>

#include "config/config.h"

/* Returns why a request with these headers ("": absent) is refused, as a sentence, or NULL if it is
 * allowed. `socket`: the request is for a WebSocket, where every browser sends Origin. Pure. */
const char *origin_fault(const struct config *config, const char *origin, const char *host,
                         bool socket);

/* As origin_fault(), with the headers of that connection's request. */
const char *origin_refusal(const struct config *config, struct lws *wsi, bool socket);

#endif
