#include "term/tty/frame.h"

#include "term/tty/inks.h"
#include "term/tty/output.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define CLEAR "\033[H\033[2J"

enum { GAP_MOST = 3 /* blanks that take fewer bytes than a move of the cursor over them */ };

static struct output output;
static cchar_t *shown; /* the terminal's cells, row by row */
static cchar_t *fresh; /* a row of stdscr, and a cell for ncurses's end */
static int columns;
static int rows;

void frame_start(int colors)
{
    output.colors = colors;
    frame_forget();
}

void frame_forget(void)
{
    rows = columns = 0;
    output_forget(&output);
}

void frame_finish(void)
{
    output_finish(&output);
    free(shown);
    free(fresh);
    shown = fresh = NULL;
    frame_forget();
}

/* Makes room for the screen; nothing is on it. Returns false if memory runs out. */
static bool resize_cells(void)
{
    size_t count = (size_t)COLS * (size_t)LINES;
    cchar_t *cells = realloc(shown, count * sizeof *shown);
    if (cells == NULL) {
        return false;
    }
    shown = cells;
    cchar_t *row = realloc(fresh, ((size_t)COLS + 1) * sizeof *fresh);
    if (row == NULL) {
        return false;
    }
    fresh = row;
    memset(shown, 0, count * sizeof *shown); /* no cell of stdscr is all zero */
    columns = COLS;
    rows = LINES;
    return true;
}

static int columns_of(const cchar_t *cell)
{
    return wcwidth(cell->chars[0]) == 2 ? 2 : 1;
}

/* Reads a row of stdscr. A wide character has one entry in ncurses's answer, and here a second one
 * that is all zero. */
static void read_row(int row)
{
    int entries = 0;
    int width = 0;
    memset(fresh, 0, ((size_t)columns + 1) * sizeof *fresh);
    mvin_wchnstr(row, 0, fresh, columns);
    while (entries < columns && width < columns && fresh[entries].chars[0] != L'\0') {
        width += columns_of(&fresh[entries++]);
    }
    int column = width;
    for (int i = entries; i > 0 && column > i; i--) {
        cchar_t cell = fresh[i - 1];
        column -= columns_of(&cell);
        if (columns_of(&cell) == 2 && column + 1 < columns) {
            memset(&fresh[column + 1], 0, sizeof fresh[0]);
        }
        fresh[column] = cell;
    }
}

/* Returns whether a cell has a block or a sextant. */
static bool is_block(const cchar_t *cell)
{
    wchar_t symbol = cell->chars[0];
    return (symbol >= 0x2580 && symbol <= 0x259f) || (symbol >= 0x1fb00 && symbol <= 0x1fb3b);
}

/* Returns whether a block stands beside the column. */
static bool has_block_beside(int column)
{
    return (column > 0 && is_block(&fresh[column - 1])) ||
           (column + 1 < columns && is_block(&fresh[column + 1]));
}

/* Returns whether a block goes that stood beside the column. */
static bool loses_block(const cchar_t *last, int column)
{
    for (int side = column - 1; side <= column + 1; side += 2) {
        if (side >= 0 && side < columns && is_block(&last[side]) && !is_block(&fresh[side])) {
            return true;
        }
    }
    return false;
}

/* Returns whether the cell must be sent. Blocks of some fonts are wider than their cell: when xterm
 * draws a blank in a block's place, the block's edges stay on the blanks beside it. */
static bool is_wanted(const cchar_t *last, int column)
{
    const cchar_t *cell = &fresh[column];
    if (cell->chars[0] == L'\0') {
        return false; /* the right half of a wide character */
    }
    return memcmp(cell, &last[column], sizeof *last) != 0 ||
           (cell->chars[0] == L' ' && loses_block(last, column));
}

/* Reads a cell's character with its marks, and how it looks. */
static void read_cell(const cchar_t *cell, int row_ground, wchar_t text[CCHARW_MAX + 1],
                      struct output_style *style)
{
    attr_t attributes = 0;
    short pair = 0;
    memset(text, 0, (CCHARW_MAX + 1) * sizeof *text);
    getcchar(cell, text, &attributes, &pair, NULL);
    inks_style(attributes, pair, row_ground, style);
}

/* Sends a cell. */
static bool send_cell(const cchar_t *cell, int row, int column, int row_ground)
{
    wchar_t text[CCHARW_MAX + 1];
    struct output_style style;
    read_cell(cell, row_ground, text, &style);
    int width = columns_of(cell);
    return output_put(&output, row, column, text, width, &style, column + width >= columns);
}

/* Moves the cursor over the unchanged cells before a column. Sends blanks instead if that takes
 * fewer bytes, but not beside blocks, whose edges the blanks would cover. */
static bool send_gap(int row, int column, int row_ground)
{
    const int first = output.column;
    if (output.row != row || column - first > GAP_MOST) {
        return true; /* output_put() moves the cursor */
    }
    for (int i = first; i < column; i++) {
        wchar_t text[CCHARW_MAX + 1];
        struct output_style style;
        read_cell(&fresh[i], row_ground, text, &style);
        if (has_block_beside(i) || !output_is_cheap(&output, text, &style)) {
            return true;
        }
    }
    for (int i = first; i < column; i++) {
        if (!send_cell(&fresh[i], row, i, row_ground)) {
            return false;
        }
    }
    return true;
}

/* Sends a row that has changed. end: the columns that may be written. */
static bool send_row(int row, int end)
{
    cchar_t *last = &shown[(size_t)row * (size_t)columns];
    int row_ground = OUTPUT_OWN;
    bool ready = false;
    for (int column = 0; column < end; column++) {
        if (!is_wanted(last, column)) {
            continue;
        }
        row_ground = ready ? row_ground : inks_ground(row, rows);
        ready = true;
        if (!send_gap(row, column, row_ground) ||
            !send_cell(&fresh[column], row, column, row_ground)) {
            return false;
        }
    }
    memcpy(last, fresh, (size_t)columns * sizeof *last);
    return true;
}

/* Sends the changed cells of all rows. */
static bool send_rows(bool corner)
{
    for (int row = 0; row < rows; row++) {
        read_row(row);
        if (memcmp(fresh, &shown[(size_t)row * (size_t)columns], (size_t)columns * sizeof *fresh) !=
                0 &&
            !send_row(row, row + 1 == rows && !corner ? columns - 1 : columns)) {
            return false;
        }
    }
    return true;
}

size_t frame_make(const char *before, const char *after, bool corner, const char **bytes)
{
    bool anew = columns != COLS || rows != LINES;
    output_begin(&output);
    bool complete = output_bytes(&output, before, strlen(before));
    if (complete && anew) {
        output_forget(&output);
        complete =
            resize_cells() && output_plain(&output) && output_bytes(&output, CLEAR, strlen(CLEAR));
    }
    size_t begun = output.size;
    complete = complete && send_rows(corner);
    bool changed = anew || output.size > begun;
    complete = complete && output_bytes(&output, after, strlen(after));
    if (!complete) {
        frame_forget(); /* the next frame begins again */
        return 0;
    }
    *bytes = output.bytes;
    return changed ? output.size : 0;
}
