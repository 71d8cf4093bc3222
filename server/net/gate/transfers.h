/* Recordings that clients upload or download. A transfer uses memory until it is complete. So at
 * most --max-transfers of each kind run at a time. A quarter of the places is reserved for clients
 * with the server's key, or with the key of a room that the server trusts. A network gets a further
 * place while it then has at most half of the places that others leave. Any thread. */
#ifndef TRANSFERS_H
#define TRANSFERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/ip.h"
#include "config/config.h"

struct transfers {
    uint32_t most; /* transfers at a time, 1 to CONFIG_TRANSFERS_MAX */
    _Atomic uint64_t places[CONFIG_TRANSFERS_MAX]; /* hash of the network, by slot; 0: free */
};

/* Begins a transfer. reserved: in a reserved place. Returns 1 to `most`, for transfers_give() at
 * its end; 0: too many. */
uint32_t transfers_take(struct transfers *transfers, const struct ip *network, bool reserved);
void transfers_give(struct transfers *transfers, uint32_t place);

#endif
