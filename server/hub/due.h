/* Which room of a runner ticks next: the one whose deadline is the earliest. But after a tick of a
 * costly room (DUE_COSTLY), every cheap room whose deadline passed meanwhile ticks before the next
 * costly one: a cheap room waits for one costly tick at most, however many costly rooms there are.
 * Owned by one runner; its thread alone. */
#ifndef DUE_H
#define DUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUE_NONE   SIZE_MAX
#define DUE_COSTLY UINT64_C(1000000) /* ns: a room whose last tick took longer is costly */

struct runner_room;

/* A heap with the earliest deadline in front. */
struct due_heap {
    struct runner_room **rooms;
    size_t count;
};

struct due {
    struct due_heap cheap, costly;
    uint64_t settled; /* ns: when the last costly tick ended */
};

/* For up to that many rooms. False when memory runs out; destroy takes one that was not created,
 * all zeros. */
bool due_create(struct due *due, size_t rooms_max);
void due_destroy(struct due *due);

/* From now on the room ticks at its deadlines; it ticks no more. */
void due_add(struct due *due, struct runner_room *room);
void due_remove(struct due *due, struct runner_room *room);

/* A room that was added has ticked, and its deadline and cost are new. now: when the tick ended
 * (ns). */
void due_ticked(struct due *due, struct runner_room *room, uint64_t now);

/* The room to tick now; NULL: none is due. */
struct runner_room *due_next(const struct due *due, uint64_t now);

/* When the next one is due (ns); UINT64_MAX: there is none. */
uint64_t due_deadline(const struct due *due);

/* The boids of the biggest of them; 0: there is none. */
uint32_t due_boids(const struct due *due);

#endif
