/* The attract mode of a demo: it shows one preset after another, and the cursor wanders. The mode
 * begins after a time without a key or a movement of the mouse, which end it.
 *
 * Pure: times come in as arguments, in microseconds. The owner shows the presets and moves the
 * cursor. */
#ifndef TERM_ATTRACT_H
#define TERM_ATTRACT_H

#include <stdbool.h>
#include <stdint.h>

#define TERM_ATTRACT_IDLE  30000000 /* µs without a key until the mode begins */
#define TERM_ATTRACT_EVERY 20000000 /* µs for each preset by default */

enum term_attract_step {
    TERM_ATTRACT_REST,  /* a person has the flock */
    TERM_ATTRACT_BEGIN, /* the mode begins now: show the next preset */
    TERM_ATTRACT_NEXT,  /* show the next preset */
    TERM_ATTRACT_SHOW,  /* go on with the same preset */
};

struct term_attract {
    bool on;
    int64_t every;      /* µs for each preset */
    int64_t touched_at; /* the last key */
    int64_t next_at;    /* the next preset's time, while it is on */
};

/* seconds: the time of each preset in a mode that begins at once; 0: a mode with TERM_ATTRACT_EVERY
 * that begins after TERM_ATTRACT_IDLE. */
void term_attract_init(struct term_attract *attract, uint32_t seconds, int64_t now);

/* Must be called when a person presses a key or moves the mouse. Returns whether this ends the
 * mode.
 */
bool term_attract_touch(struct term_attract *attract, int64_t now);

/* Returns what to do now. Must be called many times a second. */
enum term_attract_step term_attract_tick(struct term_attract *attract, int64_t now);

/* Stores where the cursor is now, as shares of the world's sides: 0 to 1. */
void term_attract_wander(int64_t now, float *x, float *y);

#endif
