/* Cursor moves that wait for the next tick, of each person the newest. A room applies at most
 * MOVES_SECOND moves a second, so that its past, which has them all, fits into HISTORY_BYTES_MAX.
 * Further moves wait in three lines. An earlier line goes first, but each later line has a quarter
 * of the moves if it needs them. In a line, people take turns. */
#ifndef MOVES_H
#define MOVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"

#define MOVES_SECOND 2400u /* 80 with 30 ticks a second */

struct room;

struct move {
    uint64_t time; /* µs on the scene's clock */
    float x, y;
    uint32_t next; /* slot of the next one in the line, except of the last */
    bool in_line;
    bool withdrawn; /* its turn comes, and nothing moves */
};

enum moves_line {
    MOVES_FIRST,  /* of presenters, the spotlight and a relay's leader */
    MOVES_SHOWN,  /* of other shown people */
    MOVES_OTHERS, /* of people who are not shown */
    MOVES_LINES,
};

struct moves {
    struct move *waiting; /* by slot */
    size_t capacity;
    struct {
        uint32_t first, last; /* slots; undefined while the line is empty */
        uint32_t count;
    } lines[MOVES_LINES];
};

void moves_finish(struct moves *moves);

/* The person's cursor moves with the next ticks. Without memory it stays where it is. */
void moves_put(struct room *room, uint32_t slot, const struct proto_cursor *cursor, uint64_t time);

/* The person's waiting move is not applied: the person has left, or the cursor is away. */
void moves_withdraw(struct room *room, uint32_t slot);

/* Returns true if the person's cursor counts: a room may let viewers watch only. */
bool moves_may_steer(const struct room *room, uint32_t slot);

/* Applies the moves of one tick. */
void moves_apply(struct room *room);

#endif
