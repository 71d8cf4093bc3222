/* The messages of flock.v1: numbers, senders, traits, bounds, and structs of messages that are a
 * list of single values.
 * Made from protocol/schema.mjs by `make protocol`: edit that. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */

#define PROTO_MESSAGE_MAX 1024u   /* bytes, from a client */
#define PROTO_STATE_MAX 16384u    /* bytes, from the server, snapshots aside */
#define PROTO_NAME_MAX 64u        /* bytes of UTF-8, without the NUL */
#define PROTO_TITLE_MAX 64u       /* bytes of a room's title */
#define PROTO_VALUE_MAX 64u       /* bytes of a value: in an event, of a control, or a preset's name */
#define PROTO_ROOM_MAX 32u        /* bytes of a room's code as people type it, or of a parameter's name */
#define PROTO_WORD_MAX 16u        /* bytes of a model, boundary, policy, encoding, control or error code */
#define PROTO_TEXT_MAX 160u       /* bytes of a sentence */
#define PROTO_KEY_MAX 64u         /* bytes of a presenter key or a join key */
#define PROTO_TOKEN_SIZE 16u      /* bytes */
#define PROTO_ENCODINGS_MAX 8u    /* in a hello */
#define PROTO_PARAMS_MAX 32u      /* of a model */
#define PROTO_PEOPLE_MAX 128u     /* in a presence */
#define PROTO_AWAY_MAX 16u        /* in a presence */
#define PROTO_CONTROLS_MAX 16u    /* of a room */
#define PROTO_CAPABILITIES_MAX 8u /* in a welcome */
#define PROTO_CHOICES_MAX 32u     /* of a control */
#define PROTO_WALLS_MAX 64u       /* of a room */
#define PROTO_ADD_MAX 10000u      /* boids added by one message */
#define PROTO_RATE_MAX 240u       /* ticks or snapshots a second */
#define PROTO_BOIDS_MAX 1000000u  /* of a flock */
#define PROTO_BOID_SIZE 4u        /* bytes of a boid in a plain snapshot */
#define PROTO_CURSOR_SIZE 8u      /* bytes of a cursor in a snapshot */
#define PROTO_MEASURES 7u         /* numbers in a snapshot */
#define PROTO_PERIOD_MAX 16384u   /* steps after which a torus comes around */
#define PROTO_FLAG_PRESENTER 1u   /* of a person */
#define PROTO_FLAG_ACTIVE 2u      /* of a person: the cursor moved within the room's cursor timeout */
#define PROTO_FLAG_OWNER 32u      /* of a presenter who has shown the room's key */
#define PROTO_FLAG_TEAM 28u       /* of a person: three bits, the team times 4; 0: no team */
#define PROTO_TEAM_SHIFT 2u       /* of the team in a person's flags */
#define PROTO_TEAMS_MAX 4u        /* teams of a room */
#define PROTO_LEADERS_MAX 128u    /* in a leads */
#define PROTO_TOPIC_LEADS 1u      /* the number of the topic leads */
#define PROTO_TOPIC_MARKS 2u      /* the number of the topic marks */
#define PROTO_TOPIC_PENNED 4u     /* the number of the topic penned */
#define PROTO_TOPIC_CLUSTERS 8u   /* the number of the topic clusters */
#define PROTO_TOPIC_THINGS 16u    /* the number of the topic things */
#define PROTO_FOOD_MAX 64u        /* pieces in a things */
#define PROTO_AMOUNT_MAX 1000000u /* units of food */
#define PROTO_HUNTERS_MAX 16u     /* in a things */
#define PROTO_TOPIC_WHY 32u       /* the number of the topic why: the boid that a person has picked */
#define PROTO_TOPIC_SHOWN 64u     /* the number of the topic shown: the boid that a presenter shows */
#define PROTO_TOPIC_PUSHES 128u   /* the number of the topic pushes: vectors of the rules of a parameter that changes */
#define PROTO_MARKS_MAX 200u      /* in a marks */
#define PROTO_PICKS_MAX 32u       /* people of a room who have picked a boid */
#define PROTO_PUSHES_MAX 16u      /* vectors in a why */
#define PROTO_NEAR_MAX 16u        /* neighbours in a why */
#define PROTO_SAMPLE_MAX 24u      /* boids in a pushes */
#define PROTO_RULES_MAX 4u        /* rules in a pushes */
#define PROTO_TOPIC_SWEPT 256u    /* the number of the topic swept */
#define PROTO_SWEEP_STEPS_MAX 64u /* values of a sweep */
#define PROTO_SWEEP_MEASURES 6u   /* measures of a sweep */

/* The senders of messages. */
enum proto_sender {
    PROTO_STRANGER, /* a connection before its hello */
    PROTO_MEMBER,   /* anyone in a room */
    PROTO_DIRECTOR, /* presenters only */
    PROTO_DRAWER,   /* presenters, and viewers while the control `drawing` is `all` */
};

/* The traits of a client's message. */
enum proto_trait {
    PROTO_CHANGES_FLOCK, /* changes the flock, its controls or presets; refused in the past */
    PROTO_IN_HISTORY,    /* the history repeats it, or starts a new part after it */
    PROTO_REPEATABLE,    /* its effect follows from the message and the checkpoint before it */
    PROTO_UNDOABLE,      /* a presenter can undo it (not every control of `set`) */
    PROTO_ANNOUNCED,     /* all members get an event */
    PROTO_NOTED,         /* the audit log has it */
    PROTO_SERIES,        /* several in a row are one change, such as the drag of a slider */
    PROTO_MOVES,         /* moves boids or takes them away, so undo keeps them (`set`: the control says it) */
    PROTO_COUNTED,       /* its values are numbers of boids */
    PROTO_APART,         /* each one is an event of its own, also in quick succession */
    PROTO_MARKED,        /* the timeline of the past has a mark of it */
    PROTO_BARE,          /* its event has no values */
    PROTO_TRAITS,
};

enum proto_role { PROTO_VIEWER, PROTO_PRESENTER };

/* The codes of errors in PROTOCOL.md. */
enum proto_code {
    PROTO_OK,
    PROTO_E_MALFORMED,
    PROTO_E_TYPE,
    PROTO_E_RANGE,
    PROTO_E_STATE,
    PROTO_E_VERSION,
    PROTO_E_ENCODING,
    PROTO_E_ROOM,
    PROTO_E_FULL,
    PROTO_E_FLOOD,
    PROTO_E_ROLE,
    PROTO_E_KEY,
    PROTO_E_REMOVED,
    PROTO_E_JOIN,
    PROTO_E_DOOR,
};
#define PROTO_CODES 15u /* PROTO_OK included */

enum proto_close {
    PROTO_CLOSE_SHUTDOWN = 3000,
    PROTO_CLOSE_FULL = 3001,
    PROTO_CLOSE_STALLED = 3002,
    PROTO_CLOSE_PROTOCOL = 3500,
    PROTO_CLOSE_VERSION = 3501,
    PROTO_CLOSE_ROOM = 3502,
    PROTO_CLOSE_FLOOD = 3503,
    PROTO_CLOSE_REPLACED = 3504,
    PROTO_CLOSE_NO_HELLO = 3505,
    PROTO_CLOSE_ENDED = 3506,
    PROTO_CLOSE_REMOVED = 3507,
    PROTO_CLOSE_KEYS = 3508,
    PROTO_CLOSE_JOIN = 3509,
    PROTO_CLOSE_DOOR = 3510,
};

enum proto_type {
    PROTO_HELLO = 1,
    PROTO_CURSOR = 2,
    PROTO_AWAY = 3,
    PROTO_PING = 4,
    PROTO_NAME = 5,
    PROTO_WANT = 6,
    PROTO_KEY = 7,
    PROTO_SET = 16,
    PROTO_PARAM = 17,
    PROTO_ADD = 18,
    PROTO_REMOVE = 19,
    PROTO_RESET = 20,
    PROTO_STEP = 21,
    PROTO_TITLE = 22,
    PROTO_EXPEL = 23,
    PROTO_APPOINT = 24,
    PROTO_REKEY = 25,
    PROTO_UNDO = 26,
    PROTO_RENAME = 27,
    PROTO_ATTENTION = 28,
    PROTO_SPOTLIGHT = 29,
    PROTO_DOOR = 44,
    PROTO_NAMING = 45,
    PROTO_BESIDE = 46,
    PROTO_PICK = 53,
    PROTO_UNPICK = 54,
    PROTO_SWEEP = 55,
    PROTO_UNSWEEP = 56,
    PROTO_REWIND = 32,
    PROTO_PLAY = 33,
    PROTO_LIVE = 34,
    PROTO_RESUME = 35,
    PROTO_SAVE = 36,
    PROTO_FORGET = 37,
    PROTO_TEAM = 38,
    PROTO_FOOD = 48,
    PROTO_HUNTER = 49,
    PROTO_WALL = 50,
    PROTO_ERASE = 51,
    PROTO_CLEAR = 52,
    PROTO_SKIP = 39,
    PROTO_WELCOME = 64,
    PROTO_ROOM = 65,
    PROTO_PARAMS = 66,
    PROTO_PRESENCE = 67,
    PROTO_SNAPSHOT = 68,
    PROTO_PACKED = 69,
    PROTO_STREAM = 70,
    PROTO_ROLE = 71,
    PROTO_PONG = 72,
    PROTO_DONE = 73,
    PROTO_ERROR = 74,
    PROTO_EVENT = 75,
    PROTO_NEW_KEY = 76,
    PROTO_GOODBYE = 77,
    PROTO_PAST = 78,
    PROTO_SELF = 79,
    PROTO_LEADS = 80,
    PROTO_MARKS = 81,
    PROTO_PENNED = 82,
    PROTO_CLUSTERS = 83,
    PROTO_REACH = 84,
    PROTO_THINGS = 86,
    PROTO_WHY = 88,
    PROTO_PUSHES = 90,
    PROTO_SWEPT = 89,
};

#define PROTO_SERVER_TYPES 64u /* the first number of a server's message; clients' are below */
#define PROTO_TYPES 128u /* all numbers are below */

/* X(number, NAME, name, sender, answered, traits ...): from a client. An answered message may end
 * in a tag, and gets one `done` or `error`; any other gets at most an error. The traits are in the
 * order of enum proto_trait. */
#define PROTO_CLIENT_MESSAGES(X)                                                                              \
    /* flock, history, repeatable, undoable, announced, noted, series, moves, counted, apart, marked, bare */ \
    X(1, HELLO, hello, PROTO_STRANGER, false,           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)                   \
    X(2, CURSOR, cursor, PROTO_MEMBER, false,           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)                   \
    X(3, AWAY, away, PROTO_MEMBER, false,               0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)                   \
    X(4, PING, ping, PROTO_MEMBER, false,               0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)                   \
    X(5, NAME, name, PROTO_MEMBER, true,                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)                   \
    X(6, WANT, want, PROTO_MEMBER, true,                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)                   \
    X(7, KEY, key, PROTO_MEMBER, true,                  0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)                   \
    X(16, SET, set, PROTO_DIRECTOR, true,               1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0)                   \
    X(17, PARAM, param, PROTO_DIRECTOR, true,           1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0)                   \
    X(18, ADD, add, PROTO_DIRECTOR, true,               1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0)                   \
    X(19, REMOVE, remove, PROTO_DIRECTOR, true,         1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0)                   \
    X(20, RESET, reset, PROTO_DIRECTOR, true,           1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1)                   \
    X(21, STEP, step, PROTO_DIRECTOR, true,             1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0)                   \
    X(22, TITLE, title, PROTO_DIRECTOR, true,           0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0)                   \
    X(23, EXPEL, expel, PROTO_DIRECTOR, true,           0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)                   \
    X(24, APPOINT, appoint, PROTO_DIRECTOR, true,       0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)                   \
    X(25, REKEY, rekey, PROTO_DIRECTOR, true,           0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)                   \
    X(26, UNDO, undo, PROTO_DIRECTOR, true,             1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0)                   \
    X(27, RENAME, rename, PROTO_DIRECTOR, true,         0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0)                   \
    X(28, ATTENTION, attention, PROTO_DIRECTOR, true,   0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0)                   \
    X(29, SPOTLIGHT, spotlight, PROTO_DIRECTOR, true,   0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0)                   \
    X(44, DOOR, door, PROTO_DIRECTOR, true,             0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)                   \
    X(45, NAMING, naming, PROTO_DIRECTOR, true,         0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)                   \
    X(46, BESIDE, beside, PROTO_DIRECTOR, true,         0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)                   \
    X(53, PICK, pick, PROTO_MEMBER, true,               0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)                   \
    X(54, UNPICK, unpick, PROTO_MEMBER, true,           0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)                   \
    X(55, SWEEP, sweep, PROTO_DIRECTOR, true,           1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)                   \
    X(56, UNSWEEP, unsweep, PROTO_DIRECTOR, true,       0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)                   \
    X(32, REWIND, rewind, PROTO_DIRECTOR, true,         0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)                   \
    X(33, PLAY, play, PROTO_DIRECTOR, true,             0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)                   \
    X(34, LIVE, live, PROTO_DIRECTOR, true,             0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)                   \
    X(35, RESUME, resume, PROTO_DIRECTOR, true,         0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)                   \
    X(36, SAVE, save, PROTO_DIRECTOR, true,             1, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0)                   \
    X(37, FORGET, forget, PROTO_DIRECTOR, true,         1, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0)                   \
    X(38, TEAM, team, PROTO_MEMBER, true,               0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)                   \
    X(48, FOOD, food, PROTO_DRAWER, true,               1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1)                   \
    X(49, HUNTER, hunter, PROTO_DRAWER, true,           1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1)                   \
    X(50, WALL, wall, PROTO_DRAWER, true,               1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1)                   \
    X(51, ERASE, erase, PROTO_DIRECTOR, true,           1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0)                   \
    X(52, CLEAR, clear, PROTO_DIRECTOR, true,           1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1)                   \
    X(39, SKIP, skip, PROTO_DIRECTOR, true,             1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0)

/* X(number, name): a client's messages that the room handles, in server/room/messages*.c. */
#define PROTO_ROOM_MESSAGES(X) \
    X(2, cursor)               \
    X(3, away)                 \
    X(5, name)                 \
    X(6, want)                 \
    X(7, key)                  \
    X(23, expel)               \
    X(24, appoint)             \
    X(25, rekey)               \
    X(27, rename)              \
    X(28, attention)           \
    X(44, door)                \
    X(45, naming)              \
    X(46, beside)              \
    X(53, pick)                \
    X(54, unpick)              \
    X(55, sweep)               \
    X(56, unsweep)             \
    X(32, rewind)              \
    X(33, play)                \
    X(34, live)                \
    X(35, resume)              \
    X(38, team)

/* X(number, name): a client's messages that the scene handles, in server/scene/apply.c. */
#define PROTO_SCENE_MESSAGES(X) \
    X(16, set)                  \
    X(17, param)                \
    X(18, add)                  \
    X(19, remove)               \
    X(20, reset)                \
    X(21, step)                 \
    X(22, title)                \
    X(26, undo)                 \
    X(29, spotlight)            \
    X(36, save)                 \
    X(37, forget)               \
    X(48, food)                 \
    X(49, hunter)               \
    X(50, wall)                 \
    X(51, erase)                \
    X(52, clear)                \
    X(39, skip)

/* X(name): the messages of a client that have fields, each with a struct of that name. */
#define PROTO_CLIENT_STRUCTS(X) \
    X(hello)                    \
    X(cursor)                   \
    X(ping)                     \
    X(name)                     \
    X(want)                     \
    X(key)                      \
    X(set)                      \
    X(param)                    \
    X(add)                      \
    X(remove)                   \
    X(title)                    \
    X(expel)                    \
    X(appoint)                  \
    X(rename)                   \
    X(attention)                \
    X(spotlight)                \
    X(door)                     \
    X(naming)                   \
    X(beside)                   \
    X(pick)                     \
    X(sweep)                    \
    X(rewind)                   \
    X(play)                     \
    X(save)                     \
    X(forget)                   \
    X(team)                     \
    X(food)                     \
    X(hunter)                   \
    X(wall)                     \
    X(erase)

/* X(number, NAME, name): from a server. */
#define PROTO_SERVER_MESSAGES(X) \
    X(64, WELCOME, welcome)      \
    X(65, ROOM, room)            \
    X(66, PARAMS, params)        \
    X(67, PRESENCE, presence)    \
    X(68, SNAPSHOT, snapshot)    \
    X(69, PACKED, packed)        \
    X(70, STREAM, stream)        \
    X(71, ROLE, role)            \
    X(72, PONG, pong)            \
    X(73, DONE, done)            \
    X(74, ERROR, error)          \
    X(75, EVENT, event)          \
    X(76, NEW_KEY, key)          \
    X(77, GOODBYE, goodbye)      \
    X(78, PAST, past)            \
    X(79, SELF, self)            \
    X(80, LEADS, leads)          \
    X(81, MARKS, marks)          \
    X(82, PENNED, penned)        \
    X(83, CLUSTERS, clusters)    \
    X(84, REACH, reach)          \
    X(86, THINGS, things)        \
    X(88, WHY, why)              \
    X(90, PUSHES, pushes)        \
    X(89, SWEPT, swept)

/* ---- from a client ---- */

struct proto_cursor {
    float x; /* world units */
    float y; /* world units */
};

struct proto_ping {
    uint64_t t;
};

struct proto_name {
    char name[PROTO_NAME_MAX + 1];
};

struct proto_want {
    uint32_t rate;
    uint32_t boids;
    bool has_topics;
    uint32_t topics;
};

struct proto_key {
    char key[PROTO_KEY_MAX + 1];
};

struct proto_set {
    char name[PROTO_WORD_MAX + 1];
    char value[PROTO_VALUE_MAX + 1];
};

struct proto_param {
    char name[PROTO_ROOM_MAX + 1];
    float value;
};

struct proto_add {
    float x; /* world units */
    float y; /* world units */
    uint32_t count;
};

struct proto_remove {
    uint32_t count;
};

struct proto_title {
    char title[PROTO_TITLE_MAX + 1];
};

struct proto_expel {
    uint32_t id;
};

struct proto_appoint {
    uint32_t id;
    enum proto_role role;
};

struct proto_rename {
    uint32_t id;
    char name[PROTO_NAME_MAX + 1];
};

struct proto_attention {
    bool on;
    char text[PROTO_TEXT_MAX + 1]; /* may be "" */
};

struct proto_spotlight {
    uint32_t id;
};

struct proto_door {
    bool open;
};

struct proto_naming {
    bool ask;
};

struct proto_beside {
    char code[PROTO_ROOM_MAX + 1]; /* may be "" */
};

struct proto_pick {
    uint32_t boid;
    bool shown;
};

struct proto_sweep {
    char name[PROTO_ROOM_MAX + 1];
    float from;
    float to;
    uint32_t steps;
    uint32_t warm_up; /* s */
    uint32_t seconds; /* s */
};

struct proto_rewind {
    float back; /* s */
};

struct proto_play {
    float speed;
};

struct proto_save {
    char name[PROTO_VALUE_MAX + 1];
};

struct proto_forget {
    char name[PROTO_VALUE_MAX + 1];
};

struct proto_team {
    uint32_t team;
};

struct proto_food {
    float x; /* world units */
    float y; /* world units */
    uint32_t amount;
};

struct proto_hunter {
    float x; /* world units */
    float y; /* world units */
};

struct proto_wall {
    float x1; /* world units */
    float y1; /* world units */
    float x2; /* world units */
    float y2; /* world units */
};

struct proto_erase {
    float x; /* world units */
    float y; /* world units */
    float within; /* world units */
};

/* ---- from a server ---- */

struct proto_stream {
    float rate;
    uint32_t boids;
    uint32_t stride;
    bool slow;
};

struct proto_pong {
    uint64_t t;
    uint64_t time; /* µs */
};

struct proto_done {
    uint32_t type;
    bool has_tag;
    uint32_t tag;
};

struct proto_error {
    enum proto_code code;
    uint32_t type;
    bool has_tag;
    uint32_t tag;
    char field[PROTO_ROOM_MAX + 1];
    char name[PROTO_ROOM_MAX + 1];
    char message[PROTO_TEXT_MAX + 1];
    bool fatal;
    uint32_t after;
};

struct proto_event {
    uint64_t tick;
    uint32_t by;
    char who[PROTO_NAME_MAX + 1];
    char name[PROTO_WORD_MAX + 1];
    char what[PROTO_ROOM_MAX + 1];
    char from[PROTO_VALUE_MAX + 1];
    char to[PROTO_VALUE_MAX + 1];
};

struct proto_goodbye {
    uint32_t code;
    bool has_after;
    uint32_t after;
};

struct proto_past {
    bool shown;
    float span; /* s */
    float back; /* s */
    float speed;
};

struct proto_self {
    char name[PROTO_NAME_MAX + 1];
    uint32_t flags;
};

struct proto_penned {
    uint32_t inside;
    uint32_t boids;
    uint32_t seconds;
    bool done;
};

struct proto_clusters {
    uint32_t count;
    uint32_t boids;
};

struct proto_reach {
    bool there;
};

/* clang-format on */

#endif
