/* What a presenter has changed and the server has not yet confirmed: a short queue to send from,
 * and what there is to show in the meantime.
 *
 * Only the last of several values for one thing is sent, at most 30 messages a second leave, and
 * what was asked for first is sent first. Each message has a tag, by which the server's answer is
 * told from others. Pure: times come in as arguments, in microseconds. */
#ifndef TERM_CHANGES_H
#define TERM_CHANGES_H

#include "protocol.h"
#include "term/flock/people.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERM_CHANGES_MAX   64u
#define TERM_CHANGES_EVERY 33334   /* µs between two messages */
#define TERM_CHANGES_WAIT  2000000 /* µs after its `done` until a change must show */

struct term_change {
    struct proto_client_message message; /* a presenter's */
    bool sent, done;                     /* only of what has a value: see term_changes_next() */
    int64_t done_at;
};

/* All zero: no changes. */
struct term_changes {
    uint32_t count;
    uint32_t tag;                              /* of the last message that was sent */
    struct term_change list[TERM_CHANGES_MAX]; /* in the order in which they are sent */
    int64_t sent_at;                           /* the last of them */
};

/* Asks for a change. What has a value (a set, a param, an appointment, a title) takes the place of
 * an earlier one for the same thing, unless something without a value stands between them. False:
 * too many wait to be sent. */
bool term_changes_push(struct term_changes *changes, const struct proto_client_message *message);

/* The last value that was asked for and not yet confirmed; NULL: none, show the room's. */
const struct proto_set *term_changes_set(const struct term_changes *changes, const char *name);
const struct proto_param *term_changes_param(const struct term_changes *changes, const char *name);
const struct proto_appoint *term_changes_appoint(const struct term_changes *changes, uint32_t id);
const struct proto_title *term_changes_title(const struct term_changes *changes);

/* Whether there is something to send now. */
bool term_changes_due(const struct term_changes *changes, int64_t now);

/* Writes the next message into buffer (PROTO_MESSAGE_MAX bytes) and returns its size; 0: none. What
 * has a value stays until it is confirmed. */
size_t term_changes_next(struct term_changes *changes, uint8_t *buffer, int64_t now);

/* The server has done, or refused, what had that tag. */
void term_changes_done(struct term_changes *changes, const struct proto_done *done, int64_t now);
void term_changes_refused(struct term_changes *changes, const struct proto_error *error);

/* Forgets what was sent and is so in the room, or was done and is another way all the same. */
void term_changes_settle(struct term_changes *changes, const struct proto_room *room,
                         const struct term_people *people, int64_t now);

#endif
