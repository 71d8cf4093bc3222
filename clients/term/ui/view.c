#include "term/ui/view.h"

#include "term/tty/screen.h"
#include "term/ui/messages.h"
#include "term/ui/status.h"

#include <curses.h>

enum { COLUMNS_MIN = 20, ROWS_MIN = 5 };

void term_view_init(struct term_view *view, const char *url)
{
    *view = (struct term_view){.help = {.url = url}};
    term_picture_init(&view->picture);
}

void term_view_finish(struct term_view *view)
{
    term_picture_finish(&view->picture);
}

void term_view_draw(struct term_view *view, const struct term_session *session, int64_t now)
{
    erase();
    if (COLS < COLUMNS_MIN || LINES < ROWS_MIN) {
        term_picture_hide(&view->picture);
        mvaddnstr(0, 0, "too small", COLS);
    } else {
        term_sidebar_follow(&view->sidebar, session, now);
        int screen = COLS < TERM_SCREEN_MAX ? COLS : TERM_SCREEN_MAX;
        int columns = screen - term_sidebar_width(&view->sidebar);
        term_picture_draw(&view->picture, session, columns, view->sidebar.measures.open);
        if (view->sidebar.why.open && session->why_known && session->why.there) {
            term_picture_mark(&view->picture, session->why.motion.x, session->why.motion.y);
        }
        term_messages_attention(session, columns);
        term_sidebar_draw(&view->sidebar, session, now);
        if (view->help.page > 0) {
            term_help_draw(&view->help, session, now);
        } else {
            term_messages_connection(session, view->help.url);
        }
        term_status_draw(session, now);
    }
    term_screen_flush();
}
