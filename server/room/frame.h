/* Frames: encoded messages, immutable once filled and counted, on their way from a room to the
 * sockets. Any thread may hold and release one; the last release frees it. */
#ifndef FRAME_H
#define FRAME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes in front of the data. The header of a WebSocket message is at their end. */
#define FRAME_HEADROOM 32u

struct frame {
    atomic_uint holders;
    size_t size; /* bytes of data in use */
    size_t capacity;
    uint8_t bytes[]; /* the headroom, then the data */
};

static inline uint8_t *frame_data(struct frame *frame)
{
    return frame->bytes + FRAME_HEADROOM;
}

/* Returns the frame's WebSocket message, which is its header and its data. Stores the bytes of
 * both. */
const uint8_t *frame_message(const struct frame *frame, size_t *size);

/* A frame of size 0 with room for `capacity` bytes of data, held once; NULL when memory runs out.
 */
struct frame *frame_create(size_t capacity);

/* Sets the number of data bytes and returns the frame. Without data it releases the frame and
 * returns NULL. Takes NULL. */
struct frame *frame_end(struct frame *frame, size_t size);

/* Gives back the memory that a frame held once does not use. */
struct frame *frame_shrink(struct frame *frame);

/* Returns a frame with those bytes, held once; NULL without bytes or memory. */
struct frame *frame_of(const uint8_t *bytes, size_t size);

/* Returns the frame itself; NULL is taken and given back. */
struct frame *frame_hold(struct frame *frame);

/* Returns a frame with a copy of the data, held once; NULL when memory runs out. */
struct frame *frame_copy(const struct frame *frame);

/* Returns whether both frames have the same data. */
bool frame_is_same(const struct frame *a, const struct frame *b);

/* Returns the bytes of its memory; 0 for NULL. */
size_t frame_bytes(const struct frame *frame);

/* Takes NULL. */
void frame_release(struct frame *frame);

#endif
