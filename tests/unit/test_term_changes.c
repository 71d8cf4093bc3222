/* What a presenter changes: what of it is sent, when, in which order, and what is shown meanwhile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../clients/term/changes.h"

#include <stdio.h>
#include <string.h>

#define SECOND INT64_C(1000000)

static struct term_changes changes;
static struct proto_client_message said;
static struct proto_room room; /* parameters `inertia` and `radius`, control `run` */
static int64_t now;

static int setup(void **state)
{
    (void)state;
    changes = (struct term_changes){0};
    room = (struct proto_room){.param_count = 2, .control_count = 1};
    room.params[0] = (struct proto_param){.name = "inertia", .max = 3, .value = 1};
    room.params[1] = (struct proto_param){.name = "radius", .max = 100, .value = 20};
    room.controls[0] = (struct proto_control){.name = "run", .value = "running"};
    now = SECOND;
    return 0;
}

static bool param(const char *name, float value)
{
    struct proto_client_message message = {.type = PROTO_PARAM, .param = {.value = value}};
    snprintf(message.param.name, sizeof message.param.name, "%s", name);
    return term_changes_push(&changes, &message);
}

static bool set(const char *name, const char *value)
{
    struct proto_client_message message = {.type = PROTO_SET};
    snprintf(message.set.name, sizeof message.set.name, "%s", name);
    snprintf(message.set.value, sizeof message.set.value, "%s", value);
    return term_changes_push(&changes, &message);
}

static bool step(void)
{
    return term_changes_push(&changes, &(struct proto_client_message){.type = PROTO_STEP});
}

/* What is sent now goes into `said`; false: nothing. */
static bool says(void)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];
    struct proto_error error;
    bool due = term_changes_due(&changes, now);
    size_t size = term_changes_next(&changes, bytes, now);
    assert_int_equal(size > 0, due);
    if (size > 0) {
        struct proto_decoder *decoder = proto_decoder_create();
        assert_int_equal(proto_decode_client(decoder, bytes, size, &said, &error), PROTO_OK);
        proto_decoder_destroy(decoder);
    }
    return size > 0;
}

/* After the time that must lie between two messages. */
static bool says_next(void)
{
    now += TERM_CHANGES_EVERY;
    return says();
}

static void expect_param(const char *name, float value)
{
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_PARAM);
    assert_string_equal(said.param.name, name);
    assert_float_equal(said.param.value, value, 0);
}

static void expect_set(const char *name, const char *value)
{
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_SET);
    assert_string_equal(said.set.name, name);
    assert_string_equal(said.set.value, value);
}

static void only_the_last_value_is_sent(void **state)
{
    int sent = 0;
    float last = 0;
    (void)state;
    for (int i = 0; i < 240; i++, now += SECOND / 240) {
        assert_true(param("inertia", (float)i));
        if (says()) {
            assert_float_equal(said.param.value, i, 0); /* never one that is out of date */
            last = said.param.value;
            sent++;
        }
    }
    assert_in_range(sent, 25, 30);
    if (last != 239) {
        expect_param("inertia", 239);
    }
    assert_false(says_next());
}

static void the_first_is_sent_at_once(void **state)
{
    (void)state;
    assert_true(param("inertia", 2));
    assert_true(says());
    assert_true(param("inertia", 3));
    now += TERM_CHANGES_EVERY - 1;
    assert_false(says());
    now += 1;
    assert_true(says());
}

static void each_thing_has_its_own_last_value(void **state)
{
    (void)state;
    param("inertia", 1);
    param("radius", 2);
    param("inertia", 3);
    set("inertia", "heavy"); /* a control of the same name is something else */
    param("radius", 4);
    expect_param("inertia", 3);
    expect_set("inertia", "heavy");
    expect_param("radius", 4);
    assert_false(says_next());
}

static void a_value_after_a_preset_stays_after_it(void **state)
{
    (void)state;
    param("inertia", 1);
    set("preset", "bees");
    param("inertia", 2);
    expect_set("preset", "bees");
    expect_param("inertia", 2);
    assert_false(says_next());
}

static void nothing_overtakes_a_step(void **state)
{
    (void)state;
    set("run", "paused");
    step();
    step();
    set("run", "running");
    set("run", "paused");
    set("run", "running");
    expect_set("run", "paused");
    for (int i = 0; i < 2; i++) {
        assert_true(says_next());
        assert_int_equal(said.type, PROTO_STEP);
    }
    expect_set("run", "running");
    assert_false(says_next());
}

static void too_many_are_refused_and_none_is_lost(void **state)
{
    unsigned sent = 0;
    (void)state;
    for (unsigned i = 0; i < TERM_CHANGES_MAX; i++) {
        assert_true(step());
    }
    assert_false(step());
    assert_false(param("inertia", 1));
    while (says_next()) {
        sent++;
    }
    assert_int_equal(sent, TERM_CHANGES_MAX);
    assert_true(param("inertia", 1));
}

static void ours_is_shown_until_it_is_so(void **state)
{
    (void)state;
    assert_null(term_changes_param(&changes, "inertia"));
    param("inertia", 1.5F);
    set("run", "paused");
    assert_float_equal(term_changes_param(&changes, "inertia")->value, 1.5F, 0);
    assert_string_equal(term_changes_set(&changes, "run")->value, "paused");
    room.params[0].value = 1.5F; /* somebody else's: ours is still to be sent */
    term_changes_settle(&changes, &room, now);
    assert_non_null(term_changes_param(&changes, "inertia"));
    expect_param("inertia", 1.5F);
    expect_set("run", "paused");
    room.params[0].value = 1.75F; /* crosses ours on the way */
    term_changes_settle(&changes, &room, now);
    assert_float_equal(term_changes_param(&changes, "inertia")->value, 1.5F, 0);
    room.params[0].value = 1.5F;
    strcpy(room.controls[0].value, "paused");
    term_changes_settle(&changes, &room, now);
    assert_null(term_changes_param(&changes, "inertia"));
    assert_null(term_changes_set(&changes, "run"));
}

static void what_is_not_answered_is_forgotten(void **state)
{
    (void)state;
    set("run", "paused");
    param("gone", 1); /* of a model that is no longer there */
    expect_set("run", "paused");
    expect_param("gone", 1);
    term_changes_settle(&changes, &room, now - TERM_CHANGES_EVERY + TERM_CHANGES_WAIT - 1);
    assert_non_null(term_changes_set(&changes, "run"));
    term_changes_settle(&changes, &room, now - TERM_CHANGES_EVERY + TERM_CHANGES_WAIT);
    assert_null(term_changes_set(&changes, "run"));
    assert_non_null(term_changes_param(&changes, "gone"));
    term_changes_settle(&changes, &room, now + TERM_CHANGES_WAIT);
    assert_null(term_changes_param(&changes, "gone"));
}

static void a_refusal_is_about_what_was_sent(void **state)
{
    (void)state;
    param("inertia", 99);
    set("run", "paused");
    expect_param("inertia", 99);
    term_changes_refused(&changes);
    assert_null(term_changes_param(&changes, "inertia"));
    expect_set("run", "paused");
}

#define TEST(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(only_the_last_value_is_sent),       TEST(the_first_is_sent_at_once),
        TEST(each_thing_has_its_own_last_value), TEST(a_value_after_a_preset_stays_after_it),
        TEST(nothing_overtakes_a_step),          TEST(too_many_are_refused_and_none_is_lost),
        TEST(ours_is_shown_until_it_is_so),      TEST(what_is_not_answered_is_forgotten),
        TEST(a_refusal_is_about_what_was_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
