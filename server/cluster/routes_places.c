/* The places that nodes have for rooms, and the order in which rooms get them. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "cluster/routes_parts.h"

enum routes_kind routes_room_kind(const struct routes_room *room)
{
    if (strcmp(room->code, ROOM_LOBBY) == 0) {
        return ROUTES_LOBBY;
    }
    return room->facts.trusted || room->facts.by_server ? ROUTES_TRUSTED : ROUTES_OTHER;
}

/* ---- places ---- */

static void count_room(const struct routes *routes, const struct routes_room *room,
                       struct places *places)
{
    const enum routes_kind kind = routes_room_kind(room);
    const bool runs = room->here == ROUTES_RUNS || !routes_room_is_mine(routes, room);

    places->rooms++;
    places->lobby |= kind == ROUTES_LOBBY;
    places->trusted += kind == ROUTES_TRUSTED;
    places->idle += kind == ROUTES_OTHER && room->told && room->facts.people == 0 && runs;
}

void routes_count_places(const struct routes *routes, struct places places[NODES_MAX])
{
    for (uint32_t i = 0; i < routes->node_count; i++) {
        places[i] = (struct places){.most = routes->nodes[i].beat.rooms_max};
    }
    for (size_t i = 0; i < routes->room_count; i++) {
        const struct routes_room *room = routes->rooms[i];
        for (uint32_t j = 0; routes_room_lives(room) && j < routes->node_count; j++) {
            const struct node_beat *beat = &routes->nodes[j].beat;
            if (beat->incarnation == room->value.incarnation &&
                strcmp(beat->name, room->value.owner) == 0) {
                count_room(routes, room, &places[j]);
                break;
            }
        }
    }
    for (uint32_t i = 0; i < routes->node_count; i++) {
        const uint32_t told = routes->nodes[i].beat.rooms;
        places[i].rooms = told > places[i].rooms ? told : places[i].rooms;
    }
}

enum place places_for(const struct places *places, enum routes_kind kind)
{
    const uint32_t reserve = places->most / DIRECTORY_RESERVE;
    const uint32_t unused = places->trusted < reserve ? reserve - places->trusted : 0;

    if (kind == ROUTES_OTHER) {
        return (uint64_t)places->rooms + unused + !places->lobby < places->most ? PLACE_FREE
                                                                                : PLACE_NONE;
    }
    if (places->rooms < places->most) {
        return PLACE_FREE;
    }
    if (places->idle > 0) {
        return PLACE_GIVES_WAY;
    }
    return kind == ROUTES_LOBBY ? PLACE_BEYOND : PLACE_NONE;
}

void places_take(struct places *places, enum routes_kind kind)
{
    const bool gives_way = places_for(places, kind) == PLACE_GIVES_WAY;

    places->rooms += !gives_way;
    places->idle -= gives_way;
    places->lobby |= kind == ROUTES_LOBBY;
    places->trusted += kind == ROUTES_TRUSTED;
}

/* ---- turns ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* By creator; then first rooms that are counted, and then rooms with most people. */
static int compare_creators(const void *a, const void *b)
{
    const struct routes_room *left = *(struct routes_room *const *)a;
    const struct routes_room *right = *(struct routes_room *const *)b;
    int order = compare_numbers(left->facts.creator, right->facts.creator);

    order = order != 0 ? order : compare_numbers(left->waits, right->waits);
    order = order != 0 ? order : compare_numbers(right->facts.people, left->facts.people);
    return order != 0 ? order : compare_numbers(left->index, right->index);
}

/* Rooms that wait, with people and then without, by turn. */
static int compare_turns(const void *a, const void *b)
{
    const struct routes_room *left = *(struct routes_room *const *)a;
    const struct routes_room *right = *(struct routes_room *const *)b;
    int order = compare_numbers(!left->waits, !right->waits);

    order = order != 0 ? order : compare_numbers(left->facts.people == 0, right->facts.people == 0);
    order = order != 0 ? order : compare_numbers(left->turn, right->turn);
    return order != 0 ? order : compare_numbers(left->index, right->index);
}

size_t routes_set_turns(struct routes *routes,
                        bool (*is_counted)(const void *argument, const struct routes_room *room),
                        const void *argument)
{
    struct routes_room **ranked;
    size_t count = 0;
    size_t waiting = 0;

    if (routes->room_count == 0) {
        return 0;
    }
    ranked = grow_array(routes->ranked, &routes->ranked_capacity, routes->room_count,
                        ROUTES_ROOMS_MAX, sizeof(*ranked));
    if (ranked == NULL) {
        return 0;
    }
    routes->ranked = ranked;
    for (size_t i = 0; i < routes->room_count; i++) {
        struct routes_room *room = routes->rooms[i];
        if (room->waits || (routes_room_kind(room) == ROUTES_OTHER && is_counted(argument, room))) {
            ranked[count++] = room;
            waiting += room->waits;
        }
    }
    qsort(ranked, count, sizeof(*ranked), compare_creators);
    for (size_t i = 0; i < count; i++) {
        const bool same = i > 0 && ranked[i - 1]->facts.creator == ranked[i]->facts.creator;
        ranked[i]->turn = same ? ranked[i - 1]->turn + 1 : 0;
    }
    qsort(ranked, count, sizeof(*ranked), compare_turns);
    return waiting;
}
