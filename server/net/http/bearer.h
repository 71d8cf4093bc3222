/* Keys that requests bear: Authorization: Bearer. On the shard's thread. */
#ifndef BEARER_H
#define BEARER_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/tries.h"
#include "net/context.h"

/* What the server itself has a key for. */
struct bearer_lock {
    enum tries_kind kind;
    const char *key;
    bool made; /* by flockd */
};

/* Whether the request has a key, and which; "": none that can be one. */
bool bearer_key(struct lws *wsi, char key[PROTO_KEY_MAX + 1]);

/* Compares a key with the lock's, as tries_compare(): wrong ones are counted, logged and recorded.
 * *wait: s, for TRIES_TOO_MANY. */
enum tries_result bearer_try(const struct context *context, struct lws *wsi,
                             const struct bearer_lock *lock, const char *key, uint32_t *wait);

#endif
