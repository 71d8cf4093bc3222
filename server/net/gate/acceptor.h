/* An acceptor: a listening socket on a shard's loop, whose connections it hands on. On the shard's
 * thread. */
#ifndef ACCEPTOR_H
#define ACCEPTOR_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <uv.h>

struct context;

struct acceptor {
    uv_poll_t poll;
    uv_timer_t pause; /* until it accepts again */
    struct context *context;
    struct lws_vhost *vhost;
    int listener;      /* the acceptor's, to close; -1: none */
    bool admin;        /* its connections are for --admin-bind's pages */
    bool out_of_files; /* accepting is suspended */
};

/* Starts accepting on acceptor->listener. False when memory or descriptors run out. The handles'
 * data is `owner`, who closes them. */
bool acceptor_start(struct acceptor *acceptor, struct context *context, uv_loop_t *loop,
                    struct lws_vhost *vhost, void *owner);
void acceptor_stop(struct acceptor *acceptor);

#endif
