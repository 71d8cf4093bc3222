/* Keys and the mouse, read as actions. One table of keys serves for reading and for the help. */
#ifndef TERM_INPUT_H
#define TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>

enum term_action {
    TERM_NONE,     /* no input waits */
    TERM_IGNORED,  /* a key without a meaning */
    TERM_MOVE,     /* the cursor, by x and y steps */
    TERM_POINT,    /* the cursor, to cell (x, y) */
    TERM_LEAVE,    /* the cursor leaves the world */
    TERM_MEASURES, /* show or hide them */
    TERM_WHY,      /* mark a boid or the next one (x = 1), or end that (x = -1) */
    TERM_HELP,
    TERM_RETRY,
    TERM_QUIT,
    TERM_REDRAW,
    TERM_SYNC, /* the terminal reports that it knows synchronized output */

    /* In the presenter's panel: */
    TERM_PANEL,  /* open or close it */
    TERM_SELECT, /* the row y below */
    TERM_CHANGE, /* the selected row, by x steps */
    TERM_TYPE,   /* the character x of a number or a text */
    TERM_ENTER,
    TERM_ERASE,
    TERM_CLEAR, /* erase all that is typed */
    TERM_CANCEL,
    /* For the flock: */
    TERM_ADD,
    TERM_REMOVE,
    TERM_MANY, /* change how many boids those two add or remove */
    TERM_RESET,
    TERM_UNDO,
    TERM_RUN,
    TERM_STEP,
    TERM_REWIND, /* the room's past: x steps back */
    TERM_FRAME,  /* x ticks back */
    TERM_PLAY,   /* forwards (x = 1) or backwards (x = -1), or stop */
    TERM_NOW,    /* the present again */
    TERM_RESUME, /* continue from the moment that is shown */
    TERM_PRESET, /* the next preset (x = 1) or the one before (x = -1) */

    /* In the room's panel, which also has the presenter's panel's actions: */
    TERM_MEMBERS, /* open or close it */
    TERM_APPOINT, /* make the selected person a presenter (x = 1) or a viewer (x = -1) */
    TERM_EXPEL,
    TERM_SPOTLIGHT, /* mark the selected person's cursor, or end that */
    TERM_YES,       /* answer a question; TERM_CANCEL: no */
};

/* The meaning of keys depends on what is shown. */
enum term_input_mode {
    TERM_MODE_STEER,
    TERM_MODE_PANEL,  /* the panel is open, with a control selected */
    TERM_MODE_PARAM,  /* a parameter is selected: a digit, sign or point begins a number */
    TERM_MODE_TYPING, /* the user types a number in it */
    TERM_MODE_LIST,   /* the room's panel is open */
    TERM_MODE_TEXT,   /* the user types a text in it */
    TERM_MODE_ASK,    /* the panel asks a question */
};

struct term_input {
    enum term_action action;
    int x, y;
};

/* Reads one input; TERM_NONE if none waits. The screen must be open. Pasted text counts as typed
 * characters and never as keys. */
struct term_input term_input_read(enum term_input_mode mode);

/* A line of the help: the keys and what they do; whether they are for presenters; the control that
 * they need, or NULL. term_input_help() returns false after the last line. */
struct term_input_line {
    const char *keys, *text;
    bool presenter;
    const char *control;
};
bool term_input_help(size_t index, struct term_input_line *line);

#endif
