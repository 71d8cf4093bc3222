/* Presets that presenters save: their contents, their names, and that they are saved with the
 * room. */
#include "room/room_state.h"
#include "room/state.h" /* before what calls a variable `room` */
#include "scene/saved.h"

#include "control_room.h"
#include "load_room.h"
#include "scene/presets.h"

#define OWN "Ada’s flock"

static bool try_save(struct client *client, const char *name)
{
    struct proto_client_message message = {.type = PROTO_SAVE};

    snprintf(message.save.name, sizeof message.save.name, "%s", name);
    return say(client, &message);
}

static bool try_forget(struct client *client, const char *name)
{
    struct proto_client_message message = {.type = PROTO_FORGET};

    snprintf(message.forget.name, sizeof message.forget.name, "%s", name);
    return say(client, &message);
}

static void save(const char *name)
{
    if (!try_save(ada, name)) {
        fail_msg("save %s: %s", name, error.message);
    }
}

/* Returns the room's choice with that preset, or NULL. */
static const struct proto_choice *offered(const char *name)
{
    const struct proto_control *presets = control("preset");

    for (uint32_t i = 0; i < presets->choice_count; i++) {
        if (strcmp(presets->choices[i].value, name) == 0) {
            return &presets->choices[i];
        }
    }
    return NULL;
}

static uint32_t offered_count(void)
{
    return control("preset")->choice_count;
}

static void assert_last_event(const char *name, const char *what, const char *from, const char *to)
{
    for (int i = 0; i < 40; i++) {
        tick(1);
        publish();
    }
    const struct proto_event *event = &bob->event_log[(bob->event_count - 1) % EVENTS_MAX];
    assert_string_equal(event->name, name);
    assert_string_equal(event->what, what);
    assert_string_equal(event->from, from);
    assert_string_equal(event->to, to);
    assert_int_equal(event->by, ada->id);
    assert_string_equal(event->who, "Ada");
}

/* Changes the walls, the update order, the parameters and the number of boids. */
static void make_it_ones_own(void)
{
    set("preset", "sheep");
    set("update", "sequential");
    param("max_speed", 2.5F);
    assert_true(try_add(ada, 100, 100, 7));
}

static void assert_ones_own(void)
{
    const struct proto_room *now = described();

    assert_string_equal(now->model, "steering");
    assert_string_equal(now->boundary, "walls");
    assert_string_equal(now->update, "sequential");
    assert_true(now->width == 960.0F && now->height == 600.0F);
    assert_int_equal(now->wall_count, 7);
    assert_int_equal(snapshot()->flock, 127);
    assert_true(parameter("max_speed")->value == 2.5F);
    assert_true(parameter("max_speed")->initial == 2.5F);
    assert_true(parameter("turn_rate")->value == 0.25F);
    assert_string_equal(control("preset")->value, OWN);
}

static void test_the_present_settings_are_saved_and_chosen_again(void **state)
{
    uint32_t count = offered_count();

    (void)state;
    make_it_ones_own();
    save(OWN);
    assert_ones_own(); /* the preset is in force at once */
    assert_last_event("save", "", "", OWN);
    assert_int_equal(offered_count(), count + 1);
    assert_true(offered(OWN)->saved);
    assert_false(offered("bees")->saved);
    set("preset", "march");
    tick(10);
    assert_false(strcmp(described()->model, "steering") == 0);
    set("preset", OWN);
    assert_ones_own();
    assert_last_event("set", "preset", "march", OWN);
    param("max_speed", 0.5F);
    assert_true(parameter("max_speed")->initial == 2.5F); /* the button back restores this value */
    set("preset", OWN);
    assert_ones_own();
    assert_int_equal(room_facts(room).preset,
                     FLOCK_PRESET_NONE); /* other rooms do not have this preset */
}

static void test_a_look_is_saved_with_it(void **state)
{
    (void)state;
    set("preset", "js-birds");
    param("max_speed", 3.0F);
    save(OWN);
    set("preset", "bees");
    assert_string_equal(described()->look, "bee");
    set("preset", OWN);
    assert_string_equal(described()->look, "arrow");
    assert_true(described()->look_size == 20.0F);
    assert_int_equal(described()->click, 1);
    assert_true(try_forget(ada, OWN));
    assert_string_equal(described()->look, "arrow"); /* nothing on the screen changes */
    assert_string_equal(control("preset")->value, "");
}

static void test_a_ground_and_a_pen_are_saved_with_it(void **state)
{
    (void)state;
    set("preset", "sheep");
    assert_string_equal(described()->ground, "meadow");
    assert_true(described()->has_pen && described()->pen.x1 == 620.0F);
    param("max_speed", 3.0F);
    assert_string_equal(described()->ground, "meadow"); /* other parameters change no ground */
    save(OWN);
    set("preset", "bees");
    assert_string_equal(described()->ground, "comb");
    assert_false(described()->has_pen);
    set("preset", OWN);
    assert_string_equal(described()->ground, "meadow");
    assert_true(described()->has_pen && described()->pen.y2 == 420.0F);
    set("boundary", "wrap");
    assert_false(described()->has_pen); /* without walls there is no pen */
    set("model", "swarm");
    assert_string_equal(described()->ground, "");
}

static void test_a_preset_is_saved_again_and_removed(void **state)
{
    uint32_t count = offered_count();

    (void)state;
    save("one");
    save("two");
    set("preset", "bees");
    assert_true(try_save(ada, " ONE ")); /* it looks equal to readers */
    assert_last_event("save", "", "one", " ONE ");
    assert_null(offered("one"));
    assert_int_equal(offered_count(), count + 2);
    set("preset", " ONE ");
    assert_string_equal(described()->model, "swarm");
    assert_int_equal(snapshot()->flock, 400);
    assert_true(try_forget(ada, "two"));
    assert_last_event("forget", "", "two", "");
    assert_null(offered("two"));
    assert_false(try_set(ada, "preset", "two"));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_false(try_forget(ada, "two"));
    assert_refused(PROTO_E_RANGE, "name", "name: expected the name of a preset saved in this room");
    assert_string_equal(control("preset")->value, " ONE ");
}

static void test_names_that_a_preset_may_not_have(void **state)
{
    (void)state;
    take_image(&before);
    assert_false(try_save(ada, "Bees"));
    assert_refused(PROTO_E_RANGE, "name",
                   "name: bees is one of flockd's own presets; choose another one");
    assert_false(try_save(ada, " \xe2\x80\x8b "));
    assert_refused(PROTO_E_RANGE, "name", "name: expected at least one visible character");
    assert_false(try_forget(ada, "bees"));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_false(try_set(ada, "preset", "there is none of that name"));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_null(strstr(error.message, "there is none"));
    assert_false(try_save(bob, OWN));
    assert_int_equal(error.code, PROTO_E_ROLE);
    assert_unchanged();
}

static void test_a_room_has_a_limit_of_presets(void **state)
{
    char name[32];

    (void)state;
    for (unsigned i = 0; i < PRESETS_MAX; i++) {
        snprintf(name, sizeof name, "number %u", i);
        save(name);
    }
    take_image(&before);
    assert_false(try_save(ada, OWN));
    assert_refused(PROTO_E_FULL, "",
                   "save: the room has 16 saved presets already; remove one first");
    assert_unchanged();
    save("number 3"); /* replaces another preset */
    assert_true(try_forget(ada, "number 4"));
    save(OWN);
    assert_non_null(offered(OWN));
}

static void test_a_chosen_preset_is_undone(void **state)
{
    (void)state;
    make_it_ones_own();
    save(OWN);
    set("preset", "bees");
    set("preset", OWN);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_string_equal(control("preset")->value, "bees");
    assert_last_event("undo", "set preset", OWN, "bees");
    assert_true(try_type(ada, PROTO_UNDO));
    assert_ones_own();
    /* Only undo still has the earlier presets. */
    set("preset", "march");
    save(OWN);
    save("another one");
    assert_true(try_forget(ada, OWN));
    assert_true(try_type(ada, PROTO_UNDO));
    assert_string_equal(described()->model, "steering");
    assert_true(parameter("max_speed")->initial == 2.5F);
    assert_string_equal(control("preset")->value, "");
}

/* ---- saved with the room ---- */

static void reload(void)
{
    struct room_definition definition = definition_with_key();
    char problem[200] = "";
    size_t size;
    uint8_t *bytes = room_save(room, clock_now, &size);

    assert_non_null(bytes);
    saved_seal(bytes, size);
    room_destroy(room);
    room = load_room(&definition, &sink, bytes, size, clock_now, problem, sizeof problem);
    free(bytes);
    if (room == NULL) {
        fail_msg("%s", problem);
    }
    for (uint32_t i = 0; i < client_count; i++) {
        clients[i].member = 0;
    }
    struct proto_hello hello = hello_again(ada);
    room_vacate(room, clock_now);
    ada = join_as(&hello);
    bob = join("Bob");
}

static void test_presets_are_saved_with_the_room(void **state)
{
    (void)state;
    set("preset", "js-birds");
    save("birds of ours");
    make_it_ones_own();
    save(OWN);
    reload();
    assert_ones_own();
    assert_true(offered("birds of ours")->saved);
    set("preset", "birds of ours");
    assert_string_equal(described()->model, "birds");
    assert_string_equal(described()->look, "arrow");
    assert_true(try_forget(ada, "birds of ours"));
    reload(); /* the look comes from a removed preset */
    assert_null(offered("birds of ours"));
    assert_string_equal(described()->look, "arrow");
    save("birds of ours"); /* with the same name */
    assert_true(try_forget(ada, OWN));
    reload();
    assert_string_equal(control("preset")->value, "birds of ours");
    assert_null(offered(OWN));
}

/* Saved presets with one mistake. */
static void test_saved_presets_are_checked(void **state)
{
    static const struct {
        const char *is, *was;
    } wrongs[] = {
        {"bees", "own1"},           /* flockd's own */
        {"    ", "own1"},           /* no visible character */
        {"own2", "own1"},           /* twice */
        {"stearing", "steering"},   /* not a model */
        {"max_shoes", "max_speed"}, /* not a parameter of the model */
    };

    (void)state;
    make_it_ones_own();
    save("own1");
    save("own2");
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        struct room_definition definition = definition_with_key();
        char problem[200] = "";
        size_t size;
        uint8_t *bytes = room_save(room, clock_now, &size);
        size_t length = strlen(wrongs[i].was);
        uint8_t *presets = memmem(bytes, size, "presets", 7);
        uint8_t *at;
        assert_non_null(presets);
        at = memmem(presets, size - (size_t)(presets - bytes), wrongs[i].was, length);
        assert_non_null(at);
        memcpy(at, wrongs[i].is, length);
        saved_seal(bytes, size);
        struct room *loaded =
            load_room(&definition, &sink, bytes, size, clock_now, problem, sizeof problem);
        assert_null(loaded);
        assert_true(problem[0] != '\0');
        assert_true(i != 4 || strstr(problem, "steering has no parameter max_shoes") != NULL);
        free(bytes);
    }
}

/* A saved preset whose least separation, the first parameter, is above its greatest. */
static void test_a_saved_contradiction_is_refused(void **state)
{
    static const uint8_t much[] = {0xCA, 0x43, 0x47, 0, 0}; /* 199.0 */
    struct room_definition definition = definition_with_key();
    char problem[200] = "";
    uint8_t *bytes, *at;
    size_t size;

    (void)state;
    set("model", "swarm");
    save(OWN);
    set("preset", "bees"); /* else the scene itself has the same parameters */
    bytes = room_save(room, clock_now, &size);
    at = memmem(bytes, size, "presets", 7);
    assert_non_null(at);
    at = memmem(at, size - (size_t)(at - bytes), "separation_min", 14);
    assert_non_null(at);
    assert_int_equal(at[14], much[0]);
    memcpy(at + 14, much, sizeof much);
    saved_seal(bytes, size);
    assert_null(load_room(&definition, &sink, bytes, size, clock_now, problem, sizeof problem));
    assert_non_null(strstr(problem, "a minimum is above its maximum"));
    free(bytes);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_the_present_settings_are_saved_and_chosen_again),
        TEST(test_a_look_is_saved_with_it),
        TEST(test_a_ground_and_a_pen_are_saved_with_it),
        TEST(test_a_preset_is_saved_again_and_removed),
        TEST(test_names_that_a_preset_may_not_have),
        TEST(test_a_room_has_a_limit_of_presets),
        TEST(test_a_chosen_preset_is_undone),
        TEST(test_presets_are_saved_with_the_room),
        TEST(test_saved_presets_are_checked),
        TEST(test_a_saved_contradiction_is_refused),
    };
#undef TEST
    return cmocka_run_group_tests_name("room, presets of its own", tests, NULL, NULL);
}
