/* For tests: the world of cluster_life.h: simulated time, its events, and a broker with two buckets
 * that delays, loses and stands still. */
#ifndef CLUSTER_WORLD_H
#define CLUSTER_WORLD_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/lease.h"
#include "cluster/routes.h"

#define NODES    4u
#define ROOMS    12u
#define EDGES    2u
#define MS       UINT64_C(1000)
#define S        UINT64_C(1000000)
#define FAULTS   (45 * S) /* new faults begin until then */
#define QUIET    (62 * S) /* all of them have ended */
#define LIFE     (74 * S)
#define TURN     (10 * MS)
#define PATIENCE (400 * MS)
#define EPOCHS   4096u
#define TTL      (2 * S)

enum planted { PLANTED_NONE, PLANTED_BLIND_EDGE, PLANTED_NO_COMPARE, PLANTED_TTL };

enum sim_bucket { SIM_NODES, SIM_ROOMS };
enum op_kind { OP_LEASE, OP_LOOK, OP_ROUTE, OP_READ, OP_MAKE, OP_GIVE };

/* A call of the broker, on its way there and back. */
struct op {
    uint64_t id;
    uint32_t node, life;
    enum op_kind kind;
    enum sim_bucket bucket;
    uint32_t key;
    bool sets;
    uint64_t revision;
    struct node_lease lease;
    struct route_value route;
    struct lease_step step;
    struct route about;
    enum broker_result result;
};

enum event_kind {
    EVENT_TURN,
    EVENT_EXECUTE,
    EVENT_ANSWER,
    EVENT_TIMEOUT,
    EVENT_BEAT,
    EVENT_WATCH,
    EVENT_LOADED,
    EVENT_FRAME,
    EVENT_FAULT
};

struct sim_event {
    uint64_t at, order;
    enum event_kind kind;
    uint32_t node, life, key, edge;
    uint64_t epoch;
    union {
        struct op op;
        struct node_beat beat;
    };
};

struct sim_key {
    uint64_t revision, changed_at;
    struct node_lease lease;
    struct route_value route;
    bool deleted;
};

struct sim_node {
    char name[NODE_NAME_MAX + 1];
    uint32_t life; /* of its process: changes with a kill */
    bool alive, draining;
    uint64_t frozen_until, cut_until, still_until;
    struct lease lease;
    struct routes *routes;
    uint64_t waits_for;  /* id of the call; 0: none */
    uint64_t arrives_at; /* its last call: one connection keeps their order */
    struct routes_step steps[ROUTES_AT_ONCE];
    uint32_t step_count, step_at;
    uint64_t beat_at, plan_at, frame_at;
    uint64_t seen[2]; /* revisions that its watches have taken */
};

struct cluster_life {
    enum planted planted;
    uint64_t now, random, orders, ops;
    struct sim_event *events; /* a heap */
    size_t event_count, event_capacity;
    struct sim_key keys[2][ROOMS];
    uint64_t revisions[2];
    uint64_t no_leader_until[2];
    struct sim_node nodes[NODES];
    uint64_t shown[EDGES][ROOMS]; /* the highest epoch that an edge has shown */
    uint64_t owner_of[EPOCHS];    /* the incarnation that ran a room in that epoch */
    uint64_t takeovers, declared, dropped_frames;
    char broken[160]; /* the promise that was broken; "": none */
};

static inline uint64_t life_random(struct cluster_life *life, uint64_t below)
{
    uint64_t z = (life->random += UINT64_C(0x9E3779B97F4A7C15));

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (z ^ (z >> 31)) % below;
}

static inline __attribute__((format(printf, 2, 3))) void life_break(struct cluster_life *life,
                                                                    const char *format, ...)
{
    va_list arguments;

    if (life->broken[0] == '\0') {
        int used =
            snprintf(life->broken, sizeof life->broken, "after %.2f s: ", (double)life->now / 1e6);
        va_start(arguments, format);
        vsnprintf(life->broken + used, sizeof life->broken - (size_t)used, format, arguments);
        va_end(arguments);
    }
}

/* ---- events ---- */

static inline bool is_before(const struct sim_event *a, const struct sim_event *b)
{
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}

static inline void push_event(struct cluster_life *life, struct sim_event event, uint64_t delay)
{
    size_t i = life->event_count;

    if (life->event_count == life->event_capacity) {
        life->event_capacity = life->event_capacity > 0 ? life->event_capacity * 2 : 256;
        life->events = realloc(life->events, life->event_capacity * sizeof *life->events);
    }
    event.at = life->now + delay;
    event.order = ++life->orders;
    life->event_count++;
    for (; i > 0 && is_before(&event, &life->events[(i - 1) / 2]); i = (i - 1) / 2) {
        life->events[i] = life->events[(i - 1) / 2];
    }
    life->events[i] = event;
}

static inline struct sim_event pop_event(struct cluster_life *life)
{
    const struct sim_event first = life->events[0];
    const struct sim_event last = life->events[--life->event_count];
    size_t i = 0;

    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= life->event_count) {
            break;
        }
        if (child + 1 < life->event_count &&
            is_before(&life->events[child + 1], &life->events[child])) {
            child++;
        }
        if (!is_before(&life->events[child], &last)) {
            break;
        }
        life->events[i] = life->events[child];
        i = child;
    }
    life->events[i] = last;
    return first;
}

/* Most messages take a few ms; one of a hundred up to 1.5 s. */
static inline uint64_t some_delay(struct cluster_life *life)
{
    return life_random(life, 100) == 0 ? life_random(life, 1500 * MS)
                                       : 200 + life_random(life, 20 * MS);
}

static inline void room_code(uint32_t room, char code[PROTO_ROOM_MAX + 1])
{
    snprintf(code, PROTO_ROOM_MAX + 1, "ROOM%02u", room);
}

static inline uint32_t room_of_code(const char *code)
{
    return (uint32_t)strtoul(code + 4, NULL, 10);
}

static inline uint32_t node_of_name(const char *name)
{
    return (uint32_t)(name[4] - '0');
}

/* ---- the broker ---- */

static inline bool is_cut(const struct cluster_life *life, const struct sim_node *node)
{
    return life->now < node->cut_until;
}

/* With PLANTED_TTL, a lease that was not renewed for 2 s is deleted. */
static inline void let_expire(struct cluster_life *life, struct sim_key *key)
{
    if (life->planted == PLANTED_TTL && key->revision != 0 && !key->deleted && !key->lease.dead &&
        life->now - key->changed_at > TTL) {
        key->deleted = true;
        key->revision = ++life->revisions[SIM_NODES];
        key->changed_at = life->now;
    }
}

static inline void note_set(struct cluster_life *life, const struct op *op, struct sim_key *key)
{
    const bool of_other = op->bucket == SIM_NODES && op->key != op->node;

    if (of_other && key->revision != op->revision) {
        life_break(life, "%s was declared dead though it had renewed", life->nodes[op->key].name);
    }
    life->declared += of_other;
    key->revision = ++life->revisions[op->bucket];
    key->changed_at = life->now;
    key->deleted = false;
    key->lease = op->lease;
    key->route = op->route;
}

static inline void execute_op(struct cluster_life *life, struct op *op)
{
    struct sim_key *key = &life->keys[op->bucket][op->key];
    const bool compares = op->bucket != SIM_NODES || life->planted != PLANTED_NO_COMPARE;
    struct sim_event answer = {.kind = EVENT_ANSWER, .node = op->node, .life = op->life};

    if (is_cut(life, &life->nodes[op->node]) || life->now < life->no_leader_until[op->bucket]) {
        return;
    }
    if (op->bucket == SIM_NODES) {
        let_expire(life, key);
    }
    if (op->sets && compares && key->revision != op->revision) {
        op->result = BROKER_CONFLICT;
    } else if (op->sets) {
        note_set(life, op, key);
        op->result = BROKER_OK;
    } else {
        op->result = key->revision == 0 || key->deleted ? BROKER_NONE : BROKER_OK;
        op->lease = key->lease;
        op->route = key->route;
    }
    op->revision = op->result == BROKER_CONFLICT ? op->revision : key->revision;
    answer.op = *op;
    if (life_random(life, 50) > 0) {
        push_event(life, answer, some_delay(life));
    }
}

#endif
