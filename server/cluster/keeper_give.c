/* Rooms that a node gives to others: when it ends (keeper_drain.c), or when their people are
 * elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cluster/keeper_parts.h"
#include "hub/hub.h"
#include "past/film.h"

#define FINISH_TIME 5000u /* ms that a room's last checkpoint may take */
#define MOVE_TIME   300u  /* ms that the last checkpoint of a room may take which its people want */
#define SETTLED     UINT64_C(60000000) /* µs: see struct keeper_definition */

static void on_released(void *argument, const struct store_room *kept, struct film *film,
                        struct recording *past)
{
    struct releasing *releasing = argument;

    releasing->kept = *kept;
    releasing->film = film;
    releasing->past = past;
    uv_sem_post(&releasing->done);
}

bool keeper_ask_runner(struct keeper *keeper, const char *code,
                       bool (*ask)(struct hub *hub, const char *code, hub_released *released,
                                   void *argument),
                       struct releasing *releasing)
{
    bool asked;

    *releasing = (struct releasing){.film = NULL};
    if (uv_sem_init(&releasing->done, 0) != 0) {
        return false;
    }
    asked = ask(keeper->hub, code, on_released, releasing);
    if (asked) {
        uv_sem_wait(&releasing->done);
    }
    uv_sem_destroy(&releasing->done);
    return asked;
}

/* Takes the room out of the hub. Returns false if it has ended, or stays. */
static bool release_room(struct keeper *keeper, const char *code, enum giving why,
                         struct releasing *releasing)
{
    return keeper_ask_runner(keeper, code,
                             why == GIVING_ALL ? hub_release_room : hub_release_bare_room,
                             releasing) &&
           releasing->kept.state != NULL;
}

void keeper_finish_releasing(struct releasing *releasing)
{
    free(releasing->kept.state);
    film_release(releasing->film);
    recording_destroy(releasing->past);
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

/* The room stays: all of it goes back to the hub. */
static void take_back(struct keeper *keeper, const struct releasing *releasing)
{
    const struct store_room *kept = &releasing->kept;
    struct hub_made made;

    log_warn("room %s stays here: it cannot be given away now", kept->code);
    if (hub_adopt(keeper->hub, kept, releasing->film, releasing->past, true, &made) ==
        DIRECTORY_OK) {
        (void)routes_set_here(keeper->routes, kept->code, ROUTES_RUNS);
    } else {
        keeper_note_gone(keeper, kept->code, ROUTES_STUCK);
    }
}

bool keeper_give_room(struct keeper *keeper, const struct route *route,
                      const struct routes_node *heir, enum giving why, struct releasing *released)
{
    const uint32_t patience = why == GIVING_ALL ? FINISH_TIME : MOVE_TIME;
    bool given;

    (void)routes_set_here(keeper->routes, route->code, ROUTES_GIVING);
    if (!release_room(keeper, route->code, why, released)) {
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
        take_back(keeper, released);
    }
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
    struct releasing released = {0};
    struct routes_node heir;
    struct route route;

    if (!begin_giving(keeper, want, &route, &heir)) {
        return;
    }
    if (directory_find(hub_directory(keeper->hub), want->code, &entry) &&
        entry.people <= want->people) {
        (void)keeper_give_room(keeper, &route, &heir, GIVING_TO_PEOPLE, &released);
        keeper_finish_releasing(&released);
    }
    end_giving(keeper);
}
