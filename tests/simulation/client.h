/* A client: joins rooms, steers, asks for changes, stalls, vanishes and comes back, and checks
 * every message from the server. */
#ifndef CLIENT_H
#define CLIENT_H

#include <stdint.h>

#include "hub/hub.h"

struct client;

/* A room that a client can join. */
struct place {
    char code[PROTO_ROOM_MAX + 1];
    char key[PROTO_KEY_MAX + 1];
};

struct client *client_create(uint32_t number);

/* client_next() returns the time (ns) of the client's next step. client_turn() does the step.
 * choose() returns a room to join. */
uint64_t client_next(const struct client *client);
void client_turn(struct client *client, struct hub *hub, const struct place *(*choose)(void));

/* Ends the client's connection, because the server has ended. */
void client_cut(struct client *client);

/* Must be called after the process that admitted the client has ended. */
void client_next_process(struct client *client);

/* Frees a client without a connection. */
void client_destroy(struct client *client);

/* Returns the number of snapshots that all clients have checked so far. */
uint64_t client_snapshots(void);

#endif
