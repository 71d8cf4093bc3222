/* Limits the picture, so that a frame takes no more bytes than the terminal reads until the next
 * one.
 *
 * A frame has as many rows as its bytes allow. The next frame continues with the other rows: all
 * rows come in turn, and the flock moves in each frame. If frames lack rows, a higher level makes
 * the picture cheaper: shorter trails, steadier colours, fewer colours. Pure: times come in as
 * arguments, in microseconds. The caller owns the struct; all zero: nothing is saved. */
#ifndef TERM_ECONOMY_H
#define TERM_ECONOMY_H

#include "term/draw/shade.h"

#include <stdbool.h>
#include <stdint.h>

struct economy {
    int level;        /* 0: all details */
    double cost;      /* bytes of a changed cell, estimated; 0: not known */
    double credit;    /* bytes that a fast terminal may get now */
    double limit;     /* bytes of a frame */
    double used;      /* bytes of this frame so far, estimated */
    uint32_t cells;   /* changed cells of this frame */
    uint32_t rows;    /* of the screen, in the last frame */
    uint32_t drawn;   /* rows of this frame */
    uint32_t turn;    /* rows of all frames */
    double share;     /* of the screen's rows in a recent frame, smoothed: 0 to 1 */
    double filled;    /* share of the limit that a recent frame used, smoothed */
    uint64_t sent;    /* bytes in all when the frame began */
    int64_t at;       /* when the frame began; 0: no frame yet */
    int64_t changed;  /* when the level changed */
    bool slow;        /* the terminal takes fewer bytes than a fast one may get */
    bool raised;      /* the last change of the level added details */
    int64_t patience; /* µs from a change to more details */
};

/* Begins a frame. sent: bytes in all so far. budget: bytes/s that the terminal takes:
 * term_flow_budget(). */
void economy_begin(struct economy *economy, uint64_t sent, int64_t now, double budget);

/* Returns the details to draw. fades: the levels of trails that the terminal can show. */
struct shade_detail economy_detail(const struct economy *economy, int fades);

/* Returns whether this frame has bytes for another row. anew: the picture shows another part of the
 * world, so a fast terminal gets all rows at once. A slow terminal would take half a second for all
 * rows. It gets the new rows in turn, so that keys have their effect before the last row. */
bool economy_has_bytes(const struct economy *economy, bool anew);

/* Returns the next row to draw, below `rows`. Consecutive calls, `rows` of them, return each row
 * once. */
int economy_next_row(struct economy *economy, int rows);

/* Counts `cells` changed cells of the row. */
void economy_spend(struct economy *economy, int cells);

#endif
