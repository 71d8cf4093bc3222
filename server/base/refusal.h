/* Why something is refused: a code, the field at fault and a sentence, written into whichever
 * struct has a place for them. Any thread. */
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

/* Fills it; returns false. What does not fit is cut off. */
bool refusal_write(struct refusal to, enum proto_code code, const char *field, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));

#endif
