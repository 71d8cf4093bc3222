/* A room that plays a recording: how it ends, fails and counts. */
#include "rewind_room.h"

#include "past/film_open.h"
#include "past/history.h"
#include "past/replay.h"
#include "room/rewind.h"
#include "scene/budget.h"
#include "scene/inputs.h"
#include "scene/scene.h"

/* Inserts an invalid input after the 200th tick. The caller then owns the inputs. */
static uint8_t *spoil(struct recording_part *part)
{
    struct input_reader reader = {.clock = input_clock_at(part->clock, 30),
                                  .at = part->inputs,
                                  .end = part->inputs + part->input_size};
    struct input input = {.type = INPUT_TICK};
    uint8_t *inputs = malloc(part->input_size + INPUT_MAX);
    size_t before;
    size_t size;

    assert_non_null(inputs);
    for (uint32_t ticks = 0; ticks < 200; ticks += input.type == INPUT_TICK) {
        assert_int_equal(input_next(&reader, &input), INPUT_READ);
    }
    before = (size_t)(reader.at - part->inputs);
    memcpy(inputs, part->inputs, before);
    input = (struct input){.type = INPUT_LEAVE, .slot = 99, .time = reader.clock.time};
    size = input_encode(&reader.clock, &input, inputs + before);
    memcpy(inputs + before + size, reader.at, part->input_size - before);
    part->inputs = inputs;
    part->input_size += size;
    return inputs;
}

/* Returns the room of live() as a film, which fails after its 200th tick. */
static struct film *bad_film(void)
{
    struct proto_error error = {0};
    struct recording *recording = room_hold_past(room);
    uint8_t *inputs = spoil(&recording->parts[0]);
    size_t size = 0;
    uint8_t *bytes = recording_write(recording, false, &size);
    struct film *film =
        film_open(bytes, size, &(struct recording_limits){.boids = 1000}, NULL, &error);

    assert_string_equal(error.message, "");
    recording_destroy(recording);
    free(inputs);
    return film;
}

static void a_recording_that_fails_stops_at_its_beginning(void **state)
{
    const struct room_definition definition = definition_for_past();

    (void)state;
    live();
    struct film *film = bad_film();
    make_as(&definition);
    assert_true(rewind_replay(room, film, clock_now));
    film_release(film);
    join_both();
    run(150);
    assert_true(past_of(bob)->speed == 1.0F && bob->snapshot.tick > 100);
    const uint32_t people = part_of(bob, VIEW_PAST)->then.count;
    assert_int_equal(people, 2);
    forget_heard(ada);
    run(100);
    assert_told_of_failure("beginning");
    assert_int_equal(bob->snapshot.tick, 0);
    assert_true(past_of(bob)->shown && past_of(bob)->speed == 0.0F && past_of(bob)->back == 10.0F);
    assert_int_equal(part_of(bob, VIEW_PAST)->then.count, people);
    assert_int_equal(rewind_by(ada, 5), PROTO_OK); /* another moment may work */
    run(1);
    assert_int_equal(bob->snapshot.tick, 150);
    leave(ada);
    run(150);
    assert_int_equal(bob->snapshot.tick, 0); /* the room does not try again at once */
    run(250);
    assert_true(past_of(bob)->speed == 1.0F && bob->snapshot.tick > 10);
}

/* Returns the room's past as a film. */
static struct film *film_of_room(void)
{
    struct proto_error error = {0};
    size_t size = 0;
    struct recording *recording = room_hold_past(room);
    uint8_t *bytes = recording_write(recording, false, &size);
    struct film *film =
        film_open(bytes, size, &(struct recording_limits){.boids = 1000}, NULL, &error);

    recording_destroy(recording);
    assert_non_null(film);
    return film;
}

/* Makes another room that plays the past of this one. */
static void play_as(const struct room_definition *definition)
{
    struct film *film = film_of_room();

    make_as(definition);
    assert_true(rewind_replay(room, film, clock_now));
    film_release(film);
    join_both();
}

/* Presenters change more than the room announces at once. */
static void change_much(void)
{
    const struct proto_client_message changes[] = {
        {.type = PROTO_TITLE, .title = {"Lesson"}},
        {.type = PROTO_NAMING},
        {.type = PROTO_BESIDE, .beside = {"FK72MX"}},
        {.type = PROTO_ATTENTION, .attention.on = true},
        {.type = PROTO_SPOTLIGHT, .spotlight = {bob->id}},
        {.type = PROTO_TITLE, .title = {"Two"}},
        {.type = PROTO_RENAME, .rename = {bob->id, "Bobby"}}};

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        assert_int_equal(ask(ada, changes[i]), PROTO_OK);
    }
}

/* The room's clock goes on when a film ends, however long the film was shown: news that wait are
 * sent, and members see who comes. */
static void news_of_a_film_reach_the_present(void **state)
{
    const struct room_definition definition = definition_for_past();

    (void)state;
    live();
    play_as(&definition);
    run(2 * TICKS);
    change_much();
    assert_int_equal(say(PROTO_LIVE), PROTO_OK);
    run(60);
    assert_false(past_of(bob)->shown);
    assert_int_equal(bob->snapshot.tick, TICKS + 59);
    assert_string_equal(bob->event_log[bob->event_count - 1].name, "rename");
    join("Cleo");
    run(31);
    assert_int_equal(bob->people_count, 3);
}

/* The world at the end of a film may be smaller than the one before it. */
static void cursors_beyond_the_world_of_a_film_end(void **state)
{
    struct room_definition definition = definition_for_past();
    const struct people *people;

    (void)state;
    definition.flock.settings.width = 1000.0F;
    definition.flock.settings.height = 700.0F;
    make_as(&definition);
    join_both();
    run(30);
    assert_int_equal(set("preset", "original"), PROTO_OK);
    run(30);
    play_as(&definition);
    assert_int_equal(
        ask(bob, (struct proto_client_message){.type = PROTO_CURSOR, .cursor = {900.0F, 650.0F}}),
        PROTO_OK);
    run(1);
    people = scene_people(room->present);
    assert_true(people->slots[people_find(people, bob->member)].cursor.present);
    assert_int_equal(say(PROTO_LIVE), PROTO_OK);
    run(5);
    assert_false(past_of(bob)->shown);
    assert_false(people->slots[people_find(people, bob->member)].cursor.present);
}

/* A film's boids count like a flock's: the room has fewer at first. */
static void boids_of_a_film_count(void **state)
{
    struct room_definition definition = definition_for_past();
    struct boid_budget budget = {.boids_max = 30};

    (void)state;
    make_as(&definition);
    join_both();
    run(60);
    assert_int_equal(
        ask(ada, (struct proto_client_message){.type = PROTO_ADD, .add = {100, 100, 20}}),
        PROTO_OK);
    run(60);
    definition.budget = &budget;
    play_as(&definition);
    run(60);
    assert_int_equal(bob->boid_count, BOIDS);
    assert_int_equal(budget.boids, BOIDS);
    forget_heard(ada);
    run(10);
    assert_told_of_failure("beginning"); /* 40 boids are too many here */
    assert_int_equal(budget.boids, BOIDS);
    budget.boids_max = 100;
    assert_int_equal(rewind_by(ada, 0.5F), PROTO_OK);
    run(1);
    assert_int_equal(bob->boid_count, 2 * BOIDS);
    assert_int_equal(budget.boids, 2 * BOIDS);
    assert_int_equal(say(PROTO_RESUME), PROTO_OK);
    assert_int_equal(budget.boids, 2 * BOIDS);
    definition.budget = NULL;
    make_as(&definition);
    assert_int_equal(budget.boids, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_that_fails_stops_at_its_beginning),
        cmocka_unit_test(news_of_a_film_reach_the_present),
        cmocka_unit_test(cursors_beyond_the_world_of_a_film_end),
        cmocka_unit_test(boids_of_a_film_count),
    };

    return cmocka_run_group_tests(tests, make, finish);
}
