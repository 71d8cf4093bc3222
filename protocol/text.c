#include "text.h"

#include "protocol.h"

#include <assert.h>
#include <string.h>

size_t text_next(const char *text, size_t left, uint32_t *point)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length;

    assert(left > 0);
    const uint8_t first = (uint8_t)text[0];
    if (first < 0x80) {
        *point = first;
        return 1;
    }
    if (first >= 0xc2 && first < 0xe0) {
        length = 2;
    } else if (first >= 0xe0 && first < 0xf0) {
        length = 3;
    } else if (first >= 0xf0 && first < 0xf5) {
        length = 4;
    } else {
        return 0;
    }
    if (length > left) {
        return 0;
    }
    uint32_t value = first & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        const uint8_t next = (uint8_t)text[i];
        if ((next & 0xc0) != 0x80) {
            return 0;
        }
        value = value << 6 | (next & 0x3fu);
    }
    if (value < least[length] || (value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) {
        return 0;
    }
    *point = value;
    return length;
}

bool text_forbidden(uint32_t point)
{
    return point < 0x20 || (point >= 0x7f && point <= 0x9f) ||
           (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

bool text_well_formed(const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        uint32_t point;
        const size_t length = text_next(text + i, size - i, &point);
        if (length == 0) {
            return false;
        }
        i += length;
    }
    return true;
}

bool text_clean(const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        uint32_t point;
        const size_t length = text_next(text + i, size - i, &point);
        if (length == 0 || text_forbidden(point)) {
            return false;
        }
        i += length;
    }
    return true;
}

bool text_is_word(const char *text, size_t size, const char *marks)
{
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
              (c != '\0' && strchr(marks, c) != NULL))) {
            return false;
        }
    }
    return true;
}

void text_copy(char *out, size_t capacity, const char *text, size_t size)
{
    size_t used = 0;

    assert(capacity > 0);
    for (size_t i = 0; i < size;) {
        uint32_t point;
        const size_t length = text_next(text + i, size - i, &point);
        const bool forbidden = length == 0 || text_forbidden(point);
        const size_t grows = forbidden ? 1 : length;
        if (used + grows >= capacity) {
            break;
        }
        memcpy(out + used, forbidden ? "?" : text + i, grows);
        used += grows;
        i += length == 0 ? 1 : length;
    }
    out[used] = '\0';
}

void text_quote(char out[TEXT_QUOTED_MAX], const char *text, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const size_t shown = size > 24 ? 24 : size;
    char *at = out;

    *at++ = '"';
    for (size_t i = 0; i < shown; i++) {
        const uint8_t c = (uint8_t)text[i];
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\') {
            *at++ = (char)c;
        } else {
            *at++ = '\\';
            *at++ = 'x';
            *at++ = digits[c >> 4];
            *at++ = digits[c & 15];
        }
    }
    *at++ = '"';
    assert(at + 4 <= out + TEXT_QUOTED_MAX);
    memcpy(at, size > shown ? "..." : "", size > shown ? 4 : 1);
}

bool proto_name_valid(const char *text)
{
    const size_t size = strnlen(text, PROTO_NAME_MAX + 1);

    return size <= PROTO_NAME_MAX && text_clean(text, size);
}

bool proto_title_valid(const char *text)
{
    const size_t size = strnlen(text, PROTO_TITLE_MAX + 1);

    return size <= PROTO_TITLE_MAX && text_clean(text, size);
}

bool proto_sentence_valid(const char *text)
{
    const size_t size = strnlen(text, PROTO_TEXT_MAX + 1);

    return size <= PROTO_TEXT_MAX && text_clean(text, size);
}

/* ---- room codes ---- */

static bool is_separator(char c)
{
    return c == ' ' || c == '-';
}

/* Unlike islower(), independent of the locale. */
static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_code(char c)
{
    return is_lower(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool proto_room_valid(const char *text)
{
    size_t size = 0;

    for (; text[size] != '\0'; size++) {
        if (size == PROTO_ROOM_MAX || !(is_code(text[size]) || is_separator(text[size]))) {
            return false;
        }
    }
    return size >= 1;
}

void proto_room_canonical(const char *text, char code[PROTO_ROOM_MAX + 1])
{
    size_t size = 0;

    for (; *text != '\0' && size < PROTO_ROOM_MAX; text++) {
        if (!is_separator(*text)) {
            code[size++] = (char)(is_lower(*text) ? *text - 'a' + 'A' : *text);
        }
    }
    code[size] = '\0';
    if (strcmp(code, "LOBBY") == 0) {
        memcpy(code, "lobby", sizeof "lobby");
    }
}
