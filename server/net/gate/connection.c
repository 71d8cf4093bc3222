#include "net/gate/connection.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hub/hub.h"
#include "net/gate/adopted.h"
#include "net/gate/allowance.h"
#include "net/gate/arrival.h"
#include "net/gate/context.h"
#include "net/gate/handshake.h"
#include "net/gate/head.h"
#include "net/gate/linger.h"
#include "net/gate/onward.h"
#include "net/gate/rates.h"
#include "net/gate/tls.h"
#include "net/gate/waiting.h"
#include "net/gate/wire.h"

#define LEAVE_TIME 5000u /* ms to send a goodbye */
#define LWS_LATER  3     /* s: how much later libwebsockets ends a connection than flockd */

static_assert(offsetof(struct connection, guest) == 0, "see connection_of_guest()");

static struct connection *connection_of_guest(struct admission_guest *guest)
{
    return (struct connection *)(void *)guest;
}

static uint32_t now_ms(const struct context *context)
{
    return (uint32_t)(hub_now(context->service->hub) / 1000);
}

struct connection *connection_next(const struct context *context,
                                   const struct connection *connection)
{
    struct admission_guest *guest =
        admission_next(&context->admission, connection != NULL ? &connection->guest : NULL);

    return guest != NULL ? connection_of_guest(guest) : NULL;
}

static void leave_guests(struct context *context, struct connection *connection)
{
    admission_leave(&context->admission, &connection->guest);
}

/* ---- closing guests ---- */

/* Closes a guest that was removed from admission. */
static void close_guest(struct connection *connection, unsigned status, const char *text)
{
    struct lws *wsi = connection->wsi;

    if (connection->arrival != NULL) {
        waiting_end(connection, status, text);
        return;
    }
    if (text != NULL && !connection->answered && !connection->socket && !lws_is_ssl(wsi)) {
        head_send(lws_get_socket_fd(wsi), status, text);
    }
    if (connection->answered && wire_queued(lws_get_socket_fd(wsi)) > 0) {
        linger_abort(lws_get_socket_fd(wsi));
        connection->aborted = true;
    }
    /* Without this, libwebsockets waits until the client has read all that is queued. */
    shutdown(lws_get_socket_fd(wsi), SHUT_RDWR);
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
}

void connection_close(struct context *context, struct connection *connection)
{
    leave_guests(context, connection);
    close_guest(connection, 0, NULL);
}

/* Counts a connection that has sent nothing yet. Returns false if it is closed without an answer.
 */
static bool may_arrive(struct context *context, const struct ip *address, const struct ip *network)
{
    if (context_is_proxy(context, address) ||
        rates_take(context->service->rates, RATES_ARRIVAL, network,
                   hub_now(context->service->hub)) ||
        spare_now(&context->arriving, uv_metrics_idle_time(context->loop), uv_hrtime())) {
        return true;
    }
    counter_add(&context->counts.refused[COUNTS_ADDRESS], 1);
    return false;
}

/* Counts a connection that came through a proxy. */
static void count_in(struct context *context, struct connection *connection,
                     const struct ip *network)
{
    const bool upgrades = lws_hdr_total_length(connection->wsi, WSI_TOKEN_UPGRADE) > 0;

    connection->over =
        !rates_take(context->service->rates, upgrades ? RATES_UPGRADE : RATES_CONNECTION, network,
                    hub_now(context->service->hub));
    counter_add(&context->counts.refused[COUNTS_ADDRESS], connection->over);
}

/* Makes the connection a guest, and closes the guest that it displaces. */
static void enter_guest(struct context *context, struct connection *connection,
                        const struct ip *network)
{
    struct admission_guest *other;

    if (context->admission.count >= context->admission.max) {
        (void)waiting_give_way(context);
    }
    other = admission_enter(&context->admission, &connection->guest, network, now_ms(context));
    if (other != NULL) {
        counter_add(&context->counts.displaced, 1);
        close_guest(connection_of_guest(other), 0, NULL);
    }
}

void connection_arrive(struct context *context, struct lws_vhost *vhost, int fd,
                       const struct ip *address, enum connection_port port)
{
    struct connection *connection = calloc(1, sizeof *connection);
    struct arrival *arrival = calloc(1, sizeof *arrival);
    const struct ip network = ip_network(address);

    if (connection == NULL || arrival == NULL ||
        (port != CONNECTION_NODES && !may_arrive(context, address, &network))) {
        free(connection);
        free(arrival);
        close(fd);
        return;
    }
    *arrival =
        (struct arrival){.context = context, .connection = connection, .vhost = vhost, .fd = fd};
    connection->port = port;
    connection->arrival = arrival;
    connection->address = *address;
    if (port != CONNECTION_NODES) {
        allowance_take(context, connection);
    }
    enter_guest(context, connection, &network);
    waiting_begin(connection);
}

/* Counts what the client has read of its download since the last call. */
static void count_taken(struct context *context, struct connection *connection)
{
    const uint32_t taken = connection->sent - wire_queued(lws_get_socket_fd(connection->wsi));

    if ((int32_t)(taken - connection->taken) > 0) {
        pace_move(&connection->pace, taken - connection->taken, now_ms(context));
        transfers_move(context->service->downloads, connection->download, taken - connection->taken,
                       hub_now(context->service->hub));
        connection->taken = taken;
    }
}

/* Closes guests whose upload or download is too slow. */
static void watch_transfers(struct context *context)
{
    struct admission_guest *guest = admission_next(&context->admission, NULL);

    while (guest != NULL) {
        struct connection *connection = connection_of_guest(guest);
        guest = admission_next(&context->admission, guest);
        if (!connection->pace.on) {
            continue;
        }
        if (connection->download != 0) {
            count_taken(context, connection);
        }
        if (pace_late(&connection->pace, now_ms(context))) {
            counter_add(&context->counts.dawdled, 1);
            leave_guests(context, connection);
            close_guest(connection, 408,
                        "The transfer was too slow: expected at least 16 KB a second.");
        }
    }
}

/* Answers a head over TLS, and closes its connection. */
static void refuse_large(struct connection *connection)
{
    const int fd = lws_get_socket_fd(connection->wsi);
    char head[HEAD_TEXT_MAX];
    const size_t size = head_print(head, sizeof head, 431, "", CONNECTION_TOO_LARGE);

    tls_send_last(lws_get_ssl(connection->wsi), head, size);
    shutdown(fd, SHUT_WR);
    head_drain(fd);
    close_guest(connection, 0, NULL);
}

void connection_close_large(struct context *context)
{
    struct admission_guest *guest;

    if (!tls_take_large()) {
        return;
    }
    guest = admission_next(&context->admission, NULL);
    while (guest != NULL) {
        struct connection *connection = connection_of_guest(guest);
        guest = admission_next(&context->admission, guest);
        if (connection->arrival == NULL && connection_is_large(context, connection->wsi, 0)) {
            leave_guests(context, connection);
            refuse_large(connection);
        }
    }
}

bool connection_is_large(const struct context *context, struct lws *wsi, int64_t body)
{
    const struct tls *tls = context->service->tls;

    return !connection_of(wsi)->asked && lws_is_ssl(wsi) &&
           tls_received(tls, lws_get_ssl(wsi)) > TLS_LARGE + (uint64_t)(body > 0 ? body : 0);
}

void connection_watch(struct context *context)
{
    struct admission_guest *guest;

    watch_transfers(context);
    linger_watch(context);

    while ((guest = admission_overdue(&context->admission, now_ms(context))) != NULL) {
        /* A WebSocket here has lost its client's slot, and was counted then. */
        counter_add(&context->counts.dawdled, !connection_of_guest(guest)->socket);
        close_guest(connection_of_guest(guest), 408,
                    "The request was not complete in time; see --request-timeout.");
    }
}

bool connection_is_stuck(struct lws *wsi)
{
    struct connection *connection = connection_of(wsi);
    const int fd = lws_get_socket_fd(wsi);
    const uint32_t unread = wire_unread(fd);
    const uint32_t read = wire_received(fd) - unread;
    const bool waits = unread > 0 || wire_has_ended(fd);
    const bool stuck = waits && connection->waiting && connection->read == read;

    connection->waiting = waits;
    connection->read = read;
    return stuck;
}

void connection_close_stuck(struct context *context)
{
    struct admission_guest *guest = admission_next(&context->admission, NULL);

    while (guest != NULL) {
        struct connection *connection = connection_of_guest(guest);
        guest = admission_next(&context->admission, guest);
        if (connection->answered && connection_is_stuck(connection->wsi)) {
            counter_add(&context->counts.dawdled, 1);
            leave_guests(context, connection);
            close_guest(connection, 0, NULL);
        }
    }
}

void connection_finish(struct context *context)
{
    struct admission_guest *guest = admission_next(&context->admission, NULL);

    while (guest != NULL) {
        struct admission_guest *next = admission_next(&context->admission, guest);
        struct connection *connection = connection_of_guest(guest);
        if (connection->arrival != NULL) {
            waiting_end(connection, 0, NULL);
        }
        guest = next;
    }
}

/* ---- with libwebsockets ---- */

void connection_adopted(struct context *context)
{
    context->adopting = NULL;
}

void connection_closing(struct context *context, struct lws *wsi)
{
    struct connection *connection = connection_of(wsi);

    if (connection != NULL && connection->download != 0) {
        count_taken(context, connection);
    }
    if (connection != NULL && connection->answered && !connection->aborted) {
        linger_begin(context, lws_get_socket_fd(wsi), lws_is_ssl(wsi) ? lws_get_ssl(wsi) : NULL,
                     &connection->address, connection->guest.due);
    }
}

void connection_gone(struct context *context, struct lws *wsi)
{
    struct connection *connection = connection_of(wsi);

    if (connection != NULL) {
        lws_set_opaque_user_data(wsi, NULL);
        leave_guests(context, connection);
        adopted_leave(context, connection);
        allowance_end(context, connection);
        handshake_end(context, connection);
        transfers_give(context->service->downloads, connection->download,
                       hub_now(context->service->hub));
        free(connection);
    }
}

/* Finds the client behind a trusted proxy or another node, and charges its network, not theirs. */
static void look_behind_proxy(struct context *context, struct lws *wsi)
{
    const struct service *service = context->service;
    struct connection *connection = connection_of(wsi);
    struct ip client;
    static _Thread_local char forwarded[CONNECTION_HEAD_MAX]; /* as large as any header: a long one
                                                                 cannot hide its client */
    struct ip network;

    if (lws_hdr_copy(wsi, forwarded, sizeof forwarded, WSI_TOKEN_X_FORWARDED_FOR) <= 0) {
        return;
    }
    if (connection->port == CONNECTION_NODES) { /* which names the client alone */
        connection->address = ip_read(forwarded, &client) ? client : connection->address;
    } else {
        connection->address =
            ip_forwarded(&connection->address, forwarded, service->proxies, service->proxy_count);
    }
    network = ip_network(&connection->address);
    admission_recount(&context->admission, &connection->guest, &network);
    admission_recount(&context->adopted, &connection->adopted, &network);
    if (!context_is_proxy(context, &connection->address)) {
        count_in(context, connection, &network);
        allowance_take(context, connection);
    }
}

bool connection_asked(struct context *context, struct lws *wsi)
{
    struct connection *connection = connection_of(wsi);

    connection->asked = true;
    if (lws_is_ssl(wsi)) {
        admission_ask(&context->admission, &connection->guest);
    }
    if (connection->port == CONNECTION_NODES ? onward_may_enter(context, wsi)
                                             : context_is_proxy(context, &connection->address)) {
        look_behind_proxy(context, wsi);
    }
    return !connection->over;
}

void connection_wait(struct context *context, struct lws *wsi, uint32_t time)
{
    admission_allow(&connection_of(wsi)->guest, time, now_ms(context));
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, (int)(time / 1000 + LWS_LATER));
}

void connection_transfer(struct context *context, struct lws *wsi)
{
    struct connection *connection = connection_of(wsi);

    pace_begin(&connection->pace, now_ms(context));
    adopted_leave(context, connection);
}

void connection_received(struct context *context, struct lws *wsi, size_t size)
{
    pace_move(&connection_of(wsi)->pace, size, now_ms(context));
}

void connection_sent(struct lws *wsi, size_t size)
{
    connection_of(wsi)->sent += (uint32_t)size;
}

void connection_uploaded(struct lws *wsi)
{
    pace_end(&connection_of(wsi)->pace);
}

void connection_answered(struct context *context, struct lws *wsi, size_t size)
{
    struct connection *connection = connection_of(wsi);

    connection->answered = true;
    connection_wait(context, wsi, admission_time(size));
}

void connection_opened(struct context *context, struct lws *wsi)
{
    struct connection *connection = connection_of(wsi);

    connection->socket = true;
    adopted_leave(context, connection);
    admission_open(&connection->guest);
}

void connection_settled(struct context *context, struct lws *wsi)
{
    leave_guests(context, connection_of(wsi));
    allowance_give(context, connection_of(wsi));
}

void connection_stand_in_line(struct context *context, struct lws *wsi, uint32_t time)
{
    admission_line_up(&context->admission, &connection_of(wsi)->guest);
    connection_wait(context, wsi, time);
}

void connection_leave_line(struct context *context, struct lws *wsi)
{
    admission_leave_line(&context->admission, &connection_of(wsi)->guest);
}

void connection_line_up(struct context *context, struct lws *wsi, uint32_t time)
{
    struct connection *connection = connection_of(wsi);
    const struct ip network = ip_network(&connection->address);

    enter_guest(context, connection, &network);
    admission_line_up(&context->admission, &connection->guest);
    admission_allow(&connection->guest, time, now_ms(context));
}

void connection_unsettle(struct context *context, struct lws *wsi)
{
    struct connection *connection = connection_of(wsi);
    const struct ip network = ip_network(&connection->address);

    enter_guest(context, connection, &network);
    admission_allow(&connection->guest, LEAVE_TIME, now_ms(context));
}
