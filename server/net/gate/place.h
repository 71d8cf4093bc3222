/* Slots for clients: WebSockets that were admitted by a hello. When all are taken, 8 more slots are
 * reserved for presenters, who show a key, so that their class cannot lock them out. Anyone may
 * create a room, and the server knows nothing of such a room's presenters; so 8 further slots are
 * reserved for presenters whom the server trusts, and these may use the first 8, too. It trusts
 * presenters of the lobby, of rooms created with the server's key, and of branches of such rooms. A
 * client from a trusted presenter's network may displace another client: see crowd.h. Any thread.
 */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>

#include "base/ip.h"
#include "net/gate/context.h"

#define PLACES_PRESENTERS 8u /* of each of the two kinds */

enum place { PLACE_NONE, PLACE_CLIENT, PLACE_PRESENTER, PLACE_TRUSTED };

struct place_claim {
    bool has_key; /* it shows a key, which its room has not checked yet */
    bool trusted; /* the room's presenters are trusted */
    struct ip network;
};

/* Takes a slot. PLACE_PRESENTER and PLACE_TRUSTED are granted if the key proves to be the room's.
 */
enum place place_take(struct service *service, const struct place_claim *claim);
void place_give(struct service *service, enum place place, const struct ip *network);

/* Moves a client that proved to be a trusted presenter to a free slot for such presenters. Its
 * client's slot is then free. Returns the slot that it has now. */

enum place place_trust(struct service *service, enum place place, const struct ip *network);

/* Returns true if a client of that network in such a slot must leave for a displacing client. Its
 * slot is then free. */
bool place_yield(struct service *service, enum place place, const struct ip *network);

/* Returns the number of slots in use. */
uint32_t place_count(const struct service *service);

#endif
