/* The first check of a message: whether its bytes are one well-formed MessagePack value of bounded
 * depth and size. Only then may a parser that trusts lengths see it. Private to the codec.
 *
 * Reads only the bytes; no memory, no state. */
#ifndef PROTOCOL_BOUNDS_H
#define PROTOCOL_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOUNDS_DEPTH 8u /* nested arrays and maps, the message itself included */

struct bounds_fault {
    size_t at;        /* the first byte of the wrong value */
    const char *what; /* such as "is cut short" */
};

/* Returns whether size bytes are exactly one value of at most values_max values in all. If not,
 * fills *fault. */
bool bounds_check(const uint8_t *data, size_t size, size_t values_max, struct bounds_fault *fault);

#endif
