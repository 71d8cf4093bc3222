/* The roster: a shard's sessions, by their ids for replies, and by room for views, so that a view
 * of a room costs nothing to the sessions of others. It keeps each room's newest view for as long
 * as there are sessions of that room. On the shard's thread.
 *
 * What is in it is an entry within each session; sessions are not known here. */
#ifndef ROSTER_H
#define ROSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "room/view.h"

#define ROSTER_KEYS_MAX 8u

struct roster_room;

struct roster_entry {
    uint64_t id;              /* generation << 32 | slot + 1: never used again; 0: none */
    struct roster_room *room; /* NULL: in none */
    uint32_t index;           /* in the room's entries */
};

struct roster_room {
    uint64_t number;          /* see directory.h */
    struct roster_room *next; /* another one whose number has the same slot */
    struct room_view *view; /* the newest, with frames of the shard's own; NULL before the first */
    struct roster_entry **entries; /* dense; leaving moves the last one */
    uint32_t count, capacity;
    /* Streams of which a keyframe has been asked for since the view came. */
    uint32_t key_count, keys[ROSTER_KEYS_MAX];
};

struct roster {
    struct roster_entry **slots; /* NULL: free */
    uint32_t slot_count;
    uint32_t *free_slots;
    uint32_t free_count;
    uint32_t count; /* of entries */
    uint32_t generation;
    struct roster_room **rooms; /* by slot of their number */
    uint32_t room_slots;
    bool shares; /* views are another shard's, too: their frames have to be copied */
};

/* shares: whether other threads send frames of the same views. Finish when nobody is in it. */
void roster_init(struct roster *roster, bool shares);
void roster_finish(struct roster *roster);

/* Adds a session's entry and gives it its id. Returns false, and changes nothing, when memory runs
 * out. */
bool roster_add(struct roster *roster, struct roster_entry *entry);

/* Takes it out, of its room, too. */
void roster_remove(struct roster *roster, struct roster_entry *entry);

/* The entry of that id, or NULL. */
struct roster_entry *roster_find(const struct roster *roster, uint64_t id);

/* Puts an entry that is in no room into the one of that number. False when memory runs out. */
bool roster_enter(struct roster *roster, struct roster_entry *entry, uint64_t number);

/* Takes it out of its room, if it is in one; with the last one the room goes, too. */
void roster_leave(struct roster *roster, struct roster_entry *entry);

/* Takes over a room's newest view. Returns the room; NULL when nobody is in it, or memory runs out:
 * the next one may fit. */
struct roster_room *roster_take(struct roster *roster, struct room_view *view);

/* Whether a keyframe of that stream has to be asked for: not twice between two views. */
bool roster_wants_key(struct roster_room *room, uint32_t stream);

/* It has been asked for. */
void roster_key_asked(struct roster_room *room, uint32_t stream);

#endif
