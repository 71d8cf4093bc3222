/* The rooms that this user joined last, with their keys, in a file that only the user can read.
 *
 * The file has a room a line, the newest first: its address with the keys, a space, its title. The
 * owner's thread; the file is written at once and replaced as a whole. */
#ifndef TERM_HISTORY_H
#define TERM_HISTORY_H

#include "term/net/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERM_HISTORY_MAX  20u
#define TERM_HISTORY_PATH 1000u

struct term_visit {
    char address[TERM_TARGET_TEXT_MAX + 1];
    char title[PROTO_TITLE_MAX + 1];
    char note[TERM_URL_HOST_MAX + 16]; /* the server */
};

/* All zero: remembers nothing. */
struct term_history {
    char path[TERM_HISTORY_PATH + 1]; /* "": none */
    uint32_t count;
    struct term_visit visits[TERM_HISTORY_MAX];
};

/* Reads the user's file, $XDG_STATE_HOME/flock-term/rooms, or the same below ~/.local/state. A file
 * that cannot be read counts as empty. Lines that are malformed are left out. */
void term_history_open(struct term_history *history);

/* The user is in that room: it becomes the newest. A room that is known keeps a key that the target
 * lacks. Writes the file if it has changed. */
void term_history_visit(struct term_history *history, const struct term_target *target,
                        const char *title);

#endif
