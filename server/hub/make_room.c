/* Making the rooms of a hub. */
#include <stdlib.h>
#include <string.h>

#include "base/audit.h"
#include "base/key.h"
#include "base/log.h"
#include "hub/event.h"
#include "hub/inside.h"
#include "hub/way.h"
#include "past/film.h"
#include "scene/budget.h"
#include "scene/scene_state.h"

#define CLAIM_TRIES 8u    /* codes drawn until one is free in the cluster */
#define IDS_SKIPPED 1000u /* more people than can have joined since a node's last checkpoint */

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

/* Fills in the settings that the server gives to every room. */
static void complete_definition(const struct hub *hub, struct room_definition *definition)
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
    struct room_facts facts = room_facts(room);

    snprintf(entry->title, sizeof entry->title, "%s", facts.title);
    entry->model = facts.model;
    entry->preset = facts.preset;
    entry->people = facts.people;
    entry->boids = facts.boids;
    entry->locked = facts.locked;
    entry->key_made = facts.key_made;
    snprintf(entry->key, sizeof entry->key, "%s", facts.key);
    entry->trusted = runner_room_trusts(entry->code, room);
}

/* A film that the store must still write, perhaps after the hub is destroyed. */
struct kept_film {
    struct history_budget *budget; /* the film returns its bytes to it */
    struct film *film;
};

static void release_film(void *memory)
{
    struct kept_film *kept = memory;

    film_release(kept->film);
    history_budget_release(kept->budget);
    free(kept);
}

/* Gives the film to the store. Returns false when memory runs out. */
static bool keep_film(struct hub *hub, const struct runner_room *room, struct film *film)
{
    struct kept_film *kept = malloc(sizeof *kept);
    const struct store_recording recording = {.bytes = film->bytes,
                                              .size = film->size,
                                              .creator = room->made_by,
                                              .first = room->trusted,
                                              .release = release_film,
                                              .memory = kept};

    if (kept == NULL) {
        return false;
    }
    *kept =
        (struct kept_film){.budget = history_budget_hold(film->budget), .film = film_hold(film)};
    return store_put_recording(hub->definition.store, room->code, &recording);
}

/* Whether the store must keep the film of a new room: a cluster's store keeps none, and the lobby's
 * film is read from --replay at each start. */
static bool needs_film_kept(const struct hub *hub, const struct runner_room *room,
                            const struct room_origin *origin)
{
    return hub->definition.store != NULL && hub->definition.claim == NULL && !origin->continues &&
           strcmp(room->code, ROOM_LOBBY) != 0;
}

/* Has the film indexed, and stored with a new room. */
static void take_film(struct hub *hub, const struct runner_room *room,
                      const struct room_origin *origin)
{
    if (needs_film_kept(hub, room, origin) && !keep_film(hub, room, origin->film)) {
        log_warn("the room %s will not play its recording after a restart: out of memory",
                 room->code);
    }
    indexer_add(hub->indexer, origin->film);
}

static void take_past(struct runner_room *room, const struct recording *past)
{
    struct proto_error error;

    if (!room_take_past(room->room, past, &error)) {
        log_warn("the room %s continues without its past: %s", room->code, error.message);
    }
}

/* Returns the number of the room's creator. Returns 0 if it is not known, or the server itself. */
static uint64_t creator_of(const struct hub *hub, const struct hub_making *making)
{
    return making->origin.continues ? making->creator
                                    : creators_number(hub->creators, making->address);
}

static bool makes_lobby(const struct hub_making *making)
{
    return making->code != NULL && strcmp(making->code, ROOM_LOBBY) == 0;
}

/* Makes the room of that entry on a runner, and starts it. */
static enum directory_result make_and_start(struct hub *hub, struct room_definition *definition,
                                            const struct hub_making *making,
                                            struct creator *creator, struct history_budget *budget,
                                            struct hub_made *made)
{
    struct directory_entry *entry = &made->entry;
    struct runner *runner;
    struct runner_room *room;

    entry->runner = least_loaded(hub);
    runner = hub->runners[entry->runner];
    definition->number = entry->number;
    definition->budget = &creator->boids;
    definition->history_budget = budget;
    definition->tries = hub->tries;
    memcpy(definition->code, entry->code, sizeof definition->code);
    room = runner_room_make(runner, definition, is_lobby(entry), &making->origin, &made->error);
    if (room == NULL) {
        return making->origin.state != NULL || strcmp(made->error.message, "out of memory") != 0
                   ? DIRECTORY_REFUSED
                   : DIRECTORY_NO_MEMORY;
    }
    if (making->past != NULL) {
        take_past(room, making->past);
    }
    fill_facts(entry, room->room);
    entry->by_server = is_lobby(entry) || definition->trusted;
    room->creator = creators_again(creator);
    room->budget = history_budget_hold(budget);
    room->listed = entry->listed;
    room->fingerprint = making->fingerprint;
    runner_room_made_by(room, creator_of(hub, making), entry->by_server);
    if (making->stored != NULL) {
        runner_room_stored(room, making->stored);
    }
    if (making->origin.film != NULL) {
        take_film(hub, room, &making->origin);
    }
    if (!runner_room_take(runner, room)) {
        runner_room_drop(room);
        return DIRECTORY_NO_MEMORY;
    }
    directory_open(hub->directory, entry); /* a join that finds the room arrives after it */
    return DIRECTORY_OK;
}

static bool boids_fit(const struct creator *creator, uint32_t boids, struct hub_made *made)
{
    const uint64_t left = budget_left(&creator->boids);

    made->boids_left = boids <= left ? UINT64_MAX : left;
    made->boids_of_all = left == budget_left(creator->boids.all);
    return boids <= left;
}

/* Whether the boids of a room that comes from another node fit. To a trusted one idle rooms give
 * way, as to a new one. The lobby takes what it has. */
static bool arrival_fits(struct hub *hub, const struct hub_making *making,
                         const struct creator *creator)
{
    const uint32_t boids = scene_saved_boids(making->origin.state, making->origin.size);

    if (creator->boids.trusted) {
        way_for_boids(hub, creator, boids);
    }
    return making->origin.forced || boids <= budget_left_again(&creator->boids);
}

/* Ends the room that gives way, if any. */
static void end_giving(struct hub *hub, const struct directory_added *added)
{
    const struct event event = {.type = EVENT_GIVE_WAY, .room_number = added->gives_way};

    if (added->gives_way != 0 &&
        !mailbox_push(runner_mailbox(hub->runners[added->runner]), &event, true)) {
        directory_stay(hub->directory, added->gives_way);
    }
}

/* Adds an entry for the room. In a cluster, wins its code first. */
static enum directory_result add_entry(struct hub *hub, const struct hub_making *making,
                                       const struct directory_creator *by, struct hub_made *made)
{
    const struct hub_definition *definition = &hub->definition;
    const bool claims = making->code == NULL && definition->claim != NULL;
    enum directory_result result;

    for (unsigned tries = 0; tries < CLAIM_TRIES; tries++) {
        struct directory_added added;
        result =
            directory_add(hub->directory, making->code, by, hub_clock(hub), &made->entry, &added);
        made->retry_after = added.retry_after;
        if (result != DIRECTORY_OK) {
            return result;
        }
        end_giving(hub, &added);
        result = claims ? definition->claim(definition->claimer, made->entry.code) : DIRECTORY_OK;
        if (result == DIRECTORY_OK) {
            return result;
        }
        directory_remove(hub->directory, made->entry.number, hub_clock(hub));
        if (result != DIRECTORY_TAKEN) {
            return result;
        }
    }
    return DIRECTORY_AWAY;
}

/* Tells the cluster whether the room of a code that was won has been made. */
static void note_claimed(const struct hub *hub, const struct hub_making *making,
                         const struct hub_made *made, bool done)
{
    if (making->code == NULL && hub->definition.claim != NULL) {
        hub->definition.claimed(hub->definition.claimer, made->entry.code, done);
    }
}

static enum directory_result make_room_of(struct hub *hub, const struct hub_making *making,
                                          struct creator *creator, struct history_budget *budget,
                                          struct hub_made *made)
{
    const struct directory_creator by = {.address = making->address,
                                         .number = creator_of(hub, making),
                                         .trusted = making->definition.trusted,
                                         .arrives = making->arrives};
    struct room_definition definition = making->definition;
    bool created = making->code == NULL;
    enum directory_result result;

    if (created || making->origin.state == NULL) {
        way_for_boids(hub, creator, definition.flock.boids);
    }
    if (created) {
        way_for_room(hub, creator, definition.flock.boids);
    }
    if (created ? !boids_fit(creator, definition.flock.boids, made)
                : making->arrives && !arrival_fits(hub, making, creator)) {
        return DIRECTORY_FULL;
    }
    if (created && !key_make(definition.key)) {
        return DIRECTORY_NO_MEMORY;
    }
    definition.key_made |= created;
    memcpy(made->key, definition.key, sizeof made->key);
    complete_definition(hub, &definition);
    result = add_entry(hub, making, &by, made);
    if (result != DIRECTORY_OK) {
        return result;
    }
    result = make_and_start(hub, &definition, making, creator, budget, made);
    note_claimed(hub, making, made, result == DIRECTORY_OK);
    if (result != DIRECTORY_OK) {
        directory_remove(hub->directory, made->entry.number, hub_clock(hub));
    } else if (created) {
        audit(&(struct audit_entry){.event = "room-created",
                                    .kind = definition.trusted ? AUDIT_PRESENTER : AUDIT_OTHER,
                                    .address = making->address,
                                    .room = made->entry.code,
                                    .what = definition.title});
    }
    return result;
}

/* Makes the budget of a room's past. */
static struct history_budget *budget_below(const struct hub *hub, struct creator *creator,
                                           bool lobby)
{
    return creator != NULL ? history_budget_below(creator->pasts,
                                                  lobby ? 0 : hub->definition.room_memory, false)
                           : NULL;
}

static enum directory_result make_room(struct hub *hub, const struct hub_making *making,
                                       struct hub_made *made)
{
    const bool lobby = makes_lobby(making);
    const bool by_server = making->address == NULL && !making->origin.continues;
    struct creator *creator = creators_hold(hub->creators, creator_of(hub, making),
                                            lobby || by_server || making->definition.trusted);
    struct history_budget *budget = making->budget != NULL ? history_budget_hold(making->budget)
                                                           : budget_below(hub, creator, lobby);
    enum directory_result result = creator != NULL && budget != NULL
                                       ? make_room_of(hub, making, creator, budget, made)
                                       : DIRECTORY_NO_MEMORY;

    history_budget_release(budget);
    creator_release(creator);
    return result;
}

struct history_budget *hub_budget_of(const struct hub *hub, uint64_t creator, bool trusted,
                                     bool lobby)
{
    struct creator *held = creators_hold(hub->creators, creator, lobby || trusted);
    struct history_budget *budget = budget_below(hub, held, lobby);

    creator_release(held);
    return budget;
}

bool hub_make_way(struct hub *hub, const char *address, bool trusted, size_t bytes)
{
    struct creator *creator =
        creators_hold(hub->creators, creators_number(hub->creators, address), trusted);
    const bool made = creator != NULL && way_for_bytes(hub, creator, bytes);

    creator_release(creator);
    return made;
}

struct history_budget *hub_room_budget(struct hub *hub, const char *address, bool trusted)
{
    return hub_budget_of(hub, creators_number(hub->creators, address), trusted, address == NULL);
}

enum directory_result hub_make_room(struct hub *hub, const struct hub_making *making,
                                    struct hub_made *made)
{
    *made = (struct hub_made){.entry.listed = making->listed, .boids_left = UINT64_MAX};
    made->result = make_room(hub, making, made);
    return made->result;
}

bool hub_make_lobby(struct hub *hub)
{
    struct film *film = hub->definition.film;
    struct hub_making making = {.definition = hub->definition.lobby,
                                .code = ROOM_LOBBY,
                                .listed = true,
                                .fingerprint = hub->definition.fingerprint};
    struct hub_made made;
    bool done;

    making.budget = hub_room_budget(hub, NULL, true);
    if (making.budget == NULL) {
        return false;
    }
    if (film != NULL) {
        const struct recording_part *first = &film->recording->parts[0];
        film_charge(film, making.budget);
        making.origin =
            (struct room_origin){.state = first->state, .size = first->state_size, .film = film};
    }
    done = hub_make_room(hub, &making, &made) == DIRECTORY_OK;
    history_budget_release(making.budget);
    return done;
}

bool hub_have_lobby(struct hub *hub)
{
    struct directory_entry lobby;

    return directory_find(hub->directory, ROOM_LOBBY, &lobby) || hub_make_lobby(hub);
}

/* A room that continues. */
struct continuing {
    const struct store_room *kept;
    struct film *film;
    const struct recording *past;
    bool returning;
    bool arrives; /* see struct hub_making */
    bool stored;  /* the hub's store has this state */
    uint32_t skip_ids;
};

static enum directory_result continue_room(struct hub *hub, const struct continuing *continuing,
                                           struct hub_made *made)
{
    const struct store_room *kept = continuing->kept;
    struct film *film = continuing->film;
    bool lobby = strcmp(kept->code, ROOM_LOBBY) == 0;
    struct hub_making making = {.definition =
                                    lobby ? hub->definition.lobby : room_definition_default(),
                                .origin = {.state = kept->state,
                                           .size = kept->size,
                                           .continues = true,
                                           .vacated = !continuing->returning,
                                           .forced = lobby && continuing->returning,
                                           .skip_ids = continuing->skip_ids,
                                           .film = film},
                                .past = continuing->past,
                                .budget = film != NULL ? film->budget : NULL,
                                .stored = continuing->stored ? kept : NULL,
                                .creator = kept->creator,
                                .code = kept->code,
                                .listed = kept->listed,
                                .arrives = continuing->arrives,
                                .fingerprint = kept->fingerprint};

    if (!lobby) {
        making.definition.trusted = kept->trusted;
        making.definition.key_made = true;
        making.definition.people_max = hub->definition.lobby.people_max;
        making.definition.boids_max = hub->definition.room_boids;
    }
    if (hub_make_room(hub, &making, made) == DIRECTORY_OK && continuing->returning) {
        for (uint32_t shard = 0; shard < hub->definition.shards; shard++) {
            hub->definition.wake(hub->definition.argument, shard); /* links wait for the room */
        }
    }
    return made->result;
}

enum directory_result hub_adopt(struct hub *hub, const struct store_room *kept, struct film *film,
                                const struct recording *past, bool returning, struct hub_made *made)
{
    const struct continuing continuing = {
        .kept = kept, .film = film, .past = past, .returning = returning};

    return continue_room(hub, &continuing, made);
}

enum directory_result hub_restore_room(struct hub *hub, const struct store_room *kept,
                                       struct film *film, const struct recording *past,
                                       struct hub_made *made)
{
    const struct continuing continuing = {.kept = kept, .film = film, .past = past, .stored = true};

    return continue_room(hub, &continuing, made);
}

enum directory_result hub_take_over(struct hub *hub, const struct store_room *kept,
                                    struct film *film, struct hub_made *made)
{
    const struct continuing continuing = {
        .kept = kept, .film = film, .returning = true, .arrives = true, .skip_ids = IDS_SKIPPED};

    return continue_room(hub, &continuing, made);
}
