#include "term/tty/label.h"

#include "text.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MARKS_MAX = 2 };

/* Returns whether it is a joiner, variation selector, tag or the like. These show nothing, and
 * terminals disagree on the width of their neighbours. */
static bool is_invisible(uint32_t point)
{
    static const uint32_t ranges[][2] = {
        {0xad, 0xad},     {0x34f, 0x34f},   {0x61c, 0x61c},   {0x180b, 0x180f}, {0x200b, 0x200f},
        {0x2060, 0x206f}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (point >= ranges[i][0] && point <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

/* Returns the ASCII text for a character of our own texts that the locale lacks; NULL: none. */
static const wchar_t *stand_in(uint32_t point)
{
    static const struct {
        uint32_t point;
        const wchar_t *text;
    } rows[] = {{0x2192, L"->"}, {0x2018, L"'"}, {0x2019, L"'"}, {0x201c, L"\""}, {0x201d, L"\""}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].point == point) {
            return rows[i].text;
        }
    }
    return NULL;
}

/* Writes the characters of text that may be shown; returns their number. */
static size_t clean_text(wchar_t *out, const char *text)
{
    size_t count = 0;
    int marks = MARKS_MAX; /* at the start: no character to put a mark on */
    for (size_t left = strlen(text); left > 0 && count + 1 < TERM_LABEL_MAX;) {
        uint32_t point = 0;
        size_t length = text_next(text, left, &point);
        if (length == 0) {
            length = 1;
            point = '?';
        }
        text += length;
        left -= length;
        if (is_invisible(point)) {
            continue;
        }
        int width = text_forbidden(point) ? -1 : wcwidth((wchar_t)point);
        if (width == 0 && marks++ >= MARKS_MAX) {
            continue;
        }
        if (width != 0) {
            marks = 0;
        }
        const wchar_t *instead = width < 0 ? stand_in(point) : NULL;
        if (instead != NULL && count + wcslen(instead) < TERM_LABEL_MAX) {
            wmemcpy(&out[count], instead, wcslen(instead));
            count += wcslen(instead);
            continue;
        }
        out[count++] = width < 0 ? L'?' : (wchar_t)point;
    }
    return count;
}

int term_label(wchar_t *out, const char *text, int columns, wchar_t ellipsis)
{
    size_t count = clean_text(out, text);
    size_t cut = 0; /* characters that leave a column for the ellipsis */
    int cut_width = 0;
    int room = ellipsis != 0 ? columns - 1 : columns;
    int width = 0;
    for (size_t i = 0; i < count; i++) {
        width += wcwidth(out[i]);
        if (width <= room) {
            cut = i + 1;
            cut_width = width;
        }
    }
    if (width > columns) {
        count = cut;
        width = cut_width;
        if (ellipsis != 0 && columns > 0) {
            out[count++] = ellipsis;
            width++;
        }
    }
    assert(count < TERM_LABEL_MAX);
    out[count] = L'\0';
    return width;
}

/* Returns whether a character is of Chinese or Japanese, which have no spaces between words. Korean
 * has them. */
static bool is_unspaced(wchar_t letter)
{
    static const wchar_t ranges[][2] = {
        {0x2e80, 0xabff}, {0xf900, 0xfaff}, {0xff01, 0xff9f}, {0x20000, 0x3ffff}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (letter >= ranges[i][0] && letter <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

/* Returns whether a line may end between two characters: behind a word, or between Chinese or
 * Japanese characters, but not before a closing mark or a small kana, nor behind an opening mark.
 */
static bool may_break(wchar_t before, wchar_t after)
{
    static const wchar_t closing[] = L"、。，．）」』】〕〉》！？：；・ー々ゝヽ～…”’)],.:;!?%"
                                     L"ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ";
    static const wchar_t opening[] = L"（「『【〔〈《“‘([";
    if (after == L' ' || after == L'\0') {
        return true;
    }
    return (is_unspaced(before) || is_unspaced(after)) && wcschr(closing, after) == NULL &&
           wcschr(opening, before) == NULL;
}

int term_label_line(const wchar_t *text, int columns)
{
    int used = 0;
    int length = 0;
    int words = 0;
    while (text[length] != L'\0' && used + wcwidth(text[length]) <= columns) {
        used += wcwidth(text[length]);
        length++;
        words = may_break(text[length - 1], text[length]) ? length : words;
    }
    return words > 0 ? words : length;
}

const wchar_t *term_label_rest(const wchar_t *text, int columns)
{
    text += term_label_line(text, columns);
    return *text == L' ' ? text + 1 : text;
}
