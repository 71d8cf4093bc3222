#include "room/frame.h"

#include <stdlib.h>
#include <string.h>

struct frame *frame_create(size_t capacity)
{
    struct frame *frame = malloc(sizeof *frame + FRAME_HEADROOM + capacity);

    if (frame == NULL) {
        return NULL;
    }
    atomic_init(&frame->holders, 1);
    frame->size = 0;
    frame->capacity = capacity;
    return frame;
}

struct frame *frame_hold(struct frame *frame)
{
    if (frame != NULL) {
        atomic_fetch_add_explicit(&frame->holders, 1, memory_order_relaxed);
    }
    return frame;
}

struct frame *frame_copy(const struct frame *frame)
{
    struct frame *copy = frame_create(frame->size);

    if (copy != NULL) {
        copy->size = frame->size;
        memcpy(frame_data(copy), frame->bytes + FRAME_HEADROOM, frame->size);
    }
    return copy;
}

void frame_release(struct frame *frame)
{
    if (frame != NULL && atomic_fetch_sub_explicit(&frame->holders, 1, memory_order_acq_rel) == 1) {
        free(frame);
    }
}
