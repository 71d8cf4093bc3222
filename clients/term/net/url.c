#include "term/net/url.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define ROOM "room=" /* a parameter of a path */

static const struct scheme {
    const char *name;
    bool tls;
} schemes[] = {
    {"ws://", false},
    {"wss://", true},
    {"http://", false},
    {"https://", true},
};

static uint16_t default_port(bool tls)
{
    return tls ? 443 : 80;
}

static bool refuse_url(char *error, size_t capacity, const char *expected)
{
    snprintf(error, capacity, "expected %s", expected);
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_host_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' ||
           c == '.' || c == '_';
}

static const char *parse_scheme(const char *text, struct term_url *url)
{
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        size_t length = strlen(schemes[i].name);
        if (strncasecmp(text, schemes[i].name, length) == 0) {
            url->tls = schemes[i].tls;
            return text + length;
        }
    }
    return NULL;
}

/* Reads the host at *text and moves *text behind it. */
static bool parse_host(const char **text, struct term_url *url, char *error, size_t capacity)
{
    const char *start = *text;
    size_t length = 0;
    if (*start == '[') {
        start++;
        length = strcspn(start, "]");
        if (start[length] != ']') {
            return refuse_url(error, capacity, "a closing ']' after an IPv6 address");
        }
        url->ipv6 = true;
    } else {
        while (is_host_character(start[length])) {
            length++;
        }
    }
    if (length == 0) {
        return refuse_url(error, capacity, "a host name or an address after '//'");
    }
    if (length > TERM_URL_HOST_MAX) {
        return refuse_url(error, capacity, "a host name of at most 253 characters");
    }
    memcpy(url->host, start, length);
    url->host[length] = '\0';
    struct in6_addr address;
    if (url->ipv6 && inet_pton(AF_INET6, url->host, &address) != 1) {
        return refuse_url(error, capacity, "an IPv6 address in the brackets");
    }
    if (url->ipv6 && url->tls) {
        /* libwebsockets could not hold the certificate against it. */
        return refuse_url(error, capacity, "a host name or an IPv4 address after wss://");
    }
    *text = start + length + (url->ipv6 ? 1 : 0);
    return true;
}

static bool parse_port(const char **text, struct term_url *url, char *error, size_t capacity)
{
    url->port = default_port(url->tls);
    if (**text != ':') {
        return true;
    }
    unsigned value = 0;
    size_t digits = 0;
    for ((*text)++; is_digit(**text) && digits < 6; (*text)++, digits++) {
        value = value * 10 + (unsigned)(**text - '0');
    }
    if (digits == 0 || digits > 5 || value == 0 || value > UINT16_MAX) {
        return refuse_url(error, capacity, "a port from 1 to 65535");
    }
    url->port = (uint16_t)value;
    return true;
}

bool term_url_room_valid(const char *text)
{
    return proto_room_valid(text) && text[strspn(text, " -")] != '\0';
}

/* Stores the room's code of `size` bytes, unless the URL already has one. Returns whether it is
 * valid. */
static bool take_room(struct term_url *url, const char *text, size_t size)
{
    char code[PROTO_ROOM_MAX + 1];
    snprintf(code, sizeof code, "%.*s", (int)size, text);
    if (url->room[0] == '\0') {
        memcpy(url->room, code, sizeof code);
    }
    return size <= PROTO_ROOM_MAX && term_url_room_valid(code);
}

/* Returns the character in front of the path's parameter `room`, or NULL. */
static char *find_room(char *path)
{
    char *mark = strchr(path, '?');
    while (mark != NULL && strncmp(mark + 1, ROOM, strlen(ROOM)) != 0) {
        mark = strchr(mark + 1, '&');
    }
    return mark;
}

/* Moves the room out of the path's query: a client may ask for another room later. Returns false if
 * a code is not valid. */
static bool take_query(struct term_url *url)
{
    char *mark;
    while ((mark = find_room(url->path)) != NULL) {
        const char *code = mark + 1 + strlen(ROOM);
        const size_t size = strcspn(code, "&");
        if (!take_room(url, code, size)) {
            return false;
        }
        if (code[size] == '&') {
            memmove(mark + 1, code + size + 1, strlen(code + size));
        } else {
            *mark = '\0';
        }
    }
    return true;
}

/* Reads the WebSocket's path, and the room, from a path and its query. Returns false if a room's
 * code is not valid. */
static bool split_path(const char *text, struct term_url *url)
{
    size_t length = strcspn(text, "?");
    const char *slash = memrchr(text, '/', length);
    size_t kept = length; /* of the path, before "/ws" */
    if (slash != NULL && slash - text >= 2 && memcmp(slash - 2, "/r", 2) == 0) {
        kept = (size_t)(slash - 2 - text);
        if (!take_room(url, slash + 1, (size_t)(text + length - (slash + 1)))) {
            return false;
        }
    } else if (length > 0 && text[length - 1] == '/') {
        kept--;
    }
    snprintf(url->path, sizeof url->path, "%.*s%s%s", (int)kept, text,
             kept < length || length == 0 ? "/ws" : "", text + length);
    return take_query(url);
}

static bool parse_path(const char *text, struct term_url *url, char *error, size_t capacity)
{
    if (*text != '\0' && *text != '/' && *text != '?') {
        return refuse_url(error, capacity, "':PORT', '/PATH' or nothing after the host");
    }
    size_t length = strlen(text);
    if (length + 3 > TERM_URL_PATH_MAX) {
        return refuse_url(error, capacity, "a path of at most 509 characters");
    }
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '#') {
            return refuse_url(error, capacity, "no fragment ('#')");
        }
        if (*c <= ' ' || *c > '~') {
            return refuse_url(error, capacity, "a path of printable ASCII without spaces");
        }
    }
    return split_path(text, url) ||
           refuse_url(error, capacity, "the code of a room after '/r/' or 'room='");
}

bool term_url_parse(const char *text, struct term_url *url, char *error, size_t capacity)
{
    memset(url, 0, sizeof *url);
    const char *rest = parse_scheme(text, url);
    if (rest == NULL) {
        return refuse_url(error, capacity, "ws://, wss://, http:// or https:// and a host");
    }
    return parse_host(&rest, url, error, capacity) && parse_port(&rest, url, error, capacity) &&
           parse_path(rest, url, error, capacity);
}

void term_url_ask(const struct term_url *url, const char *room, char out[TERM_URL_ASKED_MAX])
{
    char code[PROTO_ROOM_MAX + 1];
    proto_room_canonical(room, code);
    snprintf(out, TERM_URL_ASKED_MAX, "%s%croom=%s", url->path,
             strchr(url->path, '?') != NULL ? '&' : '?', code);
}

int term_url_root(const struct term_url *url)
{
    const char *slash = memrchr(url->path, '/', strcspn(url->path, "?"));
    return slash != NULL ? (int)(slash - url->path) : 0;
}

bool term_url_authority(const struct term_url *url, char *out, size_t capacity)
{
    const char *open = url->ipv6 ? "[" : "";
    const char *close = url->ipv6 ? "]" : "";
    int length = 0;
    if (url->port == default_port(url->tls)) {
        length = snprintf(out, capacity, "%s%s%s", open, url->host, close);
    } else {
        length = snprintf(out, capacity, "%s%s%s:%u", open, url->host, close, url->port);
    }
    return length > 0 && (size_t)length < capacity;
}
