/* The measures of the whole flock on the screen, each with its history of the last minute.
 *
 * Draws into stdscr; main thread. */
#ifndef TERM_MEASURES_H
#define TERM_MEASURES_H

#include "term/net/session.h"
#include "term/ui/side.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TERM_MEASURE_COUNT = 6,
    TERM_MEASURE_ROWS = TERM_MEASURE_COUNT + 1, /* of the lowest panel, with its title */
    TERM_MEASURE_SAMPLES = 120,                 /* of a history: two a second */
    TERM_MEASURE_DIGITS = 32,                   /* bytes of a value */
};

/* The shown measures change a few times a second, so that they can be read. */
struct term_measures {
    bool open; /* the user wants to see them */
    bool known;
    struct proto_measures shown;
    int64_t taken_at;
    bool counted; /* the clusters are known */
    uint32_t clusters;
    bool sampled;    /* the flock is too big to count all of its boids */
    int64_t kept_at; /* when the newest sample was taken; 0: there is none */
    uint32_t kept;   /* samples that were ever taken */
    float history[TERM_MEASURE_COUNT][TERM_MEASURE_SAMPLES]; /* a ring; NaN: not known */
};

/* Returns the name of a measure, and whether it is a fraction from 0 to 1. index: below
 * TERM_MEASURE_COUNT. */
const char *term_measures_name(uint32_t index);
bool term_measures_share(uint32_t index);

/* Writes a value with at most 5 characters; NaN: "-". */
void term_measures_print(char out[TERM_MEASURE_DIGITS], float value);

/* Takes new measures from the picture if the shown ones are old enough. */
void term_measures_follow(struct term_measures *measures, const struct term_session *session,
                          int64_t now);

/* Draws the panel, as high as its side. */
void term_measures_draw(const struct term_measures *measures, const struct term_side *side);

#endif
