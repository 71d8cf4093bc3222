/* The server: the shards that share one port and one hub, from the limit of open files to the last
 * close frame. */
#ifndef SERVER_H
#define SERVER_H

#include "config/config.h"
#include "past/film.h"
#include "room/room.h"

/* Runs flockd with that lobby, and the film that it plays (NULL: none), which is taken over, until
 * a signal ends it. Returns the exit code: 0, or 1 with one line on standard error. */
int server_run(const struct config *config, const struct room_definition *lobby, struct film *film);

#endif
