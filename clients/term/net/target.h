/* The room to join: its server, its code and the keys for it, as people type or paste it.
 *
 * Pure. A target is a URL, with or without keys behind '#'; a host with or without a port; or the
 * code of a room on the server that is known. */
#ifndef TERM_TARGET_H
#define TERM_TARGET_H

#include "protocol.h"
#include "term/net/url.h"

#include <stdbool.h>
#include <stddef.h>

#define TERM_TARGET_URL_MAX  (TERM_URL_HOST_MAX + TERM_URL_PATH_MAX + 23u)
#define TERM_TARGET_TEXT_MAX (TERM_TARGET_URL_MAX + 2u * PROTO_KEY_MAX + 16u)

struct term_target {
    struct term_url url;
    char url_text[TERM_TARGET_URL_MAX + 1]; /* as the user gave it, without keys */
    char room[PROTO_ROOM_MAX + 1];          /* the code as the user gave it */
    char key[PROTO_KEY_MAX + 1];            /* the presenter key; "": none */
    char join_key[PROTO_KEY_MAX + 1];       /* "": none */
};

/* Reads a text. Parts that the text does not name stay: the target must have a server, if the text
 * may be a code. Returns NULL, or a description of what was expected; the target is then not valid.
 */
const char *term_target_parse(struct term_target *target, const char *text);

/* Returns whether the text begins with a scheme, such as https://, as a copied link does. */
bool term_target_is_link(const char *text);

/* Writes the address of the room's page with its keys, which term_target_parse() reads. Returns
 * false if it does not fit. */
bool term_target_print(const struct term_target *target, char *out, size_t capacity);

#endif
