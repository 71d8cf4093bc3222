#include "net/gate/arrival.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "net/gate/adopted.h"
#include "net/gate/connection.h"
#include "net/gate/context.h"
#include "net/gate/onward.h"

static_assert(offsetof(struct arrival, poll) == 0, "see struct arrival");

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void arrival_stop_waiting(struct arrival *arrival)
{
    struct context *context = arrival->context;
    struct list *list = arrival->drips ? &context->dripping : &context->waiting;

    if (list_has(list, &arrival->item)) {
        list_remove(list, &arrival->item);
    }
}

void arrival_end(struct connection *connection)
{
    struct arrival *arrival = connection->arrival;

    assert(arrival != NULL && connection->wsi == NULL);
    connection->arrival = NULL;
    arrival_stop_waiting(arrival);
    readers_leave(&arrival->context->entering, &arrival->reader);
    if (arrival->polling) {
        uv_close((uv_handle_t *)&arrival->poll, on_closed);
    } else {
        free(arrival);
    }
}

/* Makes libwebsockets read the head now, not in the loop's next turn: reading a head needs memory,
 * and so only one connection at a time uses it. The next turn handles the rest of the request. */
static void read_head(struct lws *wsi)
{
    struct lws_context *lws = lws_get_context(wsi);
    struct lws_pollfd readable = {
        .fd = lws_get_socket_fd(wsi), .events = LWS_POLLIN, .revents = LWS_POLLIN};

    lws_service_fd(lws, &readable);
    lws_cancel_service(lws);
}

/* Passes a request for a room of another node on. Returns true if it did: then the connection is
 * freed. */
static bool pass_on(struct connection *connection)
{
    struct context *context = connection->arrival->context;
    const int fd = connection->arrival->fd;
    struct onward onward;

    if (!onward_find(context, connection, fd, &onward)) {
        return false;
    }
    arrival_end(connection);
    admission_leave(&context->admission, &connection->guest);
    free(connection);
    onward_begin(context, fd, &onward);
    return true;
}

/* Hands the connection to libwebsockets, which closes the socket itself on failure. After
 * WSI_CREATE, WSI_DESTROY frees the connection. */
static void adopt_connection(struct connection *connection)
{
    struct arrival *arrival = connection->arrival;
    struct context *context = arrival->context;
    const lws_adopt_desc_t description = {
        .vh = arrival->vhost,
        .type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP | LWS_ADOPT_ALLOW_SSL,
        .fd = {.sockfd = arrival->fd},
        .opaque = connection,
    };
    struct lws *wsi;

    assert(context->adopting == NULL);
    if (pass_on(connection)) {
        return;
    }
    arrival_end(connection);
    adopted_enter(context, connection);
    context->adopting = connection;
    wsi = lws_adopt_descriptor_vhost_via_info(&description);
    if (wsi != NULL) {
        connection->wsi = wsi;
    } else if (context->adopting == connection) {
        admission_leave(&context->admission, &connection->guest);
        adopted_leave(context, connection);
        free(connection);
    }
    context->adopting = NULL;
    if (wsi != NULL) {
        read_head(wsi);
    }
}

static uint64_t account_of(const struct connection *connection)
{
    const struct ip network = ip_network(&connection->address);

    return ip_hash(&network, connection->arrival->context->admission.seed);
}

/* Adopts the connection, which may end it, and charges its address. */
static void adopt_now(struct context *context, struct connection *connection)
{
    struct readers *entering = &context->entering;
    struct reader charged = {0};
    const bool counts = readers_join(entering, &charged, account_of(connection), false);
    struct meter_part part;

    (void)meter_take(&context->meter);
    context->adopts = true;
    adopt_connection(connection);
    context->adopts = false;
    part = meter_take(&context->meter);
    if (counts) {
        readers_charge(entering, &charged, part);
        readers_leave(entering, &charged);
    }
}

void arrival_enter(struct connection *connection)
{
    struct arrival *arrival = connection->arrival;
    struct context *context = arrival->context;

    assert(arrival->reader.account == NULL);
    arrival_stop_waiting(arrival);
    if (readers_join(&context->entering, &arrival->reader, account_of(connection), false) &&
        readers_must_wait(&context->entering, &arrival->reader)) {
        if (arrival->polling) {
            uv_poll_stop(&arrival->poll);
        }
        return;
    }
    adopt_now(context, connection);
}

static struct connection *connection_of_reader(struct reader *reader)
{
    return ((struct arrival *)(void *)((char *)reader - offsetof(struct arrival, reader)))
        ->connection;
}

bool arrival_turn(struct context *context, bool late)
{
    struct readers *entering = &context->entering;
    struct reader *reader;

    readers_turn(entering, 0, late);
    while ((reader = readers_next(entering)) != NULL) {
        adopt_now(context, connection_of_reader(reader));
    }
    return readers_wait(entering);
}
