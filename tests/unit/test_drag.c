/* While a presenter changes a parameter, the topic pushes has the vectors of its rules for a sample
 * of boids; without such a change it says so once and costs nothing. */
#include "room/drag.h"

#include "room/state.h"
#include "room/workspace.h"

#include "view_room.h"

/* A hundred boids of the model `boids` that nothing steers, and a subscriber. */
static void fill(void)
{
    set("model", "boids");
    set("idle", "hold");
    assert_true(try_add(ada, 275, 200, 88));
    subscribe(bob, PROTO_TOPIC_PUSHES);
    go(12);
}

static const struct proto_pushes *pushes(void)
{
    static struct proto_pushes last;

    assert_non_null(view->topics[VIEW_PUSHES]);
    last = read_frame(view->topics[VIEW_PUSHES])->pushes;
    return &last;
}

static void assert_nothing_is_shown(void)
{
    assert_int_equal(pushes()->rule_count, 0);
    assert_int_equal(pushes()->count, 0);
}

static void a_change_shows_its_rule_for_two_seconds(void **state)
{
    (void)state;
    fill();
    assert_nothing_is_shown();
    param("alignment_weight", 2.0F);
    go(4);
    assert_int_equal(pushes()->rule_count, 1);
    assert_string_equal(pushes()->rules[0], "alignment");
    assert_int_equal(pushes()->count, PROTO_SAMPLE_MAX);
    go(30); /* 1 s */
    param("alignment_weight", 2.5F);
    go(50);
    assert_string_equal(pushes()->rules[0], "alignment");
    go(14);
    assert_nothing_is_shown();
}

static void the_sample_is_spread_over_all_boids(void **state)
{
    (void)state;
    fill();
    param("noise", 9.0F);
    go(4);
    for (uint32_t i = 0; i < PROTO_SAMPLE_MAX; i++) {
        assert_int_equal(pushes()->boids[i].number, i * 100 / 24);
    }
    assert_true(try_remove(ada, 95));
    go(4);
    assert_int_equal(pushes()->count, 5);
    assert_int_equal(pushes()->boids[4].number, 4);
}

static void a_vector_is_what_why_says(void **state)
{
    static const char *const models[] = {"swarm", "boids", "vision", "birds", "steering"};
    static const char *const params[] = {"cohesion_max", "neighbor_distance", "view_angle",
                                         "separation_weight", "separation_distance"};

    (void)state;
    fill();
    subscribe(bob, PROTO_TOPIC_PUSHES | PROTO_TOPIC_WHY);
    for (uint32_t i = 0; i < 5; i++) {
        set("model", models[i]);
        go(20);
        param(params[i], parameter(params[i])->value * 0.9F);
        set("run", "paused");
        go(4);
        const struct proto_pushes all = *pushes();
        assert_in_range(all.rule_count, 1, 2);
        assert_int_equal(all.tick, scene_ticks(room->present));
        for (uint32_t at = 0; at < all.count; at++) {
            struct flock_why why = {.boid = all.boids[at].number};
            assert_true(scene_explain(room->present, workspace->engine, room_time(room, clock_now),
                                      &why, 1));
            assert_true(why.position.x == all.boids[at].x && why.position.y == all.boids[at].y);
            for (uint32_t rule = 0; rule < all.rule_count; rule++) {
                uint32_t cause = 0;
                while (strcmp(flock_cause_name((enum flock_cause)cause), all.rules[rule]) != 0) {
                    cause++;
                }
                assert_true(why.push[cause].x == all.boids[at].pushes[rule].x);
                assert_true(why.push[cause].y == all.boids[at].pushes[rule].y);
            }
        }
        set("run", "running");
    }
}

static void only_a_rule_is_shown(void **state)
{
    (void)state;
    fill();
    param("max_force", 0.1F);
    go(4);
    assert_nothing_is_shown();
    go(10);
    param("cohesion_weight", 3.0F);
    param("cohesion_weight", 3.5F);
    go(4);
    assert_string_equal(pushes()->rules[0], "cohesion");
    go(10);
    param("seek_weight", 3.0F); /* instead of the one before */
    go(4);
    assert_string_equal(pushes()->rules[0], "seek");
    assert_string_equal(pushes()->rules[1], "food");
    go(10);
    param("seek_weight", 2.0F);
    param("noise", 3.0F); /* both at once: a program */
    param("noise", 4.0F);
    go(4);
    assert_nothing_is_shown();
    go(10);
    param("noise", 5.0F);
    go(4);
    assert_string_equal(pushes()->rules[0], "noise");
}

static void the_same_value_and_a_refused_one_show_nothing(void **state)
{
    (void)state;
    fill();
    param("noise", 0.0F);
    assert_false(try_param(ada, "noise", 400.0F));
    assert_false(try_param(bob, "noise", 4.0F));
    go(4);
    assert_nothing_is_shown();
}

/* Between drags there is no new frame and no explanation; without a subscriber there is none at
 * all. */
static void without_a_drag_or_a_subscriber_there_is_no_cost(void **state)
{
    (void)state;
    fill();
    const uint32_t version = view->topic_versions[VIEW_PUSHES];
    const struct frame *frame = room->topics.frames[VIEW_PUSHES];
    go(120);
    assert_int_equal(view->topic_versions[VIEW_PUSHES], version);
    assert_true(room->drag.ended && room->topics.frames[VIEW_PUSHES] == frame);
    subscribe(bob, 0);
    param("noise", 4.0F);
    go(4);
    assert_null(view->topics[VIEW_PUSHES]);
    assert_false(room->topics.subscribers[VIEW_PUSHES] > 0);
    subscribe(bob, PROTO_TOPIC_PUSHES); /* comes during the drag */
    go(1);
    assert_string_equal(pushes()->rules[0], "noise");
}

static void vectors_are_renewed_ten_times_a_second(void **state)
{
    (void)state;
    fill();
    param("cohesion_weight", 5.0F);
    go(4);
    const uint32_t version = view->topic_versions[VIEW_PUSHES];
    go(45); /* 1.5 s */
    assert_in_range(view->topic_versions[VIEW_PUSHES] - version, 14, 16);
}

static void the_past_shows_no_drag(void **state)
{
    struct room_definition definition = definition_with_key();

    (void)state;
    definition.rewind = 60 * SECOND;
    make_two_as(&definition);
    assert_true(say_key(ada, KEY));
    fill();
    go(30);
    param("noise", 4.0F);
    go(4);
    assert_int_equal(pushes()->rule_count, 1);
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_REWIND, .rewind = {1.0F}}));
    go(10);
    assert_nothing_is_shown();
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, make_two, leave_room)
    const struct CMUnitTest tests[] = {
        TEST(a_change_shows_its_rule_for_two_seconds),
        TEST(the_sample_is_spread_over_all_boids),
        TEST(a_vector_is_what_why_says),
        TEST(only_a_rule_is_shown),
        TEST(the_same_value_and_a_refused_one_show_nothing),
        TEST(without_a_drag_or_a_subscriber_there_is_no_cost),
        TEST(vectors_are_renewed_ten_times_a_second),
        TEST(the_past_shows_no_drag),
    };
#undef TEST
    return cmocka_run_group_tests_name("drag", tests, NULL, NULL);
}
