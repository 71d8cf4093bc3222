/* People draw walls, drop food and set hunters loose. Presenters erase and take back. */
#include "room/state.h" /* before what calls a variable `room` */
#include "scene/scene_state.h"

#include "control_room.h"
#include "scene/scene.h"

static bool drop(struct client *client, float x, float y, uint32_t amount)
{
    return say(client, &(struct proto_client_message){.type = PROTO_FOOD, .food = {x, y, amount}});
}

static bool loose(struct client *client, float x, float y)
{
    return say(client, &(struct proto_client_message){.type = PROTO_HUNTER, .hunter = {x, y}});
}

static bool draw(struct client *client, float x1, float y1, float x2, float y2)
{
    return say(client,
               &(struct proto_client_message){.type = PROTO_WALL, .wall = {x1, y1, x2, y2}});
}

static bool erase(struct client *client, float x, float y, float within)
{
    return say(client,
               &(struct proto_client_message){.type = PROTO_ERASE, .erase = {x, y, within}});
}

static const struct flock_things *things(void)
{
    return flock_things_of(scene_flock(room->present));
}

static const struct flock_settings *settings(void)
{
    return flock_settings_of(scene_flock(room->present));
}

static float flee_weight(void)
{
    return parameter("flee_weight")->value;
}

static void assert_last_event(const char *name, const char *what, const char *from)
{
    for (int i = 0; i < 40; i++) {
        tick(1);
        publish();
    }
    const struct proto_event *event = &bob->event_log[(bob->event_count - 1) % EVENTS_MAX];
    assert_string_equal(event->name, name);
    assert_string_equal(event->what, what);
    assert_string_equal(event->from, from);
    assert_string_equal(event->to, "");
    assert_int_equal(event->by, ada->id);
}

/* The things that subscribers of the topic know. */
static const struct proto_things *shown(void)
{
    static struct proto_things last;
    struct room_view *view = room_snapshot(room, workspace, clock_now);

    assert_non_null(view);
    assert_non_null(view->topics[VIEW_THINGS]);
    last = read_frame(view->topics[VIEW_THINGS])->things;
    view_release(view);
    return &last;
}

static void test_a_presenter_drops_food(void **state)
{
    (void)state;
    set("run", "paused");
    subscribe(ada, PROTO_TOPIC_THINGS);
    assert_true(drop(ada, 100.5F, 50.0F, 70));
    assert_last_event("food", "", "");
    assert_int_equal(things()->food_count, 1);
    assert_int_equal(shown()->food_count, 1);
    assert_true(shown()->food[0].x == 100.5F && shown()->food[0].y == 50.0F);
    assert_int_equal(shown()->food[0].amount, 70);
    assert_int_equal(shown()->hunter_count, 0);
}

/* Boids begin to flee with the first hunter. */
static void test_a_presenter_sets_a_hunter_loose(void **state)
{
    (void)state;
    set("model", "boids");
    assert_true(flee_weight() == 0.0F);
    subscribe(ada, PROTO_TOPIC_THINGS);
    assert_true(loose(ada, 30.0F, 40.0F));
    assert_true(flee_weight() == settings()->model->flight);
    assert_last_event("hunter", "", "");
    const struct flock_point hunter = things()->hunters[0];
    assert_true(hunter.x != 30.0F || hunter.y != 40.0F);
    assert_int_equal(shown()->hunter_count, 1);
    set("model", "birds");
    assert_true(flee_weight() == settings()->model->flight);
    param("flee_weight", 0.5F);
    assert_true(loose(ada, 30.0F, 40.0F));
    assert_true(flee_weight() == 0.5F);
}

/* A wall brings its boundary, and is taken back with it. */
static void test_a_presenter_draws_a_wall(void **state)
{
    (void)state;
    set("preset", "original");
    assert_int_equal(described()->wall_count, 0);
    assert_true(draw(ada, 10.0F, 20.0F, 300.0F, 200.0F));
    assert_int_equal(described()->wall_count, 1);
    assert_true(described()->walls[0].x2 == 300.0F);
    assert_string_equal(described()->boundary, "walls");
    assert_string_equal(control("boundary")->value, "walls");
    assert_string_equal(control("preset")->value, "");
    assert_last_event("wall", "", "");
    assert_true(draw(ada, 10.0F, 20.0F, 300.0F, 300.0F));
    assert_int_equal(described()->wall_count, 2);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_int_equal(described()->wall_count, 1);
    assert_last_event("undo", "wall", "");
    assert_true(try_type(ada, PROTO_UNDO));
    assert_int_equal(described()->wall_count, 0);
    assert_string_equal(described()->boundary, "open");
    assert_string_equal(control("preset")->value, "original");
}

static void test_a_wall_announces_its_boundary(void **state)
{
    (void)state;
    assert_true(draw(ada, 10.0F, 20.0F, 300.0F, 200.0F));
    publish();
    tick(30);
    publish();
    assert_int_equal(bob->event_count, 2);
    assert_string_equal(bob->event_log[0].name, "set");
    assert_string_equal(bob->event_log[0].what, "boundary");
    assert_string_equal(bob->event_log[0].to, "walls");
    assert_string_equal(bob->event_log[1].name, "wall");
}

static void test_wrong_things_are_refused(void **state)
{
    (void)state;
    take_image(&before);
    assert_false(drop(ada, 1e6F, 5.0F, 1));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_string_equal(error.field, "x");
    assert_false(loose(ada, 5.0F, -1e6F));
    assert_string_equal(error.field, "y");
    assert_false(draw(ada, 5.0F, 5.0F, 5.0F, 5.0F));
    assert_refused(PROTO_E_RANGE, "x2",
                   "wall: expected two different points within 65536 units of the origin");
    assert_false(draw(ada, 5.0F, 5.0F, 5.0F, 1e6F));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_false(erase(ada, 100.0F, 100.0F, 20.0F));
    assert_refused(PROTO_E_STATE, "", "erase: nothing is within 20 units of that point");
    assert_unchanged();
}

static void test_things_have_limits(void **state)
{
    (void)state;
    subscribe(ada, PROTO_TOPIC_THINGS);
    for (uint32_t i = 0; i < FLOCK_FOOD_MAX; i++) {
        assert_true(drop(ada, (float)i, 5.0F, 1));
        assert_true(draw(ada, (float)i, 10.0F, (float)i, 20.0F));
    }
    for (uint32_t i = 0; i < FLOCK_HUNTERS_MAX; i++) {
        assert_true(loose(ada, (float)i, 50.0F));
    }
    assert_int_equal(shown()->food_count, FLOCK_FOOD_MAX);
    assert_int_equal(shown()->hunter_count, FLOCK_HUNTERS_MAX);
    take_image(&before);
    assert_false(drop(ada, 5.0F, 5.0F, 1));
    assert_refused(PROTO_E_FULL, "", "food: there are 64 pieces, the most");
    assert_false(loose(ada, 5.0F, 5.0F));
    assert_refused(PROTO_E_FULL, "", "hunter: there are 16, the most");
    assert_false(draw(ada, 5.0F, 5.0F, 7.0F, 5.0F));
    assert_refused(PROTO_E_FULL, "", "wall: there are 64 walls, the most");
    assert_unchanged();
}

/* Erasing removes the nearest thing of any kind. */
static void test_a_presenter_erases(void **state)
{
    (void)state;
    set("run", "paused");
    assert_true(draw(ada, 0.0F, 100.0F, 400.0F, 100.0F));
    assert_true(drop(ada, 200.0F, 110.0F, 9));
    assert_true(loose(ada, 200.0F, 130.0F));
    assert_true(erase(ada, 200.0F, 121.0F, 30.0F));
    assert_int_equal(things()->hunter_count, 0);
    assert_last_event("erase", "", "hunter");
    assert_true(erase(ada, 200.0F, 106.0F, 30.0F));
    assert_int_equal(things()->food_count, 0);
    assert_last_event("erase", "", "food");
    assert_true(erase(ada, 300.0F, 128.0F, 28.0F)); /* beside the middle of the wall */
    assert_int_equal(described()->wall_count, 0);
    assert_last_event("erase", "", "wall");
    for (int i = 0; i < 3; i++) {
        assert_true(try_type(ada, PROTO_UNDO));
    }
    assert_int_equal(described()->wall_count, 1);
    assert_int_equal(things()->food[0].amount, 9);
    assert_true(things()->hunters[0].y == 130.0F);
    assert_true(try_type(ada, PROTO_CLEAR));
    assert_last_event("clear", "", "");
    assert_int_equal(things()->food_count + things()->hunter_count + settings()->wall_count, 0);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_int_equal(described()->wall_count, 1);
    assert_int_equal(things()->food_count + things()->hunter_count, 2);
}

static void test_clearing_nothing_changes_nothing(void **state)
{
    (void)state;
    take_image(&before);
    assert_true(try_type(ada, PROTO_CLEAR));
    assert_unchanged();
}

/* Each undo removes one thing. The other things keep their present positions and amounts. */
static void test_each_thing_is_taken_back_alone(void **state)
{
    (void)state;
    set("model", "boids");
    assert_true(drop(ada, 500.0F, 10.0F, 1000));
    assert_true(loose(ada, 30.0F, 40.0F));
    assert_true(drop(ada, 10.0F, 300.0F, 1000));
    assert_true(loose(ada, 300.0F, 200.0F));
    tick(20);
    const struct flock_things now = *things();
    assert_true(try_type(ada, PROTO_UNDO));
    assert_int_equal(things()->hunter_count, 1);
    assert_memory_equal(&things()->hunters[0], &now.hunters[0], sizeof now.hunters[0]);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_int_equal(things()->food_count, 1);
    assert_memory_equal(&things()->food[0], &now.food[0], sizeof now.food[0]);
    assert_true(flee_weight() > 0.0F);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_int_equal(things()->hunter_count, 0);
    assert_true(flee_weight() == 0.0F);
    assert_int_equal(things()->food_count, 1);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_int_equal(things()->food_count, 0);
    assert_last_event("undo", "food", "");
}

/* Undo of food that was eaten removes no other food. */
static void test_food_that_was_eaten_is_taken_back(void **state)
{
    const struct flock_slots slots = flock_slots(scene_flock(room->present));

    (void)state;
    assert_true(drop(ada, 500.0F, 10.0F, 1000));
    assert_true(drop(ada, slots.x[0], slots.y[0], 1));
    tick(2);
    assert_int_equal(things()->food_count, 1);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_int_equal(things()->food_count, 1);
    assert_true(things()->food[0].x == 500.0F);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_int_equal(things()->food_count, 0);
}

/* A second piece at the same place is a step of its own. */
static void test_each_piece_at_a_place_is_taken_back(void **state)
{
    (void)state;
    set("run", "paused");
    assert_true(drop(ada, 500.0F, 10.0F, 1000));
    assert_true(drop(ada, 500.0F, 10.0F, 30));
    assert_true(try_type(ada, PROTO_UNDO));
    assert_int_equal(things()->food_count, 1);
    assert_int_equal(things()->food[0].amount, 1000);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_int_equal(things()->food_count, 0);
}

/* A reset removes food and hunters, and its undo restores them. */
static void test_a_reset_removes_things(void **state)
{
    (void)state;
    set("run", "paused");
    assert_true(drop(ada, 500.0F, 10.0F, 7));
    assert_true(loose(ada, 30.0F, 40.0F));
    assert_true(draw(ada, 0.0F, 100.0F, 400.0F, 100.0F));
    assert_true(try_type(ada, PROTO_RESET));
    assert_int_equal(things()->food_count + things()->hunter_count, 0);
    assert_int_equal(settings()->wall_count, 1);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_int_equal(things()->food[0].amount, 7);
    assert_true(things()->hunters[0].x == 30.0F);
}

/* Undo does not store the boids of a big flock. Food and hunters come back where they were, also
 * outside the smaller world that the change brought. */
static void test_things_of_a_big_flock_come_back(void **state)
{
    (void)state;
    set("preset", "bees");
    set("run", "paused");
    for (int i = 0; i < 7; i++) {
        assert_true(try_add(ada, 100, 100, 10000));
    }
    assert_true(drop(ada, 900.0F, 550.0F, 7));
    assert_true(loose(ada, 950.0F, 20.0F));
    set("preset", "billiards");
    assert_int_equal(things()->food_count + things()->hunter_count, 0);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_in_range(flock_count(scene_flock(room->present)), 1, 1000); /* not stored */
    assert_true(things()->food[0].x == 900.0F && things()->food[0].y == 550.0F);
    assert_true(things()->hunters[0].x == 950.0F && things()->hunters[0].y == 20.0F);
}

/* Viewers may draw while a presenter allows it, but not erase. */
static void test_viewers_draw_where_they_may(void **state)
{
    (void)state;
    assert_false(drop(bob, 100.0F, 50.0F, 7));
    assert_int_equal(error.code, PROTO_E_ROLE);
    set("drawing", "all");
    assert_true(drop(bob, 100.0F, 50.0F, 7));
    assert_true(loose(bob, 100.0F, 50.0F));
    assert_true(draw(bob, 0.0F, 100.0F, 400.0F, 100.0F));
    assert_false(erase(bob, 100.0F, 50.0F, 100.0F));
    assert_int_equal(error.code, PROTO_E_ROLE);
    assert_false(try_type(bob, PROTO_CLEAR));
    assert_int_equal(error.code, PROTO_E_ROLE);
    set("drawing", "presenters");
    assert_false(drop(bob, 100.0F, 50.0F, 7));
    assert_int_equal(error.code, PROTO_E_ROLE);
}

/* A viewer may draw five things at once, and then one every five seconds. Refused messages do not
 * count, and presenters have no limit. */
static void test_viewers_draw_a_few_things(void **state)
{
    (void)state;
    set("drawing", "all");
    assert_false(drop(bob, 1e6F, 5.0F, 1));
    for (int i = 0; i < 5; i++) {
        assert_true(drop(bob, 100.0F, 50.0F, 1000));
    }
    assert_false(loose(bob, 100.0F, 50.0F));
    assert_refused(PROTO_E_FLOOD, "",
                   "viewers may draw 5 things at once, and then one every 5 seconds");
    assert_int_equal(error.after, 5);
    for (int i = 0; i < 10; i++) {
        assert_true(drop(ada, 100.0F, 50.0F, 1000));
    }
    clock_now += 4900000;
    assert_false(loose(bob, 100.0F, 50.0F));
    assert_int_equal(error.after, 1);
    clock_now += 100000;
    assert_true(loose(bob, 100.0F, 50.0F));
    assert_false(loose(bob, 100.0F, 50.0F));
}

/* Draws a thing of each kind, as Bob, when he may draw again. Returns how many were drawn. */
static uint32_t draw_as_viewer(void)
{
    clock_now += 15 * SECOND;
    return (uint32_t)draw(bob, 1.0F, 10.0F, 1.0F, 20.0F) + drop(bob, 100.0F, 50.0F, 1000) +
           loose(bob, 100.0F, 50.0F);
}

/* Viewers may draw while a flock has less than three quarters of the things that it can have.
 * Presenters' things count, too. */
static void test_viewers_leave_things_to_presenters(void **state)
{
    (void)state;
    set("drawing", "all");
    for (int i = 0; i < 12; i++) {
        assert_int_equal(draw_as_viewer(), 3);
    }
    assert_false(loose(bob, 100.0F, 50.0F));
    assert_refused(PROTO_E_FULL, "",
                   "hunter: there are 12 hunters; viewers may draw up to 12, and presenters 16");
    for (int i = 12; i < 48; i++) {
        assert_int_equal(draw_as_viewer(), 2);
    }
    assert_int_equal(draw_as_viewer(), 0);
    assert_false(draw(bob, 5.0F, 5.0F, 7.0F, 5.0F));
    assert_refused(PROTO_E_FULL, "",
                   "wall: there are 48 walls; viewers may draw up to 48, and presenters 64");
    assert_false(drop(bob, 100.0F, 50.0F, 1000));
    assert_refused(PROTO_E_FULL, "",
                   "food: there are 48 pieces; viewers may draw up to 48, and presenters 64");
    for (int i = 0; i < 16; i++) {
        assert_true(draw(ada, 2.0F, 10.0F, 2.0F, 20.0F));
        assert_true(drop(ada, 100.0F, 50.0F, 1000));
    }
    for (int i = 0; i < 4; i++) {
        assert_true(loose(ada, 100.0F, 50.0F));
    }
    assert_int_equal(draw_as_viewer(), 0);
    assert_int_equal(settings()->wall_count, FLOCK_WALLS_MAX);
    assert_int_equal(things()->food_count, FLOCK_FOOD_MAX);
    assert_int_equal(things()->hunter_count, FLOCK_HUNTERS_MAX);
    assert_false(draw(ada, 2.0F, 10.0F, 2.0F, 20.0F));
    assert_refused(PROTO_E_FULL, "", "wall: there are 64 walls, the most");
    assert_true(erase(ada, 1.0F, 15.0F, 5.0F));
    assert_int_equal(settings()->wall_count, 63);
    assert_false(draw(bob, 5.0F, 5.0F, 7.0F, 5.0F)); /* 47 walls or fewer make room for viewers */
    assert_true(try_type(ada, PROTO_CLEAR));
    assert_int_equal(draw_as_viewer(), 3);
}

/* A saved scene has its things, and who may draw. */
static void test_saved_scenes_have_things(void **state)
{
    struct scene_definition definition = *scene_definition_of(room->present);
    char problem[160] = "";
    uint64_t clock;
    size_t size;

    (void)state;
    set("drawing", "all");
    assert_true(drop(ada, 500.0F, 10.0F, 7));
    assert_true(loose(ada, 30.0F, 40.0F));
    assert_true(draw(ada, 0.0F, 100.0F, 400.0F, 100.0F));
    tick(3);
    uint64_t hash = scene_hash(room->present);
    uint8_t *bytes = scene_save(room->present, room_time(room, clock_now), &size);
    saved_seal(bytes, size);
    struct scene *loaded = scene_load(&definition, bytes, size, &clock, problem, sizeof problem);
    assert_string_equal(problem, "");
    assert_non_null(loaded);
    assert_memory_equal(flock_things_of(scene_flock(loaded)), things(), sizeof *things());
    assert_int_equal(scene_hash(loaded), hash);
    assert_int_equal(scene_controls_of(loaded)->drawing, DRAWING_ALL);
    assert_true(try_type(ada, PROTO_CLEAR));
    assert_true(scene_hash(room->present) != hash);
    scene_destroy(loaded);
    free(bytes);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_a_presenter_drops_food),
        TEST(test_a_presenter_sets_a_hunter_loose),
        TEST(test_a_presenter_draws_a_wall),
        TEST(test_a_wall_announces_its_boundary),
        TEST(test_wrong_things_are_refused),
        TEST(test_things_have_limits),
        TEST(test_a_presenter_erases),
        TEST(test_clearing_nothing_changes_nothing),
        TEST(test_each_thing_is_taken_back_alone),
        TEST(test_food_that_was_eaten_is_taken_back),
        TEST(test_each_piece_at_a_place_is_taken_back),
        TEST(test_a_reset_removes_things),
        TEST(test_things_of_a_big_flock_come_back),
        TEST(test_viewers_draw_where_they_may),
        TEST(test_viewers_draw_a_few_things),
        TEST(test_viewers_leave_things_to_presenters),
        TEST(test_saved_scenes_have_things),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
