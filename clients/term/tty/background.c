#include "term/tty/background.h"

#include "term/tty/tty.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define COLOR_REPLY "\033]11;"
#define KIND_REPLY  "\033[?"

/* Returns where `text` begins in the bytes, or NULL. */
static char *find_bytes(char *bytes, size_t size, const char *text)
{
    return memmem(bytes, size, text, strlen(text));
}

/* Removes the bytes from `from` to before `end`. */
static void cut_bytes(const char *bytes, size_t *size, char *from, const char *end)
{
    size_t behind = (size_t)(bytes + *size - end);
    memmove(from, end, behind);
    *size = (size_t)(from - bytes) + behind;
}

/* Reads one of three channels of 1 to 4 hexadecimal digits. Returns the text behind it, or NULL. */
static const char *read_channel(const char *text, uint32_t *rgb)
{
    size_t digits = strspn(text, "0123456789abcdefABCDEF");
    char copy[5] = "";
    if (digits < 1 || digits > 4) {
        return NULL;
    }
    memcpy(copy, text, digits);
    uint32_t most = (1U << 4 * digits) - 1;
    uint32_t value = (uint32_t)strtoul(copy, NULL, 16);
    *rgb = *rgb << 8 | (255 * value + most / 2) / most;
    return text + digits;
}

/* Reads "rgb:RRRR/GGGG/BBBB", which may have an alpha before or behind. */
static bool read_color(const char *text, uint32_t *rgb)
{
    uint32_t found = 0;
    text += strspn(text, "rgba");
    for (int i = 0; i < 3; i++) {
        if (*text != (i == 0 ? ':' : '/')) {
            return false;
        }
        text = read_channel(text + 1, &found);
        if (text == NULL) {
            return false;
        }
    }
    *rgb = found;
    return true;
}

static void take_color(char *bytes, size_t *size, bool *known, uint32_t *rgb)
{
    char value[BACKGROUND_REPLY_MAX] = "";
    char *from = find_bytes(bytes, *size, COLOR_REPLY);
    if (from == NULL) {
        return;
    }
    char *text = from + strlen(COLOR_REPLY);
    char *end = text;
    while (end < bytes + *size && *end != '\007' && *end != '\033') {
        end++;
    }
    if (end == bytes + *size || (*end == '\033' && end + 1 == bytes + *size)) {
        return; /* the rest has not arrived */
    }
    memcpy(value, text, (size_t)(end - text));
    *known = read_color(value, rgb) || *known;
    cut_bytes(bytes, size, from, end + (*end == '\033' ? 2 : 1));
}

bool background_take(char *bytes, size_t *size, bool *known, uint32_t *rgb)
{
    take_color(bytes, size, known, rgb);
    char *from = find_bytes(bytes, *size, KIND_REPLY);
    if (from == NULL) {
        return false;
    }
    for (char *end = from + strlen(KIND_REPLY); end < bytes + *size; end++) {
        if (*end == 'c') {
            cut_bytes(bytes, size, from, end + 1);
            return true;
        }
        if (strchr("0123456789;", *end) == NULL) {
            return false;
        }
    }
    return false;
}

bool background_from_environment(const char *value, bool *light)
{
    const char *last = value != NULL ? strrchr(value, ';') : NULL;
    if (last == NULL || last[1] == '\0' || strspn(last + 1, "0123456789") != strlen(last + 1)) {
        return false;
    }
    long color = strtol(last + 1, NULL, 10);
    *light = color == 7 || (color > 8 && color < 16);
    return color < 16;
}

static int64_t now_ms(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

size_t background_ask(int limit, bool *known, uint32_t *rgb, char *others)
{
    size_t size = 0;
    int64_t end = now_ms() + limit;
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    term_tty_write(BACKGROUND_QUESTION);
    while (!background_take(others, &size, known, rgb) && size < BACKGROUND_REPLY_MAX) {
        int64_t left = end - now_ms();
        if (left <= 0 || poll(&input, 1, (int)left) != 1) {
            break;
        }
        ssize_t got = read(STDIN_FILENO, others + size, BACKGROUND_REPLY_MAX - size);
        if (got <= 0) {
            break;
        }
        size += (size_t)got;
    }
    return size;
}
