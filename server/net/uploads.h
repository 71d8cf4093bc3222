/* Who sends a recording just now: each takes memory until it has been read, so there are few at a
 * time, and of one network fewer. Any thread. */
#ifndef UPLOADS_H
#define UPLOADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "ip.h"

#define UPLOADS_MAX         8u
#define UPLOADS_NETWORK_MAX 2u

struct uploads {
    _Atomic uint64_t places[UPLOADS_MAX]; /* what a network is told from others by; 0: free */
};

/* A place for one from that network: 1 to UPLOADS_MAX, to be given back; 0: there is none. */
uint32_t uploads_take(struct uploads *uploads, const struct ip *network);
void uploads_give(struct uploads *uploads, uint32_t place);

#endif
