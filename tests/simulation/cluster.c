#include "cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "bus.h"
#include "cluster/ends.h"
#include "cluster/keeper.h"
#include "cluster/versions.h"
#include "hub/hub.h"
#include "room/view.h"
#include "shares.h"
#include "threads.h"
#include "visitor.h"
#include "witness.h"

#define LIFE       (75 * S)
#define QUIET      (45 * S) /* when all faults end */
#define FAULT_TIME (4 * S)  /* between two faults, on average */
#define PARTED     (5 * S)
#define AWAY_TIME  S /* until a visitor comes back, on average */
#define STEP       (20 * MS)
#define RATE       20u /* ticks a second */
#define SESSIONS   32u
#define ROOMS      3u /* the lobby, and one of each node with rooms alone */
#define VISITORS   9u
#define FRESH      (3 * S) /* within which each visitor sees a picture at the end */

enum state { ABSENT, STARTING, RUNS, LEAVES, LEFT, ENDED };
enum wish { WISH_NONE, WISH_KILL, WISH_DRAIN };

struct node {
    uint32_t number;
    char name[8];
    enum node_role role;
    enum state state;
    enum wish wish;
    uv_thread_t operator;
    struct broker *broker;
    struct cluster_counts counts;
    struct ends *ends;
    struct keeper *keeper;
    struct hub *hub;
};

static struct node nodes[BUS_NODES];
static struct place {
    char code[PROTO_ROOM_MAX + 1], key[PROTO_KEY_MAX + 1];
} places[ROOMS];
static uint32_t place_count;
static struct visitor *visitors[VISITORS];
static uint64_t come_at[VISITORS];
static bool woken, verbose;
static uint64_t takeovers, handovers; /* of all lives */

uint64_t cluster_takeovers(void)
{
    return takeovers;
}

uint64_t cluster_handovers(void)
{
    return handovers;
}

static void log_event(const char *what, const struct node *node)
{
    if (verbose) {
        printf("%9.3f s: %s %s\n", (double)threads_now() / 1e9, node != NULL ? node->name : "",
               what);
    }
}

static uint32_t group_of(const struct node *node)
{
    return node->number + 1;
}

/* ---- a node, as server/cluster/cluster.c puts it together ---- */

static void on_line(void *argument, enum broker_line line, bool connected)
{
    const struct node *node = argument;

    if (line == BROKER_DATA && node->ends != NULL) {
        ends_connected(node->ends, connected);
    }
}

static void on_taken(void *argument, const char *code, uint64_t epoch)
{
    ends_taken(((struct node *)argument)->ends, code, epoch);
}

static void on_ready(void *argument, const char *code, uint64_t epoch)
{
    ends_ready(((struct node *)argument)->ends, code, epoch);
}

static void on_lost(void *argument, const char *code, uint64_t epoch)
{
    ends_lost(((struct node *)argument)->ends, code, epoch);
}

static void on_moved(void *argument, const struct route *route)
{
    ends_moved(((struct node *)argument)->ends, route->code, route->epoch, route->ended);
}

static bool find_far(void *argument, const char *code, struct link_room *room)
{
    const struct node *node = argument;

    *room = (struct link_room){0};
    return routes_awaited(keeper_routes(node->keeper), code);
}

static void want_room(void *argument, const char *code, uint32_t people)
{
    keeper_want(((struct node *)argument)->keeper, code, people);
}

static void wake(void *argument, uint32_t shard)
{
    const struct node *node = argument;

    if (shard == 0) {
        woken = true;
    } else {
        ends_wake(node->ends);
    }
}

static void open_node(struct node *node)
{
    const struct broker_definition broker = {
        .node = node->name, .changed = on_line, .argument = node};
    struct ends_definition ends = {.counts = &node->counts,
                                   .node = node->name,
                                   .sessions_max = SESSIONS,
                                   .find = find_far,
                                   .want = node->role == NODE_BOTH ? want_room : NULL,
                                   .argument = node};
    struct keeper_definition keeper = {.counts = &node->counts,
                                       .node = node->name,
                                       .role = node->role,
                                       .version = version_of_release(),
                                       .rooms_max = ROOMS,
                                       .settled = 5000000,
                                       .taken = on_taken,
                                       .ready = on_ready,
                                       .lost = on_lost,
                                       .moved = on_moved,
                                       .argument = node};
    char text[BROKER_TEXT_MAX];

    ends.broker = keeper.broker = node->broker = bus_open(node->number, &broker);
    node->ends = ends_create(&ends);
    check(node->ends != NULL, "out of memory");
    node->keeper = keeper_create(&keeper, text);
    while (node->keeper == NULL && node->wish != WISH_KILL) { /* as a process that starts again */
        uv_sleep(200);
        node->keeper = keeper_create(&keeper, text);
    }
}

static struct hub_definition define_hub(struct node *node)
{
    struct hub_definition definition = {
        .shards = 1,
        .runners = 1,
        .threads = 1,
        .sessions_max = SESSIONS,
        .limits = {.rooms_max = ROOMS, .rooms_per_hour = 100000},
        .tries = {.connection = 1000, .address = 100000, .all = 100000},
        .boids_max = 100000,
        .room_idle = UINT64_C(3600000000),
        .room_boids = 120,
        .checkpoint_interval = 1000000,
        .checkpoint_soon = 250000,
        .history_bytes = 8u << 20,
        .fingerprint = 1,
        .lobby = room_definition_default(),
        .far = ends_far(node->ends),
        .store = keeper_store(node->keeper),
        .claim = keeper_claim,
        .claimed = keeper_claimed,
        .claimer = node->keeper,
        .wake = wake,
        .argument = node,
    };

    definition.lobby.people_max = SESSIONS;
    definition.lobby.boids_max = 120;
    definition.lobby.flock.boids = 30;
    definition.lobby.tick_rate = definition.lobby.snapshot_rate = RATE;
    definition.lobby.rewind = 60 * S / 1000;
    (void)snprintf(definition.lobby.key, sizeof definition.lobby.key, "%s", places[0].key);
    return definition;
}

static void make_room(struct node *node)
{
    struct hub_making making = {.definition = room_definition_default(), .address = "192.0.2.1"};
    struct hub_made made;

    making.definition.flock.boids = 20;
    making.definition.boids_max = 120;
    making.definition.people_max = SESSIONS;
    if (place_count < ROOMS && hub_make_room(node->hub, &making, &made) == DIRECTORY_OK) {
        struct place *place = &places[place_count++];
        memcpy(place->code, made.entry.code, sizeof place->code);
        memcpy(place->key, made.key, sizeof place->key);
    }
}

static void start_node(struct node *node)
{
    struct hub_definition definition;

    open_node(node);
    if (node->keeper == NULL) {
        return;
    }
    definition = define_hub(node);
    witness_start(group_of(node), keeper_routes(node->keeper));
    node->hub = hub_create(&definition);
    check(node->hub != NULL && ends_start(node->ends, node->hub) &&
              keeper_start(node->keeper, node->hub),
          "out of memory");
    keeper_await_routes(node->keeper);
    if (node->role == NODE_SIM) {
        make_room(node);
    }
}

static void stop_node(struct node *node)
{
    takeovers += atomic_load(&node->counts.takeovers);
    handovers += atomic_load(&node->counts.handovers);
    if (node->hub != NULL) {
        keeper_drain(node->keeper, 0);
        ends_stop(node->ends);
        hub_stop(node->hub);
        witness_kill(group_of(node));
        ends_leave(node->ends);
        hub_destroy(node->hub);
        keeper_stop(node->keeper);
    }
    broker_close(node->broker);
    keeper_destroy(node->keeper);
    ends_destroy(node->ends);
    node->hub = NULL;
    node->keeper = NULL;
    node->ends = NULL;
}

/* Starts the node, and stops it when it is to end. Its viewers have gone before it stops. */
static void operate(void *argument)
{
    struct node *node = argument;

    start_node(node);
    node->state = RUNS;
    while (node->wish == WISH_NONE) {
        uv_sleep(10);
    }
    if (node->wish == WISH_DRAIN && node->hub != NULL) {
        keeper_drain(node->keeper, 20);
    }
    node->state = LEAVES;
    while (node->state != LEFT) {
        uv_sleep(10);
    }
    stop_node(node);
    node->state = ENDED;
}

static void begin_node(struct node *node)
{
    node->state = STARTING;
    node->wish = WISH_NONE;
    threads_set_group(group_of(node));
    check(uv_thread_create(&node->operator, operate, node) == 0, "out of memory");
    threads_set_group(0);
    log_event("starts", node);
}

/* ---- people ---- */

static bool serves(const struct node *node)
{
    return (node->role & NODE_EDGE) != 0 && (node->state == RUNS || node->state == LEAVES) &&
           node->wish != WISH_KILL && node->hub != NULL && !threads_frozen(group_of(node));
}

static void take_replies(struct hub *hub)
{
    struct hub_reply reply;

    while (links_take_reply(hub_links(hub, 0), &reply)) {
        for (uint32_t i = 0; i < VISITORS; i++) {
            if (visitor_take_reply(visitors[i], hub, &reply)) {
                break;
            }
        }
        frame_release(reply.frame);
    }
}

static void serve(struct hub *hub)
{
    struct room_view *view;

    take_replies(hub);
    while ((view = links_take_view(hub_links(hub, 0))) != NULL) {
        take_replies(hub);
        for (uint32_t i = 0; i < VISITORS; i++) {
            visitor_take_view(visitors[i], hub, view);
        }
        view_release(view);
    }
}

/* The visitors of the node leave; NULL: all visitors. */
static void send_away(const struct node *node)
{
    for (uint32_t i = 0; i < VISITORS; i++) {
        if (node == NULL || visitor_is_at(visitors[i], node->hub)) {
            visitor_go(visitors[i]);
        }
    }
}

static void bring(uint32_t index)
{
    const struct node *node = &nodes[2 + chance_below(2)];
    struct link_room room;

    if (threads_now() < come_at[index]) {
        return;
    }
    come_at[index] = threads_now() + chance_time(AWAY_TIME);
    if (serves(node) && node->state == RUNS &&
        links_find(hub_links(node->hub, 0), visitor_code(visitors[index]), &room)) {
        visitor_come(visitors[index], node->hub);
    }
}

static void act_all(void)
{
    for (uint32_t i = 0; i < BUS_NODES; i++) {
        if (serves(&nodes[i])) {
            serve(nodes[i].hub);
        }
    }
    for (uint32_t i = 0; i < VISITORS; i++) {
        if (visitors[i] == NULL && i % ROOMS < place_count) {
            const struct place *place = &places[i % ROOMS];
            visitors[i] = visitor_create(place->code, i < ROOMS ? place->key : "");
        } else if (visitors[i] != NULL && visitor_is_away(visitors[i])) {
            bring(i);
        } else if (visitors[i] != NULL) {
            visitor_act(visitors[i]);
        }
    }
}

/* Nodes that have ended are joined; nodes whose viewers may go lose them. */
static void look_at_nodes(bool restart)
{
    for (uint32_t i = 0; i < BUS_NODES; i++) {
        struct node *node = &nodes[i];
        if (node->state == LEAVES) {
            send_away(node);
            node->state = LEFT;
        } else if (node->state == ENDED) {
            uv_thread_join(&node->operator);
            node->state = ABSENT;
        } else if (node->state == ABSENT && (restart || chance(10))) {
            begin_node(node);
        }
    }
}

/* ---- faults ---- */

static void kill_node(struct node *node)
{
    if (node->state == RUNS) {
        log_event("is killed", node);
        bus_kill(node->number);
        witness_kill(group_of(node));
        node->wish = WISH_KILL;
        send_away(node);
    }
}

static void part_two(void)
{
    const uint32_t a = (uint32_t)chance_below(BUS_NODES);
    const uint32_t b = (a + 1 + (uint32_t)chance_below(BUS_NODES - 1)) % BUS_NODES;

    log_event("is parted from …", &nodes[a]);
    log_event("…", &nodes[b]);
    bus_part(a, b, threads_now() + PARTED);
}

static void begin_fault(void)
{
    struct node *node = &nodes[chance_below(BUS_NODES)];
    const uint64_t now = threads_now();

    switch (chance_below(7)) {
    case 0:
    case 1:
        kill_node(node);
        break;
    case 2:
        log_event("stands still", node);
        threads_freeze(group_of(node), now + chance_below(8 * S));
        break;
    case 3:
        log_event("is cut off for 5 s", node);
        bus_cut(node->number, now + PARTED);
        break;
    case 4:
        node->wish = node->state == RUNS ? WISH_DRAIN : node->wish;
        log_event("is to end", node);
        break;
    case 5:
        log_event("a bucket has no leader", NULL);
        bus_halt((enum broker_bucket)chance_below(BROKER_BUCKETS), now + 6 * S);
        break;
    default:
        part_two();
        break;
    }
}

/* ---- life ---- */

static void begin(uint64_t seed, enum fault fault)
{
    static const enum node_role roles[BUS_NODES] = {NODE_SIM, NODE_SIM, NODE_BOTH, NODE_EDGE};

    threads_begin(seed);
    check_begin(seed, fault);
    shares_begin(false);
    witness_begin();
    bus_begin(fault);
    place_count = 1;
    places[0] = (struct place){.code = ROOM_LOBBY, .key = "lobby-key"};
    for (uint32_t i = 0; i < BUS_NODES; i++) {
        nodes[i] = (struct node){.number = i, .role = roles[i]};
        (void)snprintf(nodes[i].name, sizeof nodes[i].name, "node%u", i);
        begin_node(&nodes[i]);
    }
    memset(visitors, 0, sizeof visitors);
    memset(come_at, 0, sizeof come_at);
}

static void calm(void)
{
    bus_calm();
    for (uint32_t i = 0; i < BUS_NODES; i++) {
        threads_freeze(group_of(&nodes[i]), 0);
    }
    log_event("all faults end", NULL);
}

/* When all faults have ended, all rooms go on, and all visitors see them. */
static void check_end_of_life(void)
{
    for (uint32_t i = 0; i < VISITORS; i++) {
        check(visitors[i] == NULL || threads_now() < visitor_seen_at(visitors[i]) + FRESH,
              "a visitor of %s sees nothing for %.1f s, long after all faults",
              visitor_code(visitors[i]),
              (double)(threads_now() - visitor_seen_at(visitors[i])) / 1e9);
    }
    for (uint32_t i = 0; i < place_count; i++) {
        check(witness_ticks(places[i].code, FRESH), "room %s stands still after all faults",
              places[i].code);
    }
}

static bool is_woken(void)
{
    return woken;
}

static void end(void)
{
    bool ended = false;

    send_away(NULL);
    for (uint32_t i = 0; i < BUS_NODES; i++) {
        nodes[i].wish = WISH_KILL;
    }
    while (!ended) {
        threads_run(threads_now() + STEP, is_woken);
        woken = false;
        ended = true;
        for (uint32_t i = 0; i < BUS_NODES; i++) {
            nodes[i].state = nodes[i].state == LEAVES ? LEFT : nodes[i].state;
            ended = ended && nodes[i].state == ENDED;
        }
    }
    for (uint32_t i = 0; i < BUS_NODES; i++) {
        uv_thread_join(&nodes[i].operator);
    }
    for (uint32_t i = 0; i < VISITORS; i++) {
        visitor_destroy(visitors[i]);
    }
    bus_end();
    witness_end();
    check_end();
}

void cluster_live(uint64_t seed, enum fault fault, bool tells)
{
    uint64_t fault_at;
    bool is_calm = false;

    verbose = tells;
    begin(seed, fault);
    fault_at = 5 * S + chance_time(FAULT_TIME);
    while (threads_now() < LIFE) {
        threads_run(threads_now() + STEP, is_woken);
        woken = false;
        act_all();
        look_at_nodes(is_calm);
        if (!is_calm && threads_now() >= QUIET) {
            calm();
            is_calm = true;
        } else if (!is_calm && threads_now() >= fault_at) {
            begin_fault();
            fault_at = threads_now() + chance_time(FAULT_TIME) + 1;
        }
    }
    check_end_of_life();
    end();
}
