/* The bytes of what nodes keep in buckets and tell each other: leases, routes, heads of
 * checkpoints, beats, facts of rooms. Little-endian, with a version in front. All readers take any
 * bytes, and return false if they are damaged or of an unknown version. They skip what later
 * releases append. Pure. */
#ifndef VALUES_H
#define VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/node.h"
#include "hub/directory.h"
#include "store/store.h"

#define VALUES_MAX 512u /* bytes of a lease, a route, a beat or a head */

/* BROKER_NODES: NODE. */
struct node_lease {
    bool dead; /* another node has declared it dead, or it has ended */
    uint64_t incarnation;
    enum node_role role;
    uint32_t version;
};

/* BROKER_ROOMS: CODE. The key's revision is the room's epoch. */
struct route_value {
    bool ended; /* it has no owner, and the code rests until then (s) */
    uint64_t until;
    char owner[NODE_NAME_MAX + 1]; /* else */
    uint64_t incarnation;          /* the owner's */
};

/* BROKER_CHECKS: CODE. The room's bytes, which have a checksum, end the value that begins with the
 * head, or are in parts: keys CODE.EPOCH.a.N or CODE.EPOCH.b.N. */
struct check_head {
    uint64_t epoch;
    uint32_t parts; /* 0: the bytes follow */
    bool turn;      /* of the parts: b, not a */
    uint64_t size;  /* of the room's bytes */
    bool listed, trusted;
    uint64_t saved_at, fingerprint, creator; /* see struct store_room */
};

/* Return the number of bytes written. */
size_t values_write_lease(const struct node_lease *lease, uint8_t out[VALUES_MAX]);
size_t values_write_route(const struct route_value *route, uint8_t out[VALUES_MAX]);
size_t values_write_head(const struct check_head *head, uint8_t out[VALUES_MAX]);
size_t values_write_beat(const struct node_beat *beat, uint8_t out[VALUES_MAX]);

bool values_read_lease(const uint8_t *bytes, size_t size, struct node_lease *lease);
bool values_read_route(const uint8_t *bytes, size_t size, struct route_value *route);
/* *used: the bytes in front of the room's, if there are any: see head->size. */
bool values_read_head(const uint8_t *bytes, size_t size, struct check_head *head, size_t *used);
/* Returns the version of the bytes of a beat, of any version; 0: they are no beat. */
uint32_t values_beat_version(const uint8_t *bytes, size_t size);

bool values_read_beat(const uint8_t *bytes, size_t size, struct node_beat *beat);

/* The message on take.NODE to the new owner of a room that a node gave away: the key of
 * BROKER_ROOMS with its new revision. */
struct room_take {
    char code[PROTO_ROOM_MAX + 1];
    uint64_t revision;
    struct route_value route;
};
size_t values_write_take(const struct room_take *take, uint8_t out[VALUES_MAX]);
bool values_read_take(const uint8_t *bytes, size_t size, struct room_take *take);

/* The message on want.NODE to the owner of a room: another node with that many people in it asks
 * for the room. */
struct room_want {
    char code[PROTO_ROOM_MAX + 1];
    char node[NODE_NAME_MAX + 1];
    uint32_t people;
};
size_t values_write_want(const struct room_want *want, uint8_t out[VALUES_MAX]);
bool values_read_want(const uint8_t *bytes, size_t size, struct room_want *want);

/* A parcel: the film or the past of a room, which a node that ends gives to the room's next owner.
 * The sender announces it on take.NODE. */
struct room_parcel {
    char code[PROTO_ROOM_MAX + 1];
    char node[NODE_NAME_MAX + 1]; /* the sender */
    uint64_t number;              /* a random number */
    uint64_t epoch; /* of the room: for a film the sender's, for a past the receiver's */
    bool is_film;
    bool trusted;
    uint64_t creator; /* of the room: see struct store_room */
    uint64_t size;    /* bytes, 1 or more */
};
size_t values_write_parcel(const struct room_parcel *parcel, uint8_t out[VALUES_MAX]);
bool values_read_parcel(const uint8_t *bytes, size_t size, struct room_parcel *parcel);

enum parcel_result {
    PARCEL_WANTED, /* the receiver asks for a part */
    PARCEL_TAKEN,
    PARCEL_REFUSED,
    PARCEL_BROKEN, /* parts do not come, or the receiver has ended: further parcels are in vain */
};

/* The receiver's answer on take.NODE. */
struct parcel_answer {
    char node[NODE_NAME_MAX + 1]; /* the receiver */
    uint64_t number;              /* of the parcel */
    enum parcel_result result;
    uint32_t index; /* of the wanted part */
};
size_t values_write_answer(const struct parcel_answer *answer, uint8_t out[VALUES_MAX]);
bool values_read_answer(const uint8_t *bytes, size_t size, struct parcel_answer *answer);

/* The head of a part of a parcel on part.NODE, which the part's bytes follow. */
struct parcel_part {
    uint64_t number; /* of the parcel */
    uint32_t index;  /* of the part */
};
size_t values_write_part(const struct parcel_part *part, uint8_t out[VALUES_MAX]);
/* *used: the bytes of the head. */
bool values_read_part(const uint8_t *bytes, size_t size, struct parcel_part *part, size_t *used);

/* Facts of rooms that a node publishes on facts.NODE: as many as fit. */
#define VALUES_FACTS_MAX 32768u /* bytes of a message with facts */

struct facts_writer {
    uint8_t bytes[VALUES_FACTS_MAX];
    size_t size;
};
void values_begin_facts(struct facts_writer *writer, uint64_t incarnation);
/* The entry's key is written as a digest, and only if flockd made the key.
 * epoch: under which the node owns the room, so that who hears of it knows its route; 0: not now.
 * Returns false, and writes nothing, if there is no space left. */
bool values_add_facts(struct facts_writer *writer, const struct directory_entry *entry,
                      uint64_t epoch);

/* Whether the facts of two entries are the same. */
bool values_same_facts(const struct directory_entry *a, const struct directory_entry *b);

/* Takes an entry; its number and runner are 0. epoch: as above; 0 from nodes of earlier releases.
 */
typedef void values_take_facts(void *argument, const struct directory_entry *entry, uint64_t epoch);

/* Calls take() with each entry. */
bool values_read_facts(const uint8_t *bytes, size_t size, uint64_t *incarnation,
                       values_take_facts *take, void *argument);

#endif
