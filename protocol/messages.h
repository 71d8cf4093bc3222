/* The messages of flock.v1: the one list from which decoders, encoders, the room's handlers and the
 * errors' texts are all made. A new message is one row here, its struct in protocol.h, its fields
 * in messages.c, and the function that does what it asks for. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdbool.h>

/* Who may send a message. */
enum proto_sender {
    PROTO_STRANGER, /* who has not said hello yet */
    PROTO_MEMBER,   /* anyone in a room */
    PROTO_DIRECTOR, /* presenters only */
};

/* X(number, NAME, name, sender, answered): from a client. An answered message may end in a tag, and
 * gets one `done` or `error`; any other gets at most an error. */
#define PROTO_CLIENT_MESSAGES(X)                                                                   \
    X(1, HELLO, hello, PROTO_STRANGER, false)                                                      \
    X(2, CURSOR, cursor, PROTO_MEMBER, false)                                                      \
    X(3, AWAY, away, PROTO_MEMBER, false)                                                          \
    X(4, PING, ping, PROTO_MEMBER, false)                                                          \
    X(5, NAME, name, PROTO_MEMBER, true)                                                           \
    X(6, WANT, want, PROTO_MEMBER, true)                                                           \
    X(7, KEY, key, PROTO_MEMBER, true)                                                             \
    X(16, SET, set, PROTO_DIRECTOR, true)                                                          \
    X(17, PARAM, param, PROTO_DIRECTOR, true)                                                      \
    X(18, ADD, add, PROTO_DIRECTOR, true)                                                          \
    X(19, REMOVE, remove, PROTO_DIRECTOR, true)                                                    \
    X(20, RESET, reset, PROTO_DIRECTOR, true)                                                      \
    X(21, STEP, step, PROTO_DIRECTOR, true)                                                        \
    X(22, TITLE, title, PROTO_DIRECTOR, true)                                                      \
    X(23, EXPEL, expel, PROTO_DIRECTOR, true)                                                      \
    X(24, APPOINT, appoint, PROTO_DIRECTOR, true)                                                  \
    X(25, REKEY, rekey, PROTO_DIRECTOR, true)                                                      \
    X(26, UNDO, undo, PROTO_DIRECTOR, true)                                                        \
    X(27, RENAME, rename, PROTO_DIRECTOR, true)                                                    \
    X(28, ATTENTION, attention, PROTO_DIRECTOR, true)                                              \
    X(29, SPOTLIGHT, spotlight, PROTO_DIRECTOR, true)                                              \
    X(32, REWIND, rewind, PROTO_DIRECTOR, true)                                                    \
    X(33, PLAY, play, PROTO_DIRECTOR, true)                                                        \
    X(34, LIVE, live, PROTO_DIRECTOR, true)                                                        \
    X(35, RESUME, resume, PROTO_DIRECTOR, true)                                                    \
    X(36, SAVE, save, PROTO_DIRECTOR, true)                                                        \
    X(37, FORGET, forget, PROTO_DIRECTOR, true)

/* X(number, NAME, name): from a server. */
#define PROTO_SERVER_MESSAGES(X)                                                                   \
    X(64, WELCOME, welcome)                                                                        \
    X(65, ROOM, room)                                                                              \
    X(66, PARAMS, params)                                                                          \
    X(67, PRESENCE, presence)                                                                      \
    X(68, SNAPSHOT, snapshot)                                                                      \
    X(69, PACKED, packed)                                                                          \
    X(70, STREAM, stream)                                                                          \
    X(71, ROLE, role)                                                                              \
    X(72, PONG, pong)                                                                              \
    X(73, DONE, done)                                                                              \
    X(74, ERROR, error)                                                                            \
    X(75, EVENT, event)                                                                            \
    X(76, NEW_KEY, key)                                                                            \
    X(77, GOODBYE, goodbye)                                                                        \
    X(78, PAST, past)                                                                              \
    X(79, SELF, self)

#define PROTO_TYPE_ROW(number, NAME, ...) PROTO_##NAME = (number),
enum proto_type { PROTO_CLIENT_MESSAGES(PROTO_TYPE_ROW) PROTO_SERVER_MESSAGES(PROTO_TYPE_ROW) };
#undef PROTO_TYPE_ROW

#define PROTO_SERVER_TYPES 64u  /* the first number of a server's; those below are clients' */
#define PROTO_TYPES        128u /* all numbers are below */

/* The name of a message as PROTOCOL.md has it, such as "hello"; NULL when no message has that
 * number. Two have the name "key": a client's and a server's. */
const char *proto_type_name(unsigned type);

/* Who may send that message of a client's, and whether it is answered with one `done` or `error`.
 */
enum proto_sender proto_sender(enum proto_type type);
bool proto_answered(enum proto_type type);

#endif
