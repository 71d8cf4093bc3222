/* The fields of each message that is a list of single values. One encoder and one decoder serve all
 * of these. Private to the codec. */
#ifndef PROTOCOL_FORM_H
#define PROTOCOL_FORM_H

#include "protocol.h"

/* The kind of a field on the wire, and its type in the struct. Servers read all kinds strictly;
 * clients ignore what PROTOCOL.md lists (What to ignore). Servers read no FIELD_TEXT and no
 * FIELD_CODE. */
enum field_kind {
    FIELD_UINT32,     /* uint32_t, min to max */
    FIELD_UINT64,     /* uint64_t, min to max */
    FIELD_UINT32_NIL, /* uint32_t, and a bool at `has`: false for nil */
    FIELD_TYPE,       /* uint32_t, a message's number; 0: nil */
    FIELD_NUMBER,     /* float, finite */
    FIELD_POSITIVE,   /* float, finite, above 0 */
    FIELD_BOOL,       /* bool */
    FIELD_WORD,       /* char[max + 1]: min to max of a-z, 0-9 and '-' */
    FIELD_IDENTIFIER, /* char[max + 1]: min to max of a-z, 0-9 and '_' */
    FIELD_LINE,       /* char[max + 1]: min to max bytes, of the characters of a name */
    FIELD_TEXT,       /* char[max + 1]: UTF-8 */
    FIELD_ROLE,       /* enum proto_role */
    FIELD_CODE,       /* enum proto_code */
};

struct field {
    const char *name; /* as PROTOCOL.md has it */
    enum field_kind kind;
    size_t offset, has; /* bytes from the start of the message's struct */
    uint64_t min, max;
    bool optional; /* from a client: the last field; missing unless a tag follows it */
};

struct fields {
    const struct field *all;
    uint32_t count;
};

/* Returns how many fields the message of a client has at least. */
static inline uint32_t fields_least(const struct fields *fields)
{
    return fields->count - (fields->count > 0 && fields->all[fields->count - 1].optional ? 1 : 0);
}

/* Returns the fields of a message; a message with an encoder of its own has none here. */
const struct fields *fields_of(enum proto_type type);

/* The keys of a welcome's and of a room's map that have single values and are always there. */
extern const struct fields welcome_keys, room_keys;

/* Return the member at that offset of a message's struct. */
static inline void *field_at(void *from, size_t offset)
{
    return (char *)from + offset;
}

static inline const void *field_in(const void *from, size_t offset)
{
    return (const char *)from + offset;
}

#endif
