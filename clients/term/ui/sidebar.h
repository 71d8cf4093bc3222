/* The panels beside the flock, one below the other: the presenter's panel, the room's panel, the
 * sweep or a boid that is explained; then the measures of the flock; then the news.
 *
 * Draws into stdscr; main thread. */
#ifndef TERM_SIDEBAR_H
#define TERM_SIDEBAR_H

#include "term/net/session.h"
#include "term/ui/controls.h"
#include "term/ui/input.h"
#include "term/ui/measures.h"
#include "term/ui/members.h"
#include "term/ui/news.h"
#include "term/ui/sweep.h"
#include "term/ui/why.h"

#include <stdbool.h>
#include <stdint.h>

/* All zero: no panel is open. Of the four large panels the first open one is shown. */
struct term_sidebar {
    struct term_controls controls; /* at most one of this one ... */
    struct term_members members;   /* ... and this one is open */
    struct term_sweep sweep;
    struct term_why why;
    struct term_measures measures;
    struct term_news news;
    int news_row; /* the row of the news in the last frame; 0: they were not shown */
};

/* Handles a key; returns false if the key has nothing to do with a panel. */
bool term_sidebar_act(struct term_sidebar *sidebar, struct term_session *session,
                      struct term_input input, int64_t now);

/* The wheel was turned over the panels: scrolls the list in that row, `rows` rows down. */
void term_sidebar_wheel(struct term_sidebar *sidebar, struct term_session *session, int row,
                        int rows, int64_t now);

/* Open the panel with that parameter, or that person, selected. */
void term_sidebar_show_param(struct term_sidebar *sidebar, const struct term_session *session,
                             const char *param);
void term_sidebar_show_person(struct term_sidebar *sidebar, const struct term_session *session,
                              uint32_t id);

/* Marks the boid near a position of the world and explains it. Returns false if no drawn boid is
 * within `reach`. */
bool term_sidebar_pick(struct term_sidebar *sidebar, struct term_session *session, float x, float y,
                       float reach, int64_t now);

/* Starts a sweep of a parameter and shows it. */
void term_sidebar_sweep(struct term_sidebar *sidebar, struct term_session *session,
                        const char *param, int64_t now);

/* Returns how keys are read now. */
enum term_input_mode term_sidebar_mode(const struct term_sidebar *sidebar);

/* Follows the session. Must be called before it is drawn. */
void term_sidebar_follow(struct term_sidebar *sidebar, const struct term_session *session,
                         int64_t now);

/* Returns the number of columns of the panels at the right: 0 if nothing is open, all columns if
 * the screen is too narrow for a flock beside a panel. */
int term_sidebar_width(const struct term_sidebar *sidebar);

/* Returns whether measures are on the screen, or may be. */
bool term_sidebar_measures(const struct term_sidebar *sidebar);

/* Draws the panels that are open, if any. */
void term_sidebar_draw(struct term_sidebar *sidebar, const struct term_session *session,
                       int64_t now);

#endif
