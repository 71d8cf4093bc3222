/* Presence: who is shown, and which presenters are away, sent as changes to the presence before, at
 * most one a second. Whoever is not shown is told about itself, by a message of its own. Owned by
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
    /* Who was listed: slots, and who was in them. */
    uint32_t count;
    struct {
        uint32_t slot, id;
    } listed[PROTO_PEOPLE_MAX];
    /* The presenters who were said to be away, and until when that holds at the latest (µs). */
    uint32_t away_count;
    uint32_t away[PROTO_AWAY_MAX]; /* ids */
    uint64_t away_until;
    struct frame *whole, *changes[VIEW_PRESENCES]; /* as in a view */
    /* Of telling people about themselves: when the last round began (µs), and the slot where it
     * goes on; 0: it has ended. */
    uint64_t selves_at;
    uint32_t self_next;
};

void presence_finish(struct presence *presence);

/* Makes the next change if there is one and it is time. Without memory it waits for there to be. */
void presence_update(struct room *room, uint64_t now);

/* The person has been told what it is by its welcome. */
void presence_welcomed(struct room *room, uint32_t slot);

/* After each presence_update(): tells some of those who are in no list what they are, if that has
 * changed since they were told; each at most once a second. */
void presence_tell_selves(struct room *room, uint64_t now);

#endif
