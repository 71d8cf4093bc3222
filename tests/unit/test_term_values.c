/* Live control in the terminal: the effects of keys on the selected row's value. */
#include "controls_fixture.h"

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

static void without_a_choice_the_previous_one_is_the_last(void **state)
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
    fixture->room->params[0].base = 0.5F;
    act(fixture, TERM_ERASE, 0, 0); /* once more: the model's own */
    expect_param(fixture, "inertia", 0.5F);
    act(fixture, TERM_ERASE, 0, 0);
    expect_param(fixture, "inertia", 1);
    act(fixture, TERM_SELECT, 0, -1);
    act(fixture, TERM_ERASE, 0, 0); /* controls have no default */
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
                 {"1e3", 1000},
                 {"-2.5E-2", -0.025F},
                 {".5e+1", 5},
                 {"000000000000000123", 0}, /* too long: further digits are ignored */
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

static void invalid_numbers_are_not_sent(void **state)
{
    static const char *const cases[] = {"-",  "1-2", "1.2.3", "--1", "-.",
                                        "1e", "1e-", "1e2.5", "1e39"};
    struct fixture *fixture = *state;
    furnish(fixture);
    open_at(fixture, 3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        type(fixture, cases[i]);
        fixture->session->notice[0] = '\0';
        act(fixture, TERM_ENTER, 0, 0);
        assert_non_null(strstr(fixture->session->notice, "radius: expected a number"));
        assert_non_null(strstr(fixture->session->notice, cases[i]));
        assert_true(fixture->controls.typing); /* so that the person can correct it */
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
    type(fixture, "195");
    act(fixture, TERM_CLEAR, 0, 0); /* erases all */
    assert_false(fixture->controls.typing);
    act(fixture, TERM_CLEAR, 0, 0); /* without typed text the value stays */
    assert_false(says_next(fixture));
    act(fixture, TERM_SELECT, 0, -1);
    type(fixture, "5"); /* choices cannot be typed */
    assert_false(fixture->controls.typing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(choices_go_round),
        TEST(without_a_choice_the_previous_one_is_the_last),
        TEST(steps_are_a_fiftieth_of_the_track),
        TEST(steps_forth_and_back_meet),
        TEST(steps_are_fine_where_the_default_is_small),
        TEST(backspace_brings_the_default),
        TEST(numbers_are_typed),
        TEST(invalid_numbers_are_not_sent),
        TEST(digits_can_be_taken_back),
    };
    return cmocka_run_group_tests_name("term_values", tests, NULL, NULL);
}
