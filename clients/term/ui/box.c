#include "term/ui/box.h"

#include "term/tty/print.h"
#include "term/tty/screen.h"
#include "term/ui/zones.h"

#include <curses.h>
#include <stdarg.h>
#include <stdio.h>

void term_box_add(struct term_box *box, const char *format, ...)
{
    if (box->count < TERM_BOX_LINES) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(box->lines[box->count++], TERM_BOX_TEXT, format, arguments);
        va_end(arguments);
    }
}

static cchar_t dim_symbol(wchar_t unicode, wchar_t ascii)
{
    cchar_t cell;
    wchar_t symbol[2] = {term_screen_symbol(unicode, ascii), 0};
    setcchar(&cell, symbol, A_DIM, 0, NULL);
    return cell;
}

/* Draws the frame around `height` rows of `width` columns, one column away from the text. */
static void draw_border(int top, int left, int height, int width)
{
    static const wchar_t corners[] = L"╭╮╰╯";
    const cchar_t side = dim_symbol(L'│', L'|');
    const cchar_t edge = dim_symbol(L'─', L'-');
    const int ends[4][2] = {{top - 1, left - 2},
                            {top - 1, left + width + 1},
                            {top + height, left - 2},
                            {top + height, left + width + 1}};
    for (int row = 0; row < height; row++) {
        mvadd_wch(top + row, left - 2, &side);
        mvadd_wch(top + row, left + width + 1, &side);
    }
    mvhline_set(top - 1, left - 1, &edge, width + 2);
    mvhline_set(top + height, left - 1, &edge, width + 2);
    for (int i = 0; i < 4; i++) {
        const cchar_t corner = dim_symbol(corners[i], L'+');
        mvadd_wch(ends[i][0], ends[i][1], &corner);
    }
}

struct term_box_place term_box_frame(int height, int width)
{
    struct term_box_place place = {.width = width < COLS - 4 ? width : COLS - 4,
                                   .height = height < LINES - 3 ? height : LINES - 3};
    place.left = (COLS - place.width) / 2;
    place.top = (LINES - 1 - place.height) / 2;
    if (place.width < 1 || place.height < 1) {
        return (struct term_box_place){0};
    }
    attr_set(A_NORMAL, 0, NULL);
    for (int row = -1; row <= place.height; row++) {
        mvhline(place.top + row, place.left - 2, ' ', place.width + 4);
    }
    draw_border(place.top, place.left, place.height, place.width);
    term_zones_add(&(struct term_zone){place.top - 1,
                                       place.left - 2,
                                       place.height + 2,
                                       place.width + 4,
                                       {TERM_IGNORED, 0, 0},
                                       false});
    return place;
}

void term_box_draw(const struct term_box *box)
{
    int width = 0;
    for (int i = 0; i < box->count; i++) {
        int line = term_print_width(box->lines[i]);
        width = line > width ? line : width;
    }
    struct term_box_place place = term_box_frame(box->count, width);
    for (int row = 0; row < place.height; row++) {
        term_print(place.top + row, place.left, box->lines[row], place.width);
    }
}
