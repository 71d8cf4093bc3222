/* A piece of a large value: a recording or a past. The store writes a large value in pieces, from
 * its end to its beginning, each in a transaction of its own. So on a slow disk the store's thread
 * never hangs in the whole value: rooms come between its pieces, and the process can end. */
#ifndef PIECE_H
#define PIECE_H

#include <stddef.h>
#include <stdint.h>

struct piece {
    const uint8_t *bytes; /* of the whole value */
    size_t size;          /* of the whole value */
    size_t begin, end;    /* the piece; with begin 0 it is the last that is written */
};

#endif
