/* Encoding whatever was decoded. */
#ifndef TEST_ENCODE_H
#define TEST_ENCODE_H

#include "protocol.h"

static inline size_t encode_client(uint8_t *buffer, size_t capacity,
                                   const struct proto_client_message *message)
{
    switch (message->type) {
    case PROTO_HELLO:
        return proto_encode_hello(buffer, capacity, &message->hello);
    case PROTO_CURSOR:
        return proto_encode_cursor(buffer, capacity, &message->cursor);
    case PROTO_AWAY:
        return proto_encode_away(buffer, capacity);
    case PROTO_PING:
        return proto_encode_ping(buffer, capacity, &message->ping);
    case PROTO_NAME:
        return proto_encode_name(buffer, capacity, &message->name);
    case PROTO_KEY:
        return proto_encode_key(buffer, capacity, &message->key);
    case PROTO_SET:
        return proto_encode_set(buffer, capacity, &message->set);
    case PROTO_PARAM:
        return proto_encode_param(buffer, capacity, &message->param);
    case PROTO_ADD:
        return proto_encode_add(buffer, capacity, &message->add);
    case PROTO_REMOVE:
        return proto_encode_remove(buffer, capacity, &message->remove);
    case PROTO_RESET:
        return proto_encode_reset(buffer, capacity);
    case PROTO_STEP:
        return proto_encode_step(buffer, capacity);
    case PROTO_WANT:
        return proto_encode_want(buffer, capacity, &message->want);
    default:
        return 0;
    }
}

/* 0 as well for a type that this version does not know. */
static inline size_t encode_server(uint8_t *buffer, size_t capacity,
                                   const struct proto_server_message *message)
{
    switch (message->type) {
    case PROTO_WELCOME:
        return proto_encode_welcome(buffer, capacity, &message->welcome);
    case PROTO_ROOM:
        return proto_encode_room(buffer, capacity, &message->room);
    case PROTO_PARAMS:
        return proto_encode_params(buffer, capacity, &message->params);
    case PROTO_PRESENCE:
        return proto_encode_presence(buffer, capacity, &message->presence);
    case PROTO_SNAPSHOT:
    case PROTO_PACKED:
        return proto_encode_snapshot(buffer, capacity, &message->snapshot);
    case PROTO_PONG:
        return proto_encode_pong(buffer, capacity, &message->pong);
    case PROTO_ERROR:
        return proto_encode_error(buffer, capacity, &message->error);
    case PROTO_ROLE:
        return proto_encode_role(buffer, capacity, message->role);
    case PROTO_STREAM:
        return proto_encode_stream(buffer, capacity, &message->stream);
    default:
        return 0;
    }
}

#endif
