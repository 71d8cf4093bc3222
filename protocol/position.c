/* Positions on the wire: int16 steps from the middle of the world, little-endian. */
#include "protocol.h"

#include "heading.h"

#include <math.h>

float proto_quantum(float width, float height)
{
    const float longer = width > height ? width : height;
    float quantum = 0.125F;

    while (quantum * 65536.0F < 4.0F * longer) {
        quantum *= 2.0F;
    }
    while (quantum * 2048.0F > longer) {
        quantum *= 0.5F;
    }
    return quantum;
}

int16_t proto_quantise(float value, float side, float quantum)
{
    const float steps = (value - side * 0.5f) / quantum;

    if (!(steps > -32768.0f)) { /* NaN as well */
        return INT16_MIN;
    }
    if (steps >= 32767.0f) {
        return INT16_MAX;
    }
    return (int16_t)lrintf(steps);
}

float proto_dequantise(int16_t step, float side, float quantum)
{
    return side * 0.5f + (float)step * quantum;
}

uint8_t proto_heading(float x, float y)
{
    return heading_of(x, y);
}

static void put16(uint8_t *bytes, int16_t value)
{
    const uint16_t bits = (uint16_t)value;

    bytes[0] = (uint8_t)(bits & 0xff);
    bytes[1] = (uint8_t)(bits >> 8);
}

static int16_t get16(const uint8_t *bytes)
{
    const int32_t bits = bytes[0] | bytes[1] << 8;

    return (int16_t)(bits >= 32768 ? bits - 65536 : bits);
}

void proto_put_position(uint8_t bytes[4], int16_t x, int16_t y)
{
    put16(bytes, x);
    put16(bytes + 2, y);
}

void proto_get_position(const uint8_t bytes[4], int16_t *x, int16_t *y)
{
    *x = get16(bytes);
    *y = get16(bytes + 2);
}

void proto_put_cursor(uint8_t bytes[8], uint32_t id, int16_t x, int16_t y)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(id >> (8 * i) & 0xff);
    }
    proto_put_position(bytes + 4, x, y);
}

void proto_get_cursor(const uint8_t bytes[8], uint32_t *id, int16_t *x, int16_t *y)
{
    *id = 0;
    for (int i = 0; i < 4; i++) {
        *id |= (uint32_t)bytes[i] << (8 * i);
    }
    proto_get_position(bytes + 4, x, y);
}
