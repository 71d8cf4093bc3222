/* The server: the shards that share one port and one hub, from the limit of open files to the last
 * close frame. It is made and ended by the main thread, which also runs the first shard; the others
 * have a thread each. */
#ifndef SERVER_H
#define SERVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "config.h"
#include "hub/hub.h"
#include "net/page.h"

struct shard;

/* What the shards have in common. While they run, it is only read, but for the atomics. */
struct server {
    const struct config *config;
    struct page page;
    struct hub *hub;
    unsigned port;        /* the one listened on */
    uint32_t clients_max; /* connections at a time, of all shards together */
    atomic_uint clients;  /* those that are open, or that the hub has yet to forget */
    atomic_bool stopping;

    struct shard *shards;
    uint32_t shard_count;   /* made so far: all of them but while starting */
    uv_thread_t *threads;   /* of all shards but the first */
    uint32_t thread_count;  /* started so far */
    uv_signal_t signals[2]; /* on the first shard's loop */
};

/* Runs flockd with that room until a signal ends it. Returns the exit code: 0, or 1 with one line
 * on standard error. */
int server_run(const struct config *config, const struct room_definition *room);

#endif
