/* Requests for rooms of other nodes of the cluster, which are passed on before libwebsockets reads
 * them, and requests that other nodes pass on to this one. Must be used on the shard's thread. */
#ifndef ONWARD_H
#define ONWARD_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/network.h"
#include "cluster/forward.h"

struct connection;
struct context;

/* A request that is passed on. */
struct onward {
    enum forward_where where; /* FORWARD_THERE or FORWARD_NOWHERE */
    struct forward_node node;
    size_t head_size;
    enum forward_rank rank;
    uint64_t account; /* see struct forward_request */
    bool wrong;       /* its key is neither its room's nor the server's */
    char client[NETWORK_ADDRESS_MAX];
};

/* Returns true if the request, whose complete head waits in the socket, is for another node. */
bool onward_find(struct context *context, const struct connection *connection, int fd,
                 struct onward *onward);

/* Passes it on. Takes over the socket. */
void onward_begin(struct context *context, int fd, const struct onward *onward);

/* Returns true if the request, which came to --cluster-bind, has this node's key. */
bool onward_may_enter(const struct context *context, struct lws *wsi);

#endif
