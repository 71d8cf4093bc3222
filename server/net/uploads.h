/* Recordings that are being uploaded. Each takes memory until it is complete, so at most
 * UPLOADS_MAX run at a time, and UPLOADS_NETWORK_MAX of one network. Any thread. */
#ifndef UPLOADS_H
#define UPLOADS_H

#include <stdatomic.h>
#include <stdint.h>

#include "ip.h"

#define UPLOADS_MAX         8u
#define UPLOADS_NETWORK_MAX 2u

struct uploads {
    _Atomic uint64_t places[UPLOADS_MAX]; /* a hash of the network; 0: free */
};

/* Begins an upload: 1 to UPLOADS_MAX, for uploads_give() at its end; 0: too many. */
uint32_t uploads_take(struct uploads *uploads, const struct ip *network);
void uploads_give(struct uploads *uploads, uint32_t place);

#endif
