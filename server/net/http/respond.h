/* Answers to plain HTTP requests: headers and body in one go. On the shard's thread, from
 * libwebsockets' HTTP callbacks. */
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

/* What libwebsockets keeps for us of a connection. */
struct http_connection {
    struct api_request *asked; /* a request that has not been answered, or NULL */
    uint64_t unread;           /* bytes of the request's body that have not been read */
    time_t drained_by;         /* once answered: the rest of them is read until then */
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
    bool close;    /* the connection ends with it: not all of the request has been read */
    uint8_t *body; /* PAGE_HEADROOM in front of it */
    size_t size;
    struct respond_header extra[RESPOND_EXTRA_MAX]; /* up to the first without a value */
};

/* Whether --total-bandwidth leaves something for a response to that client. One that is refused is
 * counted. */
bool respond_may(struct lws *wsi);

/* Sends the response, its body unless only the head was asked for. Returns what an HTTP callback
 * has to return. */
int respond(struct lws *wsi, const struct response *response);

/* So many bytes of the request's body have been read. Returns what an HTTP callback has to return:
 * after the response, the rest is not read for long. */
int respond_read(struct lws *wsi, size_t size);

/* Whether the connection has had its response: the client has been told not to ask again on it. */
bool respond_done(const struct lws *wsi);

/* A response of a few words, not to be kept. */
int respond_text(struct lws *wsi, unsigned status, const char *type, const char *text);

#endif
