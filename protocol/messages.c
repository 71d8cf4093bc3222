/* What every message consists of: see form.h. */
#include "form.h"

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])

/* A field of struct proto_<of>. */
#define FIELD(of, member, what, least, most)                                                       \
    {                                                                                              \
        .name = #member, .kind = (what), .offset = offsetof(struct proto_##of, member),            \
        .min = (least), .max = (most)                                                              \
    }
#define UINT32(of, member, least, most) FIELD(of, member, FIELD_UINT32, least, most)
#define UINT64(of, member, most)        FIELD(of, member, FIELD_UINT64, 0, most)
#define NUMBER(of, member)              FIELD(of, member, FIELD_NUMBER, 0, 0)
#define POSITIVE(of, member)            FIELD(of, member, FIELD_POSITIVE, 0, 0)
#define BOOL(of, member)                FIELD(of, member, FIELD_BOOL, 0, 0)
#define ROLE(of, member)                FIELD(of, member, FIELD_ROLE, 0, 0)
#define TYPE(of, member)                FIELD(of, member, FIELD_TYPE, 0, 0)
/* A str of `least` bytes or more, of at most as many as its array takes. */
#define STR(of, member, what, least)                                                               \
    FIELD(of, member, what, least, sizeof((struct proto_##of *)0)->member - 1)
#define TEXT(of, member) STR(of, member, FIELD_TEXT, 0)
#define UINT32_NIL(of, member)                                                                     \
    {                                                                                              \
        .name = #member, .kind = FIELD_UINT32_NIL, .offset = offsetof(struct proto_##of, member),  \
        .has = offsetof(struct proto_##of, has_##member), .max = UINT32_MAX                        \
    }

#define SAFE_MAX ((UINT64_C(1) << 53) - 1) /* what JavaScript's numbers hold exactly */

/* ---- from a client ---- */

static const struct field cursor_fields[] = {NUMBER(cursor, x), NUMBER(cursor, y)};
static const struct field ping_fields[] = {UINT64(ping, t, UINT64_MAX)};
static const struct field name_fields[] = {STR(name, name, FIELD_LINE, 1)};
static const struct field want_fields[] = {
    UINT32(want, rate, 0, PROTO_RATE_MAX),
    UINT32(want, boids, 0, PROTO_BOIDS_MAX),
};
static const struct field key_fields[] = {STR(key, key, FIELD_WORD, 1)};
static const struct field set_fields[] = {
    STR(set, name, FIELD_WORD, 1),
    STR(set, value, FIELD_LINE, 1),
};
static const struct field param_fields[] = {STR(param, name, FIELD_IDENTIFIER, 1),
                                            NUMBER(param, value)};
static const struct field add_fields[] = {
    NUMBER(add, x),
    NUMBER(add, y),
    UINT32(add, count, 1, PROTO_ADD_MAX),
};
static const struct field remove_fields[] = {UINT32(remove, count, 1, PROTO_BOIDS_MAX)};
static const struct field title_fields[] = {STR(title, title, FIELD_LINE, 1)};
static const struct field expel_fields[] = {UINT32(expel, id, 1, UINT32_MAX)};
static const struct field appoint_fields[] = {UINT32(appoint, id, 1, UINT32_MAX),
                                              ROLE(appoint, role)};
static const struct field rename_fields[] = {UINT32(rename, id, 1, UINT32_MAX),
                                             STR(rename, name, FIELD_LINE, 1)};
static const struct field attention_fields[] = {BOOL(attention, on),
                                                STR(attention, text, FIELD_LINE, 0)};
static const struct field spotlight_fields[] = {UINT32(spotlight, id, 0, UINT32_MAX)};

static const struct field rewind_fields[] = {NUMBER(rewind, back)};
static const struct field play_fields[] = {NUMBER(play, speed)};
static const struct field save_fields[] = {STR(save, name, FIELD_LINE, 1)};
static const struct field forget_fields[] = {STR(forget, name, FIELD_LINE, 1)};

/* ---- from a server ---- */

static const struct field stream_fields[] = {
    POSITIVE(stream, rate),
    UINT32(stream, boids, 0, UINT32_MAX),
    UINT32(stream, stride, 1, UINT32_MAX),
    BOOL(stream, slow),
};
static const struct field role_fields[] = {
    {.name = "role", .kind = FIELD_ROLE}}; /* an enum, no struct */
static const struct field pong_fields[] = {UINT64(pong, t, UINT64_MAX),
                                           UINT64(pong, time, UINT64_MAX)};
static const struct field done_fields[] = {UINT32(done, type, 0, UINT32_MAX),
                                           UINT32_NIL(done, tag)};
static const struct field error_fields[] = {
    FIELD(error, code, FIELD_CODE, 0, 0),
    TYPE(error, type),
    UINT32_NIL(error, tag),
    TEXT(error, field),
    TEXT(error, name),
    TEXT(error, message),
    BOOL(error, fatal),
};
static const struct field event_fields[] = {
    UINT64(event, tick, UINT64_MAX),
    UINT32(event, by, 0, UINT32_MAX),
    TEXT(event, who),
    TEXT(event, name),
    TEXT(event, what),
    TEXT(event, from),
    TEXT(event, to),
};
static const struct field new_key_fields[] = {TEXT(key, key)};
static const struct field goodbye_fields[] = {
    UINT32(goodbye, code, 0, UINT32_MAX),
    UINT32_NIL(goodbye, after),
};

static const struct field past_fields[] = {
    BOOL(past, shown),
    NUMBER(past, span),
    NUMBER(past, back),
    NUMBER(past, speed),
};
static const struct field self_fields[] = {TEXT(self, name), UINT32(self, flags, 0, UINT32_MAX)};

/* ---- maps of a server ---- */

static const struct field welcome_pairs[] = {
    UINT32(welcome, version, 1, PROTO_VERSION),
    TEXT(welcome, server),
    UINT32(welcome, id, 0, UINT32_MAX),
    TEXT(welcome, name),
    UINT32(welcome, color, 0, 0xffffff),
    TEXT(welcome, encoding),
    {.name = "rate", .kind = FIELD_POSITIVE, .offset = offsetof(struct proto_welcome, stream.rate)},
    {.name = "boids",
     .kind = FIELD_UINT32,
     .offset = offsetof(struct proto_welcome, stream.boids),
     .max = UINT32_MAX},
    {.name = "stride",
     .kind = FIELD_UINT32,
     .offset = offsetof(struct proto_welcome, stream.stride),
     .min = 1,
     .max = UINT32_MAX},
    UINT64(welcome, time, UINT64_MAX),
};
const struct fields welcome_keys = {welcome_pairs, COUNT(welcome_pairs)};

static const struct field room_pairs[] = {
    TEXT(room, code),
    TEXT(room, title),
    UINT64(room, instance, SAFE_MAX),
    TEXT(room, model),
    TEXT(room, boundary),
    TEXT(room, update),
    POSITIVE(room, quantum),
    UINT32(room, tick_rate, 1, PROTO_RATE_MAX),
    UINT32(room, snapshot_rate, 1, PROTO_RATE_MAX),
    TEXT(room, policy),
    TEXT(room, idle),
    POSITIVE(room, cursor_timeout),
    UINT32(room, people_max, 1, UINT32_MAX),
    UINT32(room, boids_max, 1, UINT32_MAX),
};
const struct fields room_keys = {room_pairs, COUNT(room_pairs)};

/* ---- all of them ---- */

#define FIELDS(array)                                                                              \
    {                                                                                              \
        array, COUNT(array)                                                                        \
    }

/* A message that is not here has no fields, or a decoder and an encoder of its own. */
static const struct fields fields[PROTO_TYPES] = {
    [PROTO_CURSOR] = FIELDS(cursor_fields),
    [PROTO_PING] = FIELDS(ping_fields),
    [PROTO_NAME] = FIELDS(name_fields),
    [PROTO_WANT] = FIELDS(want_fields),
    [PROTO_KEY] = FIELDS(key_fields),
    [PROTO_SET] = FIELDS(set_fields),
    [PROTO_PARAM] = FIELDS(param_fields),
    [PROTO_ADD] = FIELDS(add_fields),
    [PROTO_REMOVE] = FIELDS(remove_fields),
    [PROTO_TITLE] = FIELDS(title_fields),
    [PROTO_EXPEL] = FIELDS(expel_fields),
    [PROTO_APPOINT] = FIELDS(appoint_fields),
    [PROTO_RENAME] = FIELDS(rename_fields),
    [PROTO_ATTENTION] = FIELDS(attention_fields),
    [PROTO_SPOTLIGHT] = FIELDS(spotlight_fields),
    [PROTO_STREAM] = FIELDS(stream_fields),
    [PROTO_ROLE] = FIELDS(role_fields),
    [PROTO_PONG] = FIELDS(pong_fields),
    [PROTO_DONE] = FIELDS(done_fields),
    [PROTO_ERROR] = FIELDS(error_fields),
    [PROTO_EVENT] = FIELDS(event_fields),
    [PROTO_NEW_KEY] = FIELDS(new_key_fields),
    [PROTO_GOODBYE] = FIELDS(goodbye_fields),
    [PROTO_REWIND] = FIELDS(rewind_fields),
    [PROTO_PLAY] = FIELDS(play_fields),
    [PROTO_PAST] = FIELDS(past_fields),
    [PROTO_SELF] = FIELDS(self_fields),
    [PROTO_SAVE] = FIELDS(save_fields),
    [PROTO_FORGET] = FIELDS(forget_fields),
};

static const struct {
    const char *name;
    enum proto_sender sender;
    bool answered;
    bool traits[PROTO_TRAITS];
} rows[PROTO_TYPES] = {
#define FROM_CLIENT(number, NAME, text, who, is_answered, ...)                                     \
    [number] = {.name = #text, .sender = (who), .answered = (is_answered), .traits = {__VA_ARGS__}},
#define FROM_SERVER(number, NAME, text) [number] = {.name = #text},
    PROTO_CLIENT_MESSAGES(FROM_CLIENT) PROTO_SERVER_MESSAGES(FROM_SERVER)
#undef FROM_CLIENT
#undef FROM_SERVER
};

const struct fields *fields_of(enum proto_type type)
{
    return &fields[type];
}

const char *proto_type_name(unsigned type)
{
    return type < PROTO_TYPES ? rows[type].name : NULL;
}

enum proto_sender proto_sender(enum proto_type type)
{
    return rows[type].sender;
}

bool proto_answered(enum proto_type type)
{
    return rows[type].answered;
}

bool proto_has(enum proto_type type, enum proto_trait trait)
{
    return rows[type].traits[trait];
}

const char *proto_code_name(enum proto_code code)
{
    static const char *const names[] = {
        [PROTO_OK] = "ok",
        [PROTO_E_MALFORMED] = "malformed",
        [PROTO_E_TYPE] = "type",
        [PROTO_E_RANGE] = "range",
        [PROTO_E_STATE] = "state",
        [PROTO_E_VERSION] = "version",
        [PROTO_E_ENCODING] = "encoding",
        [PROTO_E_ROOM] = "room",
        [PROTO_E_FULL] = "full",
        [PROTO_E_FLOOD] = "flood",
        [PROTO_E_ROLE] = "role",
        [PROTO_E_KEY] = "key",
        [PROTO_E_REMOVED] = "removed",
        [PROTO_E_JOIN] = "join",
    };

    return names[code];
}

const char *proto_role_name(enum proto_role role)
{
    return role == PROTO_PRESENTER ? "presenter" : "viewer";
}
