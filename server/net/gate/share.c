#include "net/gate/share.h"

#include <assert.h>

#define S 1000 /* ms */

static void refill_credit(struct share *share, uint32_t now)
{
    share->credit += (int64_t)share->rate * (now - share->at) / S;
    if (share->credit > share->rate) {
        share->credit = share->rate;
    }
    share->at = now;
}

void share_set(struct share *share, uint32_t rate, uint32_t now)
{
    if (rate == share->rate) {
        return;
    }
    refill_credit(share, now);
    if (share->rate == 0 || share->credit > rate) {
        share->credit = rate;
    }
    share->rate = rate;
}

bool share_has(struct share *share, size_t most, size_t size, uint32_t now)
{
    bool takes;

    assert(share->rate > 0);
    refill_credit(share, now);
    takes = share->credit > 0 && (most == 0 || size <= most * share->rate);
    share->held = share->held || !takes;
    return takes;
}
