/* The flock.v1 wire format: each message of PROTOCOL.md as a C struct, with an encoder and a
 * decoder. The server, flock-term, the tests and the fuzzers share them.
 *
 * Pure functions over the caller's memory: no globals, no sockets. Any thread may call them.
 * Encoders write one MessagePack array into a buffer of a stated capacity and never past it.
 * Decoders are strict and bounded: they trust no length of the input and never allocate more than a
 * small multiple of its size. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "messages.h"

#define PROTO_VERSION     1u
#define PROTO_SUBPROTOCOL "flock.v1"
#define PROTO_PLAIN       "plain" /* the encoding of all servers and clients */

/* Returns the name of a message in PROTOCOL.md, such as "hello"; NULL when no message has that
 * number. Two messages have the name "key": a client's and a server's. */
const char *proto_type_name(unsigned type);

/* Return who may send that message of a client, and whether the server answers it with one `done`
 * or `error`. */
enum proto_sender proto_sender(enum proto_type type);
bool proto_answered(enum proto_type type);

/* Returns whether that message of a client has the trait. */
bool proto_has(enum proto_type type, enum proto_trait trait);

/* Returns the code's name on the wire, such as "range". */
const char *proto_code_name(enum proto_code code);

/* Returns the role's name on the wire: "viewer" or "presenter". */
const char *proto_role_name(enum proto_role role);

struct proto_hello {
    uint32_t version;
    char room[PROTO_ROOM_MAX + 1]; /* as typed: see proto_room_canonical() */
    char name[PROTO_NAME_MAX + 1];
    /* Options; each may be missing. */
    uint32_t encoding_count; /* 1 to PROTO_ENCODINGS_MAX, best first; missing: only plain */
    char encodings[PROTO_ENCODINGS_MAX][PROTO_WORD_MAX + 1];
    uint32_t rate;   /* snapshots per second wanted, 0 to PROTO_RATE_MAX; 0: all */
    uint32_t boids;  /* wanted in each, 0 to PROTO_BOIDS_MAX; 0: all */
    uint32_t topics; /* the sum of the topics subscribed to */
    bool has_token;
    uint8_t token[PROTO_TOKEN_SIZE];
    char key[PROTO_KEY_MAX + 1];  /* "": none */
    char join[PROTO_KEY_MAX + 1]; /* the room's join key; "": none */
};

struct proto_client_message {
    enum proto_type type;
    bool has_tag; /* only answered messages may have a tag */
    uint32_t tag;
    union {
#define MEMBER(name) struct proto_##name name;
        PROTO_CLIENT_STRUCTS(MEMBER)
#undef MEMBER
    };
};

/* Returns the control or parameter that a message names, or "". */
const char *proto_message_name(const struct proto_client_message *message);

struct proto_room_param {
    char name[PROTO_ROOM_MAX + 1];
    char unit[PROTO_ROOM_MAX + 1];
    float min, max, initial, value;
    float base; /* the model's own value; initial may be a preset's */
    char text[PROTO_TEXT_MAX + 1];
};

struct proto_choice {
    char value[PROTO_VALUE_MAX + 1];
    char text[PROTO_TEXT_MAX + 1];
    bool saved; /* by a presenter, in this room */
};

/* A setting of the room that presenters choose from a list. */
struct proto_control {
    char name[PROTO_WORD_MAX + 1];
    char value[PROTO_VALUE_MAX + 1]; /* "": none of the choices is in force */
    char text[PROTO_TEXT_MAX + 1];
    uint32_t choice_count;
    struct proto_choice choices[PROTO_CHOICES_MAX];
};

struct proto_room {
    char code[PROTO_ROOM_MAX + 1];
    char title[PROTO_TITLE_MAX + 1]; /* may be "" */
    uint64_t instance;               /* below 2^53; random at each start of the server */
    char model[PROTO_WORD_MAX + 1];
    char boundary[PROTO_WORD_MAX + 1];
    char update[PROTO_WORD_MAX + 1]; /* the update order */
    float width, height;             /* world units, 16 to 65,536 */
    float quantum;                   /* world units per step of a position, > 0 */
    uint32_t tick_rate, snapshot_rate;
    char policy[PROTO_WORD_MAX + 1];
    char idle[PROTO_WORD_MAX + 1];
    float cursor_timeout;        /* s */
    uint32_t period_x, period_y; /* steps after which a torus comes around; 0, 0: it is none */
    uint32_t param_count;
    struct proto_room_param params[PROTO_PARAMS_MAX];
    uint32_t wall_count;
    struct proto_wall walls[PROTO_WALLS_MAX];
    uint32_t people_max, boids_max;
    bool can_undo;      /* there is a change to undo */
    bool has_attention; /* a presenter asks for attention; the text may be "" */
    char attention[PROTO_TEXT_MAX + 1];
    uint32_t spotlight;              /* the id of the person whose cursor is marked; 0: no person */
    bool store_failing;              /* the server cannot write the room to its store */
    bool door_closed;                /* the room takes no newcomers */
    bool locked;                     /* it has a join key */
    bool unnamed;                    /* clients do not ask for names */
    char beside[PROTO_ROOM_MAX + 1]; /* the code of the room to show beside it; "": none */
    bool recording;                  /* it plays a recording, and has no present yet */
    uint32_t control_count;
    struct proto_control controls[PROTO_CONTROLS_MAX];
    char look[PROTO_WORD_MAX + 1];   /* the boids' shape; "": the client chooses */
    float look_size;                 /* world units, > 0 if there is a look */
    uint32_t click;                  /* boids that a presenter's click adds, or 0 */
    char ground[PROTO_WORD_MAX + 1]; /* the picture behind the boids; "": the client chooses */
    bool has_pen;
    struct proto_wall pen; /* two corners of the pen, in which boids are counted */
};

struct proto_welcome {
    uint32_t version;
    char server[PROTO_ROOM_MAX + 1];
    uint32_t id;
    uint8_t token[PROTO_TOKEN_SIZE];
    char name[PROTO_NAME_MAX + 1];
    uint32_t color; /* 0xRRGGBB */
    enum proto_role role;
    char encoding[PROTO_WORD_MAX + 1];
    struct proto_stream stream; /* the stream of snapshots that follows; never slow */
    uint64_t time;              /* µs */
    uint32_t capability_count;
    char capabilities[PROTO_CAPABILITIES_MAX][PROTO_WORD_MAX + 1];
    struct proto_room room;
};

struct proto_params {
    uint32_t count;
    float values[PROTO_PARAMS_MAX];
};

struct proto_person {
    uint32_t id;
    bool flags_only; /* name and color are unchanged, and not sent */
    char name[PROTO_NAME_MAX + 1];
    uint32_t color;
    uint32_t flags;
};

/* Changes to the list of people of sequence `since`; 0: the whole list. */
struct proto_presence {
    uint32_t since, sequence;
    uint32_t count; /* of new and changed people */
    struct proto_person people[PROTO_PEOPLE_MAX];
    uint32_t left_count;
    uint32_t left[PROTO_PEOPLE_MAX]; /* ids to remove from the list */
    /* Presenters who have left and may come back, without flags. !has_away: unchanged. */
    bool has_away;
    uint32_t away_count;
    struct proto_person away[PROTO_AWAY_MAX];
};

/* Measures of the whole flock. */
struct proto_measures {
    float polarization;           /* 0 to 1: length of the mean heading */
    float milling;                /* 0 to 1: how much the flock turns about its centroid */
    float centroid_x, centroid_y; /* world units */
    float gyration;               /* world units: root mean square distance from the centroid */
    float speed;                  /* world units a tick, mean */
    float nearest;                /* world units: mean distance to the nearest other, sampled */
};

/* boids and cursors are the message's bytes: see proto_put_position(), proto_put_cursor() and, for
 * packed boids, packed_decode(). A decoded snapshot points into its message. */
struct proto_snapshot {
    uint32_t epoch;
    uint64_t tick;
    uint64_t time; /* µs */
    uint32_t people;
    bool has_target;
    float target_x, target_y; /* world units */
    bool packed;              /* boids holds packed_size bytes, and boid_count is not used */
    uint32_t boid_count;      /* boids holds 4 bytes for each */
    size_t packed_size;
    const uint8_t *boids;
    uint32_t cursor_count; /* cursors holds 8 bytes for each */
    const uint8_t *cursors;
    uint32_t flock; /* boids of the room; `boids` may hold a part of them */
    bool has_measures;
    struct proto_measures measures;
};

/* A leader: a person, or a team of the policy `teams`. */
struct proto_lead {
    uint32_t who; /* the person's id, or the team, 1 to PROTO_TEAMS_MAX */
    float x, y;   /* world units */
    uint32_t boids, people;
};

/* Of the policy `relay`: the id of the person who leads, the seconds left, and the id of the next
 * person. An id is 0 without such a person. */
struct proto_turn {
    uint32_t id, seconds, next;
};

struct proto_leads {
    uint32_t count;
    struct proto_lead leaders[PROTO_LEADERS_MAX];
    bool has_turn;
    struct proto_turn turn;
};

/* Changes of the past: the events, and how long (s) before its end. */
struct proto_mark {
    float back;
    struct proto_event event; /* without its tick */
};

struct proto_marks {
    uint32_t count;
    struct proto_mark marks[PROTO_MARKS_MAX]; /* in ascending order of time */
};

/* Food with the units that are left, and hunters. */
struct proto_things {
    uint32_t food_count, hunter_count;
    struct proto_food food[PROTO_FOOD_MAX];
    struct proto_hunter hunters[PROTO_HUNTERS_MAX];
};

/* A rule's vector, units a tick: how it changes the boid's velocity. */
struct proto_push {
    char name[PROTO_WORD_MAX + 1];
    float x, y;
};

/* A neighbour; its displacement from the boid, units. */
struct proto_near {
    uint32_t number;
    float x, y;
    bool close;
};

/* Where a boid is, how it moves, and how the tick lets it move. */
struct proto_motion {
    float x, y, vx, vy, next_x, next_y;
};

/* Radii in units and full angles in degrees. */
struct proto_zones {
    float view, view_angle, close, close_angle;
};

/* Why a boid turns in the next tick. */
struct proto_why {
    bool has_boid; /* false: no boid is shown */
    uint32_t boid;
    bool shown;  /* by a presenter, … */
    uint32_t by; /* … of that id */
    uint64_t tick;
    bool there; /* false: the flock has no such boid */
    struct proto_motion motion;
    struct proto_zones zones;
    uint32_t push_count;
    struct proto_push pushes[PROTO_PUSHES_MAX]; /* they add up to the change of velocity */
    uint32_t near_count;
    struct proto_near near[PROTO_NEAR_MAX]; /* the nearest first */
    uint32_t seen, crowding;
};

/* A boid of a sample, and the vector of each rule. */
struct proto_pushed {
    uint32_t number;
    float x, y;
    struct proto_vector {
        float x, y;
    } pushes[PROTO_RULES_MAX];
};

/* The vectors of the rules of a parameter that changes, for a sample of boids. */
struct proto_pushes {
    uint32_t rule_count; /* 0: none changes */
    char rules[PROTO_RULES_MAX][PROTO_WORD_MAX + 1];
    uint64_t tick;
    uint32_t count;
    struct proto_pushed boids[PROTO_SAMPLE_MAX];
};

/* The samples at one value of a sweep: the mean of each measure, and the standard error of that. */
struct proto_swept_point {
    float value;
    uint32_t samples;
    float means[PROTO_SWEEP_MEASURES], errors[PROTO_SWEEP_MEASURES];
};

struct proto_swept {
    char state[PROTO_WORD_MAX + 1];
    uint32_t by;
    char who[PROTO_NAME_MAX + 1];
    char name[PROTO_ROOM_MAX + 1]; /* of the parameter */
    float from, to;
    uint32_t steps, warm_up, seconds;
    uint32_t count;
    struct proto_swept_point points[PROTO_SWEEP_STEPS_MAX];
};

/* A past, with the people whose cursors may be in it: id, name ("": unknown), color, and their
 * teams at that time as flags. */
struct proto_past_people {
    struct proto_past past;
    uint32_t count;
    struct proto_person people[PROTO_PEOPLE_MAX];
};

struct proto_server_message {
    uint32_t type; /* of enum proto_type, or unknown to this version: ignore it */
    union {
        struct proto_welcome welcome;
        struct proto_room room;
        struct proto_params params;
        struct proto_presence presence;
        struct proto_snapshot snapshot;
        struct proto_pong pong;
        struct proto_error error;
        enum proto_role role;
        struct proto_stream stream;
        struct proto_done done;
        struct proto_event event;
        struct proto_key new_key;
        struct proto_goodbye goodbye;
        struct proto_past past; /* the first member of `then` */
        struct proto_past_people then;
        struct proto_self self;
        struct proto_leads leads;
        struct proto_marks marks;
        struct proto_penned penned;
        struct proto_reach reach;
        struct proto_clusters clusters;
        struct proto_things things;
        struct proto_why why;
        struct proto_pushes pushes;
        struct proto_swept swept;
    };
};

/* Decoding needs scratch memory for the parsed MessagePack; a decoder keeps it between messages.
 * One thread at a time. proto_decoder_create() returns NULL when memory runs out; destroy takes
 * NULL. */
struct proto_decoder;
struct proto_decoder *proto_decoder_create(void);
void proto_decoder_destroy(struct proto_decoder *decoder);

/* Decodes a client's message of size bytes, at most PROTO_MESSAGE_MAX. Returns PROTO_OK and fills
 * *message. Or returns the code and fills *error: the field at fault, its value and what was
 * expected, and type, tag and name if they can be read. error->fatal: PROTOCOL.md ends the
 * connection now. Checks all rules that do not depend on the room. Allocates nothing. */
enum proto_code proto_decode_client(struct proto_decoder *decoder, const uint8_t *data, size_t size,
                                    struct proto_client_message *message,
                                    struct proto_error *error);

/* Decodes a server's message. Skips unknown types, keys and further elements, and parameters,
 * people, boids and cursors beyond the limits of messages.h. Cuts text that is too long between two
 * characters; control characters become '?'. An unknown error code becomes PROTO_OK. Fills only
 * message->type and the struct of that type. Returns PROTO_OK; or PROTO_E_MALFORMED, PROTO_E_RANGE
 * or, without memory, PROTO_E_FULL, and fills *error. */
enum proto_code proto_decode_server(struct proto_decoder *decoder, const uint8_t *data, size_t size,
                                    struct proto_server_message *message,
                                    struct proto_error *error);

/* Each encoder writes its message into buffer (capacity bytes) and returns the message's bytes. It
 * returns 0 when the message does not fit, a count is beyond its limit, or an optional field of a
 * client's message has no tag after it. These capacities always
 * fit: PROTO_MESSAGE_MAX for a client's message, proto_snapshot_bound() for a snapshot,
 * PROTO_STATE_MAX for all others. */
size_t proto_encode_client(uint8_t *buffer, size_t capacity,
                           const struct proto_client_message *message);
size_t proto_encode_welcome(uint8_t *buffer, size_t capacity, const struct proto_welcome *welcome);
size_t proto_encode_room(uint8_t *buffer, size_t capacity, const struct proto_room *room);
size_t proto_encode_params(uint8_t *buffer, size_t capacity, const struct proto_params *params);
size_t proto_encode_presence(uint8_t *buffer, size_t capacity,
                             const struct proto_presence *presence);
size_t proto_encode_snapshot(uint8_t *buffer, size_t capacity,
                             const struct proto_snapshot *snapshot);
size_t proto_encode_stream(uint8_t *buffer, size_t capacity, const struct proto_stream *stream);
size_t proto_encode_role(uint8_t *buffer, size_t capacity, enum proto_role role);
size_t proto_encode_pong(uint8_t *buffer, size_t capacity, const struct proto_pong *pong);
size_t proto_encode_done(uint8_t *buffer, size_t capacity, const struct proto_done *done);
size_t proto_encode_error(uint8_t *buffer, size_t capacity, const struct proto_error *error);
size_t proto_encode_event(uint8_t *buffer, size_t capacity, const struct proto_event *event);
size_t proto_encode_new_key(uint8_t *buffer, size_t capacity, const struct proto_key *key);
size_t proto_encode_goodbye(uint8_t *buffer, size_t capacity, const struct proto_goodbye *goodbye);
size_t proto_encode_past(uint8_t *buffer, size_t capacity, const struct proto_past *past,
                         const struct proto_person *people, uint32_t count);
size_t proto_encode_self(uint8_t *buffer, size_t capacity, const struct proto_self *self);
size_t proto_encode_leads(uint8_t *buffer, size_t capacity, const struct proto_leads *leads);
size_t proto_encode_penned(uint8_t *buffer, size_t capacity, const struct proto_penned *penned);
size_t proto_encode_reach(uint8_t *buffer, size_t capacity, const struct proto_reach *reach);
size_t proto_encode_clusters(uint8_t *buffer, size_t capacity,
                             const struct proto_clusters *clusters);
size_t proto_encode_things(uint8_t *buffer, size_t capacity, const struct proto_things *things);
size_t proto_encode_marks(uint8_t *buffer, size_t capacity, const struct proto_marks *marks);
size_t proto_encode_why(uint8_t *buffer, size_t capacity, const struct proto_why *why);
size_t proto_encode_pushes(uint8_t *buffer, size_t capacity, const struct proto_pushes *pushes);
size_t proto_encode_swept(uint8_t *buffer, size_t capacity, const struct proto_swept *swept);

/* Returns the most bytes of a snapshot with boids_size bytes of boids and cursor_count cursors. */
size_t proto_snapshot_bound(size_t boids_size, uint32_t cursor_count);

/* Returns whether text may be a person's name: valid UTF-8 of at most PROTO_NAME_MAX bytes, without
 * control, line-separating or direction-changing characters. "" is valid. */
bool proto_name_valid(const char *text);

/* Returns whether text may be a room's title: like a name, of at most PROTO_TITLE_MAX bytes. */
bool proto_title_valid(const char *text);

/* Returns whether text may be the sentence of a call for attention: like a name, of at most
 * PROTO_TEXT_MAX bytes. */
bool proto_sentence_valid(const char *text);

/* Returns whether text may be typed as a room's code: 1 to PROTO_ROOM_MAX letters, digits, spaces
 * and hyphens. */
bool proto_room_valid(const char *text);

/* Stores the code that a typed text means: in upper case, without spaces and hyphens; or "lobby".
 */
void proto_room_canonical(const char *text, char code[PROTO_ROOM_MAX + 1]);

/* Returns the world units per step of a position, in a world with sides of 16 to 65,536: 1/8,
 * doubled until 65,536 steps span four times the longer side, or halved until that side has 2,048
 * steps (PROTOCOL.md, Positions). */
float proto_quantum(float width, float height);

/* Converts a coordinate (world units) to steps from the middle of its side: rounds to the nearest,
 * saturates at -32,768 and 32,767; NaN becomes -32,768. And back. */
int16_t proto_quantise(float value, float side, float quantum);
float proto_dequantise(int16_t step, float side, float quantum);

/* Returns a direction in 256ths of a turn, from +x toward +y. The error is below 1; (0, 0) gives 0.
 */
uint8_t proto_heading(float x, float y);

/* Write and read a position's 4 bytes, little-endian: x, then y. */
void proto_put_position(uint8_t bytes[4], int16_t x, int16_t y);
void proto_get_position(const uint8_t bytes[4], int16_t *x, int16_t *y);

/* Write and read a cursor's 8 bytes: its owner's id, then its position. */
void proto_put_cursor(uint8_t bytes[8], uint32_t id, int16_t x, int16_t y);
void proto_get_cursor(const uint8_t bytes[8], uint32_t *id, int16_t *x, int16_t *y);

#endif
