/* The inside of routes. For the files of routes; all functions need the lock. */
#ifndef ROUTES_PARTS_H
#define ROUTES_PARTS_H

#include <stddef.h>
#include <uv.h>

#include "cluster/routes.h"

struct routes_room {
    struct routes_room *next; /* in its bucket */
    size_t index;             /* in routes->rooms */
    char code[PROTO_ROOM_MAX + 1];
    uint64_t epoch; /* 0: it has no key */
    struct route_value value;
    enum routes_here here;
    uint64_t won;        /* epoch under which this node last won it */
    uint64_t free_since; /* own renewals + 1 when its owner was first seen as dead; 0: it was not */
    uint64_t strange_since; /* as above, when its owner was not known */
    uint64_t runs_since; /* own renewals + 1 when it was first seen to run here; 0: it does not */
    uint64_t load_from;  /* own renewals from which on it may be loaded (again) */
    bool told;           /* the owner has told its facts */
    struct directory_entry facts;
};

struct routes {
    uv_mutex_t lock;
    char node[NODE_NAME_MAX + 1];
    uint64_t incarnation; /* this node's; 0: it has none yet */
    struct routes_room **buckets;
    size_t bucket_count; /* a power of 2 */
    struct routes_room **rooms;
    size_t room_count, room_capacity;
    uint32_t living;                     /* rooms that have not ended */
    struct routes_node nodes[NODES_MAX]; /* without `silent` */
    uint32_t node_count;
    _Atomic uint64_t version;
};

struct routes_room *routes_room_find(const struct routes *routes, const char *code);
void routes_room_remove(struct routes *routes, struct routes_room *room);

/* Whether this node owns the room. */
bool routes_room_is_mine(const struct routes *routes, const struct routes_room *room);

/* Stores the node that owns the room. Returns false if it is silent, or has another incarnation. */
bool routes_room_owner(const struct routes *routes, const struct routes_room *room, uint64_t now,
                       struct routes_node *peer);

/* Stores what all may know of the room's route. */
void routes_room_describe(const struct routes *routes, const struct routes_room *room,
                          struct route *route);

/* Returns the node of that name, or NULL. */
const struct routes_node *routes_node_find(const struct routes *routes, const char *name);

static inline bool routes_node_is_silent(const struct routes_node *node, uint64_t now)
{
    return now > node->heard_at && now - node->heard_at >= ROUTES_SILENT;
}

#endif
