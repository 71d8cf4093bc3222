#include "room/frame.h"

#include <assert.h>
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

struct frame *frame_end(struct frame *frame, size_t size)
{
    if (frame == NULL || size == 0) {
        frame_release(frame);
        return NULL;
    }
    assert(size <= frame->capacity);
    frame->size = size;
    return frame;
}

struct frame *frame_shrink(struct frame *frame)
{
    struct frame *less;

    assert(atomic_load(&frame->holders) == 1);
    less = realloc(frame, sizeof *frame + FRAME_HEADROOM + frame->size);
    if (less == NULL) {
        return frame;
    }
    less->capacity = less->size;
    return less;
}

struct frame *frame_hold(struct frame *frame)
{
    if (frame != NULL) {
        atomic_fetch_add_explicit(&frame->holders, 1, memory_order_relaxed);
    }
    return frame;
}

struct frame *frame_of(const uint8_t *bytes, size_t size)
{
    struct frame *frame = size > 0 ? frame_create(size) : NULL;

    if (frame != NULL) {
        frame->size = size;
        memcpy(frame_data(frame), bytes, size);
    }
    return frame;
}

struct frame *frame_copy(const struct frame *frame)
{
    return frame_of(frame->bytes + FRAME_HEADROOM, frame->size);
}

bool frame_is_same(const struct frame *a, const struct frame *b)
{
    return a->size == b->size &&
           memcmp(a->bytes + FRAME_HEADROOM, b->bytes + FRAME_HEADROOM, a->size) == 0;
}

size_t frame_bytes(const struct frame *frame)
{
    return frame != NULL ? sizeof *frame + FRAME_HEADROOM + frame->capacity : 0;
}

void frame_release(struct frame *frame)
{
    if (frame != NULL && atomic_fetch_sub_explicit(&frame->holders, 1, memory_order_acq_rel) == 1) {
        free(frame);
    }
}
