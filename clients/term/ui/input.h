/* Keys and the mouse, as what they ask for. One table says what each key does, for reading and for
 * the help. */
#ifndef TERM_INPUT_H
#define TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>

enum term_action {
    TERM_NONE,     /* nothing waits */
    TERM_IGNORED,  /* a key without a meaning */
    TERM_MOVE,     /* the cursor, by x and y steps */
    TERM_POINT,    /* the cursor, to cell (x, y) */
    TERM_LEAVE,    /* the cursor leaves */
    TERM_MEASURES, /* they are shown or hidden */
    TERM_HELP,
    TERM_RETRY,
    TERM_QUIT,
    TERM_REDRAW,
    TERM_SYNC, /* the terminal has said that it knows synchronized output */

    /* Live control. Of the panel: */
    TERM_PANEL,  /* it opens or closes */
    TERM_SELECT, /* the row y below */
    TERM_CHANGE, /* the selected row, by x steps */
    TERM_TYPE,   /* the character x of a number or a text */
    TERM_ENTER,
    TERM_ERASE,
    TERM_CLEAR, /* all that is typed */
    TERM_CANCEL,
    /* and of the flock: */
    TERM_ADD,
    TERM_REMOVE,
    TERM_MANY, /* how many boids those two add or remove */
    TERM_RESET,
    TERM_UNDO,
    TERM_RUN,
    TERM_STEP,
    TERM_REWIND, /* the room's past: by x steps back */
    TERM_FRAME,  /* by x ticks back */
    TERM_PLAY,   /* forwards (x = 1) or backwards (x = -1), or stop that */
    TERM_NOW,    /* the present again */
    TERM_RESUME, /* go on from the moment that is shown */
    TERM_PRESET, /* the next one (x = 1) or the one before (x = -1) */

    /* Of the room's panel, which has the panel's actions, too: */
    TERM_MEMBERS, /* it opens or closes */
    TERM_APPOINT, /* the selected person is made a presenter (x = 1) or a viewer (x = -1) */
    TERM_EXPEL,
    TERM_SPOTLIGHT, /* the selected person's cursor is marked, or no longer */
    TERM_YES,       /* the answer to a question; TERM_CANCEL: no */
};

/* What keys mean changes with what is shown. */
enum term_input_mode {
    TERM_MODE_STEER,
    TERM_MODE_PANEL,  /* the panel is open, with a control selected */
    TERM_MODE_PARAM,  /* with a parameter selected: a digit, sign or point begins a number */
    TERM_MODE_TYPING, /* and a number is being typed in it */
    TERM_MODE_LIST,   /* the room's panel is open */
    TERM_MODE_TEXT,   /* and a text is being typed in it */
    TERM_MODE_ASK,    /* and a question is to be answered */
};

struct term_input {
    enum term_action action;
    int x, y;
};

/* Reads one; TERM_NONE when nothing waits. The screen must be open. What is pasted is text: outside
 * typing it means nothing, and within only its characters count. */
struct term_input term_input_read(enum term_input_mode mode);

/* Line `index` of the help: the keys and what they do; whether they are a presenter's, and the
 * control that they need, NULL: none. False behind the last. */
struct term_input_line {
    const char *keys, *text;
    bool presenter;
    const char *control;
};
bool term_input_help(size_t index, struct term_input_line *line);

#endif
