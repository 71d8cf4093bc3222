/* The first look at a message: whether its bytes are one well-formed MessagePack value of bounded
 * depth and size, so that a parser that believes the lengths it reads may be let loose on it.
 * Private to the codec.
 *
 * Reads the bytes only; no memory, no state. */
#ifndef PROTOCOL_BOUNDS_H
#define PROTOCOL_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOUNDS_DEPTH                                                                               \
    8u /* arrays and maps within each other, the message itself being the first                    \
        */

struct bounds_fault {
    size_t at;        /* the byte at which the value at fault starts */
    const char *what; /* such as "is cut short" */
};

/* Whether size bytes are exactly one value of at most values_max values in all. Fills *fault when
 * they are not. */
bool bounds_check(const uint8_t *data, size_t size, size_t values_max, struct bounds_fault *fault);

#endif
