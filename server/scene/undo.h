/* The last changes of a scene's flock, and the flock before each, so that presenters can take the
 * changes back one after another. Before a change that moves or removes boids, the whole flock is
 * kept if it fits into UNDO_BOIDS, else its settings; before any other change, the settings. A
 * saved scene has no undo; a room that goes to another node does: see undo_state.h.
 *
 * Drawings of viewers leave presenters their last UNDO_MAX - UNDO_VIEWERS steps. When there is no
 * free step and more than UNDO_VIEWERS are drawings, the two oldest ones in a row become one step.
 *
 * For the files of scene/. */
#ifndef UNDO_H
#define UNDO_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "scene/change.h"
#include "scene/inputs.h"
#include "sim/flock.h"

struct scene;

#define UNDO_MAX     10u
#define UNDO_VIEWERS (UNDO_MAX / 2) /* drawings of viewers */
#define UNDO_BOIDS   65536u         /* in all kept flocks of a scene, 32 bytes each */
#define UNDO_SERIES                                                                                \
    2000000u /* µs: changes of one parameter with less time between them are one step */

struct undo_step;

struct undo {
    struct undo_step
        *steps; /* the oldest first, UNDO_MAX and one that is being prepared; NULL: none yet */
    uint32_t count;
    uint32_t boids;  /* in the kept flocks */
    bool preparing;  /* steps[count] is filled */
    bool continuing; /* the change continues the last step */
};

/* Stores the presets that the steps name. Returns how many. */
#define UNDO_NAMED_MAX (2 * UNDO_MAX)
size_t undo_named(const struct scene *scene, const struct flock_preset *named[UNDO_NAMED_MAX]);

void undo_finish(struct scene *scene);

/* Returns the bytes that it takes. */
size_t undo_bytes(const struct scene *scene);

/* undo_prepare() must be called before the change that an INPUT_MESSAGE makes. Afterwards must be
 * called undo_keep() if the change has changed something, else undo_drop(). Without memory a change
 * cannot be taken back. */
void undo_prepare(struct scene *scene, const struct input *input);
void undo_keep(struct scene *scene);
void undo_drop(struct scene *scene);

/* Must be called after INPUT_DISCARD of a hunter: undo of later hunters then removes them. Of the
 * last erase, clear or other step that brings back all hunters, and of the steps before it, nothing
 * changes. */
void undo_without_hunter(struct scene *scene, uint32_t index);

/* Takes the last change back, and fills *change with what was taken back. Returns false, with
 * *error filled and nothing changed, if there is none or it is refused. */
bool undo_last(struct scene *scene, struct change *change, struct proto_error *error);

#endif
