/* Keys and the mouse, as what they ask for. One table says what each key does, for reading and for
 * the help. */
#ifndef TERM_INPUT_H
#define TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>

enum term_action {
    TERM_NONE,    /* nothing waits */
    TERM_IGNORED, /* a key without a meaning */
    TERM_MOVE,    /* the cursor, by x and y steps */
    TERM_POINT,   /* the cursor, to cell (x, y) */
    TERM_LEAVE,   /* the cursor leaves */
    TERM_HELP,
    TERM_RETRY,
    TERM_QUIT,
    TERM_REDRAW,
    TERM_SYNC, /* the terminal has said that it knows synchronized output */
};

struct term_input {
    enum term_action action;
    int x, y;
};

/* Reads one; TERM_NONE when nothing waits. The screen must be open. */
struct term_input term_input_read(void);

/* Line `index` of the help: the keys and what they do. False behind the last. */
bool term_input_help(size_t index, const char **keys, const char **text);

#endif
