/* The room's panel in the terminal: its rows, its keys, and its questions. */
#include "term_session.h"

#include "term/flock/news.h"
#include "term/flock/schema.h"
#include "term/ui/members.h"
#include "term/ui/sidebar.h"

#include <locale.h>
#include <wchar.h>

enum { ADA = 7, BOB = 9, CLEO = 12 };

static struct term_members members;
static struct term_session *session;
static int64_t now;

/* Ada, a presenter, with Bob and Cleo; the panel is open. */
static int furnish(void **state)
{
    static const struct proto_presence others = {
        .sequence = 1,
        .count = 2,
        .people = {{.id = BOB, .name = "Bob"},
                   {.id = CLEO, .name = "Cleo", .flags = PROTO_FLAG_PRESENTER}}};
    setlocale(LC_ALL, "C.UTF-8");
    if (setup(state) != 0) {
        return -1;
    }
    session = *state;
    members = (struct term_members){0};
    now = SECOND;
    term_session_tick(session, now);
    term_session_opened(session, now);
    says(session, now);
    hear_welcome_as(session, PROTO_PRESENTER, now);
    hear(session, proto_encode_presence(bytes, sizeof bytes, &others), now);
    return 0;
}

static bool act(enum term_action action, int x, int y)
{
    return term_members_act(&members, session, (struct term_input){action, x, y}, now);
}

/* Opens the panel and selects a row. */
static void open_at(int row)
{
    assert_true(act(TERM_MEMBERS, 0, 0));
    assert_true(members.open);
    act(TERM_SELECT, 0, -1000);
    act(TERM_SELECT, 0, row);
    assert_int_equal(members.selected, row);
}

static void type(const wchar_t *text)
{
    for (; *text != L'\0'; text++) {
        act(TERM_TYPE, (int)*text, 0);
    }
}

/* Stores the next message in `said`. Returns false if there is none. */
static bool says_next(void)
{
    now += TERM_CHANGES_EVERY;
    while (says(session, now)) {
        if (said.type >= PROTO_SET) {
            return true;
        }
    }
    return false;
}

static struct term_member_row row_at(uint32_t index)
{
    return term_members_row(session, index);
}

static void rows_are_the_room_and_its_people(void **state)
{
    (void)state;
    assert_int_equal(term_members_count(session), 7);
    assert_int_equal(row_at(0).kind, TERM_ROW_TITLE);
    assert_int_equal(row_at(1).kind, TERM_ROW_CODE);
    assert_int_equal(row_at(2).kind, TERM_ROW_KEY);
    assert_int_equal(row_at(3).kind, TERM_ROW_ATTENTION);
    assert_string_equal(row_at(4).person->name, "Ada");
    assert_string_equal(row_at(5).person->name, "Bob");
    assert_int_equal(row_at(5).role, PROTO_VIEWER);
    assert_int_equal(row_at(6).role, PROTO_PRESENTER);
    hear(session, proto_encode_role(bytes, sizeof bytes, PROTO_VIEWER), now);
    assert_int_equal(term_members_count(session), 5); /* viewers have no row for the key */
    assert_string_equal(row_at(2).person->name, "Ada");
}

static void the_selection_stays_on_its_person(void **state)
{
    struct proto_presence change = {.since = 1, .sequence = 2, .left_count = 1, .left = {BOB}};
    (void)state;
    open_at(6);
    hear(session, proto_encode_presence(bytes, sizeof bytes, &change), now);
    term_members_follow(&members, session);
    assert_int_equal(members.selected, 5);
    assert_int_equal(members.id, CLEO);
    act(TERM_EXPEL, 0, 0);
    assert_true(members.asking);
    change = (struct proto_presence){.since = 2, .sequence = 3, .left_count = 1, .left = {CLEO}};
    hear(session, proto_encode_presence(bytes, sizeof bytes, &change), now);
    term_members_follow(&members, session);
    assert_int_equal(members.selected, 4);
    assert_false(members.asking); /* the question does not apply to another person */
    assert_false(says_next());
}

static void the_room_is_renamed(void **state)
{
    (void)state;
    open_at(0);
    assert_int_equal(term_members_mode(&members), TERM_MODE_LIST);
    act(TERM_ENTER, 0, 0);
    assert_int_equal(term_members_mode(&members), TERM_MODE_TEXT);
    type(L"Größe x");
    act(TERM_ERASE, 0, 0);
    act(TERM_ERASE, 0, 0);
    act(TERM_ERASE, 0, 0);
    act(TERM_ERASE, 0, 0);
    assert_string_equal(members.typed, "Grö");
    type(L"ßer");
    act(TERM_ENTER, 0, 0);
    assert_int_equal(term_members_mode(&members), TERM_MODE_LIST);
    assert_string_equal(term_members_title(session), "Größer");
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_TITLE);
    assert_string_equal(said.title.title, "Größer");
    uint32_t tag = said.tag;
    act(TERM_ENTER, 0, 0);
    assert_string_equal(members.typed, "Größer"); /* the old title, to be changed */
    act(TERM_CLEAR, 0, 0);
    assert_string_equal(members.typed, "");
    assert_true(members.typing);
    act(TERM_CANCEL, 0, 0);
    act(TERM_CLEAR, 0, 0); /* nothing is typed */
    assert_string_equal(term_members_title(session), "Größer");
    assert_true(members.open);
    assert_false(says_next());
    struct proto_error error = {
        .code = PROTO_E_RANGE, .type = PROTO_TITLE, .has_tag = true, .tag = tag};
    hear(session, proto_encode_error(bytes, sizeof bytes, &error), now);
    assert_string_equal(term_members_title(session), ""); /* the server refused it */
}

static void an_invalid_title_is_not_sent(void **state)
{
    (void)state;
    open_at(0);
    act(TERM_ENTER, 0, 0);
    act(TERM_ERASE, 0, 0);
    act(TERM_ENTER, 0, 0);
    assert_non_null(strstr(session->notice, "expected 1 to 64 bytes"));
    assert_true(members.typing); /* so that the person can correct it */
    type(L"\u202e");
    act(TERM_ENTER, 0, 0);
    assert_true(members.typing);
    for (int i = 0; i < 100; i++) {
        type(L"ö");
    }
    assert_true(strlen(members.typed) <= PROTO_TITLE_MAX);
    assert_false(says_next());
}

static void everyone_is_asked_for_attention(void **state)
{
    (void)state;
    open_at(3);
    act(TERM_ENTER, 0, 0);
    type(L"Look up");
    act(TERM_ENTER, 0, 0);
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_ATTENTION);
    assert_true(said.attention.on);
    assert_string_equal(said.attention.text, "Look up");
    struct proto_room room = session->welcome.room;
    room.has_attention = true;
    hear(session, proto_encode_room(bytes, sizeof bytes, &room), now);
    act(TERM_ENTER, 0, 0);
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_ATTENTION);
    assert_false(said.attention.on);
}

static void a_person_is_renamed_and_marked(void **state)
{
    (void)state;
    open_at(5);
    act(TERM_ENTER, 0, 0);
    assert_string_equal(members.typed, "Bob");
    act(TERM_ERASE, 0, 0);
    act(TERM_ENTER, 0, 0);
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_RENAME);
    assert_int_equal(said.rename.id, BOB);
    assert_string_equal(said.rename.name, "Bo");
    act(TERM_SPOTLIGHT, 0, 0);
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_SPOTLIGHT);
    assert_int_equal(said.spotlight.id, BOB);
    struct proto_room room = session->welcome.room;
    room.spotlight = BOB;
    hear(session, proto_encode_room(bytes, sizeof bytes, &room), now);
    act(TERM_SPOTLIGHT, 0, 0);
    assert_true(says_next());
    assert_int_equal(said.spotlight.id, 0);
    act(TERM_SELECT, 0, -1000);
    act(TERM_SPOTLIGHT, 0, 0); /* a title is not a person */
    assert_false(says_next());
}

/* The room has not shown the first change when the user asks for the second. */
static void a_second_press_takes_the_first_one_back(void **state)
{
    (void)state;
    open_at(5);
    act(TERM_SPOTLIGHT, 0, 0);
    assert_true(says_next());
    assert_int_equal(said.spotlight.id, BOB);
    act(TERM_SPOTLIGHT, 0, 0);
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_SPOTLIGHT);
    assert_int_equal(said.spotlight.id, 0);
    act(TERM_DOOR, 0, 0);
    assert_true(says_next());
    assert_false(said.door.open);
    act(TERM_DOOR, 0, 0);
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_DOOR);
    assert_true(said.door.open);
    act(TERM_NAMING, 0, 0);
    assert_true(says_next());
    assert_false(said.naming.ask);
    act(TERM_NAMING, 0, 0);
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_NAMING);
    assert_true(said.naming.ask);
}

static void people_are_appointed_and_taken_back(void **state)
{
    (void)state;
    open_at(5);
    act(TERM_APPOINT, 1, 0);
    assert_int_equal(row_at(5).role, PROTO_PRESENTER); /* the new role is shown before the answer */
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_APPOINT);
    assert_int_equal(said.appoint.id, BOB);
    assert_int_equal(said.appoint.role, PROTO_PRESENTER);
    act(TERM_SELECT, 0, 1);
    act(TERM_APPOINT, -1, 0);
    assert_true(says_next());
    assert_int_equal(said.appoint.id, CLEO);
    assert_int_equal(said.appoint.role, PROTO_VIEWER);
    act(TERM_SELECT, 0, -1000);
    act(TERM_APPOINT, 1, 0); /* a title is not a person */
    assert_false(says_next());
}

/* The only change to a presenter who has left is to make them a viewer. */
static void a_presenter_who_is_away_can_lose_the_role(void **state)
{
    static const struct proto_presence gone = {.since = 1,
                                               .sequence = 2,
                                               .left_count = 1,
                                               .left = {CLEO},
                                               .has_away = true,
                                               .away_count = 1,
                                               .away = {{.id = CLEO, .name = "Cleo"}}};
    (void)state;
    hear(session, proto_encode_presence(bytes, sizeof bytes, &gone), now);
    open_at(6);
    assert_int_equal(row_at(6).kind, TERM_ROW_AWAY);
    assert_string_equal(row_at(6).person->name, "Cleo");
    act(TERM_EXPEL, 0, 0);
    act(TERM_YES, 0, 0);
    act(TERM_SPOTLIGHT, 0, 0);
    act(TERM_ENTER, 0, 0);
    act(TERM_APPOINT, 1, 0); /* this person is a presenter already */
    assert_false(says_next());
    assert_false(members.typing || members.asking);
    act(TERM_APPOINT, -1, 0);
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_APPOINT);
    assert_int_equal(said.appoint.id, CLEO);
    assert_int_equal(said.appoint.role, PROTO_VIEWER);
}

static void removing_a_person_needs_a_second_key(void **state)
{
    (void)state;
    open_at(5);
    act(TERM_EXPEL, 0, 0);
    assert_int_equal(term_members_mode(&members), TERM_MODE_ASK);
    act(TERM_CANCEL, 0, 0);
    assert_int_equal(term_members_mode(&members), TERM_MODE_LIST);
    act(TERM_YES, 0, 0); /* there is no question */
    assert_false(says_next());
    act(TERM_EXPEL, 0, 0);
    act(TERM_YES, 0, 0);
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_EXPEL);
    assert_int_equal(said.expel.id, BOB);
    assert_false(says_next());
    act(TERM_SELECT, 0, -1);
    act(TERM_EXPEL, 0, 0);
    assert_non_null(strstr(session->notice, "you cannot remove yourself"));
    assert_false(members.asking);
}

static void a_new_key_is_asked_once_more(void **state)
{
    (void)state;
    open_at(2);
    act(TERM_ENTER, 0, 0);
    assert_int_equal(term_members_mode(&members), TERM_MODE_ASK);
    assert_false(says_next());
    act(TERM_YES, 0, 0);
    assert_true(says_next());
    assert_int_equal(said.type, PROTO_REKEY);
    assert_true(said.has_tag);
    act(TERM_EXPEL, 0, 0); /* a key cannot be removed */
    assert_false(members.asking);
}

static void a_viewer_sees_it_and_changes_nothing(void **state)
{
    static const enum term_action actions[] = {TERM_ENTER, TERM_APPOINT, TERM_EXPEL, TERM_YES};
    (void)state;
    open_at(4);
    act(TERM_EXPEL, 0, 0);
    hear(session, proto_encode_role(bytes, sizeof bytes, PROTO_VIEWER), now);
    term_members_follow(&members, session);
    assert_true(members.open);
    assert_false(members.asking);
    for (uint32_t row = 0; row < term_members_count(session); row++) {
        act(TERM_SELECT, 0, -1000);
        act(TERM_SELECT, 0, (int)row);
        for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
            session->notice[0] = '\0';
            act(actions[i], 1, 0);
            assert_non_null(strstr(session->notice, "only a presenter may do this"));
            assert_int_equal(term_members_mode(&members), TERM_MODE_LIST);
        }
    }
    assert_false(says_next());
}

static void without_a_connection_nothing_is_asked_for(void **state)
{
    (void)state;
    open_at(0);
    act(TERM_ENTER, 0, 0);
    term_session_closed(session, 0, "", now);
    term_members_follow(&members, session);
    assert_false(members.typing);
    assert_true(members.open);
    act(TERM_ENTER, 0, 0);
    assert_false(members.typing);
    act(TERM_SELECT, 0, 4);
    act(TERM_APPOINT, 1, 0);
    assert_int_equal(session->changes.count, 0);
}

static void other_keys_are_for_others(void **state)
{
    (void)state;
    assert_false(act(TERM_SELECT, 0, 1)); /* the panel is closed */
    open_at(0);
    assert_false(act(TERM_RUN, 0, 0));
    assert_false(act(TERM_POINT, 3, 3));
    assert_true(act(TERM_CHANGE, 1, 0)); /* this row has no value */
    act(TERM_CANCEL, 0, 0);
    assert_false(members.open);
}

static void one_panel_is_open_at_a_time(void **state)
{
    struct term_sidebar sidebar = {0};
    (void)state;
    const struct term_input room = {TERM_MEMBERS, 0, 0};
    const struct term_input panel = {TERM_PANEL, 0, 0};
    assert_int_equal(term_sidebar_mode(&sidebar), TERM_MODE_STEER);
    assert_true(term_sidebar_act(&sidebar, session, room, now));
    assert_int_equal(term_sidebar_mode(&sidebar), TERM_MODE_LIST);
    assert_true(term_sidebar_act(&sidebar, session, panel, now));
    assert_true(sidebar.controls.open && !sidebar.members.open);
    assert_int_equal(term_sidebar_mode(&sidebar), TERM_MODE_PANEL);
    assert_true(term_sidebar_act(&sidebar, session, room, now));
    assert_true(sidebar.members.open && !sidebar.controls.open);
    assert_true(term_sidebar_act(&sidebar, session, room, now));
    assert_int_equal(term_sidebar_mode(&sidebar), TERM_MODE_STEER);
    assert_false(term_sidebar_act(&sidebar, session, (struct term_input){TERM_HELP, 0, 0}, now));
}

static void codes_are_shown_as_people_say_them(void **state)
{
    static const char *const cases[][2] = {
        {"FK72MX", "FK7 2MX"}, {"fk7-2mx", "FK7 2MX"}, {"lobby", "lobby"}, {"Lobby", "lobby"}};
    struct proto_room room = {.code = "FK72MX"};
    char text[PROTO_TITLE_MAX + 1];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        schema_code(text, sizeof text, cases[i][0]);
        assert_string_equal(text, cases[i][1]);
    }
    schema_title(text, sizeof text, &room);
    assert_string_equal(text, "FK7 2MX");
    strcpy(room.title, "Starlings");
    schema_title(text, sizeof text, &room);
    assert_string_equal(text, "Starlings");
}

static void reasons_why_the_room_has_ended(void **state)
{
    static const struct {
        struct news_close close;
        const char *text;
    } cases[] = {
        {{.code = 3502, .room = "fk72mx"}, "there is no room FK7 2MX"},
        {{.code = 3506, .room = "FK72MX"}, "the room FK7 2MX has ended"},
        {{.code = 3507, .room = "FK72MX"}, "a presenter has removed you from the room FK7 2MX"},
        {{.code = 3509, .room = "FK72MX"}, "the room FK7 2MX needs a join key"},
        {{.code = 3509, .room = "FK72MX", .key_sent = true},
         "this is not the join key of the room FK7 2MX"},
        {{.code = 3509, .room = "FK72MX", .key_sent = true, .wait = 7},
         "too many wrong keys: the server did not compare yours; try again in 7 s"},
        {{.code = 3509, .room = "FK72MX", .wait = 7}, /* of the presenter key, which also admits */
         "too many wrong keys: the server did not compare yours; try again in 7 s"},
    };
    char text[128];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(news_of_close(text, sizeof text, &cases[i].close));
        assert_string_equal(text, cases[i].text);
    }
    assert_false(news_of_close(text, sizeof text, &(struct news_close){3500, "FK72MX", false, 0}));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, furnish, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rows_are_the_room_and_its_people),
        TEST(the_selection_stays_on_its_person),
        TEST(the_room_is_renamed),
        TEST(an_invalid_title_is_not_sent),
        TEST(everyone_is_asked_for_attention),
        TEST(a_person_is_renamed_and_marked),
        TEST(a_second_press_takes_the_first_one_back),
        TEST(people_are_appointed_and_taken_back),
        TEST(a_presenter_who_is_away_can_lose_the_role),
        TEST(removing_a_person_needs_a_second_key),
        TEST(a_new_key_is_asked_once_more),
        TEST(a_viewer_sees_it_and_changes_nothing),
        TEST(without_a_connection_nothing_is_asked_for),
        TEST(other_keys_are_for_others),
        TEST(one_panel_is_open_at_a_time),
        cmocka_unit_test(codes_are_shown_as_people_say_them),
        cmocka_unit_test(reasons_why_the_room_has_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
