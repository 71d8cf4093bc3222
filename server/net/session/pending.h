/* Hellos in line: where an address has tried too many wrong keys, a hello with a key waits until
 * the key is compared (see tries.h). Until then the session has no slot and no link. The server
 * tells its client about how long to wait. For the files of session/. */
#ifndef PENDING_H
#define PENDING_H

#include <stdbool.h>

#include "net/session/session.h"

/* Not a part of struct session, because few sessions have one, and only until they are welcomed. */
struct pending {
    struct list_item item;         /* in the shard's list */
    const struct session *session; /* the sender of the hello */
    struct proto_hello hello;
    uint64_t origin;        /* see tries_origin() */
    uint64_t keys;          /* see tries_keys() */
    uint32_t told_at;       /* ms */
    bool waits;             /* in line */
    struct tries_pass pass; /* how it may try its keys */
};

/* Returns NULL if the session's hello is not kept. */
struct pending *pending_find(const struct context *context, const struct session *session);

struct tries *pending_tries(const struct context *context);

/* Keeps a copy of a hello, if it is not kept yet. Returns NULL if memory runs out: then the hello
 * cannot wait. */
struct pending *pending_keep(struct context *context, struct session *session,
                             const struct proto_hello *hello);

/* Returns how the hello may try its keys. */
struct tries_pass pending_pass(const struct context *context, const struct session *session);

/* Leaves the line and frees the hello. Takes a session without one. */
void pending_finish(struct context *context, struct session *session);

#endif
