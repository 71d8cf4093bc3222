/* The panel of the room's last news, the newest first.
 *
 * Draws into stdscr; main thread. */
#ifndef TERM_UI_NEWS_H
#define TERM_UI_NEWS_H

#include "term/net/session.h"
#include "term/ui/side.h"

#include <stdbool.h>
#include <stdint.h>

enum { TERM_NEWS_ROWS_MIN = 4, TERM_NEWS_ROWS_MOST = 14 }; /* of the panel, with its title */

/* All zero: closed. */
struct term_news {
    bool open;
    int first; /* the age of the first item that is shown */
};

/* Shows older news, or newer ones. */
void term_news_scroll(struct term_news *news, const struct term_session *session, int items);

void term_news_draw(const struct term_news *news, const struct term_side *side,
                    const struct term_session *session, int64_t now);

#endif
