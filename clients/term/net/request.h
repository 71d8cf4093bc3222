/* One HTTP request to a server, such as the list of its rooms. client.h sends them.
 *
 * On the client's loop and thread. The owner keeps the request until `done` is called, or drops it.
 */
#ifndef TERM_REQUEST_H
#define TERM_REQUEST_H

#include "term/net/url.h"

#include <libwebsockets.h>
#include <stddef.h>

#define TERM_REQUEST_PROTOCOL   "http"
#define TERM_REQUEST_BODY_MAX   2048u
#define TERM_REQUEST_ANSWER_MAX 1048576u /* bytes; a longer answer counts as none */

struct term_request;

struct term_request_answer {
    int status;       /* of HTTP; 0: no answer */
    long wait;        /* s to wait before the next request; 0: the server does not say */
    const char *body; /* ended by a NUL; it belongs to the request */
};

struct term_request_events {
    void *owner;
    /* The request may be dropped here. */
    void (*done)(void *owner, const struct term_request_answer *answer);
};

/* A server that was reached. */
struct term_request_server {
    struct lws_context *context;
    const struct term_url *url;
    const char *address, *authority;
};

/* Sends a request to `path` below the server's root. body: JSON for a POST; NULL: a GET. Returns
 * NULL if memory runs out or the server cannot be reached. */
struct term_request *term_request_send(const struct term_request_server *server, const char *path,
                                       const char *body, const struct term_request_events *events);

/* Forgets the request: `done` is no longer called. Takes NULL. */
void term_request_drop(struct term_request *request);

/* The library's events about requests: the callback of TERM_REQUEST_PROTOCOL. */
int term_request_event(struct lws *wsi, enum lws_callback_reasons event, void *user, void *in,
                       size_t size);

#endif
