/* Look-ups in the tables of messages. */
#include "fields.h"

#include <assert.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof(array)[0])

const struct fields welcome_keys = {welcome_pairs, COUNT(welcome_pairs)};
const struct fields room_keys = {room_pairs, COUNT(room_pairs)};

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
    assert(type < PROTO_TYPES);
    return &fields[type];
}

const char *proto_type_name(unsigned type)
{
    return type < PROTO_TYPES ? rows[type].name : NULL;
}

enum proto_sender proto_sender(enum proto_type type)
{
    assert(type < PROTO_SERVER_TYPES);
    return rows[type].sender;
}

bool proto_answered(enum proto_type type)
{
    assert(type < PROTO_SERVER_TYPES);
    return rows[type].answered;
}

bool proto_has(enum proto_type type, enum proto_trait trait)
{
    assert(type < PROTO_SERVER_TYPES && trait < PROTO_TRAITS);
    return rows[type].traits[trait];
}

const char *proto_code_name(enum proto_code code)
{
    assert(code < PROTO_CODES);
    return code_names[code];
}

const char *proto_role_name(enum proto_role role)
{
    return role == PROTO_PRESENTER ? "presenter" : "viewer";
}
