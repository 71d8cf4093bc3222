/* Recordings that clients are sending, or are being sent. Each takes memory until it is complete,
 * so of either kind at most TRANSFERS_MAX run at a time, and TRANSFERS_NETWORK_MAX of one network.
 * Any thread. */
#ifndef TRANSFERS_H
#define TRANSFERS_H

#include <stdatomic.h>
#include <stdint.h>

#include "ip.h"

#define TRANSFERS_MAX         8u
#define TRANSFERS_NETWORK_MAX 2u

struct transfers {
    _Atomic uint64_t places[TRANSFERS_MAX]; /* a hash of the network; 0: free */
};

/* Begins one: 1 to TRANSFERS_MAX, for transfers_give() at its end; 0: too many. */
uint32_t transfers_take(struct transfers *transfers, const struct ip *network);
void transfers_give(struct transfers *transfers, uint32_t place);

#endif
