/* Makes views for tests of an outlet, as a room does: one stream, and frames of zeros. */
#ifndef OUTLET_ROOM_H
#define OUTLET_ROOM_H

#include <stdlib.h>
#include <string.h>

#include "net/session/outlet.h"
#include "room/frame.h"
#include "room/view.h"

#define OUTLET_STREAM 7u

/* Returns a frame of that size. */
static inline struct frame *sized_frame(size_t size)
{
    struct frame *frame = frame_create(size);

    memset(frame_data(frame), 0, size);
    frame->size = size;
    return frame;
}

static inline void put_frame(struct frame **slot, struct frame *frame)
{
    frame_release(*slot);
    *slot = frame;
}

/* Returns an empty view with one stream. */
static inline struct room_view *make_view(void)
{
    struct room_view *view = view_create(1, 4);

    view->streams[0].id = OUTLET_STREAM;
    return view;
}

/* Adds the stream's next snapshot. delta, key: sizes of the delta and the keyframe; 0: none. */
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
