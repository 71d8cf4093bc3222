/* Presenters' changes: roles, every control and parameter, and refused changes, which have an
 * answer and no effect. */
#include "control_room.h"
#include "scene/scene.h"

/* ---- roles ---- */

static enum proto_role welcomed_as(const struct client *client)
{
    return read_frame(client->welcome)->welcome.role;
}

static void test_the_key_makes_a_presenter(void **state)
{
    static const char *const wrong[] = {"x", "the-key-of-the-lobb", "the-key-of-the-lobby-",
                                        "the-key-of-the-lobbx", "xhe-key-of-the-lobby"};

    (void)state;
    assert_int_equal(ada->role, PROTO_PRESENTER);
    assert_int_equal(welcomed_as(ada), PROTO_VIEWER);
    assert_int_equal(bob->role, PROTO_VIEWER);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(say_key(bob, wrong[i]));
        assert_refused(PROTO_E_KEY, "key", "key: this is not the room's key");
        assert_int_equal(bob->role, PROTO_VIEWER);
    }
    assert_false(say_key(ada, "wrong")); /* does not change the role */
    assert_int_equal(ada->role, PROTO_PRESENTER);
    assert_true(say_key(bob, KEY)); /* the role comes before done */
    assert_int_equal(next_heard(bob)->type, PROTO_ROLE);
    assert_int_equal(bob->role, PROTO_PRESENTER);
}

static void test_without_a_key_no_one_becomes_a_presenter(void **state)
{
    const struct room_definition definition = definition_default();

    (void)state;
    make_two_as(&definition);
    assert_false(say_key(ada, KEY));
    assert_refused(PROTO_E_KEY, "key", "key: this is not the room's key");
    assert_false(say_key(ada, ""));
    assert_int_equal(ada->role, PROTO_VIEWER);
}

static void test_open_controls_are_everyones(void **state)
{
    struct room_definition definition = definition_default();

    (void)state;
    definition.open_controls = true;
    make_two_as(&definition);
    assert_int_equal(welcomed_as(bob), PROTO_PRESENTER);
    assert_true(try_set(bob, "model", "boids"));
}

/* A token brings back its person; a new person in the same slot is a different one. */
static void test_the_role_belongs_to_the_person(void **state)
{
    struct proto_hello hello = hello_of("");

    (void)state;
    hello.has_token = true;
    memcpy(hello.token, ada->token, sizeof hello.token);
    leave(ada);
    clock_now++;
    ada = join_as(&hello);
    assert_int_equal(welcomed_as(ada), PROTO_PRESENTER);
    leave(ada);
    clock_now += 10 * 60 * SECOND + 1;
    assert_int_equal(welcomed_as(join("Cem")), PROTO_VIEWER);
    assert_int_equal(welcomed_as(join_as(&hello)), PROTO_VIEWER);
}

static void test_a_hello_may_have_the_key(void **state)
{
    struct proto_hello hello = hello_of("Cem");
    struct client *cem;

    (void)state;
    snprintf(hello.key, sizeof hello.key, KEY);
    cem = join_as(&hello);
    assert_int_equal(welcomed_as(cem), PROTO_PRESENTER);
    assert_null(next_heard(cem));

    /* With a wrong key it is a viewer, and gets an error after the welcome. */
    snprintf(hello.key, sizeof hello.key, "wrong");
    cem = join_as(&hello);
    assert_int_equal(welcomed_as(cem), PROTO_VIEWER);
    const struct proto_server_message *told = next_heard(cem);
    assert_int_equal(told->type, PROTO_ERROR);
    error = told->error;
    assert_refused(PROTO_E_KEY, "key", "key: this is not the room's key");
    assert_int_equal(error.type, PROTO_HELLO);
    assert_null(next_heard(cem));
}

static void test_viewers_change_nothing(void **state)
{
    static const enum proto_type types[] = {PROTO_SET,     PROTO_PARAM, PROTO_ADD,   PROTO_REMOVE,
                                            PROTO_RESET,   PROTO_STEP,  PROTO_TITLE, PROTO_EXPEL,
                                            PROTO_APPOINT, PROTO_REKEY, PROTO_FOOD,  PROTO_HUNTER,
                                            PROTO_WALL,    PROTO_ERASE, PROTO_CLEAR};

    (void)state;
    set("idle", "hold");
    set("run", "paused");
    take_image(&before);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        assert_false(try_type(bob, types[i]));
        assert_refused(PROTO_E_ROLE, "",
                       "only a presenter may do this; open the presenter's link to become one");
    }
    assert_false(try_set(bob, "model", "boids"));
    assert_false(try_add(bob, 1, 1, 1));
    tick(1); /* the step was not made */
    clock_now -= 33333;
    assert_unchanged();
}

/* ---- the room's list of controls ---- */

static void test_the_room_lists_all_choices(void **state)
{
    const struct proto_control *offered = control("model");
    uint32_t count = 0;

    (void)state;
    for (; flock_models[count] != NULL; count++) {
        assert_string_equal(offered->choices[count].value, flock_models[count]->name);
        assert_string_equal(offered->choices[count].text, flock_models[count]->text);
    }
    assert_int_equal(offered->choice_count, count);
    assert_string_equal(offered->value, "swarm");

    offered = control("preset");
    for (count = 0; flock_presets[count].name != NULL; count++) {
        assert_string_equal(offered->choices[count].value, flock_presets[count].name);
        assert_string_equal(offered->choices[count].text, flock_presets[count].text);
    }
    assert_int_equal(offered->choice_count, count);
    assert_string_equal(offered->value, "");
    assert_int_equal(described()->boids_max, SCENE_BOIDS_MAX);
}

/* Each choice of each control takes effect, and every member gets one message. */
static void test_every_choice_can_be_chosen(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < described()->control_count; i++) {
        const struct proto_control offered = described()->controls[i];
        assert_true(strlen(offered.text) > 0 && offered.choice_count >= 2);
        for (uint32_t j = 0; j < offered.choice_count; j++) {
            uint32_t version = ada->versions[VIEW_ROOM];
            bool news = strcmp(described()->controls[i].value, offered.choices[j].value) != 0;
            assert_true(strlen(offered.choices[j].text) > 0);
            set(offered.name, offered.choices[j].value);
            assert_string_equal(control(offered.name)->value, offered.choices[j].value);
            if (news) {
                assert_true(ada->versions[VIEW_ROOM] > version);
            }
            tick(1);
            assert_in_range(snapshot()->boid_count, 1, SCENE_BOIDS_MAX);
        }
    }
}

/* The definition comes from an option of flockd or from a request to the API. */
static void test_a_room_begins_with_the_parameters_of_its_definition(void **state)
{
    struct room_definition definition = definition_with_key();
    struct flock_settings *flock = &definition.flock.settings;

    (void)state;
    flock->params[0] = flock->model->params[0].max;
    make_two_as(&definition);
    assert_true(parameter(flock->model->params[0].name)->value == flock->model->params[0].max);
}

static void test_invalid_choices_are_refused(void **state)
{
    (void)state;
    take_image(&before);
    assert_false(try_set(ada, "colour", "red"));
    assert_refused(
        PROTO_E_RANGE, "name",
        "name: expected one of preset, model, boundary, update, policy, teams, turn, cursors, "
        "viewers, drawing, idle, layers, …, got colour");
    assert_false(try_set(ada, "model", "model-of-a-later"));
    assert_refused(PROTO_E_RANGE, "value",
                   "model: expected one of swarm, boids, vision, birds, steering, got "
                   "model-of-a-later");
    assert_false(try_set(ada, "policy", "loudest"));
    assert_refused(PROTO_E_RANGE, "value",
                   "policy: expected one of mean, latest, nearest, presenter, teams, relay, got "
                   "loudest");
    assert_false(try_set(ada, "preset", "flamingos"));
    assert_non_null(strstr(error.message, ", …, got flamingos")); /* not all presets fit */
    assert_unchanged();
    /* For any number of choices, the error ends with the value that was sent. */
    for (uint32_t i = 0; i < described()->control_count; i++) {
        assert_false(try_set(ada, described()->controls[i].name, "sixteen-letters0"));
        assert_non_null(strstr(error.message, ", got sixteen-letters0"));
        assert_string_equal(error.field, "value");
    }
}

/* Members get a new message only after a change. */
static void test_an_unchanged_value_makes_no_event(void **state)
{
    static const char *const quiet[] = {"boundary", "update", "policy", "cursors", "viewers",
                                        "drawing",  "idle",   "run",    "layers",  "coloring"};

    (void)state;
    set("preset", "original");
    take_image(&before);
    for (size_t i = 0; i < sizeof quiet / sizeof quiet[0]; i++) {
        char value[PROTO_VALUE_MAX + 1];
        snprintf(value, sizeof value, "%s", control(quiet[i])->value);
        set(quiet[i], value);
    }
    param("inertia", parameter("inertia")->value);
    assert_unchanged();
}

/* ---- layers ---- */

static void test_everyone_may_see_any_set_of_layers(void **state)
{
    static const char *const offered[] = {"free",  "none",    "rules",  "centroid",
                                          "links", "density", "target", "trails"};

    (void)state;
    assert_string_equal(control("layers")->value, "free");
    assert_int_equal(control("layers")->choice_count, sizeof offered / sizeof offered[0]);
    for (size_t i = 0; i < sizeof offered / sizeof offered[0]; i++) {
        assert_string_equal(control("layers")->choices[i].value, offered[i]);
    }
    set("layers", "trails+links");
    assert_string_equal(control("layers")->value, "trails+links");
    set("layers", "trails+target+density+links+centroid+rules");
    assert_string_equal(control("layers")->value, "trails+target+density+links+centroid+rules");
    assert_false(try_set(ada, "layers", "links+trails"));
    assert_false(try_set(ada, "layers", "+trails"));
    assert_false(try_set(ada, "layers", ""));
    assert_false(try_set(bob, "layers", "none"));
    set("coloring", "clusters");
    assert_true(try_type(ada, PROTO_UNDO));
    assert_string_equal(control("coloring")->value, "free");
    assert_true(try_type(ada, PROTO_UNDO));
    assert_string_equal(control("layers")->value, "trails+links");
}

/* ---- parameters ---- */

static void check_parameter(const struct proto_room_param *shown, uint32_t index)
{
    static struct proto_params values;
    const float outside[] = {shown->min - 1, shown->max + 1, 1e30F, -1e30F};
    uint32_t version = ada->versions[VIEW_ROOM];
    char expected[PROTO_TEXT_MAX + 1];

    param(shown->name, shown->max);
    assert_true(parameter(shown->name)->value == shown->max);
    uint32_t params_version = ada->versions[VIEW_PARAMS];
    param(shown->name, shown->min);
    publish();
    assert_int_equal(ada->versions[VIEW_PARAMS], params_version + 1);
    assert_int_equal(ada->versions[VIEW_ROOM], version);
    values = part_of(ada, VIEW_PARAMS)->params;
    assert_int_equal(values.count, described()->param_count);
    assert_true(values.values[index] == shown->min);
    take_image(&before);
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        snprintf(expected, sizeof expected, "%s: expected %g to %g, got %g", shown->name,
                 (double)shown->min, (double)shown->max, (double)outside[i]);
        assert_false(try_param(ada, shown->name, outside[i]));
        assert_refused(PROTO_E_RANGE, "value", expected);
    }
    assert_false(try_param(ada, shown->name, nextafterf(shown->min, -INFINITY)));
    assert_false(try_param(ada, shown->name, nextafterf(shown->max, INFINITY)));
    assert_unchanged();
}

/* Sets all parameters to their initial values, and each maximum of a pair to its upper limit, so
 * that a minimum can have any value. */
static void raise_greatest(const struct flock_model *model)
{
    for (uint32_t i = 0; i < model->param_count; i++) {
        assert_true(described()->params[i].value == described()->params[i].initial);
    }
    for (uint32_t i = 0; i < model->param_count; i++) {
        bool least = true;
        if (flock_param_pair(model, i, &least) >= 0 && !least) {
            param(model->params[i].name, model->params[i].max);
        }
    }
}

static void test_every_parameter_of_every_model(void **state)
{
    (void)state;
    for (size_t i = 0; flock_models[i] != NULL; i++) {
        set("model", flock_models[i]->name);
        assert_string_equal(described()->model, flock_models[i]->name);
        assert_int_equal(described()->param_count, flock_models[i]->param_count);
        raise_greatest(flock_models[i]);
        for (uint32_t j = 0; j < flock_models[i]->param_count; j++) {
            const struct proto_room_param shown = described()->params[j];
            check_parameter(&shown, j);
        }
        tick(3); /* with every parameter at its minimum */
    }
}

static void test_parameters_are_of_the_model(void **state)
{
    (void)state;
    take_image(&before);
    assert_false(try_param(ada, "max_turn", 1));
    assert_refused(PROTO_E_RANGE, "name", "name: the model swarm has no parameter max_turn");
    assert_false(try_param(ada, "a_parameter_of_thirty_two_bytes0", 1));
    assert_refused(PROTO_E_RANGE, "name",
                   "name: the model swarm has no parameter a_parameter_of_thirty_two_bytes0");
    assert_unchanged();
    uint32_t version = ada->versions[VIEW_PARAMS];
    set("model", "vision");
    publish();
    assert_int_equal(ada->versions[VIEW_PARAMS], version + 1); /* the parameters of the new model */
    param("max_turn", 1);
    set("model", "swarm");
    set("model", "vision");
    assert_true(parameter("max_turn")->value == parameter("max_turn")->initial);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_the_key_makes_a_presenter),
        TEST(test_without_a_key_no_one_becomes_a_presenter),
        TEST(test_open_controls_are_everyones),
        TEST(test_the_role_belongs_to_the_person),
        TEST(test_a_hello_may_have_the_key),
        TEST(test_viewers_change_nothing),
        TEST(test_the_room_lists_all_choices),
        TEST(test_every_choice_can_be_chosen),
        TEST(test_a_room_begins_with_the_parameters_of_its_definition),
        TEST(test_invalid_choices_are_refused),
        TEST(test_an_unchanged_value_makes_no_event),
        TEST(test_everyone_may_see_any_set_of_layers),
        TEST(test_every_parameter_of_every_model),
        TEST(test_parameters_are_of_the_model),
    };
#undef TEST
    return cmocka_run_group_tests_name("room, controls", tests, NULL, NULL);
}
