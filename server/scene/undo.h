/* The last changes of a room's flock, and how the flock was before each, so that presenters can
 * take them back one after another. Before a change that moves or removes boids, the whole flock is
 * kept if it fits into UNDO_BOIDS, else its settings; before any other change, the settings. In
 * memory only: a room that is restored has nothing to take back. Owned by one room; for the room's
 * own files. */
#ifndef UNDO_H
#define UNDO_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"
#include "scene/people.h"

#define UNDO_MAX    10u
#define UNDO_BOIDS  65536u   /* in the flocks that a room keeps, 32 bytes each */
#define UNDO_SERIES 2000000u /* µs: changes of a parameter with less between them are one */

struct undo_step;

struct undo {
    struct undo_step *steps; /* the oldest first, UNDO_MAX and the one in the making; NULL: none */
    uint32_t count;
    uint32_t boids;  /* that are kept */
    bool preparing;  /* steps[count] is filled */
    bool continuing; /* the change goes on with the last step */
};

/* Whether something that can be undone names that preset. */
bool undo_uses(const struct room *room, const struct flock_preset *preset);

void undo_finish(struct room *room);

/* To be called before a change is made, with who makes it (NULL: over HTTP), and after it: either
 * keep, if it has changed something, or drop. Without memory a change cannot be taken back. */
void undo_prepare(struct room *room, const struct person *who,
                  const struct proto_client_message *message, uint64_t now);
void undo_keep(struct room *room);
void undo_drop(struct room *room);

/* What was taken back: as an event says it (PROTOCOL.md). */
struct undo_report {
    char what[PROTO_ROOM_MAX + 1];
    char from[PROTO_VALUE_MAX + 1], to[PROTO_VALUE_MAX + 1];
    bool settings_only; /* the boids stay as they are: there were too many to be kept */
};

/* Takes the last change back. False, with *error filled and nothing changed, when it cannot be
 * done. */
bool undo_last(struct room *room, struct undo_report *report, struct proto_error *error);

#endif
