#include "net/gate/header_names.h"

#include <libwebsockets.h>
#include <string.h>
#include <strings.h>

/* Returns true if libwebsockets takes the name for the beginning of another word. */
static bool is_beginning(const char *name, size_t size)
{
    bool begins = false;

    for (int i = 0; i < WSI_TOKEN_COUNT; i++) {
        const char *word = (const char *)lws_token_to_string((enum lws_token_indexes)i);
        if (word == NULL || strncasecmp(word, name, size) != 0) {
            continue;
        }
        if (strcmp(word + size, ":") == 0) {
            return false;
        }
        begins = begins || word[size] != ':';
    }
    return begins;
}

bool header_names_known(const char *head, size_t size)
{
    const char *end = head + size;
    const char *line = memchr(head, '\n', size);

    while (line != NULL) {
        const char *next = memchr(line + 1, '\n', (size_t)(end - line - 1));
        const char *last = next != NULL ? next : end;
        const char *colon = memchr(line + 1, ':', (size_t)(last - line - 1));
        if (line + 1 == last || line[1] == '\r') {
            return true; /* the empty line */
        }
        if (colon != NULL && is_beginning(line + 1, (size_t)(colon - line - 1))) {
            return false;
        }
        line = next;
    }
    return true;
}
