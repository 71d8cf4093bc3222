#include "scene/inputs.h"

#include <assert.h>
#include <string.h>

enum { TICK = 0x80, TICK_ON_TIME = 0xc0, CURSOR = 0x40, CURSOR_SLOT = 0x3f };

#define VARINT_MAX 10u

struct input_clock input_clock_at(uint64_t time, uint32_t tick_rate)
{
    return (struct input_clock){.time = time, .tick = time, .period = 1000000 / tick_rate};
}

uint32_t input_difference(float from, float to)
{
    uint32_t bits[2];

    memcpy(&bits[0], &from, sizeof from);
    memcpy(&bits[1], &to, sizeof to);
    return bits[1] - bits[0];
}

float input_changed(float from, uint32_t difference)
{
    uint32_t bits;
    float to;

    memcpy(&bits, &from, sizeof bits);
    bits += difference;
    memcpy(&to, &bits, sizeof to);
    return to;
}

/* Which fields an input has, in their order. */
enum field {
    SLOT = 1,
    TIME = 2,
    PLACE = 4,
    ROLE = 8,
    EXPELLED = 16,
    MESSAGE = 32,
    TEAM = 64,
    ROLE_GROUP = 128,
    THING = 256
};

_Static_assert(PROTO_PRESENTER == 1, "a role has one bit beside a group");

static const uint16_t fields[INPUT_TYPES] = {
    [INPUT_TICK] = TIME,
    [INPUT_STILL] = TIME,
    [INPUT_CURSOR] = SLOT | TIME | PLACE,
    [INPUT_MOVE] = SLOT | TIME | PLACE,
    [INPUT_AWAY] = SLOT,
    [INPUT_JOIN] = SLOT | TIME | ROLE_GROUP,
    [INPUT_LEAVE] = SLOT | TIME | EXPELLED,
    [INPUT_ROLE] = SLOT | ROLE,
    [INPUT_DEMOTE] = 0,
    [INPUT_PAUSE] = 0,
    [INPUT_MESSAGE] = TIME | MESSAGE,
    [INPUT_TEAM] = SLOT | TEAM,
    [INPUT_FORGET] = SLOT,
    [INPUT_DISCARD] = SLOT | THING,
};

/* ---- writing ---- */

static uint8_t *put(uint8_t *out, uint64_t value)
{
    while (value >= 0x80) {
        *out++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *out++ = (uint8_t)value;
    return out;
}

static uint8_t *put_time(uint8_t *out, struct input_clock *clock, uint64_t time)
{
    uint64_t difference = time - clock->time;

    clock->time = time;
    return put(out, difference << 1 ^ (0 - (difference >> 63)));
}

static uint8_t *put_difference(uint8_t *out, uint32_t difference)
{
    return put(out, difference << 1 ^ (0 - (difference >> 31)));
}

/* A tick about when it was to be expected takes one byte. */
static bool put_tick(uint8_t *out, struct input_clock *clock, uint64_t time)
{
    uint64_t late = time - clock->tick - clock->period + (TICK_ON_TIME - TICK);

    clock->tick = time;
    if (late >= 0x100 - TICK) {
        return false;
    }
    clock->time = time;
    *out = (uint8_t)(TICK + late);
    return true;
}

size_t input_encode(struct input_clock *clock, const struct input *input, uint8_t out[INPUT_MAX])
{
    uint16_t has = fields[input->type];
    uint8_t *at = out;

    assert(input->bytes_size <= PROTO_MESSAGE_MAX || (has & MESSAGE) == 0);
    if (input->type == INPUT_TICK && put_tick(out, clock, input->time)) {
        return 1;
    }
    if (input->type == INPUT_STILL) {
        clock->tick = input->time;
    }
    if (input->type == INPUT_CURSOR) {
        uint32_t slot = input->slot < CURSOR_SLOT ? input->slot : CURSOR_SLOT;
        *at++ = (uint8_t)(CURSOR + slot);
        at = slot == CURSOR_SLOT ? put(at, input->slot - CURSOR_SLOT) : at;
    } else {
        *at++ = (uint8_t)input->type;
        at = (has & SLOT) != 0 ? put(at, (uint32_t)(input->slot + 1)) : at;
    }
    at = (has & TIME) != 0 ? put_time(at, clock, input->time) : at;
    if ((has & PLACE) != 0) {
        at = put_difference(at, input->dx);
        at = put_difference(at, input->dy);
    }
    at = (has & ROLE) != 0 ? put(at, (uint64_t)input->role) : at;
    at =
        (has & ROLE_GROUP) != 0 ? put(at, (uint64_t)input->group << 1 | (uint64_t)input->role) : at;
    at = (has & EXPELLED) != 0 ? put(at, input->expelled) : at;
    at = (has & TEAM) != 0 ? put(at, input->team) : at;
    at = (has & THING) != 0 ? put(at, (uint64_t)input->thing) : at;
    if ((has & MESSAGE) != 0) {
        at = put(at, input->bytes_size);
        memcpy(at, input->bytes, input->bytes_size);
        at += input->bytes_size;
    }
    assert((size_t)(at - out) <= INPUT_MAX);
    return (size_t)(at - out);
}

/* ---- reading ---- */

static bool get(struct input_reader *reader, uint64_t max, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < VARINT_MAX && reader->at < reader->end; i++) {
        uint8_t byte = *reader->at++;
        if (i == VARINT_MAX - 1 && byte > 1) {
            return false;
        }
        *value |= (uint64_t)(byte & 0x7f) << 7 * i;
        if (byte < 0x80) {
            return *value <= max;
        }
    }
    return false;
}

static bool get_time(struct input_reader *reader, uint64_t *time)
{
    uint64_t value;

    if (!get(reader, UINT64_MAX, &value)) {
        return false;
    }
    reader->clock.time += value >> 1 ^ (0 - (value & 1));
    *time = reader->clock.time;
    return true;
}

static bool get_difference(struct input_reader *reader, uint32_t *difference)
{
    uint64_t value;

    if (!get(reader, UINT32_MAX, &value)) {
        return false;
    }
    *difference = (uint32_t)(value >> 1 ^ (0 - (value & 1)));
    return true;
}

static bool get_slot(struct input_reader *reader, struct input *input)
{
    uint64_t value;

    if (!get(reader, UINT32_MAX, &value) || (value == 0 && input->type != INPUT_JOIN)) {
        return false;
    }
    input->slot = (uint32_t)value - 1; /* of 0: INPUT_NEW */
    return true;
}

static bool get_message(struct input_reader *reader, struct input *input)
{
    uint64_t size;

    if (!get(reader, PROTO_MESSAGE_MAX, &size) || size > (size_t)(reader->end - reader->at)) {
        return false;
    }
    input->bytes = reader->at;
    input->bytes_size = (size_t)size;
    reader->at += size;
    return true;
}

/* All fields but the slot. */
static bool get_fields(struct input_reader *reader, struct input *input)
{
    uint16_t has = fields[input->type];
    uint64_t value = 0;

    if ((has & TIME) != 0 && !get_time(reader, &input->time)) {
        return false;
    }
    if ((has & PLACE) != 0 &&
        (!get_difference(reader, &input->dx) || !get_difference(reader, &input->dy))) {
        return false;
    }
    if ((has & ROLE) != 0) {
        if (!get(reader, PROTO_PRESENTER, &value)) {
            return false;
        }
        input->role = (enum proto_role)value;
    }
    if ((has & ROLE_GROUP) != 0) {
        if (!get(reader, UINT32_MAX, &value)) {
            return false;
        }
        input->role = (enum proto_role)(value & 1);
        input->group = (uint32_t)(value >> 1);
    }
    if ((has & EXPELLED) != 0) {
        if (!get(reader, 1, &value)) {
            return false;
        }
        input->expelled = value != 0;
    }
    if ((has & TEAM) != 0) {
        if (!get(reader, PROTO_TEAMS_MAX, &value)) {
            return false;
        }
        input->team = (uint32_t)value;
    }
    if ((has & THING) != 0) {
        if (!get(reader, INPUT_THINGS - 1, &value)) {
            return false;
        }
        input->thing = (enum input_thing)value;
    }
    return (has & MESSAGE) == 0 || get_message(reader, input);
}

/* A tick, or a cursor, of one byte. */
static bool get_short(struct input_reader *reader, uint8_t byte, struct input *input)
{
    uint64_t slot = 0;

    if (byte >= TICK) {
        input->type = INPUT_TICK;
        input->time = reader->clock.tick + reader->clock.period + byte - TICK_ON_TIME;
        reader->clock.time = reader->clock.tick = input->time;
        return true;
    }
    input->type = INPUT_CURSOR;
    if (byte == CURSOR + CURSOR_SLOT && !get(reader, INPUT_NEW - 1 - CURSOR_SLOT, &slot)) {
        return false;
    }
    input->slot = (uint32_t)(byte - CURSOR + slot);
    return get_fields(reader, input);
}

enum input_result input_next(struct input_reader *reader, struct input *input)
{
    uint8_t byte;

    if (reader->at == reader->end) {
        return INPUT_END;
    }
    *input = (struct input){.slot = INPUT_NEW};
    byte = *reader->at++;
    if (byte >= CURSOR) {
        return get_short(reader, byte, input) ? INPUT_READ : INPUT_MALFORMED;
    }
    if (byte >= INPUT_TYPES || byte == INPUT_CURSOR) {
        return INPUT_MALFORMED;
    }
    input->type = (enum input_type)byte;
    if (((fields[byte] & SLOT) != 0 && !get_slot(reader, input)) || !get_fields(reader, input)) {
        return INPUT_MALFORMED;
    }
    if (input->type == INPUT_TICK || input->type == INPUT_STILL) {
        reader->clock.tick = input->time;
    }
    return INPUT_READ;
}
