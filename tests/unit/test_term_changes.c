/* A presenter's changes: sent changes, their time and order, and the shown values until the answer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/net/changes.h"

#include <stdio.h>
#include <string.h>

#define SECOND INT64_C(1000000)

static struct term_changes changes;
static struct proto_client_message said;
static struct proto_room room;    /* parameters `inertia` and `radius`, control `run` */
static struct term_people people; /* Ada, a presenter, and Bob, a viewer */
static int64_t now;

static int setup(void **state)
{
    (void)state;
    changes = (struct term_changes){0};
    room = (struct proto_room){.param_count = 2, .control_count = 1};
    room.params[0] = (struct proto_room_param){.name = "inertia", .max = 3, .value = 1};
    room.params[1] = (struct proto_room_param){.name = "radius", .max = 100, .value = 20};
    room.controls[0] = (struct proto_control){.name = "run", .value = "running"};
    people = (struct term_people){
        .count = 2,
        .list = {{.id = 1, .name = "Ada", .flags = PROTO_FLAG_PRESENTER}, {.id = 2, .name = "Bob"}},
    };
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

static bool appoint(uint32_t id, enum proto_role role)
{
    return term_changes_push(
        &changes, &(struct proto_client_message){.type = PROTO_APPOINT, .appoint = {id, role}});
}

static bool title(const char *text)
{
    struct proto_client_message message = {.type = PROTO_TITLE};
    snprintf(message.title.title, sizeof message.title.title, "%s", text);
    return term_changes_push(&changes, &message);
}

static void done(uint32_t tag)
{
    const struct proto_done answer = {.has_tag = true, .tag = tag};
    term_changes_done(&changes, &answer, now);
}

static void refused(uint32_t tag)
{
    const struct proto_error error = {.has_tag = true, .tag = tag};
    term_changes_refused(&changes, &error);
}

/* The server has done all changes that were sent. */
static void all_done(void)
{
    for (uint32_t tag = 1; tag <= changes.tag; tag++) {
        done(tag);
    }
}

static void settle(void)
{
    term_changes_settle(&changes, &room, &people, now);
}

static bool step(void)
{
    return term_changes_push(&changes, &(struct proto_client_message){.type = PROTO_STEP});
}

/* Stores the next message in `said`. Returns false if there is none. */
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

/* Like says(), after the minimum time between two messages. */
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
            assert_float_equal(said.param.value, i, 0); /* never an outdated value */
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
    set("inertia", "heavy"); /* a control with the same name is separate */
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

/* The room never shows the pause: all three messages came before its next tick. */
static void after_pause_step_run_the_flock_runs(void **state)
{
    (void)state;
    set("run", "paused");
    step();
    set("run", "running");
    while (says_next()) {
        assert_string_equal(term_changes_set(&changes, "run")->value, "running");
    }
    all_done();
    settle();
    assert_null(term_changes_set(&changes, "run"));
}

/* A refused change leaves the one before it. */
static void a_pause_shows_after_a_refusal_to_run(void **state)
{
    (void)state;
    set("run", "paused");
    expect_set("run", "paused");
    step();
    set("run", "running");
    assert_true(says_next());
    expect_set("run", "running");
    done(said.tag - 2);
    refused(said.tag);
    settle();
    assert_string_equal(term_changes_set(&changes, "run")->value, "paused");
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
    room.params[0].value = 1.5F; /* another person's value, before this client's value is sent */
    settle();
    assert_non_null(term_changes_param(&changes, "inertia"));
    expect_param("inertia", 1.5F);
    expect_set("run", "paused");
    room.params[0].value = 1.75F; /* sent before this client's value arrived */
    settle();
    assert_float_equal(term_changes_param(&changes, "inertia")->value, 1.5F, 0);
    all_done();
    room.params[0].value = 1.5F;
    strcpy(room.controls[0].value, "paused");
    settle();
    assert_null(term_changes_param(&changes, "inertia"));
    assert_null(term_changes_set(&changes, "run"));
}

/* The room still has the value from before two quick changes, which is also that of the second. */
static void an_old_value_of_the_room_confirms_nothing(void **state)
{
    (void)state;
    set("run", "paused");
    expect_set("run", "paused");
    const uint32_t first = said.tag;
    settle();
    set("run", "running");
    expect_set("run", "running");
    settle();
    assert_string_equal(term_changes_set(&changes, "run")->value, "running");
    done(first);
    strcpy(room.controls[0].value, "paused");
    settle();
    assert_string_equal(term_changes_set(&changes, "run")->value, "running");
    done(said.tag);
    strcpy(room.controls[0].value, "running");
    settle();
    assert_null(term_changes_set(&changes, "run"));
}

static void each_message_has_a_tag_of_its_own(void **state)
{
    uint32_t last = 0;
    (void)state;
    for (int i = 0; i < 10; i++) {
        param("inertia", (float)i);
        step();
        for (int k = 0; k < 2; k++) {
            assert_true(says_next());
            assert_true(said.has_tag);
            assert_true(said.tag > last);
            last = said.tag;
        }
    }
}

/* The room reports a change in a separate message. Without that message for a long time, the change
 * was undone. */
static void a_confirmed_change_shows_until_the_room_has_it(void **state)
{
    (void)state;
    set("run", "paused");
    expect_set("run", "paused");
    now += 60 * SECOND; /* on a slow connection an answer may take long */
    settle();
    assert_non_null(term_changes_set(&changes, "run"));
    done(said.tag);
    now += TERM_CHANGES_WAIT - 1;
    settle();
    assert_non_null(term_changes_set(&changes, "run"));
    now += 1;
    settle();
    assert_null(term_changes_set(&changes, "run"));
}

static void a_refusal_concerns_the_change_with_its_tag(void **state)
{
    uint32_t tags[2];
    (void)state;
    param("inertia", 99);
    param("radius", 5);
    set("run", "paused");
    expect_param("inertia", 99);
    tags[0] = said.tag;
    expect_param("radius", 5);
    tags[1] = said.tag;
    refused(tags[1] + 1); /* a tag that was not sent yet */
    term_changes_refused(&changes, &(struct proto_error){.type = PROTO_CURSOR});
    assert_non_null(term_changes_param(&changes, "inertia"));
    assert_non_null(term_changes_set(&changes, "run"));
    refused(tags[0]);
    assert_null(term_changes_param(&changes, "inertia"));
    assert_non_null(term_changes_param(&changes, "radius"));
    expect_set("run", "paused");
}

/* The answer to an earlier value does not count for the newer value. */
static void an_old_answer_is_not_about_the_new_value(void **state)
{
    (void)state;
    param("inertia", 99);
    expect_param("inertia", 99);
    uint32_t tag = said.tag;
    param("inertia", 2);
    refused(tag);
    assert_float_equal(term_changes_param(&changes, "inertia")->value, 2, 0);
    expect_param("inertia", 2);
}

static void sent_changes_make_room(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * TERM_CHANGES_MAX; i++) {
        assert_true(appoint(i + 10, PROTO_PRESENTER));
        assert_true(says_next());
        assert_int_equal(said.appoint.id, i + 10);
    }
    assert_null(term_changes_appoint(&changes, 10));
    assert_non_null(term_changes_appoint(&changes, 2 * TERM_CHANGES_MAX + 9));
}

static void people_are_appointed(void **state)
{
    (void)state;
    assert_null(term_changes_appoint(&changes, 2));
    appoint(2, PROTO_PRESENTER);
    appoint(1, PROTO_VIEWER);
    appoint(2, PROTO_VIEWER); /* a newer change */
    appoint(2, PROTO_PRESENTER);
    assert_int_equal(term_changes_appoint(&changes, 2)->role, PROTO_PRESENTER);
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_APPOINT);
    assert_int_equal(said.appoint.id, 1);
    assert_true(says_next());
    assert_int_equal(said.appoint.id, 2);
    assert_int_equal(said.appoint.role, PROTO_PRESENTER);
    assert_false(says_next());
    settle();
    assert_non_null(term_changes_appoint(&changes, 2));
    all_done();
    people.list[1].flags = PROTO_FLAG_PRESENTER | PROTO_FLAG_ACTIVE;
    settle();
    assert_null(term_changes_appoint(&changes, 2));
    assert_non_null(term_changes_appoint(&changes, 1));
    people.list[0].flags = 0;
    settle();
    assert_null(term_changes_appoint(&changes, 1));
}

static void a_title_is_shown_until_the_room_has_it(void **state)
{
    (void)state;
    assert_null(term_changes_title(&changes));
    title("Stare");
    title("Starlings");
    assert_string_equal(term_changes_title(&changes)->title, "Starlings");
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_TITLE);
    assert_string_equal(said.title.title, "Starlings");
    assert_false(says_next());
    settle();
    assert_non_null(term_changes_title(&changes));
    all_done();
    strcpy(room.title, "Starlings");
    settle();
    assert_null(term_changes_title(&changes));
}

static void the_last_of_toggles_is_known(void **state)
{
    const struct proto_client_message changed[] = {
        {.type = PROTO_SPOTLIGHT, .spotlight.id = 2},
        {.type = PROTO_DOOR, .door.open = true},
        {.type = PROTO_NAMING, .naming.ask = false},
    };
    (void)state;
    room.door_closed = true;
    assert_int_equal(term_changes_spotlight(&changes, &room), 0);
    assert_false(term_changes_door_open(&changes, &room));
    assert_true(term_changes_names_asked(&changes, &room));
    for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++) {
        assert_true(term_changes_push(&changes, &changed[i]));
        assert_true(says_next());
        settle();
    }
    assert_int_equal(term_changes_spotlight(&changes, &room), 2);
    assert_true(term_changes_door_open(&changes, &room));
    assert_false(term_changes_names_asked(&changes, &room));
    all_done();
    room.spotlight = 2;
    room.door_closed = false;
    room.unnamed = true;
    settle();
    assert_int_equal(changes.count, 0);
    assert_int_equal(term_changes_spotlight(&changes, &room), 2);
    assert_true(term_changes_door_open(&changes, &room));
    assert_false(term_changes_names_asked(&changes, &room));
}

/* Back in the present, "5 seconds back" counts from the present. */
static void the_present_forgets_a_moment_of_the_past(void **state)
{
    const struct proto_client_message rewind = {.type = PROTO_REWIND, .rewind.back = 5};
    const struct proto_client_message live = {.type = PROTO_LIVE};
    (void)state;
    assert_true(term_changes_push(&changes, &rewind));
    assert_true(says());
    assert_non_null(term_changes_rewind(&changes));
    assert_true(term_changes_push(&changes, &live));
    assert_null(term_changes_rewind(&changes));
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_LIVE);
    assert_true(term_changes_push(&changes, &rewind));
    assert_true(term_changes_push(&changes, &live));
    assert_true(says_next()); /* a moment that was not sent yet still comes first */
    assert_int_equal(said.type, PROTO_REWIND);
}

#define TEST(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(only_the_last_value_is_sent),
        TEST(the_first_is_sent_at_once),
        TEST(each_thing_has_its_own_last_value),
        TEST(a_value_after_a_preset_stays_after_it),
        TEST(nothing_overtakes_a_step),
        TEST(after_pause_step_run_the_flock_runs),
        TEST(a_pause_shows_after_a_refusal_to_run),
        TEST(too_many_are_refused_and_none_is_lost),
        TEST(ours_is_shown_until_it_is_so),
        TEST(an_old_value_of_the_room_confirms_nothing),
        TEST(each_message_has_a_tag_of_its_own),
        TEST(a_confirmed_change_shows_until_the_room_has_it),
        TEST(a_refusal_concerns_the_change_with_its_tag),
        TEST(an_old_answer_is_not_about_the_new_value),
        TEST(sent_changes_make_room),
        TEST(people_are_appointed),
        TEST(a_title_is_shown_until_the_room_has_it),
        TEST(the_last_of_toggles_is_known),
        TEST(the_present_forgets_a_moment_of_the_past),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
