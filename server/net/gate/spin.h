/* Finds out when a shard's loop may spin. The loop waits only until a socket is readable. If
 * libwebsockets does not read such a socket, because it still sends what came before the end of the
 * connection, then the loop turns without waiting until the client has read everything. A client
 * that reads nothing could so keep a processor busy.
 *
 * After many turns without waiting, the shard searches its connections for the ones that
 * libwebsockets does not read. A shard with much work does not wait either, so the time between two
 * searches is a multiple of what a search costs.
 *
 * Pure: times are passed in, in ns. A shard's thread owns it. */
#ifndef SPIN_H
#define SPIN_H

#include <stdbool.h>
#include <stdint.h>

#define SPIN_TURNS 64u               /* without waiting, until a search */
#define SPIN_PAUSE UINT64_C(5000000) /* ns between two searches, at least */
#define SPIN_PARTS 200u              /* of the time, searches take one part at most */

struct spin {
    uint64_t idle;  /* ns for which the loop had waited in all, at the last turn */
    uint64_t next;  /* no search before this time */
    uint32_t turns; /* since the loop last waited */
};

/* Must be called once in a turn of the loop. idle: ns for which the loop has waited in all. Returns
 * true if the caller must search now, and then call spin_searched(). */
bool spin_turn(struct spin *spin, uint64_t idle, uint64_t now);

/* Notes that a search took from `began` to `now`. */
void spin_searched(struct spin *spin, uint64_t began, uint64_t now);

#endif
