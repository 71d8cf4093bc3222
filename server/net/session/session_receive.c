/* A session receives messages, whole or in fragments, and pongs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/gate/address.h"
#include "net/gate/connection.h"
#include "net/gate/rates.h"
#include "net/gate/wire.h"
#include "net/session/pending.h"
#include "net/session/roster.h"
#include "net/session/session_parts.h"

#define FRAME_HEADER 6u  /* bytes of a client's frame besides its payload, at least */
#define LITTLE       512 /* bytes */
#define TLS_RECORD   64u /* bytes that TLS adds to a frame, at most */

static void refuse_room(struct context *context, struct session *session,
                        const struct proto_client_message *message)
{
    struct proto_error error = session_error_of(message, PROTO_E_ROOM, true);

    snprintf(error.field, sizeof error.field, "room");
    snprintf(error.message, sizeof error.message, "room: there is no room '%s' here",
             message->hello.room);
    session_refuse(context, session, &error);
}

/* Returns true if the hello has the room's presenter key. A wrong key is counted, and again when
 * the hello joins. */
static bool shows_key(const struct context *context, const struct session *session,
                      const struct proto_hello *hello, const struct link_room *room)
{
    struct tries *tries = pending_tries(context);
    char address[NETWORK_ADDRESS_MAX];
    struct tries_try try = {.kind = TRIES_PRESENTER,
                            .key = room->key,
                            .made = room->key_made,
                            .tried = hello->key,
                            .now = links_now(context->links)};
    uint32_t wait;

    if (hello->key[0] == '\0') {
        return false;
    }
    address_of(session->wsi, address);
    try.origin = tries_origin(tries, address);
    return tries_compare(tries, &try, &wait) == TRIES_RIGHT;
}

/* Returns false, and closes the session, if clients already get more than the total bandwidth, the
 * hello's address has had its few joins in spite of that, and it has not the room's key. */
static bool may_join(struct context *context, struct session *session,
                     const struct proto_hello *hello, const struct link_room *room)
{
    struct service *service = context->service;
    const struct ip network = ip_network(&connection_of(session->wsi)->address);

    if (bandwidth_joins(&service->bandwidth) ||
        rates_take(service->rates, RATES_CROWDED, &network, links_now(context->links)) ||
        shows_key(context, session, hello, room)) {
        return true;
    }
    counter_add(&context->counts.refused[COUNTS_BANDWIDTH], 1);
    session_close(context, session, END_BANDWIDTH);
    return false;
}

static void on_hello(struct context *context, struct session *session,
                     const struct proto_client_message *message)
{
    const struct proto_hello *hello = &message->hello;
    struct link_room room;

    if (session->stage != SESSION_NEW) {
        session_refuse_with(context, session, message, PROTO_E_STATE, true,
                            "hello was already sent");
        return;
    }
    if (!links_find(context->links, hello->room, &room)) {
        refuse_room(context, session, message);
        return;
    }
    session_listen(context, session);
    if (session->stage == SESSION_CLOSING) {
        return;
    }
    session->trusted = room.trusted;
    if (!session_count_reading(context, session, &room)) {
        session_close(context, session, END_NO_MEMORY);
        return;
    }
    if (!may_join(context, session, hello, &room)) {
        return;
    }
    if (hello->key[0] != '\0' || hello->join[0] != '\0') {
        (void)pending_keep(context, session, hello); /* without memory it cannot wait in line */
    }
    session_join(context, session, hello);
}

static void refuse_busy(struct context *context, struct session *session,
                        const struct proto_client_message *message)
{
    struct proto_error error = session_error_of(message, PROTO_E_FULL, false);

    snprintf(error.message, sizeof error.message, "the server is too busy; try again in a moment");
    if (!session_refuse_in_turn(context, session, &error)) {
        session_refuse(context, session, &error);
    }
}

/* Handles a message of a client whose hello waits in line. */
static void on_early(struct context *context, struct session *session,
                     const struct proto_client_message *message)
{
    if (message->type == PROTO_PING) {
        outlet_ping(&session->outlet, message->ping.t);
        session_flush(context, session);
    } else if (message->type != PROTO_CURSOR) {
        refuse_busy(context, session, message);
    }
}

static void on_message(struct context *context, struct session *session,
                       const struct proto_client_message *message)
{
    if (message->type == PROTO_HELLO) {
        on_hello(context, session, message);
    } else if (session->link == NULL && session->stage == SESSION_JOINING) {
        on_early(context, session, message);
    } else if (session->link == NULL) {
        session_refuse_with(context, session, message, PROTO_E_STATE, true,
                            "hello must be the first message");
    } else if (message->type == PROTO_PING) {
        outlet_ping(&session->outlet, message->ping.t);
        session_flush(context, session);
    } else if (message->type == PROTO_CURSOR) {
        link_send(session->link, message); /* the next hint replaces it */
    } else if (!session_caught_up(session) || !link_send(session->link, message)) {
        refuse_busy(context, session, message);
    } else if (message->type == PROTO_WANT && message->want.has_topics) {
        outlet_subscribe(&session->outlet, message->want.topics);
    } else if (message->type == PROTO_PICK) {
        outlet_pick(&session->outlet, message->pick.boid);
    } else if (message->type == PROTO_UNPICK) {
        outlet_pick(&session->outlet, OUTLET_NO_PICK);
    }
}

static void on_data(struct context *context, struct session *session, const uint8_t *data,
                    size_t size)
{
    struct proto_client_message message;
    struct proto_error error;

    counter_add(&context->counts.received, 1);
    if (!session_within_rate(context, session)) {
        return;
    }
    if (proto_decode_client(context->decoder, data, size, &message, &error) == PROTO_OK) {
        on_message(context, session, &message);
    } else if (!session_refuse_in_turn(context, session, &error)) {
        session_refuse(context, session, &error);
    }
}

/* Collects the fragments of a message of at most PROTO_MESSAGE_MAX bytes. Returns false if memory
 * runs out. */
static bool gather_fragment(struct session *session, const uint8_t *data, size_t size)
{
    if (session->partial == NULL) {
        session->partial = malloc(PROTO_MESSAGE_MAX);
        session->partial_size = 0;
    }
    if (session->partial == NULL) {
        return false;
    }
    memcpy(session->partial + session->partial_size, data, size);
    session->partial_size = (uint16_t)(session->partial_size + size);
    return true;
}

static uint32_t frame_header(struct lws *wsi)
{
    return lws_is_ssl(wsi) ? FRAME_HEADER + TLS_RECORD : FRAME_HEADER;
}

void session_receive(struct context *context, struct session *session, const uint8_t *data,
                     size_t size)
{
    struct lws *wsi = session->wsi;
    bool whole = lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0;
    size_t so_far = session->partial != NULL ? session->partial_size : 0;

    if (session->stage == SESSION_CLOSING) {
        return;
    }
    session->heard += (uint32_t)size + (whole ? frame_header(wsi) : 0);
    if (!lws_frame_is_binary(wsi)) {
        session_close(context, session, END_NOT_BINARY);
    } else if (so_far + size + lws_remaining_packet_payload(wsi) > PROTO_MESSAGE_MAX) {
        session_close(context, session, END_TOO_LARGE);
    } else if (whole && session->partial == NULL) {
        on_data(context, session, data, size);
    } else if (!gather_fragment(session, data, size)) {
        session_close(context, session, END_NO_MEMORY);
    } else if (whole) {
        on_data(context, session, session->partial, session->partial_size);
        free(session->partial);
        session->partial = NULL;
    }
}

/* Returns true if libwebsockets has nothing to write, after only messages and expected pongs were
 * read. It writes earlier pongs as soon as the socket has room. */
static bool has_written(const struct session *session)
{
    return session->socket >= 0 && wire_unsent(session->socket) == 0 &&
           lws_partial_buffered(session->wsi) == 0 && lws_get_close_length(session->wsi) == 0;
}

/* libwebsockets answers pings by itself and does not report whether a frame had a mask. But it
 * cannot have read more bytes than arrived, so missing masks show as a difference. TLS adds bytes,
 * which hide it. */
void session_listen(struct context *context, struct session *session)
{
    int fd = lws_get_socket_fd(session->wsi);
    uint32_t besides = wire_received(fd) - session->heard;
    int32_t more = (int32_t)(besides - session->besides);

    if ((int32_t)besides < 0 && !lws_is_ssl(session->wsi)) {
        session_close(context, session, END_UNMASKED);
        return;
    }
    if (more > LITTLE) { /* perhaps messages that were not read yet */
        besides -= wire_unread(fd);
        more = (int32_t)(besides - session->besides);
    }
    session->besides = besides;
    session->read = context->read == session; /* more of the same reading may follow */
    session->quiet = !session->read && more == 0 && has_written(session);
    if (!intake_besides(&session->intake, more, session_ms(context))) {
        session_close(context, session, END_BESIDES);
    }
}

/* Returns for how long the pong may have waited to be read, in µs. The kernel also knows of times
 * in which the thread did not run; but if more came after the pong, it knows of that alone. */
static uint64_t pong_lateness(const struct context *context, struct session *session, uint64_t now)
{
    uint64_t late = lateness_at(&context->lateness, now);
    uint64_t waited = UINT64_C(1000) * wire_waited(lws_get_socket_fd(session->wsi));
    uint64_t in_line = UINT64_C(1000) * session_waited(session, outlet_ms(now));

    late = waited > late ? waited : late;
    return in_line > late ? in_line : late;
}

void session_pong(struct context *context, struct session *session, const uint8_t *data,
                  size_t size)
{
    uint64_t now = links_now(context->links);
    uint32_t number = 0;

    for (size_t i = 0; i < size && i < sizeof number; i++) {
        number |= (uint32_t)data[i] << 8 * i;
    }
    if (session->stage == SESSION_CLOSING) {
        return;
    }
    if (session->outlet.line.pinging && number == session->outlet.line.number) {
        session->heard += (uint32_t)size + frame_header(session->wsi);
    }
    if (outlet_pong(&session->outlet, number, now, pong_lateness(context, session, now))) {
        session_flush(context, session);
    }
    session_ease(context, session);
}
