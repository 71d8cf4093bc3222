/* Decides whether flockd grants a request for a WebSocket. Must be called on the shard's thread. */
#ifndef UPGRADE_H
#define UPGRADE_H

#include <libwebsockets.h>

/* Checks that the request follows RFC 6455, asks for flock.v1, and comes from an allowed page.
 * Returns what LWS_CALLBACK_HTTP_CONFIRM_UPGRADE must return: 0, or non-zero after an answer that
 * names the fault. */
int upgrade_confirm(struct lws *wsi);

/* Refuses the request with that status and sentence. Returns what upgrade_confirm() returns then.
 */
int upgrade_refuse(struct lws *wsi, unsigned status, const char *text);

#endif
