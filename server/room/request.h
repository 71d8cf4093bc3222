/* A message that the room handles now. For the files of room/ that have the messages' functions. */
#ifndef REQUEST_H
#define REQUEST_H

#include "room/state.h"

struct request {
    struct room *room;
    uint32_t from; /* the sender's slot; PEOPLE_NONE: the HTTP API, which may do as presenters */
    const struct proto_client_message *message;
    uint64_t now, time; /* the server's and the room's */
    struct change *change;
    struct proto_error *error;
};

/* Returns the member who sent the message. Must not be called if the HTTP API sent it. */
static inline const struct person *request_sender(const struct request *request)
{
    return room_person_at(request->room, request->from);
}

/* Does what a message asks for. Returns false, with *error filled and nothing changed, if the
 * message is refused. */
typedef bool handler(const struct request *request);

/* room_on_cursor() and so on: a function for each message that rooms handle. */
#define DECLARE(number, name) handler room_on_##name;
PROTO_ROOM_MESSAGES(DECLARE)
#undef DECLARE

#endif
