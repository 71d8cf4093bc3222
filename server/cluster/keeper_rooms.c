/* Rooms that a node wins, continues, drops and ends. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "cluster/keeper_parts.h"
#include "hub/hub.h"
#include "past/film.h"

/* ---- keys ---- */

void keeper_take_route(struct keeper *keeper, const char *code, const struct route_value *value,
                       uint64_t revision)
{
    struct route route;

    if (routes_take_key(keeper->routes, code, value, revision, &route)) {
        keeper->definition.moved(keeper->definition.argument, &route);
        keeper_wake(keeper);
    }
}

/* Reads a room's key. */
static enum broker_result read_route(struct keeper *keeper, const char *code,
                                     struct route_value *value, uint64_t *revision)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum broker_result result = broker_get(keeper->definition.broker, BROKER_CONTROL, BROKER_ROOMS,
                                           code, &bytes, &size, revision);

    if (result == BROKER_OK && !values_read_route(bytes, size, value)) {
        result = BROKER_AWAY;
    }
    free(bytes);
    if (result == BROKER_OK) {
        keeper_take_route(keeper, code, value, *revision);
    }
    return result;
}

static bool is_same(const struct route_value *a, const struct route_value *b)
{
    return a->ended == b->ended && a->until == b->until && a->incarnation == b->incarnation &&
           strcmp(a->owner, b->owner) == 0;
}

enum broker_result keeper_set_route(struct keeper *keeper, const char *code,
                                    const struct route_value *value, uint64_t revision)
{
    uint8_t bytes[VALUES_MAX];
    const size_t size = values_write_route(value, bytes);
    enum broker_result result = broker_set(keeper->definition.broker, BROKER_CONTROL, BROKER_ROOMS,
                                           code, bytes, size, &revision);
    struct route_value found;

    if (result == BROKER_OK) {
        keeper_take_route(keeper, code, value, revision);
    } else if (result == BROKER_UNKNOWN) {
        const enum broker_result read = read_route(keeper, code, &found, &revision);
        result = read == BROKER_OK && is_same(&found, value) ? BROKER_OK : BROKER_UNKNOWN;
    }
    return result;
}

/* Stores this node as an owner. Returns false if it may own nothing now. */
static bool name_self(struct keeper *keeper, struct route_value *value)
{
    bool stands;

    *value = (struct route_value){0};
    uv_mutex_lock(&keeper->lock);
    stands = lease_stands(&keeper->lease, keeper_now());
    value->incarnation = keeper->lease.value.incarnation;
    uv_mutex_unlock(&keeper->lock);
    snprintf(value->owner, sizeof value->owner, "%s", keeper->definition.node);
    return stands && !atomic_load(&keeper->draining);
}

/* ---- rooms that have gone ---- */

void keeper_note_gone(struct keeper *keeper, const char *code, enum routes_here here)
{
    const uint64_t epoch = routes_won(keeper->routes, code);

    checkpoints_disown(keeper->checkpoints, code);
    (void)routes_set_here(keeper->routes, code, here);
    keeper->definition.lost(keeper->definition.argument, code, epoch);
    keeper_wake(keeper);
}

struct keeper_job *keeper_make_job(const char *code)
{
    struct keeper_job *job = calloc(1, sizeof *job);

    if (job != NULL) {
        snprintf(job->code, sizeof job->code, "%s", code);
    }
    return job;
}

bool keeper_push_job(struct keeper *keeper, struct list *jobs, struct keeper_job *job)
{
    if (job == NULL) {
        return false;
    }
    uv_mutex_lock(&keeper->lock);
    list_append(jobs, &job->item);
    keeper->dirty = true;
    uv_cond_broadcast(&keeper->changed);
    uv_mutex_unlock(&keeper->lock);
    return true;
}

struct keeper_job *keeper_take_job(struct keeper *keeper, struct list *jobs)
{
    struct keeper_job *job;

    uv_mutex_lock(&keeper->lock);
    job = list_entry(list_take(jobs), struct keeper_job, item);
    uv_mutex_unlock(&keeper->lock);
    return job;
}

/* Has the key of a room say that it has ended. */
static void end_route(struct keeper *keeper, const char *code, uint64_t until)
{
    struct keeper_job *job = keeper_make_job(code);

    if (job != NULL) {
        job->until = until;
    }
    if (!keeper_push_job(keeper, &keeper->ends, job)) {
        log_warn("room %s has ended, and is loaded again: out of memory", code);
        (void)routes_set_here(keeper->routes, code, ROUTES_AWAY);
    }
}

void keeper_room_ended(void *argument, const char *code, uint64_t until)
{
    struct keeper *keeper = argument;

    (void)routes_set_here(keeper->routes, code, ROUTES_GIVING);
    keeper->definition.lost(keeper->definition.argument, code, routes_won(keeper->routes, code));
    end_route(keeper, code, until);
}

/* Marks the keys of ended rooms. Calls without an answer are repeated later. */
static void do_ends(struct keeper *keeper)
{
    struct list later = {0};
    struct keeper_job *job;

    while ((job = keeper_take_job(keeper, &keeper->ends)) != NULL) {
        const struct route_value value = {.ended = true, .until = job->until};
        struct route route;
        enum broker_result result = BROKER_OK;
        if (routes_find(keeper->routes, job->code, &route) && route.mine) {
            result = keeper_set_route(keeper, job->code, &value, route.epoch);
        }
        if (result == BROKER_OK || result == BROKER_CONFLICT) {
            (void)routes_set_here(keeper->routes, job->code, ROUTES_AWAY);
            free(job);
        } else {
            list_append(&later, &job->item);
        }
        (void)keeper_renew(keeper);
    }
    uv_mutex_lock(&keeper->lock);
    list_join(&keeper->ends, &later);
    uv_mutex_unlock(&keeper->lock);
}

/* A room that is being dropped. */
struct dropping {
    struct keeper *keeper;
    char code[PROTO_ROOM_MAX + 1];
};

static void on_dropped(void *argument, const struct store_room *kept, struct film *film,
                       struct recording *past)
{
    struct dropping *dropping = argument;

    assert(kept->state == NULL && film == NULL && past == NULL);
    cluster_count(&dropping->keeper->definition.counts->rooms_lost, 1);
    keeper_note_gone(dropping->keeper, dropping->code, ROUTES_AWAY);
    free(dropping);
}

/* Drops a room that another node owns. */
static void drop_room(struct keeper *keeper, const char *code)
{
    struct dropping *dropping = calloc(1, sizeof *dropping);
    struct directory_entry entry;

    if (dropping == NULL) {
        return; /* at the next plan */
    }
    dropping->keeper = keeper;
    snprintf(dropping->code, sizeof dropping->code, "%s", code);
    (void)routes_set_here(keeper->routes, code, ROUTES_GIVING);
    if (hub_drop_room(keeper->hub, code, on_dropped, dropping)) {
        return;
    }
    free(dropping);
    if (directory_find(hub_directory(keeper->hub), code, &entry)) {
        (void)routes_set_here(keeper->routes, code, ROUTES_RUNS); /* its runner is too busy */
    } else {
        keeper_note_gone(keeper, code, ROUTES_AWAY);
    }
}

void keeper_room_fenced(void *argument, const char *code)
{
    struct keeper *keeper = argument;
    struct route_value value;
    uint64_t revision;

    log_warn("another node writes the checkpoints of room %s", code);
    (void)read_route(keeper, code, &value, &revision);
}

/* ---- rooms that are won ---- */

static void note_taken(struct keeper *keeper, const char *code)
{
    const uint64_t epoch = routes_won(keeper->routes, code);

    (void)checkpoints_own(keeper->checkpoints, code, epoch);
    keeper->definition.taken(keeper->definition.argument, code, epoch);
}

static void note_ready(struct keeper *keeper, const char *code)
{
    (void)routes_set_here(keeper->routes, code, ROUTES_RUNS);
    keeper->definition.ready(keeper->definition.argument, code, routes_won(keeper->routes, code));
    keeper_wake(keeper);
}

/* Wins the key of a new room: there is none, or its code has rested long enough. */
static enum broker_result win_code(struct keeper *keeper, const char *code,
                                   const struct route_value *self)
{
    enum broker_result result = keeper_set_route(keeper, code, self, 0);
    struct route_value found;
    uint64_t revision;

    if (result != BROKER_CONFLICT) {
        return result;
    }
    result = read_route(keeper, code, &found, &revision);
    if (result == BROKER_NONE ||
        (result == BROKER_OK && found.ended && found.until < (uint64_t)time(NULL))) {
        return keeper_set_route(keeper, code, self, revision);
    }
    return result == BROKER_OK ? BROKER_CONFLICT : result;
}

enum directory_result keeper_claim(void *argument, const char *code)
{
    struct keeper *keeper = argument;
    struct route_value self;
    enum broker_result result;

    if (keeper->checkpoints == NULL || !name_self(keeper, &self)) {
        return DIRECTORY_AWAY;
    }
    if (!routes_set_here(keeper->routes, code, ROUTES_MAKING)) {
        return DIRECTORY_NO_MEMORY;
    }
    result = win_code(keeper, code, &self);
    if (result == BROKER_OK) {
        note_taken(keeper, code);
        return DIRECTORY_OK;
    }
    (void)routes_set_here(keeper->routes, code, ROUTES_AWAY);
    return result == BROKER_CONFLICT ? DIRECTORY_TAKEN : DIRECTORY_AWAY;
}

void keeper_claimed(void *argument, const char *code, bool made)
{
    struct keeper *keeper = argument;

    if (made) {
        note_ready(keeper, code);
    } else {
        keeper_note_gone(keeper, code, ROUTES_GIVING);
        end_route(keeper, code, 0);
    }
}

/* ---- rooms that continue ---- */

/* Makes the room of a code that has no checkpoint: the lobby. Another one has ended with the node
 * that made it a moment ago. */
static void begin_room(struct keeper *keeper, const char *code)
{
    if (strcmp(code, ROOM_LOBBY) == 0) {
        if (hub_make_lobby(keeper->hub)) {
            note_ready(keeper, code);
        } else {
            keeper_note_gone(keeper, code, ROUTES_AWAY);
        }
        return;
    }
    log_warn("room %s has no checkpoint, and ends", code);
    keeper_note_gone(keeper, code, ROUTES_GIVING);
    end_route(keeper, code, (uint64_t)time(NULL) + DIRECTORY_CODE_REST / 1000000);
}

/* Continues a room from its checkpoint, and plays the film that has come before it. A film that its
 * room does not play any longer changes nothing. */
static void continue_room(struct keeper *keeper, const struct store_room *kept)
{
    struct film *film = keeper_take_film(keeper, kept->code);
    struct hub_made made;

    switch (hub_take_over(keeper->hub, kept, film, &made)) {
    case DIRECTORY_OK:
        note_ready(keeper, kept->code);
        cluster_count(&keeper->definition.counts->takeovers, 1);
        break;
    case DIRECTORY_REFUSED:
        log_error("room %s cannot continue: %s", kept->code, made.error.message);
        keeper_note_gone(keeper, kept->code, ROUTES_STUCK);
        break;
    case DIRECTORY_FULL:
        if (film != NULL) {
            keeper_keep_film(keeper, kept->code, film_hold(film));
        }
        keeper_note_gone(keeper, kept->code, ROUTES_AWAY);
        routes_put_off(keeper->routes, kept->code);
        break;
    case DIRECTORY_TAKEN: /* it was here, and is being dropped */
    default:
        keeper_note_gone(keeper, kept->code, ROUTES_AWAY);
        break;
    }
    film_release(film);
}

void keeper_load_room(struct keeper *keeper, const char *code)
{
    struct store_room kept;
    enum broker_result result;

    note_taken(keeper, code);
    result = checkpoints_read(keeper->checkpoints, code, &kept);
    uv_mutex_lock(&keeper->hub_lock);
    if (keeper->resting) {
        keeper_note_gone(keeper, code, ROUTES_STUCK);
    } else if (result == BROKER_OK) {
        continue_room(keeper, &kept);
    } else if (result == BROKER_NONE) {
        begin_room(keeper, code);
    } else {
        keeper_note_gone(keeper, code, ROUTES_AWAY); /* tried again at the next plan */
    }
    uv_mutex_unlock(&keeper->hub_lock);
    free(kept.state);
}

/* ---- plans ---- */

/* Takes a room of a node that is dead. */
static void claim_room(struct keeper *keeper, const struct route *route)
{
    struct route_value self;
    struct route_value found;
    uint64_t revision;

    if (name_self(keeper, &self) &&
        keeper_set_route(keeper, route->code, &self, route->epoch) == BROKER_CONFLICT) {
        (void)read_route(keeper, route->code, &found, &revision);
    }
}

/* Finds out whether an owner that this node has never heard of is alive. */
static void look_at_owner(struct keeper *keeper, const struct route *route)
{
    struct node_lease value;
    uint8_t *bytes = NULL;
    size_t size = 0;
    uint64_t revision;
    enum broker_result result = broker_get(keeper->definition.broker, BROKER_CONTROL, BROKER_NODES,
                                           route->owner, &bytes, &size, &revision);
    const bool known = result == BROKER_OK && values_read_lease(bytes, size, &value);

    free(bytes);
    if (result == BROKER_OK || result == BROKER_NONE) {
        uv_mutex_lock(&keeper->lock);
        lease_look(&keeper->lease, route->owner, route->incarnation, result, known ? &value : NULL,
                   revision);
        uv_mutex_unlock(&keeper->lock);
    }
}

/* Reads in the room's checkpoint whether the room is trusted. Returns false without an answer. */
static bool learn_room(struct keeper *keeper, const char *code)
{
    struct store_room kept;
    const enum broker_result result = checkpoints_read_terms(keeper->checkpoints, code, &kept);

    if (result != BROKER_OK && result != BROKER_NONE) {
        return false;
    }
    routes_learn(keeper->routes, code, kept.trusted, kept.creator);
    return true;
}

/* Deletes the key of a code that has rested long enough. */
static void drop_key(struct keeper *keeper, const struct route *route)
{
    uint64_t revision = route->epoch;

    if (broker_drop(keeper->definition.broker, BROKER_CONTROL, BROKER_ROOMS, route->code,
                    &revision) == BROKER_OK) {
        keeper_take_route(keeper, route->code, NULL, revision);
    }
}

/* Does a step. Returns false if the following ones should wait for the next plan. */
static bool do_step(struct keeper *keeper, const struct routes_step *step)
{
    const char *code = step->route.code;

    switch (step->ask) {
    case ROUTES_CLAIM:
        claim_room(keeper, &step->route);
        break;
    case ROUTES_LOOK:
        look_at_owner(keeper, &step->route);
        break;
    case ROUTES_LEARN:
        return learn_room(keeper, code);
    case ROUTES_LOAD:
        (void)routes_set_here(keeper->routes, code, ROUTES_MAKING);
        if (!keeper_push_job(keeper, &keeper->loads, keeper_make_job(code))) {
            (void)routes_set_here(keeper->routes, code, ROUTES_AWAY);
        }
        break;
    case ROUTES_DROP:
        drop_room(keeper, code);
        break;
    case ROUTES_REST:
        drop_key(keeper, &step->route);
        break;
    }
    return true;
}

/* Wins the lobby if no node has it. */
static void need_lobby(struct keeper *keeper)
{
    struct route_value self;
    struct route route;

    if ((!routes_find(keeper->routes, ROOM_LOBBY, &route) || route.ended) &&
        name_self(keeper, &self)) {
        (void)win_code(keeper, ROOM_LOBBY, &self);
    }
}

static bool knows_all(struct keeper *keeper)
{
    bool complete;

    uv_mutex_lock(&keeper->lock);
    complete = keeper->complete;
    uv_mutex_unlock(&keeper->lock);
    return complete;
}

/* Stores a plan's steps. Returns their number. */
static uint32_t make_plan(struct keeper *keeper, uint64_t now, struct routes_step *steps)
{
    uint32_t count;

    uv_mutex_lock(&keeper->lock);
    count = routes_plan(keeper->routes, &keeper->lease, now, (uint64_t)time(NULL), steps);
    if (count == 0 || steps[0].ask != ROUTES_DROP) {
        lease_dropped(&keeper->lease);
    }
    uv_mutex_unlock(&keeper->lock);
    return count;
}

/* Does a plan's steps. Without a lease, only drops rooms. */
static bool do_plan(struct keeper *keeper, uint64_t now)
{
    struct routes_step steps[ROUTES_AT_ONCE];
    const bool stands = keeper_stands(keeper) && knows_all(keeper);
    const uint32_t count = make_plan(keeper, now, steps);
    uint32_t done = 0;
    bool goes_on = true;

    for (uint32_t i = 0; i < count && goes_on; i++) {
        if (stands || steps[i].ask == ROUTES_DROP) {
            goes_on = do_step(keeper, &steps[i]);
            done++;
            (void)keeper_renew(keeper);
        }
    }
    if (stands) {
        need_lobby(keeper);
    }
    return done == ROUTES_AT_ONCE;
}

bool keeper_keep_rooms(struct keeper *keeper, uint64_t now)
{
    bool more = false;

    if (keeper->checkpoints == NULL) {
        return false;
    }
    do_ends(keeper);
    uv_mutex_lock(&keeper->hub_lock);
    if (!keeper->resting) {
        more = do_plan(keeper, now);
    }
    uv_mutex_unlock(&keeper->hub_lock);
    return more;
}
