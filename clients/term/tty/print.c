#include "term/tty/print.h"

#include "term/tty/label.h"
#include "term/tty/screen.h"

#include <curses.h>
#include <math.h>

#define COLOR_BAR 0x5fafffu

int term_print(int row, int column, const char *text, int columns)
{
    wchar_t label[TERM_LABEL_MAX];
    columns = columns < COLS - column ? columns : COLS - column;
    if (row < 0 || row >= LINES || column < 0 || columns <= 0) {
        return 0;
    }
    int width = term_label(label, text, columns, term_screen_symbol(L'…', L'~'));
    mvaddwstr(row, column, label);
    return width;
}

int term_print_width(const char *text)
{
    wchar_t label[TERM_LABEL_MAX];
    return term_label(label, text, (int)TERM_LABEL_MAX, 0);
}

const char *term_print_tail(const char *text, int columns)
{
    while (*text != '\0' && term_print_width(text) > columns) {
        do {
            text++;
        } while (((unsigned char)*text & 0xc0) == 0x80);
    }
    return text;
}

void term_print_bar(int row, int column, int columns, float share)
{
    static const wchar_t eighths[] = L" ▏▎▍▌▋▊▉█";
    attr_t found = 0;
    short pair = 0;
    share = fminf(fmaxf(share, 0), 1);
    int filled = (int)(share * (float)(8 * columns) + 0.5F);
    attr_get(&found, &pair, NULL);
    attr_set(found, found == A_NORMAL && pair == 0 ? term_screen_pair(COLOR_BAR) : pair, NULL);
    for (int i = 0; i < columns; i++) {
        int part = filled - 8 * i < 8 ? filled - 8 * i : 8;
        wchar_t symbol[2] = {term_screen_symbol(L'·', L'.'), 0};
        if (part > 0) {
            symbol[0] = term_screen_symbol(eighths[part], part > 4 ? L'=' : L'-');
        }
        mvaddwstr(row, column + i, symbol);
    }
    attr_set(found, pair, NULL);
}
