/* Picks: boids whose turns a member wants explained, one a member. Their frames are the topic why,
 * and a presenter's pick can be the topic shown. A pick names a number. While the shown flock has
 * no boid of that number, the frame says so. For the room's own files.
 *
 * When all PROTO_PICKS_MAX picks are taken, a newcomer replaces a viewer's pick: the oldest one of
 * the address at which the most viewers have picks. A presenter always does so. A viewer does so if
 * that address has at least two more than the viewer's own: then no two addresses take a pick from
 * each other again and again. Up to PICKS_CLASS, viewers at the address of a presenter (see
 * presenters.h) get a pick in any case, and theirs give way to presenters only. The room tells the
 * person whose pick has ended. Presenters' picks never give way.
 *
 * Frames explain the tick after the shown moment, also in a paused flock and in the past. */
#ifndef PICKS_H
#define PICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "room/room.h"
#include "room/view.h"

#define PICKS_CLASS (PROTO_PICKS_MAX / 4 * 3)

struct pick {
    uint32_t slot; /* of the member */
    uint32_t boid;
    bool shown; /* to all, if the member is a presenter; at most one pick */
};

struct picks {
    uint32_t count;
    struct pick *list; /* from the oldest; PROTO_PICKS_MAX entries, as `frames`; NULL: no one has
                          picked a boid yet */
    bool changed;      /* since the last picks_update() */
    uint32_t version;  /* of the newest frame */
    uint32_t framed;
    struct view_pick *frames; /* one for each picked boid, in the order of boids */
};

void picks_finish(struct picks *picks);

size_t picks_bytes(const struct picks *picks); /* of its memory */

/* Picks a boid for the member in that slot, instead of the one before. Returns false, with *error
 * filled, if there is no such boid, all picks are taken and none gives way, or memory runs out. */
bool picks_set(struct room *room, uint32_t slot, const struct proto_pick *pick,
               struct proto_error *error);

/* Ends the pick of the member in that slot. Does nothing if the member has none. */
void picks_end(struct room *room, uint32_t slot);

/* Makes the frames of all picks, or none if there are no subscribers. `time` is on the clock of the
 * shown scene. */
void picks_update(struct room *room, struct flock_workspace *engine, uint64_t time);

/* Returns the frame of the boid that a presenter shows. If no presenter shows a boid, the frame
 * says so. Returns NULL if memory runs out or the explanation was stopped. */
struct frame *picks_shown(const struct room *room, struct flock_workspace *engine, uint64_t time);

#endif
