/* The server: the shards that share one port and one hub, from setting limits to the last close
 * frame. */
#ifndef SERVER_H
#define SERVER_H

#include "config/config.h"
#include "past/film.h"
#include "room/room.h"

/* Runs flockd with that lobby until a signal ends it. Takes over the film that the lobby plays
 * (NULL: none). Returns the exit code: 0, or 1 after one line on standard error. */
int server_run(const struct config *config, const struct room_definition *lobby, struct film *film);

#endif
