/* Marks: who changed what in the past that a room shows, in its recordings and in their films; and
 * what presenters show to everyone: whether names are asked for, and a room beside this one. */
#include "room/state.h" /* before what calls a variable `room` */

#include "past/film_open.h"
#include "past/marks.h"
#include "room/rewind.h"
#include "room/topics.h"

#include "control_room.h"
#include "load_room.h"

static struct room_definition define_past(void)
{
    struct room_definition definition = definition_with_key();

    definition.rewind = 600 * SECOND;
    return definition;
}

static const struct proto_marks *marks(void)
{
    static struct proto_marks shown;

    topics_describe_marks(room, &shown);
    return &shown;
}

static void rewind_by(float back)
{
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_REWIND, .rewind = {back}}));
}

static void assert_mark(const struct proto_mark *mark, float back, const char *who,
                        const char *what, const char *to)
{
    assert_float_equal(mark->back, back, 0.01F);
    assert_int_equal(mark->event.by, ada->id);
    assert_string_equal(mark->event.who, who);
    assert_string_equal(mark->event.what, what);
    assert_string_equal(mark->event.to, to);
}

/* Ada chooses another edge after a second, and another parameter two seconds later. */
static void change_twice(void)
{
    run(30);
    set("boundary", "wrap");
    run(60);
    param("inertia", 2.5F);
    run(60);
}

static void the_past_has_the_changes_of_the_flock(void **state)
{
    (void)state;
    change_twice();
    assert_int_equal(marks()->count, 0); /* the present has none */
    assert_true(try_title(ada, "Bees"));
    run(30);
    rewind_by(1);
    assert_int_equal(marks()->count, 2); /* a title is no change of the flock */
    assert_mark(&marks()->marks[0], 5, "Ada", "boundary", "wrap");
    assert_mark(&marks()->marks[1], 3, "Ada", "inertia", "2.5");
    assert_string_equal(marks()->marks[1].event.from, "1");
}

static struct recording *read_back(bool names, uint8_t **bytes)
{
    struct recording *recording = room_hold_past(room);
    char problem[100];
    size_t size = 0;

    *bytes = recording_write(recording, names, &size);
    recording_destroy(recording);
    recording = recording_read(*bytes, size, problem, sizeof problem);
    assert_non_null(recording);
    return recording;
}

static void a_recording_has_them_and_names_only_if_asked(void **state)
{
    (void)state;
    change_twice();
    for (int names = 0; names < 2; names++) {
        uint8_t *bytes;
        struct recording *recording = read_back(names == 1, &bytes);
        assert_int_equal(recording->marks.count, 2);
        assert_string_equal(recording->marks.list[0].event.who, names == 1 ? "Ada" : "");
        assert_string_equal(recording->marks.list[0].event.to, "wrap");
        recording_destroy(recording);
        free(bytes);
    }
}

/* Ada drags a slider. During the drag Bob moves another slider. The room sends Ada's event first,
 * because her drag began first, but her last change is later than Bob's. */
static void marks_are_in_the_order_of_their_times(void **state)
{
    uint8_t *bytes;

    (void)state;
    assert_true(say_key(bob, KEY));
    param("inertia", 1.5F);
    run(3);
    assert_true(try_param(bob, "alignment_max", 1.0F));
    run(3);
    param("inertia", 2.5F);
    run(1);
    set("boundary", "wrap");
    run(30);
    struct recording *recording = read_back(false, &bytes);
    assert_int_equal(recording->marks.count, 3);
    assert_string_equal(recording->marks.list[0].event.what, "alignment_max");
    assert_string_equal(recording->marks.list[1].event.what, "inertia");
    assert_string_equal(recording->marks.list[2].event.what, "boundary");
    recording_destroy(recording);
    free(bytes);
}

static void a_recording_with_more_marks_than_a_room_keeps_is_refused(void **state)
{
    struct marks many = {0};
    uint8_t *bytes;
    char problem[100];
    size_t size = 0;

    (void)state;
    change_twice();
    struct recording *recording = room_hold_past(room);
    const struct marks kept = recording->marks;
    many.count = PROTO_MARKS_MAX + 1;
    many.list = calloc(many.count, sizeof *many.list);
    assert_non_null(many.list);
    for (uint32_t i = 0; i < many.count; i++) {
        many.list[i] = kept.list[0];
    }
    recording->marks = many;
    bytes = recording_write(recording, false, &size);
    assert_null(recording_read(bytes, size, problem, sizeof problem));
    assert_string_equal(problem, "marks: expected at most 200");
    recording->marks = kept;
    recording_destroy(recording);
    free(many.list);
    free(bytes);
}

static void a_room_that_plays_a_recording_has_its_marks(void **state)
{
    const struct room_definition definition = define_past();
    struct proto_error problem = {0};
    size_t size = 0;

    (void)state;
    change_twice();
    struct recording *recording = room_hold_past(room);
    uint8_t *bytes = recording_write(recording, false, &size);
    recording_destroy(recording);
    struct film *film =
        film_open(bytes, size, &(struct recording_limits){.boids = 1000}, NULL, &problem);
    assert_non_null(film);
    make_as(&definition);
    assert_true(rewind_replay(room, film, clock_now));
    ada = join("Ada");
    run(1);
    assert_true(described()->recording);
    assert_int_equal(marks()->count, 2);
    assert_float_equal(marks()->marks[1].back, 2.0F, 0.01F);
    film_release(film);
}

static void the_oldest_go_first_and_a_message_holds_the_newest(void **state)
{
    static struct proto_marks out;
    struct marks all = {0};
    struct mark mark = {.event.name = "set"};

    (void)state;
    memset(mark.event.to, 'x', PROTO_VALUE_MAX);
    memset(mark.event.from, 'x', PROTO_VALUE_MAX);
    for (mark.round = 1; mark.round <= PROTO_MARKS_MAX + 10; mark.round++) {
        assert_true(marks_add(&all, &mark));
    }
    assert_int_equal(all.count, PROTO_MARKS_MAX);
    assert_int_equal(all.list[0].round, 11);
    marks_describe(&all, 0, 300, 30, &out);
    assert_true(out.count > 50 && out.count < PROTO_MARKS_MAX);
    assert_float_equal(out.marks[out.count - 1].back, (300 - 210) / 30.0, 0.01);
    uint8_t bytes[PROTO_STATE_MAX];
    assert_true(proto_encode_marks(bytes, sizeof bytes, &out) > 0);
    marks_describe(&all, 200, 205, 30, &out);
    assert_int_equal(out.count, 6);
    marks_finish(&all);
}

/* ---- what presenters show to everyone ---- */

static bool say_naming(struct client *client, bool ask)
{
    return say(client, &(struct proto_client_message){.type = PROTO_NAMING, .naming.ask = ask});
}

static bool say_beside(struct client *client, const char *code)
{
    struct proto_client_message message = {.type = PROTO_BESIDE};

    snprintf(message.beside.code, sizeof message.beside.code, "%s", code);
    return say(client, &message);
}

static void presenters_decide_whether_names_are_asked_for(void **state)
{
    (void)state;
    assert_false(described()->unnamed);
    assert_false(say_naming(bob, false));
    assert_int_equal(error.code, PROTO_E_ROLE);
    assert_true(say_naming(ada, false));
    assert_true(described()->unnamed);
    assert_true(say_naming(ada, true));
    assert_false(described()->unnamed);
}

static void presenters_show_another_room_beside_this_one(void **state)
{
    (void)state;
    assert_false(say_beside(bob, "FK72MX"));
    assert_int_equal(error.code, PROTO_E_ROLE);
    assert_true(say_beside(ada, "FK72MX"));
    assert_string_equal(described()->beside, "FK72MX");
    assert_false(say_beside(ada, "../other"));
    assert_int_equal(error.code, PROTO_E_RANGE);
    assert_false(say_beside(ada, room->definition.code));
    assert_true(say_beside(ada, ""));
    assert_string_equal(described()->beside, "");
}

static void a_saved_room_keeps_both(void **state)
{
    const struct room_definition definition = define_past();

    (void)state;
    assert_true(say_naming(ada, false));
    assert_true(say_beside(ada, "FK72MX"));
    forget_clients();
    room = restart_room(room, &definition, &sink, clock_now);
    assert_non_null(room);
    assert_true(room->unnamed);
    assert_string_equal(room->beside, "FK72MX");
}

/* Makes the two's room with a past. */
static int make_past(void **state)
{
    const struct room_definition definition = define_past();

    make(state);
    make_two_as(&definition);
    return say_key(ada, KEY) ? 0 : -1;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_past, finish)
    const struct CMUnitTest tests[] = {
        TEST(the_past_has_the_changes_of_the_flock),
        TEST(a_recording_has_them_and_names_only_if_asked),
        TEST(marks_are_in_the_order_of_their_times),
        TEST(a_recording_with_more_marks_than_a_room_keeps_is_refused),
        TEST(a_room_that_plays_a_recording_has_its_marks),
        TEST(the_oldest_go_first_and_a_message_holds_the_newest),
        TEST(presenters_decide_whether_names_are_asked_for),
        TEST(presenters_show_another_room_beside_this_one),
        TEST(a_saved_room_keeps_both),
    };
#undef TEST
    return cmocka_run_group_tests_name("marks", tests, NULL, NULL);
}
