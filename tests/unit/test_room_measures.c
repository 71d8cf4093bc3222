/* The measures that a room sends: how often it computes those that take time. */
#include "room/state.h" /* before what calls a variable `room` */
#include "room/workspace.h"

#include "control_room.h"

static float nearest_now(void)
{
    float nearest = -1.0F;

    assert_true(flock_nearest(scene_flock(room->present), workspace->engine, &nearest));
    return nearest;
}

static void the_nearest_distance_is_measured_five_times_a_second(void **state)
{
    uint32_t changes = 0;
    float last;

    (void)state;
    tick(1);
    last = snapshot()->measures.nearest;
    assert_true(last == nearest_now());
    for (uint32_t i = 0; i < 3 * 30; i++) { /* 3 s */
        tick(1);
        const float nearest = snapshot()->measures.nearest;
        if (nearest != last) {
            changes++;
            assert_true(nearest == nearest_now());
        }
        last = nearest;
    }
    assert_in_range(changes, 14, 16);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, make_two, finish)
    const struct CMUnitTest tests[] = {
        TEST(the_nearest_distance_is_measured_five_times_a_second),
    };
#undef TEST
    return cmocka_run_group_tests_name("measures", tests, NULL, NULL);
}
