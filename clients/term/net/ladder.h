/* By how much to reduce the stream: steps down while the client cannot keep up, and back up, one by
 * one, after it has kept up for a while.
 *
 * Pure. The page has the same rule, and both are tested with clients/vectors/pace.json. A step
 * divides the snapshots a second or the boids by the next number of 1, 2, 3, 4, 6, 8, 12, 16 … A
 * step back up that does not last doubles the wait before the next one, so that a client does not
 * go up and down. The caller owns it. */
#ifndef TERM_LADDER_H
#define TERM_LADDER_H

#include <stdbool.h>
#include <stdint.h>

#define LADDER_STEPS 64u /* more steps than from any flock and rate to the least stream */

struct ladder_step {
    bool of_rate;
    uint32_t value; /* the divisor of the rate, or the boids in a snapshot */
};

/* Readable by all, written by ladder.c alone. */
struct ladder {
    float rate;     /* snapshots a second without steps */
    uint32_t count; /* steps down */
    struct ladder_step steps[LADDER_STEPS];
    unsigned strain;
    int64_t calm, settling, undone, patience; /* µs */
};

/* A client's pace in a period of about a second. */
struct ladder_period {
    int64_t passed; /* µs */
    float over;     /* how many times too slow the client was; up to 1: it kept up */
    bool calm;      /* without the last step it would have kept up, too */
    uint32_t flock; /* boids that the room has */
};

void ladder_init(struct ladder *ladder);

/* Judges nothing for a while, because earlier periods say nothing about the new stream. rate:
 * snapshots a second without steps. */
void ladder_restart(struct ladder *ladder, float rate);

/* Judges a period; returns whether a step was taken, down or up. */
bool ladder_judge(struct ladder *ladder, const struct ladder_period *period);

/* Returns the number by which the rate is divided, 1: all; and the boids wanted in a snapshot, 0:
 * all. */
uint32_t ladder_divisor(const struct ladder *ladder);
uint32_t ladder_boids(const struct ladder *ladder);

/* Returns how many times as many snapshots there would be without the last step; 1: as many. */
float ladder_rate_above(const struct ladder *ladder);

#endif
