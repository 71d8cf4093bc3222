#include "net/gate/onward.h"

#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "base/hash.h"
#include "base/key.h"
#include "cluster/cluster.h"
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

/* The argument of struct forward_calls. */
struct search {
    struct cluster *cluster;
    struct directory_entry room; /* the facts of the request's room; code "": it has none */
};

static enum forward_where find_room(void *argument, const char *code, struct forward_node *node)
{
    struct search *search = argument;
    struct routes *routes = cluster_routes(search->cluster);
    struct routes_node peer;

    if (!routes_entry(routes, code, &search->room)) {
        search->room.code[0] = '\0';
    }
    return on_way(routes_way(routes, code, cluster_now(search->cluster), &peer), &peer, node);
}

static enum forward_where choose_maker(void *argument, struct forward_node *node)
{
    struct cluster *cluster = ((struct search *)argument)->cluster;
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

/* Stores the request's key. Returns false if it has none. */
static bool find_key(const char *head, size_t size, char key[PROTO_KEY_MAX + 1])
{
    char authorization[BEARER_MAX + 1]; /* forward_header() keeps the space before it */

    return forward_header(head, size, "authorization", authorization, sizeof authorization) &&
           bearer_read(authorization + (authorization[0] == ' '), key) && key[0] != '\0';
}

/* Returns true if the key is the room's own, as its owner has told. A chosen key is not told. */
static bool opens_room(const struct directory_entry *room, const char *key)
{
    return room->code[0] != '\0' && room->key_made && room->key[0] != '\0' &&
           key_same(room->key, key);
}

static struct bearer_lock server_lock(const struct service *service)
{
    return (struct bearer_lock){
        .kind = TRIES_PRESENTER, .key = service->key, .made = service->key_made};
}

/* Ranks a request for that room by its key. Most keys of the form of made keys are keys of rooms:
 * they use up no tries, unless the operator has chosen the server's key in this form. */
static void rank_request(const struct context *context, const struct directory_entry *room,
                         const char *key, struct onward *onward)
{
    const struct service *service = context->service;
    const struct bearer_lock lock = server_lock(service);
    enum tries_result result;
    uint32_t wait;

    if (opens_room(room, key)) {
        onward->rank = room->trusted ? FORWARD_TRUSTED : FORWARD_ROOM;
        onward->account =
            room->trusted || room->creator == 0 ? hash_text(room->code) : room->creator;
        return;
    }
    if (key_may_be_made(key) && !key_may_be_made(service->key)) {
        return;
    }
    result = bearer_try_from(context, onward->client, &lock, key,
                             (struct tries_pass){.kind = TRIES_EARLY}, &wait);
    onward->rank = result == TRIES_RIGHT ? FORWARD_SERVER : FORWARD_STRANGER;
    onward->wrong = result == TRIES_WRONG;
}

bool onward_find(struct context *context, const struct connection *connection, int fd,
                 struct onward *onward)
{
    static _Thread_local char head[CONNECTION_HEAD_MAX];
    struct search search = {.cluster = context->service->cluster};
    const struct forward_calls calls = {find_room, choose_maker, &search};
    char key[PROTO_KEY_MAX + 1];
    ssize_t size;

    if (search.cluster == NULL || connection->port != CONNECTION_PUBLIC) {
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
    if (onward->where == FORWARD_THERE && find_key(head, onward->head_size, key)) {
        rank_request(context, &search.room, key, onward);
    }
    return true;
}

void onward_begin(struct context *context, int fd, const struct onward *onward)
{
    const struct forward_request request = {.head_size = onward->head_size,
                                            .client = onward->client,
                                            .rank = onward->rank,
                                            .account = onward->account};
    const struct bearer_lock lock = server_lock(context->service);

    if (onward->where == FORWARD_NOWHERE) {
        forward_refuse(fd);
    } else if (!forward_begin(context->forwards, fd, &request, &onward->node) && onward->wrong) {
        bearer_note_wrong(context, onward->client, &lock); /* no other node judges it */
    }
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
