/* The panel beside the flock: the presenter's panel, the room's panel, a boid that is explained, or
 * the measures of the flock.
 *
 * Draws into stdscr; main thread. */
#ifndef TERM_SIDEBAR_H
#define TERM_SIDEBAR_H

#include "term/net/session.h"
#include "term/ui/controls.h"
#include "term/ui/input.h"
#include "term/ui/measures.h"
#include "term/ui/members.h"
#include "term/ui/why.h"

#include <stdbool.h>
#include <stdint.h>

/* At most one of the two panels is open. All zero: none. */
struct term_sidebar {
    struct term_controls controls;
    struct term_members members;
    struct term_measures measures;
    struct term_why why; /* beside the flock while neither panel is open */
};

/* Handles a key; returns false if the key has nothing to do with a panel. */
bool term_sidebar_act(struct term_sidebar *sidebar, struct term_session *session,
                      struct term_input input, int64_t now);

/* Open the panel with that parameter, or that person, selected. */
void term_sidebar_show_param(struct term_sidebar *sidebar, const struct term_session *session,
                             const char *param);
void term_sidebar_show_person(struct term_sidebar *sidebar, const struct term_session *session,
                              uint32_t id);

/* Returns how keys are read now. */
enum term_input_mode term_sidebar_mode(const struct term_sidebar *sidebar);

/* Follows the session. Must be called before it is drawn. */
void term_sidebar_follow(struct term_sidebar *sidebar, const struct term_session *session,
                         int64_t now);

/* Returns the number of columns of the panel at the right: 0 if nothing is open, all columns if the
 * screen is too narrow for a flock beside a panel. */
int term_sidebar_width(const struct term_sidebar *sidebar);

/* Returns whether measures are on the screen, or may be. */
bool term_sidebar_measures(const struct term_sidebar *sidebar);

/* Draws the panel that is open, if any. */
void term_sidebar_draw(struct term_sidebar *sidebar, const struct term_session *session,
                       int64_t now);

#endif
