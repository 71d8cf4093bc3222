/* The texts of refusals, chosen by code and request as on the page, because the server's sentence
 * is in English. Pure. */
#ifndef TERM_REFUSAL_H
#define TERM_REFUSAL_H

#include "protocol.h"

#include <stddef.h>

/* Writes the text of a refused request into out (capacity bytes). In English, and for an unknown
 * code, it is the server's sentence, which names the field. */
void refusal_text(char *out, size_t capacity, const struct proto_error *error);

/* Writes why the server makes no new room: the text for the status of its answer over HTTP (0: no
 * answer), else the server's sentence `said` ("": none). wait: s until it may be asked again. */
void refusal_of_room(char *out, size_t capacity, int status, long wait, const char *said);

/* Returns why the server has closed the connection: in English, and for an unknown code, in its own
 * words, `said`. */
const char *refusal_of_close(int code, const char *said);

#endif
