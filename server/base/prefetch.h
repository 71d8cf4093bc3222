/* Prefetching: asks the processor for memory that is needed soon, while it does other things. */
#ifndef PREFETCH_H
#define PREFETCH_H

#include <stddef.h>

#define PREFETCH_LINE 64u /* bytes that come together */

/* The memory may also be free: then nothing happens. */
static inline void prefetch_bytes(const void *bytes, size_t size)
{
    for (size_t offset = 0; offset < size; offset += PREFETCH_LINE) {
        __builtin_prefetch((const char *)bytes + offset);
    }
}

#endif
