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
#define FORWARD_SHARE    8u /* of the limit, an account gets at most one part of this many, … */
#define FORWARD_RESERVE  8u /* … and one part is reserved for each rank above strangers */

/* The ranks of requests, by the key that they have shown. Lower ranks cannot use the reserve of a
 * higher one. */
enum forward_rank {
    FORWARD_STRANGER,
    FORWARD_ROOM,    /* the key of its room, which anyone may have made */
    FORWARD_TRUSTED, /* the key of its room, which the server trusts */
    FORWARD_SERVER,  /* the server's key */
    FORWARD_RANKS
};

/* A stranger's account is its network, a value of ip_network(). An account with a room's key is
 * that room, or all rooms of its creator.
 *
 * When requests of a rank and of lower ranks have all streams but the reserves of higher ranks, a
 * new one ends the newest stream of the account with the most among them, if that account has at
 * least two more. So a few accounts do not keep all others out.
 *
 * The share does not limit requests with the server's key. When the limit is reached, such a
 * request ends a stream of the lowest rank. No request ends the stream of one with that key. */

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
    enum forward_rank rank;
    uint64_t account; /* with a room's key: the room's, or its creator's */
};

/* Takes over the client's socket, whose unread bytes begin with the request's complete head. If the
 * request cannot be passed on, its client gets an answer that says so. Returns false if this is
 * known at once. */
bool forward_begin(struct forwards *forwards, int fd, const struct forward_request *request,
                   const struct forward_node *node);

/* Answers a request whose room no node has at present, and closes the socket. */
void forward_refuse(int fd);

/* Closes all streams. The memory is freed when the loop has run until its handles have closed.
 * Takes NULL. */
void forwards_destroy(struct forwards *forwards);

#endif
