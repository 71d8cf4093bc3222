/* Routes: which node owns which room of the cluster, the public facts of all rooms, and the nodes.
 * Every node has a copy, from keys of BROKER_ROOMS, beats and facts. Any thread may call it; a lock
 * guards it for moments only. It does no I/O and knows no clock: times are µs, told by the callers.
 *
 * The keeper also keeps here what it does with each room: see routes_plan(). */
#ifndef ROUTES_H
#define ROUTES_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/broker.h"
#include "cluster/lease.h"
#include "cluster/node.h"
#include "cluster/values.h"
#include "hub/directory.h"

#define ROUTES_ROOMS_MAX 1000000u
#define ROUTES_AT_ONCE   32u               /* rooms that a node takes at once, at most */
#define ROUTES_SILENT    UINT64_C(3000000) /* µs without a beat after which a node is away */

struct routes;

/* node: this node's name. Returns NULL when memory runs out; destroy takes NULL. */
struct routes *routes_create(const char *node);
void routes_destroy(struct routes *routes);

/* ---- for all ---- */

struct route {
    char code[PROTO_ROOM_MAX + 1];
    uint64_t epoch;                /* the revision of its key */
    bool ended;                    /* it has no owner, and its code rests */
    char owner[NODE_NAME_MAX + 1]; /* else */
    uint64_t incarnation;          /* the owner's */
    bool mine;                     /* this node is the owner */
};

/* Finds a room by its code in the form of proto_room_canonical(). Finds ended ones, too. */
bool routes_find(struct routes *routes, const char *code, struct route *route);

/* Returns whether a session may wait for the room: it has an owner, which may have died, or will
 * have its first one, as the lobby. */
bool routes_awaited(struct routes *routes, const char *code);

/* Stores the public facts of a room that has not ended; number and runner are 0. They are "" and 0
 * until the owner has told them. */
bool routes_entry(struct routes *routes, const char *code, struct directory_entry *entry);

/* As directory_read() and directory_version(), over all nodes. */
uint32_t routes_read(struct routes *routes, bool listed_only, uint32_t *next,
                     struct directory_entry *entries, uint32_t max);
uint64_t routes_version(const struct routes *routes);

/* Returns the number of rooms that have not ended. */
uint32_t routes_count(struct routes *routes);

enum routes_way {
    ROUTES_UNKNOWN, /* there is no such room */
    ROUTES_HERE,
    ROUTES_THERE,  /* on the node of *peer */
    ROUTES_NOBODY, /* its owner is silent or not known: it will be taken over soon */
};

struct routes_node {
    struct node_beat beat;
    uint64_t heard_at;
    bool silent; /* for ROUTES_SILENT */
};

/* Tells where a request for the room of that code goes. */
enum routes_way routes_way(struct routes *routes, const char *code, uint64_t now,
                           struct routes_node *peer);

/* Chooses the node that makes a new room: this one, unless it has no sim, or another one has places
 * and this one has none left or only the reserve of trusted creators, or this one is busy (more
 * than 70 % of its time) and another is not (less than 50 %). Else of two sims with places, drawn
 * by the random number, the one with less load. If all nodes are full, the chosen sim
 * makes or refuses the room. ROUTES_NOBODY: no sim runs rooms now. */
enum routes_way routes_maker(struct routes *routes, uint64_t random, uint64_t now,
                             struct routes_node *peer);

/* Stores up to `max` nodes, this one first. Returns their number. */
uint32_t routes_nodes(struct routes *routes, uint64_t now, struct routes_node *nodes, uint32_t max);

/* ---- what is heard ---- */

/* Takes a key of BROKER_ROOMS. An older revision than the known one changes nothing. Returns true,
 * and stores the route, if it is new. value NULL: the key was deleted. */
bool routes_take_key(struct routes *routes, const char *code, const struct route_value *value,
                     uint64_t revision, struct route *route);

/* Takes a beat: of this node, too. Returns true if it is the first of that incarnation. */
bool routes_take_beat(struct routes *routes, const struct node_beat *beat, uint64_t now);

/* Takes facts of a room from the node that owns it; number and runner must be 0. Facts from any
 * other node change nothing. */
void routes_take_facts(struct routes *routes, const char *node, uint64_t incarnation,
                       const struct directory_entry *entry);

/* ---- rooms of this node; for the keeper ---- */

/* This node's incarnation has changed: it has lost all its rooms. */
void routes_begin(struct routes *routes, uint64_t incarnation);

/* The states of a room on this node. */
enum routes_here {
    ROUTES_AWAY,   /* it is not here */
    ROUTES_MAKING, /* its code is being claimed, and then the room is made */
    ROUTES_RUNS,   /* the hub has it */
    ROUTES_GIVING, /* it is being given to another node, dropped or ended */
    ROUTES_STUCK,  /* this node cannot continue it */
};

enum routes_ask {
    ROUTES_CLAIM, /* set the key, whose owner is dead: route.epoch is its revision */
    ROUTES_LOOK,  /* read the key, and its owner's lease: it is not certain who owns it */
    ROUTES_LEARN, /* read in the room's checkpoint whether it is trusted: see routes_learn() */
    ROUTES_LOAD,  /* the room is this node's: continue it from its checkpoint */
    ROUTES_DROP,  /* the hub has the room, and another node owns it, or it has ended */
    ROUTES_REST,  /* delete the key: the code has rested long enough */
};

struct routes_step {
    enum routes_ask ask;
    struct route route;
};

/* Stores up to ROUTES_AT_ONCE steps, in the order in which they are to be done: first rooms to
 * drop, then the lobby, trusted rooms, and others. Of these, rooms with people come before empty
 * ones, and creators in turn: who has fewer rooms here gets the next place. The lobby always gets
 * one; untrusted rooms get none of the places that are reserved for trusted creators, and give way
 * to trusted rooms: see directory.h. The lease tells which owners are dead. seconds: of the wall
 * clock. */
uint32_t routes_plan(struct routes *routes, const struct lease *lease, uint64_t now,
                     uint64_t seconds, struct routes_step *steps);

/* Notes what a checkpoint of the room says, of which this node has heard no facts. */
void routes_learn(struct routes *routes, const char *code, bool trusted, uint64_t creator);

/* Notes that a room of this node could not be loaded because the hub is full: the next plans leave
 * it alone. */
void routes_put_off(struct routes *routes, const char *code);

/* Ranks the rooms of this node for routes_next_mine(). Must be called before the node gives all of
 * them to other nodes. */
void routes_begin_drain(struct routes *routes);

/* Stores the room here, won by this node and running, that goes to another node first: in the order
 * of routes_plan(). Returns false if there is none. */
bool routes_next_mine(struct routes *routes, struct route *route);

/* Returns the epoch under which this node last won the room; 0: never. */
uint64_t routes_won(struct routes *routes, const char *code);

/* Sets the state of a room on this node; makes an entry for it if there is none. A room that was to
 * be given away and runs here again counts as one that has just come. */
bool routes_set_here(struct routes *routes, const char *code, enum routes_here here);
enum routes_here routes_here(struct routes *routes, const char *code);

/* Returns whether this node asks the owner of the room for it: as far as is known, all of its
 * people are the given ones, who are on this node; this node takes rooms and is not busy. */
bool routes_wants(struct routes *routes, const char *code, uint32_t people, uint64_t now,
                  struct routes_node *owner);

/* Returns whether this node may give the room to the node of that name, which asks for it: the room
 * has run here for that many renewals of the lease. */
bool routes_gives(struct routes *routes, const char *code, const char *node, uint64_t renewals,
                  uint64_t now, const struct lease *lease, struct route *route,
                  struct routes_node *heir);

/* Whether the node of that name and incarnation runs rooms, and does not end. */
bool routes_runs_rooms(struct routes *routes, const char *node, uint64_t incarnation, uint64_t now);

/* Whether this node owns the room with that epoch, and the owner before it was the node of that
 * name. */
bool routes_came_from(struct routes *routes, const char *code, const char *node, uint64_t epoch);

/* Chooses the node that takes the room when this node ends: not this one, and one with a place for
 * it. Returns false if there is none. */
bool routes_heir(struct routes *routes, const char *code, uint64_t now, struct routes_node *heir);

#endif
