#include "net/gate/waiting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cluster/forward_head.h"
#include "hub/hub.h"
#include "net/gate/allowance.h"
#include "net/gate/arrival.h"
#include "net/gate/connection.h"
#include "net/gate/context.h"
#include "net/gate/head.h"
#include "net/gate/header_names.h"
#include "net/gate/rates.h"
#include "net/gate/tls.h"
#include "net/gate/wire.h"

#define QUEUE_TIME  4000000u /* µs that a connection waits for its address */
#define UPGRADE_MAX 64u      /* bytes of an upgrade's protocols */
#define LOOKS_MAX   32u      /* looks at a head as soon as it has grown, … */
#define LOOKS_TIME  500000u  /* ns: the most time for these, … */
#define LOOK_TIME   100000u  /* … and µs between further looks: each reads the whole head */
#define LOOK_SLICE  2000000u /* ns of a turn for these */

void waiting_end(struct connection *connection, unsigned status, const char *text)
{
    struct context *context = connection->arrival->context;
    int fd = connection->arrival->fd;

    admission_leave(&context->admission, &connection->guest);
    arrival_end(connection);
    allowance_end(context, connection);
    if (text != NULL) {
        head_send(fd, status, text);
        head_drain(fd);
    }
    close(fd);
    free(connection);
}

/* ---- the address ---- */

/* Refuses the connection because of its address. A flood is not even told. */
static void refuse_address(struct connection *connection)
{
    struct context *context = connection->arrival->context;
    const struct ip network = ip_network(&connection->address);
    bool told = rates_take(context->service->rates, RATES_REFUSAL, &network,
                           hub_now(context->service->hub));

    counter_add(&context->counts.refused[COUNTS_ADDRESS], 1);
    waiting_end(connection, 429, told ? CONNECTION_OVER : NULL);
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

/* Requests for a WebSocket have a rate of their own: a script that loads the page over and over
 * keeps no pupil of its address from joining. */
static enum rates_kind kind_of(const struct arrival *arrival)
{
    return arrival->upgrades ? RATES_UPGRADE : RATES_CONNECTION;
}

static void return_token(const struct arrival *arrival)
{
    const struct service *service = arrival->context->service;
    const struct ip network = ip_network(&arrival->connection->address);

    rates_return(service->rates, kind_of(arrival), &network, hub_now(service->hub));
}

bool waiting_give_way(struct context *context)
{
    const uint32_t crowd = admission_crowd(&context->admission);
    struct arrival *arrival =
        crowd > 0 ? list_entry(context->waiting.last, struct arrival, item) : NULL;

    while (arrival != NULL &&
           admission_share(&context->admission, &arrival->connection->guest) < crowd) {
        arrival = list_entry(arrival->item.previous, struct arrival, item);
    }
    if (arrival == NULL) {
        return false;
    }
    return_token(arrival);
    refuse_address(arrival->connection);
    return true;
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
        context_is_proxy(context, &connection->address)) {
        return true;
    }
    wait = rates_reserve(context->service->rates, kind_of(arrival), &network, QUEUE_TIME, now);
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

/* Returns true if the request asks for another protocol, such as a WebSocket. */
static bool is_upgrade(const char *head, size_t size)
{
    char value[UPGRADE_MAX];

    return forward_header(head, size, "upgrade", value, sizeof value);
}

static void on_more(uv_poll_t *poll, int status, int events);

/* Waits for more bytes than have arrived. */
static void wait_for_more(struct connection *connection)
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
    if (uv_poll_init(arrival->context->loop, &arrival->poll, arrival->fd) != 0) {
        waiting_end(connection, 0, NULL);
        return;
    }
    arrival->polling = true;
    arrival->poll.data = arrival;
    if (uv_poll_start(&arrival->poll, UV_READABLE, on_more) != 0) {
        waiting_end(connection, 0, NULL);
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
static void look(struct connection *connection, bool woken)
{
    static _Thread_local char head[CONNECTION_HEAD_MAX + 1];
    struct arrival *arrival = connection->arrival;
    const struct admission *admission = &arrival->context->admission;
    const int least = 1;
    ssize_t size;
    uint32_t lines;

    if (wire_packets(arrival->fd) > CONNECTION_PACKETS_MAX) {
        waiting_end(connection, 431, CONNECTION_TOO_MANY);
        return;
    }
    size = peek(arrival, head, sizeof head);
    if (size == 0 || (size < 0 && errno != EAGAIN) || (woken && size <= (ssize_t)arrival->size)) {
        waiting_end(connection, 0, NULL);
        return;
    }
    if (size > 0 && arrival->size == 0) {
        admission_begin(admission, &connection->guest);
    }
    arrival->size = size > 0 ? (uint32_t)size : 0;
    bool handshake = is_handshake(head, arrival->size);
    if (handshake && arrival->context->service->tls == NULL) {
        waiting_end(connection, 400, "This port speaks http, not https.");
    } else if (handshake) {
        arrival->secure = true;
        if (may_enter(connection)) {
            arrival_enter(connection);
        }
    } else if (is_complete(head, arrival->size, &lines) && lines <= CONNECTION_LINES_MAX) {
        if (!header_names_known(head, arrival->size)) {
            waiting_end(connection, 400, CONNECTION_BAD_NAME);
            return;
        }
        admission_ask(admission, &connection->guest);
        arrival->upgrades = is_upgrade(head, arrival->size);
        setsockopt(arrival->fd, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least);
        if (may_enter(connection)) {
            arrival_enter(connection);
        }
    } else if (arrival->size > CONNECTION_HEAD_MAX || lines > CONNECTION_LINES_MAX) {
        waiting_end(connection, 431, CONNECTION_TOO_LARGE);
    } else {
        wait_for_more(connection);
    }
}

static void on_more(uv_poll_t *poll, int status, int events)
{
    struct arrival *arrival = poll->data;
    struct context *context = arrival->context;

    (void)events;
    if (status != 0) {
        waiting_end(arrival->connection, 0, NULL);
    } else {
        look(arrival->connection, true);
    }
    context_free_work(context);
}

void waiting_begin(struct connection *connection)
{
    struct context *context = connection->arrival->context;

    look(connection, false);
    context_free_work(context);
}

/* ---- turns ---- */

/* Returns the first connection that has waited for long enough, or NULL. */
static struct arrival *find_due(const struct list *list, uint64_t now)
{
    struct arrival *arrival = list_entry(list->first, struct arrival, item);

    return arrival != NULL && arrival->due <= now ? arrival : NULL;
}

/* Lets connections in that are not due yet, while the shard has time. They keep their tokens. */
static void admit_early(struct context *context)
{
    if (!spare_turn(&context->spare, uv_metrics_idle_time(context->loop), uv_hrtime())) {
        return;
    }
    while (context->waiting.first != NULL && readers_have_time(&context->entering) &&
           !readers_wait(&context->entering)) {
        const struct arrival *first = list_entry(context->waiting.first, struct arrival, item);
        return_token(first);
        arrival_enter(first->connection);
    }
}

/* Looks at a head that grows slowly. */
static void look_again(struct arrival *arrival)
{
    arrival_stop_waiting(arrival);
    arrival->drips = false;
    look(arrival->connection, false);
}

bool waiting_turn(struct context *context)
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
    admit_early(context);
    return context->waiting.first != NULL || context->dripping.first != NULL;
}
