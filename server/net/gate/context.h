/* The data of libwebsockets' callbacks: the user pointer of a shard's context is its struct
 * context. */
#ifndef CONTEXT_H
#define CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/slab.h"
#include "config/config.h"
#include "hub/hub.h"
#include "hub/link.h"
#include "net/gate/admission.h"
#include "net/gate/bandwidth.h"
#include "net/gate/counts.h"
#include "net/gate/lateness.h"
#include "net/gate/meter.h"
#include "net/gate/overload.h"
#include "net/gate/readers.h"
#include "net/gate/spare.h"
#include "net/gate/spin.h"
#include "net/gate/transfers.h"

struct api_list;
struct api_request;
struct page;
struct roster;
struct uv_loop_s;
struct uv_timer_s;
struct places;
struct rates;
struct ready;
struct session;
struct workers;
struct tls;
struct connection;
struct context;
struct cluster;
struct forwards;

/* The data of all shards. Read-only while they run, except the atomics. */
struct service {
    const struct config *config;
    char key[PROTO_KEY_MAX + 1]; /* the server's key: it allows creating rooms */
    bool key_made;               /* see struct room_definition */
    struct page *page;
    struct tls *tls; /* NULL: no TLS */
    unsigned port;   /* listened on */
    struct hub *hub;
    struct cluster *cluster;                     /* NULL: one flockd alone */
    char cluster_address[64];                    /* where this node takes forwarded requests */
    struct rates *rates;                         /* limits for each address */
    struct ip_range proxies[CONFIG_PROXIES_MAX]; /* trusted proxies */
    size_t proxy_count;
    uint32_t clients_max;   /* limit for all shards together: see place.h */
    uint32_t displaced_max; /* limit of displaced clients beyond these: see place.h */
    uint32_t guests_max;    /* limit for each shard: see admission.h */
    uint32_t lingering_max; /* limit for each shard: see linger.h */
    struct bandwidth bandwidth;
    struct transfers *uploads, *downloads;
    struct places *places;                     /* the slots for clients */
    struct workers *workers;                   /* for requests: see api_job.h */
    void (*wake)(void *waker, uint32_t shard); /* makes a shard look for new data */
    void *waker;
    atomic_bool stopping;
    struct context *contexts; /* of all shards */
    uint32_t shard_count;
};

#define CONTEXT_PENDING 256u /* lists: a waiting hello is looked for ten times a second */

/* The data of one shard, for its thread only; any thread may read the counts. */
struct context {
    struct service *service;
    uint32_t shard; /* 0: the first */
    struct uv_loop_s *loop;
    bool stopping;
    struct proto_decoder *decoder;
    struct roster *roster;
    struct links *links; /* to the rooms */
    struct admission admission;
    struct admission adopted;    /* see adopted.h */
    struct admission lingering;  /* see linger.h */
    uint32_t lingering_swept;    /* ms on the server's clock */
    struct list waiting;         /* connections that wait for their address: see waiting_turn() */
    struct list dripping;        /* arrivals whose heads grow slowly, in the order of their times */
    struct uv_timer_s *admit;    /* calls waiting_turn() while there are any */
    struct list endings[3];      /* closed sessions: see session_ending.c */
    struct uv_timer_s *ender;    /* calls session_end_turn() while there are any */
    struct lws *broken;          /* the latest that libwebsockets closes beyond BREAKING_MOST */
    uint32_t breaking;           /* sessions that libwebsockets closes: see session_break() */
    struct forwards *forwards;   /* in a cluster: requests for rooms of other nodes */
    struct connection *adopting; /* the connection that is being handed to libwebsockets */
    bool adopts;                 /* all work is charged to an address: see arrival.c */
    struct counts counts;
    struct api_list *rooms; /* the listed rooms */
    struct list asked;      /* API requests that wait for the hub's answer */
    /* Hellos with keys before their welcome, by the number of their session: see pending.h. */
    struct list pending[CONTEXT_PENDING];
    uint64_t tickets; /* number of tickets used */
    struct lateness lateness;
    struct overload overload;
    struct spin spin;
    struct spare spare;      /* for connections that wait for their address … */
    struct spare arriving;   /* … and for new connections beyond their rate */
    struct meter meter;      /* of the shard's work */
    struct readers readers;  /* sessions */
    struct slab sessions;    /* memory of the shard's sessions */
    struct session *read;    /* the session that is being read from; NULL: none */
    struct ready *ready;     /* sockets of sessions */
    struct readers entering; /* connections before their adoption, or in a TLS handshake */
    struct readers requests; /* of the API, with complete bodies: see api_turn() */
    struct list halting; /* connections whose handshake waits since this turn: see handshake.h */
    uint32_t clock;      /* ms on the server's clock, which wraps: the shard's latest work */
};

/* Returns when the shard's loop found the events that it handles now: µs on the server's clock, in
 * whole ms. */
static inline uint64_t context_found(const struct context *context)
{
    return uv_now(context->loop) * 1000 - context->links->clock_start / 1000;
}

/* Charges no account for the work since the meter was last read, except for that of an adoption. */
static inline void context_free_work(struct context *context)
{
    if (!context->adopts) {
        readers_spend(&context->readers, meter_take(&context->meter).ran);
    }
}

/* Returns the account of an address, for struct readers. */
static inline uint64_t context_account(const struct context *context, const struct ip *address)
{
    const struct ip network = ip_network(address);

    return ip_hash(&network, context->admission.seed);
}

static inline bool context_is_proxy(const struct context *context, const struct ip *address)
{
    return ip_is_in(address, context->service->proxies, context->service->proxy_count);
}

#endif
