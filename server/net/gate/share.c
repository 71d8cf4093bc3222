#include "net/gate/share.h"

#include <assert.h>

#define S 1000 /* ms */

static void refill_credit(struct share *share, uint32_t now)
{
    int64_t credit = share->credit + (int64_t)share->rate * (now - share->at) / S;

    share->credit = (int32_t)(credit < share->rate ? credit : share->rate);
    share->at = now;
}

void share_set(struct share *share, uint32_t rate, uint32_t now)
{
    assert(rate <= INT32_MAX);
    if (rate == share->rate) {
        return;
    }
    refill_credit(share, now);
    if (share->rate == 0 || share->credit > (int64_t)rate) {
        share->credit = (int32_t)rate;
    }
    share->rate = rate & INT32_MAX;
}

bool share_has(struct share *share, size_t most, size_t size, uint32_t now)
{
    bool takes;

    assert(share->rate > 0);
    refill_credit(share, now);
    takes = share->credit > 0 && (most == 0 || size <= most * share->rate);
    share->held |= takes ? 0 : 1;
    return takes;
}
