/* Parcels: films and pasts of rooms that go from a node which ends to their next owners. A film
 * comes before its room, so that the room plays it on at once; a past comes when its room runs. The
 * receiver trusts no byte of them: see film_open.h and saved_past.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/thread_name.h"
#include "base/thread_priority.h"
#include "cluster/keeper_parts.h"
#include "hub/hub.h"
#include "past/earlier_past.h"
#include "past/film.h"
#include "past/film_open.h"
#include "past/history.h"
#include "past/history_budget.h"

/* ms. */
#define ROOM_TIME  1000u  /* until the room of a past runs here */
#define ROOM_PAUSE 10u    /* between two looks whether it does */
#define WAY_TIME   500u   /* until rooms that give way have ended */
#define FILM_TIME  30000u /* that a film waits for its room */
#define LOOK_PAUSE 1000u  /* between two looks at films that wait */

#define MS_NS UINT64_C(1000000) /* ns in a ms */
#define MS_US UINT64_C(1000)    /* µs in a ms */

#define LEAST_BYTES ((size_t)(16u << 10)) /* that a past needs: fewer are not worth reading it */

const struct saved_past_limits keeper_past_limits = {.seconds = UINT32_MAX,
                                                     .bytes = HISTORY_BYTES_MAX};

/* A parcel that waits to be received. */
struct parcel_job {
    struct list_item item;
    struct room_parcel parcel;
};

/* A film that waits for its room. */
struct early_film {
    struct list_item item;
    char code[PROTO_ROOM_MAX + 1];
    struct film *film;
    uint64_t until; /* µs */
};

/* ---- what is heard; for the broker's delivery ---- */

/* Notes the announcement. Returns false if it comes again. Needs the lock. */
static bool is_announced_anew(struct keeper *keeper, uint64_t number)
{
    for (uint32_t i = 0; i < KEEPER_PARCELS_HEARD; i++) {
        if (keeper->parcel_numbers[i] == number) {
            return false;
        }
    }
    keeper->parcel_numbers[keeper->parcel_next++ % KEEPER_PARCELS_HEARD] = number;
    return true;
}

static void take_parcel(struct keeper *keeper, const struct room_parcel *parcel)
{
    struct parcel_job *job = calloc(1, sizeof *job);

    if (job == NULL) {
        return; /* the sender waits in vain */
    }
    job->parcel = *parcel;
    uv_mutex_lock(&keeper->lock);
    if (keeper->parcel_count < KEEPER_PARCELS_MAX && is_announced_anew(keeper, parcel->number)) {
        keeper->parcel_count++;
        list_append(&keeper->parcels, &job->item);
        uv_cond_broadcast(&keeper->changed);
        job = NULL;
    }
    uv_mutex_unlock(&keeper->lock);
    free(job);
}

bool keeper_hear_parcel(struct keeper *keeper, const struct broker_message *message)
{
    struct parcel_answer answer;
    struct room_parcel parcel;

    if (values_read_answer(message->bytes, message->size, &answer)) {
        keeper_hear_answer(keeper, &answer);
        return true;
    }
    if (!values_read_parcel(message->bytes, message->size, &parcel) || parcel.size == 0 ||
        parcel.size > KEEPER_PARCEL_MAX) {
        return false;
    }
    take_parcel(keeper, &parcel);
    return true;
}

/* ---- receiving ---- */

/* Returns the hub's limits for the film. The caller releases the budget. The budget is NULL if the
 * hub rests or memory runs out. */
static struct hub_arrival expect(struct keeper *keeper, const struct room_parcel *parcel)
{
    struct hub_arrival arrival = {0};

    uv_mutex_lock(&keeper->hub_lock);
    if (!keeper->resting) {
        arrival =
            hub_expect(keeper->hub, parcel->code, parcel->creator, parcel->trusted, parcel->size);
    }
    uv_mutex_unlock(&keeper->hub_lock);
    return arrival;
}

static void warn(const struct room_parcel *parcel, const char *why)
{
    log_warn("the %s of room %s does not come from node %s: %s",
             parcel->is_film ? "recording" : "past", parcel->code, parcel->node, why);
}

/* Returns the bytes of the parcel, malloc'ed, or NULL. *result: then PARCEL_BROKEN, if its parts do
 * not come. */
static uint8_t *read_bytes(struct keeper *keeper, const struct room_parcel *parcel,
                           enum parcel_result *result)
{
    uint8_t *bytes = malloc(parcel->size);

    if (bytes != NULL && !keeper_read_parcel(keeper, parcel, bytes)) {
        *result = PARCEL_BROKEN;
        warn(parcel, "its parts do not come");
        free(bytes);
        return NULL;
    }
    return bytes;
}

/* ---- films ---- */

/* Whether the sender has the room. */
static bool expects_film(struct keeper *keeper, const struct room_parcel *parcel)
{
    struct route route;

    return routes_find(keeper->routes, parcel->code, &route) && !route.ended && !route.mine &&
           strcmp(route.owner, parcel->node) == 0 && route.epoch == parcel->epoch &&
           keeper_stands(keeper) && !atomic_load(&keeper->draining);
}

/* Takes the film's memory. Waits if rooms give way to the film, until they have ended. */
static bool take_memory(const struct hub_arrival *arrival, size_t size)
{
    bool taken = history_budget_take(arrival->budget, size);

    for (uint32_t waited = 0; !taken && arrival->makes_way && waited < WAY_TIME; waited++) {
        uv_sleep(1);
        taken = history_budget_take(arrival->budget, size);
    }
    return taken;
}

/* Returns a checked film of the parcel, or NULL. */
static struct film *open_film(struct keeper *keeper, const struct room_parcel *parcel,
                              const struct hub_arrival *arrival, enum parcel_result *result)
{
    struct proto_error error = {0};
    struct film *film;
    uint8_t *bytes;

    if (!take_memory(arrival, parcel->size)) {
        warn(parcel, "there is no memory for it (--rewind-memory, --room-memory)");
        return NULL;
    }
    bytes = read_bytes(keeper, parcel, result);
    if (bytes == NULL) {
        history_budget_give(arrival->budget, parcel->size);
        return NULL;
    }
    film = film_open_taken(
        bytes, parcel->size,
        &(struct recording_limits){.boids = arrival->boids_max, .people = arrival->people_max},
        arrival->budget, &error);
    if (film == NULL) {
        warn(parcel, error.message);
    }
    return film;
}

static void free_early(struct early_film *early)
{
    if (early != NULL) {
        film_release(early->film);
        free(early);
    }
}

/* Returns the film that waits for the room; NULL: none. code NULL: of any room whose film has
 * waited for too long. Needs the lock. */
static struct early_film *take_early(struct keeper *keeper, const char *code, uint64_t now)
{
    for (struct list_item *item = keeper->films.first; item != NULL; item = item->next) {
        struct early_film *early = list_entry(item, struct early_film, item);
        if (code != NULL ? strcmp(early->code, code) == 0 : early->until <= now) {
            list_remove(&keeper->films, item);
            return early;
        }
    }
    return NULL;
}

void keeper_keep_film(struct keeper *keeper, const char *code, struct film *film)
{
    struct early_film *early = calloc(1, sizeof *early);
    struct early_film *before;

    if (early == NULL) {
        film_release(film);
        return;
    }
    early->film = film;
    early->until = keeper_now() + FILM_TIME * MS_US;
    snprintf(early->code, sizeof early->code, "%s", code);
    uv_mutex_lock(&keeper->lock);
    before = take_early(keeper, code, 0);
    list_append(&keeper->films, &early->item);
    uv_mutex_unlock(&keeper->lock);
    free_early(before);
}

struct film *keeper_take_film(struct keeper *keeper, const char *code)
{
    struct early_film *early;
    struct film *film;

    uv_mutex_lock(&keeper->lock);
    early = take_early(keeper, code, 0);
    uv_mutex_unlock(&keeper->lock);
    film = early != NULL ? film_hold(early->film) : NULL;
    free_early(early);
    return film;
}

static enum parcel_result receive_film(struct keeper *keeper, const struct room_parcel *parcel)
{
    enum parcel_result result = PARCEL_REFUSED;
    struct hub_arrival arrival;
    struct film *film;

    if (!expects_film(keeper, parcel)) {
        warn(parcel, "that node does not have the room");
        return PARCEL_REFUSED;
    }
    arrival = expect(keeper, parcel);
    if (arrival.budget == NULL) {
        warn(parcel, "this node ends, or has no memory");
        return PARCEL_REFUSED;
    }
    film = open_film(keeper, parcel, &arrival, &result);
    history_budget_release(arrival.budget);
    if (film == NULL) {
        return result;
    }
    keeper_keep_film(keeper, parcel->code, film);
    return PARCEL_TAKEN;
}

/* ---- pasts ---- */

/* Whether the sender gave this node the room, which it keeps. */
static bool expects_past(struct keeper *keeper, const struct room_parcel *parcel)
{
    return routes_came_from(keeper->routes, parcel->code, parcel->node, parcel->epoch) &&
           parcel->size <= keeper_past_limits.bytes && !atomic_load(&keeper->draining);
}

/* Waits until the room runs here. */
static bool await_room(struct keeper *keeper, const struct room_parcel *parcel)
{
    const uint64_t end = keeper_now() + ROOM_TIME * MS_US;
    enum routes_here here;

    while ((here = routes_here(keeper->routes, parcel->code)) != ROUTES_RUNS) {
        if (here == ROUTES_STUCK || keeper_now() >= end || keeper_is_stopping(keeper) ||
            !expects_past(keeper, parcel)) {
            return false;
        }
        uv_sleep(ROOM_PAUSE);
    }
    return true;
}

/* A question to a room's runner, until it has answered. */
struct asking {
    uv_sem_t done;
    struct hub_arrival arrival;
    bool taken;
};

static void on_past_asked(void *argument, const struct hub_arrival *arrival)
{
    struct asking *asking = argument;

    asking->arrival = *arrival;
    uv_sem_post(&asking->done);
}

static void on_past_taken(void *argument, bool taken)
{
    struct asking *asking = argument;

    asking->taken = taken;
    uv_sem_post(&asking->done);
}

/* Gives the room the past; past NULL: asks it for its limits. Waits for the answer. */
static struct asking ask_room(struct keeper *keeper, const struct room_parcel *parcel,
                              struct earlier_past *past)
{
    struct asking asking = {.taken = false};
    bool asked = false;

    if (uv_sem_init(&asking.done, 0) != 0) {
        return asking;
    }
    uv_mutex_lock(&keeper->hub_lock);
    if (!keeper->resting && expects_past(keeper, parcel)) {
        asked = past != NULL
                    ? hub_give_past(keeper->hub, parcel->code, past, on_past_taken, &asking)
                    : hub_ask_past(keeper->hub, parcel->code, on_past_asked, &asking);
    }
    uv_mutex_unlock(&keeper->hub_lock);
    if (asked) {
        uv_sem_wait(&asking.done);
    }
    uv_sem_destroy(&asking.done);
    return asking;
}

/* Returns the checked past of the parcel, or NULL. */
static struct recording *open_past(struct keeper *keeper, const struct room_parcel *parcel,
                                   uint32_t boids_max, enum parcel_result *result)
{
    uint8_t *bytes = read_bytes(keeper, parcel, result);
    struct proto_error error = {0};
    struct recording *past;

    if (bytes == NULL) {
        return NULL;
    }
    past = saved_past_read(bytes, parcel->size, &keeper_past_limits, boids_max, &error);
    if (past == NULL) {
        warn(parcel, error.message);
    }
    return past;
}

/* Returns the past of the parcel in parts that the room can take, or NULL. All limits count the
 * parcel's bytes while it is read and checked. While it is copied, the room's own limit counts the
 * copies alone: otherwise no past of more than half of --room-memory would fit. */
static struct earlier_past *make_past(struct keeper *keeper, const struct room_parcel *parcel,
                                      const struct hub_arrival *arrival, enum parcel_result *result)
{
    struct history_budget *const above = arrival->budget->parent;
    struct earlier_past *made = NULL;
    struct recording *past;

    history_budget_lend(arrival->budget, parcel->size);
    past = open_past(keeper, parcel, arrival->boids_max, result);
    history_budget_return(arrival->budget, parcel->size);
    if (past == NULL) {
        return NULL;
    }
    history_budget_lend(above, parcel->size);
    made = earlier_past_create(past, arrival->budget);
    recording_destroy(past);
    history_budget_return(above, parcel->size);
    if (made == NULL) {
        warn(parcel, "there is no memory for it (--rewind-memory, --room-memory)");
    }
    return made;
}

/* Whether the budget has bytes for some of the past, and for reading it. */
static bool has_memory(const struct room_parcel *parcel, const struct hub_arrival *arrival)
{
    const size_t least = parcel->size < LEAST_BYTES ? parcel->size : LEAST_BYTES;

    if (history_budget_lent_option(arrival->budget) != NULL ||
        !history_budget_fits(arrival->budget, least)) {
        warn(parcel, "there is no memory for it (--rewind-memory, --room-memory)");
        return false;
    }
    return true;
}

static enum parcel_result receive_past(struct keeper *keeper, const struct room_parcel *parcel)
{
    enum parcel_result result = PARCEL_REFUSED;
    struct hub_arrival arrival;
    struct earlier_past *past;

    if (!expects_past(keeper, parcel)) {
        warn(parcel, "this node does not have the room from that node");
        return PARCEL_REFUSED;
    }
    if (!await_room(keeper, parcel)) {
        warn(parcel, "the room does not run here");
        return PARCEL_REFUSED;
    }
    arrival = ask_room(keeper, parcel, NULL).arrival;
    if (arrival.budget == NULL) {
        warn(parcel, "the room keeps no past here");
        return PARCEL_REFUSED;
    }
    if (has_memory(parcel, &arrival)) {
        past = make_past(keeper, parcel, &arrival, &result);
        if (past != NULL && ask_room(keeper, parcel, past).taken) {
            result = PARCEL_TAKEN;
        }
        earlier_past_destroy(past);
    }
    history_budget_release(arrival.budget);
    return result;
}

/* ---- the thread ---- */

void keeper_run_porter(void *argument)
{
    struct keeper *keeper = argument;

    name_thread("porter");
    lower_priority();
    uv_mutex_lock(&keeper->lock);
    while (!keeper->stopping) {
        struct parcel_job *job = list_entry(list_take(&keeper->parcels), struct parcel_job, item);
        struct early_film *late = take_early(keeper, NULL, keeper_now());
        keeper->parcel_count -= job != NULL;
        if (job == NULL && late == NULL) {
            (void)uv_cond_timedwait(&keeper->changed, &keeper->lock, LOOK_PAUSE * MS_NS);
            continue;
        }
        uv_mutex_unlock(&keeper->lock);
        free_early(late);
        if (job != NULL) {
            const struct room_parcel *parcel = &job->parcel;
            keeper_answer_parcel(
                keeper, parcel,
                parcel->is_film ? receive_film(keeper, parcel) : receive_past(keeper, parcel), 0);
        }
        free(job);
        uv_mutex_lock(&keeper->lock);
    }
    uv_mutex_unlock(&keeper->lock);
}

void keeper_free_parcels(struct keeper *keeper)
{
    struct list_item *item;

    while ((item = list_take(&keeper->parcels)) != NULL) {
        free(list_entry(item, struct parcel_job, item));
    }
    while ((item = list_take(&keeper->films)) != NULL) {
        free_early(list_entry(item, struct early_film, item));
    }
}
