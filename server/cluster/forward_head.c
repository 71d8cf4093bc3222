#include "cluster/forward_head.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define ROOMS "/api/rooms"

/* A part of a head. */
struct part {
    const char *at;
    size_t size;
};

static bool is_word(struct part part, const char *word)
{
    return part.size == strlen(word) && memcmp(part.at, word, part.size) == 0;
}

/* Takes the next line, without its end. Returns false if there is no complete line. */
static bool take_line(struct part *rest, struct part *line)
{
    const char *end = rest->size > 0 ? memchr(rest->at, '\n', rest->size) : NULL;

    if (end == NULL) {
        return false;
    }
    *line = (struct part){rest->at, (size_t)(end - rest->at)};
    rest->size -= line->size + 1;
    rest->at = end + 1;
    line->size -= line->size > 0 && line->at[line->size - 1] == '\r';
    return true;
}

size_t forward_head_size(const char *text, size_t size)
{
    struct part rest = {text, size};
    struct part line;

    while (take_line(&rest, &line)) {
        if (line.size == 0) {
            return (size_t)(rest.at - text);
        }
    }
    return 0;
}

/* ---- where it goes ---- */

/* Takes what precedes the next space of the line. */
static struct part take_word(struct part *line)
{
    const char *space = line->size > 0 ? memchr(line->at, ' ', line->size) : NULL;
    struct part word = {line->at, space != NULL ? (size_t)(space - line->at) : line->size};
    size_t taken = word.size + (space != NULL);

    line->at += taken;
    line->size -= taken;
    return word;
}

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char lower = (char)(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
    const char *at = c != '\0' ? strchr(digits, lower) : NULL;

    return at != NULL ? (int)(at - digits) : -1;
}

/* Decodes the room's code up to the next '/', such as "fk7%202mx". */
static bool read_code(struct part *path, char code[PROTO_ROOM_MAX + 1])
{
    char typed[4 * PROTO_ROOM_MAX];
    size_t size = 0;

    while (path->size > 0 && path->at[0] != '/') {
        int high = path->at[0] == '%' && path->size > 2 ? digit_of(path->at[1]) : -1;
        int low = high >= 0 ? digit_of(path->at[2]) : -1;
        size_t taken = low >= 0 ? 3 : 1;
        if (size + 1 >= sizeof typed) {
            return false;
        }
        typed[size++] = low >= 0 ? (char)(high * 16 + low) : path->at[0];
        path->at += taken;
        path->size -= taken;
    }
    typed[size] = '\0';
    if (strlen(typed) != size || !proto_room_valid(typed)) {
        return false;
    }
    proto_room_canonical(typed, code);
    return code[0] != '\0';
}

/* The path begins with ROOMS. */
static enum forward_where find_in_rooms(const struct forward_calls *calls, struct part method,
                                        struct part path, struct forward_node *node)
{
    const bool reads = is_word(method, "GET") || is_word(method, "HEAD");
    char code[PROTO_ROOM_MAX + 1];

    path.at += strlen(ROOMS);
    path.size -= strlen(ROOMS);
    if (path.size == 0) {
        return is_word(method, "POST") ? calls->choose(calls->argument, node) : FORWARD_HERE;
    }
    if (path.at[0] != '/') {
        return FORWARD_HERE;
    }
    path.at++;
    path.size--;
    if (!read_code(&path, code) || (reads && path.size == 0)) {
        return FORWARD_HERE;
    }
    return calls->find(calls->argument, code, node);
}

enum forward_where forward_find(const struct forward_calls *calls, const char *head, size_t size,
                                struct forward_node *node)
{
    struct part rest = {head, size};
    struct part line;
    struct part method;
    struct part path;
    const char *query;

    if (!take_line(&rest, &line)) {
        return FORWARD_HERE;
    }
    method = take_word(&line);
    path = take_word(&line);
    query = path.size > 0 ? memchr(path.at, '?', path.size) : NULL;
    path.size = query != NULL ? (size_t)(query - path.at) : path.size;
    if (path.size < strlen(ROOMS) || memcmp(path.at, ROOMS, strlen(ROOMS)) != 0) {
        return FORWARD_HERE;
    }
    return find_in_rooms(calls, method, path, node);
}

/* ---- its headers ---- */

/* Returns true if c may be in the name of a header (RFC 9110). */
static bool is_token(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

/* Reads the name of a header's line. Returns false if the line has no name, continues the line
 * before it, or contains a byte that some reader takes for a line's end. */
static bool read_name(struct part line, struct part *name)
{
    size_t size = 0;

    while (size < line.size && is_token(line.at[size])) {
        size++;
    }
    *name = (struct part){line.at, size};
    return size > 0 && size < line.size && line.at[size] == ':' &&
           memchr(line.at, '\0', line.size) == NULL && memchr(line.at, '\r', line.size) == NULL;
}

static bool is_named(struct part name, const char *other)
{
    return name.size == strlen(other) && strncasecmp(name.at, other, name.size) == 0;
}

/* Headers that belong to one connection, or that this node writes itself. */
static bool is_left_out(struct part name)
{
    static const char *const names[] = {
        "connection", "proxy-connection", "keep-alive",
        "upgrade",    "x-forwarded-for",  FORWARD_KEY_HEADER,
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (is_named(name, names[i])) {
            return true;
        }
    }
    return false;
}

/* A text that grows within its bound. */
struct out {
    char *bytes;
    size_t size, capacity;
    bool full;
};

static void put_bytes(struct out *out, const char *bytes, size_t size)
{
    out->full = out->full || size > out->capacity - out->size;
    if (!out->full) {
        memcpy(out->bytes + out->size, bytes, size);
        out->size += size;
    }
}

static void put_text(struct out *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

static void put_header(struct out *out, const char *name, const char *value)
{
    put_text(out, name);
    put_text(out, ": ");
    put_text(out, value);
    put_text(out, "\r\n");
}

/* Copies the lines that the other node gets. Returns false if the head is malformed. */
static bool copy_lines(struct part rest, struct out *out)
{
    struct part line;
    struct part name = {0};

    if (!take_line(&rest, &line) || line.size == 0 || memchr(line.at, '\0', line.size) != NULL ||
        memchr(line.at, '\r', line.size) != NULL) {
        return false;
    }
    do {
        if (!is_left_out(name)) {
            put_bytes(out, line.at, line.size);
            put_text(out, "\r\n");
        }
        if (!take_line(&rest, &line)) {
            return false;
        }
    } while (line.size > 0 && read_name(line, &name));
    return line.size == 0 && rest.size == 0;
}

size_t forward_rewrite(const char *head, size_t size, const char *client, const char *key,
                       char *out, size_t capacity)
{
    struct out text = {.capacity = capacity};

    text.bytes = out;
    if (!copy_lines((struct part){head, size}, &text)) {
        return 0;
    }
    put_header(&text, "x-forwarded-for", client);
    put_header(&text, FORWARD_KEY_HEADER, key);
    put_header(&text, "connection", "close");
    put_text(&text, "\r\n");
    return text.full ? 0 : text.size;
}

bool forward_header(const char *head, size_t size, const char *name, char *out, size_t capacity)
{
    struct part rest = {head, size};
    struct part line;
    struct part found;
    size_t begin;
    struct out text = {.capacity = capacity};

    text.bytes = out;
    (void)take_line(&rest, &line); /* the request */
    while (take_line(&rest, &line)) {
        if (read_name(line, &found) && is_named(found, name)) {
            begin = found.size + 1;
            put_text(&text, text.size > 0 ? "," : "");
            put_bytes(&text, line.at + begin, line.size - begin);
        }
    }
    put_bytes(&text, "", 1);
    return !text.full && text.size > 1;
}
