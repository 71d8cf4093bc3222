/* For tests: a life of a cluster in simulated time, from a seed. Nodes with their leases and routes
 * (the real ones), a broker with two buckets, two edges that watch rooms. Messages and answers are
 * delayed and lost; nodes are killed, frozen, cut off and drained; a bucket has no leader for
 * seconds. A planted fault must break one of the promises that check_promises() and its callers
 * look at. */
#ifndef CLUSTER_LIFE_H
#define CLUSTER_LIFE_H

#include "cluster_world.h"

/* ---- a node ---- */

static inline bool stands(const struct cluster_life *life, const struct sim_node *node)
{
    return node->alive && life->now >= node->frozen_until && lease_stands(&node->lease, life->now);
}

static inline void start_op(struct cluster_life *life, struct sim_node *node, struct op op)
{
    struct sim_event event = {.kind = EVENT_EXECUTE, .node = op.node, .life = op.life};

    op.id = node->waits_for = ++life->ops;
    event.op = op;
    if (life_random(life, 100) > 0) {
        const uint64_t at = life->now + some_delay(life);
        node->arrives_at = at > node->arrives_at ? at : node->arrives_at;
        push_event(life, event, node->arrives_at - life->now);
    }
    event.kind = EVENT_TIMEOUT;
    push_event(life, event, PATIENCE);
}

static inline struct op op_of(struct cluster_life *life, const struct sim_node *node,
                              enum op_kind kind, enum sim_bucket bucket, uint32_t key)
{
    return (struct op){.node = (uint32_t)(node - life->nodes),
                       .life = node->life,
                       .kind = kind,
                       .bucket = bucket,
                       .key = key};
}

static inline void start_lease(struct cluster_life *life, struct sim_node *node,
                               const struct lease_step *step)
{
    struct op op = op_of(life, node, OP_LEASE, SIM_NODES, node_of_name(step->node));

    op.sets = step->ask == LEASE_SET;
    op.revision = step->revision;
    op.lease = step->value;
    op.step = *step;
    start_op(life, node, op);
}

/* Sets a room's key to that owner. */
static inline void start_route(struct cluster_life *life, struct sim_node *node, enum op_kind kind,
                               uint32_t room, uint64_t revision, const char *owner,
                               uint64_t incarnation)
{
    struct op op = op_of(life, node, kind, SIM_ROOMS, room);

    op.sets = true;
    op.revision = revision;
    snprintf(op.route.owner, sizeof op.route.owner, "%s", owner);
    op.route.incarnation = incarnation;
    start_op(life, node, op);
}

static inline void run_room(struct cluster_life *life, struct sim_node *node, const char *code)
{
    const uint64_t epoch = routes_won(node->routes, code);
    uint64_t *owner = &life->owner_of[epoch % EPOCHS];

    if (*owner != 0 && *owner != node->lease.value.incarnation) {
        life_break(life, "two nodes ran %s in epoch %llu", code, (unsigned long long)epoch);
    }
    *owner = node->lease.value.incarnation;
    (void)routes_set_here(node->routes, code, ROUTES_RUNS);
}

static inline void do_step(struct cluster_life *life, struct sim_node *node,
                           const struct routes_step *step)
{
    const uint32_t room = room_of_code(step->route.code);
    struct sim_event loaded = {
        .kind = EVENT_LOADED, .node = (uint32_t)(node - life->nodes), .life = node->life};

    if (step->ask == ROUTES_DROP) {
        (void)routes_set_here(node->routes, step->route.code, ROUTES_AWAY);
    } else if (!stands(life, node)) {
        return;
    } else if (step->ask == ROUTES_CLAIM) {
        start_route(life, node, OP_ROUTE, room, step->route.epoch, node->name,
                    node->lease.value.incarnation);
    } else if (step->ask == ROUTES_LOOK) {
        struct op op = op_of(life, node, OP_LOOK, SIM_NODES, node_of_name(step->route.owner));
        op.about = step->route;
        start_op(life, node, op);
    } else if (step->ask == ROUTES_LOAD) {
        (void)routes_set_here(node->routes, step->route.code, ROUTES_MAKING);
        loaded.key = room;
        push_event(life, loaded, life_random(life, 50 * MS));
    }
}

static inline void send_beat(struct cluster_life *life, struct sim_node *node)
{
    struct sim_event event = {.kind = EVENT_BEAT};

    node->beat_at = life->now + LEASE_PERIOD;
    event.beat = (struct node_beat){.incarnation = node->lease.value.incarnation,
                                    .revision = stands(life, node) ? node->lease.revision : 0,
                                    .role = NODE_SIM,
                                    .draining = node->draining,
                                    .rooms_max = ROOMS + 1};
    memcpy(event.beat.name, node->name, sizeof node->name);
    (void)routes_take_beat(node->routes, &event.beat, life->now);
    for (uint32_t to = 0; to < NODES && !is_cut(life, node); to++) {
        event.node = to;
        if (life_random(life, 50) > 0 && &life->nodes[to] != node) {
            push_event(life, event, some_delay(life));
        }
    }
}

/* Sends a frame of each room that ticks to both edges. */
static inline void send_frames(struct cluster_life *life, struct sim_node *node)
{
    node->frame_at = life->now + 100 * MS;
    for (uint32_t room = 0; room < ROOMS && stands(life, node) && !is_cut(life, node); room++) {
        struct sim_event event = {.kind = EVENT_FRAME, .key = room};
        char code[PROTO_ROOM_MAX + 1];
        room_code(room, code);
        if (routes_here(node->routes, code) == ROUTES_RUNS) {
            event.epoch = routes_won(node->routes, code);
            for (event.edge = 0; event.edge < EDGES; event.edge++) {
                push_event(life, event, some_delay(life));
            }
        }
    }
}

/* A node that ends gives one room after the other away, and then its lease. Returns false if it
 * waits for nothing. */
static inline bool drain_node(struct cluster_life *life, struct sim_node *node)
{
    struct routes_node heir;
    struct route route;

    if (!stands(life, node)) {
        return false;
    }
    if (routes_next_mine(node->routes, &route) &&
        routes_heir(node->routes, route.code, life->now, &heir)) {
        (void)routes_set_here(node->routes, route.code, ROUTES_GIVING);
        start_route(life, node, OP_GIVE, room_of_code(route.code), route.epoch, heir.beat.name,
                    heir.beat.incarnation);
        return true;
    }
    lease_give_up(&node->lease);
    return false;
}

static inline void take_turn(struct cluster_life *life, struct sim_node *node)
{
    struct lease_step step;

    if (life->now >= node->beat_at) {
        send_beat(life, node);
    }
    if (life->now >= node->frame_at) {
        send_frames(life, node);
    }
    if (node->waits_for != 0) {
        return;
    }
    lease_next(&node->lease, life->now, &step);
    if (step.ask != LEASE_WAIT) {
        start_lease(life, node, &step);
    } else if (node->draining && drain_node(life, node)) {
        return;
    } else if (node->step_at < node->step_count) {
        do_step(life, node, &node->steps[node->step_at++]);
    } else if (life->now >= node->plan_at) {
        node->plan_at = life->now + 20 * MS;
        node->step_at = 0;
        node->step_count = routes_plan(node->routes, &node->lease, life->now, 0, node->steps);
        if (node->step_count == 0 || node->steps[0].ask != ROUTES_DROP) {
            lease_dropped(&node->lease);
        }
    }
}

static inline void take_room_key(struct cluster_life *life, struct sim_node *node, uint32_t room,
                                 const struct route_value *value, uint64_t revision)
{
    char code[PROTO_ROOM_MAX + 1];
    struct route route;

    (void)life;
    room_code(room, code);
    (void)routes_take_key(node->routes, code, value, revision, &route);
}

static inline void take_lease_answer(struct cluster_life *life, struct sim_node *node,
                                     const struct op *op)
{
    lease_answered(&node->lease, &op->step, op->result, op->revision, &op->lease, life->now);
    routes_begin(node->routes, node->lease.held ? node->lease.value.incarnation : 0);
    if (node->lease.state == LEASE_GIVEN && op->key == op->node) {
        node->alive = false; /* it has ended */
    }
}

/* A room's key was set, or not, or read after that. */
static inline void take_route_answer(struct cluster_life *life, struct sim_node *node,
                                     const struct op *op)
{
    char code[PROTO_ROOM_MAX + 1];
    struct route route;
    struct op read = op_of(life, node, OP_READ, SIM_ROOMS, op->key);

    room_code(op->key, code);
    if (op->result == BROKER_OK) {
        take_room_key(life, node, op->key, &op->route, op->revision);
    } else if (op->sets || op->result != BROKER_NONE) {
        start_op(life, node, read); /* its present value */
        return;
    }
    if (routes_here(node->routes, code) == ROUTES_RUNS ||
        routes_here(node->routes, code) == ROUTES_AWAY) {
        life->takeovers += op->kind == OP_ROUTE && op->result == BROKER_OK;
        return;
    }
    if (routes_find(node->routes, code, &route) && route.mine) {
        run_room(life, node, code);
    } else {
        (void)routes_set_here(node->routes, code, ROUTES_AWAY);
    }
}

static inline void take_answer(struct cluster_life *life, struct sim_node *node,
                               const struct op *op)
{
    if (node->waits_for != op->id) {
        return; /* it came too late */
    }
    node->waits_for = 0;
    if (op->kind == OP_LEASE) {
        take_lease_answer(life, node, op);
    } else if (op->kind == OP_LOOK) {
        if (op->result == BROKER_OK || op->result == BROKER_NONE) {
            lease_look(&node->lease, op->about.owner, op->about.incarnation, op->result, &op->lease,
                       op->revision);
        }
    } else {
        take_route_answer(life, node, op);
    }
    take_turn(life, node);
}

/* Takes what the watches have not seen. */
static inline void take_watches(struct cluster_life *life, struct sim_node *node)
{
    if (is_cut(life, node) || life->now < node->still_until) {
        return;
    }
    for (uint32_t bucket = 0; bucket < 2; bucket++) {
        for (uint32_t key = 0; key < (bucket == SIM_NODES ? NODES : ROOMS); key++) {
            const struct sim_key *at = &life->keys[bucket][key];
            if (at->revision <= node->seen[bucket] || at->deleted) {
                continue;
            }
            if (bucket == SIM_NODES) {
                lease_take_key(&node->lease, life->nodes[key].name, &at->lease, at->revision);
            } else {
                take_room_key(life, node, key, &at->route, at->revision);
            }
        }
        node->seen[bucket] = life->revisions[bucket];
    }
}

static inline uint64_t random_incarnation(void *argument)
{
    return 1 + life_random(argument, UINT64_MAX - 1);
}

static inline void start_node(struct cluster_life *life, struct sim_node *node)
{
    const struct sim_event turn = {
        .kind = EVENT_TURN, .node = (uint32_t)(node - life->nodes), .life = node->life + 1};

    lease_finish(&node->lease);
    routes_destroy(node->routes);
    *node = (struct sim_node){.life = node->life + 1, .alive = true};
    snprintf(node->name, sizeof node->name, "node%u", turn.node);
    node->routes = routes_create(node->name);
    lease_init(&node->lease, node->name, NODE_SIM, 1, random_incarnation, life);
    push_event(life, turn, life_random(life, TURN));
}

/* ---- faults ---- */

static inline void begin_fault(struct cluster_life *life)
{
    struct sim_node *node = &life->nodes[life_random(life, NODES)];
    const struct sim_event next = {.kind = EVENT_FAULT};

    switch (life_random(life, 7)) {
    case 0: /* it is killed, and started again at the next fault that finds it dead */
        node->alive = false;
        break;
    case 1:
        node->frozen_until = life->now + S + life_random(life, 13 * S);
        break;
    case 2:
        node->cut_until = life->now + S / 2 + life_random(life, 15 * S);
        break;
    case 3:
    case 4:
        life->no_leader_until[life_random(life, 2)] = life->now + 4 * S + life_random(life, 5 * S);
        break;
    case 5:
        node->still_until = life->now + S + life_random(life, 10 * S);
        break;
    default:
        node->draining = true;
        break;
    }
    for (uint32_t i = 0; i < NODES; i++) {
        if (!life->nodes[i].alive && life_random(life, 2) == 0) {
            start_node(life, &life->nodes[i]);
        }
    }
    if (life->now < FAULTS) {
        push_event(life, next, S / 4 + life_random(life, 5 * S));
    }
}

/* ---- promises ---- */

/* Whether the incarnation that won the room in that epoch is not declared dead. */
static inline bool is_not_dead(const struct cluster_life *life, uint32_t node, uint64_t epoch)
{
    const struct sim_key *key = &life->keys[SIM_NODES][node];

    return key->deleted ||
           (!key->lease.dead && key->lease.incarnation == life->owner_of[epoch % EPOCHS]);
}

static inline void check_promises(struct cluster_life *life)
{
    for (uint32_t room = 0; room < ROOMS; room++) {
        const struct sim_key *key = &life->keys[SIM_ROOMS][room];
        char code[PROTO_ROOM_MAX + 1];
        uint32_t owners = 0;
        room_code(room, code);
        for (uint32_t i = 0; i < NODES; i++) {
            struct sim_node *node = &life->nodes[i];
            const bool runs = node->alive && routes_here(node->routes, code) == ROUTES_RUNS;
            const uint64_t won = routes_won(node->routes, code);
            owners += runs && is_not_dead(life, i, won);
            if (runs && stands(life, node) && won < key->revision &&
                life->now - key->changed_at > LEASE_STAND + S) {
                life_break(life, "%s still runs %s, which another node has", node->name, code);
            }
        }
        if (owners > 1) {
            life_break(life, "%u nodes that are not dead own %s", owners, code);
        }
    }
}

/* An edge shows a frame unless it has shown a higher epoch. */
static inline void take_frame(struct cluster_life *life, const struct sim_event *event)
{
    uint64_t *shown = &life->shown[event->edge][event->key];

    if (event->epoch < *shown && life->planted != PLANTED_BLIND_EDGE) {
        life->dropped_frames++;
    } else if (event->epoch < *shown) {
        life_break(life, "an edge shows room %u of epoch %llu after %llu", event->key,
                   (unsigned long long)event->epoch, (unsigned long long)*shown);
    } else {
        *shown = event->epoch;
    }
}

/* After all faults, each room ticks on one node. */
static inline void check_end(struct cluster_life *life)
{
    for (uint32_t room = 0; room < ROOMS; room++) {
        char code[PROTO_ROOM_MAX + 1];
        uint32_t running = 0;
        room_code(room, code);
        for (uint32_t i = 0; i < NODES; i++) {
            struct sim_node *node = &life->nodes[i];
            running += stands(life, node) && routes_here(node->routes, code) == ROUTES_RUNS &&
                       routes_won(node->routes, code) == life->keys[SIM_ROOMS][room].revision;
        }
        if (running != 1 && life->keys[SIM_ROOMS][room].revision != 0) {
            life_break(life, "%u nodes run %s at the end", running, code);
        }
    }
}

/* ---- a life ---- */

static inline void handle_turn(struct cluster_life *life, struct sim_node *node,
                               const struct sim_event *event)
{
    if (life->now < node->frozen_until) {
        push_event(life, *event, node->frozen_until - life->now);
        return;
    }
    take_watches(life, node);
    take_turn(life, node);
    push_event(life, *event, TURN);
}

static inline void handle_event(struct cluster_life *life, struct sim_event *event)
{
    struct sim_node *node = &life->nodes[event->node];
    const bool frozen = life->now < node->frozen_until;
    char code[PROTO_ROOM_MAX + 1];

    if (event->kind == EVENT_EXECUTE) {
        execute_op(life, &event->op);
    } else if (event->kind == EVENT_FRAME) {
        take_frame(life, event);
    } else if (event->kind == EVENT_FAULT) {
        begin_fault(life);
    } else if (event->kind == EVENT_BEAT) {
        if (node->alive && !frozen && !is_cut(life, node)) {
            (void)routes_take_beat(node->routes, &event->beat, life->now);
            lease_take_beat(&node->lease, &event->beat);
        }
    } else if (!node->alive || node->life != event->life) {
        return;
    } else if (event->kind == EVENT_TURN) {
        handle_turn(life, node, event);
    } else if (frozen) {
        push_event(life, *event, node->frozen_until - life->now);
    } else if (event->kind == EVENT_ANSWER && !is_cut(life, node)) {
        take_answer(life, node, &event->op);
    } else if (event->kind == EVENT_TIMEOUT) {
        event->op.result = BROKER_UNKNOWN;
        event->op.revision = event->op.step.revision;
        take_answer(life, node, &event->op);
    } else if (event->kind == EVENT_LOADED) {
        room_code(event->key, code);
        run_room(life, node, code);
    }
}

/* Lets a node that owns nothing else claim the code of a new room. */
static inline void make_rooms(struct cluster_life *life, uint32_t *made)
{
    struct sim_node *node = &life->nodes[*made % NODES];
    char code[PROTO_ROOM_MAX + 1];

    if (*made < ROOMS && stands(life, node) && node->waits_for == 0) {
        room_code(*made, code);
        (void)routes_set_here(node->routes, code, ROUTES_MAKING);
        start_route(life, node, OP_MAKE, *made, 0, node->name, node->lease.value.incarnation);
        (*made)++;
    }
}

/* Runs a life. Returns false if a promise was broken: life->broken says which. */
static inline bool run_life(struct cluster_life *life, uint64_t seed, enum planted planted)
{
    const struct sim_event fault = {.kind = EVENT_FAULT};
    uint64_t checked_at = 0;
    uint32_t made = 0;

    *life = (struct cluster_life){.planted = planted, .random = seed * 7919};
    for (uint32_t i = 0; i < NODES; i++) {
        start_node(life, &life->nodes[i]);
    }
    push_event(life, fault, 4 * S + life_random(life, 5 * S));
    while (life->now < LIFE && life->broken[0] == '\0') {
        struct sim_event event = pop_event(life);
        life->now = event.at;
        handle_event(life, &event);
        make_rooms(life, &made);
        if (life->now >= checked_at + TURN) {
            checked_at = life->now;
            check_promises(life);
        }
        for (uint32_t i = 0; life->now >= QUIET && i < NODES; i++) {
            if (!life->nodes[i].alive) {
                start_node(life, &life->nodes[i]);
            }
        }
    }
    if (life->broken[0] == '\0') {
        check_end(life);
    }
    for (uint32_t i = 0; i < NODES; i++) {
        lease_finish(&life->nodes[i].lease);
        routes_destroy(life->nodes[i].routes);
    }
    free(life->events);
    return life->broken[0] == '\0';
}

#endif
