/* Cursors into one target: the policies of a room, and what the target does when nobody steers.
 * Pure functions. */
#ifndef CURSOR_H
#define CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cursor_policy {
    CURSOR_MEAN,   /* the mean of the active cursors */
    CURSOR_LATEST, /* the cursor that moved last */
};

enum cursor_idle {
    CURSOR_WANDER, /* a slow Lissajous path over the world */
    CURSOR_HOLD,   /* no target */
};

/* The words for these on the command line and on the wire, in the order of the enums; NULL ends
 * each. */
extern const char *const cursor_policy_names[];
extern const char *const cursor_idle_names[];

struct cursor {
    bool present;      /* false: its owner has none, or has withdrawn it */
    float x, y;        /* world units */
    uint64_t moved_at; /* µs on the server's clock */
};

/* Whether the cursor steers at time now: present, and moved within the last timeout µs. */
bool cursor_active(const struct cursor *cursor, uint64_t now, uint64_t timeout);

/* Gathers active cursors into a target, one cursor_gather() each. */
struct cursor_target {
    enum cursor_policy policy;
    uint32_t count;
    double sum_x, sum_y; /* CURSOR_MEAN */
    struct cursor latest;
};

void cursor_gather(struct cursor_target *target, const struct cursor *cursor);

/* The target of what was gathered; false when no cursor was. */
bool cursor_resolve(const struct cursor_target *target, float *x, float *y);

/* The point of the wandering path at time now (µs) in a world of that size: a Lissajous figure
 * about its middle, three tenths of the world wide to each side, with periods of 23 s and 31 s. */
void cursor_wander(uint64_t now, float width, float height, float *x, float *y);

#endif
