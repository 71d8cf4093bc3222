/* A shard: one libuv loop with its own libwebsockets context, listening socket and sessions. The
 * main thread makes and ends it; in between all of it belongs to the one thread that runs
 * shard_run(). */
#ifndef SHARD_H
#define SHARD_H

#include <libwebsockets.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "config.h"
#include "hub/hub.h"
#include "net/counts.h"
#include "net/server.h"

/* What sessions are told when flockd ends. */
#define SHARD_STOPPING "the server is shutting down"

struct session;

struct shard {
    struct server *server;
    const struct config *config; /* the server's, as is the hub */
    struct hub *hub;
    uint32_t number; /* 0: the first */
    uv_loop_t loop;
    uv_async_t wake; /* the hub has something to take, or the server is stopping */
    uv_poll_t acceptor;
    uv_timer_t watch; /* over silent sessions */
    uint32_t watch_turn;
    uv_timer_t timer; /* accepting again, or the end of a shutdown */
    int listener;
    struct lws_protocols protocols[3];
    struct lws_context *context;
    struct lws_vhost *vhost;
    struct proto_decoder *decoder;
    struct state *state; /* the newest of the room; NULL before the first */
    bool out_of_files;   /* accepting is suspended */
    bool loop_broken;    /* the context could not be made, and left handles that point nowhere */
    bool stopping;
    int stop_turns;     /* left for clients to take their close frames */
    uint32_t stop_next; /* index of the next session to be told */

    uint32_t sessions_max; /* as many as the server may have: one shard may get all of them */
    uint32_t generation;
    struct session *
        *sessions; /* by index; NULL: gone, though the index may still be waiting for the hub */
    uint32_t *free_indices;
    uint32_t free_count;
    uint32_t session_count; /* open */
    struct counts counts;
};

/* Makes the shard of that number, which listens on the server's port of that address; port 0 is
 * replaced by the one that it got. Returns false, after a line on standard error, when that cannot
 * be; shard_finish() is due in either case. */
bool shard_create(struct shard *shard, struct server *server, uint32_t number);
void shard_finish(struct shard *shard);

/* Serves clients until the server stops. */
void shard_run(struct shard *shard);

/* Lets the shard look at what the hub has for it, and whether the server is stopping. Any thread.
 */
void shard_wake(struct shard *shard);

/* Adds a session, and gives it its id. Returns false, and changes nothing, when the server is full.
 */
bool shard_add(struct shard *shard, struct session *session);

/* Takes a session out. Its index is free again at once, or if the hub knows of it with HUB_GONE. */
void shard_remove(struct shard *shard, struct session *session);

#endif
