/* Requests to the HTTP API of the server under load, each on a connection of its own.
 *
 * Blocking, for at most HTTP_SECONDS each: they are made before the first client joins and after
 * the last one has left. */
#ifndef LOAD_HTTP_H
#define LOAD_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "websocket.h"

#define HTTP_SECONDS    10
#define HTTP_ANSWER_MAX 4096u /* bytes, the head included */

struct http_request {
    const char *method, *path;
    const char *key;  /* of a presenter, or NULL */
    const char *body; /* JSON, or NULL */
};

struct http_answer {
    unsigned status; /* 0: there was no answer, and errno has the reason */
    char *body;      /* within text */
    char text[HTTP_ANSWER_MAX];
};

/* Returns whether an answer came, with any status. */
bool http_ask(const struct websocket_target *target, const struct http_request *request,
              struct http_answer *answer);

/* Reads the string of that name from a JSON object without escapes. Returns false if it is missing
 * or does not fit. */
bool http_string(const char *json, const char *name, char *value, size_t capacity);

#endif
