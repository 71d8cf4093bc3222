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

/* What a client's message does. */
enum proto_trait {
    PROTO_CHANGES_FLOCK, /* changes the flock, its controls or presets; refused in the past */
    PROTO_IN_HISTORY,    /* the history repeats it, or starts a new part after it */
    PROTO_REPEATABLE,    /* its effect follows from the message and the checkpoint before it */
    PROTO_UNDOABLE,      /* a presenter can undo it (not every control of `set`) */
    PROTO_ANNOUNCED,     /* all members get an event */
    PROTO_NOTED,         /* the audit log has it */
    PROTO_SERIES,        /* several in a row are one change, such as the drag of a slider */
    PROTO_TRAITS,
};

/* X(number, NAME, name, sender, answered, traits ...): from a client. An answered message may end
 * in a tag, and gets one `done` or `error`; any other gets at most an error. The traits are in the
 * order of enum proto_trait. */
/* clang-format off */
#define PROTO_CLIENT_MESSAGES(X)                                                                            \
    /*                                    flock, history, repeatable, undoable, announced, noted, series */ \
    X(1, HELLO, hello, PROTO_STRANGER, false,        0, 0, 0, 0, 0, 0, 0)                                   \
    X(2, CURSOR, cursor, PROTO_MEMBER, false,        0, 0, 0, 0, 0, 0, 0)                                   \
    X(3, AWAY, away, PROTO_MEMBER, false,            0, 0, 0, 0, 0, 0, 0)                                   \
    X(4, PING, ping, PROTO_MEMBER, false,            0, 0, 0, 0, 0, 0, 0)                                   \
    X(5, NAME, name, PROTO_MEMBER, true,             0, 0, 0, 0, 0, 0, 0)                                   \
    X(6, WANT, want, PROTO_MEMBER, true,             0, 0, 0, 0, 0, 0, 0)                                   \
    X(7, KEY, key, PROTO_MEMBER, true,               0, 0, 0, 0, 0, 1, 0)                                   \
    X(16, SET, set, PROTO_DIRECTOR, true,            1, 1, 1, 1, 1, 1, 0)                                   \
    X(17, PARAM, param, PROTO_DIRECTOR, true,        1, 1, 1, 1, 1, 1, 1)                                   \
    X(18, ADD, add, PROTO_DIRECTOR, true,            1, 1, 1, 1, 1, 1, 1)                                   \
    X(19, REMOVE, remove, PROTO_DIRECTOR, true,      1, 1, 1, 1, 1, 1, 1)                                   \
    X(20, RESET, reset, PROTO_DIRECTOR, true,        1, 1, 1, 1, 1, 1, 0)                                   \
    X(21, STEP, step, PROTO_DIRECTOR, true,          1, 1, 1, 0, 0, 1, 0)                                   \
    X(22, TITLE, title, PROTO_DIRECTOR, true,        0, 0, 0, 0, 1, 1, 0)                                   \
    X(23, EXPEL, expel, PROTO_DIRECTOR, true,        0, 0, 0, 0, 0, 1, 0)                                   \
    X(24, APPOINT, appoint, PROTO_DIRECTOR, true,    0, 0, 0, 0, 0, 1, 0)                                   \
    X(25, REKEY, rekey, PROTO_DIRECTOR, true,        0, 0, 0, 0, 0, 1, 0)                                   \
    X(26, UNDO, undo, PROTO_DIRECTOR, true,          1, 1, 0, 0, 1, 1, 0)                                   \
    X(27, RENAME, rename, PROTO_DIRECTOR, true,      0, 0, 0, 0, 1, 1, 0)                                   \
    X(28, ATTENTION, attention, PROTO_DIRECTOR, true,0, 0, 0, 0, 1, 1, 0)                                   \
    X(29, SPOTLIGHT, spotlight, PROTO_DIRECTOR, true,0, 1, 0, 0, 1, 1, 0)                                   \
    X(32, REWIND, rewind, PROTO_DIRECTOR, true,      0, 0, 0, 0, 0, 0, 0)                                   \
    X(33, PLAY, play, PROTO_DIRECTOR, true,          0, 0, 0, 0, 0, 0, 0)                                   \
    X(34, LIVE, live, PROTO_DIRECTOR, true,          0, 0, 0, 0, 0, 1, 0)                                   \
    X(35, RESUME, resume, PROTO_DIRECTOR, true,      0, 0, 0, 0, 0, 1, 0)                                   \
    X(36, SAVE, save, PROTO_DIRECTOR, true,          1, 1, 1, 0, 1, 1, 0)                                   \
    X(37, FORGET, forget, PROTO_DIRECTOR, true,      1, 1, 1, 0, 1, 1, 0)
/* clang-format on */

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

/* Returns whether that message of a client has the trait. */
bool proto_has(enum proto_type type, enum proto_trait trait);

#endif
