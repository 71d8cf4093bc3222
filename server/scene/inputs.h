/* Inputs: all that changes a scene from outside, with their times, and their encoding as compact
 * bytes, one after another. Applied to the scene that they were recorded from, they make the same
 * scene again bit for bit (past/replay.h).
 *
 * Each input begins with a byte. Integers are varints (7 bits a byte, the lowest first). Times are
 * µs on the scene's clock, as zigzag differences to the input before.
 *
 * 0x80–0xff is a tick at the time of the tick before + the period + the byte - 0xc0.
 *
 * 0x40–0x7f moves a shown person's cursor: slot (0x7f: 0x3f + a varint that follows), time, and by
 * how much the bits of x and y as floats have changed, a zigzag each.
 *
 * A byte below is an enum input_type; its fields follow in the order of struct input. */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"

enum input_type {
    INPUT_TICK,    /* time: scene_tick() */
    INPUT_STILL,   /* time: scene_tick_still(): the flock stood still for want of time or memory */
    INPUT_CURSOR,  /* slot, time, dx, dy: of a shown person; a recording has one for each tick */
    INPUT_MOVE,    /* slot, time, dx, dy: of a person who was not shown, and may be from now on */
    INPUT_AWAY,    /* slot: the person has no cursor */
    INPUT_JOIN,    /* slot (INPUT_NEW: a new person), time, role + 2 * group */
    INPUT_LEAVE,   /* slot, time, expelled */
    INPUT_ROLE,    /* slot, role: of a person here or away */
    INPUT_DEMOTE,  /* makes viewers of all people away */
    INPUT_PAUSE,   /* pauses the flock because a tick took too long */
    INPUT_MESSAGE, /* time, bytes: a presenter's message, as in PROTOCOL.md */
    INPUT_TEAM,    /* slot, team: moves the person to that team */
    INPUT_FORGET,  /* slot: the person, who is away, may no longer come back */
    INPUT_DISCARD, /* slot, thing: removes the thing of that kind with the index `slot` */
    INPUT_TYPES,
};

#define INPUT_NEW UINT32_MAX

enum input_thing { INPUT_WALL, INPUT_FOOD, INPUT_HUNTER, INPUT_THINGS };

/* A value of a parameter that a sweep sets. Undo and saved rooms know only the value before it. */
enum input_passing {
    INPUT_LASTS,  /* any other input */
    INPUT_PASSES, /* PROTO_PARAM: the value lasts until the sweep sets another one, … */
    INPUT_BACK,   /* … and at its end the value before the first one */
};

/* Bytes of one input at most. */
#define INPUT_MAX (PROTO_MESSAGE_MAX + 32u)

struct input {
    enum input_type type;
    uint64_t time;
    uint32_t slot;
    /* INPUT_CURSOR, INPUT_MOVE: the cursor's new position, and the same as recorded: added modulo
     * 2^32 to the bits of x and y of the position before; without a cursor, to 0.0. scene_apply()
     * reads the position, input_encode() and input_next() the differences. */
    float x, y;
    uint32_t dx, dy;
    enum proto_role role;
    uint32_t group; /* see people.h */
    bool expelled;
    uint32_t team; /* 1 to PROTO_TEAMS_MAX */
    enum input_thing thing;
    /* INPUT_MESSAGE: the message, and its bytes as recorded. Neither belongs to the input.
     * scene_apply() reads the message, input_encode() and input_next() the bytes. */
    const struct proto_client_message *message;
    const uint8_t *bytes;
    size_t bytes_size;
    uint32_t by;    /* the id of the person who sent the message; 0: none. Not recorded */
    bool by_viewer; /* that person is a viewer. Not recorded */
    enum input_passing passing; /* not recorded */
};

/* The base of an input's times. */
struct input_clock {
    uint64_t time, tick; /* of the input before, and of the tick before */
    uint64_t period;     /* of ticks */
};

/* Returns the clock for inputs after that time. */
struct input_clock input_clock_at(uint64_t time, uint32_t tick_rate);

/* Returns the number of bytes written. bytes_size must be PROTO_MESSAGE_MAX at most. */
size_t input_encode(struct input_clock *clock, const struct input *input, uint8_t out[INPUT_MAX]);

struct input_reader {
    struct input_clock clock;
    const uint8_t *at, *end;
};

enum input_result { INPUT_READ, INPUT_END, INPUT_MALFORMED };

/* Reads the next input; its message lies in the reader's bytes. */
enum input_result input_next(struct input_reader *reader, struct input *input);

/* Return the difference of the bits of two floats, and a float changed by such a difference. */
uint32_t input_difference(float from, float to);
float input_changed(float from, uint32_t difference);

#endif
