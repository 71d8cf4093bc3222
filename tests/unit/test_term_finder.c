/* The command palette: what it finds, and what its keys do. */
#include "controls_fixture.h"

#include "term/ui/finder.h"

static struct term_finder finder;
static struct term_found found[TERM_FINDER_FOUND_MAX];
static struct term_found chosen;
static struct term_history history;
static struct term_listing listing;

static struct term_sources sources_of(const struct fixture *fixture)
{
    return (struct term_sources){fixture->session, &history, &listing};
}

static bool press(struct fixture *fixture, enum term_action action, int x, int y)
{
    bool done = false;
    const struct term_sources sources = sources_of(fixture);
    assert_true(
        term_finder_act(&finder, &sources, (struct term_input){action, x, y}, &chosen, &done));
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
    const struct term_sources sources = sources_of(fixture);
    open_typed(fixture, text);
    return term_finder_find(&finder, &sources, found);
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
    assert_int_equal(find(fixture, "inertia"), 2);
    assert_int_equal(found[0].kind, TERM_FIND_PARAM);
    assert_int_equal(found[1].kind, TERM_FIND_SWEEP);
    assert_string_equal(found[1].name, "inertia");
    assert_int_equal(find(fixture, "sweep inertia"), 1);
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
    open_typed(fixture, "choice");
    assert_false(press(fixture, TERM_PICK, 0, 3)); /* a row of the list before the last letter */
    assert_true(finder.open);
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
    const struct term_sources sources = sources_of(fixture);
    assert_false(term_finder_act(&finder, &sources, enter, &chosen, &done));
    press(fixture, TERM_PALETTE, 0, 0);
    assert_false(term_finder_act(&finder, &sources, point, &chosen, &done));
    press(fixture, TERM_PALETTE, 0, 0);
    assert_false(finder.open);
}

static uint32_t find_rooms(struct fixture *fixture, const char *text)
{
    const struct term_sources sources = sources_of(fixture);
    term_finder_open_rooms(&finder);
    copy(finder.typed, sizeof finder.typed, text);
    return term_finder_find(&finder, &sources, found);
}

static void it_finds_rooms(void **state)
{
    struct fixture *fixture = *state;
    static const char *const codes[] = {"FK72MX", "fk7-2mx", "host:8080", "https://a.org/r/FK72MX"};
    history = (struct term_history){.count = 1};
    copy(history.visits[0].title, sizeof history.visits[0].title, "Bees at noon");
    copy(history.visits[0].address, sizeof history.visits[0].address, "http://a/r/LOBBY");
    assert_true(term_listing_read(&listing,
                                  "{\"rooms\":[{\"code\":\"WW2346\",\"title\":\"Terns\"}],"
                                  "\"create\":\"open\",\"presets\":["
                                  "{\"name\":\"bees\",\"text\":\"A cloud\"}]}"));
    assert_int_equal(find_rooms(fixture, ""), 4);
    assert_int_equal(find_rooms(fixture, "tern"), 2); /* and the code TERN, last */
    assert_string_equal(found[0].name, "WW2346");
    assert_int_equal(find_rooms(fixture, "bees"), 3);
    assert_string_equal(found[0].name, "http://a/r/LOBBY");
    assert_int_equal(found[1].kind, TERM_FIND_CREATE);
    assert_string_equal(found[1].name, "bees");
    assert_string_equal(found[2].before, "join");
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        assert_int_equal(find_rooms(fixture, codes[i]), 1);
        assert_int_equal(found[0].kind, TERM_FIND_ROOM);
        assert_string_equal(found[0].name, codes[i]);
    }
    assert_int_equal(find_rooms(fixture, "a_b"), 0);
    listing.may_create = false;
    assert_int_equal(find_rooms(fixture, ""), 2);
    history = (struct term_history){0};
    listing = (struct term_listing){0};
    assert_int_equal(find_rooms(fixture, ""), 0); /* the server has not answered */
}

static void the_rooms_of_the_server_come_after_the_last_rooms(void **state)
{
    struct fixture *fixture = *state;
    history = (struct term_history){.count = 6};
    for (uint32_t i = 0; i < history.count; i++) {
        snprintf(history.visits[i].title, sizeof history.visits[i].title, "Visit %u", i);
        snprintf(history.visits[i].address, sizeof history.visits[i].address, "http://a/r/V%u", i);
    }
    assert_true(term_listing_read(&listing,
                                  "{\"rooms\":[{\"code\":\"WW2346\",\"title\":\"Terns\"}],"
                                  "\"create\":\"open\",\"presets\":[]}"));
    assert_int_equal(find_rooms(fixture, ""), 8);
    assert_string_equal(found[3].name, "http://a/r/V3");
    assert_string_equal(found[4].name, "WW2346");
    assert_int_equal(found[5].kind, TERM_FIND_CREATE);
    assert_string_equal(found[6].name, "http://a/r/V4");
    assert_string_equal(found[7].name, "http://a/r/V5");
    history = (struct term_history){0};
    listing = (struct term_listing){0};
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_finds_actions_choices_and_parameters),
        TEST(what_begins_with_the_text_comes_first),
        TEST(a_viewer_finds_nothing_of_presenters),
        TEST(enter_and_clicks_choose),
        TEST(other_inputs_are_for_others),
        TEST(it_finds_rooms),
        TEST(the_rooms_of_the_server_come_after_the_last_rooms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
