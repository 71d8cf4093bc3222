/* A box in which the user types a key: the join key of a locked room, or the presenter key. The key
 * is never shown, because others may see the screen.
 *
 * Draws into stdscr; main thread. Times in microseconds. */
#ifndef TERM_PROMPT_H
#define TERM_PROMPT_H

#include "term/net/session.h"
#include "term/ui/input.h"

#include <stdbool.h>
#include <stdint.h>

enum term_prompt_kind {
    TERM_PROMPT_NONE,
    TERM_PROMPT_JOIN,    /* the server asks for the join key */
    TERM_PROMPT_PRESENT, /* the user wants to become a presenter */
};

/* All zero: closed. */
struct term_prompt {
    enum term_prompt_kind kind;
    bool declined; /* the user has closed the question for the join key */
    char typed[PROTO_KEY_MAX + 1];
};

/* Follows the session: asks for the join key when the server has refused to let this person in
 * without it. Must be called before a key is handled and before the screen is drawn. */
void term_prompt_follow(struct term_prompt *prompt, const struct term_session *session);

/* Handles a key or a click; returns false if it has nothing to do with the box. */
bool term_prompt_act(struct term_prompt *prompt, struct term_session *session,
                     struct term_input input, int64_t now);

/* Draws the box; draws nothing if it is closed. */
void term_prompt_draw(const struct term_prompt *prompt, const struct term_session *session);

#endif
