/* An acceptor: a listening socket on a shard's loop. It accepts connections and hands them to
 * connection_arrive(). Must be used on the shard's thread. */
#ifndef ACCEPTOR_H
#define ACCEPTOR_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <uv.h>

#include "net/gate/connection.h"

struct context;

struct acceptor {
    uv_poll_t poll;
    uv_timer_t pause; /* runs until accepting resumes */
    struct context *context;
    struct lws_vhost *vhost;
    int listener;              /* owned and closed by the acceptor; -1: none */
    enum connection_port port; /* the port at which it listens */
    bool out_of_files;         /* accepting is paused */
};

/* Starts accepting on acceptor->listener. Returns false when memory or descriptors run out. Stores
 * `owner` as data of the handles; the owner closes them. */
bool acceptor_start(struct acceptor *acceptor, struct context *context, uv_loop_t *loop,
                    struct lws_vhost *vhost, void *owner);
void acceptor_stop(struct acceptor *acceptor);

#endif
