#include "term/ui/typed.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <wchar.h>

void term_typed_add(char *text, size_t most, int character)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    size_t length = strlen(text);
    size_t size = wcrtomb(bytes, (wchar_t)character, &state);
    if (size == (size_t)-1 || length + size > most) {
        return;
    }
    memcpy(text + length, bytes, size);
    text[length + size] = '\0';
}

void term_typed_erase(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && ((unsigned char)text[--length] & 0xc0) == 0x80) {
    }
    text[length] = '\0';
}

enum { EXPONENT_MAX = 99 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads the digits at *text and moves *text behind them. Returns how many there were. */
static int read_digits(const char **text, double *number)
{
    int count = 0;
    for (; is_digit(**text); (*text)++, count++) {
        *number = *number * 10 + (**text - '0');
    }
    return count;
}

/* Reads e and a whole number, if they are there. Returns false if the number is missing. */
static bool read_exponent(const char **text, int *exponent)
{
    double number = 0;
    if (**text != 'e' && **text != 'E') {
        return true;
    }
    (*text)++;
    bool negative = **text == '-';
    *text += negative || **text == '+' ? 1 : 0;
    if (read_digits(text, &number) == 0 || number > EXPONENT_MAX) {
        return false;
    }
    *exponent += negative ? -(int)number : (int)number;
    return true;
}

bool term_typed_number(const char *text, double *value)
{
    double number = 0;
    int exponent = 0;
    bool negative = *text == '-';
    text += negative ? 1 : 0;
    int digits = read_digits(&text, &number);
    if (*text == '.') {
        text++;
        int decimals = read_digits(&text, &number);
        digits += decimals;
        exponent -= decimals;
    }
    if (digits == 0 || !read_exponent(&text, &exponent) || *text != '\0') {
        return false;
    }
    /* A power of ten is exact, so that one division rounds once. */
    number = exponent < 0 ? number / pow(10, -exponent) : number * pow(10, exponent);
    *value = negative ? -number : number;
    return number <= (double)FLT_MAX;
}
