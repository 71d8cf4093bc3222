/* Presenters' undo: step by step, bit for bit. */
#include "room/room_state.h"
#include "room/state.h" /* before what calls a variable `room` */
#include "scene/budget.h"
#include "scene/flock_state.h"

#include "control_room.h"
#include "scene/inside.h"
#include "scene/saved.h"
#include "scene/scene.h"
#include "scene/undo_step.h"

static bool undo(struct client *client)
{
    return try_type(client, PROTO_UNDO);
}

/* The flock as bytes, without its epoch, which changes when boids jump. */
struct picture {
    size_t size;
    uint8_t *bytes;
};

static struct picture picture_of_flock(void)
{
    struct picture picture;
    uint32_t epoch = flock_epoch(room->present->flock);
    char problem[160];
    uint8_t *bytes = flock_save(room->present->flock, &picture.size);
    struct flock *flock = flock_load(bytes, picture.size, 0, problem, sizeof problem);
    struct flock_image image;
    const char *wrong = NULL;

    assert_non_null(flock);
    free(bytes);
    flock_image_of(flock, &image);
    assert_int_equal(image.epoch, epoch);
    image.epoch = 0;
    struct flock *same = flock_create_image(&image, &wrong);
    assert_null(wrong);
    picture.bytes = flock_save(same, &picture.size);
    flock_destroy(same);
    flock_destroy(flock);
    return picture;
}

static void assert_as_before(struct picture then)
{
    struct picture now = picture_of_flock();

    assert_int_equal(now.size, then.size);
    assert_memory_equal(now.bytes, then.bytes, then.size);
    free(now.bytes);
    free(then.bytes);
}

static const struct proto_event *last_event(void)
{
    for (int i = 0; i < 40; i++) {
        tick(1);
        publish();
    }
    return &bob->event_log[(bob->event_count - 1) % EVENTS_MAX];
}

static void assert_last_event(const char *name, const char *what, const char *from, const char *to)
{
    const struct proto_event *event = last_event();

    assert_string_equal(event->name, name);
    assert_string_equal(event->what, what);
    assert_string_equal(event->from, from);
    assert_string_equal(event->to, to);
    assert_int_equal(event->by, ada->id);
}

static void test_a_reset_is_taken_back(void **state)
{
    (void)state;
    tick(50);
    struct picture then = picture_of_flock();
    const uint32_t epoch = snapshot()->epoch;
    assert_true(try_type(ada, PROTO_RESET));
    tick(20);
    assert_true(undo(ada));
    assert_as_before(then);
    assert_true(snapshot()->epoch > epoch + 1); /* clients do not interpolate across it */
    assert_last_event("undo", "reset", "", "");
}

static void test_a_preset_is_taken_back(void **state)
{
    (void)state;
    set("preset", "bees");
    param("inertia", 2.0F);
    set("policy", "latest");
    tick(50);
    struct picture then = picture_of_flock();
    set("preset", "billiards"); /* another model, world, boundary and walls */
    tick(20);
    assert_true(undo(ada));
    assert_as_before(then);
    assert_string_equal(control("preset")->value, "bees");
    assert_string_equal(control("model")->value, "swarm");
    assert_string_equal(control("policy")->value, "latest");
    assert_int_equal(flock_count(room->present->flock), 400);
    assert_last_event("undo", "set preset", "billiards", "bees");
    assert_true(try_type(ada, PROTO_RESET)); /* to the preset's number of boids */
    assert_int_equal(flock_count(room->present->flock), 400);
}

static void test_boids_that_were_removed_come_back_where_they_were(void **state)
{
    (void)state;
    assert_true(try_add(ada, 100, 100, 50));
    tick(50);
    struct picture then = picture_of_flock();
    for (int i = 0; i < 4; i++) { /* one click after another */
        assert_true(try_remove(ada, 10));
        tick(5);
    }
    assert_int_equal(flock_count(room->present->flock), 22);
    assert_true(undo(ada));
    assert_as_before(then);
    assert_last_event("undo", "remove", "22", "62");
    /* Added boids disappear; the others keep their positions. */
    assert_true(undo(ada));
    assert_int_equal(flock_count(room->present->flock), 12);
    assert_last_event("undo", "add", "62", "12");
}

static void test_a_model_and_a_control_are_taken_back(void **state)
{
    (void)state;
    param("inertia", 2.5F);
    tick(90);
    set("model", "birds"); /* sets the boundary wrap, too */
    set("boundary", "walls");
    set("cursors", "scare");
    assert_true(undo(ada));
    assert_string_equal(control("cursors")->value, "lead");
    assert_true(undo(ada));
    assert_string_equal(control("boundary")->value, "wrap");
    assert_true(undo(ada));
    assert_string_equal(control("model")->value, "swarm");
    assert_string_equal(control("boundary")->value, "open");
    assert_float_equal(parameter("inertia")->value, 2.5F, 0.0F);
    assert_last_event("undo", "set model", "birds", "swarm");
    assert_true(undo(ada));
    assert_last_event("undo", "param inertia", "2.5", "1");
    assert_false(undo(ada));
    assert_refused(PROTO_E_STATE, "", "undo: there is nothing to undo");
}

static void test_a_drag_and_a_batch_are_one_step_each(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++) {
        param("inertia", 1.0F + (float)i / 50);
        tick(1);
    }
    tick(90);
    param("cohesion_max", 0.9F);
    param("separation_max", 50.0F);
    param("inertia", 3.0F);
    tick(90);
    assert_true(undo(ada));
    assert_last_event("undo", "param", "", "3");
    assert_float_equal(parameter("cohesion_max")->value, 0.5F, 1e-6F);
    assert_true(undo(ada));
    assert_last_event("undo", "param inertia", "2.18",
                      "1"); /* one step for all changes of a parameter */
    assert_float_equal(parameter("inertia")->value, 1.0F, 0.0F);
    assert_false(undo(ada));
}

static void test_ten_steps_are_kept(void **state)
{
    (void)state;
    for (int i = 0; i < 14; i++) {
        set("policy", i % 2 == 0 ? "latest" : "mean");
    }
    for (int i = 0; i < 10; i++) {
        assert_true(undo(ada));
    }
    assert_false(undo(ada));
}

static void test_a_change_without_effect_is_no_undo_step(void **state)
{
    (void)state;
    set("policy", "mean");
    param("inertia", 1.0F);
    assert_false(try_set(ada, "preset", "no-such"));
    assert_false(try_param(ada, "inertia", 100.0F));
    set("run", "paused");
    assert_true(try_title(ada, "Bees"));
    assert_false(undo(ada));
}

/* All members know whether undo is possible. */
static void test_the_room_says_whether_undo_is_possible(void **state)
{
    (void)state;
    assert_false(described()->can_undo);
    set("policy", "latest");
    assert_true(described()->can_undo);
    assert_true(undo(ada));
    assert_false(described()->can_undo);
    assert_false(undo(bob));
    assert_int_equal(error.code, PROTO_E_ROLE);
}

static void test_undo_names_the_change_of_another_person(void **state)
{
    (void)state;
    assert_true(try_appoint(ada, bob->id, PROTO_PRESENTER));
    assert_true(try_set(bob, "preset", "bees"));
    assert_true(undo(ada));
    assert_last_event("undo", "set preset", "bees", "");
    assert_string_equal(last_event()->who, "Ada");
}

/* Undo stores flocks up to a limit of boids, and discards the oldest first. */
static void test_undo_has_a_limit_of_boids(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_true(try_add(ada, 100, 100, 10000));
    }
    for (int i = 0; i < 5; i++) {
        assert_true(try_type(ada, PROTO_RESET));
        assert_true(try_add(ada, 100, 100, 10000));
        assert_true(try_add(ada, 100, 100, 10000));
    }
    assert_in_range(room->present->undo.boids, 1, UNDO_BOIDS);
}

static void test_undo_of_a_big_flock_restores_only_settings(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        assert_true(try_add(ada, 100, 100, 10000));
    }
    set("preset", "billiards");
    assert_int_equal(room->present->undo.boids, 0);
    assert_true(undo(ada));
    assert_last_event("undo-settings", "set preset", "billiards", "");
    assert_string_equal(control("model")->value, "swarm");
    assert_string_equal(control("boundary")->value, "open");
    assert_int_equal(flock_count(room->present->flock), 60); /* the preset's number */
    assert_int_equal(flock_settings_of(room->present->flock)->wall_count, 0);
}

/* Boids that undo restores count, and are refused like others. */
static void test_the_budget_of_all_rooms_counts(void **state)
{
    struct boid_budget budget = {.boids = 0, .boids_max = 100};
    struct room_definition definition = definition_default();

    (void)state;
    definition.budget = &budget;
    definition.boids_max = 90;
    definition.open_controls = true;
    make_two_as(&definition);
    assert_true(try_add(ada, 100, 100, 30));
    tick(40);
    assert_int_equal(budget.boids, 42);
    assert_true(try_remove(ada, 30));
    assert_int_equal(budget.boids, 12);
    assert_int_equal(budget.kept, 42);
    assert_true(budget_take(&budget, 70, &(uint32_t){0})); /* another room */
    assert_int_equal(budget.refused, 0);
    assert_false(try_add(ada, 100, 100, 20)); /* beyond the limit of all rooms */
    assert_int_equal(budget.refused, 1);
    assert_false(try_add(ada, 100, 100, 80)); /* beyond the limit of this room */
    assert_int_equal(budget.refused, 2);
    assert_false(undo(ada));
    assert_int_equal(error.code, PROTO_E_FULL);
    assert_int_equal(budget.refused, 3);
    budget_give(&budget, 70);
    assert_true(undo(ada));
    assert_int_equal(budget.boids, 42);
    assert_int_equal(budget.kept, 0);
    assert_true(try_type(ada, PROTO_RESET));
    room_destroy(room);
    room = NULL;
    assert_int_equal(budget.kept, 0);
    assert_int_equal(budget.boids, 0);
}

/* ---- a room that goes to another node ---- */

/* Replaces the room by what another node makes of it. Its people come back. */
static struct room *arrive(uint8_t *state, size_t size, struct proto_error *problem)
{
    struct room_definition definition = definition_with_key();
    const struct room_origin origin = {
        .state = state, .size = size, .continues = true, .vacated = true, .now = clock_now};

    saved_seal(state, size);
    return room_create(&definition, &sink, &origin, problem);
}

static void move_room(void)
{
    const struct proto_hello one = hello_again(ada);
    const struct proto_hello two = hello_again(bob);
    struct proto_error problem = {0};
    size_t size;
    uint8_t *state = room_save_leaving(room, clock_now, &size);

    assert_non_null(state);
    forget_clients();
    room_destroy(room);
    room = arrive(state, size, &problem);
    free(state);
    assert_string_equal(problem.message, "");
    assert_non_null(room);
    ada = join_as(&one);
    bob = join_as(&two);
    assert_int_equal(ada->role, PROTO_PRESENTER);
}

/* Each kind of change is taken back at the next node as it would have been at the first. */
static void test_undo_moves_with_the_room(void **state)
{
    struct picture pictures[5];

    (void)state;
    assert_true(try_add(ada, 100, 100, 50));
    tick(50);
    pictures[0] = picture_of_flock();
    assert_true(try_remove(ada, 10));
    tick(40); /* the next change is another step */
    pictures[1] = picture_of_flock();
    set("model", "birds");
    pictures[2] = picture_of_flock();
    set("policy", "latest");
    pictures[3] = picture_of_flock();
    assert_true(try_type(ada, PROTO_RESET));
    tick(20);
    move_room();
    tick(20);
    assert_true(undo(ada));
    assert_as_before(pictures[3]);
    assert_true(undo(ada));
    assert_string_equal(control("policy")->value, "mean");
    assert_as_before(pictures[2]);
    move_room();
    assert_true(undo(ada));
    assert_as_before(pictures[1]);
    assert_true(undo(ada));
    assert_as_before(pictures[0]);
    assert_true(undo(ada)); /* the boids that were added */
    assert_int_equal(flock_count(room->present->flock), 12);
    assert_false(undo(ada));
}

/* A preset that the room has saved is in force again. */
static void test_saved_presets_move_with_undo(void **state)
{
    const struct proto_client_message save = {.type = PROTO_SAVE, .save.name = "mine"};

    (void)state;
    set("preset", "bees");
    param("inertia", 2.0F);
    assert_true(say(ada, &save));
    set("preset", "billiards");
    move_room();
    assert_true(undo(ada));
    assert_string_equal(control("preset")->value, "mine");
}

/* A node reads any bytes: a changed byte gives the room, or an error, and never breaks a later
 * undo. */
static void test_damaged_undo(void **state)
{
    struct proto_error problem;
    uint32_t loaded = 0;
    size_t size;

    (void)state;
    assert_true(try_remove(ada, 10));
    set("model", "birds");
    uint8_t *bytes = room_save_leaving(room, clock_now, &size);
    uint8_t *copy = malloc(size);
    const uint8_t *undo_key = memmem(bytes, size, "undo", 4);
    const uint8_t *first = memmem(undo_key, size - (size_t)(undo_key - bytes), "type", 4);

    assert_non_null(copy);
    for (size_t at = (size_t)(first - bytes); at < size; at++) {
        memcpy(copy, bytes, size);
        copy[at] ^= (uint8_t)(1U << (at % 8));
        struct room *other = arrive(copy, size, &problem);
        if (other != NULL) {
            const struct proto_client_message message = {.type = PROTO_UNDO};
            (void)room_direct(other, &message, clock_now, &problem);
            (void)room_direct(other, &message, clock_now, &problem);
            room_tick(other, workspace, clock_now);
            loaded++;
        }
        room_destroy(other);
    }
    assert_true(loaded > 0 && loaded < size);
    free(copy);
    free(bytes);
}

/* Viewers draw until their steps have become one, whose pieces of food are counted. */
static void test_many_drawings_move_with_the_room(void **state)
{
    static float x[100000];
    static float y[100000];
    uint32_t most = 0;

    (void)state;
    assert_true(try_add(ada, 300, 350, 200)); /* that eat the food */
    set("drawing", "all");
    for (uint32_t drawn = 0; drawn < 2 * FLOCK_FOOD_MAX;) {
        flock_positions(room->present->flock, x, y);
        const struct proto_client_message drop = {.type = PROTO_FOOD, .food = {x[0], y[0], 1}};
        drawn += say(bob, &drop);
        tick(40);
    }
    for (uint32_t i = 0; i < room->present->undo.count; i++) {
        const uint32_t foods = room->present->undo.steps[i].foods;
        most = foods > most ? foods : most;
    }
    assert_int_equal(most, FLOCK_FOOD_MAX);
    move_room();
    assert_true(undo(ada));
}

/* Bytes that are no steps cost the room its undo, and nothing else. */
static void test_an_unreadable_undo(void **state)
{
    const struct proto_client_message message = {.type = PROTO_UNDO};
    struct boid_budget budget = {.boids = 0, .boids_max = 1000};
    struct room_definition definition = definition_with_key();
    struct proto_error problem = {0};
    size_t size;

    (void)state;
    assert_true(try_remove(ada, 10)); /* keeps a flock, which the second step makes useless */
    set("policy", "latest");
    uint8_t *bytes = room_save_leaving(room, clock_now, &size);
    uint8_t *name = memmem(bytes, size, "name\xa6policy", 11);
    assert_non_null(name);
    memcpy(name, "name\xa6pocily", 11);
    saved_seal(bytes, size);
    definition.budget = &budget;
    const struct room_origin origin = {
        .state = bytes, .size = size, .continues = true, .vacated = true, .now = clock_now};
    struct room *other = room_create(&definition, &sink, &origin, &problem);
    assert_non_null(other);
    assert_non_null(strstr(problem.message, "a change that cannot be undone"));
    assert_int_equal(flock_count(other->present->flock), 2);
    assert_int_equal(other->present->undo.count, 0);
    assert_int_equal(budget.kept, 0);
    assert_false(room_direct(other, &message, clock_now, &problem));
    room_destroy(other);
    free(bytes);
}

/* A node with a lower limit: undo does not bring the room above it. */
static void test_undo_at_a_node_with_fewer_boids(void **state)
{
    const struct proto_client_message undo_it = {.type = PROTO_UNDO};
    const struct proto_client_message reset = {.type = PROTO_RESET};
    struct room_definition definition = definition_with_key();
    struct proto_error problem = {0};
    size_t size;

    (void)state;
    assert_true(try_add(ada, 100, 100, 500));
    tick(40);
    assert_true(try_remove(ada, 500));
    uint8_t *bytes = room_save_leaving(room, clock_now, &size);
    saved_seal(bytes, size);
    definition.boids_max = 100;
    const struct room_origin origin = {
        .state = bytes, .size = size, .continues = true, .vacated = true, .now = clock_now};
    struct room *other = room_create(&definition, &sink, &origin, &problem);
    assert_non_null(other);
    assert_true(room_direct(other, &undo_it, clock_now, &problem));
    assert_int_equal(flock_count(other->present->flock), 12);
    assert_true(room_direct(other, &reset, clock_now, &problem));
    assert_true(flock_count(other->present->flock) <= 100);
    room_destroy(other);
    free(bytes);
}

/* A room that came with more boids than it may have here gets no more. */
static void test_no_boids_above_the_limit(void **state)
{
    const struct proto_client_message more = {.type = PROTO_ADD, .add = {100, 100, 1000}};
    struct room_definition definition = definition_with_key();
    struct proto_error problem = {0};
    size_t size;

    (void)state;
    assert_true(try_add(ada, 100, 100, 500));
    uint8_t *bytes = room_save_leaving(room, clock_now, &size);
    saved_seal(bytes, size);
    definition.boids_max = 100;
    const struct room_origin origin = {
        .state = bytes, .size = size, .continues = true, .vacated = true, .now = clock_now};
    struct room *other = room_create(&definition, &sink, &origin, &problem);
    assert_non_null(other);
    assert_int_equal(flock_count(other->present->flock), 512);
    assert_false(room_direct(other, &more, clock_now, &problem));
    assert_int_equal(problem.code, PROTO_E_FULL);
    assert_non_null(strstr(problem.message, "may have 0 more boids"));
    assert_int_equal(flock_count(other->present->flock), 512);
    room_destroy(other);
    free(bytes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_reset_is_taken_back),
        TEST(test_a_preset_is_taken_back),
        TEST(test_boids_that_were_removed_come_back_where_they_were),
        TEST(test_a_model_and_a_control_are_taken_back),
        TEST(test_a_drag_and_a_batch_are_one_step_each),
        TEST(test_ten_steps_are_kept),
        TEST(test_a_change_without_effect_is_no_undo_step),
        TEST(test_the_room_says_whether_undo_is_possible),
        TEST(test_undo_names_the_change_of_another_person),
        TEST(test_undo_has_a_limit_of_boids),
        TEST(test_undo_of_a_big_flock_restores_only_settings),
        TEST(test_the_budget_of_all_rooms_counts),
        TEST(test_undo_moves_with_the_room),
        TEST(test_saved_presets_move_with_undo),
        TEST(test_damaged_undo),
        TEST(test_many_drawings_move_with_the_room),
        TEST(test_an_unreadable_undo),
        TEST(test_undo_at_a_node_with_fewer_boids),
        TEST(test_no_boids_above_the_limit),
    };

    return cmocka_run_group_tests_name("room, what is taken back", tests, NULL, NULL);
}
