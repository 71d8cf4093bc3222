/* Where flock-term connects to: the parser of its one argument.
 *
 * Pure; any thread. Strict, because what it accepts goes into an HTTP request: no control
 * characters, no spaces, no user names, no fragments, and a port that is a number from 1 to 65535.
 */
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
    bool ipv6; /* host is an IPv6 address, without its brackets */
    char host[TERM_URL_HOST_MAX + 1];
    uint16_t port;
    char path[TERM_URL_PATH_MAX + 1]; /* of the WebSocket: starts with '/'; with the query */
    char room[PROTO_ROOM_MAX + 1];    /* the code in the page's address, or "" */
};

/* Reads ws://, wss://, http:// or https:// HOST[:PORT][/PATH][?QUERY]; the port defaults to the
 * scheme's. A path that is empty or ends in '/', and one that ends in "/r/CODE", are those of the
 * page and of a room's page: the WebSocket is "ws" in that folder, and "ws" beside "r". Returns
 * false and writes "expected" and what into error (capacity bytes). */
bool term_url_parse(const char *text, struct term_url *url, char *error, size_t capacity);

/* Writes the value of the Host header: host, in brackets where it must be, and ":port" unless it is
 * the scheme's own. Returns false when it does not fit. */
bool term_url_authority(const struct term_url *url, char *out, size_t capacity);

/* Whether text may be the code of a room: as proto_room_valid(), but not of spaces and hyphens
 * alone.
 */
bool term_url_room_valid(const char *text);

#endif
