/* Live control in the terminal: rows from any schema, permissions, and sent messages. */
#include "controls_fixture.h"

#include "term/net/hear.h"
#include "term/ui/past.h"

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
    strcpy(fixture->room->params[0].name, "speed"); /* the row and its typed value disappear */
    term_controls_follow(&fixture->controls, fixture->session);
    assert_int_equal(fixture->controls.selected, 2);
    assert_false(fixture->controls.typing);
    fixture->room->param_count = fixture->room->control_count = 0;
    term_controls_follow(&fixture->controls, fixture->session);
    assert_int_equal(fixture->controls.selected, 0);
}

static void the_servers_values_count(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    fixture->room->params[0].value = 2; /* another person's value */
    assert_float_equal(row_at(fixture, 2).value, 2, 0);
    open_at(fixture, 2);
    type(fixture, "1.5");
    act(fixture, TERM_ENTER, 0, 0);
    assert_float_equal(row_at(fixture, 2).value, 1.5F, 0);
    assert_true(says_next(fixture));
    const struct proto_done done = {.type = PROTO_PARAM, .has_tag = true, .tag = fixture->said.tag};
    term_changes_done(&fixture->session->changes, &done, fixture->now);
    fixture->room->params[0].value = 1.5F;
    term_session_tick(fixture->session, fixture->now);
    fixture->room->params[0].value = 1;
    assert_float_equal(row_at(fixture, 2).value, 1, 0);
}

static void the_user_learns_of_too_many_changes(void **state)
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
    act(fixture, TERM_PRESET, 1, 0); /* not sent yet, so the error is about another message */
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
        assert_float_equal(fixture->said.add.x, 275, 0); /* without a cursor, in the middle */
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

/* Returns whether an action changes nothing, so that everyone may do it. */
static bool is_look(enum term_action action)
{
    return action == TERM_PANEL || action == TERM_SELECT || action == TERM_CANCEL;
}

static void a_viewer_changes_nothing(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 2);
    fixture->session->welcome.role = PROTO_VIEWER;
    for (enum term_action action = TERM_PANEL; action <= TERM_PRESET; action++) {
        if (is_look(action)) {
            continue;
        }
        fixture->session->notice[0] = '\0';
        act(fixture, action, 1, 2);
        assert_non_null(strstr(fixture->session->notice, "only a presenter may do this"));
        assert_false(fixture->controls.typing);
        assert_false(says_next(fixture));
    }
}

static void a_viewer_looks_at_the_rows(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    fixture->session->welcome.role = PROTO_VIEWER;
    open_at(fixture, 2);
    act(fixture, TERM_SELECT, 0, 1);
    act(fixture, TERM_PICK, 0, 1);
    assert_int_equal(fixture->controls.selected, 1);
    assert_string_equal(fixture->session->notice, "");
    act(fixture, TERM_CANCEL, 0, 0);
    assert_false(fixture->controls.open);
    assert_false(says_next(fixture));
}

static void clicks_select_and_change_rows(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 3);
    act(fixture, TERM_PICK, 0, 2);
    assert_int_equal(fixture->controls.selected, 2);
    assert_false(says_next(fixture));
    act(fixture, TERM_PICK, 1, 1);
    assert_int_equal(fixture->controls.selected, 1);
    expect_set(fixture, "run", "paused");
    act(fixture, TERM_PICK, -1, 0);
    expect_set(fixture, "preset", "choice-2");
    act(fixture, TERM_PICK, 1, 4); /* the rows have changed since they were drawn */
    act(fixture, TERM_PICK, 1, -1);
    assert_int_equal(fixture->controls.selected, 0);
    assert_false(says_next(fixture));
}

static void bars_are_dragged(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 0);
    act(fixture, TERM_SLIDE, 1000, 2);
    expect_param(fixture, "inertia", 3);
    act(fixture, TERM_SLIDE, 500, 2);
    expect_param(fixture, "inertia", 1); /* the middle is the default */
    act(fixture, TERM_SLIDE, 500, 2);    /* nothing changes */
    act(fixture, TERM_SLIDE, 500, 1);    /* not a parameter */
    assert_false(says_next(fixture));
}

static void the_panel_opens_at_a_parameter(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    term_controls_open_at(&fixture->controls, fixture->session, "none");
    assert_false(fixture->controls.open);
    term_controls_open_at(&fixture->controls, fixture->session, "radius");
    assert_true(fixture->controls.open);
    assert_int_equal(fixture->controls.selected, 3);
}

static const struct proto_client_message *next_said(struct fixture *fixture)
{
    assert_true(says_next(fixture));
    return &fixture->said;
}

/* The server has done the rewind that was said, and the room shows its moment. */
static void settle_rewind(struct fixture *fixture)
{
    struct proto_done done = {.type = PROTO_REWIND, .has_tag = true, .tag = fixture->said.tag};
    struct term_session *session = fixture->session;
    term_changes_done(&session->changes, &done, fixture->now);
    fixture->now += TERM_CHANGES_SEEK;
    term_changes_settle(&session->changes, fixture->room, &session->people, fixture->now);
    assert_null(term_changes_rewind(&session->changes));
}

static void a_held_key_asks_for_one_moment(void **state)
{
    struct fixture *fixture = *state;
    struct term_session *session = fixture->session;
    char line[64];
    furnish(fixture);
    session->past = (struct proto_past){.shown = true, .span = 100, .back = 0};
    session->past_at = fixture->now;
    for (int i = 0; i < 12; i++) {
        act(fixture, TERM_REWIND, 1, 0);
    }
    assert_true(term_past_line(session, fixture->now, line, sizeof line));
    assert_string_equal(line, "the past: 60.0 s before now"); /* before the server answers */
    assert_true(next_said(fixture)->rewind.back == 60.0F);
    assert_false(says_next(fixture));
    act(fixture, TERM_REWIND, -1, 0); /* from that moment, although the room does not show it yet */
    assert_true(next_said(fixture)->rewind.back == 55.0F);
    act(fixture, TERM_SEEK, 750, 0);
    assert_true(next_said(fixture)->rewind.back == 25.0F);
    for (int i = 0; i < 40; i++) {
        act(fixture, TERM_REWIND, 1, 0);
    }
    assert_true(next_said(fixture)->rewind.back == 100.0F); /* the beginning */
    settle_rewind(fixture);
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
    settle_rewind(fixture);
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
                assert_false(says_next(fixture)); /* no choices */
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
    assert_string_equal(fixture->session->notice, ""); /* all controls fit */
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bytes[PROTO_MESSAGE_MAX];
        fixture->now += TERM_CHANGES_EVERY;
        assert_true(term_changes_next(&fixture->session->changes, bytes, fixture->now) > 0);
    }
}

static void duplicate_names_do_no_harm(void **state)
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
    act(fixture, TERM_CHANGE, 1, 0); /* no choices */
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
    act(fixture, TERM_RUN, 0, 0); /* without a connection */
    assert_false(says_next(fixture));
}

static void the_present_settings_are_saved_as_a_preset(void **state)
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
                     TERM_MODE_PANEL); /* no preset is in force */
    copy(presets->choices[2].value, sizeof presets->choices[2].value, "our bees");
    copy(presets->value, sizeof presets->value, "our bees");
    act(fixture, TERM_ERASE, 0, 0);
    assert_int_equal(term_controls_mode(&fixture->controls),
                     TERM_MODE_PANEL); /* the preset is the server's own */
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
    act(fixture, TERM_ENTER, 0, 0); /* save again with the same name */
    assert_int_equal(next_said(fixture)->type, PROTO_SAVE);
    assert_string_equal(fixture->said.save.name, "our bees");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_are_the_schema),
        TEST(selection_stays_within_the_rows),
        TEST(selection_follows_its_row),
        TEST(the_servers_values_count),
        TEST(the_user_learns_of_too_many_changes),
        TEST(a_refused_value_is_the_servers_again),
        TEST(boids_come_and_go),
        TEST(a_viewer_changes_nothing),
        TEST(a_viewer_looks_at_the_rows),
        TEST(clicks_select_and_change_rows),
        TEST(bars_are_dragged),
        TEST(the_panel_opens_at_a_parameter),
        TEST(a_held_key_asks_for_one_moment),
        TEST(the_past_has_keys),
        TEST(the_present_settings_are_saved_as_a_preset),
        TEST(a_preset_that_was_saved_is_removed),
        TEST(without_controls_keys_say_so),
        TEST(strange_ranges_do_no_harm),
        TEST(the_largest_schema_fits),
        TEST(duplicate_names_do_no_harm),
        TEST(a_lost_connection_forgets_changes),
    };
    return cmocka_run_group_tests_name("term_controls", tests, NULL, NULL);
}
