#include "net/http/respond.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "hub/hub.h"
#include "net/gate/connection.h"
#include "net/gate/context.h"
#include "net/gate/rates.h"

static_assert(PAGE_HEADROOM >= LWS_PRE, "libwebsockets needs more headroom in front of a body");

#define HEADERS_MAX 1024
#define TEXT_MAX    256
#define PIECE_MAX   (64u << 10) /* bytes: encrypted in less than 1 ms */
#define DRAIN_TIME  5           /* s */
#define DRAIN_MAX   (64u << 20) /* bytes; a recording that is too long is also drained */

static bool add_header(struct lws *wsi, const struct respond_header *header, uint8_t **p,
                       uint8_t *end)
{
    return header->value == NULL ||
           lws_add_http_header_by_name(wsi, (const unsigned char *)header->name,
                                       (const unsigned char *)header->value,
                                       (int)strlen(header->value), p, end) == 0;
}

static time_t clock_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Reads the rest of the request's body first: closing a socket that has unread data resets the
 * connection, and the client may lose the response. */
static bool start_drain(struct lws *wsi)
{
    struct http_connection *connection = lws_wsi_user(wsi);

    if (connection == NULL || connection->unread == 0 || connection->unread > DRAIN_MAX) {
        return false;
    }
    connection->drained_by = clock_seconds() + DRAIN_TIME;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, DRAIN_TIME);
    return true;
}

int respond_read(struct lws *wsi, size_t size)
{
    struct http_connection *connection = lws_wsi_user(wsi);

    connection->unread -= size < connection->unread ? size : connection->unread;
    return respond_done(wsi) && clock_seconds() > connection->drained_by ? -1 : 0;
}

/* Serves one request per connection. libwebsockets does not find the body of a request that it read
 * together with the previous one, and waits for it forever. */
static int end_connection(struct lws *wsi, bool must_close)
{
    if (start_drain(wsi)) {
        return 0;
    }
    if (must_close || !lws_partial_buffered(wsi)) {
        return -1;
    }
    return lws_http_transaction_completed(wsi) != 0 ? -1 : 0; /* after the rest is sent */
}

bool respond_done(const struct lws *wsi)
{
    const struct connection *connection = connection_of(wsi);

    return connection != NULL && connection->answered;
}

bool respond_may(struct lws *wsi)
{
    struct context *context = lws_context_user(lws_get_context(wsi));
    const struct service *service = context->service;
    const struct ip network = ip_network(&connection_of(wsi)->address);
    const uint64_t now = hub_now(service->hub);
    const double left = rates_left(service->rates, RATES_FRESH, &network, now);
    const bool may = bandwidth_answers(&service->bandwidth, left) &&
                     rates_has(service->rates, RATES_BYTES, &network, now);

    counter_add(&context->counts.refused[COUNTS_BANDWIDTH], !may);
    return may;
}

/* Counts the body's bytes, and gives the client the time to take them. */
static void account(struct lws *wsi, const struct response *response, bool body)
{
    struct context *context = lws_context_user(lws_get_context(wsi));
    struct service *service = context->service;
    const struct ip network = ip_network(&connection_of(wsi)->address);
    const uint64_t now = hub_now(service->hub);

    connection_answered(context, wsi, response->size);
    if (!body) {
        return;
    }
    counter_add(&context->counts.answered, response->size);
    if (connection_of(wsi)->port != CONNECTION_ADMIN) {
        bandwidth_answered(&service->bandwidth, response->size);
        rates_spend(service->rates, RATES_BYTES, &network, response->size, now);
        rates_spend(service->rates, RATES_FRESH, &network, response->size, now);
    }
}

static bool has_body(struct lws *wsi, const struct response *response)
{
    return lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) <= 0 && response->size > 0;
}

static bool send_headers(struct lws *wsi, const struct response *response)
{
    uint8_t buffer[LWS_PRE + HEADERS_MAX];
    uint8_t *start = buffer + LWS_PRE;
    uint8_t *p = start;
    uint8_t *end = buffer + sizeof buffer - 1;
    const struct respond_header headers[] = {
        {"vary:", "accept-encoding"}, {"cache-control:", response->cache},
        {"etag:", response->etag},    {"content-encoding:", response->gzip ? "gzip" : NULL},
        {"connection:", "close"},
    };

    if (lws_add_http_common_headers(
            wsi, response->status, response->type,
            response->unsized ? LWS_ILLEGAL_HTTP_CONTENT_LEN : response->size, &p, end) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        if (!add_header(wsi, &headers[i], &p, end)) {
            return false;
        }
    }
    for (size_t i = 0; i < RESPOND_EXTRA_MAX; i++) {
        if (!add_header(wsi, &response->extra[i], &p, end)) {
            return false;
        }
    }
    return lws_finalize_write_http_header(wsi, start, &p, end) == 0;
}

int respond(struct lws *wsi, const struct response *response)
{
    bool body = has_body(wsi, response);

    if (!send_headers(wsi, response)) {
        return -1;
    }
    account(wsi, response, body);
    if (body && lws_write(wsi, response->body, response->size, LWS_WRITE_HTTP_FINAL) <
                    (int)response->size) {
        return -1;
    }
    return end_connection(wsi, response->close);
}

int respond_begin(struct lws *wsi, const struct response *response)
{
    bool body = has_body(wsi, response);

    assert(response->size > 0);
    if (!send_headers(wsi, response)) {
        return -1;
    }
    account(wsi, response, body);
    return body ? 0 : -1;
}

int respond_piece(struct lws *wsi, const struct respond_body *body, size_t *sent)
{
    uint8_t buffer[PAGE_HEADROOM + PIECE_MAX];
    size_t rest = body->size - *sent;
    size_t piece = rest < PIECE_MAX ? rest : PIECE_MAX;

    assert(*sent < body->size);
    body->read(body->argument, *sent, buffer + PAGE_HEADROOM, piece);
    *sent += piece;
    if (lws_write(wsi, buffer + PAGE_HEADROOM, piece,
                  piece == rest ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)piece) {
        return -1;
    }
    return piece == rest ? end_connection(wsi, false) : lws_callback_on_writable(wsi) < 0 ? -1 : 0;
}

int respond_text(struct lws *wsi, unsigned status, const char *type, const char *text)
{
    uint8_t body[PAGE_HEADROOM + TEXT_MAX];
    char *start = (char *)body + PAGE_HEADROOM;

    assert(strlen(text) < TEXT_MAX);
    snprintf(start, sizeof body - PAGE_HEADROOM, "%s", text);
    return respond(wsi, &(struct response){.status = status,
                                           .type = type,
                                           .cache = "no-store",
                                           .body = body + PAGE_HEADROOM,
                                           .size = strlen(start)});
}
