/* The queue of a runner's rooms that seek a moment of their past. */
#include "hub/runner_room.h"

void runner_room_seeks(struct runner_room *room)
{
    struct runner *runner = room->runner;

    if (room->seeks || room->due_index == DUE_NONE || !room_shows_past(room->room)) {
        return;
    }
    room->seeks = true;
    room->seeks_next = NULL;
    if (runner->seeks_last != NULL) {
        runner->seeks_last->seeks_next = room;
    } else {
        runner->seeks_first = room;
    }
    runner->seeks_last = room;
}

void runner_room_seeks_no_more(struct runner_room *room)
{
    struct runner *runner = room->runner;
    struct runner_room *before = NULL;

    if (!room->seeks) {
        return;
    }
    for (struct runner_room *at = runner->seeks_first; at != room; at = at->seeks_next) {
        before = at;
    }
    if (before != NULL) {
        before->seeks_next = room->seeks_next;
    } else {
        runner->seeks_first = room->seeks_next;
    }
    runner->seeks_last = runner->seeks_last == room ? before : runner->seeks_last;
    room->seeks = false;
}
