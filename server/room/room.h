/* A room: one flock, the people in it, their cursors made into its target, and the messages that
 * tell them about it. A room owns all of these. It reads no clock and knows no sockets: times are
 * handed in, as µs on the server's clock, and messages come out as frames. One thread at a time. */
#ifndef ROOM_H
#define ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "room/cursor.h"
#include "room/frame.h"
#include "sim/flock.h"

struct room;

struct room_definition {
    const char *name; /* copied */
    struct flock_definition flock;
    uint32_t tick_rate, snapshot_rate; /* Hz */
    enum cursor_policy policy;
    enum cursor_idle idle;
    uint64_t cursor_timeout; /* µs */
    uint32_t people_max;     /* connected at a time */
};

/* Returns NULL when memory runs out or the flock's definition is out of range; destroy takes NULL.
 */
struct room *room_create(const struct room_definition *definition);
void room_destroy(struct room *room);

/* Lets in whoever says hello through that session (not 0), as people_join() does. Returns a slot
 * for the calls below, or PEOPLE_NONE when the room is full; *replaced is the session that this one
 * takes the place of, else 0. */
uint32_t room_join(struct room *room, const struct proto_hello *hello, uint64_t session,
                   uint64_t now, uint64_t *replaced);

/* The session that people_join() gave this slot to, or 0 if that person is gone. */
uint64_t room_session(const struct room *room, uint32_t slot);

/* Fills what the room knows of a welcome: id, token, name, colour and the room itself. */
void room_welcome(const struct room *room, uint32_t slot, struct proto_welcome *welcome);

void room_leave(struct room *room, uint32_t slot, uint64_t now);
void room_rename(struct room *room, uint32_t slot, const char *name);

/* Moves the person's cursor. Returns false, fills *error and changes nothing when x or y is beyond
 * the range of positions. */
bool room_move(struct room *room, uint32_t slot, const struct proto_cursor *cursor, uint64_t now,
               struct proto_error *error);
void room_away(struct room *room, uint32_t slot);

/* Turns the cursors into the target and moves the flock by one tick. */
void room_tick(struct room *room, uint64_t now);

uint64_t room_ticks(const struct room *room);

/* Whether the tick that room_tick() just made is one of those that snapshots are sent of. */
bool room_snapshot_due(const struct room *room);

/* The flock and the active cursors now; the caller holds the frame. NULL when memory runs out. */
struct frame *room_snapshot(struct room *room, uint64_t now);

/* Who is shown, if that has changed and the last time was PRESENCE_INTERVAL ago; else, or when
 * memory runs out, NULL. */
struct frame *room_presence(struct room *room, uint64_t now);

#endif
