#include "cluster/routes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/counter.h"
#include "base/grow.h"
#include "base/hash.h"
#include "cluster/routes_parts.h"

#define BUCKETS_FIRST 1024u
#define FULL_TIME     8u /* own renewals that a room waits longer because its node is full */

/* ---- rooms ---- */

static struct routes_room **bucket_of(const struct routes *routes, const char *code)
{
    return &routes->buckets[hash_text(code) & (routes->bucket_count - 1)];
}

struct routes_room *routes_room_find(const struct routes *routes, const char *code)
{
    struct routes_room *room = *bucket_of(routes, code);

    while (room != NULL && strcmp(room->code, code) != 0) {
        room = room->next;
    }
    return room;
}

static void put_in_bucket(const struct routes *routes, struct routes_room *room)
{
    struct routes_room **bucket = bucket_of(routes, room->code);

    room->next = *bucket;
    *bucket = room;
}

/* Doubles the buckets; without memory the lists in them get longer. */
static void grow_buckets(struct routes *routes)
{
    struct routes_room **buckets = calloc(routes->bucket_count * 2, sizeof(*buckets));

    if (buckets == NULL) {
        return;
    }
    free(routes->buckets);
    routes->buckets = buckets;
    routes->bucket_count *= 2;
    for (size_t i = 0; i < routes->room_count; i++) {
        put_in_bucket(routes, routes->rooms[i]);
    }
}

static struct routes_room *add_room(struct routes *routes, const char *code)
{
    struct routes_room **rooms =
        grow_array(routes->rooms, &routes->room_capacity, routes->room_count + 1, ROUTES_ROOMS_MAX,
                   sizeof(*rooms));
    struct routes_room *room;

    if (rooms == NULL) {
        return NULL;
    }
    routes->rooms = rooms;
    room = calloc(1, sizeof *room);
    if (room == NULL) {
        return NULL;
    }
    snprintf(room->code, sizeof room->code, "%s", code);
    memcpy(room->facts.code, room->code, sizeof room->facts.code);
    room->index = routes->room_count;
    rooms[routes->room_count++] = room;
    put_in_bucket(routes, room);
    if (routes->room_count > routes->bucket_count) {
        grow_buckets(routes);
    }
    return room;
}

static struct routes_room *need_room(struct routes *routes, const char *code)
{
    struct routes_room *room = routes_room_find(routes, code);

    return room != NULL ? room : add_room(routes, code);
}

void routes_room_remove(struct routes *routes, struct routes_room *room)
{
    struct routes_room **link = bucket_of(routes, room->code);
    struct routes_room *last = routes->rooms[--routes->room_count];

    while (*link != room) {
        link = &(*link)->next;
    }
    *link = room->next;
    last->index = room->index;
    routes->rooms[last->index] = last;
    free(room);
}

bool routes_room_is_mine(const struct routes *routes, const struct routes_room *room)
{
    return routes_room_lives(room) && routes->incarnation != 0 &&
           room->value.incarnation == routes->incarnation &&
           strcmp(room->value.owner, routes->node) == 0;
}

void routes_room_describe(const struct routes *routes, const struct routes_room *room,
                          struct route *route)
{
    *route = (struct route){.epoch = room->epoch,
                            .ended = room->epoch == 0 || room->value.ended,
                            .incarnation = room->value.incarnation,
                            .mine = routes_room_is_mine(routes, room)};
    memcpy(route->code, room->code, sizeof route->code);
    memcpy(route->owner, room->value.owner, sizeof route->owner);
}

static void note_change(struct routes *routes, const struct routes_room *room)
{
    if (room->facts.listed) {
        counter_add(&routes->version, 1); /* with the lock */
    }
}

/* ---- life ---- */

struct routes *routes_create(const char *node)
{
    struct routes *routes = calloc(1, sizeof *routes);

    if (routes == NULL) {
        return NULL;
    }
    snprintf(routes->node, sizeof routes->node, "%s", node);
    routes->bucket_count = BUCKETS_FIRST;
    routes->buckets = calloc(routes->bucket_count, sizeof(*routes->buckets));
    if (routes->buckets == NULL || uv_mutex_init(&routes->lock) != 0) {
        free(routes->buckets);
        free(routes);
        return NULL;
    }
    return routes;
}

void routes_destroy(struct routes *routes)
{
    if (routes == NULL) {
        return;
    }
    for (size_t i = 0; i < routes->room_count; i++) {
        free(routes->rooms[i]);
    }
    uv_mutex_destroy(&routes->lock);
    free(routes->ranked);
    free(routes->rooms);
    free(routes->buckets);
    free(routes);
}

/* ---- for all ---- */

bool routes_find(struct routes *routes, const char *code, struct route *route)
{
    const struct routes_room *room;

    uv_mutex_lock(&routes->lock);
    room = routes_room_find(routes, code);
    if (room != NULL) {
        routes_room_describe(routes, room, route);
    }
    uv_mutex_unlock(&routes->lock);
    return room != NULL && route->epoch != 0;
}

bool routes_awaited(struct routes *routes, const char *code)
{
    const struct routes_room *room;
    bool found;

    uv_mutex_lock(&routes->lock);
    room = routes_room_find(routes, code);
    found = (room != NULL && routes_room_lives(room)) || strcmp(code, ROOM_LOBBY) == 0;
    uv_mutex_unlock(&routes->lock);
    return found;
}

bool routes_entry(struct routes *routes, const char *code, struct directory_entry *entry)
{
    const struct routes_room *room;
    bool found;

    uv_mutex_lock(&routes->lock);
    room = routes_room_find(routes, code);
    found = room != NULL && routes_room_lives(room);
    if (found) {
        *entry = room->facts;
    }
    uv_mutex_unlock(&routes->lock);
    return found;
}

uint32_t routes_read(struct routes *routes, bool listed_only, uint32_t *next,
                     struct directory_entry *entries, uint32_t max)
{
    uint32_t count = 0;

    uv_mutex_lock(&routes->lock);
    for (; *next < routes->room_count && count < max; (*next)++) {
        const struct routes_room *room = routes->rooms[*next];
        if (routes_room_lives(room) && room->told && (room->facts.listed || !listed_only)) {
            entries[count++] = room->facts;
        }
    }
    uv_mutex_unlock(&routes->lock);
    return count;
}

uint64_t routes_version(const struct routes *routes)
{
    return counter_read(&routes->version);
}

uint32_t routes_count(struct routes *routes)
{
    uint32_t count;

    uv_mutex_lock(&routes->lock);
    count = routes->living;
    uv_mutex_unlock(&routes->lock);
    return count;
}

const struct routes_node *routes_node_find(const struct routes *routes, const char *name)
{
    for (uint32_t i = 0; i < routes->node_count; i++) {
        if (strcmp(routes->nodes[i].beat.name, name) == 0) {
            return &routes->nodes[i];
        }
    }
    return NULL;
}

bool routes_room_owner(const struct routes *routes, const struct routes_room *room, uint64_t now,
                       struct routes_node *peer)
{
    const struct routes_node *node = routes_node_find(routes, room->value.owner);

    if (node == NULL || node->beat.incarnation != room->value.incarnation ||
        routes_node_is_silent(node, now)) {
        return false;
    }
    *peer = *node;
    return true;
}

enum routes_way routes_way(struct routes *routes, const char *code, uint64_t now,
                           struct routes_node *peer)
{
    enum routes_way way = ROUTES_UNKNOWN;
    const struct routes_room *room;

    uv_mutex_lock(&routes->lock);
    room = routes_room_find(routes, code);
    if (room != NULL && routes_room_lives(room)) {
        if (routes_room_is_mine(routes, room)) {
            way = room->here == ROUTES_RUNS ? ROUTES_HERE : ROUTES_NOBODY;
        } else {
            way = routes_room_owner(routes, room, now, peer) ? ROUTES_THERE : ROUTES_NOBODY;
        }
    }
    uv_mutex_unlock(&routes->lock);
    return way;
}

uint32_t routes_nodes(struct routes *routes, uint64_t now, struct routes_node *nodes, uint32_t max)
{
    uint32_t count = 0;

    uv_mutex_lock(&routes->lock);
    for (int own = 1; own >= 0; own--) {
        for (uint32_t i = 0; i < routes->node_count && count < max; i++) {
            const bool is_own = strcmp(routes->nodes[i].beat.name, routes->node) == 0;
            if (is_own == (own == 1)) {
                nodes[count] = routes->nodes[i];
                nodes[count].silent = routes_node_is_silent(&nodes[count], now);
                count++;
            }
        }
    }
    uv_mutex_unlock(&routes->lock);
    return count;
}

/* ---- what is heard ---- */

/* Sets the key of a room; value NULL: it was deleted. */
static void set_key(struct routes *routes, struct routes_room *room,
                    const struct route_value *value, uint64_t revision)
{
    const bool lived = routes_room_lives(room);

    if (value == NULL || strcmp(value->owner, room->value.owner) != 0) {
        memcpy(room->before, room->value.owner, sizeof room->before);
    }
    room->value = value != NULL ? *value : (struct route_value){.ended = true};
    room->epoch = revision;
    room->free_since = room->strange_since = room->load_from = 0;
    room->won = routes_room_is_mine(routes, room) ? revision : room->won;
    routes->living += (uint32_t)routes_room_lives(room) - (uint32_t)lived;
    if (lived && !routes_room_lives(room)) {
        note_change(routes, room);
        room->told = room->learned = false;
    }
}

bool routes_take_key(struct routes *routes, const char *code, const struct route_value *value,
                     uint64_t revision, struct route *route)
{
    struct routes_room *room;
    bool is_new;

    uv_mutex_lock(&routes->lock);
    room = value != NULL ? need_room(routes, code) : routes_room_find(routes, code);
    is_new = room != NULL && revision > room->epoch;
    if (is_new) {
        set_key(routes, room, value, revision);
        routes_room_describe(routes, room, route);
        if (value == NULL && room->here == ROUTES_AWAY) {
            routes_room_remove(routes, room);
        }
    }
    uv_mutex_unlock(&routes->lock);
    return is_new;
}

bool routes_runs_rooms(struct routes *routes, const char *node, uint64_t incarnation, uint64_t now)
{
    const struct routes_node *found;
    bool runs;

    uv_mutex_lock(&routes->lock);
    found = routes_node_find(routes, node);
    runs = found != NULL && found->beat.incarnation == incarnation &&
           routes_node_runs_rooms(found, now);
    uv_mutex_unlock(&routes->lock);
    return runs;
}

bool routes_came_from(struct routes *routes, const char *code, const char *node, uint64_t epoch)
{
    const struct routes_room *room;
    bool came;

    uv_mutex_lock(&routes->lock);
    room = routes_room_find(routes, code);
    came = room != NULL && routes_room_is_mine(routes, room) && room->epoch == epoch &&
           node[0] != '\0' && strcmp(room->before, node) == 0;
    uv_mutex_unlock(&routes->lock);
    return came;
}

/* Returns the place for that node's beat: a new one, or that of the node that is silent for
 * longest, if there are too many. */
static struct routes_node *place_of(struct routes *routes, const char *name)
{
    struct routes_node *oldest = &routes->nodes[0];

    for (uint32_t i = 0; i < routes->node_count; i++) {
        struct routes_node *node = &routes->nodes[i];
        if (strcmp(node->beat.name, name) == 0) {
            return node;
        }
        oldest = node->heard_at < oldest->heard_at ? node : oldest;
    }
    if (routes->node_count < NODES_MAX) {
        return &routes->nodes[routes->node_count++];
    }
    oldest->beat = (struct node_beat){0};
    return oldest;
}

bool routes_take_beat(struct routes *routes, const struct node_beat *beat, uint64_t now)
{
    struct routes_node *node;
    bool first;

    uv_mutex_lock(&routes->lock);
    node = place_of(routes, beat->name);
    first = node->beat.incarnation != beat->incarnation;
    node->beat = *beat;
    node->heard_at = now;
    uv_mutex_unlock(&routes->lock);
    return first;
}

void routes_take_facts(struct routes *routes, const char *node, uint64_t incarnation,
                       const struct directory_entry *entry)
{
    struct routes_room *room;

    assert(entry->number == 0 && entry->runner == 0);
    uv_mutex_lock(&routes->lock);
    room = routes_room_find(routes, entry->code);
    if (room != NULL && routes_room_lives(room) && room->value.incarnation == incarnation &&
        strcmp(room->value.owner, node) == 0) {
        const bool same = room->told && values_same_facts(&room->facts, entry);
        if (!same) {
            note_change(routes, room);
            room->facts = *entry;
            room->told = true;
            note_change(routes, room);
        }
    }
    uv_mutex_unlock(&routes->lock);
}

/* ---- rooms of this node ---- */

void routes_begin(struct routes *routes, uint64_t incarnation)
{
    uv_mutex_lock(&routes->lock);
    routes->incarnation = incarnation;
    uv_mutex_unlock(&routes->lock);
}

bool routes_set_here(struct routes *routes, const char *code, enum routes_here here)
{
    struct routes_room *room;

    uv_mutex_lock(&routes->lock);
    room = here != ROUTES_AWAY ? need_room(routes, code) : routes_room_find(routes, code);
    if (room != NULL) {
        if (here == ROUTES_RUNS && room->here == ROUTES_GIVING) {
            room->runs_since = 0;
        }
        room->here = here;
        if (here == ROUTES_AWAY && room->epoch == 0) {
            routes_room_remove(routes, room);
        }
    }
    uv_mutex_unlock(&routes->lock);
    return room != NULL;
}

uint64_t routes_won(struct routes *routes, const char *code)
{
    const struct routes_room *room;
    uint64_t won;

    uv_mutex_lock(&routes->lock);
    room = routes_room_find(routes, code);
    won = room != NULL ? room->won : 0;
    uv_mutex_unlock(&routes->lock);
    return won;
}

void routes_learn(struct routes *routes, const char *code, bool trusted, uint64_t creator)
{
    struct routes_room *room;

    uv_mutex_lock(&routes->lock);
    room = routes_room_find(routes, code);
    if (room != NULL && routes_room_lives(room) && !room->told) {
        room->facts.trusted = trusted;
        room->facts.creator = creator;
        room->learned = true;
    }
    uv_mutex_unlock(&routes->lock);
}

void routes_put_off(struct routes *routes, const char *code)
{
    struct routes_room *room;

    uv_mutex_lock(&routes->lock);
    room = routes_room_find(routes, code);
    if (room != NULL) {
        room->load_from += FULL_TIME;
    }
    uv_mutex_unlock(&routes->lock);
}

enum routes_here routes_here(struct routes *routes, const char *code)
{
    const struct routes_room *room;
    enum routes_here here;

    uv_mutex_lock(&routes->lock);
    room = routes_room_find(routes, code);
    here = room != NULL ? room->here : ROUTES_AWAY;
    uv_mutex_unlock(&routes->lock);
    return here;
}
