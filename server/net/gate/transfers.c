#include "net/gate/transfers.h"

#include <assert.h>

#define SEED UINT64_C(0x9e3779b97f4a7c15)

uint32_t transfers_take(struct transfers *transfers, const struct ip *network)
{
    const uint32_t most_of_one = transfers->most / 4 > 0 ? transfers->most / 4 : 1;
    uint64_t from = ip_hash(network, SEED) | 1;
    uint32_t same = 0;

    assert(transfers->most >= 1 && transfers->most <= CONFIG_TRANSFERS_MAX);
    for (uint32_t i = 0; i < transfers->most; i++) {
        same += atomic_load(&transfers->places[i]) == from;
    }
    for (uint32_t i = 0; i < transfers->most && same < most_of_one; i++) {
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(&transfers->places[i], &none, from)) {
            return i + 1;
        }
    }
    return 0;
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
