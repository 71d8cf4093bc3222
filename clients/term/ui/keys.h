/* The table of keys: for reading keys, for the help and the command palette, and for the
 * configuration file, which can bind other keys to an action.
 *
 * One table a process, main thread. Knows no terminal. */
#ifndef TERM_KEYS_H
#define TERM_KEYS_H

#include "term/texts/texts.h"
#include "term/ui/input.h"

#include <stdbool.h>
#include <stddef.h>

/* A row of the table, for the help and the palette. */
struct term_input_line {
    const char *keys;    /* their names; "": none, the palette has the action */
    enum text text;      /* the action */
    bool presenter;      /* only presenters may use it */
    const char *control; /* a control that the room must have; NULL: none */
};

enum term_input_table {
    TERM_KEYS_ANYWHERE,
    TERM_KEYS_PANEL, /* while a panel is open, before TERM_KEYS_ANYWHERE */
    TERM_KEYS_LIST,  /* while the room's panel is open, before TERM_KEYS_PANEL */
    TERM_KEYS_HELP,  /* while the help is open; the help does not show these keys */
    TERM_KEY_TABLES,
};

/* Binds the keys of the table, and names them in the language of the texts. Must be called before
 * all other functions. */
void term_keys_init(void);

/* Finds the action of a key: a character or a key of ncurses. Returns false if it has none. */
bool term_keys_find(enum term_input_table table, int key, struct term_input *input);

/* Binds up to three keys to the action of that name. text: the keys' names, such as "Ctrl-F F3", or
 * "none". Other actions of the same table lose these keys. Returns NULL, or what was expected. Call
 * term_keys_name() after the last binding. */
const char *term_keys_bind(const char *name, const char *text);

/* Names the keys for the help and for sentences. Must be called after the keys or the language have
 * changed. */
void term_keys_name(void);

/* Returns the keys that select and change the rows of a panel, for its hint: the letters, such as
 * "hjkl", if each has one, else their names. */
const char *term_keys_moves(void);

/* Stores a row of the help and its action by the row's index. Returns false after the last row.
 * input may be NULL. */
bool term_input_help(enum term_input_table table, size_t index, struct term_input_line *line,
                     struct term_input *input);

/* Returns the name of an action in the configuration file by its index; NULL after the last one. */
const char *term_keys_action(size_t index);

#endif
