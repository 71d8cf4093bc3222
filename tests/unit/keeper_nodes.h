/* Two nodes of a cluster in one process, over the broker in memory, in real time. */
#ifndef KEEPER_NODES_H
#define KEEPER_NODES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "broker_memory.h"
#include "cluster/keeper.h"
#include "hub_session.h"

#define WAIT_S 60.0 /* until a test fails */

struct node {
    struct broker *broker;
    struct cluster_counts counts;
    struct keeper *keeper;
    struct hub *hub;
    _Atomic uint32_t taken, ready, lost;
};

static struct broker_world world;
static struct node a, b;
static uint64_t rewind_time;                       /* of the nodes' rooms */
static uint32_t node_version = 2;                  /* of the next node's release */
static uint64_t history_bytes = UINT64_C(1) << 30; /* of the next node */
static uint32_t boids_limit = 1000000;             /* of all rooms of the next node */
static uv_thread_t pump;
static atomic_bool pumping;

/* Delivers what the nodes send. */
static inline void run_pump(void *argument)
{
    (void)argument;
    while (atomic_load(&pumping)) {
        (void)broker_memory_run(&world);
        uv_sleep(1);
    }
}

static inline void on_taken(void *argument, const char *code, uint64_t epoch)
{
    struct node *node = argument;

    (void)code;
    assert_int_not_equal(epoch, 0);
    node->taken++;
}

static inline void on_ready(void *argument, const char *code, uint64_t epoch)
{
    struct node *node = argument;
    struct directory_entry entry;

    assert_int_not_equal(epoch, 0);
    assert_true(node->hub == NULL || directory_find(hub_directory(node->hub), code, &entry));
    node->ready++;
}

static inline void on_lost(void *argument, const char *code, uint64_t epoch)
{
    struct node *node = argument;

    (void)code;
    (void)epoch;
    node->lost++;
}

static inline void on_moved(void *argument, const struct route *route)
{
    (void)argument;
    assert_int_not_equal(route->epoch, 0);
}

static inline void wake_nobody(void *argument, uint32_t shard)
{
    (void)argument;
    (void)shard;
}

static inline struct keeper *make_keeper_as(struct node *node, const char *name,
                                            enum node_role role, char *text)
{
    const struct keeper_definition definition = {.broker = node->broker,
                                                 .counts = &node->counts,
                                                 .node = name,
                                                 .role = role,
                                                 .version = node_version,
                                                 .rooms_max = 100,
                                                 .settled = 1,
                                                 .taken = on_taken,
                                                 .ready = on_ready,
                                                 .lost = on_lost,
                                                 .moved = on_moved,
                                                 .argument = node};

    return keeper_create(&definition, text);
}

static inline struct keeper *make_keeper(struct node *node, const char *name, char *text)
{
    return make_keeper_as(node, name, NODE_SIM, text);
}

static inline void start_node(struct node *node, const char *name)
{
    const struct broker_definition to = {.node = name};
    struct hub_definition definition = default_hub();
    char text[BROKER_TEXT_MAX];

    *node = (struct node){.broker = broker_memory_open(&world, &to)};
    node->keeper = make_keeper(node, name, text);
    assert_non_null(node->keeper);
    definition.limits.rooms_max = 100;
    definition.lobby.tick_rate = definition.lobby.snapshot_rate = 30;
    definition.lobby.rewind = rewind_time;
    definition.room_boids = SCENE_BOIDS_MAX;
    definition.history_bytes = history_bytes;
    definition.boids_max = boids_limit;
    definition.store = keeper_store(node->keeper);
    definition.checkpoint_interval = 3600 * UINT64_C(1000000);
    definition.checkpoint_soon = 20000;
    definition.claim = keeper_claim;
    definition.claimed = keeper_claimed;
    definition.claimer = node->keeper;
    definition.wake = wake_nobody;
    node->hub = hub_create(&definition);
    assert_non_null(node->hub);
    assert_true(keeper_start(node->keeper, node->hub));
}

static inline void stop_node(struct node *node)
{
    keeper_drain(node->keeper, 0);
    hub_stop(node->hub);
    hub_destroy(node->hub);
    keeper_stop(node->keeper);
    broker_close(node->broker);
}

static inline int make_nodes(void **state)
{
    (void)state;
    broker_world_init(&world);
    atomic_store(&pumping, true);
    assert_int_equal(uv_thread_create(&pump, run_pump, NULL), 0);
    start_node(&a, "a");
    start_node(&b, "b");
    return 0;
}

static inline int make_nodes_with_pasts(void **state)
{
    rewind_time = UINT64_C(600000000);
    return make_nodes(state);
}

static inline int finish_nodes(void **state)
{
    rewind_time = 0;
    (void)state;
    stop_node(&a);
    stop_node(&b);
    atomic_store(&pumping, false);
    uv_thread_join(&pump);
    keeper_destroy(a.keeper);
    keeper_destroy(b.keeper);
    broker_world_finish(&world);
    return 0;
}

/* ---- what is awaited ---- */

static inline bool has_room(const struct node *node, const char *code)
{
    struct directory_entry entry;

    return directory_find(hub_directory(node->hub), code, &entry);
}

static inline bool knows_owner(const struct node *node, const char *code, const char *owner)
{
    struct route route;

    return routes_find(keeper_routes(node->keeper), code, &route) && !route.ended &&
           strcmp(route.owner, owner) == 0;
}

/* Waits until the condition holds. */
#define await_for(seconds, condition)                                                              \
    do {                                                                                           \
        const uint64_t begun_ = uv_hrtime();                                                       \
        while (!(condition)) {                                                                     \
            if ((double)(uv_hrtime() - begun_) / 1e9 > (seconds)) {                                \
                fail_msg("not within %g s: %s", (double)(seconds), #condition);                    \
            }                                                                                      \
            uv_sleep(2);                                                                           \
        }                                                                                          \
    } while (0)
#define await(condition) await_for(WAIT_S, condition)

static inline struct directory_entry make_room_of(struct node *node, uint32_t boids, bool trusted)
{
    hub = node->hub;
    return create_room_of("boids", boids, NULL, trusted);
}

static inline struct directory_entry make_room_at(struct node *node, uint32_t boids)
{
    return make_room_of(node, boids, false);
}

/* Returns the revision of the room's checkpoint; 0: there is none. */
static inline uint64_t checkpoint_of(const char *code)
{
    uint64_t revision;

    pthread_mutex_lock(&world.lock);
    const struct memory_entry *entry = memory_find(&world, BROKER_CHECKS, code);
    revision = entry != NULL && !entry->deleted ? entry->revision : 0;
    pthread_mutex_unlock(&world.lock);
    return revision;
}

static inline bool has_checkpoint(const char *code)
{
    return checkpoint_of(code) != 0;
}

static inline uint32_t boids_at(const struct node *node, const char *code)
{
    struct directory_entry entry = {0};

    (void)directory_find(hub_directory(node->hub), code, &entry);
    return entry.boids;
}

/* Returns the incarnation under which the node has a lease; 0: it has none. */
static inline uint64_t incarnation_of(const struct node *node)
{
    struct routes_node own;

    return routes_nodes(keeper_routes(node->keeper), keeper_now(), &own, 1) == 1 &&
                   own.beat.revision != 0
               ? own.beat.incarnation
               : 0;
}

#endif
