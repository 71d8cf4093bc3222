/* Returns freed memory to the system. malloc() keeps what was freed for later, which after the end
 * of many rooms is tens of MB. */
#ifndef TRIM_H
#define TRIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRIM_BLOCK ((size_t)1 << 20)   /* a larger block returns to the system when it is freed */
#define TRIM_BYTES (UINT64_C(4) << 20) /* fewer freed bytes stay with malloc() */
#define TRIM_TIME  UINT64_C(5000000)   /* µs between two returns, which take up to 40 ms */

struct trim {
    uint64_t most; /* bytes in use at a time since the last return */
    uint64_t next; /* µs: no return before */
};

/* Must be called before any thread starts. */
void trim_begin(void);

/* Returns whether TRIM_BYTES were freed since the last return, and the last return is long enough
 * ago. most: the largest number of bytes in use at a time since the last call; used: bytes in use
 * now; now: µs. */
bool trim_is_due(struct trim *trim, uint64_t most, uint64_t used, uint64_t now);

/* Returns malloc()'s free memory to the system. Other threads that allocate wait until it is done.
 * Any thread. */
void trim_memory(void);

#endif
