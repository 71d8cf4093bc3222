#include "term/net/request.h"

#include "base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_SIZE = 16, WAIT_MOST = 1000000 /* s */ };

struct term_request {
    struct term_request_events events;
    struct lws *wsi; /* NULL: the request has ended */
    bool dropped;    /* by the owner, while the library still holds it */
    bool busy;       /* a function below uses it: it must not be freed */
    bool finished;   /* `done` was called */
    int status;
    long wait; /* s, as in the answer's retry-after */
    char path[TERM_URL_PATH_MAX + 64];
    char body[LWS_PRE + TERM_REQUEST_BODY_MAX + 1];
    size_t body_size;
    char *answer;
    size_t size, capacity;
};

static void free_request(struct term_request *request)
{
    free(request->answer);
    free(request);
}

/* Passes the answer to the owner, once. The owner may drop the request there. */
static void finish_request(struct term_request *request, int status)
{
    if (request->finished || request->dropped) {
        return;
    }
    request->finished = true;
    const struct term_request_answer answer = {
        .status = status,
        .wait = request->wait,
        .body = status > 0 && request->answer != NULL ? request->answer : "",
    };
    request->events.done(request->events.owner, &answer);
}

/* The library holds the request no longer. */
static void end_request(struct term_request *request)
{
    request->wsi = NULL;
    if (request->busy) {
        return; /* the connection failed at once: term_request_send() says so */
    }
    request->busy = true;
    finish_request(request, 0);
    request->busy = false;
    if (request->dropped) {
        free_request(request);
    }
}

static bool append_answer(struct term_request *request, const char *data, size_t size)
{
    if (size > TERM_REQUEST_ANSWER_MAX - request->size) {
        return false;
    }
    char *answer = grow_array(request->answer, &request->capacity, request->size + size + 1,
                              TERM_REQUEST_ANSWER_MAX + 1, 1);
    if (answer == NULL) {
        return false;
    }
    request->answer = answer;
    memcpy(answer + request->size, data, size);
    request->size += size;
    answer[request->size] = '\0';
    return true;
}

static int add_headers(struct term_request *request, struct lws *wsi, unsigned char **at,
                       unsigned char *end)
{
    static const char type[] = "application/json";
    char length[LENGTH_SIZE];
    int digits = snprintf(length, sizeof length, "%zu", request->body_size);
    if (request->body_size == 0) {
        return 0;
    }
    if (lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, (const unsigned char *)type,
                                     (int)strlen(type), at, end) != 0 ||
        lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH,
                                     (const unsigned char *)length, digits, at, end) != 0) {
        return -1;
    }
    lws_client_http_body_pending(wsi, 1);
    lws_callback_on_writable(wsi);
    return 0;
}

static int write_body(struct term_request *request, struct lws *wsi)
{
    unsigned char *body = (unsigned char *)request->body + LWS_PRE;
    if (request->body_size == 0) {
        return 0;
    }
    lws_client_http_body_pending(wsi, 0);
    return lws_write(wsi, body, request->body_size, LWS_WRITE_HTTP_FINAL) < 0 ? -1 : 0;
}

/* Returns the seconds that the server asks to wait; 0: it names no time, or one that is too long to
 * wait for. */
static long read_wait(struct lws *wsi)
{
    char text[LENGTH_SIZE];
    if (lws_hdr_copy(wsi, text, (int)sizeof text, WSI_TOKEN_HTTP_RETRY_AFTER) <= 0) {
        return 0;
    }
    long wait = strtol(text, NULL, 10);
    return wait > 0 && wait < WAIT_MOST ? wait : 0;
}

/* Asks the library for the next bytes of the answer, which it passes in another event. */
static int read_more(struct lws *wsi)
{
    char buffer[LWS_PRE + 4096];
    char *at = buffer + LWS_PRE;
    int size = (int)sizeof buffer - LWS_PRE;
    return lws_http_client_read(wsi, &at, &size) < 0 ? -1 : 0;
}

int term_request_event(struct lws *wsi, enum lws_callback_reasons event, void *user, void *in,
                       size_t size)
{
    struct term_request *request = wsi != NULL ? lws_get_opaque_user_data(wsi) : NULL;
    (void)user;
    if (request == NULL) {
        return 0;
    }
    switch (event) {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: {
        unsigned char **at = in;
        return add_headers(request, wsi, at, *at + size);
    }
    case LWS_CALLBACK_CLIENT_HTTP_WRITEABLE:
        return write_body(request, wsi);
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
        request->status = (int)lws_http_client_http_response(wsi);
        request->wait = read_wait(wsi);
        return 0;
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
        return read_more(wsi);
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
        return append_answer(request, in, size) ? 0 : -1;
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
        finish_request(request, request->status);
        return -1; /* the connection is not used again */
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
    case LWS_CALLBACK_WSI_DESTROY:
        lws_set_opaque_user_data(wsi, NULL);
        end_request(request);
        return 0;
    default:
        return 0;
    }
}

struct term_request *term_request_send(const struct term_request_server *server, const char *path,
                                       const char *body, const struct term_request_events *events)
{
    struct term_request *request = calloc(1, sizeof *request);
    if (request == NULL) {
        return NULL;
    }
    request->events = *events;
    snprintf(request->path, sizeof request->path, "%.*s/%s", term_url_root(server->url),
             server->url->path, path);
    if (body != NULL) {
        request->body_size = strnlen(body, TERM_REQUEST_BODY_MAX);
        memcpy(request->body + LWS_PRE, body, request->body_size);
    }
    struct lws_client_connect_info connect = {
        .context = server->context,
        .address = server->address,
        .port = server->url->port,
        .ssl_connection = LCCSCF_HTTP_NO_FOLLOW_REDIRECT | (server->url->tls ? LCCSCF_USE_SSL : 0),
        .path = request->path,
        .host = server->authority,
        .method = body != NULL ? "POST" : "GET",
        .protocol = TERM_REQUEST_PROTOCOL,
        .alpn = "http/1.1",
        .opaque_user_data = request,
        .pwsi = &request->wsi,
    };
    request->busy = true;
    struct lws *wsi = lws_client_connect_via_info(&connect);
    request->busy = false;
    if (wsi == NULL) {
        free_request(request);
        return NULL;
    }
    return request;
}

void term_request_drop(struct term_request *request)
{
    if (request == NULL) {
        return;
    }
    request->dropped = true;
    if (request->wsi == NULL && !request->busy) {
        free_request(request);
    } else if (request->wsi != NULL) {
        lws_set_timeout(request->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
    }
}
