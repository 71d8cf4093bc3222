#include "net/uploads.h"

#define SEED UINT64_C(0x9e3779b97f4a7c15)

uint32_t uploads_take(struct uploads *uploads, const struct ip *network)
{
    uint64_t from = ip_hash(network, SEED) | 1;
    uint32_t same = 0;

    for (uint32_t i = 0; i < UPLOADS_MAX; i++) {
        same += atomic_load(&uploads->places[i]) == from;
    }
    for (uint32_t i = 0; i < UPLOADS_MAX && same < UPLOADS_NETWORK_MAX; i++) {
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(&uploads->places[i], &none, from)) {
            return i + 1;
        }
    }
    return 0;
}

void uploads_give(struct uploads *uploads, uint32_t place)
{
    if (place > 0) {
        atomic_store(&uploads->places[place - 1], 0);
    }
}
