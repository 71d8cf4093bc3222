/* Presets whose boids flee from cursors set the class mode; another preset restores the earlier
 * mode. The pen has a clock. */
#include "scene/inside.h"
#include "scene/scene_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct scene *scene;

static struct scene_definition definition_of(const char *preset)
{
    struct scene_definition definition = {
        .tick_rate = 30, .cursor_timeout = 10000000, .boids_max = SCENE_BOIDS_MAX, .undo = true};

    if (preset != NULL) {
        definition.preset = flock_preset_find(preset);
    }
    return definition;
}

/* Makes a scene with the flock of its preset. */
static struct scene *make_scene(const struct scene_definition *definition)
{
    struct flock_definition flock = flock_definition_default();

    if (definition->preset != NULL) {
        flock.settings = flock_preset_settings(definition->preset);
        flock.boids = definition->preset->boids;
    }
    return scene_create(definition, &flock);
}

static int make(void **state)
{
    const struct scene_definition definition = definition_of(NULL);

    (void)state;
    scene = make_scene(&definition);
    return scene == NULL;
}

static int finish(void **state)
{
    (void)state;
    scene_destroy(scene);
    return 0;
}

static void apply(const struct proto_client_message *message)
{
    static uint64_t time;
    struct proto_error error = {0};
    struct change change;

    time += 10000000; /* no step of undo continues another one */
    if (!scene_apply(scene,
                     &(struct input){.type = INPUT_MESSAGE, .time = time, .message = message},
                     &change, &error)) {
        fail_msg("%s", error.message);
    }
}

static void set(const char *name, const char *value)
{
    struct proto_client_message message = {.type = PROTO_SET};

    snprintf(message.set.name, sizeof message.set.name, "%s", name);
    snprintf(message.set.value, sizeof message.set.value, "%s", value);
    apply(&message);
}

static void undo(void)
{
    apply(&(struct proto_client_message){.type = PROTO_UNDO});
}

static void assert_mode(const char *policy, const char *cursors)
{
    assert_string_equal(control_value(scene, "policy"), policy);
    assert_string_equal(control_value(scene, "cursors"), cursors);
}

/* Saves the scene, and replaces it by the loaded one. */
static void save_and_load(void)
{
    const struct scene_definition definition = definition_of(NULL);
    const uint64_t hash = scene_hash(scene);
    char problem[160] = "";
    uint64_t clock;
    size_t size;
    uint8_t *bytes = scene_save(scene, 1000, &size);

    assert_non_null(bytes);
    saved_seal(bytes, size);
    scene_destroy(scene);
    scene = scene_load(&definition, bytes, size, &clock, problem, sizeof problem);
    free(bytes);
    assert_string_equal(problem, "");
    assert_true(scene_hash(scene) == hash);
}

/* Runs the flock. */
static void run(uint32_t ticks)
{
    struct flock_workspace *workspace = flock_workspace_create(1);

    for (uint32_t tick = 0; tick < ticks; tick++) {
        assert_int_equal(scene_tick(scene, workspace, tick * UINT64_C(33333)), SCENE_TICK_DONE);
    }
    flock_workspace_destroy(workspace);
}

static struct proto_penned penned(void)
{
    struct proto_penned penned;

    scene_penned(scene, &penned);
    return penned;
}

/* ---- the tests ---- */

static void a_preset_that_flees_sets_the_mode_and_another_puts_it_back(void **state)
{
    (void)state;
    set("policy", "latest");
    set("preset", "sheep");
    assert_mode("nearest", "scare");
    set("preset", "bees");
    assert_mode("latest", "lead");
    set("cursors", "scare");
    set("preset", "sardines");
    assert_mode("nearest", "scare");
    set("preset", "march");
    assert_mode("latest", "scare");
}

static void one_that_flees_after_another_keeps_what_stood_first(void **state)
{
    (void)state;
    set("preset", "sheep");
    set("preset", "sardines");
    set("preset", "sheep");
    assert_mode("nearest", "scare");
    set("preset", "bees");
    assert_mode("mean", "lead");
}

static void a_chosen_model_puts_it_back_and_another_boundary_does_not(void **state)
{
    (void)state;
    set("preset", "sheep");
    set("boundary", "wrap");
    assert_mode("nearest", "scare");
    set("model", "swarm");
    assert_mode("mean", "lead");
}

static void what_the_presenter_chose_since_stays(void **state)
{
    (void)state;
    set("preset", "sheep");
    set("policy", "relay"); /* one dog at a time */
    set("preset", "bees");
    assert_mode("relay", "lead");
    set("preset", "sheep");
    set("cursors", "lead"); /* each boid follows the nearest cursor now */
    set("preset", "bees");
    assert_mode("nearest", "lead");
    set("policy", "mean");
    set("preset", "sardines");
    set("cursors", "lead");
    set("policy", "teams");
    set("preset", "sheep"); /* flees again */
    assert_mode("nearest", "scare");
    set("preset", "march");
    assert_mode("teams", "lead");
}

static void undo_takes_the_mode_back_with_the_preset(void **state)
{
    (void)state;
    set("policy", "latest");
    set("preset", "sheep");
    undo();
    assert_mode("latest", "lead");
    set("preset", "sheep");
    set("preset", "bees");
    undo();
    assert_mode("nearest", "scare");
    set("policy", "relay");
    undo();
    set("preset", "bees"); /* the undone choice of relay is none */
    assert_mode("latest", "lead");
}

static void a_saved_scene_knows_what_stood_before(void **state)
{
    (void)state;
    set("policy", "latest");
    set("preset", "sheep");
    save_and_load();
    assert_mode("nearest", "scare");
    set("preset", "bees");
    assert_mode("latest", "lead");
    save_and_load();
    set("preset", "bees");
    assert_mode("latest", "lead");
}

static void what_stood_before_decides_the_hash(void **state)
{
    const struct scene_definition definition = definition_of("sheep");
    struct scene_definition latest = definition;

    (void)state;
    latest.controls.policy = CURSOR_LATEST;
    struct scene *one = make_scene(&definition);
    struct scene *other = make_scene(&latest);
    assert_true(scene_hash(one) != scene_hash(other));
    scene_destroy(one);
    scene_destroy(other);
}

static void a_scene_made_from_one_flees_unless_its_creator_chose(void **state)
{
    struct scene_definition definition = definition_of("sheep");

    (void)state;
    definition.controls.policy = CURSOR_RELAY;
    scene_destroy(scene);
    scene = make_scene(&definition);
    assert_mode("nearest", "scare");
    set("preset", "bees");
    assert_mode("relay", "lead");

    definition.chosen.policy = true;
    scene_destroy(scene);
    scene = make_scene(&definition);
    assert_mode("relay", "scare");

    definition.chosen = (struct control_chosen){.cursors = true};
    scene_destroy(scene);
    scene = make_scene(&definition);
    assert_mode("relay", "lead");
    set("preset", "bees");
    assert_mode("relay", "lead");
}

/* A saved preset flees if the flock that it was made of did. */
static void a_saved_preset_flees_as_its_flock_did(void **state)
{
    struct proto_client_message message = {.type = PROTO_SAVE};

    (void)state;
    set("preset", "sheep");
    snprintf(message.save.name, sizeof message.save.name, "wild");
    apply(&message);
    set("cursors", "lead");
    set("policy", "mean");
    snprintf(message.save.name, sizeof message.save.name, "tame");
    apply(&message);
    set("preset", "bees");
    set("preset", "wild");
    assert_mode("nearest", "scare");
    set("preset", "tame");
    assert_mode("mean", "lead");
    save_and_load();
    set("preset", "wild");
    assert_mode("nearest", "scare");
    set("preset", "bees");
    assert_mode("mean", "lead");
}

/* In a recording of an earlier flockd, presets leave the class mode alone. */
static void presets_of_an_earlier_edition_set_no_mode(void **state)
{
    (void)state;
    scene->edition = 2;
    set("preset", "sheep");
    assert_mode("mean", "lead");
    save_and_load();
    set("preset", "sardines");
    assert_mode("mean", "lead");
    scene_modernize(scene);
    set("preset", "sheep");
    assert_mode("nearest", "scare");
}

static float parameter(const char *name)
{
    const struct flock_settings *settings = flock_settings_of(scene_flock(scene));

    return settings->params[flock_param_find(settings->model, name)];
}

/* A recording of an earlier flockd has the sheep of that time, and moves them as it did. */
static void presets_of_an_earlier_edition_have_its_parameters(void **state)
{
    (void)state;
    for (uint32_t edition = 1; edition <= SCENE_EDITION; edition++) {
        scene->edition = edition;
        set("preset", "sheep");
        const float speed = edition == 1 ? 1.2F : edition <= 4 ? 2.2F : 2.4F;
        assert_true(parameter("max_speed") == speed);
    }
}

/* Sheep stand on all sides of the pen, and in it. */
static void the_pen_counts_the_sheep_in_it(void **state)
{
    uint32_t beyond[4] = {0};
    uint32_t inside = 0;

    (void)state;
    set("preset", "sheep");
    const struct flock_box *pen = scene_pen(scene);
    const struct flock_slots slots = flock_slots(scene->flock);
    for (uint32_t i = 0; i < flock_count(scene->flock); i++) {
        const bool out[] = {slots.x[i]<pen->left, slots.x[i]> pen->right,
                            slots.y[i]<pen->top, slots.y[i]> pen->bottom};
        for (int side = 0; side < 4; side++) {
            beyond[side] += out[side];
        }
        inside += !(out[0] || out[1] || out[2] || out[3]);
    }
    assert_true(beyond[0] > 0 && beyond[1] > 0 && beyond[2] > 0 && beyond[3] > 0 && inside > 0);
    assert_int_equal(penned().inside, inside);
    assert_int_equal(penned().boids, flock_count(scene->flock));
}

static void the_clock_of_the_pen_is_saved(void **state)
{
    (void)state;
    set("preset", "sheep");
    run(95);
    scene->herding.done = true; /* all were in the pen */
    save_and_load();
    assert_int_equal(penned().seconds, 3);
    assert_true(penned().done);
    run(60); /* it stands still */
    assert_int_equal(penned().seconds, 3);
}

static void undo_brings_the_clock_of_the_pen_back(void **state)
{
    (void)state;
    set("preset", "sheep");
    run(95);
    apply(&(struct proto_client_message){.type = PROTO_RESET});
    assert_int_equal(penned().seconds, 0);
    run(30);
    assert_int_equal(penned().seconds, 1);
    undo();
    assert_int_equal(penned().seconds, 3);
    run(30);
    assert_int_equal(penned().seconds, 4);
    set("preset", "bees");
    undo();
    assert_int_equal(penned().seconds, 4);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, make, finish)
    const struct CMUnitTest tests[] = {
        TEST(a_preset_that_flees_sets_the_mode_and_another_puts_it_back),
        TEST(one_that_flees_after_another_keeps_what_stood_first),
        TEST(a_chosen_model_puts_it_back_and_another_boundary_does_not),
        TEST(what_the_presenter_chose_since_stays),
        TEST(the_pen_counts_the_sheep_in_it),
        TEST(the_clock_of_the_pen_is_saved),
        TEST(undo_brings_the_clock_of_the_pen_back),
        TEST(undo_takes_the_mode_back_with_the_preset),
        TEST(a_saved_scene_knows_what_stood_before),
        TEST(what_stood_before_decides_the_hash),
        TEST(a_scene_made_from_one_flees_unless_its_creator_chose),
        TEST(a_saved_preset_flees_as_its_flock_did),
        TEST(presets_of_an_earlier_edition_set_no_mode),
        TEST(presets_of_an_earlier_edition_have_its_parameters),
    };
#undef TEST
    return cmocka_run_group_tests_name("class modes of presets", tests, NULL, NULL);
}
