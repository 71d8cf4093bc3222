/* The bytes of a frame: characters in colours at positions, in the sequences of ECMA-48.
 *
 * Pure: collects bytes, which the caller sends. Sends a colour only if it changes, and a position
 * only if the cursor is not there. The caller owns the struct; all zero: empty. */
#ifndef TERM_OUTPUT_H
#define TERM_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#define OUTPUT_OWN     (-1)      /* the terminal's own colour */
#define OUTPUT_INDEXED 0x1000000 /* + a number of xterm's 256 colours, where all are shown */

/* A style. Colours are numbers of palette_nearest(), or OUTPUT_OWN. */
struct output_style {
    int ink, ground;
    bool bold, reverse, dim;
};

struct output {
    char *bytes;
    size_t size, capacity;
    int colors;      /* of the terminal */
    int row, column; /* of the cursor; -1: not known */
    struct output_style pen;
    bool has_pen; /* the terminal's style is `pen`; else it is not known */
};

void output_finish(struct output *output);

/* Forgets the terminal's style and the cursor's position, because something else has written. */
void output_forget(struct output *output);

/* Begins a frame: no bytes. */
void output_begin(struct output *output);

/* Adds bytes unchanged. Returns false if memory runs out. */
bool output_bytes(struct output *output, const char *bytes, size_t size);

/* Adds a character with its marks, ended by 0, at a cell. width: its columns. edge: the cell is the
 * last of its row. Only the ground of a blank in `style` counts. */
bool output_put(struct output *output, int row, int column, const wchar_t *text, int width,
                const struct output_style *style, bool edge);

/* Returns whether a character at the cursor is a blank that takes one byte. */
bool output_is_cheap(const struct output *output, const wchar_t *text,
                     const struct output_style *style);

/* Resets the terminal's style. */
bool output_plain(struct output *output);

#endif
