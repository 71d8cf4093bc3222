/* How far away the server is: round trips of pings, and the offset of its clock from ours.
 *
 * Pure: times come in as arguments, in microseconds. A round trip that took more than twice the
 * median of the last five says more about the queue it stood in than about the clocks, and is
 * dropped. */
#ifndef TERM_CLOCK_H
#define TERM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define TERM_CLOCK_SAMPLES 5u

struct term_clock {
    uint32_t count; /* samples held */
    uint32_t next;  /* the one to replace next */
    int64_t trips[TERM_CLOCK_SAMPLES];
    int64_t offsets[TERM_CLOCK_SAMPLES];
};

void term_clock_init(struct term_clock *clock);

/* A ping sent at `sent` was answered at `received` (our clock) by a server whose clock read
 * `server`. */
void term_clock_add(struct term_clock *clock, int64_t sent, int64_t received, int64_t server);

/* The median round trip and the median offset (server's clock minus ours); false before the first
 * sample. */
bool term_clock_read(const struct term_clock *clock, int64_t *trip, int64_t *offset);

#endif
