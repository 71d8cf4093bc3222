/* How often each address may do something: a bucket of tokens for each address, which is filled at
 * a rate and holds a few seconds' worth. It holds about the 4,096 latest addresses. Any thread may
 * call these functions; a lock guards them for moments only. */
#ifndef RATES_H
#define RATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ip.h"

enum rates_kind {
    RATES_ARRIVAL, /* 10 times the rate of connections; counts silent connections, too */
    RATES_CONNECTION,
    RATES_UPGRADE, /* connections that ask for a WebSocket, not counted by the one above */
    RATES_REFUSAL, /* answers to connections beyond the rate */
    RATES_GUEST,   /* the allowance of an address: see allowance.h */
    RATES_CROWDED, /* joins while too much is sent: see bandwidth.h */
    RATES_BYTES,   /* of answers to HTTP requests */
    RATES_FRESH,   /* the same, within ten minutes: see bandwidth.h */
    RATES_KINDS,
};

struct rates;

/* per_second: connections; 0: no limit for connections and refusals. bytes: per second; little: in
 * ten minutes; 0: no limit. Returns NULL when memory or randomness runs out; destroy takes NULL. */
struct rates *rates_create(uint32_t per_second, uint64_t bytes, uint64_t little);
void rates_destroy(struct rates *rates);

/* Takes a token of that network (see ip_network()). Returns false if none is left. now: µs. */
bool rates_take(struct rates *rates, enum rates_kind kind, const struct ip *network, uint64_t now);

/* Takes a token that the bucket has now, or will have within `most` µs, unless others take it
 * before. Returns the µs until then; RATES_NEVER, with nothing taken, if that is longer. */
#define RATES_NEVER UINT64_MAX
uint64_t rates_reserve(struct rates *rates, enum rates_kind kind, const struct ip *network,
                       uint64_t most, uint64_t now);

/* Gives back a token of rates_reserve() that is not used. */
void rates_return(struct rates *rates, enum rates_kind kind, const struct ip *network,
                  uint64_t now);

/* Returns the part of a full bucket that is left: 1 is all; below 0 is a debt. */
double rates_left(struct rates *rates, enum rates_kind kind, const struct ip *network,
                  uint64_t now);

/* rates_has() returns true if a token is left, and takes none. rates_spend() takes `amount` tokens
 * even if fewer are left. */
bool rates_has(struct rates *rates, enum rates_kind kind, const struct ip *network, uint64_t now);
void rates_spend(struct rates *rates, enum rates_kind kind, const struct ip *network,
                 uint64_t amount, uint64_t now);

#endif
