/* The URL that flock-term connects to.
 *
 * Pure; any thread. The parser is strict, because the URL becomes part of an HTTP request: no
 * control characters, spaces, user names or fragments, and a port from 1 to 65535. */
#ifndef TERM_URL_H
#define TERM_URL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"

#define TERM_URL_HOST_MAX 253u
#define TERM_URL_PATH_MAX 512u

struct term_url {
    bool tls;
    bool ipv6; /* host is an IPv6 address without brackets */
    char host[TERM_URL_HOST_MAX + 1];
    uint16_t port;
    char path[TERM_URL_PATH_MAX + 1]; /* of the WebSocket, with the query; starts with '/' */
    char room[PROTO_ROOM_MAX + 1];    /* the code in the URL, or "" */
};

/* Reads ws://, wss://, http:// or https:// HOST[:PORT][/PATH][?QUERY]; the default port is the
 * scheme's. A path that is empty or ends in '/' names the page, and a path that ends in "/r/CODE"
 * names a room's page; for both, "ws" replaces the part after the last '/' or the "r/CODE". The
 * query can name the room, too: room=CODE. Returns false on an error and writes "expected …" into
 * error (capacity bytes). */
bool term_url_parse(const char *text, struct term_url *url, char *error, size_t capacity);

/* Writes the value of the Host header: the host, an IPv6 address in brackets, and ":port" unless it
 * is the scheme's default. Returns false if it does not fit. */
bool term_url_authority(const struct term_url *url, char *out, size_t capacity);

#define TERM_URL_ASKED_MAX (TERM_URL_PATH_MAX + PROTO_ROOM_MAX + 8u)

/* Writes the path with the room's code in its query, a hint for proxies: they may send all of a
 * room to one server. room: as people type it. */
void term_url_ask(const struct term_url *url, const char *room, char out[TERM_URL_ASKED_MAX]);

/* Returns how many bytes of the path are the server's root: those before the last '/'. */
int term_url_root(const struct term_url *url);

/* Returns whether text can be the code of a room: as proto_room_valid(), but with at least one
 * letter or digit. */
bool term_url_room_valid(const char *text);

#endif
