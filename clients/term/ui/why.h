/* The panel that explains the boid that this person has marked: a sentence, a figure and a bar for
 * each rule, and the nearest neighbours.
 *
 * Draws into stdscr; main thread. */
#ifndef TERM_WHY_H
#define TERM_WHY_H

#include "term/net/session.h"
#include "term/ui/input.h"
#include "term/ui/side.h"

#include <stdbool.h>
#include <stdint.h>

#define TERM_WHY_SENTENCE 320u

/* All zero: closed. While it is open without a pick, the server has ended the pick. */
struct term_why {
    bool open;
    char sentence[TERM_WHY_SENTENCE];
    int64_t said_at;
};

/* Handles a key; returns false if the key has nothing to do with the panel. The first TERM_WHY
 * marks the boid nearest to this person's cursor, or to the middle of the world; the next ones mark
 * another boid. */
bool term_why_act(struct term_why *why, struct term_session *session, struct term_input input,
                  int64_t now);

/* Marks the drawn boid nearest to a position of the world. Returns false if none is within `reach`,
 * and then changes nothing. */
bool term_why_pick(struct term_why *why, struct term_session *session, float x, float y,
                   float reach, int64_t now);

/* Follows the session. Must be called before it is drawn. */
void term_why_follow(struct term_why *why, const struct term_session *session, int64_t now);

void term_why_draw(const struct term_why *why, const struct term_side *side,
                   const struct term_session *session);

#endif
