/* How much is drawn, so that the terminal gets no more bytes a second than a budget.
 *
 * First trails get shorter and cells keep their colours for longer; then each frame has every
 * second, third … row only, in turn, so that the flock still moves in each frame. Pure: times come
 * in as arguments. The caller owns the struct; all zero: nothing is saved. */
#ifndef TERM_ECONOMY_H
#define TERM_ECONOMY_H

#include "term/draw/shade.h"

#include <stdbool.h>
#include <stdint.h>

#define ECONOMY_BUDGET 150000.0 /* bytes/s to a terminal that takes all */

struct economy {
    int level;        /* 0: all is drawn */
    double rate;      /* bytes/s in the last moments */
    uint64_t sent;    /* bytes, when it was last followed */
    int64_t at;       /* then, µs; 0: never */
    int64_t changed;  /* when the level changed */
    bool raised;      /* then more was drawn than before */
    int64_t patience; /* µs before more is drawn again */
    uint32_t frame;   /* counts frames */
};

/* Follows what was sent: bytes in all at `now` (µs). budget: bytes/s. Call it once a frame. */
void economy_follow(struct economy *economy, uint64_t sent, int64_t now, double budget);

/* Returns what is drawn. fades: the levels of trails that the terminal can show. */
struct shade_detail economy_detail(const struct economy *economy, int fades);

/* Returns whether this frame has that row. */
bool economy_has_row(const struct economy *economy, int row);

#endif
