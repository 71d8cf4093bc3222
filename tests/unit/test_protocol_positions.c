/* Positions: their rounding, their range and their bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "protocol.h"

#include <float.h>
#include <math.h>

#define ARRAY_LENGTH(a) (sizeof(a) / sizeof(a)[0])

static void the_quantum_spans_four_sides(void **state)
{
    static const struct {
        float width, height, quantum;
    } worlds[] = {
        {550.0f, 400.0f, 0.125f},   {400.0f, 550.0f, 0.125f},   {16.0f, 16.0f, 0.0078125f},
        {256.0f, 16.0f, 0.125f},    {255.9f, 16.0f, 0.0625f},   {2048.0f, 16.0f, 0.125f},
        {2048.5f, 16.0f, 0.25f},    {65536.0f, 65536.0f, 4.0f}, {65535.0f, 1024.0f, 4.0f},
        {32768.0f, 32768.0f, 2.0f}, {16384.0f, 16.0f, 1.0f},    {16384.002f, 16.0f, 2.0f},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(worlds); i++) {
        const float quantum = proto_quantum(worlds[i].width, worlds[i].height);
        const float side = fmaxf(worlds[i].width, worlds[i].height);
        assert_true(quantum == worlds[i].quantum);
        assert_true(65536.0f * quantum >= 4.0f * side && 2048.0f * quantum <= side);
    }
}

static void positions_are_rounded_and_saturate(void **state)
{
    static const struct {
        float value;
        int step;
    } cases[] = {
        {275.0f, 0},        {275.0625f, 1},      {274.9375f, -1},  {275.04f, 1},
        {275.02f, 0},       {0.0f, -4400},       {550.0f, 4400},   {2322.9375f, 32767},
        {2322.9f, 32766},   {2323.0f, 32767},    {1e30f, 32767},   {-1772.9375f, -32767},
        {-1773.0f, -32768}, {-1773.1f, -32768},  {-1e30f, -32768}, {INFINITY, 32767},
        {NAN, -32768},      {-INFINITY, -32768}, {FLT_MAX, 32767}, {-FLT_MAX, -32768},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        assert_int_equal(proto_quantise(cases[i].value, 550.0f, 0.0625f), cases[i].step);
    }
    for (int step = INT16_MIN; step <= INT16_MAX; step++) {
        const float value = proto_dequantise((int16_t)step, 550.0f, 0.0625f);
        assert_true(value == 275.0f + (float)step / 16.0f);
        assert_int_equal(proto_quantise(value, 550.0f, 0.0625f), step);
    }
}

static void positions_are_little_endian(void **state)
{
    uint8_t bytes[PROTO_CURSOR_SIZE];
    uint32_t id;
    int16_t x, y;

    (void)state;
    proto_put_position(bytes, 0x0102, -2);
    assert_memory_equal(bytes, "\x02\x01\xfe\xff", 4);
    proto_put_cursor(bytes, 0x89abcdef, -32768, 32767);
    assert_memory_equal(bytes, "\xef\xcd\xab\x89\x00\x80\xff\x7f", 8);
    proto_get_cursor(bytes, &id, &x, &y);
    assert_int_equal(id, 0x89abcdef);
    assert_int_equal(x, -32768);
    assert_int_equal(y, 32767);
    for (int step = INT16_MIN; step <= INT16_MAX; step++) {
        proto_put_position(bytes, (int16_t)step, (int16_t)(-1 - step));
        proto_get_position(bytes, &x, &y);
        assert_int_equal(x, step);
        assert_int_equal(y, -1 - step);
    }
}

static void headings_are_directions(void **state)
{
    const double turn = 2.0 * acos(-1.0);

    (void)state;
    for (int i = 0; i < 100000; i++) {
        const double angle = turn * i / 100000;
        const float length = i % 3 == 0 ? 1e-20f : i % 3 == 1 ? 1.0f : 1e20f;
        const int heading = proto_heading(length * (float)cos(angle), length * (float)sin(angle));
        const double off = fabs(angle / turn * 256.0 - heading);
        assert_true(off < 0.7 || off > 255.3);
    }
    assert_int_equal(proto_heading(1.0f, 0.0f), 0);
    assert_int_equal(proto_heading(0.0f, 1.0f), 64);
    assert_int_equal(proto_heading(-1.0f, 0.0f), 128);
    assert_int_equal(proto_heading(0.0f, -1.0f), 192);
    assert_int_equal(proto_heading(0.0f, 0.0f), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_quantum_spans_four_sides),
        cmocka_unit_test(positions_are_rounded_and_saturate),
        cmocka_unit_test(positions_are_little_endian),
        cmocka_unit_test(headings_are_directions),
    };
    return cmocka_run_group_tests_name("protocol, positions", tests, NULL, NULL);
}
