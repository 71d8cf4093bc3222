/* The crowd: the number of clients and trusted presenters of each network. When all slots are
 * taken, a client from a trusted presenter's network displaces a client from a network without one:
 * from the network with the most clients, and among equals from the newest. So a class with its
 * teacher gets in although strangers filled the server first, and strangers displace no client.
 *
 * The displaced client may belong to another thread: its network owes a client until some thread
 * collects one, or until any client of that network leaves. Until then there are more clients than
 * slots, by at most owed_max. A network is a value of ip_network(). Any thread may call these
 * functions; a lock guards them for moments only. */
#ifndef CROWD_H
#define CROWD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ip.h"

#define CROWD_OWED_MAX 32u

struct crowd;

/* Creates a crowd for up to `max` clients and presenters, of which at most owed_max (at most
 * CROWD_OWED_MAX) are owed at a time. A network with `keeps` clients or fewer is never displaced
 * from. Returns NULL when memory or randomness runs out; destroy takes NULL. */
struct crowd *crowd_create(uint32_t max, uint32_t owed_max, uint32_t keeps);
void crowd_destroy(struct crowd *crowd);

/* Count a client with a slot that others may take, when it enters and when it leaves. */
void crowd_enter(struct crowd *crowd, const struct ip *ip);
void crowd_leave(struct crowd *crowd, const struct ip *ip);

/* Counts a trusted presenter, client or not: presents is true when it becomes one, else false. */
void crowd_present(struct crowd *crowd, const struct ip *ip, bool presents);

/* Returns true if a client from that network displaces another one, which is then owed. */
bool crowd_displace(struct crowd *crowd, const struct ip *ip);

/* Finds the next network that owes a client, from *next on (0 at first). Returns false at the end.
 */
bool crowd_next_owed(struct crowd *crowd, uint32_t *next, struct ip *ip);

/* Returns true if a client of that network must leave because it is owed, and counts it as gone. */
bool crowd_collect(struct crowd *crowd, const struct ip *ip);

#endif
