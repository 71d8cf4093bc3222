/* A room as bytes: room_state.h, its writing half. */
#include "base/key.h"
#include "room/room_state.h"
#include "room/state.h"
#include "scene/flock_state.h"
#include "scene/people_state.h"
#include "scene/presets_state.h"

/* Its digest; nothing of one that there is not. */
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

/* "": there is none, or it is one that was saved and says so itself. */
static const char *built_in_name(const struct flock_preset *preset)
{
    return presets_built_in(preset) != NULL ? preset->name : "";
}

/* What moves the flock is as the room shows it. */
static void put_settings(struct saved *saved, const struct room *room, const struct room *shown,
                         bool bare)
{
    const struct room_definition *definition = &room->definition;
    bool replays = room->replays && !bare;
    /* Everyone can have changed an open room's key. */
    bool trusted = definition->trusted && !definition->open_controls && !bare;

    saved_map(saved, "settings",
              15U + (room->has_attention ? 1 : 0) + (room->people.spotlight > 0 ? 1 : 0) +
                  (replays ? 2 : 0) + (trusted ? 1 : 0));
    saved_text(saved, "title", definition->title);
    put_key(saved, "key", bare ? "" : definition->key);
    put_key(saved, "join_key", bare ? "" : definition->join_key);
    saved_bool(saved, "key_made", definition->key_made);
    saved_bool(saved, "open_controls", definition->open_controls);
    saved_uint(saved, "tick_rate", definition->tick_rate);
    saved_uint(saved, "snapshot_rate", definition->snapshot_rate);
    saved_text(saved, "policy", cursor_policies[shown->definition.policy].name);
    saved_text(saved, "idle", cursor_idles[shown->definition.idle].name);
    saved_uint(saved, "cursor_timeout", definition->cursor_timeout);
    saved_text(saved, "preset", built_in_name(shown->preset));
    saved_text(saved, "origin", built_in_name(shown->origin));
    saved_uint(saved, "boids", shown->boids);
    saved_bool(saved, "cursors_scare", shown->cursors_scare);
    saved_bool(saved, "viewers_watch", shown->viewers_watch);
    if (room->has_attention) {
        saved_text(saved, "attention", room->attention);
    }
    if (room->people.spotlight > 0) {
        saved_uint(saved, "spotlight", room->people.spotlight);
    }
    if (trusted) {
        saved_bool(saved, "trusted", true);
    }
    if (replays) {
        saved_float(saved, "replay_back", room->shown.past.back);
        saved_float(saved, "replay_speed", room->shown.past.speed);
    }
}

static void put_time(struct saved *saved, const struct room *room, const struct room *shown,
                     uint64_t now)
{
    saved_map(saved, "time", 8);
    saved_uint(saved, "clock", room_clock(room, now));
    saved_uint(saved, "ticks", room->ticks);
    saved_uint(saved, "rounds", room->rounds);
    saved_uint(saved, "steps", shown->steps);
    saved_bool(saved, "paused", shown->paused);
    saved_bool(saved, "has_target", shown->has_target);
    saved_float(saved, "target_x", shown->target.x);
    saved_float(saved, "target_y", shown->target.y);
}

bool room_plays(const struct room *room)
{
    return room->replays;
}

size_t room_save_size(const struct room *room)
{
    const struct room *shown = room_kept(room);

    return flock_state_size(shown->flock) + people_state_size(&room->people) + presets_size(shown) +
           2048;
}

static uint8_t *save(const struct room *room, uint64_t now, bool bare, size_t *size)
{
    const struct room *shown = room_kept(room);
    struct saved saved;

    saved_begin(&saved, SAVED_ROOM, room_save_size(room));
    saved_map(&saved, NULL, presets_count(shown) > 0 ? 5 : 4);
    put_settings(&saved, room, shown, bare);
    presets_put(&saved, "presets", shown);
    put_time(&saved, room, shown, now);
    people_put(&saved, "people", &room->people, bare);
    flock_state_put(&saved, "flock", shown->flock);
    return saved_end(&saved, size);
}

uint8_t *room_save(const struct room *room, uint64_t now, size_t *size)
{
    return save(room, now, false, size);
}

uint8_t *room_save_bare(const struct room *room, uint64_t now, size_t *size)
{
    return save(room, now, true, size);
}
