/* Why a request is refused: a code, the field at fault and a sentence. Any thread. */
#ifndef REFUSAL_H
#define REFUSAL_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol.h"

struct refusal {
    enum proto_code *code;
    char *field, *message;
    size_t field_size, message_size;
};

/* Fills in the refusal; returns false. Cuts a text that does not fit. */
bool refusal_write(struct refusal to, enum proto_code code, const char *field, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));

/* Refuses a message: fills *error with a code, a field and a format. Returns false. */
#define refuse_message(error, ...) refusal_write(refusal_of(error), __VA_ARGS__)

static inline struct refusal refusal_of(struct proto_error *error)
{
    *error = (struct proto_error){0};
    return (struct refusal){.code = &error->code,
                            .field = error->field,
                            .field_size = sizeof error->field,
                            .message = error->message,
                            .message_size = sizeof error->message};
}

#endif
