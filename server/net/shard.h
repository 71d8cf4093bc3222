/* A shard: one libuv loop with its own libwebsockets context, listening socket and sessions. All of
 * it belongs to the one thread that runs shard_run(). */
#ifndef SHARD_H
#define SHARD_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "config.h"
#include "hub/hub.h"
#include "net/page.h"

/* What sessions are told when flockd ends. */
#define SHARD_STOPPING "the server is shutting down"

struct session;

struct shard {
    const struct config *config;
    struct page page;
    struct hub *hub;
    uv_loop_t loop;
    uv_async_t wake; /* the hub has something to take */
    uv_signal_t signals[2];
    uv_poll_t acceptor;
    uv_timer_t timer; /* accepting again, or the end of a shutdown */
    int listener;
    unsigned port; /* the one listened on */
    struct lws_protocols protocols[3];
    struct lws_context *context;
    struct lws_vhost *vhost;
    struct proto_decoder *decoder;
    struct state *state; /* the newest of the room; NULL before the first */
    bool out_of_files;   /* accepting is suspended */
    bool loop_broken;    /* the context could not be made, and left handles that point nowhere */
    bool stopping;
    int stop_turns; /* left for clients to take their close frames */

    uint32_t sessions_max;
    uint32_t generation;
    struct session *
        *sessions; /* by index; NULL: gone, though the index may still be waiting for the hub */
    uint32_t *free_indices;
    uint32_t free_count;
    uint32_t session_count; /* open */
};

/* Runs flockd with that room until a signal ends it. Returns the exit code: 0, or 1 with one line
 * on standard error. */
int shard_run(const struct config *config, const struct room_definition *room);

#endif
