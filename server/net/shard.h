/* A shard: one libuv loop with its own libwebsockets context, listening socket and sessions. The
 * main thread makes and ends it; in between all of it belongs to the one thread that runs
 * shard_run(). */
#ifndef SHARD_H
#define SHARD_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "net/gate/acceptor.h"
#include "net/gate/context.h"

struct shard {
    struct context *context; /* the server's, for this shard */
    uv_loop_t loop;
    uv_async_t wake; /* the hub has something to take, or the server is stopping */
    struct acceptor acceptor;
    struct acceptor admin; /* of the first shard, if there is one */
    uv_timer_t watch;      /* over silent sessions */
    uv_timer_t timer;      /* the end of a shutdown */
    struct lws_protocols protocols[3];
    struct lws_context *lws;
    struct lws_vhost *vhost;
    bool loop_broken;   /* the lws context could not be made, and left handles that point nowhere */
    int stop_turns;     /* left for clients to take their close frames */
    uint32_t stop_next; /* slot of the next session to be told */
};

/* Makes the shard of that context, which listens on that port of the configured address; port 0 is
 * replaced by the one that it got. Returns false, after a line on standard error, when that cannot
 * be; shard_finish() is due in either case. */
bool shard_create(struct shard *shard, struct context *context, unsigned *port);
void shard_finish(struct shard *shard);

/* Serves clients until the server stops. */
void shard_run(struct shard *shard);

/* Lets the shard look at what the hub has for it, and whether the server is stopping. Any thread.
 */
void shard_wake(struct shard *shard);

#endif
