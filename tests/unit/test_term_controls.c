/* Live control in the terminal: rows from any schema, what keys do to them, and when what is sent.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../clients/term/controls.h"
#include "../../clients/term/hear.h"
#include "../../clients/term/past.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS    INT64_C(1000)
#define START (1000 * MS)

/* A presenter in a room that each test furnishes. */
struct fixture {
    struct term_session *session;
    struct proto_room *room;
    struct term_controls controls;
    struct proto_decoder *decoder;
    struct proto_client_message said;
    int64_t now;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->session = term_session_create("lobby", "Ada", 30, "packed", "");
    fixture->decoder = proto_decoder_create();
    assert_non_null(fixture->session);
    assert_non_null(fixture->decoder);
    term_session_tick(fixture->session, START);
    fixture->session->phase = TERM_LIVE;
    fixture->session->known = true;
    fixture->session->welcome.role = PROTO_PRESENTER;
    fixture->room = &fixture->session->welcome.room;
    fixture->room->width = 550;
    fixture->room->height = 400;
    fixture->room->quantum = 1.0F / 16;
    fixture->now = START;
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    term_session_destroy(fixture->session);
    proto_decoder_destroy(fixture->decoder);
    free(fixture);
    return 0;
}

static void copy(char *out, size_t capacity, const char *text)
{
    assert_true(strlen(text) < capacity);
    memcpy(out, text, strlen(text) + 1);
}

static struct proto_room_param *add_param(struct fixture *fixture, const char *name, float min,
                                          float max, float value)
{
    struct proto_room_param *param = &fixture->room->params[fixture->room->param_count++];
    copy(param->name, sizeof param->name, name);
    param->min = min;
    param->max = max;
    param->initial = param->value = value;
    return param;
}

static struct proto_control *add_control(struct fixture *fixture, const char *name,
                                         uint32_t choices)
{
    struct proto_control *control = &fixture->room->controls[fixture->room->control_count++];
    copy(control->name, sizeof control->name, name);
    control->choice_count = choices;
    for (uint32_t i = 0; i < choices; i++) {
        snprintf(control->choices[i].value, sizeof control->choices[i].value, "choice-%u", i);
    }
    return control;
}

/* Controls `preset` (three choices, none in force) and `run`, parameters `inertia` and `radius`. */
static void furnish(struct fixture *fixture)
{
    struct proto_control *run = NULL;
    add_control(fixture, "preset", 3);
    run = add_control(fixture, "run", 2);
    strcpy(run->choices[0].value, "running");
    strcpy(run->choices[1].value, "paused");
    strcpy(run->value, "running");
    add_param(fixture, "inertia", 0, 3, 1);
    add_param(fixture, "radius", -100, 100, 0);
}

static void act(struct fixture *fixture, enum term_action action, int x, int y)
{
    struct term_input input = {action, x, y};
    assert_true(term_controls_act(&fixture->controls, fixture->session, input, fixture->now));
}

static void open_at(struct fixture *fixture, int index)
{
    act(fixture, TERM_PANEL, 0, 0);
    assert_true(fixture->controls.open);
    act(fixture, TERM_SELECT, 0, index);
    assert_int_equal(fixture->controls.selected, index);
}

static void type(struct fixture *fixture, const char *text)
{
    for (; *text != '\0'; text++) {
        act(fixture, TERM_TYPE, *text, 0);
    }
}

/* What is sent now goes into fixture->said; false: nothing. */
static bool says(struct fixture *fixture)
{
    uint8_t bytes[PROTO_MESSAGE_MAX];
    struct proto_error error;
    size_t size = term_changes_next(&fixture->session->changes, bytes, fixture->now);
    if (size > 0) {
        assert_int_equal(proto_decode_client(fixture->decoder, bytes, size, &fixture->said, &error),
                         PROTO_OK);
    }
    return size > 0;
}

/* Lets the time pass that must lie between two messages. */
static bool says_next(struct fixture *fixture)
{
    fixture->now += TERM_CHANGES_EVERY;
    return says(fixture);
}

static void expect_param(struct fixture *fixture, const char *name, float value)
{
    assert_true(says_next(fixture));
    assert_int_equal(fixture->said.type, PROTO_PARAM);
    assert_string_equal(fixture->said.param.name, name);
    assert_float_equal(fixture->said.param.value, value, 1e-6F);
}

static void expect_set(struct fixture *fixture, const char *name, const char *value)
{
    assert_true(says_next(fixture));
    assert_int_equal(fixture->said.type, PROTO_SET);
    assert_string_equal(fixture->said.set.name, name);
    assert_string_equal(fixture->said.set.value, value);
}

static struct term_row row_at(struct fixture *fixture, uint32_t index)
{
    return term_controls_row(fixture->session, index);
}

static void rows_are_the_schema(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    assert_int_equal(term_controls_count(fixture->session), 4);
    struct term_row preset = row_at(fixture, 0);
    assert_string_equal(preset.name, "preset");
    assert_string_equal(preset.word, "");
    assert_null(preset.choice);
    struct term_row run = row_at(fixture, 1);
    assert_string_equal(run.word, "running");
    assert_ptr_equal(run.choice, &fixture->room->controls[1].choices[0]);
    struct term_row inertia = row_at(fixture, 2);
    assert_string_equal(inertia.name, "inertia");
    assert_float_equal(inertia.share, 0.5F, 1e-6F); /* the default is in the middle */
    assert_float_equal(row_at(fixture, 3).share, 0.5F, 1e-6F);
}

static void selection_stays_within_the_rows(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 0);
    act(fixture, TERM_SELECT, 0, -1);
    assert_int_equal(fixture->controls.selected, 0);
    act(fixture, TERM_SELECT, 0, 2);
    assert_int_equal(fixture->controls.selected, 2);
    act(fixture, TERM_SELECT, 0, 1000);
    assert_int_equal(fixture->controls.selected, 3);
}

static void selection_follows_its_row(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 3);
    fixture->room->params[0] = fixture->room->params[1];
    fixture->room->param_count = 1;
    term_controls_follow(&fixture->controls, fixture->session);
    assert_int_equal(fixture->controls.selected, 2);
    assert_string_equal(row_at(fixture, fixture->controls.selected).name, "radius");
    type(fixture, "5");
    strcpy(fixture->room->params[0].name, "speed"); /* the row is gone, and what was typed for it */
    term_controls_follow(&fixture->controls, fixture->session);
    assert_int_equal(fixture->controls.selected, 2);
    assert_false(fixture->controls.typing);
    fixture->room->param_count = fixture->room->control_count = 0;
    term_controls_follow(&fixture->controls, fixture->session);
    assert_int_equal(fixture->controls.selected, 0);
}

static void choices_go_round(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 0);
    static const struct {
        int step;
        const char *value;
    } cases[] = {{1, "choice-0"}, {1, "choice-1"},  {1, "choice-2"},
                 {1, "choice-0"}, {-1, "choice-2"}, {-1, "choice-1"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        act(fixture, TERM_CHANGE, cases[i].step, 0);
        expect_set(fixture, "preset", cases[i].value);
        assert_string_equal(row_at(fixture, 0).word, cases[i].value);
    }
}

static void the_choice_before_none_is_the_last(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    act(fixture, TERM_PRESET, -1, 0);
    expect_set(fixture, "preset", "choice-2");
}

static void steps_are_a_fiftieth_of_the_track(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 2);
    act(fixture, TERM_CHANGE, 1, 0);
    expect_param(fixture, "inertia", 1.06F);
    act(fixture, TERM_CHANGE, 5, 0);
    expect_param(fixture, "inertia", 1.36F);
    for (int i = 0; i < 60; i++) {
        act(fixture, TERM_CHANGE, 1, 0);
    }
    expect_param(fixture, "inertia", 3);
    for (int i = 0; i < 60; i++) {
        act(fixture, TERM_CHANGE, -1, 0);
    }
    expect_param(fixture, "inertia", 0);
    assert_true(row_at(fixture, 2).share == 0);
}

static void steps_forth_and_back_meet(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    fixture->room->params[1].min = -1;
    fixture->room->params[1].max = 1;
    open_at(fixture, 3);
    for (int i = 0; i < 7; i++) {
        act(fixture, TERM_CHANGE, 1, 0);
    }
    for (int i = 0; i < 7; i++) {
        act(fixture, TERM_CHANGE, -1, 0);
    }
    assert_true(row_at(fixture, 3).value == 0);
}

static void steps_are_fine_where_the_default_is_small(void **state)
{
    struct fixture *fixture = *state;
    add_param(fixture, "inertia", 0, 10, 0.05F);
    open_at(fixture, 0);
    assert_float_equal(row_at(fixture, 0).share, 0.5F, 1e-3F);
    act(fixture, TERM_CHANGE, 1, 0);
    expect_param(fixture, "inertia", 0.062F);
    act(fixture, TERM_CHANGE, -1, 0);
    expect_param(fixture, "inertia", 0.05F);
    act(fixture, TERM_CHANGE, -1, 0);
    expect_param(fixture, "inertia", 0.04F);
}

static void backspace_brings_the_default(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 2);
    fixture->room->params[0].value = 2.5F;
    act(fixture, TERM_ERASE, 0, 0);
    expect_param(fixture, "inertia", 1);
    act(fixture, TERM_SELECT, 0, -1);
    act(fixture, TERM_ERASE, 0, 0); /* a control has none */
    assert_false(says_next(fixture));
}

static void numbers_are_typed(void **state)
{
    static const struct {
        const char *text;
        float value;
    } cases[] = {{"2", 2},
                 {"0.1", 0.1F},
                 {"-1.5", -1.5F},
                 {"1,25", 1.25F},
                 {"5.", 5},
                 {"-.5", -0.5F},
                 {".05", 0.05F},
                 {"000000000000000123", 0}, /* too long: the rest is not taken */
                 {"999999999999999", 1e15F}};
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(term_controls_mode(&fixture->controls), TERM_MODE_PARAM);
        type(fixture, cases[i].text);
        assert_int_equal(term_controls_mode(&fixture->controls), TERM_MODE_TYPING);
        act(fixture, TERM_ENTER, 0, 0);
        assert_int_equal(term_controls_mode(&fixture->controls), TERM_MODE_PARAM);
        expect_param(fixture, "radius", cases[i].value);
    }
}

static void what_is_no_number_is_not_sent(void **state)
{
    static const char *const cases[] = {"-", "1-2", "1.2.3", "--1", "-."};
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        type(fixture, cases[i]);
        fixture->session->notice[0] = '\0';
        act(fixture, TERM_ENTER, 0, 0);
        assert_non_null(strstr(fixture->session->notice, "radius: expected a number"));
        assert_non_null(strstr(fixture->session->notice, cases[i]));
        assert_true(fixture->controls.typing); /* to be put right */
        act(fixture, TERM_CANCEL, 0, 0);
        assert_false(fixture->controls.typing);
        assert_true(fixture->controls.open);
        assert_false(says_next(fixture));
    }
    act(fixture, TERM_CANCEL, 0, 0);
    assert_false(fixture->controls.open);
}

static void digits_can_be_taken_back(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 2);
    type(fixture, "19");
    act(fixture, TERM_ERASE, 0, 0);
    assert_string_equal(fixture->controls.typed, "1");
    act(fixture, TERM_ERASE, 0, 0);
    assert_false(fixture->controls.typing);
    assert_false(says_next(fixture));
    act(fixture, TERM_SELECT, 0, -1);
    type(fixture, "5"); /* a choice is not typed */
    assert_false(fixture->controls.typing);
}

static void the_servers_values_count(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    fixture->room->params[0].value = 2; /* somebody else's */
    assert_float_equal(row_at(fixture, 2).value, 2, 0);
    open_at(fixture, 2);
    type(fixture, "1.5");
    act(fixture, TERM_ENTER, 0, 0);
    assert_float_equal(row_at(fixture, 2).value, 1.5F, 0);
    assert_true(says_next(fixture));
    fixture->room->params[0].value = 1.5F;
    term_session_tick(fixture->session, fixture->now);
    fixture->room->params[0].value = 1;
    assert_float_equal(row_at(fixture, 2).value, 1, 0);
}

static void too_many_changes_are_told_of(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    for (unsigned i = 0; i < TERM_CHANGES_MAX; i++) {
        act(fixture, TERM_STEP, 0, 0);
    }
    assert_string_equal(fixture->session->notice, "");
    act(fixture, TERM_STEP, 0, 0);
    assert_non_null(strstr(fixture->session->notice, "too many"));
}

static void hear_error(struct fixture *fixture, const char *message)
{
    uint8_t bytes[PROTO_STATE_MAX];
    struct proto_error error = {.code = PROTO_E_RANGE,
                                .type = fixture->said.type,
                                .has_tag = fixture->said.has_tag,
                                .tag = fixture->said.tag};
    copy(error.message, sizeof error.message, message);
    size_t size = proto_encode_error(bytes, sizeof bytes, &error);
    term_hear(fixture->session, bytes, size, fixture->now);
}

static void a_refused_value_is_the_servers_again(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 2);
    type(fixture, "99");
    act(fixture, TERM_ENTER, 0, 0);
    expect_param(fixture, "inertia", 99);
    assert_float_equal(row_at(fixture, 2).value, 99, 0);
    assert_float_equal(row_at(fixture, 2).share, 1, 0);
    act(fixture, TERM_PRESET, 1, 0); /* not sent yet: the error is not about it */
    hear_error(fixture, "inertia: expected 0 to 3, got 99");
    assert_float_equal(row_at(fixture, 2).value, 1, 0);
    assert_string_equal(fixture->session->notice, "inertia: expected 0 to 3, got 99");
    assert_int_equal(fixture->session->notice_kind, TERM_ERROR);
    expect_set(fixture, "preset", "choice-0");
}

static void boids_come_and_go(void **state)
{
    struct fixture *fixture = *state;
    static const uint32_t counts[] = {10, 100, 1000, 1, 10};
    furnish(fixture);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        act(fixture, TERM_ADD, 0, 0);
        assert_true(says_next(fixture));
        assert_int_equal(fixture->said.type, PROTO_ADD);
        assert_int_equal(fixture->said.add.count, counts[i]);
        assert_float_equal(fixture->said.add.x, 275, 0); /* in the middle: there is no cursor */
        assert_float_equal(fixture->said.add.y, 200, 0);
        act(fixture, TERM_MANY, 0, 0);
    }
    term_session_steer(fixture->session, 30, 40, fixture->now);
    act(fixture, TERM_ADD, 0, 0);
    assert_true(says_next(fixture));
    assert_float_equal(fixture->said.add.x, 30, 0);
    assert_float_equal(fixture->said.add.y, 40, 0);
    act(fixture, TERM_REMOVE, 0, 0);
    assert_true(says_next(fixture));
    assert_int_equal(fixture->said.type, PROTO_REMOVE);
    assert_int_equal(fixture->said.remove.count, 100);
    act(fixture, TERM_RESET, 0, 0);
    assert_true(says_next(fixture));
    assert_int_equal(fixture->said.type, PROTO_RESET);
}

static void a_viewer_changes_nothing(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 2);
    fixture->session->welcome.role = PROTO_VIEWER;
    for (enum term_action action = TERM_PANEL; action <= TERM_PRESET; action++) {
        fixture->session->notice[0] = '\0';
        act(fixture, action, 1, 1);
        assert_non_null(strstr(fixture->session->notice, "only a presenter may do this"));
        assert_false(fixture->controls.open);
        assert_false(says_next(fixture));
    }
}

static const struct proto_client_message *next_said(struct fixture *fixture)
{
    assert_true(says_next(fixture));
    return &fixture->said;
}

static void the_past_has_keys(void **state)
{
    struct fixture *fixture = *state;
    struct term_session *session = fixture->session;
    char line[64];
    furnish(fixture);
    session->welcome.room.tick_rate = 10;
    act(fixture, TERM_PLAY, 1, 0);
    assert_non_null(strstr(session->notice, "the room shows the present"));
    act(fixture, TERM_REWIND, 1, 0);
    assert_true(next_said(fixture)->rewind.back == 5.0F);
    session->past = (struct proto_past){.shown = true, .span = 60, .back = 5, .speed = 1};
    session->past_at = fixture->now;
    assert_true(term_past_line(session, fixture->now + 1000000, line, sizeof line));
    assert_string_equal(line, "the past: 4.0 s before now, 1x");
    session->past.speed = 0;
    session->past_at = fixture->now;
    act(fixture, TERM_FRAME, 1, 0);
    assert_true(fabsf(next_said(fixture)->rewind.back - 5.1F) < 0.001F);
    act(fixture, TERM_PLAY, -1, 0);
    assert_true(next_said(fixture)->play.speed == -1.0F);
    act(fixture, TERM_NOW, 0, 0);
    assert_int_equal(next_said(fixture)->type, PROTO_LIVE);
    act(fixture, TERM_RESUME, 0, 0);
    assert_int_equal(next_said(fixture)->type, PROTO_RESUME);
    session->past.shown = false;
    assert_false(term_past_line(session, fixture->now, line, sizeof line));
}

static void without_controls_keys_say_so(void **state)
{
    struct fixture *fixture = *state;
    open_at(fixture, 0);
    for (enum term_action action = TERM_SELECT; action <= TERM_ERASE; action++) {
        act(fixture, action, '1', 1);
        assert_false(says_next(fixture));
    }
    act(fixture, TERM_RUN, 0, 0);
    assert_non_null(strstr(fixture->session->notice, "no control 'run'"));
    act(fixture, TERM_PRESET, 1, 0);
    assert_non_null(strstr(fixture->session->notice, "no control 'preset'"));
    assert_false(says_next(fixture));
}

static void strange_ranges_do_no_harm(void **state)
{
    static const struct {
        float min, max, value;
    } cases[] = {{3, 1, 2}, {5, 5, 5},  {-3e38F, 3e38F, 0}, {0, 1e-44F, 0},
                 {0, 1, 7}, {0, 1, -7}, {-2, -1, -1.5F},    {1e30F, 1.0001e30F, 1e30F}};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture->room->param_count = 0;
        struct proto_room_param *param =
            add_param(fixture, "odd", cases[i].min, cases[i].max, cases[i].value);
        fixture->controls.open = true;
        for (int step = -5; step <= 5; step += 2) {
            act(fixture, TERM_CHANGE, step, 0);
            struct term_row row = row_at(fixture, 0);
            assert_true(row.share >= 0 && row.share <= 1);
            if (param->max > param->min) {
                assert_true(says_next(fixture));
                assert_true(fixture->said.param.value >= param->min);
                assert_true(fixture->said.param.value <= param->max);
            } else {
                assert_false(says_next(fixture)); /* there is nothing to choose */
            }
        }
        fixture->session->changes = (struct term_changes){0};
    }
}

static void the_largest_schema_fits(void **state)
{
    struct fixture *fixture = *state;
    char name[PROTO_ROOM_MAX + 1];
    for (uint32_t i = 0; i < PROTO_CONTROLS_MAX; i++) {
        snprintf(name, sizeof name, "control-%u", i);
        add_control(fixture, name, PROTO_CHOICES_MAX);
    }
    for (uint32_t i = 0; i < PROTO_PARAMS_MAX; i++) {
        snprintf(name, sizeof name, "%0*u", (int)PROTO_ROOM_MAX, i);
        memset(add_param(fixture, name, 0, 1, 0.5F)->text, 'x', PROTO_TEXT_MAX);
    }
    uint32_t count = term_controls_count(fixture->session);
    assert_int_equal(count, PROTO_CONTROLS_MAX + PROTO_PARAMS_MAX);
    open_at(fixture, 0);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(fixture->controls.selected, i);
        act(fixture, TERM_CHANGE, 1, 0);
        act(fixture, TERM_SELECT, 0, 1);
    }
    assert_string_equal(fixture->session->notice, ""); /* all of them find a place */
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bytes[PROTO_MESSAGE_MAX];
        fixture->now += TERM_CHANGES_EVERY;
        assert_true(term_changes_next(&fixture->session->changes, bytes, fixture->now) > 0);
    }
}

static void names_that_are_twice_there_do_no_harm(void **state)
{
    struct fixture *fixture = *state;
    add_param(fixture, "", 0, 1, 0);
    add_param(fixture, "", 0, 1, 0);
    add_param(fixture, "", 0, 1, 0);
    open_at(fixture, 0);
    act(fixture, TERM_SELECT, 0, 1);
    act(fixture, TERM_SELECT, 0, 1);
    assert_int_equal(fixture->controls.selected, 2);
    add_control(fixture, "none", 0);
    act(fixture, TERM_SELECT, 0, -1000);
    act(fixture, TERM_CHANGE, 1, 0); /* nothing to choose from */
    assert_false(says_next(fixture));
}

static void a_lost_connection_forgets_changes(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    act(fixture, TERM_RUN, 0, 0);
    term_session_closed(fixture->session, 0, "", fixture->now);
    assert_string_equal(row_at(fixture, 1).word, "running");
    assert_false(says_next(fixture));
    act(fixture, TERM_RUN, 0, 0); /* there is nobody to tell */
    assert_false(says_next(fixture));
}

static void what_runs_is_saved_as_a_preset(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 0);
    act(fixture, TERM_ENTER, 0, 0);
    assert_int_equal(term_controls_mode(&fixture->controls), TERM_MODE_TEXT);
    type(fixture, "our beesx");
    act(fixture, TERM_ERASE, 0, 0);
    act(fixture, TERM_ENTER, 0, 0);
    assert_int_equal(next_said(fixture)->type, PROTO_SAVE);
    assert_string_equal(fixture->said.save.name, "our bees");
    assert_int_equal(term_controls_mode(&fixture->controls), TERM_MODE_PANEL);
    act(fixture, TERM_ENTER, 0, 0);
    type(fixture, "no");
    act(fixture, TERM_CANCEL, 0, 0);
    assert_true(fixture->controls.open);
    assert_false(says_next(fixture));
}

static void a_preset_that_was_saved_is_removed(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    struct proto_control *presets = &fixture->room->controls[0];
    open_at(fixture, 0);
    act(fixture, TERM_ERASE, 0, 0);
    assert_int_equal(term_controls_mode(&fixture->controls),
                     TERM_MODE_PANEL); /* none is in force */
    copy(presets->choices[2].value, sizeof presets->choices[2].value, "our bees");
    copy(presets->value, sizeof presets->value, "our bees");
    act(fixture, TERM_ERASE, 0, 0);
    assert_int_equal(term_controls_mode(&fixture->controls),
                     TERM_MODE_PANEL); /* it is the server's */
    presets->choices[2].saved = true;
    act(fixture, TERM_ERASE, 0, 0);
    assert_int_equal(term_controls_mode(&fixture->controls), TERM_MODE_ASK);
    act(fixture, TERM_CANCEL, 0, 0);
    assert_true(fixture->controls.open);
    assert_false(says_next(fixture));
    act(fixture, TERM_ERASE, 0, 0);
    act(fixture, TERM_YES, 0, 0);
    assert_int_equal(next_said(fixture)->type, PROTO_FORGET);
    assert_string_equal(fixture->said.forget.name, "our bees");
    assert_int_equal(term_controls_mode(&fixture->controls), TERM_MODE_PANEL);
    act(fixture, TERM_ENTER, 0, 0);
    act(fixture, TERM_ENTER, 0, 0); /* once more under its name */
    assert_int_equal(next_said(fixture)->type, PROTO_SAVE);
    assert_string_equal(fixture->said.save.name, "our bees");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_are_the_schema),
        TEST(selection_stays_within_the_rows),
        TEST(selection_follows_its_row),
        TEST(choices_go_round),
        TEST(the_choice_before_none_is_the_last),
        TEST(steps_are_a_fiftieth_of_the_track),
        TEST(steps_forth_and_back_meet),
        TEST(steps_are_fine_where_the_default_is_small),
        TEST(backspace_brings_the_default),
        TEST(numbers_are_typed),
        TEST(what_is_no_number_is_not_sent),
        TEST(digits_can_be_taken_back),
        TEST(the_servers_values_count),
        TEST(too_many_changes_are_told_of),
        TEST(a_refused_value_is_the_servers_again),
        TEST(boids_come_and_go),
        TEST(a_viewer_changes_nothing),
        TEST(the_past_has_keys),
        TEST(what_runs_is_saved_as_a_preset),
        TEST(a_preset_that_was_saved_is_removed),
        TEST(without_controls_keys_say_so),
        TEST(strange_ranges_do_no_harm),
        TEST(the_largest_schema_fits),
        TEST(names_that_are_twice_there_do_no_harm),
        TEST(a_lost_connection_forgets_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
