#include "net/gate/onward.h"

#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "base/key.h"
#include "cluster/cluster.h"
#include "cluster/forward.h"
#include "cluster/routes.h"
#include "net/gate/bearer.h"
#include "net/gate/connection.h"
#include "net/gate/context.h"

/* Stores the address of the node, if requests can be passed on to it. */
static enum forward_where there(const struct routes_node *peer, struct forward_node *node)
{
    snprintf(node->address, sizeof node->address, "%s", peer->beat.http);
    snprintf(node->key, sizeof node->key, "%s", peer->beat.http_key);
    return node->address[0] != '\0' ? FORWARD_THERE : FORWARD_NOWHERE;
}

static enum forward_where on_way(enum routes_way way, const struct routes_node *peer,
                                 struct forward_node *node)
{
    switch (way) {
    case ROUTES_THERE:
        return there(peer, node);
    case ROUTES_NOBODY:
        return FORWARD_NOWHERE;
    default:
        return FORWARD_HERE;
    }
}

static enum forward_where find_room(void *argument, const char *code, struct forward_node *node)
{
    struct cluster *cluster = argument;
    struct routes_node peer;

    return on_way(routes_way(cluster_routes(cluster), code, cluster_now(cluster), &peer), &peer,
                  node);
}

static enum forward_where choose_maker(void *argument, struct forward_node *node)
{
    struct cluster *cluster = argument;
    struct routes_node peer;
    uint64_t random;

    if (getrandom(&random, sizeof random, 0) != sizeof random) {
        random = cluster_now(cluster); /* good enough to spread rooms */
    }
    return on_way(routes_maker(cluster_routes(cluster), random, cluster_now(cluster), &peer), &peer,
                  node);
}

/* Stores the address of the client: the peer, or the one that a trusted proxy names. */
static void find_client(const struct context *context, const struct connection *connection,
                        const char *head, size_t size, char client[NETWORK_ADDRESS_MAX])
{
    static _Thread_local char forwarded[CONNECTION_HEAD_MAX];
    const struct service *service = context->service;
    struct ip address = connection->address;

    if (ip_is_in(&address, service->proxies, service->proxy_count) &&
        forward_header(head, size, "x-forwarded-for", forwarded, sizeof forwarded)) {
        address = ip_forwarded(&address, forwarded, service->proxies, service->proxy_count);
    }
    ip_write(&address, client);
}

/* Returns true if the request has the server's key. Keys of the form of made keys are compared
 * without the limit of wrong keys: most are keys of rooms, and count as no wrong keys. */
static bool has_server_key(const struct context *context, const char *head, size_t size,
                           const char *client)
{
    const struct service *service = context->service;
    const struct bearer_lock lock = {
        .kind = TRIES_PRESENTER, .key = service->key, .made = service->key_made};
    char authorization[BEARER_MAX + 1]; /* forward_header() keeps the space before it */
    char key[PROTO_KEY_MAX + 1];
    uint32_t wait;

    if (!forward_header(head, size, "authorization", authorization, sizeof authorization) ||
        !bearer_read(authorization + (authorization[0] == ' '), key)) {
        return false;
    }
    if (key_may_be_made(key)) {
        return key_same(service->key, key);
    }
    return bearer_try_from(context, client, &lock, key, (struct tries_pass){.kind = TRIES_OR_LINE},
                           &wait) == TRIES_RIGHT;
}

bool onward_find(struct context *context, const struct connection *connection, int fd,
                 struct onward *onward)
{
    static _Thread_local char head[CONNECTION_HEAD_MAX];
    const struct forward_calls calls = {find_room, choose_maker, context->service->cluster};
    ssize_t size;

    if (context->service->cluster == NULL || connection->port != CONNECTION_PUBLIC) {
        return false;
    }
    size = recv(fd, head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
    *onward = (struct onward){.head_size = size > 0 ? forward_head_size(head, (size_t)size) : 0};
    if (onward->head_size == 0) {
        return false;
    }
    onward->where = forward_find(&calls, head, onward->head_size, &onward->node);
    if (onward->where == FORWARD_HERE) {
        return false;
    }
    find_client(context, connection, head, onward->head_size, onward->client);
    onward->trusted = onward->where == FORWARD_THERE &&
                      has_server_key(context, head, onward->head_size, onward->client);
    return true;
}

void onward_begin(struct context *context, int fd, const struct onward *onward)
{
    if (onward->where == FORWARD_NOWHERE) {
        forward_refuse(fd);
        return;
    }
    forward_begin(context->forwards, fd,
                  &(struct forward_request){.head_size = onward->head_size,
                                            .client = onward->client,
                                            .trusted = onward->trusted},
                  &onward->node);
}

bool onward_may_enter(const struct context *context, struct lws *wsi)
{
    static const char name[] = FORWARD_KEY_HEADER ":";
    const struct cluster *cluster = context->service->cluster;
    char said[FORWARD_KEY_MAX];

    return cluster != NULL &&
           lws_hdr_custom_copy(wsi, said, sizeof said, name, sizeof name - 1) > 0 &&
           key_same(said, cluster_http_key(cluster));
}
