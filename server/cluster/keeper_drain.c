/* A node that ends gives its rooms to other nodes, with what they have: first the lobby and trusted
 * rooms, then others. The film that a room plays goes before the room, and its past after it. No
 * film of a stranger goes before a past of a trusted room. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cluster/keeper_parts.h"
#include "hub/hub.h"
#include "past/film.h"
#include "past/history_budget.h"

#define RETRY_TIME 100u /* ms until a room that could not be given away is tried again */

/* Of a node's patience: parcels may delay rooms, … */
#define DELAY_PART 0.5
/* … and pasts may follow rooms that are given. The rest is for the node's end. */
#define PASTS_PART 0.75

/* A room that another node has, and its past, which follows. */
struct leaving {
    struct list_item item;
    struct room_parcel parcel;
    struct routes_node heir;
    struct recording *past;
};

/* Parcels of a kind. */
struct parcels_count {
    uint32_t taken, left;
};

/* Times are ns (uv_hrtime()). */
struct draining {
    struct keeper *keeper;
    uint64_t delay_end, pasts_end;
    struct list leaving;        /* struct leaving */
    uint64_t broken[NODES_MAX]; /* incarnations of nodes that get no more parcels */
    uint32_t broken_count;
    char filmed[PROTO_ROOM_MAX + 1]; /* the room whose film was sent last, for the case that the
                                      * room stays and is tried again, … */
    uint64_t filmed_to;              /* … and the incarnation of its receiver */
    struct parcels_count films, pasts;
};

static bool is_broken(const struct draining *draining, const struct routes_node *heir)
{
    bool broken = false;

    for (uint32_t i = 0; i < draining->broken_count; i++) {
        broken |= draining->broken[i] == heir->beat.incarnation;
    }
    return broken;
}

/* Sends the parcel until that time. Counts it. Returns whether the heir has taken it. */
static bool send_parcel(struct draining *draining, const struct room_parcel *parcel,
                        const struct routes_node *heir, const uint8_t *bytes, uint64_t end)
{
    const uint64_t own_end = keeper_parcel_end(parcel->size);
    enum parcel_result result = PARCEL_REFUSED;

    if (!is_broken(draining, heir) && uv_hrtime() < end) {
        result = keeper_send_parcel(draining->keeper, parcel, heir, bytes,
                                    own_end < end ? own_end : end);
    }
    if (result == PARCEL_BROKEN && draining->broken_count < NODES_MAX) {
        draining->broken[draining->broken_count++] = heir->beat.incarnation;
    }
    return result == PARCEL_TAKEN;
}

static void count_parcel(struct parcels_count *count, bool taken)
{
    count->taken += taken;
    count->left += !taken;
}

/* ---- films ---- */

/* Sends the film that the room plays to its next owner, while the room continues here. Does nothing
 * without a film, and for the film that was sent last. */
static void send_film(struct draining *draining, const struct route *route,
                      const struct routes_node *heir)
{
    struct room_parcel parcel = {.epoch = route->epoch, .is_film = true};
    struct releasing held;

    if ((draining->filmed_to == heir->beat.incarnation &&
         strcmp(draining->filmed, route->code) == 0) ||
        !keeper_ask_runner(draining->keeper, route->code, hub_hold_film, &held) ||
        held.film == NULL) {
        return;
    }
    memcpy(parcel.code, route->code, sizeof parcel.code);
    parcel.trusted = held.kept.trusted;
    parcel.creator = held.kept.creator;
    parcel.size = held.film->size;
    count_parcel(&draining->films,
                 send_parcel(draining, &parcel, heir, held.film->bytes, draining->delay_end));
    memcpy(draining->filmed, route->code, sizeof draining->filmed);
    draining->filmed_to = heir->beat.incarnation;
    keeper_finish_releasing(&held);
}

/* ---- pasts ---- */

/* Notes that the past of a room that was given away has to follow. */
static void let_past_follow(struct draining *draining, const struct routes_node *heir,
                            struct releasing *released)
{
    struct leaving *leaving = released->past != NULL ? calloc(1, sizeof *leaving) : NULL;
    struct route route;

    if (leaving == NULL || !routes_find(draining->keeper->routes, released->kept.code, &route)) {
        free(leaving);
        return;
    }
    leaving->parcel = (struct room_parcel){
        .epoch = route.epoch, .trusted = released->kept.trusted, .creator = released->kept.creator};
    memcpy(leaving->parcel.code, route.code, sizeof leaving->parcel.code);
    leaving->heir = *heir;
    leaving->past = released->past;
    released->past = NULL;
    list_append(&draining->leaving, &leaving->item);
}

static bool send_past(struct draining *draining, struct leaving *leaving, uint64_t end)
{
    struct history_budget *budget = hub_history_budget(draining->keeper->hub);
    size_t size = 0;
    uint8_t *bytes = is_broken(draining, &leaving->heir)
                         ? NULL
                         : saved_past_write(leaving->past, &keeper_past_limits, &size);
    bool taken = false;

    if (bytes != NULL) {
        leaving->parcel.size = size;
        history_budget_lend(budget, size);
        taken = send_parcel(draining, &leaving->parcel, &leaving->heir, bytes, end);
        history_budget_return(budget, size);
    }
    free(bytes);
    return taken;
}

static void forget_past(struct draining *draining, struct leaving *leaving, bool taken)
{
    count_parcel(&draining->pasts, taken);
    recording_destroy(leaving->past);
    free(leaving);
}

/* Sends pasts until that time, in the order in which their rooms were given away. A past that the
 * time cuts off stays the next one. */
static void send_pasts(struct draining *draining, uint64_t end)
{
    while (draining->leaving.first != NULL && uv_hrtime() < end) {
        struct leaving *leaving = list_entry(draining->leaving.first, struct leaving, item);
        const bool taken = send_past(draining, leaving, end);
        if (taken || uv_hrtime() < end) {
            list_remove(&draining->leaving, &leaving->item);
            forget_past(draining, leaving, taken);
        }
    }
}

/* ---- all rooms ---- */

/* Waits until the loader gives no room away. */
static void stop_giving(struct keeper *keeper)
{
    uv_mutex_lock(&keeper->lock);
    keeper->gives_all = true;
    while (keeper->giving) {
        uv_cond_wait(&keeper->changed, &keeper->lock);
    }
    uv_mutex_unlock(&keeper->lock);
}

/* Notes the newest facts of all rooms of this node: the order of the rooms depends on them. */
static void note_facts(struct keeper *keeper)
{
    struct directory_entry entry;
    uint64_t incarnation;
    uint32_t next = 0;

    uv_mutex_lock(&keeper->lock);
    incarnation = keeper->lease.value.incarnation;
    uv_mutex_unlock(&keeper->lock);
    while (directory_read(hub_directory(keeper->hub), false, &next, &entry, 1) > 0) {
        entry.number = 0;
        entry.runner = 0;
        routes_take_facts(keeper->routes, keeper->definition.node, incarnation, &entry);
    }
}

static bool is_strangers(const struct keeper *keeper, const char *code)
{
    struct directory_entry entry;

    return routes_entry(keeper->routes, code, &entry) && !entry.trusted && !entry.by_server &&
           strcmp(code, ROOM_LOBBY) != 0;
}

/* Gives a room to that node, with all that it has. If the node ends while it receives the film, the
 * room stays for another node. */
static void give_whole_room(struct draining *draining, const struct route *route,
                            const struct routes_node *heir)
{
    struct releasing released = {0};

    send_film(draining, route, heir);
    if (!keeper_may_receive(draining->keeper, &heir->beat) ||
        !keeper_give_room(draining->keeper, route, heir, GIVING_ALL, &released)) {
        uv_sleep(RETRY_TIME);
    } else {
        let_past_follow(draining, heir, &released);
    }
    keeper_finish_releasing(&released);
}

/* Gives rooms until that time (µs), or until no other node has a place for the next room. */
static void give_rooms(struct draining *draining, uint64_t end)
{
    struct keeper *keeper = draining->keeper;
    bool strangers_turn = false;
    struct routes_node heir;
    struct route route;

    while (keeper_now() < end && keeper_stands(keeper) &&
           routes_next_mine(keeper->routes, &route) &&
           routes_heir(keeper->routes, route.code, keeper_now(), &heir)) {
        if (strangers_turn || !is_strangers(keeper, route.code)) {
            give_whole_room(draining, &route, &heir);
        } else {
            strangers_turn = true;
            send_pasts(draining, draining->delay_end);
        }
    }
}

static void end_draining(struct draining *draining)
{
    const struct parcels_count *films = &draining->films;
    const struct parcels_count *pasts = &draining->pasts;
    struct list_item *item;

    while ((item = list_take(&draining->leaving)) != NULL) {
        forget_past(draining, list_entry(item, struct leaving, item), false);
    }
    if (films->left + pasts->left > 0) {
        log_warn("rooms went to other nodes with %u recordings and %u pasts; left behind: "
                 "%u recordings, %u pasts",
                 films->taken, pasts->taken, films->left, pasts->left);
    } else if (films->taken + pasts->taken > 0) {
        log_info("rooms went to other nodes with %u recordings and %u pasts", films->taken,
                 pasts->taken);
    }
}

void keeper_drain(struct keeper *keeper, double patience)
{
    const uint64_t end = keeper_now() + (uint64_t)(patience * 1e6);
    struct draining draining = {.keeper = keeper};

    draining.delay_end = uv_hrtime() + (uint64_t)(patience * DELAY_PART * 1e9);
    draining.pasts_end = uv_hrtime() + (uint64_t)(patience * PASTS_PART * 1e9);
    atomic_store(&keeper->draining, true);
    stop_giving(keeper);
    if (keeper->hub != NULL && keeper->checkpoints != NULL) {
        note_facts(keeper);
        routes_begin_drain(keeper->routes);
        give_rooms(&draining, end);
        send_pasts(&draining, draining.pasts_end);
    }
    end_draining(&draining);
    uv_mutex_lock(&keeper->hub_lock);
    keeper->resting = true;
    uv_mutex_unlock(&keeper->hub_lock);
}
