/* The whole screen: the picture of the flock, the panel beside it, the boxes over it and the status
 * line; and which of them a key or a click belongs to: the topmost one that takes it.
 *
 * Draws into stdscr. Main thread, with the screen open. */
#ifndef TERM_VIEW_H
#define TERM_VIEW_H

#include "term/draw/picture.h"
#include "term/net/stay.h"
#include "term/ui/finder.h"
#include "term/ui/help.h"
#include "term/ui/invite.h"
#include "term/ui/lens.h"
#include "term/ui/prompt.h"
#include "term/ui/sidebar.h"
#include "term/ui/zones.h"

#include <stdbool.h>
#include <stdint.h>

struct term_view {
    struct term_picture picture;
    struct term_help help;
    struct term_finder finder;
    struct term_prompt prompt;
    struct term_sidebar sidebar;
    struct term_pointer pointer;
    struct term_lens lens;
    struct term_invite invite;
    double budget;                         /* bytes/s that the terminal takes; the owner sets it */
    char chosen[TERM_TARGET_TEXT_MAX + 1]; /* the room of TERM_JOIN, the preset of TERM_CREATE */
};

/* url: of the server; it must outlive the view. cells: the characters of boids. */
void term_view_init(struct term_view *view, const char *url, enum term_cells cells);
void term_view_finish(struct term_view *view);

/* Handles a key or a click of the boxes and panels, or turns a click into the input of the button
 * under it. Returns false if it is left to the caller: *input is then what to do. */
bool term_view_act(struct term_view *view, struct term_stay *stay, struct term_input *input,
                   int64_t now);

/* Returns how keys are read now. */
enum term_input_mode term_view_mode(const struct term_view *view);

/* Draws the screen as of `now` (µs) at the screen's present size. */
void term_view_draw(struct term_view *view, const struct term_stay *stay, int64_t now);

/* Closes all boxes and panels but the measures. */
void term_view_close(struct term_view *view);

/* The session is another one: forgets what belonged to the last one. */
void term_view_move(struct term_view *view, const char *url);

#endif
