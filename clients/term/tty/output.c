#include "term/tty/output.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY_FIRST = 16384, SEQUENCE_MAX = 64, BRIGHT = 8, PALETTE = 256 };

void output_finish(struct output *output)
{
    free(output->bytes);
    *output = (struct output){0};
}

void output_forget(struct output *output)
{
    output->has_pen = false;
    output->row = output->column = -1;
}

void output_begin(struct output *output)
{
    output->size = 0;
}

/* Makes room for `more` bytes. */
static bool reserve(struct output *output, size_t more)
{
    size_t capacity = output->capacity > 0 ? output->capacity : CAPACITY_FIRST;
    if (output->capacity - output->size >= more) {
        return true;
    }
    while (capacity - output->size < more) {
        if (capacity > SIZE_MAX / 2) {
            return false;
        }
        capacity *= 2;
    }
    char *bytes = realloc(output->bytes, capacity);
    if (bytes == NULL) {
        return false;
    }
    output->bytes = bytes;
    output->capacity = capacity;
    return true;
}

bool output_bytes(struct output *output, const char *bytes, size_t size)
{
    if (size == 0) {
        return true; /* there may be no buffer yet */
    }
    if (!reserve(output, size)) {
        return false;
    }
    memcpy(output->bytes + output->size, bytes, size);
    output->size += size;
    return true;
}

/* Appends to a sequence, which the caller made long enough. */
static char *append_text(char *at, const char *text)
{
    size_t length = strlen(text);
    memcpy(at, text, length);
    return at + length;
}

static char *append_number(char *at, unsigned number)
{
    char digits[12];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0) {
        *at++ = digits[--count];
    }
    return at;
}

/* Appends the parameters of a colour and a semicolon. layer: 30 for the ink, 40 for the ground. */
static char *append_color(char *at, int color, unsigned layer, int colors)
{
    if (color == OUTPUT_OWN) {
        at = append_number(at, layer + 9);
    } else if (color >= OUTPUT_INDEXED) {
        at = append_text(append_number(at, layer + 8), ";5;");
        at = append_number(at, (unsigned)(color - OUTPUT_INDEXED));
    } else if (colors > PALETTE) {
        at = append_text(append_number(at, layer + 8), ";2;");
        at = append_text(append_number(at, (unsigned)color >> 16 & 255), ";");
        at = append_text(append_number(at, (unsigned)color >> 8 & 255), ";");
        at = append_number(at, (unsigned)color & 255);
    } else if (color < BRIGHT) {
        at = append_number(at, layer + (unsigned)color);
    } else if (color < 2 * BRIGHT) {
        at = append_number(at, layer + 60 + (unsigned)color - BRIGHT);
    } else {
        at = append_text(append_number(at, layer + 8), ";5;");
        at = append_number(at, (unsigned)color);
    }
    return append_text(at, ";");
}

/* Appends the bold, dim or reverse that the style has and the pen lacks. */
static char *append_attributes(char *at, const struct output_style *style,
                               const struct output_style *pen)
{
    at = style->bold && !pen->bold ? append_text(at, "1;") : at;
    at = style->dim && !pen->dim ? append_text(at, "2;") : at;
    return style->reverse && !pen->reverse ? append_text(at, "7;") : at;
}

/* Returns whether the style lacks an attribute that the pen has. */
static bool has_fewer(const struct output_style *style, const struct output_style *pen)
{
    return (pen->bold && !style->bold) || (pen->dim && !style->dim) ||
           (pen->reverse && !style->reverse);
}

/* Sets the terminal's style. */
static bool set_pen(struct output *output, const struct output_style *style)
{
    static const struct output_style plain = {OUTPUT_OWN, OUTPUT_OWN, false, false, false};
    char sequence[SEQUENCE_MAX] = "\033[";
    char *at = sequence + 2;
    bool anew = !output->has_pen || has_fewer(style, &output->pen);
    const struct output_style *pen = anew ? &plain : &output->pen;
    at = anew ? append_text(at, "0;") : at;
    at = append_attributes(at, style, pen);
    at = style->ink != pen->ink ? append_color(at, style->ink, 30, output->colors) : at;
    at = style->ground != pen->ground ? append_color(at, style->ground, 40, output->colors) : at;
    output->pen = *style;
    output->has_pen = true;
    if (at == sequence + 2) {
        return true;
    }
    at[-1] = 'm'; /* instead of the last semicolon */
    return output_bytes(output, sequence, (size_t)(at - sequence));
}

/* Moves the cursor: forward in its row, or anywhere. */
static bool move_cursor(struct output *output, int row, int column)
{
    char sequence[SEQUENCE_MAX] = "\033[";
    char *at = sequence + 2;
    if (output->row == row && output->column == column) {
        return true;
    }
    if (output->row == row && output->column >= 0 && column > output->column) {
        unsigned cells = (unsigned)(column - output->column);
        at = cells > 1 ? append_number(at, cells) : at;
        at = append_text(at, "C");
    } else {
        at = append_number(at, (unsigned)row + 1);
        at = append_text(at, ";");
        at = append_number(at, (unsigned)column + 1);
        at = append_text(at, "H");
    }
    return output_bytes(output, sequence, (size_t)(at - sequence));
}

/* Appends the character and its marks, as the locale writes them. */
static bool put_text(struct output *output, const wchar_t *text)
{
    mbstate_t state = {0};
    for (; *text != L'\0'; text++) {
        char bytes[MB_LEN_MAX];
        size_t size = wcrtomb(bytes, *text, &state);
        if (size == (size_t)-1) {
            bytes[0] = '?';
            size = 1;
            state = (mbstate_t){0};
        }
        if (!output_bytes(output, bytes, size)) {
            return false;
        }
    }
    return true;
}

/* Returns whether the character is a blank that the pen can draw: its ink is not seen. */
static bool takes_pen(const struct output *output, const wchar_t *text,
                      const struct output_style *style)
{
    return text[0] == L' ' && text[1] == L'\0' && !style->reverse && output->has_pen &&
           !output->pen.reverse;
}

bool output_is_cheap(const struct output *output, const wchar_t *text,
                     const struct output_style *style)
{
    return takes_pen(output, text, style) && output->pen.ground == style->ground;
}

bool output_put(struct output *output, int row, int column, const wchar_t *text, int width,
                const struct output_style *style, bool edge)
{
    struct output_style wanted = *style;
    if (takes_pen(output, text, style)) {
        wanted = output->pen;
        wanted.ground = style->ground;
    }
    if (!move_cursor(output, row, column) || !set_pen(output, &wanted) || !put_text(output, text)) {
        output_forget(output);
        return false;
    }
    output->row = edge ? -1 : row; /* a terminal may or may not wrap there */
    output->column = edge ? -1 : column + width;
    return true;
}

bool output_plain(struct output *output)
{
    output->has_pen = false;
    return output_bytes(output, "\033[m", 3);
}
