/* A room: one flock, the people in it, their cursors made into its targets, and the messages that
 * tell them about it. A room owns all of these. It reads no clock and knows no sockets: times are
 * handed in, as µs on the server's clock, and messages come out as frames. One thread at a time. */
#ifndef ROOM_H
#define ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "room/cursor.h"
#include "room/stream.h"
#include "sim/flock.h"

#define ROOM_BOIDS_MAX 200000u

/* The one room. */
#define ROOM_LOBBY "lobby"

struct room;

struct room_definition {
    const char *name; /* copied */
    struct flock_definition flock;
    const struct flock_preset *preset; /* the one that the flock was made from, or NULL */
    float params[FLOCK_PARAMS_MAX];    /* the model's, in the order of its table */
    uint32_t tick_rate, snapshot_rate; /* Hz */
    enum cursor_policy policy;
    enum cursor_idle idle;
    uint64_t cursor_timeout; /* µs */
    uint32_t people_max;     /* connected at a time */
    const char *key;         /* makes whoever has it a presenter; copied. "": there is none */
    bool open_controls;      /* everyone is a presenter */
};

/* The lobby with the original flock, 30 ticks and snapshots a second, the mean of the cursors, a
 * timeout of ten seconds, one person and no key: nobody becomes a presenter. */
struct room_definition room_definition_default(void);

/* Returns NULL when memory runs out or the flock's definition is out of range; destroy takes NULL.
 */
struct room *room_create(const struct room_definition *definition);
void room_destroy(struct room *room);

/* Lets in whoever says hello through that session (not 0), as people_join() does. Returns a slot
 * for the calls below, or PEOPLE_NONE when the room is full; *replaced is the session that this one
 * takes the place of, else 0. */
uint32_t room_join(struct room *room, const struct proto_hello *hello, uint64_t session,
                   uint64_t now, uint64_t *replaced);

/* The session that the person in this slot is connected through, or 0. */
uint64_t room_session(const struct room *room, uint32_t slot);

enum proto_role room_role(const struct room *room, uint32_t slot);

/* Fills what the room knows of a welcome: id, token, name, colour, role and the room itself. */
void room_welcome(const struct room *room, uint32_t slot, struct proto_welcome *welcome);

/* How the person in this slot gets snapshots: in the stream at that place, from the one after that
 * sequence on. */
struct room_subscription {
    uint32_t stream, sequence;
    const char *encoding;
    struct proto_stream granted;
};

void room_subscription(const struct room *room, uint32_t slot,
                       struct room_subscription *subscription);

void room_leave(struct room *room, uint32_t slot, uint64_t now);

/* Does what a message of that person's asks for, be it any but hello and ping. Returns false, fills
 * *error and changes nothing when it may not be done. */
bool room_receive(struct room *room, uint32_t slot, const struct proto_client_message *message,
                  uint64_t now, struct proto_error *error);

/* Turns the cursors into the targets and, unless it is paused, moves the flock by one tick. */
void room_tick(struct room *room, uint64_t now);

uint64_t room_ticks(const struct room *room);

/* How many are connected, and how many boids there are. */
uint32_t room_people(const struct room *room);
uint32_t room_boids(const struct room *room);

/* Whether the room_tick() just made is one of those that snapshots are sent of. */
bool room_snapshot_due(const struct room *room);

/* Each time what the room is (model, world, controls …), or the value of a parameter, changes, this
 * goes up by one. */
uint32_t room_version(const struct room *room);
uint32_t room_params_version(const struct room *room);

/* The messages of that name as things are now. The caller holds the frame; NULL when memory runs
 * out. */
struct frame *room_describe(const struct room *room);
struct frame *room_params(const struct room *room);

/* Makes a snapshot of how things are now for each stream whose turn it is. */
void room_snapshot(struct room *room, uint64_t now);

/* The streams that there are, each at its place; the newest snapshot of each stays until the next.
 */
uint32_t room_streams(const struct room *room, const struct stream **streams);

/* Someone in the stream at that place has missed a snapshot of it. */
void room_want_key(struct room *room, uint32_t place);

/* Who is shown, if that has changed and was not told of in the last tenth of a second; else, or
 * when memory runs out, NULL. */
struct frame *room_presence(struct room *room, uint64_t now);

#endif
