/* Keys and the mouse, read as actions; keys.h has the table of keys. */
#ifndef TERM_INPUT_H
#define TERM_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERM_INPUT_PASTE_MAX 1023u /* bytes of pasted text that are read as a link */

enum term_action {
    TERM_NONE,     /* no input waits */
    TERM_IGNORED,  /* a key without a meaning */
    TERM_REPORT,   /* the terminal reports something that no key has caused */
    TERM_MOVE,     /* the cursor, by x and y steps */
    TERM_POINT,    /* the mouse is over cell (x, y) */
    TERM_PRESS,    /* its left button was pressed there */
    TERM_RELEASE,  /* and released */
    TERM_WHEEL_UP, /* its wheel was turned there */
    TERM_WHEEL_DOWN,
    TERM_GRAB,      /* its right button was pressed there */
    TERM_DROP,      /* and released */
    TERM_ZOOM,      /* enlarge the world by x steps */
    TERM_FIT,       /* show the whole world */
    TERM_CELLS,     /* draw boids with the characters x: enum term_cells */
    TERM_FOLLOW,    /* follow the flock, or stop that; in the past, as TERM_PLAY */
    TERM_INVITE,    /* show or hide the room's code and link */
    TERM_LEAVE,     /* the cursor leaves the world */
    TERM_MEASURES,  /* show or hide them */
    TERM_SHOW_NEWS, /* or hide them */
    TERM_SWEEP,     /* show or hide the room's sweep */
    TERM_UNSWEEP,   /* stop it */
    TERM_WHY,       /* mark a boid or the next one (x = 1), or end that (x = -1) */
    TERM_HELP,
    TERM_SCROLL, /* the help, by y lines */
    TERM_PALETTE,
    TERM_ROOMS, /* the palette of rooms */
    TERM_KEY,   /* type the presenter key */
    TERM_JOIN,  /* the room that was chosen */
    TERM_CREATE,
    TERM_PASTE, /* text was pasted outside a field: term_input_pasted() */
    TERM_RETRY,
    TERM_QUIT,
    TERM_REDRAW,
    TERM_SYNC,   /* the terminal reports that it knows synchronized output */
    TERM_ANSWER, /* the terminal has read all that was sent before a question */

    /* In the presenter's panel: */
    TERM_PANEL,  /* open or close it */
    TERM_SELECT, /* the row y below */
    TERM_PICK,   /* the row y of the list; x: 0, or what TERM_CHANGE does to it */
    TERM_SLIDE,  /* the parameter in row y, to x thousandths of its track */
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
    TERM_SKIP,   /* end the turn of the person who leads */
    TERM_REWIND, /* the room's past: x steps back */
    TERM_FRAME,  /* x ticks back */
    TERM_SEEK,   /* to x thousandths of the past, from its beginning */
    TERM_PLAY,   /* forwards (x = 1) or backwards (x = -1), or stop */
    TERM_NOW,    /* the present again */
    TERM_RESUME, /* continue from the moment that is shown */
    TERM_PRESET, /* the next preset (x = 1) or the one before (x = -1) */

    /* In the room's panel, which also has the presenter's panel's actions: */
    TERM_MEMBERS, /* open or close it */
    TERM_APPOINT, /* make the selected person a presenter (x = 1) or a viewer (x = -1) */
    TERM_EXPEL,
    TERM_SPOTLIGHT, /* mark the selected person's cursor, or end that */
    TERM_DOOR,      /* let newcomers in, or not */
    TERM_NAMING,    /* ask people for their names, or not */
    TERM_YES,       /* answer a question; TERM_CANCEL: no */
};

/* The meaning of keys depends on what is shown. */
enum term_input_mode {
    TERM_MODE_STEER,
    TERM_MODE_PANEL,  /* the panel is open, with a control selected */
    TERM_MODE_PARAM,  /* a parameter is selected: a digit, sign or point begins a number */
    TERM_MODE_TYPING, /* the user types a number in it */
    TERM_MODE_LIST,   /* the room's panel is open */
    TERM_MODE_TEXT,   /* the user types a text */
    TERM_MODE_ASK,    /* the panel asks a question */
    TERM_MODE_HELP,   /* the help is open */
};

struct term_input {
    enum term_action action;
    int x, y;
};

/* Reads one input; TERM_NONE if none waits. The screen must be open. Pasted text counts as typed
 * characters and never as keys. Esc, and 3 s without a character, end text that the terminal does
 * not end. now: a monotonic time, µs. */
struct term_input term_input_read(enum term_input_mode mode, int64_t now);

/* Returns the text of the last TERM_PASTE: printable ASCII, on one line. */
const char *term_input_pasted(void);

/* Returns whether an action needs a server or other people, which a demo lacks. */
bool term_input_needs_server(enum term_action action);

#endif
