/* The keeper: a thread that renews this node's lease, publishes its beats and the facts of its
 * rooms, takes over rooms of dead nodes, and tells who owns which room. It makes blocking calls to
 * the broker; no other thread waits for it, except that keeper_claim() waits for its own call.
 *
 *     broker → keeper_create() → hub_create() → keeper_start() → … → keeper_drain() → hub_stop() →
 *     hub_destroy() → keeper_stop() → broker_close() → keeper_destroy() */
#ifndef KEEPER_H
#define KEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/broker.h"
#include "cluster/cluster_counts.h"
#include "cluster/node.h"
#include "cluster/routes.h"
#include "store/store.h"

struct hub;
struct keeper;

struct keeper_definition {
    struct broker *broker;
    struct cluster_counts *counts;
    const char *node; /* its name, see node_name_is_valid() */
    enum node_role role;
    uint32_t version; /* version_of_release(), except in tests */
    uint32_t rooms_max;
    uint64_t settled; /* µs that a room has run here before it moves to its people; 0: a minute */

    /* Called when this node has won a room, with its epoch, and before the hub has it; when the
     * hub has it, so that it can be joined; and when the hub has it no longer. The epoch is the one
     * under which it was won. On the keeper's thread, or on that of keeper_claim(). */
    void (*taken)(void *argument, const char *code, uint64_t epoch);
    void (*ready)(void *argument, const char *code, uint64_t epoch);
    void (*lost)(void *argument, const char *code, uint64_t epoch);
    /* Called with each new route: a room has another owner or epoch, or has ended. On any thread of
     * the broker, or as above. */
    void (*moved)(void *argument, const struct route *route);
    void *argument;
};

/* Takes the lease of the node's name; an edge has none. Blocks, for 10 s at most. Returns NULL with
 * the reason in `text` (BROKER_TEXT_MAX bytes). */
struct keeper *keeper_create(const struct keeper_definition *definition, char *text);

/* Returns whether the name is this node's alone; else false with the reason in `text`. An edge
 * listens for 1.2 s for the beats of another node with its name. Must be called once before
 * keeper_start(). */
bool keeper_has_name(struct keeper *keeper, char *text);

struct routes *keeper_routes(struct keeper *keeper);

/* The store for the hub's definition: see checkpoints.h. */
struct store *keeper_store(struct keeper *keeper);

/* For the hub's definition: see hub_definition.claim. argument: the keeper. */
enum directory_result keeper_claim(void *argument, const char *code);
void keeper_claimed(void *argument, const char *code, bool made);

/* Sets where this node takes forwarded requests: see struct node_beat. Before keeper_start(). */
void keeper_set_http(struct keeper *keeper, const char *address, const char *key);

/* Starts the thread. From then on it makes and ends rooms of the hub. Returns false if there is no
 * thread. */
bool keeper_start(struct keeper *keeper, struct hub *hub);

/* Must be called when the line of BROKER_CONTROL is back. Asks all nodes for their facts, because
 * messages were lost while the line was away. Any thread; never waits. */
void keeper_connected(struct keeper *keeper);

/* Waits until all routes are known, for 10 s at most. A node that does not know a room refuses its
 * people for good, so a node takes no clients before. */
void keeper_await_routes(struct keeper *keeper);

/* people: the sessions of this node in a room of another node. If no other node has sessions in it,
 * and this node takes rooms, it asks for the room, so that the room runs where its people are. The
 * owner keeps a room that is not bare: see hub_release_bare_room(). Any thread; never
 * waits. */
void keeper_want(struct keeper *keeper, const char *code, uint32_t people);

/* Gives all rooms to other nodes, for at most `patience` seconds. Returns when all are gone, or
 * none can go. The hub and the links of rooms that stay go on. From then on the keeper renews its
 * lease, and leaves the hub alone. Any thread. */
void keeper_drain(struct keeper *keeper, double patience);

/* Writes the last checkpoints, of the rooms that the hub had when it was destroyed; then gives up
 * the lease, so that other nodes take them at once, and ends the thread. After keeper_drain(). */
void keeper_stop(struct keeper *keeper);

/* Frees all. Must be called after broker_close(), whose deliveries use the keeper. Takes NULL. */
void keeper_destroy(struct keeper *keeper);

/* Returns the clock of routes.h (µs). */
uint64_t keeper_now(void);

/* Whether this node may own rooms: it has its lease, as far as it knows; an edge: it is connected.
 */
bool keeper_stands(const struct keeper *keeper);

#endif
