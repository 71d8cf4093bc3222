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

/* A row of the table, for the help and the palette: the keys ("": none, an action of the palette),
 * and what they do; whether they are for presenters; the control that they need, or NULL. */
struct term_input_line {
    const char *keys;
    enum text text;
    bool presenter;
    const char *control;
};

enum term_input_table {
    TERM_KEYS_ANYWHERE,
    TERM_KEYS_PANEL, /* while a panel is open, before those anywhere */
    TERM_KEYS_LIST,  /* while the room's panel is open, before both */
    TERM_KEYS_HELP,  /* while the help is open, the only keys; they are not in the help */
    TERM_KEY_TABLES,
};

/* Takes the keys of the table, and their names in the language of the texts. Must be called before
 * all other functions, and again after the language has changed. */
void term_keys_init(void);

/* Finds the action of a key, a character or one of ncurses's. Returns false if it has none. */
bool term_keys_find(enum term_input_table table, int key, struct term_input *input);

/* Binds up to three keys to the action of that name: `text` has their names with spaces between
 * them, such as "Ctrl-F F3", or "none". Other actions of its table lose these keys. Returns NULL,
 * or what was expected. Call term_keys_init() first, and term_keys_name() after the last. */
const char *term_keys_bind(const char *name, const char *text);

/* Writes the names of the keys, which the help and sentences show. */
void term_keys_name(void);

/* Returns the keys that select and change the rows of a panel, for its hint: the letters, such as
 * "hjkl", if each has one, else their names. */
const char *term_keys_moves(void);

/* Returns a row that the help shows; false after the last one. input: the row's action; may be
 * NULL. */
bool term_input_help(enum term_input_table table, size_t index, struct term_input_line *line,
                     struct term_input *input);

/* Returns the name of an action in the configuration file by its index; NULL after the last. */
const char *term_keys_action(size_t index);

#endif
