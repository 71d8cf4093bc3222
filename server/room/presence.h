/* Presence: who is shown, and which presenters are away, sent as changes to the presence before, at
 * most one a second. Owned by one room. */
#ifndef PRESENCE_H
#define PRESENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "room/view.h"

struct room;

struct presence {
    uint32_t sequence; /* 0: nothing was said yet */
    uint64_t made_at;  /* µs */
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
};

void presence_finish(struct presence *presence);

/* Makes the next change if there is one and it is time. Without memory it waits for there to be. */
void presence_update(struct room *room, uint64_t now);

#endif
