/* Turns cursors into one target: the policies, and the target without an active cursor. Pure
 * functions. */
#ifndef CURSOR_H
#define CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "sim/flock.h"

enum cursor_policy {
    CURSOR_MEAN,      /* the mean of the active cursors */
    CURSOR_LATEST,    /* the cursor that moved last */
    CURSOR_NEAREST,   /* for each boid the cursor nearest to it */
    CURSOR_PRESENTER, /* the mean of the presenters' cursors */
    CURSOR_TEAMS,     /* for each boid the nearest of the teams' means */
    CURSOR_RELAY,     /* the cursor of the person who leads */
};

enum cursor_idle {
    CURSOR_WANDER, /* a slow Lissajous path over the world */
    CURSOR_HOLD,   /* no target */
};

/* The names, in the order of the enums; a NULL name ends each list. */
extern const struct flock_word cursor_policies[];
extern const struct flock_word cursor_idles[];

/* Return the name with that index; NULL after the last. */
const char *cursor_policy_name(size_t index);
const char *cursor_idle_name(size_t index);

struct cursor {
    bool present;      /* false: the person has no cursor, or has withdrawn it */
    float x, y;        /* world units */
    uint64_t moved_at; /* µs on the scene's clock */
};

/* Whether the cursor is present and has moved within the last `timeout` µs. */
bool cursor_active(const struct cursor *cursor, uint64_t now, uint64_t timeout);

/* Gathers active cursors into one target: cursor_gather() must be called for each. In a torus, of
 * width and height > 0, the mean is the circular mean of each axis; elsewhere both are 0. Where
 * cursors are on opposite sides of a torus, that mean jumps to the other side; the target then
 * moves the short way, by at most CURSOR_GLIDE of the world with each call. */
#define CURSOR_GLIDE 0.05F

struct cursor_target {
    enum cursor_policy policy;
    float width, height;
    bool has_last;        /* there was a target in the tick before, … */
    float last_x, last_y; /* … at this point */
    uint32_t count;
    double sum_x, sum_y;               /* of the coordinates */
    double sin_x, cos_x, sin_y, cos_y; /* of the coordinates as angles around the torus */
    struct cursor latest;
};

void cursor_gather(struct cursor_target *target, const struct cursor *cursor);

/* Stores the target. Returns false if no cursor was gathered. */
bool cursor_resolve(const struct cursor_target *target, float *x, float *y);

/* Stores the point of the wandering path at `now` (µs): a Lissajous figure around the middle of a
 * world of that size, 0.3 of the world wide to each side, with periods of 23 s and 31 s. */
void cursor_wander(uint64_t now, float width, float height, float *x, float *y);

/* ---- the world: a target beyond it would lead the flock off every screen ---- */

/* Whether a point, in world units, lies in the range of positions (PROTOCOL.md); else fills *error.
 */
bool cursor_reaches(const struct flock_settings *world, float x, float y,
                    struct proto_error *error);

/* Moves the point to the nearest point of the world, 0 to its width and 0 to its height. */
void cursor_keep(const struct flock_settings *world, float *x, float *y);

/* Whether the cursor is beyond the world. */
bool cursor_is_beyond(const struct flock_settings *world, const struct cursor *cursor);

#endif
