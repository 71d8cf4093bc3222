/* Views as a room makes them, for an outlet under test: one stream, frames that have sizes and say
 * nothing. */
#ifndef OUTLET_ROOM_H
#define OUTLET_ROOM_H

#include <stdlib.h>

#include "net/session/outlet.h"
#include "room/frame.h"
#include "room/view.h"

#define OUTLET_STREAM 7u

/* A frame of that size without bytes. */
static inline struct frame *sized_frame(size_t size)
{
    struct frame *frame = frame_create(0);

    frame->size = size;
    return frame;
}

static inline void put_frame(struct frame **slot, struct frame *frame)
{
    frame_release(*slot);
    *slot = frame;
}

/* An empty view with one stream. */
static inline struct room_view *make_view(void)
{
    struct room_view *view = view_create(1);

    view->streams[0].id = OUTLET_STREAM;
    return view;
}

/* The stream's next snapshot: a delta of that size, a keyframe of that size, 0: none. */
static inline void add_snapshot(struct room_view *view, size_t delta, size_t key)
{
    struct view_stream *stream = &view->streams[0];

    stream->sequence++;
    put_frame(&stream->deltas[stream->sequence % VIEW_DELTAS],
              delta > 0 ? sized_frame(delta) : NULL);
    if (key > 0) {
        put_frame(&stream->key, sized_frame(key));
        stream->key_sequence = stream->sequence;
    }
}

#endif
