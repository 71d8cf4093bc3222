/* The network side of the server without libwebsockets: sessions between links and wires, with the
 * server's own outlets and rosters. It replaces server/net/session/. */
#ifndef SIMULATION_SHARD_H
#define SIMULATION_SHARD_H

#include <stdbool.h>
#include <stdint.h>

#include "hub/hub.h"
#include "wire.h"

#define SHARDS 2u

struct session;

void shards_begin(void);

/* Sets the hub of new sessions. */
void shards_serve(struct hub *new_hub);

/* Closes all sessions, and checks that each offered snapshot was sent or skipped. */
void shards_end(void);

/* The function `wake` of struct hub_definition. */
void shard_wake(void *argument, uint32_t shard);

/* Returns whether a shard was woken and has not run since. */
bool shards_woken(void);

/* Runs each shard that is due. */
void shards_turn(void);

/* Returns the time (ns) when the next shard is due. */
uint64_t shards_next(void);

/* Opens a connection to one of the shards. The client owns in and out, which must outlive the
 * session. */
struct session *session_open(struct way *in, struct way *out);

/* Reads the packets that have arrived from the client. */
void session_read(struct session *session);

/* Ends the connection and frees the session. */
void session_gone(struct session *session);

#endif
