/* The fields of each message, from which its encoder and its decoder are made: all but the few that
 * are more than a list of single values. Private to the codec. */
#ifndef PROTOCOL_FORM_H
#define PROTOCOL_FORM_H

#include "protocol.h"

/* What a field is on the wire, and in its struct. Servers read all but FIELD_TEXT and FIELD_CODE
 * strictly; clients read any of them as they must (PROTOCOL.md, What to ignore). */
enum field_kind {
    FIELD_UINT32,     /* uint32_t, min to max */
    FIELD_UINT64,     /* uint64_t, min to max */
    FIELD_UINT32_NIL, /* uint32_t, and a bool at `has`: false for nil */
    FIELD_TYPE,       /* uint32_t, a message's number; 0 for nil */
    FIELD_NUMBER,     /* float, finite */
    FIELD_POSITIVE,   /* float, finite, above 0 */
    FIELD_BOOL,       /* bool */
    FIELD_WORD,       /* char[max + 1]: min to max of a-z, 0-9 and '-' */
    FIELD_IDENTIFIER, /* char[max + 1]: min to max of a-z, 0-9 and '_' */
    FIELD_LINE,       /* char[max + 1]: min to max bytes that proto_name_valid() takes */
    FIELD_TEXT,       /* char[max + 1]: UTF-8 */
    FIELD_ROLE,       /* enum proto_role */
    FIELD_CODE,       /* enum proto_code */
};

struct field {
    const char *name; /* as PROTOCOL.md has it */
    enum field_kind kind;
    size_t offset, has; /* bytes from the start of the message's struct */
    uint64_t min, max;
};

struct fields {
    const struct field *all;
    uint32_t count;
};

/* Of a message of a client or server; none of one that is more than single values. */
const struct fields *fields_of(enum proto_type type);

/* The keys of a welcome's and of a room's map that have single values and are always there. */
extern const struct fields welcome_keys, room_keys;

/* What is at that offset of a message's struct. */
static inline void *field_at(void *from, size_t offset)
{
    return (char *)from + offset;
}

static inline const void *field_in(const void *from, size_t offset)
{
    return (const char *)from + offset;
}

#endif
