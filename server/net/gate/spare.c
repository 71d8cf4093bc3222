#include "net/gate/spare.h"

#define PARTS      4u
#define LEAST_TIME UINT64_C(10000000) /* ns */

bool spare_turn(struct spare *spare, uint64_t idle, uint64_t now)
{
    const uint64_t waited = idle - spare->idle;
    const uint64_t passed = now - spare->at;

    *spare = (struct spare){
        .at = now, .idle = idle, .there = spare->at == 0 || PARTS * waited >= passed};
    return spare->there;
}

bool spare_now(struct spare *spare, uint64_t idle, uint64_t now)
{
    return now - spare->at < LEAST_TIME ? spare->there : spare_turn(spare, idle, now);
}
