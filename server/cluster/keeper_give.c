/* Rooms that a node gives to others: when it ends, or when their people are elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cluster/keeper_parts.h"
#include "hub/hub.h"
#include "past/film.h"

#define FINISH_TIME 5000u /* ms that a room's last checkpoint may take */
#define RETRY_TIME  100u  /* ms until a room that could not be given away is tried again */
#define MOVE_TIME   300u  /* ms that the last checkpoint of a room may take which its people want */
#define SETTLED     UINT64_C(60000000) /* µs: see struct keeper_definition */

/* A room that its runner gives up. */
struct releasing {
    uv_sem_t done;
    struct store_room kept;
};

static void on_released(void *argument, const struct store_room *kept, struct film *film,
                        struct recording *past)
{
    struct releasing *releasing = argument;

    film_release(film);
    recording_destroy(past);
    releasing->kept = *kept;
    uv_sem_post(&releasing->done);
}

/* Why a room is given away. */
enum giving {
    GIVING_TO_PEOPLE, /* of another node; only a bare room: see room_is_bare() */
    GIVING_ALL,       /* this node ends */
};

/* Takes the room out of the hub. Returns false if it has ended, or stays. */
static bool release_room(struct keeper *keeper, const char *code, enum giving why,
                         struct store_room *kept)
{
    struct releasing releasing = {0};
    bool asked;

    if (uv_sem_init(&releasing.done, 0) != 0) {
        return false;
    }
    asked = why == GIVING_ALL ? hub_release_room(keeper->hub, code, on_released, &releasing)
                              : hub_release_bare_room(keeper->hub, code, on_released, &releasing);
    if (asked) {
        uv_sem_wait(&releasing.done);
    }
    uv_sem_destroy(&releasing.done);
    *kept = releasing.kept;
    return asked && kept->state != NULL;
}

static void tell_heir(struct keeper *keeper, const char *code, const struct routes_node *heir,
                      const struct route_value *value)
{
    struct room_take take = {.route = *value};
    char subject[BROKER_SUBJECT_MAX];
    uint8_t bytes[VALUES_MAX];
    struct route route;

    if (routes_find(keeper->routes, code, &route)) {
        take.revision = route.epoch;
        memcpy(take.code, route.code, sizeof take.code);
        snprintf(subject, sizeof subject, "take.%s", heir->beat.name);
        (void)broker_publish(keeper->definition.broker, BROKER_CONTROL, subject, NULL, bytes,
                             values_write_take(&take, bytes));
    }
}

/* Gives the key of a released room to the heir, once its last state is written. */
static bool give_key(struct keeper *keeper, const struct route *route,
                     const struct routes_node *heir, uint32_t patience)
{
    struct route_value value = {.incarnation = heir->beat.incarnation};

    memcpy(value.owner, heir->beat.name, sizeof value.owner);
    if (!checkpoints_finish(keeper->checkpoints, route->code, patience) ||
        keeper_set_route(keeper, route->code, &value, route->epoch) != BROKER_OK) {
        return false;
    }
    tell_heir(keeper, route->code, heir, &value);
    return true;
}

/* The room stays: its state goes back to the hub. */
static void take_back(struct keeper *keeper, const struct store_room *kept)
{
    struct hub_made made;

    log_warn("room %s stays here: it cannot be given away now", kept->code);
    if (hub_adopt(keeper->hub, kept, NULL, NULL, true, &made) == DIRECTORY_OK) {
        (void)routes_set_here(keeper->routes, kept->code, ROUTES_RUNS);
    } else {
        keeper_note_gone(keeper, kept->code, ROUTES_STUCK);
    }
}

/* Gives a room to that node. Returns false if it stays. */
static bool give_room(struct keeper *keeper, const struct route *route,
                      const struct routes_node *heir, enum giving why)
{
    const uint32_t patience = why == GIVING_ALL ? FINISH_TIME : MOVE_TIME;
    struct store_room kept;
    bool given;

    (void)routes_set_here(keeper->routes, route->code, ROUTES_GIVING);
    if (!release_room(keeper, route->code, why, &kept)) {
        struct directory_entry entry;
        if (directory_find(hub_directory(keeper->hub), route->code, &entry)) {
            (void)routes_set_here(keeper->routes, route->code, ROUTES_RUNS);
            return false;
        }
        return true; /* it has ended */
    }
    given = give_key(keeper, route, heir, patience);
    if (given) {
        cluster_count(&keeper->definition.counts->handovers, 1);
        keeper_note_gone(keeper, route->code, ROUTES_AWAY);
    } else {
        take_back(keeper, &kept);
    }
    free(kept.state);
    return given;
}

/* ---- rooms that their people want elsewhere ---- */

void keeper_want(struct keeper *keeper, const char *code, uint32_t people)
{
    struct keeper_job *job = keeper_make_job(code);

    if (job != NULL) {
        job->want.people = people;
    }
    (void)keeper_push_job(keeper, &keeper->wants, job); /* else the room stays where it is */
}

void keeper_ask_for_rooms(struct keeper *keeper)
{
    struct keeper_job *job;

    while ((job = keeper_take_job(keeper, &keeper->wants)) != NULL) {
        struct room_want *want = &job->want;
        char subject[BROKER_SUBJECT_MAX];
        uint8_t bytes[VALUES_MAX];
        struct routes_node owner;
        if (keeper_stands(keeper) &&
            routes_wants(keeper->routes, job->code, want->people, keeper_now(), &owner)) {
            memcpy(want->code, job->code, sizeof want->code);
            snprintf(want->node, sizeof want->node, "%s", keeper->definition.node);
            snprintf(subject, sizeof subject, "want.%s", owner.beat.name);
            (void)broker_publish(keeper->definition.broker, BROKER_CONTROL, subject, NULL, bytes,
                                 values_write_want(want, bytes));
        }
        free(job);
    }
}

void keeper_take_want(void *argument, const struct broker_message *message)
{
    struct keeper *keeper = argument;
    struct room_want want;
    struct keeper_job *job;

    if (!values_read_want(message->bytes, message->size, &want) || want.people == 0) {
        cluster_count(&keeper->definition.counts->malformed, 1);
        return;
    }
    job = atomic_load(&keeper->gives) < KEEPER_GIVES_MAX ? keeper_make_job(want.code) : NULL;
    if (job != NULL) {
        job->want = want;
        atomic_fetch_add(&keeper->gives, 1);
    }
    (void)keeper_push_job(keeper, &keeper->loads, job);
}

/* Returns whether the room may be given away; then end_giving() must be called. */
static bool begin_giving(struct keeper *keeper, const struct room_want *want, struct route *route,
                         struct routes_node *heir)
{
    const uint64_t settled = keeper->definition.settled;
    const uint64_t renewals = (settled > 0 ? settled : SETTLED) / LEASE_PERIOD;
    bool gives;

    uv_mutex_lock(&keeper->lock);
    gives = !keeper->gives_all && lease_stands(&keeper->lease, keeper_now()) &&
            routes_gives(keeper->routes, want->code, want->node, renewals, keeper_now(),
                         &keeper->lease, route, heir);
    keeper->giving = gives;
    uv_mutex_unlock(&keeper->lock);
    return gives;
}

static void end_giving(struct keeper *keeper)
{
    uv_mutex_lock(&keeper->lock);
    keeper->giving = false;
    uv_cond_broadcast(&keeper->changed);
    uv_mutex_unlock(&keeper->lock);
}

void keeper_give_wanted(struct keeper *keeper, const struct room_want *want)
{
    struct directory_entry entry;
    struct routes_node heir;
    struct route route;

    if (!begin_giving(keeper, want, &route, &heir)) {
        return;
    }
    if (directory_find(hub_directory(keeper->hub), want->code, &entry) &&
        entry.people <= want->people) {
        (void)give_room(keeper, &route, &heir, GIVING_TO_PEOPLE);
    }
    end_giving(keeper);
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

void keeper_drain(struct keeper *keeper, double patience)
{
    const uint64_t end = keeper_now() + (uint64_t)(patience * 1e6);
    const bool has_rooms = keeper->hub != NULL && keeper->checkpoints != NULL;
    struct routes_node heir;
    struct route route;

    atomic_store(&keeper->draining, true);
    stop_giving(keeper);
    routes_begin_drain(keeper->routes);
    while (has_rooms && keeper_now() < end && keeper_stands(keeper) &&
           routes_next_mine(keeper->routes, &route) &&
           routes_heir(keeper->routes, route.code, keeper_now(), &heir)) {
        if (!give_room(keeper, &route, &heir, GIVING_ALL)) {
            uv_sleep(RETRY_TIME);
        }
    }
    uv_mutex_lock(&keeper->hub_lock);
    keeper->resting = true;
    uv_mutex_unlock(&keeper->hub_lock);
}
