#include "net/gate/transfers.h"

#include <assert.h>

#define SEED UINT64_C(0x9e3779b97f4a7c15)

/* Takes one of the places from `first` on, before `end`. */
static uint32_t take_between(struct transfers *transfers, uint64_t from, uint32_t first,
                             uint32_t end)
{
    uint32_t same = 0, left = 0;

    for (uint32_t i = first; i < end; i++) {
        const uint64_t place = atomic_load(&transfers->places[i]);
        same += place == from;
        left += place == 0;
    }
    if (same > 0 && same + 1 > left / 2) {
        return 0;
    }
    for (uint32_t i = first; i < end; i++) {
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(&transfers->places[i], &none, from)) {
            return i + 1;
        }
    }
    return 0;
}

uint32_t transfers_take(struct transfers *transfers, const struct ip *network, bool reserved)
{
    const uint32_t all = transfers->most - (transfers->most + 2) / 4; /* 1 of 2 to 5, 2 of 6 to 9 */
    const uint64_t from = ip_hash(network, SEED) | 1;

    assert(transfers->most >= 1 && transfers->most <= CONFIG_TRANSFERS_MAX);
    return reserved ? take_between(transfers, from, all, transfers->most)
                    : take_between(transfers, from, 0, all);
}

void transfers_give(struct transfers *transfers, uint32_t place)
{
    assert(place <= transfers->most);
    if (place > 0) {
        const uint64_t from = atomic_exchange(&transfers->places[place - 1], 0);
        assert(from != 0);
        (void)from;
    }
}
