/* A room as bytes, from which it continues bit for bit: its scene (scene_state.h), names, keys and
 * settings. Secrets are digests. Pure: no files, no clock. */
#ifndef ROOM_SAVED_H
#define ROOM_SAVED_H

#include <stddef.h>
#include <stdint.h>

#include "room/room.h"

/* Returns the room's bytes at `now`, which the caller frees, and their *size; NULL when memory runs
 * out. They lack the checksum: saved_seal() (scene/saved.h) writes it, on any thread. */
uint8_t *room_save(struct room *room, uint64_t now, size_t *size);

/* As room_save(), with what can be undone: for a room that goes to another hub. That may add 2 MB,
 * so the store's regular states have none of it. */
uint8_t *room_save_leaving(struct room *room, uint64_t now, size_t *size);

/* room_create() continues the room. Number, code, instance, limits, budget, tries and capabilities
 * are the definition's; all else is restored. A room beyond a limit keeps what it has and gets no
 * more. Its clock continues from where it was saved, at any `now`.
 *
 * The people who were here are here, with their handles, and their cursors steer until they time
 * out, unless the origin says that they have left. The room sends nothing. A client that comes back
 * with its token takes over. */

#define ROOM_BARE_PAST 2u /* s */

/* Whether room_save() writes nearly all of the room: it has no film, no sweep and nothing to undo,
 * and its past has at most ROOM_BARE_PAST. */
bool room_is_bare(const struct room *room);

/* Whether the room plays a film. Its bytes then have the shown moment. */
bool room_plays(const struct room *room);

/* Returns the film that the room plays, borrowed; NULL if it plays none. */
struct film *room_film(const struct room *room);

/* Returns the room's keys (concealed), rates and limits. */
const struct room_terms *room_terms_of(const struct room *room);

/* Returns how many bytes the room has beside its past: flocks, what undo keeps, people, streams. */
uint64_t room_bytes(const struct room *room);

/* Sets in how many copies the newest view lies elsewhere: one for each shard with members. */
void room_set_copies(struct room *room, uint32_t copies);

/* Counts them toward the limits of the room, its creator and all rooms, which leaves less for
 * pasts. Returns false if they exceed a limit by themselves. */
bool room_count_memory(const struct room *room);

/* As room_count_memory(). Fills *error with the name of the limit if it is exceeded. */
bool room_fits(const struct room *room, struct proto_error *error);

/* Makes all people away: no connection has outlived the process that saved the room. The room sends
 * nothing; people may come back. */
void room_vacate(struct room *room, uint64_t now);

/* Sets whether everyone is a presenter. Must be called before the room's first tick, and before a
 * client comes back. When an open room is closed, its presenters become viewers. */
void room_open_controls(struct room *room, bool open);

/* Sets the presenter key of this start. Must be called with room_open_controls(). made: flockd made
 * the key, as at each start without one. A chosen key that replaces another makes viewers of all
 * presenters. If a presenter has replaced this very key, the presenter's key remains. Returns
 * whether the room must be saved again. A key that flockd makes at each start is no reason. */
bool room_set_key(struct room *room, const char *key, bool made);

#endif
