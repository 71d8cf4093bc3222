#include "term/tty/svg.h"

#include "term/tty/inks.h"
#include "term/tty/screen.h"

#include <curses.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

/* Units of a cell, and of its parts. */
enum { WIDTH = 8, HEIGHT = 16, DOT = 4, BASELINE = 12 };

enum {
    BRAILLE = 0x2800,
    BRAILLE_LAST = 0x28ff,
    EIGHTHS_FIRST = 0x2589, /* seven eighths of a block, then six, ... */
    EIGHTHS_LAST = 0x258f,
    SEXTANTS = 0x1fb00,
    SEXTANTS_LAST = 0x1fb3b,
    SEXTANTS_LEFT = 21, /* numbers of sextants that are older characters */
    SEXTANTS_RIGHT = 42,
};

/* A cell, with its colours as 0xRRGGBB. */
struct cell {
    wchar_t text[CCHARW_MAX + 1];
    int columns;
    uint32_t ink, ground;
    bool bold;
};

static uint32_t color_of(int number, uint32_t own)
{
    return number == OUTPUT_OWN || number >= OUTPUT_INDEXED ? own : (uint32_t)number;
}

static void read_cell(const cchar_t *from, int row_ground, bool light, struct cell *cell)
{
    attr_t attributes = 0;
    short pair = 0;
    struct output_style style;
    getcchar(from, cell->text, &attributes, &pair, NULL);
    inks_style(attributes, pair, row_ground, &style);
    cell->columns = wcwidth(cell->text[0]) == 2 ? 2 : 1;
    cell->ink = color_of(style.ink, light ? 0x202020 : 0xe0e0e0);
    cell->ground = color_of(style.ground, light ? 0xffffff : 0x101010);
    cell->bold = style.bold;
    if (style.reverse) {
        uint32_t ink = cell->ink;
        cell->ink = cell->ground;
        cell->ground = ink;
    }
}

/* Reads a row; returns the number of cells, of which wide ones take two columns. */
static int read_row(int row, bool light, struct cell cells[TERM_SCREEN_MAX])
{
    cchar_t found[TERM_SCREEN_MAX + 1];
    const int ground = inks_ground(row, LINES);
    int columns = COLS < TERM_SCREEN_MAX ? COLS : TERM_SCREEN_MAX;
    int count = 0;
    memset(found, 0, sizeof found);
    mvin_wchnstr(row, 0, found, columns);
    for (int used = 0; used < columns && found[count].chars[0] != L'\0'; count++) {
        read_cell(&found[count], ground, light, &cells[count]);
        used += cells[count].columns;
    }
    return count;
}

/* ---- shapes ---- */

static void write_rectangle(FILE *output, int x, int y, int width, int height)
{
    fprintf(output, "M%d %dh%dv%dh-%dz", x, y, width, height, width);
}

static void write_sextant(FILE *output, int x, int y, int number)
{
    static const int tops[] = {0, 5, 11, 16};
    number += 1;
    number += number >= SEXTANTS_LEFT ? 1 : 0;
    number += number >= SEXTANTS_RIGHT ? 1 : 0;
    for (int i = 0; i < 6; i++) {
        if ((number & 1 << i) != 0) {
            write_rectangle(output, x + i % 2 * WIDTH / 2, y + tops[i / 2], WIDTH / 2,
                            tops[i / 2 + 1] - tops[i / 2]);
        }
    }
}

/* Writes the outline of a block. */
static void write_block(FILE *output, int x, int y, wchar_t symbol)
{
    if (symbol == L'█') {
        write_rectangle(output, x, y, WIDTH, HEIGHT);
    } else if (symbol == L'▀' || symbol == L'▄') {
        write_rectangle(output, x, symbol == L'▀' ? y : y + HEIGHT / 2, WIDTH, HEIGHT / 2);
    } else if (symbol == L'▐') {
        write_rectangle(output, x + WIDTH / 2, y, WIDTH / 2, HEIGHT);
    } else if (symbol >= EIGHTHS_FIRST && symbol <= EIGHTHS_LAST) {
        write_rectangle(output, x, y, WIDTH - (int)(symbol - EIGHTHS_FIRST + 1), HEIGHT);
    } else {
        write_sextant(output, x, y, (int)(symbol - SEXTANTS));
    }
}

static bool is_block(wchar_t symbol)
{
    return symbol == L'█' || symbol == L'▀' || symbol == L'▄' || symbol == L'▐' ||
           (symbol >= EIGHTHS_FIRST && symbol <= EIGHTHS_LAST) ||
           (symbol >= SEXTANTS && symbol <= SEXTANTS_LAST);
}

static bool is_braille(wchar_t symbol)
{
    return symbol > BRAILLE && symbol <= BRAILLE_LAST;
}

/* Writes the dots of a braille character as the ends of lines without a length. */
static void write_dots(FILE *output, int x, int y, int dots)
{
    static const int rows[] = {0, 1, 2, 0, 1, 2, 3, 3};
    static const int columns[] = {0, 0, 0, 1, 1, 1, 0, 1};
    for (int i = 0; i < 8; i++) {
        if ((dots & 1 << i) != 0) {
            fprintf(output, "M%d %dh0", x + DOT * columns[i] + DOT / 2,
                    y + DOT * rows[i] + DOT / 2);
        }
    }
}

/* ---- rows ---- */

/* Returns how many cells from the first on have what the test compares. */
static int run_of(const struct cell *cells, int count,
                  bool (*same)(const struct cell *, const struct cell *))
{
    int length = 1;
    while (length < count && same(&cells[0], &cells[length])) {
        length++;
    }
    return length;
}

static bool same_ground(const struct cell *one, const struct cell *other)
{
    return one->ground == other->ground;
}

/* The kinds of content: 0 nothing, 1 text, 2 dots, 3 blocks. */
static int kind_of(const struct cell *cell)
{
    const wchar_t symbol = cell->text[0];
    return symbol == L' ' ? 0 : is_braille(symbol) ? 2 : is_block(symbol) ? 3 : 1;
}

static bool same_content(const struct cell *one, const struct cell *other)
{
    return kind_of(one) == kind_of(other) && one->ink == other->ink && one->bold == other->bold;
}

static int columns_of(const struct cell *cells, int count)
{
    int columns = 0;
    for (int i = 0; i < count; i++) {
        columns += cells[i].columns;
    }
    return columns;
}

static void write_grounds(FILE *output, const struct cell *cells, int count, int row)
{
    int x = 0;
    for (int i = 0; i < count;) {
        int length = run_of(&cells[i], count - i, same_ground);
        int width = WIDTH * columns_of(&cells[i], length);
        fprintf(output, "<path fill=\"#%06x\" d=\"", cells[i].ground);
        write_rectangle(output, x, HEIGHT * row, width, HEIGHT);
        fputs("\"/>\n", output);
        x += width;
        i += length;
    }
}

static void write_letters(FILE *output, const struct cell *cells, int count, int x, int y)
{
    fprintf(output, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s>", x, y + BASELINE,
            WIDTH * columns_of(cells, count), cells->ink,
            cells->bold ? " font-weight=\"bold\"" : "");
    for (int i = 0; i < count; i++) {
        switch (cells[i].text[0]) {
        case L'<':
            fputs("&lt;", output);
            break;
        case L'>': /* no text may have ]]> */
            fputs("&gt;", output);
            break;
        case L'&':
            fputs("&amp;", output);
            break;
        default:
            fprintf(output, "%ls", cells[i].text);
        }
    }
    fputs("</text>\n", output);
}

/* Writes shapes of one colour. */
static void write_shapes(FILE *output, const struct cell *cells, int count, int x, int y)
{
    bool dots = is_braille(cells->text[0]);
    fprintf(output,
            dots ? "<path class=\"dots\" stroke=\"#%06x\" d=\"" : "<path fill=\"#%06x\" d=\"",
            cells->ink);
    for (int i = 0; i < count; i++) {
        if (dots) {
            write_dots(output, x + WIDTH * i, y, (int)(cells[i].text[0] - BRAILLE));
        } else {
            write_block(output, x + WIDTH * i, y, cells[i].text[0]);
        }
    }
    fputs("\"/>\n", output);
}

static void write_contents(FILE *output, const struct cell *cells, int count, int row)
{
    int x = 0;
    for (int i = 0; i < count;) {
        int length = run_of(&cells[i], count - i, same_content);
        switch (kind_of(&cells[i])) {
        case 0:
            break;
        case 1:
            write_letters(output, &cells[i], length, x, HEIGHT * row);
            break;
        default:
            write_shapes(output, &cells[i], length, x, HEIGHT * row);
        }
        x += WIDTH * columns_of(&cells[i], length);
        i += length;
    }
}

void svg_write(FILE *output, bool light)
{
    static struct cell cells[TERM_SCREEN_MAX];
    fprintf(output,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"DejaVu Sans Mono, monospace\" font-size=\"13.3\">\n"
            "<style>text{white-space:pre}.dots{fill:none;stroke-width:2.6;stroke-linecap:round}"
            "</style>\n",
            COLS * WIDTH, LINES * HEIGHT, COLS * WIDTH, LINES * HEIGHT);
    for (int row = 0; row < LINES; row++) {
        int count = read_row(row, light, cells);
        write_grounds(output, cells, count, row);
        write_contents(output, cells, count, row);
    }
    fputs("</svg>\n", output);
}
