#include "cluster/cluster.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <uv.h>

#include "base/log.h"
#include "cluster/ends.h"
#include "cluster/keeper.h"
#include "cluster/routes.h"
#include "cluster/versions.h"
#include "hub/far.h"
#include "hub/hub.h"

#define LEASE_ANSWER   400u /* ms that the keeper waits for an answer */
#define DRAIN_PATIENCE 20.0 /* s */
/* µs; less by the time in which the writes of many rooms come together: see checkpoints.c */
#define CHECKPOINT_INTERVAL UINT64_C(950000)
#define CHECKPOINT_SOON     UINT64_C(200000) /* after people have changed a room */

struct cluster {
    struct cluster_definition definition;
    struct cluster_counts counts;
    struct broker *broker;
    struct ends *ends;
    struct keeper *keeper;
    char http_key[NODE_KEY_MAX + 1];
    _Atomic bool opened; /* the ends are there: they hear of the broker's lines */
    bool started, stopped;

    bool draining;
    uv_thread_t drainer;
    void (*drained)(void *argument);
    void *argument;
};

/* ---- what the parts tell each other ---- */

static void on_line(void *argument, enum broker_line line, bool connected)
{
    struct cluster *cluster = argument;

    if (line == BROKER_CONTROL && connected && atomic_load(&cluster->opened)) {
        keeper_connected(cluster->keeper);
    }
    if (line != BROKER_DATA) {
        return;
    }
    atomic_store(&cluster->counts.connected, connected);
    cluster_count(&cluster->counts.disconnects, connected ? 0 : 1);
    if (atomic_load(&cluster->opened)) {
        log_info("NATS %s", connected ? "answers again" : "does not answer");
        ends_connected(cluster->ends, connected);
    }
}

static void on_log(void *argument, bool is_error, const char *text)
{
    (void)argument;
    if (is_error) {
        log_error("%s", text);
    } else {
        log_info("%s", text);
    }
}

static void on_taken(void *argument, const char *code, uint64_t epoch)
{
    ends_taken(((struct cluster *)argument)->ends, code, epoch);
}

static void on_ready(void *argument, const char *code, uint64_t epoch)
{
    ends_ready(((struct cluster *)argument)->ends, code, epoch);
}

static void on_lost_room(void *argument, const char *code, uint64_t epoch)
{
    ends_lost(((struct cluster *)argument)->ends, code, epoch);
}

static void on_moved(void *argument, const struct route *route)
{
    ends_moved(((struct cluster *)argument)->ends, route->code, route->epoch, route->ended);
}

/* Finds a room that another node has, or that no node has yet: see struct hub_far. Its presenter
 * key stays there. */
static bool find_far(void *argument, const char *code, struct link_room *room)
{
    const struct cluster *cluster = argument;
    const bool is_lobby = strcmp(code, ROOM_LOBBY) == 0;
    struct directory_entry entry;

    if (!routes_awaited(keeper_routes(cluster->keeper), code)) {
        return false;
    }
    *room = (struct link_room){.trusted = is_lobby, .by_server = is_lobby};
    if (routes_entry(keeper_routes(cluster->keeper), code, &entry)) {
        room->trusted = entry.trusted;
        room->by_server = is_lobby || entry.by_server; /* the owner may not have told it yet */
        room->creator = entry.creator;
    }
    return true;
}

static void want_room(void *argument, const char *code, uint32_t people)
{
    keeper_want(((struct cluster *)argument)->keeper, code, people);
}

/* ---- life ---- */

static struct broker *open_broker(struct cluster *cluster, char *text)
{
    const struct cluster_definition *definition = &cluster->definition;
    const struct broker_definition broker = {
        .urls = definition->urls,
        .prefix = definition->prefix,
        .node = definition->node,
        .role = (definition->role & NODE_SIM) != 0 ? "sim" : "edge",
        .user = definition->user,
        .credentials = definition->credentials,
        .authority = definition->authority,
        .patience = LEASE_ANSWER,
        .makes_buckets = (definition->role & NODE_SIM) != 0,
        .changed = on_line,
        .log = on_log,
        .argument = cluster,
    };

    return broker_load(&broker, text);
}

static bool create_ends(struct cluster *cluster, char *text)
{
    const struct ends_definition definition = {
        .broker = cluster->broker,
        .counts = &cluster->counts,
        .node = cluster->definition.node,
        .sessions_max = cluster->definition.sessions_max,
        .find = find_far,
        .want = cluster->definition.role == NODE_BOTH ? want_room : NULL,
        .argument = cluster,
    };

    cluster->ends = ends_create(&definition);
    if (cluster->ends == NULL) {
        snprintf(text, BROKER_TEXT_MAX, "out of memory");
    }
    return cluster->ends != NULL;
}

static bool create_keeper(struct cluster *cluster, char *text)
{
    const struct keeper_definition definition = {
        .broker = cluster->broker,
        .counts = &cluster->counts,
        .node = cluster->definition.node,
        .role = cluster->definition.role,
        .version = version_of_release(),
        .rooms_max = cluster->definition.rooms_max,
        .taken = on_taken,
        .ready = on_ready,
        .lost = on_lost_room,
        .moved = on_moved,
        .argument = cluster,
    };

    cluster->keeper = keeper_create(&definition, text);
    return cluster->keeper != NULL;
}

static bool make_key(struct cluster *cluster, char *text)
{
    uint8_t bytes[NODE_KEY_MAX / 2];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        snprintf(text, BROKER_TEXT_MAX, "no randomness");
        return false;
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        snprintf(cluster->http_key + 2 * i, 3, "%02x", bytes[i]);
    }
    return true;
}

struct cluster *cluster_create(const struct cluster_definition *definition, char *text)
{
    struct cluster *cluster = calloc(1, sizeof *cluster);

    if (cluster == NULL) {
        snprintf(text, BROKER_TEXT_MAX, "out of memory");
        return NULL;
    }
    cluster->definition = *definition;
    cluster->broker = open_broker(cluster, text);
    if (cluster->broker == NULL || !make_key(cluster, text) || !create_ends(cluster, text) ||
        !create_keeper(cluster, text) || !keeper_has_name(cluster->keeper, text)) {
        cluster_destroy(cluster);
        return NULL;
    }
    atomic_store(&cluster->opened, true);
    return cluster;
}

void cluster_define(struct cluster *cluster, struct hub_definition *definition)
{
    definition->far = ends_far(cluster->ends);
    definition->store = keeper_store(cluster->keeper);
    definition->claim = keeper_claim;
    definition->claimed = keeper_claimed;
    definition->claimer = cluster->keeper;
    /* A takeover loses no more. */
    if (definition->checkpoint_interval > CHECKPOINT_INTERVAL) {
        definition->checkpoint_interval = CHECKPOINT_INTERVAL;
    }
    definition->checkpoint_soon = CHECKPOINT_SOON;
    definition->past_interval = 0; /* pasts are not kept */
}

void cluster_set_http(struct cluster *cluster, const char *address)
{
    keeper_set_http(cluster->keeper, address, cluster->http_key);
}

bool cluster_start(struct cluster *cluster, struct hub *hub)
{
    cluster->started = true;
    if (!ends_start(cluster->ends, hub) || !keeper_start(cluster->keeper, hub)) {
        return false;
    }
    keeper_await_routes(cluster->keeper);
    return true;
}

void cluster_wake(struct cluster *cluster)
{
    ends_wake(cluster->ends);
}

static void drain(void *argument)
{
    struct cluster *cluster = argument;

    keeper_drain(cluster->keeper, DRAIN_PATIENCE);
    cluster->drained(cluster->argument);
}

void cluster_drain(struct cluster *cluster, void (*done)(void *argument), void *argument)
{
    assert(!cluster->draining);
    cluster->drained = done;
    cluster->argument = argument;
    cluster->draining = uv_thread_create(&cluster->drainer, drain, cluster) == 0;
    if (!cluster->draining) {
        done(argument);
    }
}

void cluster_stop(struct cluster *cluster)
{
    if (cluster == NULL || !cluster->started) {
        return;
    }
    if (cluster->draining) {
        uv_thread_join(&cluster->drainer);
    } else {
        keeper_drain(cluster->keeper, 0);
    }
    ends_stop(cluster->ends);
    cluster->stopped = true;
}

void cluster_leave(struct cluster *cluster)
{
    if (cluster != NULL && cluster->stopped) {
        ends_leave(cluster->ends);
    }
}

void cluster_destroy(struct cluster *cluster)
{
    if (cluster == NULL) {
        return;
    }
    if (cluster->stopped) {
        keeper_stop(cluster->keeper);
    }
    atomic_store(&cluster->opened, false);
    broker_close(cluster->broker); /* its deliveries use the next two */
    keeper_destroy(cluster->keeper);
    ends_destroy(cluster->ends);
    free(cluster);
}

/* ---- facts ---- */

const char *cluster_node(const struct cluster *cluster)
{
    return cluster->definition.node;
}

enum node_role cluster_role(const struct cluster *cluster)
{
    return cluster->definition.role;
}

struct routes *cluster_routes(const struct cluster *cluster)
{
    return keeper_routes(cluster->keeper);
}

struct cluster_counts *cluster_counts(struct cluster *cluster)
{
    return &cluster->counts;
}

const char *cluster_http_key(const struct cluster *cluster)
{
    return cluster->http_key;
}

uint64_t cluster_now(const struct cluster *cluster)
{
    (void)cluster;
    return keeper_now();
}

bool cluster_connected(const struct cluster *cluster)
{
    return broker_connected(cluster->broker, BROKER_DATA) &&
           broker_connected(cluster->broker, BROKER_CONTROL);
}

bool cluster_stands(const struct cluster *cluster)
{
    return keeper_stands(cluster->keeper);
}

const struct broker_stats *cluster_broker(const struct cluster *cluster)
{
    return &cluster->broker->stats;
}
