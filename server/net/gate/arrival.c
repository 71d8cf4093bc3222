#include "net/gate/arrival.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "net/gate/adopted.h"
#include "net/gate/allowance.h"
#include "net/gate/connection.h"
#include "net/gate/context.h"
#include "net/gate/handshake.h"
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
    readers_leave(&arrival->context->entering, &connection->entering);
    if (arrival->polling) {
        uv_close((uv_handle_t *)&arrival->poll, on_closed);
    } else {
        free(arrival);
    }
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
    allowance_give(context, connection);
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
    handshake_expect(connection);
    context->adopting = connection;
    wsi = lws_adopt_descriptor_vhost_via_info(&description);
    if (wsi != NULL) {
        connection->wsi = wsi;
    } else if (context->adopting == connection) {
        admission_leave(&context->admission, &connection->guest);
        adopted_leave(context, connection);
        allowance_end(context, connection);
        free(connection);
    }
    context->adopting = NULL;
    if (wsi != NULL) {
        handshake_read(wsi);
    }
    handshake_expect(NULL);
}

/* Adopts the connection or goes on with its handshake. Charges its address. May end it. */
static void work_on(struct context *context, struct connection *connection)
{
    struct readers *entering = &context->entering;
    struct reader charged = {0};
    const bool counts = readers_join(
        entering, &charged, context_account(context, &connection->address), READERS_OTHERS);
    struct meter_part part;

    (void)meter_take(&context->meter);
    context->adopts = true;
    if (connection->arrival != NULL) {
        adopt_connection(connection);
    } else {
        handshake_go_on(connection);
    }
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
    struct reader *reader = &connection->entering;

    assert(reader->account == NULL);
    arrival_stop_waiting(arrival);
    if (readers_join(&context->entering, reader, context_account(context, &connection->address),
                     false) &&
        (arrival->secure ? readers_must_queue : readers_must_wait)(&context->entering, reader)) {
        if (arrival->polling) {
            uv_poll_stop(&arrival->poll);
        }
        return;
    }
    work_on(context, connection);
}

static struct connection *connection_of_reader(struct reader *reader)
{
    return (struct connection *)(void *)((char *)reader - offsetof(struct connection, entering));
}

bool arrival_turn(struct context *context, bool late)
{
    struct readers *entering = &context->entering;
    struct reader *reader;

    handshake_halt(context);
    readers_turn(entering, 0, late);
    while ((reader = readers_next(entering)) != NULL) {
        work_on(context, connection_of_reader(reader));
    }
    return readers_wait(entering);
}
