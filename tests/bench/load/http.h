/* Requests to the HTTP API of the server under load, each on its own connection.
 *
 * A request blocks for at most HTTP_SECONDS. Requests are made only before the first client joins
 * and after the last one has left. */
#ifndef LOAD_HTTP_H
#define LOAD_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "websocket.h"

#define HTTP_SECONDS    10
#define HTTP_ANSWER_MAX 4096u /* bytes, the head included */

struct http_request {
    const char *method, *path;
    const char *key;  /* a presenter key, or NULL */
    const char *body; /* JSON, or NULL */
};

struct http_answer {
    unsigned status; /* 0: no answer; errno has the reason */
    char *body;      /* points into text */
    char text[HTTP_ANSWER_MAX];
};

/* Returns whether the server answered, with any status. */
bool http_ask(const struct websocket_target *target, const struct http_request *request,
              struct http_answer *answer);

/* Reads the string with that name from a JSON object without escapes. Returns false if the string
 * is missing or does not fit. */
bool http_string(const char *json, const char *name, char *value, size_t capacity);

#endif
