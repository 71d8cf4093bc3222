/* Connections that libwebsockets has not adopted yet, and their adoption. libwebsockets reads the
 * head of a request, or makes the server's part of a TLS handshake, as soon as it adopts the
 * connection. That takes 0.1 ms, or with TLS and a large RSA key more than 1 ms. So each turn of
 * the shard's loop adopts only as many connections as fit into a slice of time: of each address in
 * turn. Without TLS, an address that uses less than its share does not wait. See readers.h. The
 * slice is also for the handshakes of adopted connections: see handshake.h.
 *
 * For the files of gate/. Must be used on the shard's thread. */
#ifndef ARRIVAL_H
#define ARRIVAL_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/list.h"
#include "net/gate/readers.h"

struct connection;
struct context;

/* A connection that waits for the head of its request. */
struct arrival {
    uv_poll_t poll; /* must be first: libuv's pointers are to it */
    struct context *context;
    struct connection *connection;
    struct lws_vhost *vhost;
    int fd;
    uint32_t size;      /* bytes received */
    uint16_t looks;     /* how often its head was looked at, … */
    uint64_t look_time; /* … and the ns that this took */
    bool polling;
    bool drips;            /* its head grows slowly: it is looked at again when it is due */
    bool counted;          /* for its address */
    bool upgrades;         /* it asks for a WebSocket, without TLS */
    bool secure;           /* it begins with a TLS handshake */
    struct list_item item; /* in context->waiting or context->dripping until `due` */
    uint64_t due;          /* µs */
};

/* Ends the waiting; the socket stays open. */
void arrival_end(struct connection *connection);

/* Takes the connection out of the list in which it waits until it is due. */
void arrival_stop_waiting(struct arrival *arrival);

/* Has libwebsockets adopt the connection, now or in one of the next turns. */
void arrival_enter(struct connection *connection);

/* Must be called at the end of a turn of the shard's loop. Adopts connections that wait, and goes
 * on with handshakes that wait. late: snapshots are still due, and go first. Returns true if the
 * next turn must begin at once. */
bool arrival_turn(struct context *context, bool late);

#endif
