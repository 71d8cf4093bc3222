/* Keys in the header Authorization: Bearer. Must be called on the shard's thread. */
#ifndef BEARER_H
#define BEARER_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/tries.h"
#include "net/gate/context.h"

#define BEARER_MAX (8u + PROTO_KEY_MAX) /* bytes of "Bearer " and a key, with the NUL */

/* A key of the server itself, and what it opens. */
struct bearer_lock {
    enum tries_kind kind;
    const char *key;
    bool made;        /* flockd generated the key */
    const char *room; /* its code, for the log, if the key is for a room; NULL: for the server */
};

/* Returns true if the request has a bearer key, and copies the key; "" if it is too long to be one.
 */
bool bearer_key(struct lws *wsi, char key[PROTO_KEY_MAX + 1]);

/* As bearer_key(), for the value of the header. */
bool bearer_read(const char *authorization, char key[PROTO_KEY_MAX + 1]);

/* Returns the number under which tries of the request's address count. */
uint64_t bearer_origin(const struct context *context, struct lws *wsi);

/* Compares a key with the lock's key, as tries_compare() does. Counts, logs and audits wrong keys,
 * except with TRIES_EARLY. On TRIES_TOO_MANY, *wait is the time until the next try, in seconds. */
enum tries_result bearer_try(const struct context *context, struct lws *wsi,
                             const struct bearer_lock *lock, const char *key,
                             struct tries_pass pass, uint32_t *wait);

/* As bearer_try(), for a request from that address. */
enum tries_result bearer_try_from(const struct context *context, const char *address,
                                  const struct bearer_lock *lock, const char *key,
                                  struct tries_pass pass, uint32_t *wait);

/* Counts, logs and audits a wrong key from that address: see tries_note_wrong(). */
void bearer_note_wrong(const struct context *context, const char *address,
                       const struct bearer_lock *lock);

#endif
