/* Sentences that explain a boid's turn: flock-term and the page write the same words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/flock/why.h"

#include <string.h>

/* A boid that flies to the right of the screen: y > 0 is to its right. */
static struct proto_why why;

static int setup(void **state)
{
    (void)state;
    why = (struct proto_why){.there = true, .motion = {.vx = 2, .next_x = 2}};
    return 0;
}

static void push(const char *name, float x, float y)
{
    struct proto_push *added = &why.pushes[why.push_count++];
    strcpy(added->name, name);
    added->x = x;
    added->y = y;
    why.motion.next_x += x;
    why.motion.next_y += y;
}

static void crowd(float x, float y)
{
    why.near[why.near_count++] = (struct proto_near){.x = x, .y = y, .close = true};
    why.crowding++;
}

static void assert_says(const char *expected)
{
    char line[320];
    assert_true(why_line(line, sizeof line, &why, "boids", true));
    assert_string_equal(line, expected);
}

static void the_reason_and_the_strongest_push_against_it(void **state)
{
    (void)state;
    push("separation", 0, -0.3F);
    push("seek", 0, 0.2F);
    push("alignment", 0, -0.1F);
    crowd(3, 8);
    crowd(3, 9);
    crowd(5, 9);
    assert_says("Turns left: 3 neighbours are too close on its right; the cursor pulls right, but "
                "that counts less.");
}

static void one_neighbour_and_neighbours_on_both_sides(void **state)
{
    (void)state;
    push("separation", 0, -0.3F);
    crowd(3, 8);
    assert_says("Turns left: 1 neighbour is too close on its right.");
    crowd(3, -8);
    assert_says("Turns left: 2 neighbours are too close.");
}

static void pushes_that_cancel_out(void **state)
{
    (void)state;
    push("cohesion", 0, 0.3F);
    push("noise", 0, -0.3F);
    assert_says("Flies straight on: chance turns it left; most of its neighbours are on its right. "
                "Both cancel out.");
}

static void without_a_turn_it_is_faster_or_slower(void **state)
{
    (void)state;
    push("cohesion", 0.2F, 0);
    assert_says("Flies straight on and speeds up.");
    push("cohesion", -0.6F, 0);
    assert_says("Flies straight on and slows down.");
    why.motion.next_x = 2;
    assert_says("Flies straight on.");
}

static void limits_and_inertia_are_no_reasons(void **state)
{
    (void)state;
    push("limits", 0, 0.3F);
    push("inertia", 0, 0.2F);
    assert_says("Turns right.");
}

static void a_rule_of_a_later_server_has_its_own_name(void **state)
{
    (void)state;
    push("hunger", 0, 0.3F);
    assert_says("Turns right: hunger.");
}

static void the_words_follow_the_room(void **state)
{
    char line[320];
    (void)state;
    push("seek", 0, 0.3F);
    push("cohesion", 0, -0.1F);
    assert_true(why_line(line, sizeof line, &why, "swarm", false));
    assert_string_equal(line, "Turns right: the target pulls right; the middle of the flock is on "
                              "its left, but that counts less.");
}

static void food_pulls_and_predators_scare(void **state)
{
    (void)state;
    push("food", 0, 0.3F);
    push("flee", 0, -0.2F);
    assert_says("Turns right: food pulls right; it flees left, but that counts less.");
}

static void the_sum_may_be_the_longest_arrow(void **state)
{
    (void)state;
    push("alignment", 3, 0);
    push("cohesion", 0, 4);
    why.motion = (struct proto_motion){.vx = 1, .next_x = 4, .next_y = 4};
    assert_float_equal(why_longest(&why), 5, 1e-6);
    why.motion.next_x = 1;
    assert_float_equal(why_longest(&why), 4, 1e-6);
}

static void a_boid_that_is_gone_has_no_sentence(void **state)
{
    char line[320];
    (void)state;
    why.there = false;
    assert_false(why_line(line, sizeof line, &why, "boids", true));
}

static void a_short_buffer_cuts_the_sentence(void **state)
{
    char line[16];
    (void)state;
    push("cohesion", 0, 0.3F);
    assert_true(why_line(line, sizeof line, &why, "boids", true));
    assert_string_equal(line, "Turns right: mo");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup(function, setup)
    const struct CMUnitTest tests[] = {
        TEST(the_reason_and_the_strongest_push_against_it),
        TEST(one_neighbour_and_neighbours_on_both_sides),
        TEST(pushes_that_cancel_out),
        TEST(without_a_turn_it_is_faster_or_slower),
        TEST(limits_and_inertia_are_no_reasons),
        TEST(a_rule_of_a_later_server_has_its_own_name),
        TEST(the_words_follow_the_room),
        TEST(food_pulls_and_predators_scare),
        TEST(the_sum_may_be_the_longest_arrow),
        TEST(a_boid_that_is_gone_has_no_sentence),
        TEST(a_short_buffer_cuts_the_sentence),
    };
#undef TEST
    return cmocka_run_group_tests_name("term_why", tests, NULL, NULL);
}
