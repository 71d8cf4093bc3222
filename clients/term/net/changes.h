/* Changes that a person has made and the server has not confirmed: a short queue of messages, and
 * the values to show until the server answers.
 *
 * Of several values for one thing only the last is sent. At most 30 messages a second are sent, in
 * the order in which they were asked for. Each message has a tag, which the server repeats in its
 * answer. Pure: times come in as arguments, in microseconds. */
#ifndef TERM_CHANGES_H
#define TERM_CHANGES_H

#include "protocol.h"
#include "term/flock/people.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERM_CHANGES_MAX   64u
#define TERM_CHANGES_EVERY 33334   /* µs between two messages */
#define TERM_CHANGES_WAIT  2000000 /* µs after its `done` in which a change must show */
#define TERM_CHANGES_SEEK  150000  /* TERM_CHANGES_WAIT for a moment of the past */

struct term_change {
    struct proto_client_message message;
    bool sent, done; /* of changes with a value only: see term_changes_next() */
    int64_t done_at;
};

/* All zero: no changes. */
struct term_changes {
    uint32_t count;
    uint32_t tag;                              /* of the message sent last */
    struct term_change list[TERM_CHANGES_MAX]; /* in the order of sending */
    int64_t sent_at;                           /* when the last message was sent */
};

/* Asks for a change. A change with a value (a set, a param, an appointment, a title, a moment of
 * the past, a pick, the spotlight, the door, the names) replaces an earlier change of the same
 * thing, unless a change without a value is between them. Returns false if TERM_CHANGES_MAX changes
 * wait to be sent. */
bool term_changes_push(struct term_changes *changes, const struct proto_client_message *message);

/* Return the last value that was asked for and is not confirmed; NULL: show the room's value. */
const struct proto_set *term_changes_set(const struct term_changes *changes, const char *name);
const struct proto_param *term_changes_param(const struct term_changes *changes, const char *name);
const struct proto_appoint *term_changes_appoint(const struct term_changes *changes, uint32_t id);
const struct proto_title *term_changes_title(const struct term_changes *changes);
const struct proto_rewind *term_changes_rewind(const struct term_changes *changes);

/* Return the value that was asked for and is not confirmed, or else the room's. */
uint32_t term_changes_spotlight(const struct term_changes *changes, const struct proto_room *room);
bool term_changes_door_open(const struct term_changes *changes, const struct proto_room *room);
bool term_changes_names_asked(const struct term_changes *changes, const struct proto_room *room);

/* Returns whether the last pick waits to be sent, or for its answer. */
bool term_changes_has_pick(const struct term_changes *changes);

/* Returns whether a message can be sent now. */
bool term_changes_due(const struct term_changes *changes, int64_t now);

/* Writes the next message into buffer (PROTO_MESSAGE_MAX bytes) and returns its size; 0: none. A
 * change with a value stays in the list until the server confirms it. */
size_t term_changes_next(struct term_changes *changes, uint8_t *buffer, int64_t now);

/* The server has done, or refused, the change with that tag. A done change makes the list forget
 * earlier changes of the same thing: the room may never show them. */
void term_changes_done(struct term_changes *changes, const struct proto_done *done, int64_t now);
void term_changes_refused(struct term_changes *changes, const struct proto_error *error);

/* The changes on their way are lost. */
void term_changes_lose(struct term_changes *changes);

/* Forgets done changes that the room shows, or that were done TERM_CHANGES_WAIT ago. */
void term_changes_settle(struct term_changes *changes, const struct proto_room *room,
                         const struct term_people *people, int64_t now);

#endif
