/* Limits the picture, so that a frame takes no more bytes than the terminal reads in its time.
 *
 * A frame has as many rows as its bytes allow; the next frame goes on with the other rows, so that
 * all rows come in turn and the flock moves in each frame. If frames lack rows, the picture gets
 * cheaper: shorter trails, colours that cells keep for longer, fewer colours. Pure: times come in
 * as arguments, in microseconds. The caller owns the struct; all zero: nothing is saved. */
#ifndef TERM_ECONOMY_H
#define TERM_ECONOMY_H

#include "term/draw/shade.h"

#include <stdbool.h>
#include <stdint.h>

struct economy {
    int level;        /* 0: all is drawn */
    double cost;      /* bytes of a changed cell, about; 0: not known */
    double limit;     /* bytes of a frame */
    double used;      /* of them in this frame, about */
    uint32_t cells;   /* that have changed in this frame */
    uint32_t rows;    /* of the screen, in the last frame */
    uint32_t drawn;   /* rows of this frame */
    uint32_t turn;    /* counts rows */
    double share;     /* of the rows that a frame had in the last moments: 0 to 1 */
    double filled;    /* of the limit that was used in the last moments */
    uint64_t sent;    /* bytes, when the frame began */
    int64_t at;       /* then; 0: never */
    int64_t changed;  /* when the level changed */
    bool raised;      /* then more was drawn than before */
    int64_t patience; /* µs before more is drawn again */
};

/* Begins a frame. sent: bytes in all so far. budget: bytes/s that the terminal takes:
 * term_flow_budget(). */
void economy_begin(struct economy *economy, uint64_t sent, int64_t now, double budget);

/* Returns what is drawn. fades: the levels of trails that the terminal can show. */
struct shade_detail economy_detail(const struct economy *economy, int fades);

/* Returns whether this frame takes another row, after fewer than `rows`. */
bool economy_has_bytes(const struct economy *economy);

/* Returns the row that is next, of `rows`. Any `rows` calls return each row once. */
int economy_next_row(struct economy *economy, int rows);

/* Cells of that row have changed. */
void economy_spend(struct economy *economy, int cells);

#endif
