#include "term/net/target.h"

#include "base/options.h"

#include <stdio.h>
#include <string.h>

/* The parts that a URL may have after '#', with '&' between them. */
static const struct {
    const char *name;
    size_t offset; /* of the key in struct term_target */
} fragments[] = {
    {"key=", offsetof(struct term_target, key)},
    {"join=", offsetof(struct term_target, join_key)},
};

/* Reads one part of `length` bytes. Returns NULL, or a description of what was expected. */
static const char *take_part(struct term_target *target, const char *text, size_t length)
{
    static const char for_page[] = "invite"; /* opens the page's invitation; means nothing here */
    static char reason[80];
    for (size_t i = 0; i < sizeof fragments / sizeof fragments[0]; i++) {
        const char *name = fragments[i].name;
        size_t before = strlen(name);
        if (length < before || memcmp(text, name, before) != 0) {
            continue;
        }
        char *key = (char *)target + fragments[i].offset;
        snprintf(key, PROTO_KEY_MAX + 1, "%.*s", (int)(length - before), text + before);
        if (length == before || length - before > PROTO_KEY_MAX || !options_key.valid(key)) {
            snprintf(reason, sizeof reason, "1-%u %s after %s", PROTO_KEY_MAX, options_key.values,
                     name);
            return reason;
        }
        return NULL;
    }
    return length == strlen(for_page) && memcmp(text, for_page, length) == 0
               ? NULL
               : "only key=KEY and join=KEY after '#', with '&' between them";
}

static const char *take_fragment(struct term_target *target, const char *text)
{
    const char *expected;
    size_t length;
    do {
        length = strcspn(text, "&");
        expected = take_part(target, text, length);
        text += length;
    } while (expected == NULL && *text++ == '&');
    return expected;
}

bool term_target_is_link(const char *text)
{
    return strstr(text, "://") != NULL;
}

/* Returns whether a text without a scheme is a host, which codes are not. */
static bool is_host(const char *text)
{
    static const char local[] = "localhost";
    size_t length = strcspn(text, "/?#");
    return memchr(text, '.', length) != NULL || memchr(text, ':', length) != NULL ||
           (length == strlen(local) && memcmp(text, local, length) == 0);
}

/* Reads a URL with its room and keys. */
static const char *take_url(struct term_target *target, const char *scheme, const char *text)
{
    static char reason[128];
    size_t length = strcspn(text, "#");
    if (strlen(scheme) + length > TERM_TARGET_URL_MAX) {
        return "a URL of fewer than 800 bytes";
    }
    snprintf(target->url_text, sizeof target->url_text, "%s%.*s", scheme, (int)length, text);
    if (!term_url_parse(target->url_text, &target->url, reason, sizeof reason)) {
        return reason + strlen("expected ");
    }
    if (target->url.room[0] != '\0') {
        snprintf(target->room, sizeof target->room, "%s", target->url.room);
    }
    return text[length] == '#' ? take_fragment(target, text + length + 1) : NULL;
}

const char *term_target_parse(struct term_target *target, const char *text)
{
    if (!term_target_is_link(text) && is_host(text)) {
        return take_url(target, "http://", text);
    }
    if (!term_target_is_link(text) && text[0] != '-' && term_url_room_valid(text)) {
        snprintf(target->room, sizeof target->room, "%s", text);
        return NULL;
    }
    return take_url(target, "", text);
}

bool term_target_print(const struct term_target *target, char *out, size_t capacity)
{
    char authority[TERM_URL_HOST_MAX + 16];
    char room[PROTO_ROOM_MAX + 1];
    const char *key = target->key;
    const char *join = target->join_key;
    if (!term_url_authority(&target->url, authority, sizeof authority)) {
        return false;
    }
    proto_room_canonical(target->room, room);
    int length = snprintf(
        out, capacity, "%s://%s%.*s/r/%s%s%s%s%s", target->url.tls ? "https" : "http", authority,
        term_url_root(&target->url), target->url.path, room, key[0] != '\0' ? "#key=" : "", key,
        join[0] == '\0'  ? ""
        : key[0] != '\0' ? "&join="
                         : "#join=",
        join);
    return length > 0 && (size_t)length < capacity;
}
