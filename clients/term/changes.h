/* What a presenter has changed and the server has not yet confirmed: a short queue to send from,
 * and what there is to show in the meantime.
 *
 * Only the last of several values for one thing is sent, at most 30 messages a second leave, and
 * what was asked for first is sent first. Pure: times come in as arguments, in microseconds. */
#ifndef TERM_CHANGES_H
#define TERM_CHANGES_H

#include "protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERM_CHANGES_MAX   64u
#define TERM_CHANGES_EVERY 33334   /* µs between two messages */
#define TERM_CHANGES_WAIT  1000000 /* µs after which what was sent counts as answered */

struct term_change {
    struct proto_client_message message; /* set, param, add, remove, reset or step */
    bool sent;                           /* a set or a param that is to be confirmed */
    int64_t sent_at;
};

/* All zero: no changes. */
struct term_changes {
    uint32_t count;
    struct term_change list[TERM_CHANGES_MAX]; /* in the order in which they are sent */
    int64_t sent_at;                           /* the last of them */
};

/* Asks for a change. A set or a param takes the place of an earlier one of the same name, unless an
 * add, remove, reset or step stands between them. False: too many wait to be sent. */
bool term_changes_push(struct term_changes *changes, const struct proto_client_message *message);

/* The last value that was asked for and not yet confirmed; NULL: none, show the room's. */
const struct proto_set *term_changes_set(const struct term_changes *changes, const char *name);
const struct proto_param_set *term_changes_param(const struct term_changes *changes,
                                                 const char *name);

/* Whether there is something to send now. */
bool term_changes_due(const struct term_changes *changes, int64_t now);

/* Writes the next message into buffer (PROTO_MESSAGE_MAX bytes) and returns its size; 0: none. */
size_t term_changes_next(struct term_changes *changes, uint8_t *buffer, int64_t now);

/* Forgets what was sent and is so in the room, or was sent long ago. */
void term_changes_settle(struct term_changes *changes, const struct proto_room *room, int64_t now);

/* The server has refused something: forgets what was sent, so that the room's values are shown. */
void term_changes_refused(struct term_changes *changes);

#endif
