/* The flock.v1 wire format: every message of PROTOCOL.md as a C struct, encoded and decoded in both
 * directions, so that the server, flock-term, the tests and the fuzzers share one codec.
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
#define PROTO_PLAIN       "plain" /* the encoding that everyone has */

/* The name of a message as PROTOCOL.md has it, such as "hello"; NULL when no message has that
 * number. Two messages have the name "key": a client's and a server's. */
const char *proto_type_name(unsigned type);

/* Who may send that message of a client, and whether the server answers it with one `done` or
 * `error`. */
enum proto_sender proto_sender(enum proto_type type);
bool proto_answered(enum proto_type type);

/* Returns whether that message of a client has the trait. */
bool proto_has(enum proto_type type, enum proto_trait trait);

/* The code's name on the wire, such as "range". */
const char *proto_code_name(enum proto_code code);

/* The role's name on the wire: "viewer" or "presenter". */
const char *proto_role_name(enum proto_role role);

struct proto_hello {
    uint32_t version;
    char room[PROTO_ROOM_MAX + 1]; /* as it came: room codes are not told from others here */
    char name[PROTO_NAME_MAX + 1];
    /* Its options; each may be missing. */
    uint32_t encoding_count; /* 1 to PROTO_ENCODINGS_MAX, the best first; missing: plain alone */
    char encodings[PROTO_ENCODINGS_MAX][PROTO_WORD_MAX + 1];
    uint32_t rate;  /* snapshots per second wanted, 0 to PROTO_RATE_MAX; 0: all */
    uint32_t boids; /* wanted in each, 0 to PROTO_BOIDS_MAX; 0: all */
    bool has_token;
    uint8_t token[PROTO_TOKEN_SIZE];
    char key[PROTO_KEY_MAX + 1];  /* "": none */
    char join[PROTO_KEY_MAX + 1]; /* the room's join key; "": none */
};

struct proto_client_message {
    enum proto_type type;
    bool has_tag; /* of an answered one */
    uint32_t tag;
    union {
#define MEMBER(name) struct proto_##name name;
        PROTO_CLIENT_STRUCTS(MEMBER)
#undef MEMBER
    };
};

/* The control or parameter that a message names, as errors about it do; or "". */
const char *proto_message_name(const struct proto_client_message *message);

struct proto_room_param {
    char name[PROTO_ROOM_MAX + 1];
    char unit[PROTO_ROOM_MAX + 1];
    float min, max, initial, value;
    char text[PROTO_TEXT_MAX + 1];
};

struct proto_choice {
    char value[PROTO_VALUE_MAX + 1];
    char text[PROTO_TEXT_MAX + 1];
    bool saved; /* a presenter of the room saved it */
};

/* Something of the room that a presenter chooses from a list. */
struct proto_control {
    char name[PROTO_WORD_MAX + 1];
    char value[PROTO_VALUE_MAX + 1]; /* "" when none of the choices is in force */
    char text[PROTO_TEXT_MAX + 1];
    uint32_t choice_count;
    struct proto_choice choices[PROTO_CHOICES_MAX];
};

struct proto_wall {
    float x1, y1, x2, y2; /* world units */
};

struct proto_room {
    char code[PROTO_ROOM_MAX + 1];
    char title[PROTO_TITLE_MAX + 1]; /* may be "" */
    uint64_t instance;               /* below 2^53: of this run of the server */
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
    uint32_t people_max, boids_max; /* that the room can have */
    bool can_undo;                  /* there is something to undo */
    bool has_attention;             /* a presenter asks for attention, with that text, maybe "" */
    char attention[PROTO_TEXT_MAX + 1];
    uint32_t spotlight; /* the id of the person whose cursor is marked; 0: nobody's */
    bool store_failing; /* the server cannot write the room to its store just now */
    uint32_t control_count;
    struct proto_control controls[PROTO_CONTROLS_MAX];
    char look[PROTO_WORD_MAX + 1]; /* the shape that boids are to be drawn in; "": any */
    float look_size;               /* world units, > 0 if there is a look */
    uint32_t click;                /* boids that a presenter's click adds; 0: it adds none */
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
    struct proto_stream stream; /* what will follow; never slow */
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
    bool flags_only; /* name and colour are as they were */
    char name[PROTO_NAME_MAX + 1];
    uint32_t color;
    uint32_t flags;
};

/* Who is shown, as changes to the list of sequence `since`; 0: the whole list. */
struct proto_presence {
    uint32_t since, sequence;
    uint32_t count; /* new, or changed */
    struct proto_person people[PROTO_PEOPLE_MAX];
    uint32_t left_count;
    uint32_t left[PROTO_PEOPLE_MAX]; /* ids of those who are shown no more */
    /* Presenters who have left and may come back, without flags; else: as before. */
    bool has_away;
    uint32_t away_count;
    struct proto_person away[PROTO_AWAY_MAX];
};

/* What a flock does as a whole. */
struct proto_measures {
    float polarization;           /* 0 to 1: length of the mean heading */
    float milling;                /* 0 to 1: how much the flock turns about its centroid */
    float centroid_x, centroid_y; /* world units */
    float gyration;               /* world units: root mean square distance from the centroid */
    float speed;                  /* world units a tick, mean */
    float nearest;                /* world units: mean distance to the nearest other, sampled */
};

/* boids and cursors are the bytes as they travel (proto_put_position(), proto_get_position(), and
 * of a packed snapshot packed_decode()); a decoded snapshot points into the message that it was
 * decoded from. */
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
    uint32_t flock; /* boids that the room has, of which these may be some */
    bool has_measures;
    struct proto_measures measures;
};

/* The same, with those whose cursors may be in it: of each id, name ("": it is not known) and
 * color.
 */
struct proto_past_people {
    struct proto_past past;
    uint32_t count;
    struct proto_person people[PROTO_PEOPLE_MAX];
};

struct proto_server_message {
    uint32_t type; /* one of enum proto_type, or one that this version does not know: ignore it */
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
        struct proto_past past; /* as in `then` */
        struct proto_past_people then;
        struct proto_self self;
    };
};

/* Decoding needs scratch memory for the parsed MessagePack; a decoder keeps it between messages.
 * One thread at a time. proto_decoder_create() returns NULL when memory runs out; destroy takes
 * NULL. */
struct proto_decoder;
struct proto_decoder *proto_decoder_create(void);
void proto_decoder_destroy(struct proto_decoder *decoder);

/* Decodes what a client sent (size bytes, of which no more than PROTO_MESSAGE_MAX are accepted).
 * Returns PROTO_OK and fills *message, or the code, and fills *error: with the field at fault, what
 * was sent and what was expected, and the type, tag and name as far as they can be told;
 * error->fatal says whether PROTOCOL.md lets the connection go on. Checks every rule that does not
 * depend on the room: of a cursor, that it is finite. Allocates nothing. */
enum proto_code proto_decode_client(struct proto_decoder *decoder, const uint8_t *data, size_t size,
                                    struct proto_client_message *message,
                                    struct proto_error *error);

/* Decodes what a server sent. Unknown types, keys and further elements are skipped, as PROTOCOL.md
 * asks of clients, and so are parameters, people, boids and cursors beyond the limits above. Text
 * is cut to its place between two characters, and control characters in it become '?'. Of *message,
 * only the type and that type's struct are filled. Returns PROTO_OK, or PROTO_E_MALFORMED,
 * PROTO_E_RANGE or, when memory runs out, PROTO_E_FULL with *error filled. */
enum proto_code proto_decode_server(struct proto_decoder *decoder, const uint8_t *data, size_t size,
                                    struct proto_server_message *message,
                                    struct proto_error *error);

/* Each encoder writes its message into buffer (capacity bytes) and returns its size in bytes, or 0
 * when it does not fit or a count is beyond its limit. PROTO_MESSAGE_MAX is enough for any message
 * of a client, PROTO_STATE_MAX for any other of the server, proto_snapshot_bound() for a snapshot.
 */
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

/* The most bytes that a snapshot with so many bytes of boids and so many cursors takes. */
size_t proto_snapshot_bound(size_t boids_size, uint32_t cursor_count);

/* Whether text (NUL-terminated) may be a person's name: valid UTF-8 of at most PROTO_NAME_MAX
 * bytes, without control, line-separating or direction-changing characters. The empty name is
 * valid. */
bool proto_name_valid(const char *text);

/* Whether text may be a room's title: as a person's name, of at most PROTO_TITLE_MAX bytes. */
bool proto_title_valid(const char *text);

/* Whether text may be the sentence of a call for attention: the same, of at most PROTO_TEXT_MAX
 * bytes. */
bool proto_sentence_valid(const char *text);

/* Whether text may be typed as a room's code: 1 to PROTO_ROOM_MAX letters, digits, spaces and
 * hyphens. */
bool proto_room_valid(const char *text);

/* The code that such a text stands for: without spaces and hyphens, in upper case; or "lobby". */
void proto_room_canonical(const char *text, char code[PROTO_ROOM_MAX + 1]);

/* World units per step of a position in a world of that size, with sides of 16 to 65,536: 1/8, as
 * often doubled as it takes for 65,536 steps to span four times the longer side, or halved for that
 * side to have 2,048 of them (PROTOCOL.md, Positions). */
float proto_quantum(float width, float height);

/* A coordinate (world units) as a step from the middle of a side of that length: rounded to the
 * nearest, saturating at -32,768 and 32,767; and back. NaN becomes -32,768. */
int16_t proto_quantise(float value, float side, float quantum);
float proto_dequantise(int16_t step, float side, float quantum);

/* A direction in 256ths of a turn, from +x toward +y, to less than one of them; 0 for 0, 0. */
uint8_t proto_heading(float x, float y);

/* A position's 4 bytes, little-endian: x, then y. */
void proto_put_position(uint8_t bytes[4], int16_t x, int16_t y);
void proto_get_position(const uint8_t bytes[4], int16_t *x, int16_t *y);

/* A cursor's 8 bytes: its owner's id, then its position. */
void proto_put_cursor(uint8_t bytes[8], uint32_t id, int16_t x, int16_t y);
void proto_get_cursor(const uint8_t bytes[8], uint32_t *id, int16_t *x, int16_t *y);

#endif
