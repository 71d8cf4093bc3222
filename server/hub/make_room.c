/* Making the rooms of a hub. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "hub/inside.h"
#include "past/film.h"
#include "room/rewind.h"
#include "room/room_state.h"

static uint32_t least_loaded(const struct hub *hub)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < hub->runner_count; i++) {
        if (runner_weight(hub->runners[i]) < runner_weight(hub->runners[best])) {
            best = i;
        }
    }
    return best;
}

void hub_complete(const struct hub *hub, struct room_definition *definition)
{
    const struct room_definition *lobby = &hub->definition.lobby;

    definition->instance = hub->instance;
    definition->tick_rate = lobby->tick_rate;
    definition->snapshot_rate = lobby->snapshot_rate;
    definition->cursor_timeout = lobby->cursor_timeout;
    definition->tick_limit = lobby->tick_limit;
    definition->rewind = lobby->rewind;
    definition->open_controls = lobby->open_controls;
    definition->people_spare = lobby->people_spare;
    definition->capability_count = lobby->capability_count;
    memcpy(definition->capabilities, lobby->capabilities, sizeof definition->capabilities);
}

static bool is_lobby(const struct directory_entry *entry)
{
    return strcmp(entry->code, ROOM_LOBBY) == 0;
}

/* Fills the public facts of a new room. */
static void fill_facts(struct directory_entry *entry, const struct room *room)
{
    const struct room_definition *definition = room_definition_of(room);
    struct room_facts facts = room_facts(room);

    snprintf(entry->title, sizeof entry->title, "%s", facts.title);
    entry->model = facts.model;
    entry->preset = facts.preset;
    entry->boids = facts.boids;
    entry->locked = facts.locked;
    /* With open controls, every member is a presenter. */
    entry->trusted = !definition->open_controls && (is_lobby(entry) || definition->trusted);
}

/* Chooses the runner and completes the definition of the room that has the entry. */
static struct runner *prepare_runner(struct hub *hub, struct room_definition *definition,
                                     struct directory_entry *entry)
{
    entry->runner = least_loaded(hub);
    definition->number = entry->number;
    definition->budget = &hub->budget;
    definition->history_budget = &hub->history_budget;
    definition->tries = hub->tries;
    memcpy(definition->code, entry->code, sizeof definition->code);
    return hub->runners[entry->runner];
}

/* Starts a room that was made. */
static enum directory_result start_room(struct hub *hub, struct runner *runner,
                                        struct directory_entry *entry, struct runner_room *room)
{
    fill_facts(entry, room->room);
    room->listed = entry->listed;
    room->fingerprint = room->lasts ? hub->definition.fingerprint : 0;
    if (!runner_room_take(runner, room)) {
        runner_room_drop(room);
        return DIRECTORY_NO_MEMORY;
    }
    directory_open(hub->directory, entry); /* a join that finds the room arrives after it */
    return DIRECTORY_OK;
}

enum directory_result hub_make_room(struct hub *hub, struct room_definition *definition,
                                    struct directory_entry *entry, const struct store_room *kept,
                                    struct film *film, char *what, size_t capacity)
{
    struct runner *runner = prepare_runner(hub, definition, entry);
    struct runner_room *room =
        kept != NULL ? runner_room_restore(runner, definition, kept, film, what, capacity)
                     : runner_room_make(runner, definition, is_lobby(entry));

    if (room != NULL && film != NULL) {
        indexer_add(hub->indexer, film);
    }
    return room != NULL ? start_room(hub, runner, entry, room) : DIRECTORY_NO_MEMORY;
}

/* A film that the store must still write, perhaps after the hub is destroyed. */
struct kept_film {
    struct hub *hub; /* the film returns its bytes to this hub's history budget */
    struct film *film;
};

static void release_film(void *memory)
{
    struct kept_film *kept = memory;

    film_release(kept->film);
    hub_release(kept->hub);
    free(kept);
}

/* Gives the film to the store. Returns false when memory runs out. */
static bool keep_film(struct hub *hub, const char *code, struct film *film)
{
    struct kept_film *kept = malloc(sizeof *kept);
    const struct store_recording recording = {
        .bytes = film->bytes, .size = film->size, .release = release_film, .memory = kept};

    if (kept == NULL) {
        return false;
    }
    atomic_fetch_add(&hub->holders, 1);
    *kept = (struct kept_film){.hub = hub, .film = film_hold(film)};
    return store_put_recording(hub->definition.store, code, &recording);
}

enum directory_result hub_make_begun_room(struct hub *hub, struct room_definition *definition,
                                          struct directory_entry *entry,
                                          const struct hub_origin *origin,
                                          struct proto_error *error)
{
    struct runner *runner = prepare_runner(hub, definition, entry);
    struct runner_room *room =
        runner_room_begin(runner, definition, origin, is_lobby(entry), error);

    if (room == NULL) {
        return DIRECTORY_REFUSED;
    }
    if (origin->film != NULL) {
        /* The lobby's film is read from --replay at each start. */
        if (hub->definition.store != NULL && !is_lobby(entry) &&
            !keep_film(hub, entry->code, origin->film)) {
            log_warn("the room %s will not play its recording after a restart: out of memory",
                     entry->code);
        }
        indexer_add(hub->indexer, origin->film);
    }
    return start_room(hub, runner, entry, room);
}
