/* The inside of a directory, and shares in it. For the directory's own files. All functions need
 * its lock. */
#ifndef DIRECTORY_SLOTS_H
#define DIRECTORY_SLOTS_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/list.h"
#include "base/network.h"
#include "hub/directory.h"

#define DIRECTORY_BUCKETS 4096u
#define DIRECTORY_NO_SLOT UINT32_MAX

/* The code of a room, or a resting code: of a room that ended less than 24 hours ago. */
struct name {
    struct name *next;      /* in its bucket */
    struct list_item rests; /* in directory->rest */
    uint64_t until;         /* µs: end of its rest */
    uint32_t slot;          /* DIRECTORY_NO_SLOT: it rests */
    char code[PROTO_ROOM_MAX + 1];
};

struct slot {
    uint32_t generation; /* of the room in it, or of its last room */
    bool taken, open;
    bool trusted;   /* of a trusted creator, or the lobby */
    bool joined;    /* it was once, or it was restored */
    bool gives_way; /* it ends soon, and is not counted */
    uint64_t since; /* a number that grows: when it was made, or its last member left */
    struct directory_entry entry;
    struct room_stats stats;
};

/* The rooms that an address may still create: a bucket of tokens, full again after an hour. */
struct address {
    char text[NETWORK_ADDRESS_MAX];
    double allowance;
    uint64_t at; /* µs: time of that allowance */
};

/* How much of something the rooms of a creator have. */
struct holding {
    uint64_t creator, amount;
};

struct directory {
    uv_mutex_t lock;
    struct directory_limits limits;
    struct slot **slots; /* directory_slots(); each is allocated at its first use, and stays */
    uint32_t count;      /* rooms, without the rooms that give way */
    uint32_t giving;     /* rooms that give way */
    uint64_t moments;    /* see slot->since */
    _Atomic uint64_t version, openings;
    struct name *buckets[DIRECTORY_BUCKETS];
    struct list rest; /* resting codes; the first ends its rest first */
    uint32_t resting;
    struct address *addresses;
    uint32_t address_count;
    size_t address_capacity;
    struct holding *holdings; /* directory_slots(): for list_holdings() */
};

/* Returns the slot of that room, or NULL if the room has ended. */
static inline struct slot *directory_slot_of(struct directory *directory, uint64_t number)
{
    struct slot *slot = directory->slots[room_slot(number)];

    return slot->taken && slot->entry.number == number ? slot : NULL;
}

/* Makes a place for one more room: stores a room that gives way for it, if all places are taken. */
enum directory_result directory_make_place(struct directory *directory,
                                           const struct directory_creator *creator, uint64_t now,
                                           struct slot **giving);

/* Whether a place that is not reserved is left. */
bool directory_has_place(const struct directory *directory);

/* Notes that the room ends soon. The directory no longer counts it. */
void directory_give_way(struct directory *directory, struct slot *slot);

#endif
