/* Encodes a decoded message. */
#ifndef TEST_ENCODE_H
#define TEST_ENCODE_H

#include "protocol.h"

/* Returns 0 also for a type that this version does not know. */
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
    case PROTO_STREAM:
        return proto_encode_stream(buffer, capacity, &message->stream);
    case PROTO_ROLE:
        return proto_encode_role(buffer, capacity, message->role);
    case PROTO_PONG:
        return proto_encode_pong(buffer, capacity, &message->pong);
    case PROTO_DONE:
        return proto_encode_done(buffer, capacity, &message->done);
    case PROTO_ERROR:
        return proto_encode_error(buffer, capacity, &message->error);
    case PROTO_EVENT:
        return proto_encode_event(buffer, capacity, &message->event);
    case PROTO_NEW_KEY:
        return proto_encode_new_key(buffer, capacity, &message->new_key);
    case PROTO_GOODBYE:
        return proto_encode_goodbye(buffer, capacity, &message->goodbye);
    case PROTO_PAST:
        return proto_encode_past(buffer, capacity, &message->past, message->then.people,
                                 message->then.count);
    case PROTO_SELF:
        return proto_encode_self(buffer, capacity, &message->self);
    case PROTO_LEADS:
        return proto_encode_leads(buffer, capacity, &message->leads);
    case PROTO_PENNED:
        return proto_encode_penned(buffer, capacity, &message->penned);
    case PROTO_CLUSTERS:
        return proto_encode_clusters(buffer, capacity, &message->clusters);
    case PROTO_REACH:
        return proto_encode_reach(buffer, capacity, &message->reach);
    case PROTO_MARKS:
        return proto_encode_marks(buffer, capacity, &message->marks);
    case PROTO_THINGS:
        return proto_encode_things(buffer, capacity, &message->things);
    case PROTO_WHY:
        return proto_encode_why(buffer, capacity, &message->why);
    case PROTO_PUSHES:
        return proto_encode_pushes(buffer, capacity, &message->pushes);
    case PROTO_SWEPT:
        return proto_encode_swept(buffer, capacity, &message->swept);
    default:
        return 0;
    }
}

#endif
