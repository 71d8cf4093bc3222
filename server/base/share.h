/* Shares of a total: of boids, or of bytes of pasts. An untrusted creator may have half of
 * what would be free without its own part. An eighth of the total is reserved for trusted ones. */
#ifndef SHARE_H
#define SHARE_H

#include <stdbool.h>
#include <stdint.h>

#define SHARE_RESERVE 8u

/* Returns how much would be free for a creator without its own part. most: the total; taken: by
 * all; of_trusted: by trusted creators; mine: by this one. */
static inline uint64_t share_free(uint64_t most, uint64_t taken, uint64_t of_trusted, uint64_t mine,
                                  bool trusted)
{
    const uint64_t reserve = most / SHARE_RESERVE;
    const uint64_t unused = !trusted && of_trusted < reserve ? reserve - of_trusted : 0;
    const uint64_t others = unused + (taken > mine ? taken - mine : 0);

    return others < most ? most - others : 0;
}

/* Returns how much a creator may have; parameters as above. */
static inline uint64_t share_limit(uint64_t most, uint64_t taken, uint64_t of_trusted,
                                   uint64_t mine, bool trusted)
{
    const uint64_t left = share_free(most, taken, of_trusted, mine, trusted);

    return trusted ? left : (left + 1) / 2;
}

#endif
