#include "term/ui/past_draw.h"

#include "term/tty/screen.h"
#include "term/ui/past.h"
#include "term/ui/zones.h"

#include <curses.h>

enum { MARGIN = 1, WIDTH_MIN = 8 };

#define COLOR_MOMENT 0xffd75fu
#define COLOR_CHANGE 0x5fafffu

/* Draws one symbol of the bar. */
static void draw_symbol(int row, int column, wchar_t unicode, wchar_t ascii, uint32_t color)
{
    wchar_t symbol[2] = {term_screen_symbol(unicode, ascii), 0};
    attr_set(color != 0 ? A_BOLD : A_DIM, color != 0 ? term_screen_pair(color) : 0, NULL);
    mvaddwstr(row, column, symbol);
}

static int column_of(const struct term_session *session, double back, int width)
{
    return MARGIN + (int)(term_past_share(session, back) * (width - 1) + 0.5);
}

void term_past_draw(const struct term_session *session, int row, int columns, int64_t now)
{
    int width = columns - 2 * MARGIN;
    if (!session->past.shown || width < WIDTH_MIN || row < 0) {
        return;
    }
    attr_set(A_NORMAL, 0, NULL);
    mvhline(row, 0, ' ', columns);
    for (int i = 0; i < width; i++) {
        draw_symbol(row, MARGIN + i, L'─', L'-', 0);
    }
    for (uint32_t i = 0; i < session->marks.count; i++) {
        draw_symbol(row, column_of(session, (double)session->marks.marks[i].back, width), L'┼',
                    L'+', COLOR_CHANGE);
    }
    draw_symbol(row, column_of(session, term_past_back(session, now), width), L'●', L'O',
                COLOR_MOMENT);
    attr_set(A_NORMAL, 0, NULL);
    if (session->welcome.role == PROTO_PRESENTER) {
        term_zones_add(&(struct term_zone){row, MARGIN, 1, width, {TERM_SEEK, 0, 0}, true});
    } else {
        term_zones_add_row(row, 0, columns, (struct term_input){TERM_IGNORED, 0, 0});
    }
}
