/* What a session receives: messages, whole or in fragments, and pongs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/gate/address.h"
#include "net/gate/connection.h"
#include "net/gate/place.h"
#include "net/gate/rates.h"
#include "net/gate/wire.h"
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

/* Takes a slot for the client. Returns PLACE_NONE, and closes the session, if none is free. */
static enum place_type take_place(struct context *context, struct session *session,
                                  const struct ip *network, bool has_key)
{
    const struct service *service = context->service;
    const struct place_claim claim = {.network = *network,
                                      .shard = context->shard,
                                      .has_key = has_key,
                                      .trusted = session->trusted};
    uint32_t displaced;
    const enum place_type type = place_take(service->places, &session->place, &claim, &displaced);

    if (displaced != PLACE_NO_SHARD) {
        service->wake(service->waker, displaced);
    }
    if (type == PLACE_NONE) {
        counter_add(&context->counts.refused[COUNTS_CLIENTS], 1);
        session_close(context, session, END_SERVER_FULL);
    }
    return type;
}

static void on_hello(struct context *context, struct session *session,
                     const struct proto_client_message *message)
{
    uint64_t now = links_now(context->links);
    char address[NETWORK_ADDRESS_MAX];
    struct link_request request = {
        .session = session->entry.id, .address = address, .hello = &message->hello};
    struct link_room room;
    struct ip network;
    enum place_type place;

    if (session->stage != SESSION_NEW) {
        session_refuse_with(context, session, message, PROTO_E_STATE, true,
                            "hello was already sent");
        return;
    }
    if (!links_find(context->links, message->hello.room, &room)) {
        refuse_room(context, session, message);
        return;
    }
    session_listen(context, session);
    if (session->stage == SESSION_CLOSING) {
        return;
    }
    network = ip_network(&connection_of(session->wsi)->address);
    session->trusted = room.trusted;
    if (!rates_take(context->service->rates, RATES_JOIN, &network, now)) {
        counter_add(&context->counts.refused[COUNTS_ADDRESS], 1);
        session_close(context, session, END_JOINS);
        return;
    }
    if (!bandwidth_joins(&context->service->bandwidth) &&
        !rates_take(context->service->rates, RATES_CROWDED, &network, now)) {
        counter_add(&context->counts.refused[COUNTS_BANDWIDTH], 1);
        session_close(context, session, END_BANDWIDTH);
        return;
    }
    place = take_place(context, session, &network, message->hello.key[0] != '\0');
    if (place == PLACE_NONE) {
        return;
    }
    connection_settled(context, session->wsi);
    /* The welcome may end another session of this member, so nothing may fail after the join. */
    if (outlet_reserve(&session->outlet) && roster_reserve(&session->entry)) {
        address_of(session->wsi, address);
        request.presenters_only = place == PLACE_PRESENTER;
        session->link = link_join(context->links, &request);
    }
    if (session->link == NULL) {
        session_close(context, session, END_BUSY);
        return;
    }
    outlet_subscribe(&session->outlet, message->hello.topics);
    session->stage = SESSION_JOINING;
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

static void on_message(struct context *context, struct session *session,
                       const struct proto_client_message *message)
{
    if (message->type == PROTO_HELLO) {
        on_hello(context, session, message);
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

void session_ease(struct context *context, struct session *session)
{
    uint8_t level = session->outlet.line.level;

    if (level == session->eased || session->link == NULL || !link_ease(session->link, level)) {
        return;
    }
    counter_set(&context->counts.eased,
                counter_read(&context->counts.eased) + (level > 0) - (session->eased > 0));
    session->eased = level & 15u;
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
    if (!intake_besides(&session->intake, more, session_ms(context))) {
        session_close(context, session, END_BESIDES);
    }
}

void session_pong(struct context *context, struct session *session, const uint8_t *data,
                  size_t size)
{
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
    if (outlet_pong(&session->outlet, number, links_now(context->links))) {
        session_flush(context, session);
    }
    session_ease(context, session);
}
