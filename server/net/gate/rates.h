/* How often something may happen from one address: a bucket of tokens for each, which is filled at
 * a rate and holds a few seconds' worth. It knows the 4,096 addresses that came last, or about as
 * many. Any thread may call it; a lock guards it, held for moments only. */
#ifndef RATES_H
#define RATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ip.h"

enum rates_kind {
    RATES_CONNECTION,
    RATES_JOIN,    /* a fifth as many */
    RATES_REFUSAL, /* connections beyond the first that are told why */
    RATES_CROWDED, /* joins while more is sent than may be: see bandwidth.h */
    RATES_BYTES,   /* of answers to requests */
    RATES_KINDS,
};

struct rates;

/* per_second: connections; 0: no limit to these, joins and refusals. bytes: a second; 0: no limit.
 * NULL when memory or randomness runs out; destroy takes NULL. */
struct rates *rates_create(uint32_t per_second, uint64_t bytes);
void rates_destroy(struct rates *rates);

/* Takes a token of that network's (see ip_network()); false: there is none left. now: µs. */
bool rates_take(struct rates *rates, enum rates_kind kind, const struct ip *network, uint64_t now);

/* Whether there is one, which is left there; and takes that many, whether they are there or not. */
bool rates_has(struct rates *rates, enum rates_kind kind, const struct ip *network, uint64_t now);
void rates_spend(struct rates *rates, enum rates_kind kind, const struct ip *network,
                 uint64_t amount, uint64_t now);

#endif
