/* The command palette: what it finds, and what its keys do. */
#include "controls_fixture.h"

#include "term/ui/finder.h"

static struct term_finder finder;
static struct term_found found[TERM_FINDER_FOUND_MAX];
static struct term_found chosen;

static bool press(struct fixture *fixture, enum term_action action, int x, int y)
{
    bool done = false;
    assert_true(term_finder_act(&finder, fixture->session, (struct term_input){action, x, y},
                                &chosen, &done));
    return done;
}

static void open_typed(struct fixture *fixture, const char *text)
{
    finder = (struct term_finder){0};
    press(fixture, TERM_PALETTE, 0, 0);
    assert_true(finder.open);
    for (; *text != '\0'; text++) {
        assert_false(press(fixture, TERM_TYPE, *text, 0));
    }
}

static uint32_t find(struct fixture *fixture, const char *text)
{
    open_typed(fixture, text);
    return term_finder_find(&finder, fixture->session, found);
}

static void it_finds_actions_choices_and_parameters(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    assert_true(find(fixture, "measures") >= 1);
    assert_int_equal(found[0].kind, TERM_FIND_ACTION);
    assert_int_equal(found[0].input.action, TERM_MEASURES);
    assert_int_equal(find(fixture, "CHOICE-1"), 1);
    assert_int_equal(found[0].kind, TERM_FIND_CHOICE);
    assert_string_equal(found[0].name, "preset");
    assert_string_equal(found[0].text, "choice-1");
    assert_int_equal(find(fixture, "inertia"), 1);
    assert_int_equal(found[0].kind, TERM_FIND_PARAM);
    assert_int_equal(find(fixture, "  preset   choice "), 3); /* all words, in any order */
    assert_int_equal(find(fixture, "choice preset 2"), 1);
    assert_int_equal(find(fixture, "no such thing"), 0);
}

static void what_begins_with_the_text_comes_first(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    assert_true(find(fixture, "r") > 5);
    assert_true(found[0].text[0] == 'r');
}

static void a_viewer_finds_nothing_of_presenters(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    fixture->session->welcome.role = PROTO_VIEWER;
    assert_int_equal(find(fixture, "choice"), 0);
    assert_int_equal(find(fixture, "undo"), 0);
    assert_int_equal(find(fixture, "inertia"), 1); /* to look at it */
    assert_true(find(fixture, "quit") == 1);
}

static void enter_and_clicks_choose(void **state)
{
    struct fixture *fixture = *state;
    furnish(fixture);
    open_typed(fixture, "choice");
    assert_false(press(fixture, TERM_SELECT, 0, 1));
    assert_true(press(fixture, TERM_ENTER, 0, 0));
    assert_string_equal(chosen.text, "choice-1");
    assert_false(finder.open);
    open_typed(fixture, "choice");
    assert_true(press(fixture, TERM_PICK, 0, 2));
    assert_string_equal(chosen.text, "choice-2");
    open_typed(fixture, "nothing like it");
    assert_false(press(fixture, TERM_ENTER, 0, 0));
    assert_true(finder.open); /* to correct the text */
    assert_false(press(fixture, TERM_CLEAR, 0, 0));
    assert_string_equal(finder.typed, "");
    assert_false(press(fixture, TERM_WHEEL_DOWN, 3, 3));
    assert_int_equal(finder.selected, 1);
    assert_false(press(fixture, TERM_CANCEL, 0, 0));
    assert_false(finder.open);
}

static void other_inputs_are_for_others(void **state)
{
    struct fixture *fixture = *state;
    bool done = false;
    finder = (struct term_finder){0};
    const struct term_input enter = {TERM_ENTER, 0, 0};
    const struct term_input point = {TERM_POINT, 1, 1};
    assert_false(term_finder_act(&finder, fixture->session, enter, &chosen, &done));
    press(fixture, TERM_PALETTE, 0, 0);
    assert_false(term_finder_act(&finder, fixture->session, point, &chosen, &done));
    press(fixture, TERM_PALETTE, 0, 0);
    assert_false(finder.open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_finds_actions_choices_and_parameters),
        TEST(what_begins_with_the_text_comes_first),
        TEST(a_viewer_finds_nothing_of_presenters),
        TEST(enter_and_clicks_choose),
        TEST(other_inputs_are_for_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
