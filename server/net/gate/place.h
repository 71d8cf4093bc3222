/* Places for clients: WebSockets that have been let in by a hello. When all are taken, a few more
 * are there for presenters alone, who show a key: their class must not lock them out. Those whom
 * the server trusts have as many of their own, and may have the others', too: rooms that anyone may
 * create have presenters that the server knows nothing of. It trusts those of the lobby, and of a
 * room that was created with the server's key, or is a branch of such a room.
 * And whoever comes from where a trusted presenter is may take the place of another, see crowd.h.
 * Any thread. */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>

#include "base/ip.h"
#include "net/gate/context.h"

#define PLACES_PRESENTERS 8u /* of each of the two kinds */

enum place { PLACE_NONE, PLACE_CLIENT, PLACE_PRESENTER, PLACE_TRUSTED };

struct place_claim {
    bool has_key; /* it shows one, which its room has yet to look at */
    bool trusted; /* the server trusts presenters of that room */
    struct ip network;
};

/* PLACE_PRESENTER, PLACE_TRUSTED: the key has to be the room's. */
enum place place_take(struct service *service, const struct place_claim *claim);
void place_give(struct service *service, enum place place, const struct ip *network);

/* Whoever has that place turns out to be a trusted presenter. Returns the place that it has now: if
 * there is one, such a presenter's, so that others can have the client's. */
enum place place_trust(struct service *service, enum place place, const struct ip *network);

/* Whether a client of that network, which has such a place, has to go now for another one. Its
 * place is given then. */
bool place_yield(struct service *service, enum place place, const struct ip *network);

/* How many have one. */
uint32_t place_count(const struct service *service);

#endif
