/* The roster: a shard's sessions, by id for replies and by room for views, so that a view costs
 * nothing to sessions of other rooms. It holds each room's newest view while the room has sessions
 * here. Must be used on the shard's thread.
 *
 * It holds an entry of each session and knows nothing else of sessions. */
#ifndef ROSTER_H
#define ROSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "room/view.h"

#define ROSTER_KEYS_MAX 8u
#define ROSTER_LISTS    1024u
#define ROSTER_TURN     64u /* entries of a room in turn, if other rooms have views to send, too */
#define ROSTER_FRESH    5u  /* the rank of newcomers, … */
#define ROSTER_RANKS    6u  /* … which is the last */
#define ROSTER_LATER    8u  /* each 8th entry is of a later rank */

struct roster_room;

struct roster_entry {
    uint64_t id;              /* generation << 32 | slot + 1: never used again; 0: none */
    struct roster_room *room; /* NULL: in no room */
    union {
        struct list_item item;     /* in the room's entries */
        struct roster_room *spare; /* in no room: memory for one that it enters first, or NULL */
    };
    uint8_t rank; /* less than ROSTER_RANKS */
};

struct roster_room {
    uint64_t number;        /* see directory.h */
    struct list_item item;  /* in the list of its number's slot */
    struct room_view *view; /* with frames owned by this shard; NULL before the first */
    struct room_view *next; /* a newer one, while the first rank waits for the view; NULL: none */
    int64_t ahead;          /* µs: the clock of its snapshots less this server's */
    struct roster_rank {
        struct list entries; /* first those to which the view is due */
        uint32_t count, due; /* entries; entries to which it is due */
    } ranks[ROSTER_RANKS];
    uint32_t count, due;     /* of all ranks */
    uint32_t turns;          /* entries so far to which a view was due */
    struct list_item unsent; /* in roster->unsent while the view is due, or there is a newer one */
    bool by_server;          /* the server trusts the room: see roster_take() */
    /* Streams of which a keyframe was requested since the view arrived. */
    uint32_t key_count, keys[ROSTER_KEYS_MAX];
};

struct roster {
    struct roster_entry **slots; /* NULL: free */
    uint32_t slot_count;
    uint32_t *free_slots;
    uint32_t free_count;
    uint32_t count; /* of entries */
    uint32_t generation;
    struct list rooms[ROSTER_LISTS]; /* by slot of their numbers */
    struct list unsent[2];           /* rooms whose views are due, in turn, by room->by_server */
    uint32_t due[2]; /* entries that wait for a view, without newcomers, by room->by_server */
    bool shares;     /* other shards use the same views: their frames must be copied */
};

/* shares: other threads send frames of the same views. roster_finish() needs an empty roster. */
void roster_init(struct roster *roster, bool shares);
void roster_finish(struct roster *roster);

/* Adds a session's entry and sets its id. Returns false, and changes nothing, if memory runs out.
 */
bool roster_add(struct roster *roster, struct roster_entry *entry);

/* Removes the entry from its room and from the roster. */
void roster_remove(struct roster *roster, struct roster_entry *entry);

/* Returns the entry of that id, or NULL. */
struct roster_entry *roster_find(const struct roster *roster, uint64_t id);

/* Makes the memory with which the entry, which is in no room, surely enters a room. Returns false
 * if there is none. */
bool roster_reserve(struct roster_entry *entry);

/* Moves the entry to the room of that number, from the room that it is in, if any. Returns false,
 * and changes nothing, if memory runs out, which it cannot after roster_reserve(). */
bool roster_enter(struct roster *roster, struct roster_entry *entry, uint64_t number);

/* Removes the entry from its room, if any, or frees what was reserved for it. A room without
 * entries is freed. */
void roster_leave(struct roster *roster, struct roster_entry *entry);

/* Sets the entry's rank, 0 to ROSTER_RANKS - 1. If it changes, the entry waits for its room's next
 * view. */
void roster_set_rank(struct roster *roster, struct roster_entry *entry, uint8_t rank);

/* Takes over a room's newest view. It is due to all entries of the room as soon as no entry of the
 * first rank waits for the view before. by_server: the room is the lobby, or was made with the
 * server's key. Releases the view if the room has no sessions here, or memory runs out, which may
 * succeed with the next one. */
void roster_take(struct roster *roster, struct room_view *view, bool by_server);

/* Returns true if a view is due to a client that is no newcomer. */
static inline bool roster_is_due(const struct roster *roster, bool by_server)
{
    return roster->due[by_server] > 0;
}

/* Returns the next entry to which its room's view is due, or NULL. Entries of a lower rank come
 * first. But each 8th entry is of a later rank that waits, so that every rank moves on. Entries of
 * one rank take turns. A room with many entries takes turns with other rooms. */
struct roster_entry *roster_due(struct roster *roster, bool by_server);

/* Returns true if a keyframe of that stream must be requested: once per view is enough. */
bool roster_wants_key(struct roster_room *room, uint32_t stream);

/* Notes that the keyframe was requested. */
void roster_key_asked(struct roster_room *room, uint32_t stream);

#endif
