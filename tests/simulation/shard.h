/* The network's side of the server, without libwebsockets: sessions between links and wires, as
 * server/net/session*.c has them, with the server's own outlets and rosters. */
#ifndef SHARD_H
#define SHARD_H

#include <stdbool.h>
#include <stdint.h>

#include "hub/hub.h"
#include "wire.h"

#define SHARDS 2u

struct session;

void shards_begin(void);

/* The hub that sessions are of from now on. */
void shards_serve(struct hub *new_hub);

/* Closes all sessions, and checks that each offered snapshot was sent or skipped. */
void shards_end(void);

/* For struct hub_definition. */
void shard_wake(void *argument, uint32_t shard);

/* Whether a shard was woken and has not had its turn. */
bool shards_woken(void);

/* Gives each shard whose time has come its turn. */
void shards_turn(void);

/* When the next one's time comes (ns). */
uint64_t shards_next(void);

/* A connection to one of the shards: in and out are the client's, and outlive the session. */
struct session *session_open(struct way *in, struct way *out);

/* Takes what has arrived on the way in. */
void session_read(struct session *session);

/* The connection is gone: frees the session. */
void session_gone(struct session *session);

#endif
