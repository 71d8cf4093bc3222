#include "net/http.h"

#include <assert.h>
#include <inttypes.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "hub/hub.h"
#include "net/metrics.h"
#include "net/page.h"
#include "net/shard.h"

static_assert(PAGE_HEADROOM >= LWS_PRE, "libwebsockets needs more headroom in front of a body");

#define PATH_MAX_BYTES 256
#define HEADERS_MAX    1024

/* Nothing from anywhere else, no script or style in the page itself, no other site's frame around
 * it. */
#define CONTENT_SECURITY_POLICY                                                                    \
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "                \
    "img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "             \
    "frame-ancestors 'none'"

struct header {
    const char *name, *value;
};

struct response {
    unsigned status;
    const char *type;
    const char *etag; /* or NULL */
    const char *cache;
    bool gzip;
    uint8_t *body; /* PAGE_HEADROOM in front of it */
    size_t size;
};

static bool add_header(struct lws *wsi, const char *name, const char *value, uint8_t **p,
                       uint8_t *end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                       (const unsigned char *)value, (int)strlen(value), p,
                                       end) == 0;
}

/* Sends the response, its body unless only the head was asked for. Returns what an HTTP callback
 * has to return. */
static int respond(struct lws *wsi, const struct response *response)
{
    uint8_t buffer[LWS_PRE + HEADERS_MAX];
    uint8_t *start = buffer + LWS_PRE;
    uint8_t *p = start;
    uint8_t *end = buffer + sizeof buffer - 1;
    bool head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    bool body = !head && response->size > 0;
    const struct header headers[] = {
        {"content-security-policy:", CONTENT_SECURITY_POLICY},
        {"x-content-type-options:", "nosniff"},
        {"referrer-policy:", "no-referrer"},
        {"cross-origin-opener-policy:", "same-origin"},
        {"cross-origin-resource-policy:", "same-origin"},
        {"vary:", "accept-encoding"},
        {"cache-control:", response->cache},
        {"etag:", response->etag},
        {"content-encoding:", response->gzip ? "gzip" : NULL},
    };

    if (lws_add_http_common_headers(wsi, response->status, response->type, response->size, &p,
                                    end) != 0) {
        return -1;
    }
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        if (headers[i].value != NULL &&
            !add_header(wsi, headers[i].name, headers[i].value, &p, end)) {
            return -1;
        }
    }
    if (lws_finalize_write_http_header(wsi, start, &p, end) != 0) {
        return -1;
    }
    if (body && lws_write(wsi, response->body, response->size, LWS_WRITE_HTTP_FINAL) <
                    (int)response->size) {
        return -1;
    }
    return lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

static int respond_text(struct lws *wsi, unsigned status, const char *type, const char *text)
{
    uint8_t body[PAGE_HEADROOM + 256];
    char *start = (char *)body + PAGE_HEADROOM;

    snprintf(start, sizeof body - PAGE_HEADROOM, "%s", text);
    return respond(wsi, &(struct response){.status = status,
                                           .type = type,
                                           .cache = "no-store",
                                           .body = body + PAGE_HEADROOM,
                                           .size = strlen(start)});
}

/* Whether a header of the request contains that word. */
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

static int serve_health(struct lws *wsi, const struct shard *shard)
{
    char text[200];
    bool well = hub_healthy(shard->hub) && !shard->stopping;

    snprintf(text, sizeof text,
             "{\"status\":\"%s\",\"version\":\"%s\",\"ticks\":%" PRIu64 ",\"connections\":%u}\n",
             well ? "ok" : "failing", FLOCKD_VERSION, hub_ticks(shard->hub),
             atomic_load(&shard->server->clients));
    return respond_text(wsi, well ? HTTP_STATUS_OK : HTTP_STATUS_SERVICE_UNAVAILABLE,
                        "application/json", text);
}

/* The text is made behind PAGE_HEADROOM bytes of its own. */
static int serve_metrics(struct lws *wsi, const struct shard *shard)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int result = -1;

    if (out == NULL) {
        return -1;
    }
    fprintf(out, "%*s", PAGE_HEADROOM, "");
    metrics_print(out, shard->server);
    if (fclose(out) == 0) {
        result = respond(wsi, &(struct response){.status = HTTP_STATUS_OK,
                                                 .type = METRICS_TYPE,
                                                 .cache = "no-store",
                                                 .body = (uint8_t *)text + PAGE_HEADROOM,
                                                 .size = size - PAGE_HEADROOM});
    }
    free(text);
    return result;
}

static int on_request(struct lws *wsi, const struct shard *shard)
{
    bool head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    char path[PATH_MAX_BYTES];
    const struct page_file *file;

    if (!head && lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0) {
        return respond_text(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, "text/plain",
                            "Only GET and HEAD are understood here.\n");
    }
    if (lws_hdr_copy(wsi, path, sizeof path, head ? WSI_TOKEN_HEAD_URI : WSI_TOKEN_GET_URI) < 0) {
        return respond_text(wsi, HTTP_STATUS_NOT_FOUND, "text/plain", "There is no such page.\n");
    }
    if (strcmp(path, "/healthz") == 0) {
        return serve_health(wsi, shard);
    }
    if (strcmp(path, "/metrics") == 0) {
        return serve_metrics(wsi, shard);
    }
    if (strcmp(path, "/ws") == 0) {
        return respond_text(wsi, 426, "text/plain",
                            "This is the flock's WebSocket: connect with the subprotocol "
                            "flock.v1.\n");
    }
    file = page_find(&shard->server->page, path);
    if (file == NULL) {
        return respond_text(wsi, HTTP_STATUS_NOT_FOUND, "text/plain", "There is no such page.\n");
    }
    return serve_file(wsi, file);
}

/* Only WebSockets are upgraded to. A client that offers HTTP/2 is answered as if it had not, which
 * HTTP allows: the flock's WebSocket is one of HTTP/1.1 (and the library's HTTP/2 is not ready for
 * strangers). Returns what LWS_CALLBACK_HTTP_CONFIRM_UPGRADE has to. */
static int on_offered_upgrade(struct lws *wsi, const struct shard *shard)
{
    char to[16];

    if (lws_hdr_copy(wsi, to, sizeof to, WSI_TOKEN_UPGRADE) <= 0) {
        return -1;
    }
    if (strcasecmp(to, "websocket") == 0) {
        return 0;
    }
    return on_request(wsi, shard) < 0 ? -1 : 1;
}

int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t size)
{
    const struct shard *shard = lws_context_user(lws_get_context(wsi));

    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return on_request(wsi, shard);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return on_offered_upgrade(wsi, shard);
    case LWS_CALLBACK_RAW_ADOPT:
        return -1; /* after CONNECT: it would stay for good, out of every limit */
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        /* A WebSocket that asked for no subprotocol. */
        lws_return_http_status(wsi, HTTP_STATUS_BAD_REQUEST,
                               "The subprotocol flock.v1 is expected.");
        return -1;
    default:
        return lws_callback_http_dummy(wsi, reason, user, in, size);
    }
}

static int connect_to(const char *host, unsigned port)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct timeval limit = {.tv_sec = 3};
    struct addrinfo *addresses;
    char service[16];
    int fd;

    snprintf(service, sizeof service, "%u", port);
    if (getaddrinfo(host, service, &hints, &addresses) != 0) {
        return -1;
    }
    fd = socket(addresses->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        if (connect(fd, addresses->ai_addr, addresses->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(addresses);
    return fd;
}

int http_healthcheck(const char *bind, unsigned port)
{
    static const char request[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
                                  "Connection: close\r\n\r\n";
    const char *host = strcmp(bind, "0.0.0.0") == 0 ? "127.0.0.1"
                       : strcmp(bind, "::") == 0    ? "::1"
                                                    : bind;
    char answer[32] = "";
    ssize_t size = -1;
    int fd = connect_to(host, port);

    if (fd >= 0) {
        if (write(fd, request, sizeof request - 1) == (ssize_t)(sizeof request - 1)) {
            size = recv(fd, answer, sizeof answer - 1, MSG_WAITALL);
        }
        close(fd);
    }
    if (size > 0 && strncmp(answer, "HTTP/1.1 200", 12) == 0) {
        return 0;
    }
    fprintf(stderr, "flockd: nothing well answers at %s port %u\n", host, port);
    return 1;
}
