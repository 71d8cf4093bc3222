#include "net/gate/spin.h"

bool spin_turn(struct spin *spin, uint64_t idle, uint64_t now)
{
    spin->turns = idle > spin->idle ? 0 : spin->turns + 1;
    spin->idle = idle;
    return spin->turns >= SPIN_TURNS && now >= spin->next;
}

void spin_searched(struct spin *spin, uint64_t began, uint64_t now)
{
    const uint64_t cost = SPIN_PARTS * (now - began);

    spin->turns = 0;
    spin->next = now + (cost > SPIN_PAUSE ? cost : SPIN_PAUSE);
}
