/* Stores a field's parsed value in the message's struct. */
#include "reader.h"

#include <float.h>
#include <string.h>

static enum proto_role read_role(struct reader *r, const msgpack_object *value)
{
    char word[PROTO_WORD_MAX + 1] = "";

    reader_text(r, value, word, sizeof word);
    if (strcmp(word, proto_role_name(PROTO_PRESENTER)) == 0) {
        return PROTO_PRESENTER;
    }
    /* A role that a client does not know may do no more than a viewer. */
    if (!r->tolerant && r->code == PROTO_OK && strcmp(word, proto_role_name(PROTO_VIEWER)) != 0) {
        reader_refuse(r, PROTO_E_RANGE, value, "viewer or presenter");
    }
    return PROTO_VIEWER;
}

static enum proto_code read_code(struct reader *r, const msgpack_object *value)
{
    char word[PROTO_WORD_MAX + 1] = "";

    reader_text(r, value, word, sizeof word);
    for (int code = PROTO_E_MALFORMED; code <= PROTO_E_DOOR; code++) {
        if (strcmp(word, proto_code_name((enum proto_code)code)) == 0) {
            return (enum proto_code)code;
        }
    }
    return PROTO_OK;
}

/* Whether the value is not nil. */
static bool is_there(const struct reader *r, const msgpack_object *value)
{
    return r->code == PROTO_OK && value->type != MSGPACK_OBJECT_NIL;
}

static uint32_t read_uint32(struct reader *r, const struct field *field,
                            const msgpack_object *value)
{
    return (uint32_t)reader_uint(r, value, field->min, field->max);
}

void reader_field(struct reader *r, const struct field *field, const msgpack_object *value,
                  void *to)
{
    void *at = field_at(to, field->offset);

    switch (field->kind) {
    case FIELD_UINT32:
        *(uint32_t *)at = read_uint32(r, field, value);
        break;
    case FIELD_UINT64:
        *(uint64_t *)at = reader_uint(r, value, field->min, field->max);
        break;
    case FIELD_UINT32_NIL:
        *(bool *)field_at(to, field->has) = is_there(r, value);
        *(uint32_t *)at = is_there(r, value) ? read_uint32(r, field, value) : 0;
        break;
    case FIELD_TYPE:
        *(uint32_t *)at = is_there(r, value) ? (uint32_t)reader_uint(r, value, 0, UINT32_MAX) : 0;
        break;
    case FIELD_NUMBER:
        *(float *)at = reader_number(r, value, -FLT_MAX, FLT_MAX);
        break;
    case FIELD_POSITIVE:
        *(float *)at = reader_number(r, value, FLT_MIN, FLT_MAX);
        break;
    case FIELD_BOOL:
        *(bool *)at = reader_bool(r, value);
        break;
    case FIELD_WORD:
        reader_word(r, value, "-", field->min, field->max, at);
        break;
    case FIELD_IDENTIFIER:
        reader_word(r, value, "_", field->min, field->max, at);
        break;
    case FIELD_LINE:
        reader_line(r, value, field->min, field->max, at);
        break;
    case FIELD_TEXT:
        reader_text(r, value, at, field->max + 1);
        break;
    case FIELD_ROLE:
        *(enum proto_role *)at = read_role(r, value);
        break;
    case FIELD_CODE:
        *(enum proto_code *)at = read_code(r, value);
        break;
    }
}
