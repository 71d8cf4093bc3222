/* The least rate of a transfer: PACE_RATE after PACE_TIME. So a client that sends or reads a byte
 * at a time does not hold the place of a transfer. Bytes beyond the rate give no more than
 * PACE_TIME of rest.
 *
 * Pure: times are passed in, as ms on the server's clock, which may wrap. */
#ifndef PACE_H
#define PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACE_RATE 16384u /* bytes per second */
#define PACE_TIME 10u    /* s */

struct pace {
    float credit; /* bytes that may be missing */
    uint32_t at;  /* time of the credit */
    bool on;      /* a transfer runs */
};

/* Begins and ends a transfer. */
void pace_begin(struct pace *pace, uint32_t now);
void pace_end(struct pace *pace);

/* Counts bytes that the client has sent or read. */
void pace_move(struct pace *pace, size_t bytes, uint32_t now);

/* Returns true if a transfer runs and is too slow. */
bool pace_late(struct pace *pace, uint32_t now);

#endif
