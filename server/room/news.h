/* The news: what people change in a room, sent to all members as events. Changes of one thing by
 * one person in quick succession become one event, and the rate of events is bounded. Members who
 * join later get no earlier news. For the room's own files. */
#ifndef NEWS_H
#define NEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "room/room.h"
#include "scene/change.h"

#define NEWS_MAX   8u           /* waiting changes; beyond them the oldest is dropped */
#define NEWS_QUIET CHANGE_QUIET /* µs: a series is sent after a pause of that length, … */
#define NEWS_LATE  10000000u    /* … or that long after its first change */
#define NEWS_GAP   200000u      /* µs between two events … */
#define NEWS_BURST 4u           /* … but this many may come at once after a pause */
#define NEWS_BATCH CHANGE_BATCH /* µs between two parameters of a batch */

/* A change that has been made. Texts are copied, and cut to what an event holds. */
struct news_change {
    enum proto_type type;  /* the message that made it, */
    const char *name;      /* and what its event is called */
    const char *what;      /* the control or parameter, or "" */
    uint32_t param;        /* of a parameter: its index in the model's table */
    const char *from, *to; /* the values before and now; "": none */
    double before, after;  /* of a series, as numbers */
};

struct news_item {
    enum proto_type type;
    struct proto_event event;
    uint32_t params;      /* of a parameter, or a batch of them: a bit each */
    double before, after; /* of a series that is no batch */
    uint64_t since, last; /* µs: of its changes, the first and the last */
    uint64_t round;       /* of the scene, before the last change */
    bool due;             /* do not wait for more: a later change is to be sent at once */
};

struct news {
    uint32_t count;
    struct news_item *items; /* NEWS_MAX, the oldest first; NULL: nothing has changed yet */
    uint64_t told_at;        /* µs; see NEWS_GAP */
};

void news_init(struct news *news);
void news_finish(struct news *news);

size_t news_bytes(const struct news *news); /* of its memory */

/* slot: of the person who did it; PEOPLE_NONE: the HTTP API. Times are the room's. Without memory
 * there is no event. */
void news_add(struct room *room, uint32_t slot, const struct news_change *change, uint64_t now);

/* Makes events of what is due. */
void news_tell(struct room *room, uint64_t now);

/* Drops all waiting changes: the last member has left. */
void news_forget(struct room *room);

#endif
