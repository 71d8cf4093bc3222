/* What changes a room from outside, as compact bytes, one after another: the calls that came from
 * its members and from whoever ticks it, with the times that they were given. From a room as it was
 * and the inputs after that, the room is made again bit for bit (replay.h).
 *
 * Each input begins with a byte. Whole numbers are varints (7 bits a byte, the lowest first), times
 * are µs on the room's clock, as differences to the input before (zigzag).
 *
 *   0x80–0xff  a tick, its time being that of the tick before + the period + the byte - 0xc0
 *   0x40–0x7f  a shown person's cursor moves: slot (0x7f: 0x3f + a varint that follows), time, and
 *              what x and y's bits as floats have changed by, each a zigzag
 *   below      enum input_type, its fields in the order of struct input
 *
 * Pure: bytes only. */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"

enum input_type {
    INPUT_TICK,    /* time: room_tick() */
    INPUT_STILL,   /* time: the same, but that the flock did not move, for want of time or memory */
    INPUT_CURSOR,  /* slot, time, dx, dy: of a shown person; several within a tick are one */
    INPUT_MOVE,    /* slot, time, dx, dy: of one who was not shown, and may be from now on */
    INPUT_AWAY,    /* slot: the cursor is withdrawn */
    INPUT_JOIN,    /* slot (INPUT_NEW: somebody new), time, role */
    INPUT_LEAVE,   /* slot, time, expelled */
    INPUT_ROLE,    /* slot, role: here or away */
    INPUT_DEMOTE,  /* all who are away are viewers */
    INPUT_PAUSE,   /* the flock is paused, for a tick took too long */
    INPUT_MESSAGE, /* time, message: what a presenter asked for, as in PROTOCOL.md */
    INPUT_TYPES,
};

#define INPUT_NEW UINT32_MAX

/* Bytes that an input takes at most. */
#define INPUT_MAX (PROTO_MESSAGE_MAX + 32u)

struct input {
    enum input_type type;
    uint64_t time;
    uint32_t slot;
    /* What is added, modulo 2^32, to the bits of the person's cursor (none: to those of 0.0). */
    uint32_t dx, dy;
    enum proto_role role;
    bool expelled;
    /* INPUT_MESSAGE: the message, and its bytes as recorded. Neither belongs to the input.
     * scene_apply() reads the message, input_encode() and input_next() the bytes. */
    const struct proto_client_message *message;
    const uint8_t *bytes;
    size_t bytes_size;
    uint32_t by; /* the id of the person who sent the message; 0: none. Not recorded */
};

/* What an input's times are counted from. */
struct input_clock {
    uint64_t time, tick; /* of the input, and of the tick, before */
    uint64_t period;     /* of ticks */
};

/* The clock of inputs that come after that time. */
struct input_clock input_clock_at(uint64_t time, uint32_t tick_rate);

/* Returns the bytes that it takes. The message has PROTO_MESSAGE_MAX bytes at most. */
size_t input_encode(struct input_clock *clock, const struct input *input, uint8_t out[INPUT_MAX]);

struct input_reader {
    struct input_clock clock;
    const uint8_t *at, *end;
};

enum input_result { INPUT_READ, INPUT_END, INPUT_MALFORMED };

/* The next input; its message lies in the reader's bytes. */
enum input_result input_next(struct input_reader *reader, struct input *input);

/* What the bits of a float change by, and a float so changed. */
uint32_t input_difference(float from, float to);
float input_changed(float from, uint32_t difference);

#endif
