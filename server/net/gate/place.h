/* The slots for clients: WebSockets after a valid hello. There are clients_max slots for
 * everyone, and PLACE_PRESENTERS more for clients that show a key, so that a class cannot lock its
 * teacher out. Anyone may create a room and has its key, so presenters of such rooms get one while
 * less than half of these are taken. The server trusts presenters of other rooms: the lobby, rooms
 * created with the server's key, and branches of such rooms.
 *
 * When all slots are taken, a client from a trusted presenter's network displaces another client:
 * the newest of the network that has the most clients, among networks without a trusted presenter;
 * of equal networks, of the newest. So a class with its teacher gets in although strangers filled
 * the server first. Any other client displaces only a client of a network that has more than
 * PLACE_CLASS, and more than the newcomer's. So a few networks do not fill a big server. A
 * displaced client loses its slot at once; its shard then closes it.
 *
 * Pupils are the clients of a network with a trusted presenter, himself among them, if they are not
 * more than PLACE_CLASS. In trusted rooms the shards have time for pupils first.
 *
 * A network is a value of ip_network(). Any thread may call these functions; a lock guards them for
 * moments only. */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/ip.h"
#include "base/list.h"
#include "room/room.h"

#define PLACE_PRESENTERS    16u        /* slots that are reserved for presenters */
#define PLACE_CLASS         ROOM_CLASS /* clients */
#define PLACE_DISPLACED_MAX 32u        /* displaced clients that their shards have not closed yet */

enum place_type { PLACE_NONE, PLACE_CLIENT, PLACE_PRESENTER, PLACE_DISPLACED };

/* A client's slot. It belongs to its session; all zero: none. Only the functions below may use it,
 * but the session's shard may read `presents`. */
struct place {
    struct list_item item; /* in the list of its network, or of displaced clients */
    struct place_network *network;
    uint32_t shard;
    uint8_t type;  /* enum place_type */
    bool presents; /* its client is a trusted presenter */
};

struct place_claim {
    struct ip network;
    uint32_t shard;
    bool has_key; /* it shows a key, which its room has not checked yet */
    bool trusted; /* the server trusts the room's presenters */
};

struct places;

/* displaced_max: at most PLACE_DISPLACED_MAX. Returns NULL when memory runs out; destroy takes NULL
 * and needs that all slots were given back. */
struct places *places_create(uint32_t clients_max, uint32_t displaced_max);
void places_destroy(struct places *places);

/* Takes a slot. Returns its type: PLACE_PRESENTER is granted if the key proves to be the room's;
 * PLACE_NONE: all are taken, or memory ran out. Stores the shard of the client that was displaced
 * in *displaced: it must call place_displaced(). PLACE_NO_SHARD: none was. */
#define PLACE_NO_SHARD UINT32_MAX
enum place_type place_take(struct places *places, struct place *place,
                           const struct place_claim *claim, uint32_t *displaced);

/* Gives the slot back. Does nothing without one. */
void place_give(struct places *places, struct place *place);

/* Notes that the client became a trusted presenter, or is no longer one. A new presenter moves to a
 * free reserved slot and leaves its own slot to its class. Without a free one it stays. */
void place_present(struct places *places, struct place *place, bool presents);

/* Returns true if a trusted presenter of that network has a slot. */
bool places_trust(struct places *places, const struct ip *network);

/* Returns true if that network's clients are pupils. */
bool places_teach(struct places *places, const struct ip *network);

/* Returns a displaced client of that shard, which now has no slot, or NULL. */
struct place *place_displaced(struct places *places, uint32_t shard);

/* Return true if all slots for everyone are taken, and the number of slots in use. */
bool places_full(const struct places *places);
uint32_t places_count(const struct places *places);

#endif
