/* Recordings that clients upload or download. A transfer uses memory until it is complete. So at
 * most --max-transfers of each kind run at a time. A quarter of the places is reserved for clients
 * with the server's key, or with the key of a room that the server trusts. A network gets a further
 * place while it then has at most half of the places that others leave.
 *
 * A transfer costs its network its time, and less while it is fast: a second at a rate of r costs
 * PACE_RATE / (PACE_RATE + r) seconds. So it costs half a second at 16 KB/s, and 0.06 s at 256 KB/s
 * or more. The rate halves in TRANSFERS_LAG without bytes. The bytes of a download are counted once
 * a second, so a fast one costs about 0.25 s. Trap: a download begins fast if its client's kernel
 * takes bytes that the client does not read. An upload that makes no room costs its whole time. A
 * network's costs halve in TRANSFERS_HALF.
 *
 * When all places are taken, a newcomer whose network has no transfer ends another one: the newest
 * of the network with the highest costs. These costs must be TRANSFERS_LEAST more than the costs of
 * the newcomer's network, times TRANSFERS_TIMES. So slow transfers keep no newcomer out, and a
 * network that comes again and again loses to others. Of equal networks each turn is about as long
 * as all turns before it. So a slow transfer that others end again and again is complete at last.
 *
 * A client with a key ends a stranger's transfer at once; no stranger ends a transfer with a key.
 *
 * A transfer that was ended loses its place at once; its shard then closes it. A network is a value
 * of ip_network(). Any thread may call these functions; a lock guards them for moments only. */
#ifndef TRANSFERS_H
#define TRANSFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ip.h"

#define TRANSFERS_LEAST 0.25f /* s */
#define TRANSFERS_TIMES 2.0f
#define TRANSFERS_LAG   0.25f  /* s */
#define TRANSFERS_FAST  16.0f  /* times PACE_RATE: a higher rate costs no less */
#define TRANSFERS_HALF  300.0f /* s */

struct transfers;

struct transfers_claim {
    struct ip network;
    uint32_t shard;
    bool trusted; /* it has such a key */
};

/* most: transfers at a time, 1 to CONFIG_TRANSFERS_MAX. Returns NULL when memory runs out; destroy
 * takes NULL and needs that all places were given back. */
struct transfers *transfers_create(uint32_t most);
void transfers_destroy(struct transfers *transfers);

/* Begins a transfer. Returns its number, for transfers_give() at its end; 0: too many. Stores the
 * shard of the transfer that was ended for it in *ended: it must look for it with transfers_lost().
 * TRANSFERS_NO_SHARD: none was. now: µs. */
#define TRANSFERS_NO_SHARD UINT32_MAX
uint32_t transfers_take(struct transfers *transfers, const struct transfers_claim *claim,
                        uint64_t now, uint32_t *ended);

/* Counts bytes that a transfer has moved. Does nothing for 0. */
void transfers_move(struct transfers *transfers, uint32_t transfer, size_t bytes, uint64_t now);

/* Ends a transfer, as if it were for another one. */
void transfers_end(struct transfers *transfers, uint32_t transfer, uint64_t now);

/* Must be called once for each transfer that has begun, also if it was ended. Does nothing for 0.
 */
void transfers_give(struct transfers *transfers, uint32_t transfer, uint64_t now);

/* The same for an upload that made no room. */
void transfers_waste(struct transfers *transfers, uint32_t transfer, uint64_t now);

/* Returns true if this transfer was ended. */
bool transfers_lost(struct transfers *transfers, uint32_t transfer);

/* Returns true if there are such transfers, of any shard. */
bool transfers_any_lost(const struct transfers *transfers);

#endif
