/* The choice of the node that takes or continues a room. */
#include <math.h>
#include <string.h>

#include "cluster/routes_parts.h"

#define LEAST_WEIGHT 50u /* ‰ that a busy node counts as free */
#define RANK_TIME    4u  /* own renewals after which the next node in rank may take a room */
#define LOAD_TIME    2u  /* own renewals until a room that could not be loaded is tried again */
#define REST_MORE    60u /* s after the end of a code's rest until its key is deleted */

/* ---- choosing nodes ---- */

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

/* Whether the node's release reads what the room's owner has stored: it is not earlier. The owner's
 * release is not known if the node has never heard of it. */
static bool reads_states_of(const struct routes_node *node, const struct routes_node *owner)
{
    return owner == NULL || node->beat.version >= owner->beat.version;
}

/* Whether a room of a node that ends goes to another node before the other room. */
static bool goes_before(const struct routes_room *a, const struct routes_room *b)
{
    const enum routes_kind kind_a = routes_room_kind(a);
    const enum routes_kind kind_b = routes_room_kind(b);

    if (kind_a != kind_b) {
        return kind_a < kind_b;
    }
    if ((a->facts.people > 0) != (b->facts.people > 0)) {
        return a->facts.people > 0;
    }
    if (kind_a == ROUTES_OTHER && a->turn != b->turn) {
        return a->turn < b->turn;
    }
    return a->facts.people > b->facts.people;
}

bool routes_next_mine(struct routes *routes, struct route *route)
{
    const struct routes_room *next = NULL;

    uv_mutex_lock(&routes->lock);
    for (size_t i = 0; i < routes->room_count; i++) {
        const struct routes_room *room = routes->rooms[i];
        if (room->here == ROUTES_RUNS && routes_room_is_mine(routes, room) &&
            (next == NULL || goes_before(room, next))) {
            next = room;
        }
    }
    if (next != NULL) {
        routes_room_describe(routes, next, route);
    }
    uv_mutex_unlock(&routes->lock);
    return next != NULL;
}

/* Whether another living node owns the room, and so a room of this node comes after it. */
static bool is_elsewhere(const void *argument, const struct routes_room *room)
{
    const struct routes *routes = argument;
    const struct routes_node *owner =
        routes_room_lives(room) ? routes_node_find(routes, room->value.owner) : NULL;

    return owner != NULL && owner->beat.incarnation == room->value.incarnation &&
           !routes_node_is_own(routes, owner);
}

void routes_begin_drain(struct routes *routes)
{
    uv_mutex_lock(&routes->lock);
    for (size_t i = 0; i < routes->room_count; i++) {
        struct routes_room *room = routes->rooms[i];
        room->waits = routes_room_is_mine(routes, room) && routes_room_kind(room) == ROUTES_OTHER;
    }
    (void)routes_set_turns(routes, is_elsewhere, routes);
    uv_mutex_unlock(&routes->lock);
}

bool routes_heir(struct routes *routes, const char *code, uint64_t now, struct routes_node *heir)
{
    struct places places[NODES_MAX];
    enum place best = PLACE_NONE;
    const struct routes_room *room;
    const struct routes_node *own;
    enum routes_kind kind;

    uv_mutex_lock(&routes->lock);
    own = routes_node_find(routes, routes->node);
    room = routes_room_find(routes, code);
    kind = room != NULL ? routes_room_kind(room) : ROUTES_OTHER;
    routes_count_places(routes, places);
    for (uint32_t i = 0; i < routes->node_count; i++) {
        const struct routes_node *node = &routes->nodes[i];
        const enum place place = places_for(&places[i], kind);
        if (!routes_node_is_own(routes, node) && routes_node_runs_rooms(node, now) &&
            reads_states_of(node, own) &&
            (place > best || (place == best && best != PLACE_NONE &&
                              claim_of(node, code) > claim_of(heir, code)))) {
            best = place;
            *heir = *node;
        }
    }
    uv_mutex_unlock(&routes->lock);
    return best != PLACE_NONE;
}

/* Whether the node has a free place for the room. */
static bool has_free_place(const struct routes *routes, const struct routes_node *node,
                           const struct routes_room *room)
{
    struct places places[NODES_MAX];

    routes_count_places(routes, places);
    return places_for(&places[node - routes->nodes], routes_room_kind(room)) == PLACE_FREE;
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
    if (own != NULL && room != NULL && routes_node_runs_rooms(own, now) &&
        own->beat.load <= ROUTES_BUSY && room->facts.people <= people &&
        routes_room_owner(routes, room, now, owner)) {
        wants = strcmp(owner->beat.name, routes->node) != 0 && reads_states_of(own, owner) &&
                has_free_place(routes, own, room);
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
            lease->renewals + 1 - room->runs_since >= renewals && !routes_node_is_own(routes, to) &&
            routes_node_runs_rooms(to, now) &&
            reads_states_of(to, routes_node_find(routes, routes->node)) &&
            has_free_place(routes, to, room);
    if (gives) {
        routes_room_describe(routes, room, route);
        *heir = *to;
    }
    uv_mutex_unlock(&routes->lock);
    return gives;
}

/* ---- plans ---- */

/* The order of steps: the lower, the earlier. Between URGENCY_LOAD and URGENCY_OTHERS, untrusted
 * rooms are claimed, by turns. */
enum urgency {
    URGENCY_DROP,
    URGENCY_LOBBY,
    URGENCY_LOAD_TRUSTED,
    URGENCY_TRUSTED_PEOPLE,
    URGENCY_TRUSTED,
    URGENCY_LOAD,
    URGENCY_OTHERS,
    URGENCY_NONE
};

struct plan {
    struct routes *routes;
    const struct lease *lease;
    uint64_t now, seconds;
    struct routes_room *found[URGENCY_NONE][ROUTES_AT_ONCE];
    enum routes_ask asked[URGENCY_NONE][ROUTES_AT_ONCE];
    uint32_t counts[URGENCY_NONE];
    const struct routes_node *own; /* this node; NULL: it has not told a beat */
    bool counted;                  /* `places` is filled in */
    struct places places[NODES_MAX];
    bool waiting; /* untrusted rooms wait to be claimed */
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

static struct places *places_of(struct plan *plan, const struct routes_node *node)
{
    if (!plan->counted) {
        routes_count_places(plan->routes, plan->places);
        plan->counted = true;
    }
    return &plan->places[node - plan->routes->nodes];
}

/* Whether this node may take a room of that owner at all. The last beat of a dead node may not be
 * old. */
static bool may_take(const struct plan *plan, const struct routes_room *room)
{
    return plan->own != NULL && routes_node_runs_rooms(plan->own, plan->now) &&
           reads_states_of(plan->own, routes_node_find(plan->routes, room->value.owner));
}

/* Returns how many nodes come before this node for the room: they have a better place, or as good a
 * one and a higher claim. This node may take it, and has a place. */
static uint32_t rank_of(struct plan *plan, const struct routes_room *room)
{
    const struct routes *routes = plan->routes;
    const struct routes_node *own = plan->own;
    const struct routes_node *owner = routes_node_find(routes, room->value.owner);
    const enum routes_kind kind = routes_room_kind(room);
    const enum place place = places_for(places_of(plan, own), kind);
    uint32_t rank = 0;

    for (uint32_t i = 0; i < routes->node_count; i++) {
        const struct routes_node *node = &routes->nodes[i];
        const enum place other = places_for(places_of(plan, node), kind);
        rank += node != own && routes_node_runs_rooms(node, plan->now) &&
                reads_states_of(node, owner) &&
                !lease_is_dead(plan->lease, node->beat.name, node->beat.incarnation) &&
                (other > place || (other == place && claim_to(node, room) > claim_to(own, room)));
    }
    return rank;
}

/* Whether this node has the highest claim to the code of an ended room. */
static bool is_first(const struct plan *plan, const struct routes_room *room)
{
    const struct routes *routes = plan->routes;
    const struct routes_node *own = plan->own;
    bool first = own != NULL && routes_node_runs_rooms(own, plan->now);

    for (uint32_t i = 0; first && i < routes->node_count; i++) {
        const struct routes_node *node = &routes->nodes[i];
        first = node == own || !routes_node_runs_rooms(node, plan->now) ||
                lease_is_dead(plan->lease, node->beat.name, node->beat.incarnation) ||
                claim_of(node, room->code) <= claim_of(own, room->code);
    }
    return first;
}

/* Plans for an ended room: one of the nodes deletes its key. */
static void plan_ended(struct plan *plan, struct routes_room *room)
{
    if (plan->seconds > room->value.until && plan->seconds - room->value.until > REST_MORE &&
        is_first(plan, room)) {
        add_step(plan, URGENCY_OTHERS, ROUTES_REST, room);
    }
}

static enum urgency urgency_of(const struct routes_room *room)
{
    static const enum urgency of_kind[] = {[ROUTES_LOBBY] = URGENCY_LOBBY,
                                           [ROUTES_TRUSTED] = URGENCY_TRUSTED,
                                           [ROUTES_OTHER] = URGENCY_OTHERS};
    const enum routes_kind kind = routes_room_kind(room);

    return kind == ROUTES_TRUSTED && room->facts.people > 0 ? URGENCY_TRUSTED_PEOPLE
                                                            : of_kind[kind];
}

/* Plans to claim a room whose owner is dead, when it is this node's turn. A room of which this node
 * has never heard may be trusted: if it gets no place otherwise, the node reads whether it is. */
static void plan_claim(struct plan *plan, struct routes_room *room)
{
    const enum routes_kind kind = routes_room_kind(room);
    const uint64_t passed = plan->lease->renewals + 1 - room->free_since;
    const struct places *own;

    if (!may_take(plan, room)) {
        return;
    }
    own = places_of(plan, plan->own);
    if (places_for(own, kind) == PLACE_NONE) {
        if (!room->told && !room->learned && places_for(own, ROUTES_TRUSTED) != PLACE_NONE) {
            add_step(plan, URGENCY_OTHERS, ROUTES_LEARN, room);
        }
    } else if (passed >= (uint64_t)rank_of(plan, room) * RANK_TIME) {
        if (kind == ROUTES_OTHER) {
            room->waits = plan->waiting = true;
        } else {
            add_step(plan, urgency_of(room), ROUTES_CLAIM, room);
        }
    }
}

/* Plans for a room of another node, which may be dead or unknown. */
static void plan_others(struct plan *plan, struct routes_room *room)
{
    const struct route_value *value = &room->value;
    const uint64_t renewals = plan->lease->renewals;

    if (!lease_is_dead(plan->lease, value->owner, value->incarnation)) {
        room->free_since = 0;
        if (lease_knows(plan->lease, value->owner, value->incarnation)) {
            room->strange_since = 0;
        } else if (room->strange_since == 0) {
            room->strange_since = renewals + 1;
        } else if (renewals + 1 - room->strange_since >= LEASE_PATIENCE) {
            room->strange_since = 0;
            add_step(plan, urgency_of(room), ROUTES_LOOK, room);
        }
        return;
    }
    if (room->free_since == 0) {
        room->free_since = renewals + 1;
    }
    plan_claim(plan, room);
}

/* Plans to load a room of this node. */
static void plan_load(struct plan *plan, struct routes_room *room)
{
    static const enum urgency of_kind[] = {[ROUTES_LOBBY] = URGENCY_LOBBY,
                                           [ROUTES_TRUSTED] = URGENCY_LOAD_TRUSTED,
                                           [ROUTES_OTHER] = URGENCY_LOAD};

    if (plan->lease->renewals >= room->load_from) {
        add_step(plan, of_kind[routes_room_kind(room)], ROUTES_LOAD, room);
    }
}

static void plan_room(struct plan *plan, struct routes_room *room)
{
    const bool mine = routes_room_is_mine(plan->routes, room);

    room->waits = false;
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
        plan_load(plan, room);
    } else if (room->value.ended) {
        plan_ended(plan, room);
    } else if (room->epoch != 0) {
        plan_others(plan, room);
    }
}

/* Counts the room among this node's rooms. Returns false if the node has no place for it. */
static bool take_place(struct plan *plan, const struct routes_room *room)
{
    struct places *own = places_of(plan, plan->own);
    const enum routes_kind kind = routes_room_kind(room);
    const bool has = places_for(own, kind) != PLACE_NONE;

    if (has) {
        places_take(own, kind);
    }
    return has;
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

/* Stores the steps of that urgency behind the others. Returns their number. */
static uint32_t store_steps(struct plan *plan, enum urgency urgency, struct routes_step *steps,
                            uint32_t count)
{
    for (uint32_t i = 0; i < plan->counts[urgency] && count < ROUTES_AT_ONCE; i++) {
        const enum routes_ask ask = plan->asked[urgency][i];
        struct routes_room *room = plan->found[urgency][i];
        if (ask != ROUTES_CLAIM || take_place(plan, room)) {
            store_step(plan, ask, room, &steps[count++]);
        }
    }
    return count;
}

static bool is_mine(const void *argument, const struct routes_room *room)
{
    return routes_room_is_mine(argument, room);
}

/* Stores claims of untrusted rooms: creators in turn. */
static uint32_t store_turns(struct plan *plan, struct routes_step *steps, uint32_t count)
{
    const size_t waiting =
        plan->waiting ? routes_set_turns(plan->routes, is_mine, plan->routes) : 0;

    for (size_t i = 0; i < waiting && count < ROUTES_AT_ONCE; i++) {
        struct routes_room *room = plan->routes->ranked[i];
        if (!take_place(plan, room)) {
            break;
        }
        store_step(plan, ROUTES_CLAIM, room, &steps[count++]);
    }
    return count;
}

/* Stores the steps in the order of their urgency. */
static uint32_t order_steps(struct plan *plan, struct routes_step *steps)
{
    uint32_t count = 0;

    for (enum urgency urgency = URGENCY_DROP; urgency < URGENCY_OTHERS; urgency++) {
        count = store_steps(plan, urgency, steps, count);
    }
    count = store_turns(plan, steps, count);
    return store_steps(plan, URGENCY_OTHERS, steps, count);
}

uint32_t routes_plan(struct routes *routes, const struct lease *lease, uint64_t now,
                     uint64_t seconds, struct routes_step *steps)
{
    struct plan plan = {.routes = routes, .lease = lease, .now = now, .seconds = seconds};
    uint32_t count;

    uv_mutex_lock(&routes->lock);
    plan.own = routes_node_find(routes, routes->node);
    for (size_t i = 0; i < routes->room_count; i++) {
        plan_room(&plan, routes->rooms[i]);
    }
    count = order_steps(&plan, steps);
    uv_mutex_unlock(&routes->lock);
    return count;
}
