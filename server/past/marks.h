/* Marks: who changed what in a scene, and when. For the timeline of its past; a replay does not
 * need them. One thread at a time. */
#ifndef MARKS_H
#define MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"

struct mark {
    uint64_t round;           /* rounds of the scene before the change */
    struct proto_event event; /* as sent to the members; its tick is not used */
};

/* The newest PROTO_MARKS_MAX marks, the oldest first. All zeros: none. */
struct marks {
    struct mark *list;
    uint32_t count;
    size_t capacity;
};

void marks_finish(struct marks *marks);

/* Adds a mark in the order of rounds: the event of a series is sent some time after its last
 * change. Drops the oldest mark if there are too many. Returns false, with nothing changed, when
 * memory runs out. */
bool marks_add(struct marks *marks, const struct mark *mark);

/* Adds the marks of `from` at or after that round. Returns false when memory runs out. */
bool marks_add_all(struct marks *marks, const struct marks *from, uint64_t round);

/* Adds the marks of `from` at or after that round, which are earlier than all others: as many of
 * the newest as there is space for. Returns false when memory runs out. */
bool marks_add_earlier(struct marks *marks, const struct marks *from, uint64_t round);

/* Stores the marks within these rounds, with their times before `last`: as many of the newest as
 * fit into a message of PROTO_STATE_MAX bytes. */
void marks_describe(const struct marks *marks, uint64_t first, uint64_t last, uint32_t tick_rate,
                    struct proto_marks *out);

#endif
