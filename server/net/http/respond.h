/* Responses to plain HTTP requests, headers and body in one write. Must be called on the shard's
 * thread from libwebsockets' HTTP callbacks. */
#ifndef RESPOND_H
#define RESPOND_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "net/http/page.h"

#define RESPOND_EXTRA_MAX 4u

struct api_request;

/* Memory that libwebsockets holds for each HTTP connection. */
struct http_connection {
    struct api_request *asked; /* an unanswered request, or NULL */
    uint64_t unread;           /* bytes of the request's body still to be read */
    time_t drained_by;         /* after the response, the body is read until then */
};

struct respond_header {
    const char *name; /* in lower case, with its colon */
    const char *value;
};

struct response {
    unsigned status;
    const char *type; /* the media type */
    const char *etag; /* or NULL */
    const char *cache;
    bool gzip;
    bool close;    /* close after the response: the request was not fully read */
    bool unsized;  /* the answer to HEAD does not say the length of the body */
    uint8_t *body; /* behind PAGE_HEADROOM bytes */
    size_t size;
    struct respond_header extra[RESPOND_EXTRA_MAX]; /* ends at the first without a value */
};

/* Returns true if --total-bandwidth has room for a response to that client. Counts a refusal. */
bool respond_may(struct lws *wsi);

/* Sends the response; after HEAD, only its headers. Returns what the HTTP callback must return. */
int respond(struct lws *wsi, const struct response *response);

/* Sends the headers of a response whose body of response->size bytes is sent in pieces, so that a
 * long one does not delay the shard's other clients. Returns 0 if the body is to follow, else what
 * the HTTP callback must return: after HEAD there is none. */
int respond_begin(struct lws *wsi, const struct response *response);

/* A body that is read in pieces: read() copies `size` of its bytes, from `at` on. */
struct respond_body {
    void (*read)(const void *argument, size_t at, uint8_t *out, size_t size);
    const void *argument;
    size_t size;
};

/* Sends the next piece of the body, from *sent on, which it moves; when the client takes more, the
 * HTTP callback is called with LWS_CALLBACK_HTTP_WRITEABLE. Returns what it must return. */
int respond_piece(struct lws *wsi, const struct respond_body *body, size_t *sent);

/* Notes that `size` bytes of the request's body were read. Returns what the HTTP callback must
 * return: after the response, the body is read for a short time only. */
int respond_read(struct lws *wsi, size_t size);

/* Returns true if the response was sent; it announced that the connection closes. */
bool respond_done(const struct lws *wsi);

/* Sends a short text that caches must not store. */
int respond_text(struct lws *wsi, unsigned status, const char *type, const char *text);

#endif
