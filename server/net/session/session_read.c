/* Pauses and resumes reading from a client: see readers.h. */
#include "net/gate/connection.h"
#include "net/gate/wire.h"
#include "net/session/session_parts.h"

static struct session *session_of_reader(struct reader *reader)
{
    return (struct session *)(void *)((char *)reader - offsetof(struct session, reader));
}

bool session_count_reading(struct context *context, struct session *session,
                           const struct link_room *room)
{
    const struct ip network = ip_network(&connection_of(session->wsi)->address);
    const uint64_t account =
        room->by_server ? ip_hash(&network, context->admission.seed) : room->creator;

    return readers_join(&context->readers, &session->reader, account, room->by_server);
}

/* Notes since when bytes of the client may wait. */
static void pause_session(struct session *session, uint32_t now)
{
    if (session->reader.paused_at == 0) {
        session->reader.paused_at = now != 0 ? now : UINT32_MAX;
    }
    lws_rx_flow_control(session->wsi, 0);
}

void session_was_read(struct context *context, struct session *session)
{
    readers_charge(&context->readers, &session->reader, meter_take(&context->meter));
    if (readers_hear(&context->readers, &session->reader)) {
        pause_session(session, session_ms(context));
    }
}

void session_stop_counting(struct context *context, struct session *session)
{
    if (session->reader.paused) {
        lws_rx_flow_control(session->wsi, 1);
    }
    readers_leave(&context->readers, &session->reader);
}

uint32_t session_paused(struct session *session, uint32_t now)
{
    const uint32_t since = session->reader.paused_at;

    if (since != 0 && wire_unread(lws_get_socket_fd(session->wsi)) == 0) {
        session->reader.paused_at = 0;
    }
    return since != 0 ? now - since : 0;
}

uint64_t session_lateness(const struct context *context, const struct session *session,
                          uint64_t now)
{
    const uint64_t late = lateness_at(&context->lateness, now);
    uint64_t paused;

    if (!session->reader.paused) {
        return late;
    }
    paused = UINT64_C(1000) * (outlet_ms(now) - session->reader.paused_at);
    return paused > late ? paused : late;
}

bool session_read_on(struct context *context, uint64_t sent, bool late)
{
    struct readers *readers = &context->readers;
    const uint32_t now = session_ms(context);
    struct reader *reader;

    while ((reader = readers_pause(readers)) != NULL) {
        (void)session_paused(session_of_reader(reader), now);
        pause_session(session_of_reader(reader), now);
    }
    readers_turn(readers, sent, late);
    while ((reader = readers_resume(readers)) != NULL) {
        lws_rx_flow_control(session_of_reader(reader)->wsi, 1);
    }
    return readers_wait(readers);
}
