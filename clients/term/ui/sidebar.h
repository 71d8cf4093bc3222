/* What stands beside the flock on the screen: the presenter's panel or the room's panel, one of
 * them at a time, or else the measures of the flock.
 *
 * As the view: draws into stdscr, main thread. */
#ifndef TERM_SIDEBAR_H
#define TERM_SIDEBAR_H

#include "term/net/session.h"
#include "term/ui/controls.h"
#include "term/ui/input.h"
#include "term/ui/measures.h"
#include "term/ui/members.h"

#include <stdbool.h>
#include <stdint.h>

/* All zero: nothing is open. */
struct term_sidebar {
    struct term_controls controls;
    struct term_members members;
    struct term_measures measures;
};

/* Does what a key asks for; false when it has nothing to do with what is shown here. */
bool term_sidebar_act(struct term_sidebar *sidebar, struct term_session *session,
                      struct term_input input, int64_t now);

/* How keys are to be read now. */
enum term_input_mode term_sidebar_mode(const struct term_sidebar *sidebar);

/* Follows the session; to be called before it is drawn. */
void term_sidebar_follow(struct term_sidebar *sidebar, const struct term_session *session,
                         int64_t now);

/* How many of the screen's columns it takes, at the right: none when there is nothing to show, all
 * of them when the screen is too narrow for a flock beside a panel. */
int term_sidebar_width(const struct term_sidebar *sidebar);

/* Draws it, if there is something to show. */
void term_sidebar_draw(const struct term_sidebar *sidebar, const struct term_session *session,
                       int64_t now);

#endif
