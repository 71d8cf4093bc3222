/* A room that shows its past: what members see, who may rewind, and how the room continues. */
#include "rewind_room.h"

#include "room/branch.h"
#include "room/rewind.h"
#include "scene/budget.h"
#include "scene/scene.h"

static void everyone_sees_the_moment(void **state)
{
    (void)state;
    live();
    assert_null(bob->parts[VIEW_PAST]);
    uint32_t epoch = bob->snapshot.epoch;
    assert_int_equal(rewind_by(ada, 5), PROTO_OK);
    assert_shown(TICKS - 150);
    assert_int_not_equal(bob->snapshot.epoch, epoch);
    assert_true(past_of(bob)->shown);
    assert_true(past_of(bob)->back == 5.0F && past_of(bob)->span == 10.0F &&
                past_of(bob)->speed == 0.0F);
    assert_shown(TICKS - 150); /* the moment does not move */
    assert_int_equal(bob->snapshot.cursor_count, 1);
    assert_int_equal(rewind_by(ada, 1000), PROTO_OK); /* before the beginning of the past */
    run(1);
    assert_int_equal(bob->snapshot.tick, 0);
    assert_true(past_of(bob)->back == 10.0F);
    struct client *late = join("Cleo");
    run(1);
    assert_true(past_of(late)->shown);
    assert_int_equal(late->snapshot.tick, 0);
}

static void it_plays_at_any_speed(void **state)
{
    (void)state;
    live();
    assert_int_equal(rewind_by(ada, 5), PROTO_OK);
    assert_shown(150);
    assert_int_equal(play(1), PROTO_OK);
    for (uint64_t at = 151; at < 160; at++) {
        assert_shown(at);
    }
    assert_int_equal(play(-2), PROTO_OK);
    for (uint64_t at = 157; at > 140; at -= 2) {
        assert_shown(at);
    }
    assert_int_equal(play(0.5F), PROTO_OK);
    run(20);
    assert_int_equal(bob->snapshot.tick, 151);
    assert_int_equal(play(16), PROTO_OK);
    run(20);
    assert_shown(TICKS); /* the playback stops at the end */
    assert_true(past_of(bob)->shown && past_of(bob)->speed == 0.0F && past_of(bob)->back == 0.0F);
}

static void a_new_member_during_playback_gets_the_moment(void **state)
{
    (void)state;
    live();
    assert_int_equal(rewind_by(ada, 10), PROTO_OK);
    assert_int_equal(play(1), PROTO_OK);
    for (uint32_t i = 0; i < 5; i++) {
        run(50);
        const struct client *late = join("Cleo");
        run(1);
        assert_true(past_of(late)->shown && past_of(late)->speed == 1.0F);
        float back = (float)(TICKS - late->snapshot.tick) / 30.0F;
        assert_float_equal(past_of(late)->back, back, 1.01F); /* the message comes once a second */
    }
}

/* Asserts the event about a failed moment, which names the moment that the room shows now. */
static void run_until_told(void)
{
    for (uint32_t turns = 0; turns < 1000 && ada->heard_count == 0; turns++) {
        run(1);
    }
}

static void presenters_learn_of_a_moment_that_cannot_be_computed(void **state)
{
    struct room_definition definition = definition_for_past();

    (void)state;
    definition.flock.boids = 5000; /* requests within a tick */
    make_as(&definition);
    join_both();
    run(40);
    assert_int_equal(rewind_by(ada, 1), PROTO_OK);
    forget_heard(ada);
    forget_heard(bob);
    room_workspace_limit(workspace, 0);
    run_until_told();
    room_workspace_limit(workspace, UINT64_MAX);
    assert_told_of_failure("present");
    assert_false(room_shows_past(room));
    run(2);
    assert_int_equal(bob->snapshot.tick, 42);
}

/* A tick that takes longer than its share is repeated, and the moment is the same. */
static void a_stopped_tick_of_a_replay_is_repeated(void **state)
{
    struct room_definition definition = definition_for_past();

    (void)state;
    definition.flock.boids = 5000;
    definition.tick_limit = SECOND;
    make_as(&definition);
    join_both();
    run(40);
    uint8_t before[4 * 5000];
    assert_int_equal(bob->boid_count, 5000);
    memcpy(before, bob->boids, sizeof before);
    run(5);
    assert_int_equal(rewind_by(ada, 5.0F / 30.0F), PROTO_OK);
    forget_heard(ada);
    room_workspace_limit(workspace, 0);
    run(7);
    assert_null(next_heard(ada));
    room_workspace_limit(workspace, UINT64_MAX);
    for (uint32_t turns = 0; turns < 1000 && bob->snapshot.tick != 40; turns++) {
        run(1); /* more than the work of one turn */
    }
    assert_true(room_shows_past(room));
    assert_int_equal(bob->snapshot.tick, 40);
    assert_memory_equal(bob->boids, before, sizeof before);
    assert_int_equal(rewind_by(ada, 1), PROTO_OK);
    forget_heard(ada);
    forget_heard(bob);
    room_workspace_limit(workspace, 0);
    run_until_told();
    room_workspace_limit(workspace, UINT64_MAX);
    assert_told_of_failure("present");
}

static void live_continues_from_the_present(void **state)
{
    (void)state;
    live();
    uint64_t hash = scene_hash(room->present);
    assert_int_equal(rewind_by(ada, 3), PROTO_OK);
    assert_shown(TICKS - 90);
    run(50);
    assert_int_equal(say(PROTO_LIVE), PROTO_OK);
    assert_true(scene_hash(room->present) == hash);
    run(1);
    assert_false(past_of(bob)->shown);
    assert_int_equal(bob->snapshot.tick, TICKS + 1);
    run(70);
    memcpy(seen[0], bob->boids, sizeof seen[0]);
    run(30);
    assert_int_equal(rewind_by(ada, 1), PROTO_OK); /* and the room has a past again */
    run(1);
    assert_int_equal(bob->snapshot.tick, TICKS + 101 - 30);
    assert_memory_equal(bob->boids, seen[0], sizeof seen[0]);
}

static void resume_continues_from_that_moment(void **state)
{
    (void)state;
    live();
    assert_int_equal(rewind_by(ada, 5), PROTO_OK);
    assert_shown(150);
    assert_int_equal(say(PROTO_RESUME), PROTO_OK);
    assert_int_equal(set("model", "boids"), PROTO_OK);
    run(1);
    assert_false(past_of(bob)->shown);
    assert_int_equal(bob->snapshot.tick, TICKS + 1);
    assert_string_equal(part_of(bob, VIEW_ROOM)->room.model, "boids");
    run(60);
    assert_int_equal(rewind_by(ada, (61.0F + 150.0F) / 30.0F),
                     PROTO_OK); /* the earlier past stays */
    assert_shown(150);
    assert_string_equal(part_of(bob, VIEW_ROOM)->room.model, "swarm");
}

static void resume_has_the_flock_of_that_moment(void **state)
{
    (void)state;
    live();
    assert_int_equal(set("run", "paused"), PROTO_OK);
    assert_int_equal(rewind_by(ada, 5), PROTO_OK);
    assert_shown(150);
    assert_int_equal(say(PROTO_RESUME), PROTO_OK);
    assert_int_equal(set("run", "paused"), PROTO_OK);
    run(1);
    assert_memory_equal(bob->boids, seen[150], sizeof seen[0]);
    assert_int_equal(bob->people_count, 2);
}

static void the_past_has_the_model_that_it_had(void **state)
{
    (void)state;
    live();
    assert_int_equal(set("model", "birds"), PROTO_OK);
    assert_int_equal(
        ask(ada, (struct proto_client_message){.type = PROTO_ADD, .add = {100, 100, 30}}),
        PROTO_OK);
    run(60);
    assert_int_equal(bob->boid_count, BOIDS + 30);
    assert_int_equal(rewind_by(ada, 4), PROTO_OK);
    assert_shown(TICKS - 60);
    assert_string_equal(part_of(bob, VIEW_ROOM)->room.model, "swarm");
    assert_int_equal(play(4), PROTO_OK);
    run(20);
    assert_string_equal(part_of(bob, VIEW_ROOM)->room.model, "birds");
    assert_int_equal(bob->boid_count, BOIDS + 30);
    assert_int_equal(say(PROTO_LIVE), PROTO_OK);
    run(1);
    assert_string_equal(part_of(bob, VIEW_ROOM)->room.model, "birds");
}

static void only_presenters_may_and_nothing_is_changed_meanwhile(void **state)
{
    (void)state;
    live();
    assert_int_equal(rewind_by(bob, 1), PROTO_E_ROLE);
    assert_int_equal(play(1), PROTO_E_STATE);
    assert_int_equal(play(17), PROTO_E_RANGE);
    assert_int_equal(say(PROTO_RESUME), PROTO_E_STATE);
    assert_int_equal(say(PROTO_LIVE), PROTO_OK); /* unchanged */
    assert_int_equal(rewind_by(ada, -1), PROTO_E_RANGE);
    assert_int_equal(rewind_by(ada, 1), PROTO_OK);
    assert_int_equal(say(PROTO_RESUME), PROTO_E_STATE); /* not there yet */
    run(1);
    assert_int_equal(play(17), PROTO_E_RANGE);
    assert_int_equal(set("run", "paused"), PROTO_E_STATE);
    assert_int_equal(say(PROTO_RESET), PROTO_E_STATE);
    struct proto_client_message title = {.type = PROTO_TITLE, .title = {"Then"}};
    assert_int_equal(ask(ada, title), PROTO_OK);
}

/* Returns the person in the shown past, or NULL. */
static const struct proto_person *then(const struct client *client, uint32_t id)
{
    const struct proto_past_people *message = &part_of(client, VIEW_PAST)->then;

    for (uint32_t i = 0; i < message->count; i++) {
        if (message->people[i].id == id) {
            return &message->people[i];
        }
    }
    return NULL;
}

/* People in the past have their names, also if they have left. Later people are not in it. */
static void cursors_of_the_past_have_names(void **state)
{
    (void)state;
    live();
    uint32_t bobs = room_person(room, bob->member).id;
    run(5);
    leave(bob);
    struct client *cy = join("Cy");
    uint32_t cys = room_person(room, cy->member).id;
    run(60);
    assert_int_equal(rewind_by(ada, 5), PROTO_OK);
    run(1);
    assert_string_equal(then(cy, bobs)->name, "Bob");
    assert_true(then(cy, bobs)->color != 0);
    assert_null(then(cy, cys));
    assert_int_equal(play(1), PROTO_OK);
    run(1);
    const uint32_t version = room->versions[VIEW_PAST];
    run(10);
    assert_int_equal(room->versions[VIEW_PAST], version); /* the list is not sent again and again */
    assert_int_equal(rewind_by(ada, 0.5F), PROTO_OK);
    run(1);
    assert_string_equal(then(cy, cys)->name, "Cy");
    assert_null(then(cy, bobs));
    assert_int_equal(say(PROTO_LIVE), PROTO_OK);
    run(1);
    assert_int_equal(part_of(cy, VIEW_PAST)->then.count, 0);
}

static uint32_t team_then(uint32_t id)
{
    return (then(bob, id)->flags & PROTO_FLAG_TEAM) >> PROTO_TEAM_SHIFT;
}

/* Not in today's: the cursors of the past have the colors of its teams. */
static void people_of_the_past_are_in_its_teams(void **state)
{
    struct proto_client_message team = {.type = PROTO_TEAM, .team = {1}};

    (void)state;
    live();
    const uint32_t bobs = room_person(room, bob->member).id;
    assert_int_equal(set("policy", "teams"), PROTO_OK);
    assert_int_equal(ask(bob, team), PROTO_OK);
    run(60);
    team.team.team = 2;
    assert_int_equal(ask(bob, team), PROTO_OK);
    run(60);
    assert_int_equal(rewind_by(ada, 3), PROTO_OK);
    run(1);
    assert_int_equal(team_then(bobs), 1);
    assert_int_equal(play(1), PROTO_OK);
    run(40); /* to where the person changes to the other team */
    assert_int_equal(team_then(bobs), 2);
    assert_int_equal(rewind_by(ada, 5), PROTO_OK);
    run(1);
    assert_int_equal(team_then(bobs), 0); /* there were no teams yet */
}

static void without_a_presenter_the_present_is_shown(void **state)
{
    (void)state;
    live();
    assert_int_equal(rewind_by(ada, 2), PROTO_OK);
    assert_shown(TICKS - 60);
    leave(ada);
    run(2);
    assert_false(past_of(bob)->shown);
    assert_int_equal(bob->snapshot.tick, TICKS + 1);
}

static void a_distant_moment_of_a_big_flock_takes_several_ticks(void **state)
{
    struct room_definition definition = definition_for_past();

    (void)state;
    flock_settings_choose(&definition.flock.settings, flock_model_find("boids"));
    definition.flock.boids = 5000;
    make_as(&definition);
    join_both();
    run(95);
    assert_int_equal(rewind_by(ada, 1), PROTO_OK);
    run(1);
    assert_int_equal(bob->snapshot.tick, 95); /* unchanged until the moment is computed */
    uint32_t turns = 1;
    while (bob->snapshot.tick == 95 && turns < 10) {
        run(1);
        turns++;
    }
    assert_int_equal(bob->snapshot.tick, 65);
    assert_in_range(turns, 3, 5); /* 20 rounds of 5,000 boids in each */
}

/* The past that becomes the present had a preset in force that the room still offers. */
static void a_resumed_room_still_names_its_preset(void **state)
{
    const struct proto_client_message save = {.type = PROTO_SAVE, .save = {"ours"}};

    (void)state;
    live();
    assert_int_equal(set("preset", "sheep"), PROTO_OK); /* with a look, a ground and a pen */
    assert_int_equal(ask(ada, save), PROTO_OK);
    run(60);
    assert_int_equal(set("preset", "bees"), PROTO_OK);
    run(60);
    assert_int_equal(rewind_by(ada, 3), PROTO_OK);
    run(1);
    assert_int_equal(say(PROTO_RESUME), PROTO_OK);
    run(1);
    const struct proto_room *now = &part_of(bob, VIEW_ROOM)->room;
    for (uint32_t i = 0; i < now->control_count; i++) {
        if (strcmp(now->controls[i].name, "preset") == 0) {
            assert_string_equal(now->controls[i].value, "ours");
            return;
        }
    }
    fail();
}

/* A branch's clock goes on from the moment that the room shows, so that the times in its scene stay
 * in the past. */
static void a_branch_has_the_time_of_its_moment(void **state)
{
    static const float backs[] = {0, 3};

    (void)state;
    for (size_t i = 0; i < sizeof backs / sizeof backs[0]; i++) {
        const struct room_definition definition = definition_for_past();
        struct room_origin origin = {.now = 5};
        struct proto_error fault;
        uint32_t boids, model;
        uint8_t *bytes;
        struct room *branch;
        live();
        if (backs[i] > 0) {
            assert_int_equal(rewind_by(ada, backs[i]), PROTO_OK);
        }
        run(1);
        uint64_t moment = room->time - (uint64_t)(backs[i] * SECOND);
        bytes = room_branch(room, clock_now, 100, &origin.size, &boids, &model, &fault);
        assert_non_null(bytes);
        origin.state = bytes;
        branch = room_create(&definition, &sink, &origin, &fault);
        assert_non_null(branch);
        assert_in_range(branch->time, moment - SECOND / 10, moment + SECOND / 10);
        room_destroy(branch);
        free(bytes);
    }
}

static void resume_needs_the_boids_of_that_moment(void **state)
{
    struct room_definition definition = definition_for_past();
    struct boid_budget budget = {.boids_max = 30};

    (void)state;
    definition.budget = &budget;
    make_as(&definition);
    join_both();
    run(60);
    assert_int_equal(ask(ada, (struct proto_client_message){.type = PROTO_REMOVE, .remove = {15}}),
                     PROTO_OK);
    run(60);
    assert_int_equal(atomic_load(&budget.boids), 5);
    uint32_t left;
    assert_true(budget_take(&budget, 20, &left)); /* another room */
    assert_int_equal(rewind_by(ada, 3), PROTO_OK);
    run(1);
    assert_int_equal(bob->boid_count, BOIDS);
    assert_int_equal(say(PROTO_RESUME), PROTO_E_FULL);
    assert_int_equal(atomic_load(&budget.refused), 1);
    budget_give(&budget, 20);
    assert_int_equal(say(PROTO_RESUME), PROTO_OK);
    assert_int_equal(atomic_load(&budget.boids), BOIDS);
    const struct room_definition other = definition_for_past();
    make_as(&other);
    assert_int_equal(atomic_load(&budget.boids), 0);
}

/* Clients know the world that is shown. A cursor far beyond the present one is no error. */
static void cursors_reach_the_world_of_the_past(void **state)
{
    struct room_definition definition = definition_for_past();
    const struct people *people;

    (void)state;
    definition.flock.settings.width = definition.flock.settings.height = 20000.0F;
    make_as(&definition);
    join_both();
    run(60);
    assert_int_equal(set("preset", "original"), PROTO_OK);
    run(60);
    const struct proto_client_message cursor = {.type = PROTO_CURSOR, .cursor = {15000.0F, 100.0F}};
    assert_int_equal(ask(bob, cursor), PROTO_E_RANGE);
    assert_int_equal(rewind_by(ada, 3), PROTO_OK);
    run(5);
    assert_true(part_of(bob, VIEW_ROOM)->room.width == 20000.0F);
    assert_int_equal(ask(bob, cursor), PROTO_OK);
    run(1);
    people = scene_people(room->present);
    assert_true(people->slots[people_find(people, bob->member)].cursor.x == 550.0F);
}

/* A client that takes 20 boids at most gets every second one of a moment that had 40. */
static void a_limit_of_boids_holds_for_the_past(void **state)
{
    const struct room_definition definition = definition_for_past();
    struct client *some;

    (void)state;
    make_as(&definition);
    join_both();
    some = join_with("plain", 0, BOIDS);
    assert_int_equal(
        ask(ada, (struct proto_client_message){.type = PROTO_ADD, .add = {100, 100, BOIDS}}),
        PROTO_OK);
    run(60);
    assert_int_equal(some->boid_count, BOIDS);
    assert_int_equal(
        ask(ada, (struct proto_client_message){.type = PROTO_REMOVE, .remove = {BOIDS}}), PROTO_OK);
    run(60);
    assert_int_equal(some->boid_count, BOIDS);
    assert_int_equal(rewind_by(ada, 3), PROTO_OK);
    run(1);
    assert_int_equal(bob->boid_count, 2 * BOIDS);
    assert_int_equal(some->boid_count, BOIDS);
    assert_int_equal(say(PROTO_LIVE), PROTO_OK);
    run(1);
    assert_int_equal(some->boid_count, BOIDS);
}

static void without_a_history_there_is_no_past(void **state)
{
    struct room_definition definition = definition_for_past();

    (void)state;
    definition.rewind = 0;
    make_as(&definition);
    join_both();
    run(5);
    assert_int_equal(rewind_by(ada, 0), PROTO_E_STATE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyone_sees_the_moment),
        cmocka_unit_test(it_plays_at_any_speed),
        cmocka_unit_test(a_new_member_during_playback_gets_the_moment),
        cmocka_unit_test(presenters_learn_of_a_moment_that_cannot_be_computed),
        cmocka_unit_test(a_stopped_tick_of_a_replay_is_repeated),
        cmocka_unit_test(live_continues_from_the_present),
        cmocka_unit_test(resume_continues_from_that_moment),
        cmocka_unit_test(resume_has_the_flock_of_that_moment),
        cmocka_unit_test(the_past_has_the_model_that_it_had),
        cmocka_unit_test(only_presenters_may_and_nothing_is_changed_meanwhile),
        cmocka_unit_test(cursors_of_the_past_have_names),
        cmocka_unit_test(people_of_the_past_are_in_its_teams),
        cmocka_unit_test(without_a_presenter_the_present_is_shown),
        cmocka_unit_test(a_distant_moment_of_a_big_flock_takes_several_ticks),
        cmocka_unit_test(a_resumed_room_still_names_its_preset),
        cmocka_unit_test(a_branch_has_the_time_of_its_moment),
        cmocka_unit_test(resume_needs_the_boids_of_that_moment),
        cmocka_unit_test(cursors_reach_the_world_of_the_past),
        cmocka_unit_test(a_limit_of_boids_holds_for_the_past),
        cmocka_unit_test(without_a_history_there_is_no_past),
    };

    return cmocka_run_group_tests(tests, make, finish);
}
