/* What libwebsockets' callbacks work with: the user of a shard's context is its struct context. */
#ifndef CONTEXT_H
#define CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "hub/hub.h"
#include "net/gate/admission.h"
#include "net/gate/bandwidth.h"
#include "net/gate/counts.h"
#include "net/gate/transfers.h"

struct api_list;
struct api_request;
struct page;
struct roster;
struct uv_loop_s;
struct crowd;
struct rates;
struct tls;
struct connection;
struct context;

/* What all shards have in common. While they run, it is only read, but for the atomics. */
struct service {
    const struct config *config;
    char key[PROTO_KEY_MAX + 1]; /* the server's: who has it may create rooms */
    bool key_made;               /* see struct room_definition */
    struct page *page;
    struct tls *tls; /* NULL: none */
    unsigned port;   /* the one listened on */
    struct hub *hub;
    struct rates *rates;                         /* of what comes from one address */
    struct ip_range proxies[CONFIG_PROXIES_MAX]; /* that are trusted */
    size_t proxy_count;
    uint32_t clients_max; /* at a time, of all shards together: see place.h */
    uint32_t owed_max;    /* clients beyond these, whose places others have: see crowd.h */
    uint32_t guests_max;  /* at a time, of each shard: see admission.h */
    struct bandwidth bandwidth;
    struct transfers uploads, downloads;
    struct crowd *crowd;                       /* of those that are let in, by network */
    void (*wake)(void *waker, uint32_t shard); /* lets a shard look at what there is for it */
    void *waker;
    /* That are let in: as clients, and as presenters although there are clients_max clients, by
     * whether the server trusts them. See place.h. */
    atomic_uint clients, presenters[2];
    atomic_bool stopping;
    struct context *contexts; /* of each shard */
    uint32_t shard_count;
};

/* What one shard has, for its thread alone; but any may read the counts. */
struct context {
    struct service *service;
    uint32_t shard; /* 0: the first */
    struct uv_loop_s *loop;
    bool stopping;
    struct proto_decoder *decoder;
    struct roster *roster;
    struct admission admission;
    struct connection *adopting; /* that libwebsockets is being given just now */
    struct counts counts;
    struct api_list *rooms;    /* that are listed */
    struct api_request *asked; /* requests that wait for an answer of the hub's */
    uint64_t tickets;          /* given out so far */
    uint32_t clock; /* ms on the server's clock, which wrap: when it last did something */
};

#endif
