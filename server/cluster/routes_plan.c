/* The choice of the node that makes, takes or continues a room. */
#include <math.h>
#include <string.h>

#include "cluster/routes_parts.h"

#define BUSY         700u /* ‰ of a node's time: above it, it makes no rooms if another is idle, … */
#define IDLE         500u /* … below this */
#define LEAST_WEIGHT 50u  /* ‰ that a busy node counts as free */
#define RANK_TIME    4u   /* own renewals after which the next node in rank may take a room */
#define LOAD_TIME    2u   /* own renewals until a room that could not be loaded is tried again */
#define REST_MORE    60u  /* s after the end of a code's rest until its key is deleted */

/* ---- choosing nodes ---- */

static bool takes_rooms(const struct routes_node *node, uint64_t now)
{
    return (node->beat.role & NODE_SIM) != 0 && !node->beat.draining && node->beat.revision != 0 &&
           node->beat.rooms < node->beat.rooms_max && !routes_node_is_silent(node, now);
}

static uint64_t hash_pair(const char *code, const char *node)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (const char *text = code; *text != '\0'; text++) {
        hash = (hash ^ (uint8_t)*text) * UINT64_C(1099511628211);
    }
    hash = (hash ^ '/') * UINT64_C(1099511628211);
    for (const char *text = node; *text != '\0'; text++) {
        hash = (hash ^ (uint8_t)*text) * UINT64_C(1099511628211);
    }
    hash = (hash ^ (hash >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    hash = (hash ^ (hash >> 27)) * UINT64_C(0x94D049BB133111EB);
    return hash ^ (hash >> 31);
}

/* Returns the node's claim to the room: a weighted rendezvous hash. Each node gets rooms in
 * proportion to its free time, and keeps them when others come and go. */
static double claim_of(const struct routes_node *node, const char *code)
{
    const uint32_t load = node->beat.load;
    const double weight = load + LEAST_WEIGHT < 1000 ? 1000 - load : LEAST_WEIGHT;
    const double part = ((double)(hash_pair(code, node->beat.name) >> 11) + 0.5) * 0x1p-53;

    return weight / -log(part);
}

/* The highest claim: the node of the room's owner has started again, and takes its room itself. */
static double claim_to(const struct routes_node *node, const struct routes_room *room)
{
    return strcmp(node->beat.name, room->value.owner) == 0 ? HUGE_VAL : claim_of(node, room->code);
}

/* Whether that node, another one, takes rooms. */
static bool makes_rooms(const struct routes *routes, const struct routes_node *node, uint64_t now)
{
    return strcmp(node->beat.name, routes->node) != 0 && takes_rooms(node, now);
}

/* Whether the node's release reads what the room's owner has stored: it is not earlier. The owner's
 * release is not known if the node has never heard of it. */
static bool reads_states_of(const struct routes_node *node, const struct routes_node *owner)
{
    return owner == NULL || node->beat.version >= owner->beat.version;
}

bool routes_heir(struct routes *routes, const char *code, uint64_t now, struct routes_node *heir)
{
    const struct routes_node *best = NULL;
    const struct routes_node *own;

    uv_mutex_lock(&routes->lock);
    own = routes_node_find(routes, routes->node);
    for (uint32_t i = 0; i < routes->node_count; i++) {
        const struct routes_node *node = &routes->nodes[i];
        if (makes_rooms(routes, node, now) && reads_states_of(node, own) &&
            (best == NULL || claim_of(node, code) > claim_of(best, code))) {
            best = node;
        }
    }
    if (best != NULL) {
        *heir = *best;
    }
    uv_mutex_unlock(&routes->lock);
    return best != NULL;
}

bool routes_wants(struct routes *routes, const char *code, uint32_t people, uint64_t now,
                  struct routes_node *owner)
{
    const struct routes_room *room;
    const struct routes_node *own;
    bool wants = false;

    uv_mutex_lock(&routes->lock);
    own = routes_node_find(routes, routes->node);
    room = routes_room_find(routes, code);
    if (own != NULL && room != NULL && takes_rooms(own, now) && own->beat.load <= BUSY &&
        room->facts.people <= people && routes_room_owner(routes, room, now, owner)) {
        wants = strcmp(owner->beat.name, routes->node) != 0 && reads_states_of(own, owner);
    }
    uv_mutex_unlock(&routes->lock);
    return wants;
}

bool routes_gives(struct routes *routes, const char *code, const char *node, uint64_t renewals,
                  uint64_t now, const struct lease *lease, struct route *route,
                  struct routes_node *heir)
{
    const struct routes_room *room;
    const struct routes_node *to;
    bool gives;

    uv_mutex_lock(&routes->lock);
    to = routes_node_find(routes, node);
    room = routes_room_find(routes, code);
    gives = to != NULL && room != NULL && routes_room_is_mine(routes, room) &&
            room->here == ROUTES_RUNS && room->runs_since != 0 &&
            lease->renewals + 1 - room->runs_since >= renewals && makes_rooms(routes, to, now) &&
            reads_states_of(to, routes_node_find(routes, routes->node));
    if (gives) {
        routes_room_describe(routes, room, route);
        *heir = *to;
    }
    uv_mutex_unlock(&routes->lock);
    return gives;
}

static uint32_t count_makers(const struct routes *routes, uint64_t now)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < routes->node_count; i++) {
        count += makes_rooms(routes, &routes->nodes[i], now);
    }
    return count;
}

/* Returns the node of that number among the others that take rooms. */
static const struct routes_node *maker_of(const struct routes *routes, uint64_t now,
                                          uint32_t number)
{
    const struct routes_node *node = NULL;

    for (uint32_t i = 0; i < routes->node_count; i++) {
        if (makes_rooms(routes, &routes->nodes[i], now)) {
            node = &routes->nodes[i];
            if (number-- == 0) {
                break;
            }
        }
    }
    return node;
}

/* Returns the node with less load of two drawn ones; NULL: no other node takes rooms. */
static const struct routes_node *draw_maker(const struct routes *routes, uint64_t now,
                                            uint64_t random)
{
    const uint32_t count = count_makers(routes, now);
    const struct routes_node *first;
    const struct routes_node *second;

    if (count == 0) {
        return NULL;
    }
    first = maker_of(routes, now, (uint32_t)(random >> 32) % count);
    second = maker_of(routes, now, (uint32_t)random % count);
    return second->beat.load < first->beat.load ? second : first;
}

static bool is_idle_elsewhere(const struct routes *routes, uint64_t now)
{
    for (uint32_t i = 0; i < routes->node_count; i++) {
        const struct routes_node *node = &routes->nodes[i];
        if (makes_rooms(routes, node, now) && node->beat.load < IDLE) {
            return true;
        }
    }
    return false;
}

enum routes_way routes_maker(struct routes *routes, uint64_t random, uint64_t now,
                             struct routes_node *peer)
{
    enum routes_way way = ROUTES_HERE;
    const struct routes_node *own;
    const struct routes_node *other;

    uv_mutex_lock(&routes->lock);
    own = routes_node_find(routes, routes->node);
    if (own == NULL || !takes_rooms(own, now) ||
        (own->beat.load > BUSY && is_idle_elsewhere(routes, now))) {
        other = draw_maker(routes, now, random);
        way = other != NULL ? ROUTES_THERE : ROUTES_NOBODY;
        if (other != NULL) {
            *peer = *other;
        }
    }
    uv_mutex_unlock(&routes->lock);
    return way;
}

/* ---- plans ---- */

/* The order of steps: the lower, the earlier. */
enum urgency { URGENCY_DROP, URGENCY_LOAD, URGENCY_PEOPLE, URGENCY_OTHERS, URGENCY_NONE };

struct plan {
    struct routes *routes;
    const struct lease *lease;
    uint64_t now, seconds;
    struct routes_room *found[URGENCY_NONE][ROUTES_AT_ONCE];
    enum routes_ask asked[URGENCY_NONE][ROUTES_AT_ONCE];
    uint32_t counts[URGENCY_NONE];
    uint32_t mine; /* rooms that this node owns */
};

static void add_step(struct plan *plan, enum urgency urgency, enum routes_ask ask,
                     struct routes_room *room)
{
    uint32_t *count = &plan->counts[urgency];

    if (*count < ROUTES_AT_ONCE) {
        plan->found[urgency][*count] = room;
        plan->asked[urgency][*count] = ask;
        (*count)++;
    }
}

/* Returns how many nodes have a higher claim to the room than this node. UINT32_MAX: this one
 * cannot take it. The last beat of a dead node may not be old. */
static uint32_t rank_of(const struct plan *plan, const struct routes_room *room)
{
    const struct routes *routes = plan->routes;
    const struct routes_node *own = routes_node_find(routes, routes->node);
    const struct routes_node *owner = routes_node_find(routes, room->value.owner);
    uint32_t rank = 0;

    if (own == NULL || !takes_rooms(own, plan->now) || !reads_states_of(own, owner)) {
        return UINT32_MAX;
    }
    for (uint32_t i = 0; i < routes->node_count; i++) {
        const struct routes_node *node = &routes->nodes[i];
        rank += node != own && takes_rooms(node, plan->now) && reads_states_of(node, owner) &&
                !lease_is_dead(plan->lease, node->beat.name, node->beat.incarnation) &&
                claim_to(node, room) > claim_to(own, room);
    }
    return rank;
}

/* Plans for an ended room: one of the nodes deletes its key. */
static void plan_ended(struct plan *plan, struct routes_room *room)
{
    if (plan->seconds > room->value.until && plan->seconds - room->value.until > REST_MORE &&
        rank_of(plan, room) == 0) {
        add_step(plan, URGENCY_OTHERS, ROUTES_REST, room);
    }
}

/* Plans for a room of another node, which may be dead or unknown. */
static void plan_others(struct plan *plan, struct routes_room *room)
{
    const struct route_value *value = &room->value;
    const uint64_t renewals = plan->lease->renewals;
    const enum urgency urgency = room->facts.people > 0 ? URGENCY_PEOPLE : URGENCY_OTHERS;
    uint32_t rank;

    if (!lease_is_dead(plan->lease, value->owner, value->incarnation)) {
        room->free_since = 0;
        if (lease_knows(plan->lease, value->owner, value->incarnation)) {
            room->strange_since = 0;
        } else if (room->strange_since == 0) {
            room->strange_since = renewals + 1;
        } else if (renewals + 1 - room->strange_since >= LEASE_PATIENCE) {
            room->strange_since = 0;
            add_step(plan, urgency, ROUTES_LOOK, room);
        }
        return;
    }
    if (room->free_since == 0) {
        room->free_since = renewals + 1;
    }
    rank = rank_of(plan, room);
    if (rank != UINT32_MAX && renewals + 1 - room->free_since >= (uint64_t)rank * RANK_TIME) {
        add_step(plan, urgency, ROUTES_CLAIM, room);
    }
}

static void plan_room(struct plan *plan, struct routes_room *room)
{
    const bool mine = routes_room_is_mine(plan->routes, room);

    plan->mine += mine;
    if (room->here != ROUTES_RUNS || !mine) {
        room->runs_since = 0;
    } else if (room->runs_since == 0) {
        room->runs_since = plan->lease->renewals + 1;
    }
    if (room->here == ROUTES_RUNS && !mine) {
        add_step(plan, URGENCY_DROP, ROUTES_DROP, room);
    } else if (room->here != ROUTES_AWAY) {
        return;
    } else if (mine) {
        if (plan->lease->renewals >= room->load_from) {
            add_step(plan, URGENCY_LOAD, ROUTES_LOAD, room);
        }
    } else if (room->value.ended) {
        plan_ended(plan, room);
    } else if (room->epoch != 0) {
        plan_others(plan, room);
    }
}

/* Returns how many more rooms this node may own. */
static uint32_t rooms_left(const struct plan *plan)
{
    const struct routes_node *own = routes_node_find(plan->routes, plan->routes->node);

    return own != NULL && plan->mine < own->beat.rooms_max ? own->beat.rooms_max - plan->mine : 0;
}

/* Stores a step. A room that cannot be loaded is tried again later. */
static void store_step(const struct plan *plan, enum routes_ask ask, struct routes_room *room,
                       struct routes_step *step)
{
    if (ask == ROUTES_LOAD) {
        room->load_from = plan->lease->renewals + LOAD_TIME;
    }
    step->ask = ask;
    routes_room_describe(plan->routes, room, &step->route);
}

/* Stores the steps in the order of their urgency. */
static uint32_t order_steps(const struct plan *plan, struct routes_step *steps)
{
    uint32_t left = rooms_left(plan);
    uint32_t count = 0;

    for (uint32_t urgency = 0; urgency < URGENCY_NONE; urgency++) {
        for (uint32_t i = 0; i < plan->counts[urgency] && count < ROUTES_AT_ONCE; i++) {
            const enum routes_ask ask = plan->asked[urgency][i];
            if (ask == ROUTES_CLAIM && left == 0) {
                continue;
            }
            left -= ask == ROUTES_CLAIM;
            store_step(plan, ask, plan->found[urgency][i], &steps[count++]);
        }
    }
    return count;
}

uint32_t routes_plan(struct routes *routes, const struct lease *lease, uint64_t now,
                     uint64_t seconds, struct routes_step *steps)
{
    struct plan plan = {.routes = routes, .lease = lease, .now = now, .seconds = seconds};
    uint32_t count;

    uv_mutex_lock(&routes->lock);
    for (size_t i = 0; i < routes->room_count; i++) {
        plan_room(&plan, routes->rooms[i]);
    }
    count = order_steps(&plan, steps);
    uv_mutex_unlock(&routes->lock);
    return count;
}
