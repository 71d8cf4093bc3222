/* Viewers of several addresses draw: which walls, food and hunters give way, and which undo takes
 * back. */
#include "room/state.h" /* before what calls a variable `room` */

#include "control_room.h"
#include "scene/inputs.h"
#include "scene/scene.h"

enum { CLASS = 7, STRANGERS = 666, OTHERS = 667 }; /* addresses */

static bool drop_at(struct client *client, float x)
{
    return say(client,
               &(struct proto_client_message){.type = PROTO_FOOD, .food = {x, 350.0F, 1000000}});
}

static bool loose_at(struct client *client, float x)
{
    return say(client, &(struct proto_client_message){.type = PROTO_HUNTER, .hunter = {x, 50.0F}});
}

static bool wall_at(struct client *client, float x)
{
    return say(client,
               &(struct proto_client_message){.type = PROTO_WALL, .wall = {x, 10.0F, x, 20.0F}});
}

typedef bool drawing(struct client *client, float x);

static drawing *const kinds[] = {wall_at, drop_at, loose_at};
static const uint32_t shares[] = {48, 48, 12};

static const struct flock_things *things(void)
{
    return flock_things_of(scene_flock(room->present));
}

static const struct flock_settings *settings(void)
{
    return flock_settings_of(scene_flock(room->present));
}

/* Returns how many of a kind there are at x positions from that one on, below the next hundred. */
static uint32_t count_from(int kind, float x)
{
    uint32_t count = 0;

    for (uint32_t i = 0; kind == 0 && i < settings()->wall_count; i++) {
        count += settings()->walls[i].x1 >= x && settings()->walls[i].x1 < x + 100.0F;
    }
    for (uint32_t i = 0; kind == 1 && i < things()->food_count; i++) {
        count += things()->food[i].x >= x && things()->food[i].x < x + 100.0F;
    }
    for (uint32_t i = 0; kind == 2 && i < things()->hunter_count; i++) {
        count += things()->hunters[i].x >= x && things()->hunters[i].x < x + 100.0F;
    }
    return count;
}

static struct client *join_from(uint64_t address)
{
    origin_now = address;
    return join("");
}

/* One viewer after another joins, draws five things and leaves. Returns how many were drawn. */
static uint32_t draw_from(uint64_t address, drawing *draw, uint32_t count, float x)
{
    uint32_t drawn = 0;

    for (uint32_t i = 0; i < count; i += 5) {
        struct client *viewer = join_from(address);
        for (uint32_t n = i; n < i + 5 && n < count; n++) {
            drawn += draw(viewer, x + (float)n);
        }
        leave(viewer);
    }
    return drawn;
}

/* A paused flock of a presenter who lets viewers draw. */
static int make_lesson(void **state)
{
    origin_now = 1;
    if (make_two(state) != 0) {
        return -1;
    }
    set("model", "boids");
    set("run", "paused");
    set("drawing", "all");
    return 0;
}

/* A stranger who joins again and again has the viewers' whole share. */
static void fill_share(void)
{
    for (int kind = 0; kind < 3; kind++) {
        assert_int_equal(draw_from(STRANGERS, kinds[kind], shares[kind] + 2, 100.0F), shares[kind]);
        assert_int_equal(error.code, PROTO_E_FULL);
    }
}

static void test_pupils_draw_beside_a_stranger(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) {
        fill_share();
        struct client *pupil = join_from(CLASS);
        for (int kind = 0; kind < 3; kind++) {
            assert_true(kinds[kind](pupil, 300.0F));
            assert_int_equal(count_from(kind, 100.0F), shares[kind] - 1);
            assert_int_equal(count_from(kind, 101.0F), shares[kind] - 1); /* the oldest is gone */
            assert_int_equal(count_from(kind, 300.0F), 1);
        }
        assert_true(try_type(ada, PROTO_CLEAR));
    }
}

/* Two addresses share evenly, and take nothing from each other again and again. */
static void test_addresses_share_what_viewers_may_draw(void **state)
{
    (void)state;
    fill_share();
    for (int kind = 0; kind < 3; kind++) {
        assert_int_equal(draw_from(CLASS, kinds[kind], shares[kind], 300.0F), shares[kind] / 2);
        assert_int_equal(draw_from(STRANGERS, kinds[kind], 5, 200.0F), 0);
        assert_int_equal(error.code, PROTO_E_FULL);
        assert_int_equal(count_from(kind, 100.0F), shares[kind] / 2);
        assert_int_equal(draw_from(OTHERS, kinds[kind], shares[kind], 400.0F), shares[kind] / 3);
        assert_int_equal(count_from(kind, 100.0F), shares[kind] / 3);
        assert_int_equal(count_from(kind, 300.0F), shares[kind] / 3);
    }
}

static void test_things_of_presenters_do_not_give_way(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        for (uint32_t i = 0; i < shares[kind]; i++) {
            assert_true(kinds[kind](ada, 100.0F + (float)i));
        }
        assert_int_equal(draw_from(STRANGERS, kinds[kind], 1, 300.0F), 0);
        assert_int_equal(error.code, PROTO_E_FULL);
    }
}

/* Returns the address of the presenter. */
static uint64_t home(void)
{
    return room->members[room_slot_of(room, room_person_at(room, 0))].origin;
}

/* A class at the address of its teacher loses nothing to strangers. */
static void test_things_of_a_presenters_address_do_not_give_way(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        assert_int_equal(draw_from(home(), kinds[kind], shares[kind], 100.0F), shares[kind]);
        assert_int_equal(draw_from(STRANGERS, kinds[kind], 5, 300.0F), 0);
        assert_int_equal(count_from(kind, 100.0F), shares[kind]);
    }
}

/* One viewer of each of many addresses draws one thing, until viewers have their share. */
static void fill_from_many(int kind)
{
    for (uint32_t i = 0; i < shares[kind]; i++) {
        assert_int_equal(draw_from(1000 + i, kinds[kind], 1, 100.0F + (float)i), 1);
    }
}

/* A class at the address of its teacher replaces things of strangers, until it has three quarters
 * of what viewers may draw. */
static void test_a_class_draws_beside_many_addresses(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        const uint32_t most = shares[kind] / 4 * 3;
        fill_from_many(kind);
        for (int i = 0; i < 3; i++) {
            assert_true(kinds[kind](ada, 1.0F + (float)i));
        }
        assert_int_equal(draw_from(home(), kinds[kind], most, 300.0F), most);
        assert_int_equal(draw_from(home(), kinds[kind], 1, 390.0F), 0);
        assert_int_equal(error.code, PROTO_E_FULL);
        assert_int_equal(count_from(kind, 100.0F), shares[kind] - most);
        assert_int_equal(count_from(kind, 100.0F + (float)most), shares[kind] - most);
        assert_int_equal(count_from(kind, 0.0F), 3);
        assert_int_equal(draw_from(STRANGERS, kinds[kind], 1, 200.0F), 0);
    }
}

/* The address with the most gives way first. */
static void test_a_class_replaces_things_of_the_address_with_the_most(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(draw_from(1000 + i, loose_at, 1, 100.0F + (float)i), 1);
    }
    assert_int_equal(draw_from(STRANGERS, loose_at, 2, 200.0F), 2);
    assert_int_equal(draw_from(home(), loose_at, 1, 300.0F), 1);
    assert_int_equal(count_from(2, 200.0F), 1);
    assert_int_equal(count_from(2, 100.0F), 10);
}

/* Neither the spotlight nor a viewer who was a presenter lets an address replace things. */
static void test_viewers_elsewhere_replace_nothing_of_many_addresses(void **state)
{
    struct client *viewer = join_from(CLASS);

    (void)state;
    fill_from_many(2);
    assert_true(try_appoint(ada, viewer->id, PROTO_PRESENTER));
    assert_true(try_appoint(ada, viewer->id, PROTO_VIEWER));
    assert_true(say(
        ada, &(struct proto_client_message){.type = PROTO_SPOTLIGHT, .spotlight = {viewer->id}}));
    assert_int_equal(draw_from(CLASS, loose_at, 1, 300.0F), 0);
    assert_int_equal(error.code, PROTO_E_FULL);
}

/* Viewers' things give way also when the presenters' share is used up. */
static void test_pupils_draw_when_there_are_the_most_things(void **state)
{
    (void)state;
    fill_share();
    for (uint32_t i = 0; i < 16; i++) {
        assert_true(wall_at(ada, 200.0F + (float)i));
    }
    assert_false(wall_at(ada, 220.0F));
    assert_int_equal(draw_from(CLASS, wall_at, 1, 300.0F), 1);
    assert_int_equal(settings()->wall_count, FLOCK_WALLS_MAX);
    assert_int_equal(count_from(0, 200.0F), 16);
    assert_int_equal(count_from(0, 300.0F), 1);
}

/* A refused drawing removes nothing. */
static void test_a_refused_drawing_replaces_nothing(void **state)
{
    (void)state;
    fill_share();
    struct client *pupil = join_from(CLASS);
    take_image(&before);
    assert_false(drop_at(pupil, 1e6F));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_false(loose_at(pupil, -1e6F));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_false(say(pupil, &(struct proto_client_message){.type = PROTO_WALL,
                                                           .wall = {5.0F, 5.0F, 5.0F, 5.0F}}));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_unchanged();
    for (int i = 0; i < 5; i++) {
        assert_true(wall_at(pupil, 300.0F + (float)i));
    }
    assert_false(drop_at(pupil, 300.0F));
    assert_int_equal(error.code, PROTO_E_FLOOD);
    assert_int_equal(things()->food_count, 48);
}

/* The room still knows whose the things are after boids ate food, hunters ran, walls moved food
 * aside, and a presenter erased, undid and drew. */
static void test_the_room_knows_whose_things_are(void **state)
{
    const struct flock_slots slots = flock_slots(scene_flock(room->present));

    (void)state;
    assert_true(drop_at(ada, 10.0F));
    assert_true(wall_at(ada, 30.0F));
    assert_true(loose_at(ada, 600.0F));
    struct client *hungry = join_from(STRANGERS);
    assert_true(say(hungry, &(struct proto_client_message){.type = PROTO_FOOD,
                                                           .food = {slots.x[0], slots.y[0], 1}}));
    for (int kind = 0; kind < 3; kind++) {
        assert_int_equal(draw_from(STRANGERS, kinds[kind], shares[kind], 100.0F),
                         shares[kind] - (kind == 1 ? 2 : 1));
    }
    set("run", "running");
    tick(2);
    set("run", "paused");
    assert_int_equal(things()->food_count, 47);
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_WALL,
                                                        .wall = {90.0F, 350.0F, 160.0F, 350.0F}}));
    assert_true(try_type(ada, PROTO_UNDO));
    const struct flock_food *first = &things()->food[1];
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_ERASE,
                                                        .erase = {first->x, first->y, 0.5F}}));
    assert_int_equal(draw_from(STRANGERS, drop_at, 2, 200.0F), 2);
    for (int kind = 0; kind < 3; kind++) {
        assert_int_equal(draw_from(CLASS, kinds[kind], shares[kind], 300.0F), shares[kind] / 2 - 1);
    }
    assert_true(settings()->walls[0].x1 == 30.0F);
    assert_true(things()->food[0].x < 90.0F);
    assert_int_equal(things()->hunter_count, 12);
}

static bool apply(enum input_type type, enum input_thing thing, uint32_t slot)
{
    const struct input input = {.type = type, .thing = thing, .slot = slot};
    struct change change;

    return scene_apply(room->present, &input, &change, &error);
}

/* A recording has what gave way. */
static void test_the_removal_is_an_input(void **state)
{
    struct input_clock clock = input_clock_at(5, 30);
    const struct input input = {.type = INPUT_DISCARD, .thing = INPUT_HUNTER, .slot = 9};
    uint8_t bytes[INPUT_MAX];
    struct input copy;

    (void)state;
    struct input_reader reader = {.clock = clock, .at = bytes};
    reader.end = bytes + input_encode(&clock, &input, bytes);
    assert_int_equal(input_next(&reader, &copy), INPUT_READ);
    assert_int_equal(copy.type, INPUT_DISCARD);
    assert_int_equal(copy.thing, INPUT_HUNTER);
    assert_int_equal(copy.slot, 9);
    assert_int_equal(input_next(&reader, &copy), INPUT_END);
    bytes[2] = INPUT_HUNTER + 1;
    reader.at = bytes;
    assert_int_equal(input_next(&reader, &copy), INPUT_MALFORMED);

    fill_share();
    for (uint32_t kind = 0; kind < 3; kind++) {
        assert_false(apply(INPUT_DISCARD, (enum input_thing)kind, shares[kind]));
        assert_int_equal(error.code, PROTO_E_MALFORMED);
        assert_true(apply(INPUT_DISCARD, (enum input_thing)kind, shares[kind] - 1));
        assert_int_equal(count_from((int)kind, 100.0F), shares[kind] - 1);
    }
    assert_int_equal(count_from(0, 147.0F), 0);
}

/* A room that keeps its past. */
static int make_with_past(void **state)
{
    struct room_definition definition = definition_with_key();

    origin_now = 1;
    make(state);
    definition.rewind = 600 * SECOND;
    make_two_as(&definition);
    if (!say_key(ada, KEY)) {
        return -1;
    }
    set("drawing", "all");
    return 0;
}

static void test_a_replay_repeats_what_gave_way(void **state)
{
    uint64_t hashes[91] = {0};
    const struct proto_client_message second = {.type = PROTO_REWIND, .rewind = {1.0F}};

    (void)state;
    for (uint64_t i = 0; i < 90; i++) {
        if (i == 20) {
            fill_share();
        } else if (i == 40) {
            for (int kind = 0; kind < 3; kind++) {
                assert_int_equal(draw_from(CLASS, kinds[kind], 5, 300.0F), 5);
            }
        }
        tick(1);
        assert_in_range(scene_ticks(room->present), 1, 90);
        hashes[scene_ticks(room->present)] = scene_hash(room->present);
    }
    assert_true(say(ada, &second));
    tick(1);
    const struct scene *shown = room_shown(room);
    assert_ptr_not_equal(shown, room->present);
    assert_in_range(scene_ticks(shown), 50, 70);
    assert_int_equal(scene_hash(shown), hashes[scene_ticks(shown)]);
    assert_int_equal(flock_settings_of(scene_flock(shown))->wall_count, 48);
}

/* Hunters from the past never give way, although a stranger has drawn as many since. */
static void test_things_from_the_past_do_not_give_way(void **state)
{
    const struct proto_client_message second = {.type = PROTO_REWIND, .rewind = {1.0F}};

    (void)state;
    for (int i = 0; i < 12; i++) {
        assert_true(loose_at(ada, 10.0F + (float)i));
    }
    tick(60);
    assert_true(try_type(ada, PROTO_CLEAR));
    assert_int_equal(draw_from(STRANGERS, loose_at, 12, 100.0F), 12);
    assert_true(say(ada, &second));
    tick(1);
    assert_true(try_type(ada, PROTO_RESUME));
    assert_int_equal(things()->hunter_count, 12);
    assert_int_equal(draw_from(CLASS, loose_at, 1, 300.0F), 0);
    assert_int_equal(error.code, PROTO_E_FULL);
}

/* ---- undo ---- */

static bool undo(void)
{
    return try_type(ada, PROTO_UNDO);
}

/* Drawings of viewers leave presenters five of the ten steps. */
static void test_viewers_leave_undo_steps_to_presenters(void **state)
{
    (void)state;
    param("noise", 0.5F);
    for (int i = 0; i < 4; i++) {
        assert_true(wall_at(ada, 20.0F + (float)i));
    }
    for (int kind = 0; kind < 3; kind++) {
        const uint32_t count = shares[kind] - (kind == 0 ? 4 : 0);
        assert_int_equal(draw_from(STRANGERS, kinds[kind], count, 100.0F), count);
    }
    for (uint32_t left = 11; left > 7; left--) { /* the last ones alone, … */
        assert_true(undo());
        assert_int_equal(things()->hunter_count, left);
    }
    assert_true(undo()); /* … and the first ones together */
    assert_int_equal(things()->hunter_count, 0);
    assert_int_equal(things()->food_count, 0);
    assert_int_equal(settings()->wall_count, 4);
    for (uint32_t left = 4; left-- > 0;) {
        assert_true(undo());
        assert_int_equal(settings()->wall_count, left);
    }
    assert_true(undo());
    assert_true(parameter("noise")->value != 0.5F);
    assert_false(undo());
}

/* Changes of presenters and viewers one after the other share the steps, too. */
static void test_alternate_changes_share_the_steps(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        assert_true(wall_at(ada, 20.0F + (float)i));
        assert_int_equal(draw_from(STRANGERS, drop_at, 1, 100.0F + (float)i), 1);
    }
    for (int i = 0; i < 10; i++) {
        assert_true(undo());
    }
    assert_false(undo());
    assert_int_equal(settings()->wall_count, 15);
    assert_int_equal(things()->food_count, 15);
}

/* Undo of drawings together leaves earlier food where a wall has moved it. */
static void test_drawings_taken_back_together_leave_earlier_things(void **state)
{
    (void)state;
    assert_true(drop_at(ada, 20.0F));
    assert_true(loose_at(ada, 20.0F));
    assert_int_equal(draw_from(STRANGERS, drop_at, 4, 100.0F), 4);
    assert_true(say(join_from(STRANGERS),
                    &(struct proto_client_message){.type = PROTO_WALL,
                                                   .wall = {10.0F, 350.0F, 30.0F, 350.0F}}));
    assert_int_equal(draw_from(STRANGERS, loose_at, 6, 100.0F), 6);
    for (int i = 0; i < 6; i++) {
        assert_true(undo());
    }
    assert_int_equal(things()->hunter_count, 1);
    assert_int_equal(things()->food_count, 1);
    assert_int_equal(settings()->wall_count, 0);
    assert_true(undo());
    assert_int_equal(things()->hunter_count, 0);
}

/* Undo takes back the hunter that replaced another one. */
static void test_a_hunter_that_replaced_another_is_taken_back(void **state)
{
    (void)state;
    assert_int_equal(draw_from(STRANGERS, loose_at, 12, 100.0F), 12);
    assert_int_equal(draw_from(CLASS, loose_at, 2, 300.0F), 2);
    assert_true(undo());
    assert_true(undo());
    assert_int_equal(count_from(2, 300.0F), 0);
    assert_int_equal(things()->hunter_count, 10);
    assert_true(undo());
    assert_int_equal(things()->hunter_count, 9);
}

/* Strangers draw the viewers' share of hunters, and a class replaces three of them. */
static void replace_hunters(void)
{
    assert_int_equal(draw_from(STRANGERS, loose_at, 12, 100.0F), 12);
    assert_int_equal(draw_from(CLASS, loose_at, 3, 300.0F), 3);
    assert_int_equal(things()->hunter_count, 12);
}

/* Takes back those hunters, and the change before them. */
static void undo_before_hunters(void)
{
    while (things()->hunter_count > 0) {
        assert_true(undo());
    }
    assert_true(undo());
}

/* Undo takes back what a class has drawn in place of strangers' things, one after another, and then
 * the things that the strangers drew last. */
static void test_things_that_replaced_others_are_taken_back(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        fill_from_many(kind);
        assert_int_equal(draw_from(home(), kinds[kind], 3, 300.0F), 3);
        for (uint32_t left = 3; left-- > 0;) {
            assert_true(undo());
            assert_int_equal(count_from(kind, 300.0F), left);
            /* undo brings back the walls that gave way to later ones */
            assert_in_range(count_from(kind, 100.0F), shares[kind] - 3, shares[kind] - left);
        }
        assert_true(undo());
        assert_int_equal(count_from(kind, 100.0F + (float)shares[kind] - 1.0F), 0);
        assert_int_equal(count_from(kind, 300.0F), 0);
        assert_true(try_type(ada, PROTO_CLEAR));
    }
}

static void test_hunters_before_a_clear_come_back(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_true(loose_at(ada, 10.0F + (float)i));
    }
    assert_true(try_type(ada, PROTO_CLEAR));
    replace_hunters();
    undo_before_hunters();
    assert_int_equal(count_from(2, 10.0F), 3);
    assert_int_equal(things()->hunter_count, 3);
}

/* Undo of changes before a reset finds the things that it has brought back. */
static void test_hunters_before_a_reset_stay(void **state)
{
    (void)state;
    assert_true(loose_at(ada, 10.0F));
    assert_true(drop_at(ada, 20.0F));
    assert_true(try_type(ada, PROTO_RESET));
    replace_hunters();
    undo_before_hunters();
    assert_int_equal(things()->food_count, 1);
    assert_int_equal(things()->hunter_count, 1);
    assert_true(undo());
    assert_int_equal(things()->food_count, 0);
    assert_int_equal(things()->hunter_count, 1);
    assert_true(undo());
    assert_int_equal(things()->hunter_count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_lesson, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_pupils_draw_beside_a_stranger),
        TEST(test_addresses_share_what_viewers_may_draw),
        TEST(test_things_of_presenters_do_not_give_way),
        TEST(test_things_of_a_presenters_address_do_not_give_way),
        TEST(test_a_class_draws_beside_many_addresses),
        TEST(test_a_class_replaces_things_of_the_address_with_the_most),
        TEST(test_viewers_elsewhere_replace_nothing_of_many_addresses),
        TEST(test_pupils_draw_when_there_are_the_most_things),
        TEST(test_a_refused_drawing_replaces_nothing),
        TEST(test_the_room_knows_whose_things_are),
        TEST(test_the_removal_is_an_input),
        cmocka_unit_test_setup_teardown(test_a_replay_repeats_what_gave_way, make_with_past,
                                        finish),
        cmocka_unit_test_setup_teardown(test_things_from_the_past_do_not_give_way, make_with_past,
                                        finish),
        TEST(test_viewers_leave_undo_steps_to_presenters),
        TEST(test_alternate_changes_share_the_steps),
        TEST(test_drawings_taken_back_together_leave_earlier_things),
        TEST(test_a_hunter_that_replaced_another_is_taken_back),
        TEST(test_things_that_replaced_others_are_taken_back),
        TEST(test_hunters_before_a_clear_come_back),
        TEST(test_hunters_before_a_reset_stay),
    };

    return cmocka_run_group_tests_name("room, what viewers draw", tests, NULL, NULL);
}
