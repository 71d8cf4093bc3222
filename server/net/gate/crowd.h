/* The crowd: how many clients there are of each network, and whether a presenter is among them whom
 * the server trusts. When all places are taken, whoever comes from the network of such a presenter
 * takes the place of a client from a network without one: of the network that has the most, and of
 * several the one that came last. So a class with its teacher gets in, however many strangers from
 * elsewhere were there first; and strangers never throw out anybody.
 *
 * The client whose place is taken may be another thread's: it is owed until somebody collects it,
 * or until any other client of its network has gone by itself. There are more clients than places
 * by as many as are owed: a few, see crowd_create(). Networks are those of ip_network(). Any thread
 * may call it; a lock guards it, held for moments only. */
#ifndef CROWD_H
#define CROWD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ip.h"

#define CROWD_OWED_MAX 32u

struct crowd;

/* For up to `max` clients and presenters, of whom no more than owed_max (CROWD_OWED_MAX at most)
 * are owed at a time; keeps: so many clients of a network are never taken the place of. NULL when
 * memory or randomness runs out; destroy takes NULL. */
struct crowd *crowd_create(uint32_t max, uint32_t owed_max, uint32_t keeps);
void crowd_destroy(struct crowd *crowd);

/* A client comes, who has a place that others may take, and goes. */
void crowd_enter(struct crowd *crowd, const struct ip *ip);
void crowd_leave(struct crowd *crowd, const struct ip *ip);

/* Somebody becomes a presenter whom the server trusts, a client or not, or is not one any more. */
void crowd_present(struct crowd *crowd, const struct ip *ip, bool presents);

/* Whether somebody who comes from that network takes another's place, who is then owed. */
bool crowd_displace(struct crowd *crowd, const struct ip *ip);

/* The next network of which somebody is owed, from *next on (0 at first); false: there is none. */
bool crowd_next_owed(struct crowd *crowd, uint32_t *next, struct ip *ip);

/* Whether a client of that network has to go for one who came; it is then counted as gone. */
bool crowd_collect(struct crowd *crowd, const struct ip *ip);

#endif
