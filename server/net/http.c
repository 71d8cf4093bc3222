#include "net/http.h"

#include <stdio.h>
#include <string.h>

#include "hub/hub.h"
#include "net/api/api.h"
#include "net/gate/connection.h"
#include "net/gate/context.h"
#include "net/gate/onward.h"
#include "net/gate/tls.h"
#include "net/http/admin.h"
#include "net/http/page.h"
#include "net/http/request.h"
#include "net/http/respond.h"
#include "net/session/session.h"
#include "net/session/upgrade.h"

#define PATH_MAX_BYTES 256
#define BUSY_SECONDS   "5" /* until a refused client may try again */

/* libwebsockets has no names for these. */
#define STATUS_TEMPORARY_REDIRECT 307
#define STATUS_TOO_MANY           429
#define STATUS_TOO_LARGE          431

/* Returns true if a header of the request contains that word. */
static bool header_has(struct lws *wsi, enum lws_token_indexes token, const char *word)
{
    char value[256];

    return lws_hdr_copy(wsi, value, sizeof value, token) > 0 && strstr(value, word) != NULL;
}

static int serve_file(struct lws *wsi, const struct page_file *file)
{
    const struct page_body *body = &file->plain;
    struct response response = {.status = HTTP_STATUS_OK,
                                .type = file->type,
                                .etag = file->etag,
                                .cache = file->immutable ? "public, max-age=31536000, immutable"
                                                         : "no-cache"};

    if (header_has(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, file->etag)) {
        response.status = HTTP_STATUS_NOT_MODIFIED;
        return respond(wsi, &response);
    }
    if (file->gzip.bytes != NULL && header_has(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, "gzip")) {
        body = &file->gzip;
        response.gzip = true;
    }
    response.body = body->bytes + PAGE_HEADROOM;
    response.size = body->size;
    return respond(wsi, &response);
}

/* Refuses a page because --total-bandwidth is used up. */
static int refuse_page(struct lws *wsi)
{
    static const char text[] =
        "The server has reached its bandwidth limit; try again in a moment.\n";
    uint8_t body[PAGE_HEADROOM + sizeof text];

    memcpy(body + PAGE_HEADROOM, text, sizeof text);
    return respond(wsi, &(struct response){.status = HTTP_STATUS_SERVICE_UNAVAILABLE,
                                           .type = "text/plain",
                                           .cache = "no-store",
                                           .body = body + PAGE_HEADROOM,
                                           .size = sizeof text - 1,
                                           .extra = {{"retry-after:", BUSY_SECONDS}}});
}

/* Without room creation, the start page offers nothing to choose. The location is relative because
 * a reverse proxy may have removed a prefix from the path. */
static int redirect_to_lobby(struct lws *wsi)
{
    return respond(wsi, &(struct response){.status = HTTP_STATUS_FOUND,
                                           .type = "text/plain",
                                           .cache = "no-store",
                                           .extra = {{"location:", "r/" ROOM_LOBBY}}});
}

/* Serves a file of the page, or refuses an unknown path or method. */
static int serve_page(struct lws *wsi, const struct context *context, const char *path)
{
    const struct page_file *file = page_route(context->service->page, path);

    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0 &&
        lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) == 0) {
        return respond_text(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, "text/plain",
                            "Only GET and HEAD are allowed here.\n");
    }
    if (file == NULL) {
        return respond_text(wsi, HTTP_STATUS_NOT_FOUND, "text/plain", "Page not found.\n");
    }
    if (!respond_may(wsi)) {
        return refuse_page(wsi);
    }
    if (strcmp(path, "/") == 0 && context->service->config->rooms == CONFIG_ROOMS_OFF) {
        return redirect_to_lobby(wsi);
    }
    return serve_file(wsi, file);
}

/* Returns true if text is printable and has no space. Decoded parts of a path may have both. */
static bool is_plain(const char *text)
{
    while (*text > ' ' && *text <= '~') {
        text++;
    }
    return *text == '\0';
}

/* Redirects plain HTTP at the TLS port: browsers send it if only a host and port are typed. */
static int redirect_to_tls(struct lws *wsi, const char *path)
{
    char location[1024];
    char host[300];
    char query[256];

    request_header(wsi, WSI_TOKEN_HOST, host, sizeof host);
    request_header(wsi, WSI_TOKEN_HTTP_URI_ARGS, query, sizeof query);
    if (host[0] == '\0' || !is_plain(host)) {
        return respond_text(wsi, HTTP_STATUS_BAD_REQUEST, "text/plain",
                            "This port uses TLS: use https.\n");
    }
    snprintf(location, sizeof location, "https://%s%s%s%s", host, is_plain(path) ? path : "/",
             query[0] != '\0' && is_plain(query) ? "?" : "", is_plain(query) ? query : "");
    return respond(wsi, &(struct response){.status = STATUS_TEMPORARY_REDIRECT,
                                           .type = "text/plain",
                                           .cache = "no-store",
                                           .extra = {{"location:", location}}});
}

/* A request that another node has passed on: for a room of this node. */
static int on_node(struct lws *wsi, struct context *context, struct http_connection *connection,
                   enum request_method method, const char *path)
{
    if (!onward_may_enter(context, wsi)) {
        return respond_text(wsi, HTTP_STATUS_FORBIDDEN, "text/plain",
                            "This port is for the nodes of the cluster.\n");
    }
    return api_serves(path) ? api_begin(context, wsi, method, path, &connection->asked)
                            : respond_text(wsi, HTTP_STATUS_NOT_FOUND, "text/plain",
                                           "This port serves the rooms of this node.\n");
}

static int on_request(struct lws *wsi, struct context *context, struct http_connection *connection)
{
    char path[PATH_MAX_BYTES];
    enum request_method method = request_method(wsi, path, sizeof path);
    bool reads = method == REQUEST_GET || method == REQUEST_HEAD;
    int64_t length = request_length(wsi);
    bool served;
    int result;

    connection->unread = length > 0 ? (uint64_t)length : 0;
    if (path[0] != '/') {
        return respond_text(wsi, HTTP_STATUS_NOT_FOUND, "text/plain", "Page not found.\n");
    }
    if (connection_of(wsi)->port == CONNECTION_NODES) {
        return on_node(wsi, context, connection, method, path);
    }
    if (connection_of(wsi)->port == CONNECTION_ADMIN ||
        (reads && (context->service->tls == NULL || lws_is_ssl(wsi)))) {
        result = admin_serve(context, wsi, path, &served);
        if (served) {
            return result;
        }
    }
    if (context->service->tls != NULL && !lws_is_ssl(wsi)) {
        return redirect_to_tls(wsi, path);
    }
    if (api_serves(path)) {
        return api_begin(context, wsi, method, path, &connection->asked);
    }
    if (reads && strcmp(path, "/ws") == 0) {
        return respond_text(wsi, 426, "text/plain",
                            "This is the flock's WebSocket: connect with the subprotocol "
                            "flock.v1.\n");
    }
    return serve_page(wsi, context, path);
}

/* Upgrades to WebSocket only. A client that offers HTTP/2 is answered as HTTP/1.1, which HTTP
 * allows: the flock's WebSocket needs HTTP/1.1, and the library's HTTP/2 is not hardened against
 * hostile clients. `offered` is the word in libwebsockets' own memory: libwebsockets reads it again
 * after this, and an empty word makes it continue as a plain request. Returns what
 * LWS_CALLBACK_HTTP_CONFIRM_UPGRADE must return. */
static int on_offered_upgrade(struct lws *wsi, char *offered)
{
    char to[16];

    if (lws_hdr_copy(wsi, to, sizeof to, WSI_TOKEN_UPGRADE) <= 0) {
        return -1; /* unknown to libwebsockets: it has answered and freed `offered` */
    }
    if (strcasecmp(to, "websocket") == 0) {
        return upgrade_confirm(wsi);
    }
    offered[0] = '\0';
    return 0;
}

/* The body is complete. Bytes after it are not answered: see end_connection() in respond.c. */
static int on_complete(struct lws *wsi, struct context *context, struct http_connection *connection)
{
    return respond_done(wsi) ? -1 : api_complete(context, &connection->asked);
}

/* A part of the body arrived. Trap: libwebsockets since 4.2 passes bytes that follow the body as a
 * part of it, and then never reports that the body is complete. */
static int on_body(struct lws *wsi, struct context *context, struct http_connection *connection,
                   const void *bytes, size_t size)
{
    bool more = size > connection->unread;

    size = more ? (size_t)connection->unread : size;
    if (respond_read(wsi, size) != 0 || api_body(context, &connection->asked, bytes, size) != 0) {
        return -1;
    }
    return more ? on_complete(wsi, context, connection) : 0;
}

static int handle(struct lws *wsi, struct context *context, enum lws_callback_reasons reason,
                  struct http_connection *connection, void *in, size_t size)
{
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        if (connection_is_large(context, wsi, request_length(wsi))) {
            return respond_text(wsi, STATUS_TOO_LARGE, "text/plain", CONNECTION_TOO_LARGE "\n");
        }
        if (!connection_asked(context, wsi)) {
            return respond_text(wsi, STATUS_TOO_MANY, "text/plain", CONNECTION_OVER "\n");
        }
        return respond_done(wsi) ? -1 : on_request(wsi, context, connection);
    case LWS_CALLBACK_HTTP_BODY:
        return on_body(wsi, context, connection, in, size);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return on_complete(wsi, context, connection);
    case LWS_CALLBACK_TIMER:
        return connection != NULL ? api_timer(context, &connection->asked) : 0;
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return api_writable(context, &connection->asked);
    case LWS_CALLBACK_CLOSED_HTTP:
        connection_closing(context, wsi);
        if (connection != NULL) {
            api_forget(context, &connection->asked);
        }
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        if (connection_is_large(context, wsi, 0)) {
            return upgrade_refuse(wsi, STATUS_TOO_LARGE, CONNECTION_TOO_LARGE);
        }
        if (!connection_asked(context, wsi)) {
            return upgrade_refuse(wsi, STATUS_TOO_MANY, CONNECTION_OVER);
        }
        if (connection_of(wsi)->port != CONNECTION_PUBLIC) {
            return upgrade_refuse(wsi, HTTP_STATUS_NOT_FOUND, "This port serves no WebSocket.");
        }
        return respond_done(wsi) ? -1 : on_offered_upgrade(wsi, in);
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
        return tls_prepare(context->service->tls, connection) ? 0 : -1;
    case LWS_CALLBACK_HTTP_BIND_PROTOCOL: /* called again after an answer sent in parts */
        return respond_done(wsi) ? -1 : 0;
    case LWS_CALLBACK_WSI_CREATE:
        connection_adopted(context);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        session_gone(context, wsi);
        connection_gone(context, wsi);
        return 0;
    case LWS_CALLBACK_RAW_ADOPT: /* after CONNECT: the connection would bypass every limit */
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: /* names this protocol before flock.v1 */
        return -1;
    default:
        return lws_callback_http_dummy(wsi, reason, connection, in, size);
    }
}

int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t size)
{
    struct context *context = lws_context_user(lws_get_context(wsi));
    const int result = handle(wsi, context, reason, user, in, size);

    /* No client whose messages are read next is charged for this. */
    context_free_work(context);
    return result;
}
