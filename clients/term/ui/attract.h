/* The attract mode of a demo: once nobody has pressed a key for a while, one preset after another
 * is shown, and the cursor wanders. A key or the mouse ends it.
 *
 * Pure: times come in as arguments, in microseconds. The owner shows the presets and moves the
 * cursor. */
#ifndef TERM_ATTRACT_H
#define TERM_ATTRACT_H

#include <stdbool.h>
#include <stdint.h>

#define TERM_ATTRACT_IDLE  30000000 /* µs without a key, after which it begins */
#define TERM_ATTRACT_EVERY 20000000 /* µs for each preset, unless the user has asked for others */

enum term_attract_step {
    TERM_ATTRACT_REST,  /* a person has the flock */
    TERM_ATTRACT_BEGIN, /* it begins now, with another preset */
    TERM_ATTRACT_NEXT,  /* it goes on to the next preset */
    TERM_ATTRACT_SHOW,  /* it shows the same preset as before */
};

struct term_attract {
    bool on;
    int64_t every;      /* µs for each preset */
    int64_t touched_at; /* the last key */
    int64_t next_at;    /* the next preset's time, while it is on */
};

/* seconds: for each preset, and it begins at once; 0: TERM_ATTRACT_EVERY, and it begins after
 * TERM_ATTRACT_IDLE. */
void term_attract_init(struct term_attract *attract, uint32_t seconds, int64_t now);

/* A key was pressed, or the mouse was moved. Returns whether that has ended the mode. */
bool term_attract_touch(struct term_attract *attract, int64_t now);

/* Returns what to do now. Must be called many times a second. */
enum term_attract_step term_attract_tick(struct term_attract *attract, int64_t now);

/* Stores where the cursor is now, as shares of the world's sides: 0 to 1. */
void term_attract_wander(int64_t now, float *x, float *y);

#endif
