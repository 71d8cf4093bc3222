#include "net/gate/handshake.h"

#include "net/gate/connection.h"
#include "net/gate/context.h"
#include "net/gate/tls.h"

static struct context *context_of(const struct connection *connection)
{
    return lws_context_user(lws_get_context(connection->wsi));
}

/* Returns true if the handshake may work in this turn. Else it waits. */
static bool may_work(struct context *context, struct connection *connection)
{
    struct readers *entering = &context->entering;
    struct reader *reader = &connection->entering;

    if (reader->in_line) {
        return false;
    }
    if (reader->account == NULL &&
        !readers_join(entering, reader, context_account(context, &connection->address),
                      READERS_OTHERS)) {
        return true;
    }
    if (readers_must_queue(entering, reader)) {
        list_append(&context->halting, &connection->halting);
        return false;
    }
    return true;
}

static bool on_read(void *client)
{
    struct connection *connection = client;
    struct context *context;

    if (connection->wsi == NULL) {
        return true; /* in its adoption, which is charged */
    }
    context = context_of(connection);
    if (context->adopts) {
        return true;
    }
    context_free_work(context);
    return may_work(context, connection);
}

static void on_worked(void *client, bool done)
{
    struct connection *connection = client;
    struct context *context;

    if (connection->wsi == NULL) {
        return;
    }
    context = context_of(connection);
    if (!context->adopts) {
        readers_charge(&context->entering, &connection->entering, meter_take(&context->meter));
    }
    if (done) {
        handshake_end(context, connection);
    }
}

void handshake_expect(struct connection *connection)
{
    static const struct tls_calls calls = {on_read, on_worked};

    tls_expect(&calls, connection);
}

void handshake_read(struct lws *wsi)
{
    struct lws_context *lws = lws_get_context(wsi);
    struct lws_pollfd readable = {
        .fd = lws_get_socket_fd(wsi), .events = LWS_POLLIN, .revents = LWS_POLLIN};

    lws_service_fd(lws, &readable);
    lws_cancel_service(lws);
}

void handshake_go_on(struct connection *connection)
{
    lws_rx_flow_control(connection->wsi, 1);
    handshake_read(connection->wsi);
}

void handshake_halt(struct context *context)
{
    struct connection *connection;

    while ((connection = list_entry(list_take(&context->halting), struct connection, halting)) !=
           NULL) {
        lws_rx_flow_control(connection->wsi, 0);
    }
}

void handshake_end(struct context *context, struct connection *connection)
{
    if (list_has(&context->halting, &connection->halting)) {
        list_remove(&context->halting, &connection->halting);
    }
    readers_leave(&context->entering, &connection->entering);
}
