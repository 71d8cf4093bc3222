/* A client: joins rooms, steers, asks for changes, stalls, vanishes and comes back, and checks
 * every message from the server. */
#ifndef CLIENT_H
#define CLIENT_H

#include <stdint.h>

#include "hub/hub.h"

struct client;

/* A room as clients come to know of it. */
struct place {
    char code[PROTO_ROOM_MAX + 1];
    char key[PROTO_KEY_MAX + 1];
};

struct client *client_create(uint32_t number);

/* When it has something to do (ns); and does it. choose() gives a room to go to. */
uint64_t client_next(const struct client *client);
void client_turn(struct client *client, struct hub *hub, const struct place *(*choose)(void));

/* The server is gone: so is the connection. */
void client_cut(struct client *client);

/* The process that let the client in has ended. */
void client_next_process(struct client *client);

/* Frees it, when its connection is gone. */
void client_destroy(struct client *client);

/* Snapshots that all clients have looked at so far. */
uint64_t client_snapshots(void);

#endif
