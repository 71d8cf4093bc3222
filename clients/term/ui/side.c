#include "term/ui/side.h"

#include "term/tty/label.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/status.h"

#include <curses.h>

#define COLOR_BAD 0xff5f5fu

struct term_side term_side_at(int columns)
{
    struct term_side side = {.left = COLS - columns + 2, .width = columns - 3};
    if (columns == COLS) {
        side.left = 1;
        side.width = columns - 2;
    }
    return side;
}

void term_side_ground(const struct term_side *side)
{
    cchar_t cell;
    wchar_t symbol[2] = {term_screen_symbol(L'│', L'|'), 0};
    for (int row = 0; row < LINES - 1; row++) {
        mvhline(row, side->left - 1, ' ', side->width + 2);
    }
    setcchar(&cell, symbol, A_DIM, 0, NULL);
    if (side->left >= 2) {
        mvvline_set(0, side->left - 2, &cell, LINES - 1);
    }
}

void term_side_rule(const struct term_side *side, int row)
{
    cchar_t cell;
    wchar_t symbol[2] = {term_screen_symbol(L'─', L'-'), 0};
    setcchar(&cell, symbol, A_DIM, 0, NULL);
    mvhline_set(row, side->left - 1, &cell, side->width + 2);
}

void term_side_title(const struct term_side *side, const char *title, const char *place)
{
    int width = term_print_width(place);
    attr_set(A_BOLD, 0, NULL);
    term_print(0, side->left, title, side->width);
    attr_set(A_NORMAL, 0, NULL);
    term_print(0, side->left + side->width - width, place, width);
}

int term_side_first(int before, int selected, int rows, int count)
{
    int first = before;
    if (selected < first) {
        first = selected;
    } else if (selected >= first + rows) {
        first = selected - rows + 1;
    }
    first = first < count - rows ? first : count - rows;
    return first > 0 ? first : 0;
}

int term_side_lines(const struct term_side *side, const char *text, int most)
{
    wchar_t label[TERM_LABEL_MAX];
    int lines = 0;
    term_label(label, text, (int)TERM_LABEL_MAX, 0);
    for (const wchar_t *rest = label; *rest != L'\0' && lines < most; lines++) {
        rest = term_label_rest(rest, side->width);
    }
    return lines;
}

void term_side_text(const struct term_side *side, int row, int rows, const char *text)
{
    wchar_t label[TERM_LABEL_MAX];
    term_label(label, text, (int)TERM_LABEL_MAX, 0);
    const wchar_t *rest = label;
    for (int i = 0; i < rows && *rest != L'\0'; i++) {
        int length = term_label_line(rest, side->width);
        bool cut = i + 1 == rows && *term_label_rest(rest, side->width) != L'\0';
        if (cut) {
            length = term_label_line(rest, side->width - 1);
        }
        mvaddnwstr(row + i, side->left, rest, length);
        if (cut) {
            addwstr(term_screen_unicode() ? L"…" : L"~");
        }
        rest = term_label_rest(rest, side->width);
    }
}

void term_side_hint(const struct term_side *side, int row, const char *text)
{
    attr_set(A_DIM, 0, NULL);
    term_print(row, side->left, text, side->width);
    attr_set(A_NORMAL, 0, NULL);
}

bool term_side_notice(const struct term_side *side, int row, int rows,
                      const struct term_session *session, int64_t now)
{
    if (!term_status_has_notice(session, now) || session->notice_kind == TERM_NEWS) {
        return false;
    }
    attr_set(A_BOLD, term_screen_pair(COLOR_BAD), NULL);
    term_side_text(side, row, rows, session->notice);
    attr_set(A_NORMAL, 0, NULL);
    return true;
}
