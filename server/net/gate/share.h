/* A session's share of the bytes that may be sent: --client-bandwidth and its part of
 * --total-bandwidth. Sent bytes are paid from a credit that refills over time and holds at most 1
 * s. A message larger than the credit may be sent while the credit is above 0; the debt is paid
 * back before the next message.
 *
 * Pure: times are passed in, as ms on the server's clock, which may wrap. A shard's thread owns it.
 */
#ifndef GATE_SHARE_H
#define GATE_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct share {
    uint32_t rate : 31; /* bytes per second; 0: no limit */
    uint32_t held : 1;  /* a message was held back; the reader clears it */
    uint32_t at;        /* time of the credit */
    int32_t credit;     /* bytes; below 0: a debt */
};

/* Sets the rate in bytes per second, at most INT32_MAX; 0: no limit. */
void share_set(struct share *share, uint32_t rate, uint32_t now);

bool share_has(struct share *share, size_t most, size_t size, uint32_t now);

/* Returns true if a message of `size` bytes may be sent now. A message of more than `most` seconds
 * of the share is refused (the caller sends a smaller one); most = 0 allows any size. */
static inline bool share_takes(struct share *share, size_t most, size_t size, uint32_t now)
{
    return share->rate == 0 || share_has(share, most, size, now);
}

/* Charges a message that was sent. */
static inline void share_sent(struct share *share, size_t size)
{
    int64_t credit = (int64_t)share->credit - (share->rate > 0 ? (int64_t)size : 0);

    share->credit = credit > INT32_MIN ? (int32_t)credit : INT32_MIN;
}

#endif
