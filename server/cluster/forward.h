/* Forwarding: a request for a room of another node becomes a stream of bytes to that node's
 * --cluster-bind address, and back. Only the head is changed: see forward_rewrite(). The other node
 * answers as it always does, and its limits of time and rate hold for the client, whose pace it
 * sees: each direction has a buffer of 64 KB, and a side that does not read stops the other.
 *
 * A struct forwards belongs to a loop, and must be used on its thread. */
#ifndef FORWARD_H
#define FORWARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "cluster/forward_head.h"

#define FORWARD_HEAD_MAX 16384u /* bytes of a request's head */
#define FORWARD_BUFFER   65536u /* bytes of each direction */
#define FORWARD_SHARE    8u /* of the limit, a network gets at most one part of this many, … */
#define FORWARD_RESERVE  8u /* … and one part is reserved for trusted requests */

/* When strangers have all streams but the reserve, a stranger's new stream ends the newest of the
 * network with the most streams, if that network has at least two more. So a few addresses do not
 * keep all others out. A network is a value of ip_network().
 *
 * The share does not limit trusted requests. When the limit is reached, a trusted request ends a
 * stranger's stream. No request ends the stream of a trusted one. */

struct forwards;

struct forwards_definition {
    uint32_t limit;        /* of streams at the same time */
    uint32_t connect_time; /* ms until the other node has taken the connection */
    uint32_t silence;      /* ms without a byte in either direction */
    uint32_t linger;       /* ms for the client to read the last of the answer */
    /* Counters: requests, and requests without an answer from the other node. */
    _Atomic uint64_t *forwarded, *failed;
};

/* Returns NULL when memory runs out. */
struct forwards *forwards_create(uv_loop_t *loop, const struct forwards_definition *definition);

struct forward_request {
    size_t head_size;
    const char *client; /* its address, as text */
    bool trusted;       /* it has the server's key */
};

/* Takes over the client's socket, whose unread bytes begin with the request's complete head. If the
 * request cannot be passed on, its client gets an answer that says so. */
void forward_begin(struct forwards *forwards, int fd, const struct forward_request *request,
                   const struct forward_node *node);

/* Answers a request whose room no node has at present, and closes the socket. */
void forward_refuse(int fd);

/* Closes all streams. The memory is freed when the loop has run until its handles have closed.
 * Takes NULL. */
void forwards_destroy(struct forwards *forwards);

#endif
