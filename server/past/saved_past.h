/* The last minutes of a scene's past as bytes that outlive the process: a recording with at most
 * SAVED_PAST_TIME and SAVED_PAST_BYTES. Any thread. Both functions take up to some 10 ms per MiB,
 * so no thread that ticks rooms or serves clients may call them. */
#ifndef SAVED_PAST_H
#define SAVED_PAST_H

#include "past/recording.h"

#define SAVED_PAST_TIME  300u /* s, and at most one part more */
#define SAVED_PAST_BYTES (16u << 20)

/* Returns the bytes of the recording's last minutes, which the caller frees, and their *size; NULL
 * if memory runs out or the last part alone is too big. Drops older parts and all names from the
 * recording; names in marks stay. */
uint8_t *saved_past_write(struct recording *recording, size_t *size);

/* Makes a checked recording of bytes (malloc'ed), which may be anything. Takes them over. Returns
 * NULL and fills *error as recording_check() does. */
struct recording *saved_past_read(uint8_t *bytes, size_t size, uint32_t boids_max,
                                  struct proto_error *error);

#endif
