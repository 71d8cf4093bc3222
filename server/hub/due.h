/* Which room of a runner ticks next: the room with the earliest deadline. But after a tick of a
 * costly room (DUE_COSTLY), all cheap rooms that became due in that time tick before the next
 * costly room. So a cheap room waits for at most one costly tick, however many costly rooms exist.
 * Owned by one runner; only its thread may use it. */
#ifndef DUE_H
#define DUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUE_NONE   SIZE_MAX
#define DUE_COSTLY UINT64_C(1000000) /* ns: a room whose last tick took longer is costly */

struct runner_room;

/* A heap; the room with the earliest deadline is first. */
struct due_heap {
    struct runner_room **rooms;
    size_t count;
};

struct due {
    struct due_heap cheap, costly;
    uint64_t settled; /* ns: end of the last costly tick */
};

/* Creates it for up to rooms_max rooms. Returns false when memory runs out. due_destroy() takes a
 * zeroed struct, too. */
bool due_create(struct due *due, size_t rooms_max);
void due_destroy(struct due *due);

/* Adds a room that ticks at its deadlines; removes it. */
void due_add(struct due *due, struct runner_room *room);
void due_remove(struct due *due, struct runner_room *room);

/* Must be called after a room in here has ticked and has a new deadline and cost. now: end of the
 * tick (ns). */
void due_ticked(struct due *due, struct runner_room *room, uint64_t now);

/* Returns the room to tick now, or NULL if none is due. */
struct runner_room *due_next(const struct due *due, uint64_t now);

/* Returns the earliest deadline (ns), or UINT64_MAX if there is no room. */
uint64_t due_deadline(const struct due *due);

/* Returns the number of boids of the largest room in here; 0 if there is no room. */
uint32_t due_boids(const struct due *due);

#endif
