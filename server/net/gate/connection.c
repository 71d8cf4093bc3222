#include "net/gate/connection.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hub/hub.h"
#include "net/gate/arrival.h"
#include "net/gate/context.h"
#include "net/gate/head.h"
#include "net/gate/onward.h"
#include "net/gate/rates.h"
#include "net/gate/tls.h"
#include "net/gate/wire.h"

#define LEAVE_TIME 5000u    /* ms to send a goodbye */
#define QUEUE_TIME 4000000u /* µs that a connection waits for its address */
#define LWS_LATER  3        /* s: how much later libwebsockets ends a connection than flockd */
#define LOOKS_MAX  32u      /* looks at a head as soon as it has grown, … */
#define LOOKS_TIME 500000u  /* ns: the most time for these, … */
#define LOOK_TIME  100000u  /* … and µs between further looks: each reads the whole head */
#define LOOK_SLICE 2000000u /* ns of a turn for these */
#define DRAIN_MAX  65536u   /* bytes that are read and discarded, so that closing loses no answer */

static_assert(offsetof(struct connection, guest) == 0, "see connection_of_guest()");

static struct connection *connection_of_guest(struct admission_guest *guest)
{
    return (struct connection *)(void *)guest;
}

static uint32_t now_ms(const struct context *context)
{
    return (uint32_t)(hub_now(context->service->hub) / 1000);
}

static void leave_guests(struct context *context, struct connection *connection)
{
    admission_leave(&context->admission, &connection->guest);
}

/* ---- before libwebsockets ---- */

static void send_answer(int fd, unsigned status, const char *text)
{
    char head[HEAD_TEXT_MAX];
    size_t size = head_print(head, sizeof head, status, "", text);

    /* One send is enough: a client that has not read earlier answers does not want this one. */
    if (send(fd, head, size, MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {
        shutdown(fd, SHUT_WR);
    }
}

/* Reads the rest: closing a socket with unread data resets it, and the client may lose the answer.
 */
static void drain_socket(int fd)
{
    char bytes[4096];

    for (size_t i = 0; i < DRAIN_MAX / sizeof bytes; i++) {
        if (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) <= 0) {
            return;
        }
    }
}

/* Closes a waiting connection, after an answer if there is a text. */
static void turn_away(struct connection *connection, unsigned status, const char *text)
{
    struct context *context = connection->arrival->context;
    int fd = connection->arrival->fd;

    leave_guests(context, connection);
    arrival_end(connection);
    if (text != NULL) {
        send_answer(fd, status, text);
        drain_socket(fd);
    }
    close(fd);
    free(connection);
}

/* Returns true if the bytes begin a TLS handshake. Only libwebsockets can read what follows. */
static bool is_handshake(const char *head, size_t size)
{
    return size > 0 && head[0] == 0x16;
}

/* Returns true if the head of a request is complete, and counts its lines. */
static bool is_complete(const char *head, size_t size, uint32_t *lines)
{
    const char *end = head + size;
    const char *at = head;

    *lines = 0;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        ++*lines;
        at++;
        if ((at < end && at[0] == '\n') || (end - at >= 2 && at[0] == '\r' && at[1] == '\n')) {
            return true;
        }
    }
    return false;
}

/* ---- the rate of an address ---- */

static bool is_proxy(const struct context *context, const struct ip *address)
{
    return ip_is_in(address, context->service->proxies, context->service->proxy_count);
}

/* Refuses the connection because of its address. A flood is not even told. */
static void refuse_address(struct connection *connection)
{
    struct context *context = connection->arrival->context;
    const struct ip network = ip_network(&connection->address);
    bool told = rates_take(context->service->rates, RATES_REFUSAL, &network,
                           hub_now(context->service->hub));

    counter_add(&context->counts.refused[COUNTS_ADDRESS], 1);
    turn_away(connection, 429, told ? CONNECTION_OVER : NULL);
}

/* Adds an arrival to the waiting ones, which are in the order of their times. */
static void line_up(struct context *context, struct arrival *arrival)
{
    struct list_item *before = context->waiting.last;

    while (before != NULL && list_entry(before, struct arrival, item)->due > arrival->due) {
        before = before->previous;
    }
    list_insert(&context->waiting, before, &arrival->item);
}

/* Stops polling the connection until that time; the caller adds it to a list. */
static void wait_until(struct arrival *arrival, uint64_t due)
{
    struct context *context = arrival->context;

    if (arrival->polling) {
        uv_poll_stop(&arrival->poll);
    }
    if (context->waiting.first == NULL && context->dripping.first == NULL) {
        uv_timer_again(context->admit);
    }
    arrival->due = due;
}

/* Returns true if the address may have this connection now. Else the connection waits, or was
 * refused. */
static bool may_enter(struct connection *connection)
{
    struct arrival *arrival = connection->arrival;
    struct context *context = arrival->context;
    const struct ip network = ip_network(&connection->address);
    const uint64_t now = hub_now(context->service->hub);
    uint64_t wait;

    if (arrival->counted || connection->port == CONNECTION_NODES ||
        is_proxy(context, &connection->address)) {
        return true;
    }
    wait = rates_reserve(context->service->rates, RATES_CONNECTION, &network, QUEUE_TIME, now);
    if (wait == RATES_NEVER) {
        refuse_address(connection);
        return false;
    }
    arrival->counted = true;
    if (wait == 0) {
        return true;
    }
    wait_until(arrival, now + wait);
    line_up(context, arrival);
    return false;
}

/* ---- the head of a request ---- */

static void on_more(uv_poll_t *poll, int status, int events);

/* Waits for more bytes than have arrived. */
static void wait_for_more(struct connection *connection, uv_loop_t *loop)
{
    struct arrival *arrival = connection->arrival;
    const int least = (int)arrival->size + 1;

    setsockopt(arrival->fd, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least);
    arrival->drips = ++arrival->looks > LOOKS_MAX || arrival->look_time > LOOKS_TIME;
    if (arrival->drips) {
        wait_until(arrival, hub_now(arrival->context->service->hub) + LOOK_TIME);
        list_append(&arrival->context->dripping, &arrival->item);
        return;
    }
    if (arrival->polling) {
        return;
    }
    if (uv_poll_init(loop, &arrival->poll, arrival->fd) != 0) {
        turn_away(connection, 0, NULL);
        return;
    }
    arrival->polling = true;
    arrival->poll.data = arrival;
    if (uv_poll_start(&arrival->poll, UV_READABLE, on_more) != 0) {
        turn_away(connection, 0, NULL);
    }
}

/* Peeks at the bytes that have arrived; they stay in the socket. */
static ssize_t peek(struct arrival *arrival, char *head, size_t size)
{
    const uint64_t began = uv_hrtime();
    const ssize_t found = recv(arrival->fd, head, size, MSG_PEEK | MSG_DONTWAIT);

    arrival->look_time += uv_hrtime() - began;
    return found;
}

/* Looks at the bytes that have arrived. `woken`: more bytes or the end of the connection were
 * announced. Trap: to peek, the kernel searches the packets from the first one again for each
 * packet. For 16 KB in packets of a byte this takes 0.1 s. */
static void peek_head(struct connection *connection, uv_loop_t *loop, bool woken)
{
    static _Thread_local char head[CONNECTION_HEAD_MAX + 1];
    struct arrival *arrival = connection->arrival;
    const struct admission *admission = &arrival->context->admission;
    const int least = 1;
    ssize_t size;
    uint32_t lines;

    if (wire_packets(arrival->fd) > CONNECTION_PACKETS_MAX) {
        turn_away(connection, 431, CONNECTION_TOO_MANY);
        return;
    }
    size = peek(arrival, head, sizeof head);
    if (size == 0 || (size < 0 && errno != EAGAIN) || (woken && size <= (ssize_t)arrival->size)) {
        turn_away(connection, 0, NULL);
        return;
    }
    if (size > 0 && arrival->size == 0) {
        admission_begin(admission, &connection->guest);
    }
    arrival->size = size > 0 ? (uint32_t)size : 0;
    bool handshake = is_handshake(head, arrival->size);
    if (handshake && arrival->context->service->tls == NULL) {
        turn_away(connection, 400, "This port speaks http, not https.");
    } else if (handshake) {
        if (may_enter(connection)) {
            arrival_enter(connection);
        }
    } else if (is_complete(head, arrival->size, &lines) && lines <= CONNECTION_LINES_MAX) {
        admission_ask(admission, &connection->guest);
        setsockopt(arrival->fd, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least);
        if (may_enter(connection)) {
            arrival_enter(connection);
        }
    } else if (arrival->size > CONNECTION_HEAD_MAX || lines > CONNECTION_LINES_MAX) {
        turn_away(connection, 431, CONNECTION_TOO_LARGE);
    } else {
        wait_for_more(connection, loop);
    }
}

static void on_more(uv_poll_t *poll, int status, int events)
{
    struct arrival *arrival = poll->data;

    (void)events;
    if (status != 0) {
        turn_away(arrival->connection, 0, NULL);
    } else {
        peek_head(arrival->connection, poll->loop, true);
    }
}

/* ---- closing guests ---- */

/* Closes a guest that was removed from admission. */
static void close_guest(struct connection *connection, unsigned status, const char *text)
{
    struct lws *wsi = connection->wsi;

    if (connection->arrival != NULL) {
        turn_away(connection, status, text);
        return;
    }
    if (text != NULL && !connection->answered && !connection->socket && !lws_is_ssl(wsi)) {
        send_answer(lws_get_socket_fd(wsi), status, text);
    }
    /* Without this, libwebsockets waits until the client has read all that is queued. */
    shutdown(lws_get_socket_fd(wsi), SHUT_RDWR);
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
}

/* Counts a connection that has sent nothing yet. Returns false if it is closed without an answer.
 */
static bool may_arrive(struct context *context, const struct ip *address, const struct ip *network)
{
    if (is_proxy(context, address) || rates_take(context->service->rates, RATES_ARRIVAL, network,
                                                 hub_now(context->service->hub))) {
        return true;
    }
    counter_add(&context->counts.refused[COUNTS_ADDRESS], 1);
    return false;
}

/* Counts a connection that came through a proxy. */
static void count_in(struct context *context, struct connection *connection,
                     const struct ip *network)
{
    connection->over = !rates_take(context->service->rates, RATES_CONNECTION, network,
                                   hub_now(context->service->hub));
    counter_add(&context->counts.refused[COUNTS_ADDRESS], connection->over);
}

/* Makes the connection a guest, and closes the guest that it displaces. */
static void enter_guest(struct context *context, struct connection *connection,
                        const struct ip *network)
{
    struct admission_guest *other =
        admission_enter(&context->admission, &connection->guest, network, now_ms(context));

    if (other != NULL) {
        counter_add(&context->counts.displaced, 1);
        close_guest(connection_of_guest(other), 0, NULL);
    }
}

void connection_arrive(struct context *context, struct lws_vhost *vhost, uv_loop_t *loop, int fd,
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
    enter_guest(context, connection, &network);
    peek_head(connection, loop, false);
}

/* Counts what the client has read of its download since the last call. */
static void count_taken(struct connection *connection, uint32_t now)
{
    const uint32_t taken = connection->sent - wire_queued(lws_get_socket_fd(connection->wsi));

    if ((int32_t)(taken - connection->taken) > 0) {
        pace_move(&connection->pace, taken - connection->taken, now);
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
            count_taken(connection, now_ms(context));
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
    drain_socket(fd);
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

/* Returns the first connection that has waited for long enough, or NULL. */
static struct arrival *find_due(const struct list *list, uint64_t now)
{
    struct arrival *arrival = list_entry(list->first, struct arrival, item);

    return arrival != NULL && arrival->due <= now ? arrival : NULL;
}

/* Lets connections in that are not due yet, while the shard has time. They keep their tokens. */
static void admit_early(struct context *context, uint64_t now)
{
    if (!spare_turn(&context->spare, uv_metrics_idle_time(context->loop), uv_hrtime())) {
        return;
    }
    while (context->waiting.first != NULL && readers_have_time(&context->entering) &&
           !readers_wait(&context->entering)) {
        struct connection *connection =
            list_entry(context->waiting.first, struct arrival, item)->connection;
        const struct ip network = ip_network(&connection->address);
        rates_return(context->service->rates, RATES_CONNECTION, &network, now);
        arrival_enter(connection);
    }
}

/* Looks at a head that grows slowly. */
static void look_again(struct arrival *arrival)
{
    arrival_stop_waiting(arrival);
    arrival->drips = false;
    peek_head(arrival->connection, arrival->poll.loop, false);
}

bool connection_admit(struct context *context)
{
    const uint64_t now = hub_now(context->service->hub);
    const uint64_t end = uv_hrtime() + LOOK_SLICE;
    struct arrival *arrival;

    while (uv_hrtime() < end && (arrival = find_due(&context->dripping, now)) != NULL) {
        look_again(arrival);
    }
    while ((arrival = find_due(&context->waiting, now)) != NULL) {
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): arrival_enter() took it out of the list */
        arrival_enter(arrival->connection);
    }
    admit_early(context, now);
    return context->waiting.first != NULL || context->dripping.first != NULL;
}

void connection_watch(struct context *context)
{
    struct admission_guest *guest;

    watch_transfers(context);

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
            turn_away(connection, 0, NULL);
        }
        guest = next;
    }
}

/* ---- with libwebsockets ---- */

void connection_adopted(struct context *context)
{
    context->adopting = NULL;
}

void connection_gone(struct context *context, struct lws *wsi)
{
    struct connection *connection = connection_of(wsi);

    if (connection != NULL) {
        lws_set_opaque_user_data(wsi, NULL);
        leave_guests(context, connection);
        transfers_give(&context->service->downloads, connection->download);
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
    if (!is_proxy(context, &connection->address)) {
        count_in(context, connection, &network);
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
                                             : is_proxy(context, &connection->address)) {
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
    pace_begin(&connection_of(wsi)->pace, now_ms(context));
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

void connection_opened(struct lws *wsi)
{
    struct connection *connection = connection_of(wsi);

    connection->socket = true;
    admission_open(&connection->guest);
}

void connection_settled(struct context *context, struct lws *wsi)
{
    leave_guests(context, connection_of(wsi));
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
