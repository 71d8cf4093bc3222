#include "net/gate/spare.h"

#define PARTS 4u

bool spare_turn(struct spare *spare, uint64_t idle, uint64_t now)
{
    const uint64_t waited = idle - spare->idle;
    const uint64_t passed = now - spare->at;

    *spare = (struct spare){.at = now, .idle = idle};
    return PARTS * waited >= passed;
}
