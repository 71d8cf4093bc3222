/* The command palette: typed words find actions, presets and other choices, and parameters; or
 * rooms. Its actions are the rows of the table of keys.
 *
 * Knows neither keyboard nor screen. One thread. */
#ifndef TERM_FINDER_H
#define TERM_FINDER_H

#include "term/net/history.h"
#include "term/net/listing.h"
#include "term/net/session.h"
#include "term/ui/input.h"

#include <stdbool.h>
#include <stdint.h>

#define TERM_FINDER_TYPED_MAX TERM_TARGET_TEXT_MAX
#define TERM_FINDER_FOUND_MAX 320u /* more than all actions, choices and parameters, or rooms */

enum term_find_kind {
    TERM_FIND_ACTION,
    TERM_FIND_CHOICE, /* a value of a control */
    TERM_FIND_PARAM,
    TERM_FIND_SWEEP,  /* of a parameter */
    TERM_FIND_ROOM,   /* to join: its address or code is the name */
    TERM_FIND_CREATE, /* a new room with a preset, the name; "": with none */
};

/* The sources of entries. */
struct term_sources {
    const struct term_session *session;
    const struct term_history *history;
    const struct term_listing *listing;
};

/* An entry of the palette. Its texts belong to the sources, the finder or the table of keys. */
struct term_found {
    enum term_find_kind kind;
    const char *before; /* of the text, such as the control of a choice; "": nothing */
    const char *text, *note;
    struct term_input input; /* of an action */
    const char *name;        /* the server's, of a control, a parameter, a room or a preset */
    const char *value;       /* of a choice */
};

/* All zero: closed. */
struct term_finder {
    bool open;
    bool of_rooms; /* it finds rooms */
    uint32_t selected;
    char typed[TERM_FINDER_TYPED_MAX + 1];
};

/* Returns the number of entries that have all typed words, and stores the first
 * TERM_FINDER_FOUND_MAX of them. Entries that begin with the typed text come first. */
uint32_t term_finder_find(const struct term_finder *finder, const struct term_sources *sources,
                          struct term_found found[TERM_FINDER_FOUND_MAX]);

/* Opens the palette of rooms. */
void term_finder_open_rooms(struct term_finder *finder);

/* Handles a key or a click; returns false if it has nothing to do with the palette. If the user has
 * chosen an entry, stores it in *chosen and sets *done; the palette is then closed. */
bool term_finder_act(struct term_finder *finder, const struct term_sources *sources,
                     struct term_input input, struct term_found *chosen, bool *done);

#endif
