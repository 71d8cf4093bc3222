/* Recordings that clients are sending, or are being sent. Each takes memory until it is complete,
 * so of either kind only some run at a time (--max-transfers), and a quarter of these, at least
 * one, of one network. Any thread. */
#ifndef TRANSFERS_H
#define TRANSFERS_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/ip.h"
#include "config/config.h"

struct transfers {
    uint32_t most;                                 /* at a time, 1 to CONFIG_TRANSFERS_MAX */
    _Atomic uint64_t places[CONFIG_TRANSFERS_MAX]; /* a hash of the network; 0: free */
};

/* Begins one: 1 to `most`, for transfers_give() at its end; 0: too many. */
uint32_t transfers_take(struct transfers *transfers, const struct ip *network);
void transfers_give(struct transfers *transfers, uint32_t place);

#endif
