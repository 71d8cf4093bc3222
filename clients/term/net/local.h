/* The room of --demo, in this process instead of a server. A session uses it as a connection that
 * is never slow and never lost. The room reads the session's messages and answers with the same
 * bytes as a server, so panels and picture work as over the network.
 *
 * Pure: times come in as arguments, in microseconds. One thread; the events are called from within
 * calls to this module. */
#ifndef TERM_LOCAL_H
#define TERM_LOCAL_H

#include "term/net/client.h"

#include <stdint.h>

#define TERM_LOCAL_PRESET    "murmuration" /* of the room at first */
#define TERM_LOCAL_BOIDS_MAX 20000u

struct term_local;

/* Makes the room. Returns NULL if memory runs out; destroy takes NULL. */
struct term_local *term_local_create(const struct term_client_events *events, int64_t now);
void term_local_destroy(struct term_local *local);

/* Connects at once, and drops an open connection before that. */
void term_local_connect(struct term_local *local, int64_t now);

/* Ends the connection without a call of `closed`. The room stays. */
void term_local_drop(struct term_local *local, int64_t now);

/* Reads all messages of the owner. Must be called when it has any. */
void term_local_wake(struct term_local *local, int64_t now);

/* Must be called about 60 times a second: moves the flock when a tick is due. */
void term_local_tick(struct term_local *local, int64_t now);

#endif
