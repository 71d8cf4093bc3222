/* The last minutes of a scene's past as bytes that outlive the process, or go to another node: a
 * recording within limits. Any thread. Both functions take up to some 10 ms per MiB,
 * so no thread that ticks rooms or serves clients may call them. */
#ifndef SAVED_PAST_H
#define SAVED_PAST_H

#include "past/recording.h"

struct saved_past_limits {
    uint32_t seconds; /* and at most one part more */
    size_t bytes;
};

#define SAVED_PAST_TIME  300u /* s: of a past in the store */
#define SAVED_PAST_BYTES (16u << 20)
extern const struct saved_past_limits saved_past_stored;

/* Returns the bytes of the recording's last minutes, which the caller frees, and their *size; NULL
 * if memory runs out or the last part alone is too big. Drops older parts and all names from the
 * recording; names in marks stay. */
uint8_t *saved_past_write(struct recording *recording, const struct saved_past_limits *limits,
                          size_t *size);

/* Makes a checked recording of bytes (malloc'ed), which may be anything. Takes them over. Returns
 * NULL and fills *error as recording_check() does. */
struct recording *saved_past_read(uint8_t *bytes, size_t size,
                                  const struct saved_past_limits *limits, uint32_t boids_max,
                                  struct proto_error *error);

#endif
