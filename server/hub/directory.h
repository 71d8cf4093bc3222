/* The directory: all rooms by code, the public facts of each, and the limits on creating rooms. Any
 * thread may call it; a lock guards it for moments only. Times are µs on the server's clock.
 *
 * Each creator, an address or an IPv6 network, may have at most half of the places that would be
 * free without its own rooms. An eighth of all places is reserved for rooms of trusted creators.
 * When no place is left, a room that no client ever joined gives way. If there is none, a room
 * without people does: for a trusted creator any such room, for others one of the creator with the
 * most rooms, if that creator has at least two more than the newcomer. So idle rooms of a few
 * addresses keep no other address out. To the place of a creator's first room an unused room with
 * people gives way on the same condition: no client has joined or steered it for a while, which is
 * the longer the more people are there. A creator's only room that no client joined yet goes last
 * while it is new. Rooms of trusted creators and the lobby never give way.
 *
 * In a cluster, each node leaves one more place for the lobby, which may come from another node.
 * A room that comes from another node is no new room of its creator: half of the free places is no
 * limit, and nothing gives way to an untrusted one. All else is as above. The lobby always gets a
 * place, beyond rooms_max if need be.
 *
 * A room's number is generation << 32 | slot + 1: slots are small and reused, numbers are not. */
#ifndef DIRECTORY_H
#define DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "room/room.h"

#define DIRECTORY_CODE_LENGTH 6u
#define DIRECTORY_CODE_REST                                                                        \
    UINT64_C(86400000000) /* µs that the code of an ended room rests: no room gets it */

static inline uint32_t room_slot(uint64_t number)
{
    return (uint32_t)number - 1;
}

/* A room's counters: its runner writes them, any thread may read them. Reset for the slot's next
 * room. */
struct room_stats {
    _Atomic uint64_t people, boids;  /* at present */
    _Atomic uint64_t ticks, dropped; /* computed, and skipped when overdue */
    _Atomic uint64_t encoded, keys;  /* snapshots' frames: all, and keyframes */
    _Atomic uint64_t busy;           /* ns spent on it: events, ticks, snapshots, saving */
    _Atomic uint64_t bytes;          /* its memory, when it was last reported */
    _Atomic uint64_t used;           /* µs: when it was made, or last joined or steered */
};

struct directory_limits {
    uint32_t rooms_max;      /* including the lobby */
    uint32_t rooms_per_hour; /* that one address may create */
    uint64_t unused;         /* µs for each person after which a room may give way; 0: never */
};

#define DIRECTORY_RESERVE 8u  /* of rooms_max, one part is for trusted creators */
#define DIRECTORY_CLASS   30u /* people: a room of more keeps its place no longer */
#define DIRECTORY_GIVING  64u /* rooms that give way and have not ended yet, at most */

/* Returns the number of slots: rooms that give way still have one, and the lobby may be one room
 * more than rooms_max. */
static inline uint32_t directory_slots(const struct directory_limits *limits)
{
    return limits->rooms_max + DIRECTORY_GIVING + 1;
}

/* The public facts of a room. */
struct directory_entry {
    uint64_t number;
    uint32_t runner;
    char code[PROTO_ROOM_MAX + 1];
    char title[PROTO_TITLE_MAX + 1];
    uint32_t model, preset; /* see struct room_facts */
    uint32_t people, boids;
    bool listed, locked;
    bool trusted;                /* the server trusts its presenters: see place.h */
    bool by_server;              /* it is the lobby, or was made with the server's key */
    uint64_t creator;            /* see struct directory_creator */
    char key[PROTO_KEY_MAX + 1]; /* the presenter key, concealed (see key.h): not public */
    bool key_made;
};

enum directory_result {
    DIRECTORY_OK,
    DIRECTORY_FULL,      /* rooms_max rooms exist */
    DIRECTORY_SHARE,     /* the creator has half of the free places */
    DIRECTORY_TAKEN,     /* the code is in use or rests */
    DIRECTORY_TOO_MANY,  /* the address has used up its allowance */
    DIRECTORY_NO_MEMORY, /* or no randomness */
    DIRECTORY_REFUSED,   /* a room cannot begin with these settings */
    DIRECTORY_AWAY,      /* the cluster cannot say now whether the code is free */
};

struct directory;

/* Returns NULL when memory runs out; destroy takes NULL. */
struct directory *directory_create(const struct directory_limits *limits);
void directory_destroy(struct directory *directory);

/* The creator of a room. address: the client's, as text (one IPv6 network counts as one address),
 * or NULL for the server itself, which makes the lobby and restores rooms: it has no limit but
 * rooms_max. number: the creator's, to count its rooms; 0: not known. trusted: by the server's
 * key. arrives: the room comes from another node. */
struct directory_creator {
    const char *address;
    uint64_t number;
    bool trusted;
    bool arrives;
};

/* More results of directory_add(). */
struct directory_added {
    uint32_t retry_after; /* ms until DIRECTORY_TOO_MANY ends */
    uint64_t gives_way;   /* the number of a room that must end now, and its runner; 0: none. If it
                           * cannot end, directory_stay() must be called. */
    uint32_t runner;
};

/* Adds an entry with a number for a new room. code NULL: an unused code. The entry is found only
 * after directory_open(). */
enum directory_result directory_add(struct directory *directory, const char *code,
                                    const struct directory_creator *creator, uint64_t now,
                                    struct directory_entry *entry, struct directory_added *added);

/* A newcomer may lack a place, boids or memory. Then idle rooms give way. */
enum directory_amount { DIRECTORY_ROOMS, DIRECTORY_BOIDS, DIRECTORY_BYTES };

/* An amount that a newcomer lacks. */
struct directory_need {
    enum directory_amount what;
    uint64_t amount;  /* that must become free */
    uint64_t creator; /* see struct directory_creator */
    bool trusted;
    uint64_t mine; /* the creator will have so much */
    uint64_t now;
};

#define DIRECTORY_WAY 16u /* rooms that give way at once, at most */

/* Rooms that must end now, and their runners. directory_stay() must be called for a room that
 * cannot end. */
struct directory_way {
    uint32_t count;
    uint64_t rooms[DIRECTORY_WAY];
    uint32_t runners[DIRECTORY_WAY];
};

/* Chooses rooms that give way, until the amount is free: for a trusted creator any untrusted ones
 * without people; for others the rooms of the creators who have most, and who then still have as
 * much as the newcomer. Returns false, and chooses none, if these are too few. */
bool directory_make_way(struct directory *directory, const struct directory_need *need,
                        struct directory_way *way);

/* Whether the people in a room with these counters have not used it for limits.unused times their
 * number, of up to DIRECTORY_CLASS. Then the room may give way. */
bool directory_is_unused(const struct directory *directory, const struct room_stats *stats,
                         uint32_t people, uint64_t now);

/* The room does not give way after all. */
void directory_stay(struct directory *directory, uint64_t number);

/* Makes the room findable, with the title, model, … of the entry. Does nothing if the room has
 * ended since its runner took it. */
void directory_open(struct directory *directory, const struct directory_entry *entry);

/* Removes a room that has ended, or that could not be made (then its code does not rest). */
void directory_remove(struct directory *directory, uint64_t number, uint64_t now);

/* Removes a room that has been released: its code does not rest. */
void directory_release(struct directory *directory, uint64_t number);

/* Makes a code rest until that time, unless a room has it or memory runs out. Must be called before
 * any room ends, and in ascending order of `until`. */
void directory_rest(struct directory *directory, const char *code, uint64_t until);

/* Updates a room's public facts. */
void directory_update(struct directory *directory, uint64_t number, const struct room_facts *facts);
void directory_list_room(struct directory *directory, uint64_t number, bool listed);

/* Finds a room by its code in the form of proto_room_canonical(). */
bool directory_find(struct directory *directory, const char *code, struct directory_entry *entry);

/* Fills entries with up to `max` rooms, all or only listed ones, in the order of their slots.
 * Begins at *next and moves it behind the last. Returns their number; 0 at the end. */
uint32_t directory_read(struct directory *directory, bool listed_only, uint32_t *next,
                        struct directory_entry *entries, uint32_t max);

/* Returns a number that changes whenever a room is opened, and with directory_look_again(). */
uint64_t directory_openings(const struct directory *directory);
void directory_look_again(struct directory *directory);

/* Stores the runner of the room of that number. Returns false if the room has ended. */
bool directory_runner(struct directory *directory, uint64_t number, uint32_t *runner);

uint32_t directory_count(struct directory *directory);

/* Returns a number that changes whenever a room enters or leaves the list, or a listed room's facts
 * change. */
uint64_t directory_version(const struct directory *directory);

/* Returns the counters of that slot, or NULL if no room was ever in it. The pointer stays valid as
 * long as the directory. */
struct room_stats *directory_stats(struct directory *directory, uint32_t slot);

#endif
