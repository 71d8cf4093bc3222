/* Reads from clients, one after another: see readers.h. */
#include <assert.h>

#include "net/gate/connection.h"
#include "net/gate/ready.h"
#include "net/gate/wire.h"
#include "net/session/session_parts.h"

/* ms: a shorter wait changes no measure of a line. So no system call looks for a rest then. */
#define WAIT_LEAST 2u

static struct session *session_of_reader(struct reader *reader)
{
    return (struct session *)(void *)((char *)reader - offsetof(struct session, reader));
}

static uint64_t address_account(const struct context *context, const struct session *session)
{
    return context_account(context, &connection_of(session->wsi)->address);
}

static bool is_taught(const struct context *context, const struct session *session)
{
    const struct ip network = ip_network(&connection_of(session->wsi)->address);

    return places_teach(context->service->places, &network);
}

/* libwebsockets may hold bytes that followed the request. So the session is ready at once. */
bool session_begin_reading(struct context *context, struct session *session)
{
    struct reader *reader = &session->reader;

    lws_rx_flow_control(session->wsi, 0);
    if (!readers_join(&context->readers, reader, address_account(context, session),
                      is_taught(context, session) ? READERS_PUPILS : READERS_OTHERS)) {
        return false;
    }
    if (!ready_add(context->ready, lws_get_socket_fd(session->wsi), session)) {
        readers_leave(&context->readers, reader);
        return false;
    }
    session_set_share(context, session, session_ms(context));
    session_is_ready(context, session);
    return true;
}

/* Data that the loop finds without waiting may have arrived since it looked before. */
static uint32_t ready_since(const struct context *context)
{
    const uint64_t now = links_now(context->links);
    const uint32_t since = outlet_ms(now - lateness_at(&context->lateness, now));

    return since != 0 ? since : UINT32_MAX;
}

/* Is in line already if it has just begun. Has no account if memory ran out: then it ends. */
void session_is_ready(struct context *context, struct session *session)
{
    struct reader *reader = &session->reader;

    if (reader->ready_at == 0) {
        reader->ready_at = ready_since(context);
    }
    if (reader->account != NULL && !reader->in_line) {
        readers_ready(&context->readers, reader);
    }
}

void session_end_reading(struct context *context, struct session *session)
{
    if (context->read == session) {
        context->read = NULL;
        readers_charge_reading(&context->readers, &session->reader, meter_take(&context->meter));
    }
    ready_remove(context->ready, lws_get_socket_fd(session->wsi));
    readers_leave(&context->readers, &session->reader);
}

void session_set_share(const struct context *context, struct session *session, uint32_t now)
{
    const struct reader *reader = &session->reader;
    const bool by_server = reader->account != NULL && reader->account->class != READERS_OTHERS;

    outlet_share(&session->outlet,
                 bandwidth_share(&context->service->bandwidth,
                                 by_server ? BANDWIDTH_SERVERS : BANDWIDTH_OTHERS,
                                 readers_crowding(reader)),
                 now);
}

bool session_count_reading(struct context *context, struct session *session,
                           const struct link_room *room)
{
    const uint64_t account = room->by_server ? address_account(context, session) : room->creator;

    assert(!session->reader.in_line); /* its hello is being read */
    readers_leave(&context->readers, &session->reader);
    if (!readers_join(&context->readers, &session->reader, account,
                      !room->by_server              ? READERS_OTHERS
                      : is_taught(context, session) ? READERS_PUPILS
                                                    : READERS_TRUSTED)) {
        return false;
    }
    readers_weigh(&context->readers, &session->reader);
    session_set_share(context, session, session_ms(context));
    return true;
}

/* That the server trusts a new room of another node may come only with its welcome. */
void session_keep_class(struct context *context, struct session *session)
{
    const struct reader_account *account = session->reader.account;

    if (session->stage != SESSION_LIVE || account == NULL ||
        (account->class == READERS_OTHERS && !session->trusted)) {
        return;
    }
    const enum readers_class_name class =
        is_taught(context, session) ? READERS_PUPILS : READERS_TRUSTED;
    if (class != account->class) { /* without memory it stays */
        (void)readers_move(&context->readers, &session->reader, address_account(context, session),
                           class);
    }
}

/* Notes that nothing waits, unless a part of what waited may be left. */
static void note_rest(struct context *context, struct session *session)
{
    struct reader *reader = &session->reader;

    if (session_waited(session, session_ms(context)) < WAIT_LEAST ||
        wire_unread(lws_get_socket_fd(session->wsi)) == 0) {
        reader->ready_at = 0;
    }
}

static void read_session(struct context *context, struct session *session)
{
    struct lws *wsi = session->wsi;
    struct lws_pollfd readable = {
        .fd = lws_get_socket_fd(wsi), .events = LWS_POLLIN, .revents = LWS_POLLIN};

    (void)meter_take(&context->meter);
    session->read = true;
    session->quiet = false;
    context->read = session;
    lws_rx_flow_control(wsi, 1);
    lws_service_fd(lws_get_context(wsi), &readable);
    if (context->read != session) {
        return; /* it has ended */
    }
    lws_rx_flow_control(wsi, 0);
    note_rest(context, session);
    ready_again(context->ready, readable.fd, session);
    context->read = NULL;
    readers_charge_reading(&context->readers, &session->reader, meter_take(&context->meter));
}

void session_read(struct context *context)
{
    struct reader *reader;

    do {
        if (links_view_waits(context->links, true)) {
            readers_hurry(&context->readers);
        }
        reader = readers_next(&context->readers);
        if (reader != NULL) {
            read_session(context, session_of_reader(reader));
        }
    } while (reader != NULL);
}

uint32_t session_waited(const struct session *session, uint32_t now)
{
    return session->reader.ready_at != 0 ? now - session->reader.ready_at : 0;
}

uint64_t session_lateness(const struct context *context, const struct session *session,
                          uint64_t now)
{
    const uint64_t late = lateness_at(&context->lateness, now);
    const uint64_t waited = UINT64_C(1000) * session_waited(session, outlet_ms(now));

    return waited > late ? waited : late;
}
