#include "term/ui/typed.h"

#include <limits.h>
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
