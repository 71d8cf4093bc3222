/* A drag: a presenter changes a parameter again and again, and all members see the vectors of its
 * rules on a sample of boids. The frames are the topic pushes. For the room's own files. */
#ifndef DRAG_H
#define DRAG_H

#include <stdbool.h>
#include <stdint.h>

#include "room/frame.h"
#include "scene/change.h"
#include "sim/flock.h"

struct room;

/* µs for which a drag goes on after its last change. */
#define DRAG_TIME UINT64_C(2000000)
/* µs within which parameters of different rules are a batch, which a program sent. */
#define DRAG_BATCH CHANGE_BATCH

struct drag {
    uint32_t causes; /* bits (1 << enum flock_cause) that are shown; 0: none */
    uint32_t last;   /* bits of the parameter that changed last */
    uint64_t at;     /* µs on the server's clock: of that change */
    bool ended;      /* the newest frame says so */
};

/* Notes that a parameter of these causes has changed. */
void drag_note(struct drag *drag, uint32_t causes, uint64_t now);

/* Returns whether a drag goes on, of the flock that members see. */
bool drag_goes_on(const struct room *room, uint64_t now);

/* Returns the frame of the drag; without a drag, a frame without rules. Times as in
 * topics_update(). Returns NULL if memory runs out or the explanation was stopped. */
struct frame *drag_frame(const struct room *room, struct flock_workspace *engine, uint64_t now,
                         uint64_t time);

#endif
