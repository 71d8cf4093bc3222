/* The inside of routes. For the files of routes; all functions need the lock. */
#ifndef ROUTES_PARTS_H
#define ROUTES_PARTS_H

#include <stddef.h>
#include <string.h>
#include <uv.h>

#include "cluster/routes.h"

#define ROUTES_BUSY 700u /* ‰ of a node's time: above it, the node takes no rooms without need */

struct routes_room {
    struct routes_room *next; /* in its bucket */
    size_t index;             /* in routes->rooms */
    char code[PROTO_ROOM_MAX + 1];
    uint64_t epoch; /* 0: it has no key */
    struct route_value value;
    char before[NODE_NAME_MAX + 1]; /* the owner before this one, if it is another; "": none */
    enum routes_here here;
    uint64_t won;        /* epoch under which this node last won it */
    uint64_t free_since; /* own renewals + 1 when its owner was first seen as dead; 0: it was not */
    uint64_t strange_since; /* as above, when its owner was not known */
    uint64_t runs_since; /* own renewals + 1 when it was first seen to run here; 0: it does not */
    uint64_t load_from;  /* own renewals from which on it may be loaded (again) */
    bool told;           /* the owner has told its facts */
    bool learned;        /* this node has read in its checkpoint whether it is trusted */
    bool waits;          /* see routes_set_turns() */
    uint32_t turn;       /* how many rooms of its creator come before it */
    struct directory_entry facts;
};

/* Rooms in the order in which they get places: the lobby, rooms made with the server's key, others.
 */
enum routes_kind { ROUTES_LOBBY, ROUTES_TRUSTED, ROUTES_OTHER };

/* The rooms of a node, as far as this node knows. */
struct places {
    uint32_t most, rooms;
    uint32_t trusted; /* without the lobby */
    uint32_t idle;    /* untrusted rooms without people: they give way to trusted ones */
    bool lobby;       /* it is among them */
};

enum place {
    PLACE_NONE,
    PLACE_BEYOND,    /* for the lobby: beyond --max-rooms */
    PLACE_GIVES_WAY, /* an idle room ends for it */
    PLACE_FREE,
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
    struct routes_room **ranked; /* for routes_set_turns() */
    size_t ranked_capacity;
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

/* ---- routes_places.c ---- */

enum routes_kind routes_room_kind(const struct routes_room *room);

/* Stores the places of each node of routes->nodes. */
void routes_count_places(const struct routes *routes, struct places places[NODES_MAX]);

/* Returns what place a node has for a room of that kind. */
enum place places_for(const struct places *places, enum routes_kind kind);

/* Counts a room of that kind that gets such a place. */
void places_take(struct places *places, enum routes_kind kind);

/* Sets room->turn of the rooms with `waits`: the number of rooms of their creator that come before
 * them. First come rooms that are counted, then rooms with most people. Stores the waiting rooms in
 * routes->ranked: rooms with people before empty ones, each by turn. Returns their number; 0 if
 * memory runs out. */
size_t routes_set_turns(struct routes *routes,
                        bool (*is_counted)(const void *argument, const struct routes_room *room),
                        const void *argument);

/* ---- routes.c ---- */

/* Returns the node of that name, or NULL. */
const struct routes_node *routes_node_find(const struct routes *routes, const char *name);

static inline bool routes_room_lives(const struct routes_room *room)
{
    return room->epoch != 0 && !room->value.ended;
}

static inline bool routes_node_is_silent(const struct routes_node *node, uint64_t now)
{
    return now > node->heard_at && now - node->heard_at >= ROUTES_SILENT;
}

/* Whether the node runs rooms and does not end. */
static inline bool routes_node_runs_rooms(const struct routes_node *node, uint64_t now)
{
    return (node->beat.role & NODE_SIM) != 0 && !node->beat.draining && node->beat.revision != 0 &&
           !routes_node_is_silent(node, now);
}

static inline bool routes_node_is_own(const struct routes *routes, const struct routes_node *node)
{
    return strcmp(node->beat.name, routes->node) == 0;
}

#endif
