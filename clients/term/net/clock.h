/* The server's clock as seen from here: round trips of pings, and the offset of the server's clock.
 *
 * Pure: times come in as arguments, in microseconds. The page has the same rule, and both are
 * tested with clients/vectors/clock.json. Of the last TERM_CLOCK_SAMPLES samples, those whose round
 * trip is more than twice the median are dropped: their pings waited in a queue. The medians of the
 * others count. */
#ifndef TERM_CLOCK_H
#define TERM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define TERM_CLOCK_SAMPLES 8u
#define TERM_CLOCK_FIRST   5u     /* pings in quick succession, so that the clock is known soon */
#define TERM_CLOCK_GAP     120000 /* µs between those */

struct term_clock {
    uint32_t count; /* samples held */
    uint32_t next;  /* index of the sample to replace next */
    int64_t trips[TERM_CLOCK_SAMPLES];
    int64_t offsets[TERM_CLOCK_SAMPLES];
};

void term_clock_init(struct term_clock *clock);

/* Adds a sample: a ping sent at `sent` was answered at `received` (our clock) by a server whose
 * clock read `server`. A sample with received < sent is ignored. */
void term_clock_add(struct term_clock *clock, int64_t sent, int64_t received, int64_t server);

/* Stores the round trip and the offset (server's clock minus ours); returns false before the first
 * sample. */
bool term_clock_read(const struct term_clock *clock, int64_t *trip, int64_t *offset);

#endif
