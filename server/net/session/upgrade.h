/* Whether a request for a WebSocket is one that flockd grants. On the shard's thread. */
#ifndef UPGRADE_H
#define UPGRADE_H

#include <libwebsockets.h>

/* Whether it is one as RFC 6455 wants it, of flock.v1, from a page that may. Returns what
 * LWS_CALLBACK_HTTP_CONFIRM_UPGRADE has to: 0, or, after an answer that says what is wrong, another
 * number. */
int upgrade_confirm(struct lws *wsi);

/* Refuses it with that status and sentence. Returns the same. */
int upgrade_refuse(struct lws *wsi, unsigned status, const char *text);

#endif
