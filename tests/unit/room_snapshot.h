/* A room's plain snapshot of everything, as someone gets it who is not counted among its people. */
#ifndef TEST_ROOM_SNAPSHOT_H
#define TEST_ROOM_SNAPSHOT_H

#include "room/state.h"

static inline struct frame *snapshot_frame(struct room *of, uint64_t now)
{
    uint32_t place = stream_enter(&of->streams, STREAM_PLAIN, &(struct proto_want){0}, 30);
    struct frame *frame;

    room_snapshot(of, now);
    frame = frame_hold(of->streams.list[place].key);
    stream_leave(&of->streams, place);
    return frame;
}

#endif
