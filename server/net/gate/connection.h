/* Connections from their acceptance to their end. Each waits outside of libwebsockets until the
 * whole head of its request is there, so that whoever has nothing to say, or dawdles, costs a
 * descriptor and a few bytes and can be sent away at any time (see admission.h). Then
 * libwebsockets adopts it; with TLS, which only libwebsockets reads, at the first bytes, and it is
 * a guest without a request until that is read. On the shard's thread. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <uv.h>

#include "base/ip.h"
#include "net/gate/admission.h"

#define CONNECTION_HEAD_MAX  16384u /* bytes of a request's head */
#define CONNECTION_LINES_MAX 64u    /* lines of it */

struct arrival;
struct context;

/* libwebsockets' opaque user data of each connection. */
struct connection {
    struct admission_guest guest; /* the first: admission's pointers are to it */
    struct ip address;            /* of its peer, or of whom a trusted proxy speaks for */
    struct lws *wsi;              /* NULL: libwebsockets does not have it yet */
    struct arrival *arrival;      /* NULL: it has */
    bool over;                    /* one too many of its address: its request is refused */
    bool admin;                   /* it came to --admin-bind */
    bool answered;                /* it has had its response */
    bool socket;                  /* it is a WebSocket */
    uint32_t download;            /* its place among those; 0: it has none */
};

/* Takes over a socket that was accepted on that loop from that address; admin: at --admin-bind. */
void connection_arrive(struct context *context, struct lws_vhost *vhost, uv_loop_t *loop, int fd,
                       const struct ip *address, bool admin);

/* Those that wait are closed. Before the loop and libwebsockets' context go. */
void connection_finish(struct context *context);

/* Once a second: ends the guests whose time is up. */
void connection_watch(struct context *context);

/* For LWS_CALLBACK_WSI_CREATE and LWS_CALLBACK_WSI_DESTROY. */
void connection_adopted(struct context *context);
void connection_gone(struct context *context, struct lws *wsi);

static inline struct connection *connection_of(const struct lws *wsi)
{
    return lws_get_opaque_user_data(wsi);
}

/* The head of its request is read. False: it is one too many of its address, to be refused with
 * 429 and this sentence. */
#define CONNECTION_OVER                                                                            \
    "Too many connections come from this address at once; try again in a moment (the server's "    \
    "--address-limit)."
bool connection_asked(struct context *context, struct lws *wsi);

/* From now on it has so many ms for what it is at: to send its request, or to take its answer. */
void connection_wait(struct context *context, struct lws *wsi, uint32_t time);

/* Its response has been handed over, with a body of so many bytes. */
void connection_answered(struct context *context, struct lws *wsi, size_t size);

/* It is a WebSocket now; and one that is let into a room, which is nobody's guest any more. */
void connection_opened(struct lws *wsi);
void connection_settled(struct context *context, struct lws *wsi);

/* It has lost its place there, and is a guest again for as long as it takes to say goodbye. Not
 * from a callback of libwebsockets': another guest may have to go. */
void connection_unsettle(struct context *context, struct lws *wsi);

#endif
