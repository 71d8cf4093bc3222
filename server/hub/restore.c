#include "hub/restore.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/refusal.h"
#include "past/film_open.h"
#include "past/saved_past.h"
#include "scene/saved.h"

#define S UINT64_C(1000000) /* µs */

struct restoring {
    struct hub *hub;
    uint64_t seconds;         /* wall clock at the start */
    unsigned rooms, left_out; /* restored; beyond --max-rooms */
    bool lobby_aside;         /* the lobby's state must be set aside */
};

static bool is_lobby(const struct store_room *kept)
{
    return strcmp(kept->code, ROOM_LOBBY) == 0;
}

static void rest_code(void *argument, const char *code, uint64_t until)
{
    const struct restoring *restoring = argument;
    struct hub *hub = restoring->hub;

    if (until > restoring->seconds) {
        directory_rest(hub->directory, code, hub_clock(hub) + (until - restoring->seconds) * S);
    }
}

/* Leaves the room in the store: another start may have higher limits, or another flockd may be able
 * to read it. No new room gets its code. */
static void leave_out(const struct hub *hub, const struct store_room *kept)
{
    directory_rest(hub->directory, kept->code, hub_clock(hub) + DIRECTORY_CODE_REST);
}

/* A new lobby takes the place of this one, and would get its past. */
static void set_lobby_aside(struct restoring *restoring, const struct store_room *kept)
{
    restoring->lobby_aside = true;
    store_drop_past(restoring->hub->definition.store, kept->code);
}

static void give_up(struct restoring *restoring, const struct store_room *kept, const char *why)
{
    bool lobby = is_lobby(kept);

    log_error("the room %s cannot be restored: %s; %s", kept->code, why,
              lobby ? "flockd moved its data to the table aside" : "its data stay in the database");
    if (lobby) {
        set_lobby_aside(restoring, kept);
    } else {
        leave_out(restoring->hub, kept);
    }
}

/* Charges the film to its room, and so to the room's creator. It may exceed the creator's share:
 * rooms that are restored in another order have what they had. */
static bool charge_film(const struct hub *hub, const struct store_room *kept, struct film *film,
                        struct proto_error *error)
{
    struct history_budget *budget =
        hub_budget_of(hub, kept->creator, kept->trusted, is_lobby(kept));
    bool fits = budget != NULL && (budget->bytes_max == 0 || film->size <= budget->bytes_max);

    if (fits) {
        film_charge(film, budget);
    } else {
        refuse_message(error, PROTO_E_FULL, "",
                       budget == NULL ? "out of memory"
                                      : "the recording has %zu bytes, more than --room-memory",
                       film->size);
    }
    history_budget_release(budget);
    return fits;
}

/* Returns the film that the room plays, or NULL if there is none or it cannot be played. Fills in
 * whether the store has one. */
static struct film *film_of(struct hub *hub, struct store_room *kept, uint32_t boids_max)
{
    size_t size = 0;
    uint8_t *bytes = store_recording(hub->definition.store, kept->code, &size);
    struct proto_error error;
    struct film *film;

    kept->plays = bytes != NULL;
    if (bytes == NULL) {
        return NULL;
    }
    film = film_open(bytes, size, &(struct recording_limits){.boids = boids_max},
                     hub->history_budget, &error);
    if (film != NULL && !charge_film(hub, kept, film, &error)) {
        film_release(film);
        film = NULL;
    }
    if (film == NULL) {
        log_warn("the room %s continues from the moment that it showed: %s", kept->code,
                 error.message);
    }
    return film;
}

/* Returns the past of the room, or NULL if there is none or it cannot be used. */
static struct recording *past_of(struct hub *hub, const char *code, uint32_t boids_max)
{
    size_t size = 0;
    uint8_t *bytes = store_past(hub->definition.store, code, &size);
    struct proto_error error;
    struct recording *past;

    if (bytes == NULL) {
        return NULL;
    }
    past = saved_past_read(bytes, size, &saved_past_stored, boids_max, &error);
    if (past == NULL) {
        log_warn("the room %s continues without its past: %s", code, error.message);
    }
    return past;
}

static void take_room(void *argument, const struct store_room *stored)
{
    struct restoring *restoring = argument;
    struct hub *hub = restoring->hub;
    struct store_room room = *stored;
    struct store_room *kept = &room;
    bool lobby = is_lobby(kept);
    uint32_t boids_max = lobby ? hub->definition.lobby.boids_max : hub->definition.room_boids;
    struct hub_made made;
    struct film *film;
    struct recording *past;

    if (!lobby) {
        (void)hub_have_lobby(hub); /* before other rooms take its place and its boids */
    }
    if (hub->definition.lobby.rewind == 0) {
        store_drop_past(hub->definition.store, kept->code);
    }
    if (lobby && hub->definition.film != NULL) {
        store_drop_past(hub->definition.store, kept->code);
        return;
    }
    if (lobby && kept->fingerprint != hub->definition.fingerprint) {
        log_info("the lobby begins again, because its options have changed");
        store_drop_past(hub->definition.store, kept->code);
        return;
    }
    film = film_of(hub, kept, boids_max);
    past = film == NULL ? past_of(hub, kept->code, boids_max) : NULL;
    switch (hub_restore_room(hub, kept, film, past, &made)) {
    case DIRECTORY_OK:
        restoring->rooms++;
        break;
    case DIRECTORY_FULL:
        restoring->left_out++;
        leave_out(hub, kept);
        break;
    case DIRECTORY_REFUSED:
        give_up(restoring, kept, made.error.message);
        break;
    default:
        give_up(restoring, kept, "its code is taken, or out of memory");
        break;
    }
    film_release(film);
    recording_destroy(past);
}

bool hub_restore(struct hub *hub)
{
    struct restoring restoring = {.hub = hub, .seconds = (uint64_t)time(NULL)};
    char text[STORE_REASON_MAX];
    bool read;

    if (hub->definition.store == NULL) {
        return true;
    }
    read = store_read(hub->definition.store, ROOM_LOBBY, take_room, rest_code, &restoring, text);
    if (restoring.lobby_aside) {
        store_set_aside(hub->definition.store, ROOM_LOBBY);
    }
    if (!read) {
        log_error("the rooms cannot be restored: %s", text);
        return false;
    }
    if (restoring.left_out > 0) {
        log_warn("%u rooms stay in the store and are not restored: --max-rooms is reached",
                 restoring.left_out);
    }
    log_info("rooms restored: %u", restoring.rooms);
    return store_start(hub->definition.store, saved_seal);
}
