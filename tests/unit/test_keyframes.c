/* The share of the memory for all rooms' pasts that keyframes take. */
#include "past/history_budget.h"
#include "past/keyframes.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { STATE = 1000, TABLES = 100 };

/* Adds a keyframe after that round. Returns false if there is no memory for it. */
static bool add(struct keyframes *keyframes, uint64_t round, size_t expected)
{
    struct checkpoint keyframe = {.round = round, .size = STATE};

    if (!keyframes_reserve(keyframes, expected)) {
        return false;
    }
    keyframe.state = malloc(STATE);
    assert_non_null(keyframe.state);
    return keyframes_add(keyframes, &keyframe, expected);
}

/* Returns the bytes that this program has from malloc(), or 0 with AddressSanitizer. */
static size_t allocated(void)
{
    const struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

/* Rooms with few keyframes in each part, and a film with thousands. */
static void all_their_memory_is_counted(void **state)
{
    struct history_budget budget = {.bytes_max = 64u << 20};
    struct keyframes *tables[TABLES];
    size_t before = allocated();

    (void)state;
    for (size_t i = 0; i < TABLES; i++) {
        tables[i] = keyframes_create(&budget, 256);
        assert_non_null(tables[i]);
        assert_true(add(tables[i], 1, STATE));
    }
    assert_true(atomic_load(&budget.bytes) >= (allocated() - before) / 100 * 95);
    assert_int_equal(atomic_load(&budget.bytes), TABLES * keyframes_bytes(tables[0]));
    for (size_t i = 0; i < TABLES; i++) {
        keyframes_release(tables[i]);
    }
    assert_int_equal(atomic_load(&budget.bytes), 0);

    before = allocated();
    tables[0] = keyframes_create(&budget, KEYFRAMES_MAX);
    for (uint64_t i = 0; i < KEYFRAMES_MAX; i++) {
        assert_true(add(tables[0], 10 + 10 * i, STATE));
    }
    assert_false(keyframes_reserve(tables[0], STATE));
    assert_true(atomic_load(&budget.bytes) >= (allocated() - before) / 100 * 95);
    assert_int_equal(atomic_load(&budget.bytes), keyframes_bytes(tables[0]));
    for (uint64_t i = 0; i < KEYFRAMES_MAX; i++) {
        assert_int_equal(keyframes_find(tables[0], 0, 10 + 10 * i + i % 10)->round, 10 + 10 * i);
    }
    keyframes_release(tables[0]);
    assert_int_equal(atomic_load(&budget.bytes), 0);
}

/* A keyframe reserves its memory before the state is made, and then returns the unused part. */
static void no_keyframe_is_made_beyond_half_the_memory(void **state)
{
    struct history_budget budget = {.bytes_max = 40 * STATE};
    struct keyframes *keyframes = keyframes_create(&budget, 256);
    struct checkpoint none = {.round = 1};
    size_t count = 0;

    (void)state;
    assert_false(keyframes_reserve(keyframes, 20 * STATE));
    assert_true(keyframes_reserve(keyframes, 10 * STATE));
    assert_false(keyframes_reserve(keyframes, 10 * STATE));
    assert_false(keyframes_add(keyframes, &none, 10 * STATE)); /* there was no memory for it */
    assert_int_equal(keyframes_count(keyframes), 0);
    while (add(keyframes, 1 + count, 2 * STATE)) {
        assert_int_equal(atomic_load(&budget.bytes), keyframes_bytes(keyframes));
        assert_in_range(atomic_load(&budget.bytes), 1, budget.bytes_max / 2);
        count++;
    }
    assert_in_range(count, 15, 19);
    assert_int_equal(keyframes_count(keyframes), count);
    assert_int_equal(atomic_load(&budget.bytes), keyframes_bytes(keyframes));
    assert_true(keyframes_reserve(keyframes, 1));
    struct checkpoint big = {.round = 100, .state = malloc(10 * STATE), .size = 10 * STATE};
    assert_false(keyframes_add(keyframes, &big, 1)); /* more than was reserved */
    keyframes_release(keyframes);
    assert_int_equal(atomic_load(&budget.bytes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_their_memory_is_counted),
        cmocka_unit_test(no_keyframe_is_made_beyond_half_the_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
