/* Presence: who is shown and which presenters are away, sent as changes to the presence before, at
 * most once a second. A member who is not shown gets its own state in a `self` message. Owned by
 * one room. */
#ifndef PRESENCE_H
#define PRESENCE_H

#include <stdint.h>

#include "protocol.h"
#include "room/view.h"

struct room;

struct presence {
    uint32_t sequence;      /* 0: nothing was said yet */
    uint64_t made_at;       /* µs */
    uint32_t people, names; /* the versions that it says: see struct people, struct room */
    /* The people in the last list: slots, and who was in them. */
    uint32_t count; /* PROTO_PEOPLE_MAX at most */
    struct presence_entry {
        uint32_t slot, id;
    } * listed;
    size_t capacity; /* of the list */
    /* The presenters who were said to be away, and until when that holds at the latest (µs). */
    uint32_t away_count;
    uint32_t away[PROTO_AWAY_MAX]; /* ids */
    uint64_t away_until;
    struct frame *whole, *changes[VIEW_PRESENCES]; /* as in a view */
    /* For self messages: when the last round began (µs), and the slot at which it continues; 0: it
     * has ended. */
    uint64_t selves_at;
    uint32_t self_next;
};

void presence_finish(struct presence *presence);

/* Makes the next presence message if something has changed and a second has passed. Without memory
 * it tries again later. */
void presence_update(struct room *room, uint64_t now);

/* Notes that the person's name and role were in the welcome. */
void presence_welcomed(struct room *room, uint32_t slot);

/* Must be called after each presence_update(). Sends a `self` message to some of the members who
 * are in no list, if their state has changed; to each at most once a second. */
void presence_tell_selves(struct room *room, uint64_t now);

#endif
