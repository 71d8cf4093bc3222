/* Why connections and rooms end. One table gives each reason its close code and its text, which
 * clients read in the close frame and administrators in the audit log. Threads and nodes pass the
 * reason itself. Any thread. */
#ifndef ENDS_H
#define ENDS_H

#include "protocol.h"

/* Codes of RFC 6455, for clients that do not speak flock.v1. */
#define ENDS_PROTOCOL_ERROR 1002
#define ENDS_UNACCEPTABLE   1003
#define ENDS_TOO_BIG        1009

/* Reason, close code, text. */
#define ENDS(X)                                                                                    \
    X(END_NONE, 0, "")                                                                             \
    /* the room */                                                                                 \
    X(END_NO_MEMORY, PROTO_CLOSE_FULL, "out of memory")                                            \
    X(END_ROOM_FULL, PROTO_CLOSE_FULL, "the room is full")                                         \
    X(END_NO_ENCODING, PROTO_CLOSE_VERSION, "no known encoding")                                   \
    X(END_JOIN_MISSING, PROTO_CLOSE_JOIN, "the room needs a join key")                             \
    X(END_JOIN_WRONG, PROTO_CLOSE_JOIN, "this is not the room's join key")                         \
    X(END_JOIN_TRIES, PROTO_CLOSE_JOIN, "too many wrong keys were tried")                          \
    X(END_IN_LINE, PROTO_CLOSE_JOIN, "its key waits for its turn") /* the session does not end */  \
    X(END_DOOR, PROTO_CLOSE_DOOR, "the room takes no newcomers now")                               \
    X(END_WRONG_KEYS, PROTO_CLOSE_KEYS, "too many wrong keys")                                     \
    X(END_REMOVED, PROTO_CLOSE_REMOVED, "removed by a presenter")                                  \
    X(END_REPLACED, PROTO_CLOSE_REPLACED, "the same person connected from elsewhere")              \
    X(END_ROOM_GONE, PROTO_CLOSE_ROOM, "the room has ended")                                       \
    /* the hub */                                                                                  \
    X(END_BY_PRESENTER, PROTO_CLOSE_ENDED, "the room's presenter has ended it")                    \
    X(END_IDLE, PROTO_CLOSE_ENDED, "the room had no members for too long")                         \
    X(END_AWAY, PROTO_CLOSE_SHUTDOWN, "the room has moved, and did not come back in time")         \
    X(END_ANSWERS, PROTO_CLOSE_FULL, "too many answers are waiting to be sent")                    \
    X(END_SERVER_FULL, PROTO_CLOSE_FULL, "the server is full")                                     \
    /* the network */                                                                              \
    X(END_STOPPING, PROTO_CLOSE_SHUTDOWN, "the server is shutting down")                           \
    X(END_NO_HELLO, PROTO_CLOSE_NO_HELLO, "no hello in time")                                      \
    X(END_NO_ROOM, PROTO_CLOSE_ROOM, "no such room")                                               \
    X(END_VERSION, PROTO_CLOSE_VERSION, "version not supported")                                   \
    X(END_PROTOCOL, PROTO_CLOSE_PROTOCOL, "the client broke the protocol")                         \
    X(END_STALLED, PROTO_CLOSE_STALLED, "the client read nothing for too long")                    \
    X(END_UNREAD, PROTO_CLOSE_STALLED, "the client does not read what the server sends")           \
    X(END_MESSAGES, PROTO_CLOSE_FLOOD, "too many messages")                                        \
    X(END_BESIDES, PROTO_CLOSE_FLOOD,                                                              \
      "too many bytes outside messages: pings, pongs or fragments")                                \
    /* earlier releases; it keeps the numbers of the reasons below: see cluster/wire.c */          \
    X(END_JOINS, PROTO_CLOSE_FULL, "too many joins from this address; try again in a moment")      \
    X(END_BANDWIDTH, PROTO_CLOSE_FULL,                                                             \
      "the server has reached its bandwidth limit; try again in a moment")                         \
    X(END_BUSY, PROTO_CLOSE_FULL, "the server is too busy for another member")                     \
    X(END_UNANSWERED, PROTO_CLOSE_FULL, "the server is too busy to answer")                        \
    X(END_DISPLACED, PROTO_CLOSE_FULL, "all slots are taken, and another client came")             \
    X(END_NOT_BINARY, ENDS_UNACCEPTABLE, "flock.v1 has binary messages only")                      \
    X(END_TOO_LARGE, ENDS_TOO_BIG, "a message may have at most 1,024 bytes")                       \
    X(END_UNMASKED, ENDS_PROTOCOL_ERROR,                                                           \
      "a frame without a mask, or before the upgrade was answered")                                \
    /* the hub; nodes of earlier releases do not know it: see cluster/wire.c */                    \
    X(END_GAVE_WAY, PROTO_CLOSE_ENDED, "the room was idle, and another one needed its place")

enum end_reason {
#define END_VALUE(reason, code, text) reason,
    ENDS(END_VALUE)
#undef END_VALUE
};

/* Returns the code of the close frame; 0 for END_NONE. */
unsigned end_code(enum end_reason reason);

/* Returns a literal; "" for END_NONE. */
const char *end_text(enum end_reason reason);

#endif
