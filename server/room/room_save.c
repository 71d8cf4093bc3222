/* A room as bytes: room_state.h, its writing half. */
#include <assert.h>
#include <stdlib.h>

#include "base/key.h"
#include "past/history.h"
#include "room/room_state.h"
#include "room/state.h"
#include "room/sweeps.h"
#include "scene/passing.h"
#include "scene/scene_state.h"
#include "scene/undo_state.h"

/* Writes the key's digest, or an empty bin if there is no key. */
static void put_key(struct saved *saved, const char *name, const char *key)
{
    uint8_t digest[DIGEST_SIZE] = {0};

    if (key[0] == '\0') {
        saved_bin(saved, name, digest, 0);
    } else if (key_digest(key, digest)) {
        saved_bin(saved, name, digest, sizeof digest);
    } else {
        saved->failed = true;
    }
}

static bool is_saved_owner(const struct room *room, uint32_t slot)
{
    return room->identities[slot].owner && room_person_at(room, slot)->id != 0;
}

/* Writes the slots of the presenters who have shown the key. */
static void put_owners(struct saved *saved, const struct room *room)
{
    uint32_t used = room_people(room)->used;
    uint32_t *slots = calloc((size_t)used + 1, sizeof *slots);
    uint32_t count = 0;

    for (uint32_t slot = 0; slot < used && slots != NULL; slot++) {
        if (is_saved_owner(room, slot)) {
            assert(room_person_at(room, slot)->role == PROTO_PRESENTER);
            slots[count++] = slot;
        }
    }
    if (slots == NULL) {
        saved->failed = true;
    } else {
        saved_bin(saved, "owners", slots, count * sizeof *slots);
    }
    free(slots);
}

/* Writes what the room has beside its scene into the open map of settings. */
static void put_settings(struct saved *saved, const struct room *room)
{
    const struct room_terms *definition = &room->definition;

    put_key(saved, "key", definition->key);
    put_key(saved, "join_key", definition->join_key);
    if (definition->key_replaced) {
        saved_bin(saved, "first_key", definition->first_key, sizeof definition->first_key);
    }
    put_owners(saved, room);
    saved_bool(saved, "key_made", definition->key_made);
    saved_bool(saved, "open_controls", definition->open_controls);
    saved_uint(saved, "snapshot_rate", definition->snapshot_rate);
    if (definition->door_closed) {
        saved_bool(saved, "door_closed", true);
    }
    if (room->unnamed) {
        saved_bool(saved, "unnamed", true);
    }
    if (room->beside[0] != '\0') {
        saved_text(saved, "beside", room->beside);
    }
    if (room->has_attention) {
        saved_text(saved, "attention", room->attention);
    }
    if (definition->trusted && !definition->open_controls) { /* an open room's key is everyone's */
        saved_bool(saved, "trusted", true);
    }
    if (room->replays) {
        saved_float(saved, "replay_back", room->shown.past.back);
        saved_float(saved, "replay_speed", room->shown.past.speed);
    }
}

bool room_is_bare(const struct room *room)
{
    const struct scene *scene = room->present;
    const uint64_t most = (uint64_t)ROOM_BARE_PAST * scene_definition_of(scene)->tick_rate;

    return history_film(room->history) == NULL && history_rounds(room->history, scene) <= most &&
           !scene_can_undo(scene) && room->sweep == NULL;
}

bool room_plays(const struct room *room)
{
    return room->replays;
}

struct film *room_film(const struct room *room)
{
    return room->replays ? history_film(room->history) : NULL;
}

static uint8_t *save(struct room *room, uint64_t now, bool with_undo, size_t *size)
{
    const struct scene *kept = room_kept(room);
    struct saved saved;

    scene_swap_passing(room->present); /* a saved room has no sweep */
    saved_begin(&saved, SAVED_ROOM,
                scene_save_size(kept) + people_state_size(room_people(room)) +
                    (with_undo ? undo_bytes(room->present) : 0));
    saved_map(&saved, NULL);
    saved_map(&saved, "settings");
    scene_put_settings(&saved, room->present, kept);
    put_settings(&saved, room);
    saved_map_end(&saved);
    scene_put(&saved, room->present, kept, room_time(room, now), room->identities);
    if (with_undo) {
        undo_put(&saved, "undo", room->present);
    }
    scene_swap_passing(room->present);
    saved_map_end(&saved);
    return saved_end(&saved, size);
}

uint8_t *room_save(struct room *room, uint64_t now, size_t *size)
{
    return save(room, now, false, size);
}

uint8_t *room_save_leaving(struct room *room, uint64_t now, size_t *size)
{
    return save(room, now, true, size);
}
