/* A session's share of the bytes that may be sent: --client-bandwidth, and its part of
 * --total-bandwidth. What is sent is paid from a credit that comes back with time, a second's worth
 * at most. A message larger than the credit is sent as long as there is any, and paid back before
 * the next one.
 *
 * Pure: times are handed in, as ms on the server's clock, which may wrap. A shard's thread owns it.
 */
#ifndef SHARE_H
#define SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct share {
    uint32_t rate;  /* bytes a second; 0: any number */
    uint32_t at;    /* the credit is as of then */
    int64_t credit; /* bytes; below 0: they are being paid back */
    bool held;      /* something was held back; whoever looks at it clears it */
};

/* From now on it is so many bytes a second; 0: any number. */
void share_set(struct share *share, uint32_t rate, uint32_t now);

bool share_has(struct share *share, size_t most, size_t size, uint32_t now);

/* Whether so many bytes may be sent now. Those of more than `most` seconds of the share wait for
 * something smaller; 0: however many they are. */
static inline bool share_takes(struct share *share, size_t most, size_t size, uint32_t now)
{
    return share->rate == 0 || share_has(share, most, size, now);
}

/* They have been sent. */
static inline void share_sent(struct share *share, size_t size)
{
    share->credit -= share->rate > 0 ? (int64_t)size : 0;
}

#endif
