/* The choice of the node that makes a new room. */
#include "cluster/routes_parts.h"

#define IDLE 500u /* ‰ of a node's time: below it, the node makes rooms for busy ones */

/* The places of a node for a new room, which other nodes cannot know to be trusted. */
enum room_for {
    ROOM_FOR_NONE, /* it runs no rooms */
    ROOM_FOR_FEW,  /* it is full: an idle room may give way */
    ROOM_FOR_TRUSTED,
    ROOM_FOR_ALL,
};

/* The nodes that may make a room: the others that have most. */
struct makers {
    const struct routes *routes;
    enum room_for own, best;
    uint32_t count;
    const struct routes_node *nodes[NODES_MAX];
};

static enum room_for room_for_new(const struct routes_node *node, const struct places *places,
                                  uint64_t now)
{
    if (!routes_node_runs_rooms(node, now)) {
        return ROOM_FOR_NONE;
    }
    if (places_for(places, ROUTES_OTHER) == PLACE_FREE) {
        return ROOM_FOR_ALL;
    }
    return places_for(places, ROUTES_TRUSTED) == PLACE_FREE ? ROOM_FOR_TRUSTED : ROOM_FOR_FEW;
}

static void find_makers(const struct routes *routes, uint64_t now, struct makers *makers)
{
    struct places places[NODES_MAX];

    *makers = (struct makers){.routes = routes};
    routes_count_places(routes, places);
    for (uint32_t i = 0; i < routes->node_count; i++) {
        const struct routes_node *node = &routes->nodes[i];
        const enum room_for has = room_for_new(node, &places[i], now);
        if (routes_node_is_own(routes, node)) {
            makers->own = has;
        } else if (has > makers->best) {
            makers->best = has;
            makers->count = 0;
        }
        if (!routes_node_is_own(routes, node) && has == makers->best && has != ROOM_FOR_NONE) {
            makers->nodes[makers->count++] = node;
        }
    }
}

/* Returns the node with less load of two drawn ones; NULL: no other node runs rooms. */
static const struct routes_node *draw_maker(const struct makers *makers, uint64_t random)
{
    const struct routes_node *first;
    const struct routes_node *second;

    if (makers->count == 0) {
        return NULL;
    }
    first = makers->nodes[(uint32_t)(random >> 32) % makers->count];
    second = makers->nodes[(uint32_t)random % makers->count];
    return second->beat.load < first->beat.load ? second : first;
}

static bool is_idle_elsewhere(const struct makers *makers)
{
    for (uint32_t i = 0; i < makers->count; i++) {
        if (makers->nodes[i]->beat.load < IDLE) {
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
    struct makers makers;

    uv_mutex_lock(&routes->lock);
    own = routes_node_find(routes, routes->node);
    find_makers(routes, now, &makers);
    if (own == NULL || makers.own < makers.best || makers.own == ROOM_FOR_NONE ||
        (own->beat.load > ROUTES_BUSY && makers.own == makers.best && is_idle_elsewhere(&makers))) {
        other = draw_maker(&makers, random);
        way = other != NULL ? ROUTES_THERE : ROUTES_NOBODY;
        if (other != NULL) {
            *peer = *other;
        }
    }
    uv_mutex_unlock(&routes->lock);
    return way;
}
