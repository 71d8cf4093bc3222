/* Rooms that a node gives to others: when it ends, or when their people are elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cluster/keeper_parts.h"
#include "cluster/parcel.h"
#include "hub/hub.h"
#include "past/film.h"
#include "past/history_budget.h"

#define FINISH_TIME 5000u /* ms that a room's last checkpoint may take */
#define RETRY_TIME  100u  /* ms until a room that could not be given away is tried again */
#define MOVE_TIME   300u  /* ms that the last checkpoint of a room may take which its people want */
#define SETTLED     UINT64_C(60000000) /* µs: see struct keeper_definition */

#define PARCEL_TIME   UINT64_C(2000000000) /* ns that a film or a past may take, … */
#define PARCEL_NS_MIB UINT64_C(250000000)  /* … and more for each MiB */
#define FILMS_PART    0.5                  /* of a node's patience: films are sent */
#define PASTS_PART    0.75                 /* and pasts */

/* A room that its runner gives up. */
struct releasing {
    uv_sem_t done;
    struct store_room kept;
    struct film *film;
    struct recording *past;
};

static void on_released(void *argument, const struct store_room *kept, struct film *film,
                        struct recording *past)
{
    struct releasing *releasing = argument;

    releasing->kept = *kept;
    releasing->film = film;
    releasing->past = past;
    uv_sem_post(&releasing->done);
}

/* Why a room is given away. */
enum giving {
    GIVING_TO_PEOPLE, /* of another node; only a bare room: see room_is_bare() */
    GIVING_ALL,       /* this node ends */
};

/* Asks the room's runner, and waits. Returns false if it could not be asked. */
static bool ask_runner(struct keeper *keeper, const char *code,
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
    return ask_runner(keeper, code, why == GIVING_ALL ? hub_release_room : hub_release_bare_room,
                      releasing) &&
           releasing->kept.state != NULL;
}

static void finish_releasing(struct releasing *releasing)
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

/* Gives a room to that node. Returns false if it stays. released: gets what the room was, to be
 * finished. */
static bool give_room(struct keeper *keeper, const struct route *route,
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
        (void)give_room(keeper, &route, &heir, GIVING_TO_PEOPLE, &released);
        finish_releasing(&released);
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

/* A room that another node has, and its past, which follows when all rooms are given. */
struct leaving {
    struct list_item item;
    struct room_parcel parcel;
    struct routes_node heir;
    struct recording *past;
};

/* Times are ns (uv_hrtime()). */
struct draining {
    struct keeper *keeper;
    uint64_t films_end, pasts_end; /* no parcel is sent afterwards */
    struct list leaving;           /* struct leaving */
    size_t most;                   /* bytes of the biggest parcel */
    char lost[NODE_NAME_MAX + 1];  /* a node that ends or has ended: it gets no more films, or
                                    * no more pasts */
    struct list filmed;            /* struct filmed */
};

/* A room whose film was sent, for the case that the room stays and is tried again. */
struct filmed {
    struct list_item item;
    char code[PROTO_ROOM_MAX + 1];
    uint64_t heir; /* the incarnation of the receiver */
};

static uint64_t parcel_end(size_t size, uint64_t end)
{
    const uint64_t most = uv_hrtime() + PARCEL_TIME + (size >> 20) * PARCEL_NS_MIB;

    return most < end ? most : end;
}

static bool send_parcel(struct draining *draining, const struct room_parcel *parcel,
                        const struct routes_node *heir, const uint8_t *bytes, uint64_t end)
{
    enum parcel_result result;

    if (strcmp(draining->lost, heir->beat.name) == 0 || uv_hrtime() >= end) {
        return false;
    }
    draining->most = parcel->size > draining->most && parcel->size <= PARCEL_BYTES_MAX
                         ? parcel->size
                         : draining->most;
    result =
        keeper_send_parcel(draining->keeper, parcel, heir, bytes, parcel_end(parcel->size, end));
    if (result == PARCEL_LOST) {
        memcpy(draining->lost, heir->beat.name, sizeof draining->lost);
    }
    return result == PARCEL_TAKEN;
}

/* Whether the heir had the room's film before. Notes that it has it now. */
static bool note_film(struct draining *draining, const char *code, const struct routes_node *heir)
{
    struct filmed *filmed;

    for (struct list_item *item = draining->filmed.first; item != NULL; item = item->next) {
        filmed = list_entry(item, struct filmed, item);
        if (strcmp(filmed->code, code) == 0 && filmed->heir == heir->beat.incarnation) {
            return true;
        }
    }
    filmed = calloc(1, sizeof *filmed);
    if (filmed != NULL) {
        snprintf(filmed->code, sizeof filmed->code, "%s", code);
        filmed->heir = heir->beat.incarnation;
        list_append(&draining->filmed, &filmed->item);
    }
    return false;
}

/* Sends the film that the room plays to its next owner, while the room continues here. Does nothing
 * without a film, and for a film that was sent before. */
static void send_film(struct draining *draining, const struct route *route,
                      const struct routes_node *heir)
{
    struct room_parcel parcel = {.epoch = route->epoch, .is_film = true};
    struct releasing held;

    if (!ask_runner(draining->keeper, route->code, hub_hold_film, &held) || held.film == NULL) {
        return;
    }
    memcpy(parcel.code, route->code, sizeof parcel.code);
    parcel.trusted = held.kept.trusted;
    parcel.creator = held.kept.creator;
    parcel.size = held.film->size;
    if (!note_film(draining, route->code, heir) &&
        !send_parcel(draining, &parcel, heir, held.film->bytes, draining->films_end)) {
        log_warn("room %s continues without its recording: node %s does not take it", route->code,
                 heir->beat.name);
    }
    finish_releasing(&held);
}

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

static bool send_past(struct draining *draining, struct leaving *leaving)
{
    size_t size = 0;
    uint8_t *bytes = uv_hrtime() < draining->pasts_end
                         ? saved_past_write(leaving->past, &keeper_past_limits, &size)
                         : NULL;
    bool sent = false;

    if (bytes != NULL) {
        struct history_budget *budget = hub_history_budget(draining->keeper->hub);
        leaving->parcel.size = size;
        history_budget_lend(budget, size);
        sent = send_parcel(draining, &leaving->parcel, &leaving->heir, bytes, draining->pasts_end);
        history_budget_return(budget, size);
    }
    free(bytes);
    return sent;
}

/* Sends the pasts of the rooms in the order in which the rooms were given away. */
static void send_pasts(struct draining *draining)
{
    struct leaving *leaving;
    uint32_t sent = 0;
    uint32_t lost = 0;

    draining->lost[0] = '\0';
    while ((leaving = list_entry(list_take(&draining->leaving), struct leaving, item)) != NULL) {
        const bool done = send_past(draining, leaving);
        sent += done;
        lost += !done;
        recording_destroy(leaving->past);
        free(leaving);
    }
    if (sent + lost > 0) {
        log_info("pasts that followed their rooms to other nodes: %u; that did not: %u", sent,
                 lost);
    }
    if (draining->most > 0) {
        (void)parcel_drop(draining->keeper->definition.broker, draining->keeper->definition.node,
                          draining->most);
    }
}

static void forget_films(struct draining *draining)
{
    struct list_item *item;

    while ((item = list_take(&draining->filmed)) != NULL) {
        free(list_entry(item, struct filmed, item));
    }
}

/* Gives a room to that node, with all that it has. */
static void give_whole_room(struct draining *draining, const struct route *route,
                            const struct routes_node *heir)
{
    struct releasing released = {0};

    send_film(draining, route, heir);
    if (!give_room(draining->keeper, route, heir, GIVING_ALL, &released)) {
        uv_sleep(RETRY_TIME);
    } else {
        let_past_follow(draining, heir, &released);
    }
    finish_releasing(&released);
}

void keeper_drain(struct keeper *keeper, double patience)
{
    const uint64_t end = keeper_now() + (uint64_t)(patience * 1e6);
    const bool has_rooms = keeper->hub != NULL && keeper->checkpoints != NULL;
    struct draining draining = {.keeper = keeper};
    struct routes_node heir;
    struct route route;

    draining.films_end = uv_hrtime() + (uint64_t)(patience * FILMS_PART * 1e9);
    draining.pasts_end = uv_hrtime() + (uint64_t)(patience * PASTS_PART * 1e9);
    atomic_store(&keeper->draining, true);
    stop_giving(keeper);
    routes_begin_drain(keeper->routes);
    while (has_rooms && keeper_now() < end && keeper_stands(keeper) &&
           routes_next_mine(keeper->routes, &route) &&
           routes_heir(keeper->routes, route.code, keeper_now(), &heir)) {
        give_whole_room(&draining, &route, &heir);
    }
    send_pasts(&draining);
    forget_films(&draining);
    uv_mutex_lock(&keeper->hub_lock);
    keeper->resting = true;
    uv_mutex_unlock(&keeper->hub_lock);
}
