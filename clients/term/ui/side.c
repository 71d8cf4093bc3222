#include "term/ui/side.h"

#include "term/tty/inks.h"
#include "term/tty/label.h"
#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/status.h"

#include <assert.h>
#include <curses.h>

#define COLOR_BAD 0xff5f5fu

enum { CLOSED_MIN = 15 /* rows: a frame of fewer has no last line */ };

struct term_side term_side_at(int columns)
{
    const bool covers = columns == COLS;
    const int rows = LINES - 1;
    const bool closed = !covers && rows >= CLOSED_MIN;
    return (struct term_side){
        .end = closed ? rows - 1 : rows,
        .left = covers ? 1 : COLS - columns + 2,
        .width = covers ? columns - 2 : columns - 4,
        .framed = !covers,
        .first = true,
        .closed = closed,
    };
}

struct term_side term_side_take(struct term_side *side, int rows)
{
    struct term_side taken = *side;
    assert(rows >= 0 && side->top + rows <= side->end);
    taken.end = side->top + rows;
    taken.closed = side->closed && taken.end == side->end;
    side->top = taken.end;
    side->first = false;
    return taken;
}

/* Draws a symbol of the frame. */
static void draw_line(int row, int column, int columns, wchar_t unicode, wchar_t ascii)
{
    const wchar_t symbol[2] = {term_screen_symbol(unicode, ascii), 0};
    const short pair = inks_role(INK_QUIET);
    cchar_t cell;
    setcchar(&cell, symbol, pair == 0 ? A_DIM : A_NORMAL, pair, NULL);
    mvhline_set(row, column, &cell, columns);
}

/* Draws a line across with the symbols of its ends. */
static void draw_across(const struct term_side *side, int row, wchar_t from, wchar_t to)
{
    draw_line(row, side->left - 1, side->width + 2, L'─', L'-');
    if (side->framed) {
        draw_line(row, side->left - 2, 1, from, L'+');
        draw_line(row, side->left + side->width + 1, 1, to, L'+');
    }
}

void term_side_ground(const struct term_side *side)
{
    attr_set(A_NORMAL, 0, NULL);
    draw_across(side, side->top, side->first ? L'╭' : L'├', side->first ? L'╮' : L'┤');
    for (int row = side->top + 1; row < side->end; row++) {
        mvhline(row, side->left - 1, ' ', side->width + 2);
        if (side->framed) {
            draw_line(row, side->left - 2, 1, L'│', L'|');
            draw_line(row, side->left + side->width + 1, 1, L'│', L'|');
        }
    }
    if (side->closed) {
        draw_across(side, side->end, L'╰', L'╯');
    }
}

void term_side_rule(const struct term_side *side, int row)
{
    draw_line(row, side->left - 1, side->width + 2, L'─', L'-');
}

/* Writes a text into the line above the panel, with a space at each side. */
static void write_heading(int row, int column, const char *text, int columns)
{
    int width = term_print(row, column, text, columns);
    mvaddch(row, column - 1, ' ');
    mvaddch(row, column + width, ' ');
}

void term_side_title(const struct term_side *side, const char *title, const char *place)
{
    int width = term_print_width(place);
    int left = side->width - (width > 0 ? width + 3 : 0);
    attr_set(A_BOLD, 0, NULL);
    write_heading(side->top, side->left, title, left > 1 ? left : 1);
    attr_set(A_NORMAL, 0, NULL);
    if (width > 0 && width < side->width) {
        write_heading(side->top, side->left + side->width - width, place, width);
    }
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
