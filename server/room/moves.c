#include "room/moves.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "room/apply.h"
#include "room/state.h"

#define LATER_PART 4u /* 1/4 of the moves of a tick are for each later line */

_Static_assert(MOVES_SECOND / PROTO_RATE_MAX >= LATER_PART, "each line has moves in each tick");

void moves_finish(struct moves *moves)
{
    free(moves->waiting);
}

/* Returns NULL without memory. */
static struct move *find_move(struct moves *moves, uint32_t slot)
{
    const size_t before = moves->capacity;
    struct move *waiting;

    if (slot < before) {
        return &moves->waiting[slot];
    }
    waiting =
        grow_array(moves->waiting, &moves->capacity, slot + 1, PEOPLE_SLOTS_MAX, sizeof *waiting);
    if (waiting == NULL) {
        return NULL;
    }
    memset(waiting + before, 0, (moves->capacity - before) * sizeof *waiting);
    moves->waiting = waiting;
    return &waiting[slot];
}

/* ---- waiting ---- */

static enum moves_line line_of(const struct room *room, uint32_t slot)
{
    const struct person *person = room_person_at(room, slot);
    const struct people *people = room_people(room);

    if (person->role == PROTO_PRESENTER || person->id == people->spotlight ||
        person->id == people->leader) {
        return MOVES_FIRST;
    }
    return person->shown ? MOVES_SHOWN : MOVES_OTHERS;
}

static void join_line(struct moves *moves, enum moves_line line, uint32_t slot)
{
    if (moves->lines[line].count++ == 0) {
        moves->lines[line].first = slot;
    } else {
        moves->waiting[moves->lines[line].last].next = slot;
    }
    moves->lines[line].last = slot;
    moves->waiting[slot].in_line = true;
}

/* A person who is in a line keeps the turn. */
void moves_put(struct room *room, uint32_t slot, const struct proto_cursor *cursor, uint64_t time)
{
    struct move *move = find_move(&room->moves, slot);

    if (move == NULL) {
        return;
    }
    if (!move->in_line) {
        join_line(&room->moves, line_of(room, slot), slot);
    }
    move->x = cursor->x;
    move->y = cursor->y;
    move->time = time;
    move->withdrawn = false;
}

void moves_withdraw(struct room *room, uint32_t slot)
{
    if (slot < room->moves.capacity) {
        room->moves.waiting[slot].withdrawn = true;
    }
}

/* ---- ticks ---- */

bool moves_may_steer(const struct room *room, uint32_t slot)
{
    return scene_controls_of(room->present)->viewers != VIEWERS_WATCH ||
           room_person_at(room, slot)->role == PROTO_PRESENTER;
}

/* Returns whether the person's cursor has moved. */
static bool apply_move(struct room *room, uint32_t slot)
{
    const struct move *move = &room->moves.waiting[slot];
    const struct cursor *before = &room_person_at(room, slot)->cursor;
    float x = move->x;
    float y = move->y;

    if (move->withdrawn || !moves_may_steer(room, slot)) {
        return false;
    }
    cursor_keep(flock_settings_of(scene_flock(room->present)), &x, &y);
    if (before->present && before->x == x && before->y == y) {
        return false;
    }
    apply_surely(
        room, &(struct input){.type = room_person_at(room, slot)->shown ? INPUT_CURSOR : INPUT_MOVE,
                              .slot = slot,
                              .time = move->time,
                              .x = x,
                              .y = y});
    return true;
}

/* Applies up to `most` moves of the line. Returns how many it did. */
static uint32_t apply_line(struct room *room, enum moves_line line, uint32_t most)
{
    struct moves *moves = &room->moves;
    uint32_t applied = 0;

    while (applied < most && moves->lines[line].count > 0) {
        const uint32_t slot = moves->lines[line].first;
        struct move *move = &moves->waiting[slot];
        moves->lines[line].first = move->next;
        moves->lines[line].count--;
        move->in_line = false;
        applied += apply_move(room, slot);
    }
    return applied;
}

void moves_apply(struct room *room)
{
    const uint32_t all = MOVES_SECOND / room->definition.tick_rate;
    uint32_t left = all;

    for (enum moves_line line = MOVES_FIRST; line < MOVES_LINES; line++) {
        uint32_t later = 0;
        for (enum moves_line other = line + 1; other < MOVES_LINES; other++) {
            const uint32_t count = room->moves.lines[other].count;
            later += count < all / LATER_PART ? count : all / LATER_PART;
        }
        left -= apply_line(room, line, left - later);
    }
}
