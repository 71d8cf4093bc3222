/* A room's recent past: checkpoints of it, and the inputs after each, from which any moment of it
 * can be made again (replay.h). The room owns it and tells it of everything that changes the room;
 * nobody else does. It is bounded in ticks and in bytes: the oldest parts go first. No names,
 * tokens or keys are in it. It reads no clock and has no threads; what is held of it may be used by
 * any thread.
 *
 * A part begins with a checkpoint, right before a tick. The next one begins when so much has come
 * after it that making a moment again would take long, or when something has happened that inputs
 * do not tell. A room that does not tick has no more of a past than before. */
#ifndef HISTORY_H
#define HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "past/recording.h"
#include "room/room.h"
#include "scene/inputs.h"

/* Bytes of one room's past, and of a checkpoint in it. */
#define HISTORY_BYTES_MAX (16u << 20)
#define HISTORY_STATE_MAX (HISTORY_BYTES_MAX / 4)

struct history;
struct cursor;
struct film;

/* budget: of all rooms, or NULL: no limit. NULL when memory runs out; destroy takes NULL. */
struct history *history_create(struct history_budget *budget);
void history_destroy(struct history *history);

/* Makes the film the beginning of the room's past; right after the room was made. The history holds
 * it, and drops it, as a whole, before anything else. */
void history_begin_with(struct room *room, struct film *film);

/* What the room says of itself; each does nothing if the room has no history. `now` is on the
 * server's clock. */

/* A tick is about to be made. */
void history_round(struct room *room, uint64_t now);

/* It was made. moved: false if the flock stood still for want of time or memory. */
void history_tick(struct room *room, uint64_t now, bool moved);

/* The person's cursor, which was at *before, has moved. shown: the person was so before. */
void history_cursor(struct room *room, uint32_t slot, const struct cursor *before, bool shown,
                    uint64_t now);

/* Anything else; a message when it has been done. The input's time is on the server's clock. */
void history_input(struct room *room, const struct input *input);
void history_message(struct room *room, const struct proto_client_message *message, uint64_t now);

/* What comes after the next tick does not follow from what was before. */
void history_cut(struct room *room);

/* The past as it is now, the caller's to destroy; NULL when there is none, or no memory. Cheap:
 * of what is older than the last checkpoint nothing is copied. */
struct recording *history_hold(struct room *room);

/* Bytes that it takes. */
size_t history_bytes(const struct history *history);

#endif
