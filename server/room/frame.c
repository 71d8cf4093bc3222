#include "room/frame.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* RFC 6455: the first byte of a whole message, and the second byte before a longer length. */
#define WHOLE_BINARY  0x82u
#define LENGTH_16_BIT 126u
#define LENGTH_64_BIT 127u

/* Returns the bytes of a message's header. size: the bytes of its data. */
static size_t header_size(size_t size)
{
    return size < LENGTH_16_BIT ? 2 : size <= UINT16_MAX ? 4 : 10;
}

static void set_size(struct frame *frame, size_t size)
{
    const size_t head = header_size(size);
    uint8_t *header = frame_data(frame) - head;

    frame->size = size;
    header[0] = WHOLE_BINARY;
    header[1] = (uint8_t)(head == 2 ? size : head == 4 ? LENGTH_16_BIT : LENGTH_64_BIT);
    for (size_t i = 2; i < head; i++) {
        header[i] = (uint8_t)(size >> 8 * (head - 1 - i));
    }
}

const uint8_t *frame_message(const struct frame *frame, size_t *size)
{
    const size_t head = header_size(frame->size);

    *size = head + frame->size;
    return frame->bytes + FRAME_HEADROOM - head;
}

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
    set_size(frame, size);
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
        set_size(frame, size);
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
