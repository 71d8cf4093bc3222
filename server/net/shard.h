/* A shard: one libuv loop with its own libwebsockets context, listening socket and sessions. The
 * main thread creates and destroys it; in between only the thread of shard_run() may use it. */
#ifndef SHARD_H
#define SHARD_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "net/gate/acceptor.h"
#include "net/gate/context.h"
#include "net/gate/ready.h"

struct shard {
    struct context *context; /* the server's, for this shard */
    uv_loop_t loop;
    uv_async_t wake; /* the hub has data, or the server is stopping */
    struct acceptor acceptor;
    struct acceptor admin;   /* in the first shard, with --admin-bind */
    struct acceptor nodes;   /* in the first shard, in a cluster: --cluster-bind */
    uv_prepare_t prepare;    /* before the loop waits for events */
    uv_check_t check;        /* after it has handled them */
    uv_idle_t again;         /* while it is active, the next turn of the loop begins at once */
    struct ready ready;      /* sockets of sessions */
    bool data_due;           /* the hub has replies or views */
    uint64_t turned_at;      /* µs on the server's clock: when the overload was last judged, … */
    uint64_t spare;          /* … and up to then the spare time, ns: see overload.h, … */
    uint64_t judged, missed; /* … and the counts of snapshots */
    uv_timer_t admit;        /* see waiting_turn() */
    uv_timer_t ender;        /* see session_end_turn() */
    uv_timer_t watch;        /* see on_watch() */
    uint64_t round_at;       /* ms on the loop's clock: when the present round of watching began */
    uint32_t watched;        /* slots of the roster that were watched in it */
    uv_timer_t timer;        /* ends a shutdown */
    struct lws_protocols protocols[3];
    struct lws_context *lws;
    struct lws_vhost *vhost;
    bool loop_broken; /* creating the lws context failed and left invalid handles in the loop */
    uint64_t stop_by; /* ms on the loop's clock: then clients that have not answered are dropped */
};

/* Creates the shard of that context, which listens on that port of the configured address; port 0
 * is replaced by a free port. Returns false after one line on standard error. shard_finish() must
 * be called in either case. */
bool shard_create(struct shard *shard, struct context *context, unsigned *port);
void shard_finish(struct shard *shard);

/* Serves clients until the server stops. */
void shard_run(struct shard *shard);

/* Makes the shard take the hub's data and check whether the server is stopping. Any thread. */
void shard_wake(struct shard *shard);

#endif
