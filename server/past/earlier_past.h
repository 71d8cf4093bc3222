/* A past that comes from another node after its room: copies of the newest parts of a recording.
 * A thread that may take its time makes it; the room's thread links the parts into its history
 * (history_prepend()) and copies nothing. */
#ifndef EARLIER_PAST_H
#define EARLIER_PAST_H

#include <stdint.h>

#include "base/list.h"
#include "past/marks.h"

struct history_budget;
struct recording;

struct earlier_past {
    uint32_t tick_rate;
    uint64_t end;         /* rounds at its end */
    uint64_t tick, clock; /* when its last part began */
    struct list parts;    /* history_parts.h; the oldest first */
    struct marks marks;
    struct history_budget *budget; /* held; counts the bytes of the parts */
};

/* Copies the newest parts that fit into HISTORY_BYTES_MAX and the budget of the room. Returns NULL
 * if not even one part fits or memory runs out. The recording must have been checked. Any thread.
 */
struct earlier_past *earlier_past_create(const struct recording *recording,
                                         struct history_budget *budget);

/* Releases the parts that no history has taken. Takes NULL. */
void earlier_past_destroy(struct earlier_past *past);

#endif
