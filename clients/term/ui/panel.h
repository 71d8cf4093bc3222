/* The words on the screen: the status line, the help, and what is said in the middle when there is
 * no flock to see.
 *
 * As the view: draws into stdscr, main thread. Whatever a server or a person has named passes
 * through term_label(). */
#ifndef TERM_PANEL_H
#define TERM_PANEL_H

#include "term/net/session.h"

#include <stdbool.h>
#include <stdint.h>

#define TERM_PANEL_COLUMNS_MIN 20
#define TERM_PANEL_ROWS_MIN    5

struct term_panel {
    const char *url;
    bool unicode;
    int help;      /* the page of it that is shown, from 1; 0: none */
    bool measures; /* they are */
};

/* Writes text (UTF-8) at a cell, cut to so many columns and to the edge of the screen, and returns
 * its width. */
int term_panel_text(const struct term_panel *panel, int row, int column, const char *text,
                    int columns);

/* The width of a text that is not cut. */
int term_panel_width(const char *text);

/* The end of a text that fits into so many columns: what is being typed goes on there. */
const char *term_panel_end(const char *text, int columns);

/* A bar of so many columns, filled to a share (0 to 1; what is beyond is cut), in the attributes
 * that are set; in colour, if those are the normal ones. */
void term_panel_bar(const struct term_panel *panel, int row, int column, int columns, float share);

/* Whether the session's notice is new enough to be shown. */
bool term_panel_notice(const struct term_session *session, int64_t now);

/* The line at the bottom. */
void term_panel_status(const struct term_panel *panel, const struct term_session *session,
                       int64_t now);

/* The line across the picture with which a presenter asks for attention, if one does. */
void term_panel_attention(const struct term_panel *panel, const struct term_session *session,
                          int columns);

/* Shows the help, its next page, or nothing of it any more after the last one. */
void term_panel_turn_help(struct term_panel *panel, const struct term_session *session,
                          int64_t now);

/* Hides the help; returns whether it was shown. */
bool term_panel_close_help(struct term_panel *panel);

/* The boxes in the middle, as far as there is something to say. */
void term_panel_boxes(const struct term_panel *panel, const struct term_session *session,
                      int64_t now);

#endif
