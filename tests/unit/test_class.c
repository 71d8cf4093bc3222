/* Class modes: how people are dealt to teams, what a team's boids follow, and who leads a relay,
 * for how long. */
#include "room/room_state.h"
#include "room/state.h"
#include "scene/inside.h"

#include "control_room.h"
#include "load_room.h"

enum { TURN = 300 /* ticks of 10 s */ };

static const struct person *person_of(const struct client *client)
{
    return room_person_at(room, people_find(room_people(room), client->member));
}

static uint32_t team_of(const struct client *client)
{
    return scene_team(room->present, person_of(client));
}

static bool try_team(struct client *client, uint32_t team)
{
    return say(client, &(struct proto_client_message){.type = PROTO_TEAM, .team = {team}});
}

/* The number of people here in each team, of 1 to 4. */
static void assert_sizes(uint32_t one, uint32_t two, uint32_t three, uint32_t four)
{
    const uint32_t expected[] = {0, one, two, three, four};
    uint32_t sizes[1 + PROTO_TEAMS_MAX] = {0};
    const struct person *person;
    uint32_t next = 0;

    while ((person = people_each(room_people(room), &next)) != NULL) {
        sizes[person->team]++;
    }
    assert_memory_equal(sizes, expected, sizeof sizes);
}

static void assert_turn(const struct client *leader, uint32_t seconds, const struct client *after)
{
    struct proto_turn turn;

    assert_true(scene_turn(room->present, &turn));
    assert_int_equal(turn.id, leader != NULL ? leader->id : 0);
    assert_int_equal(turn.seconds, seconds);
    assert_int_equal(turn.next, after != NULL ? after->id : 0);
}

/* ---- teams ---- */

static void teams_are_as_even_as_they_can_be(void **state)
{
    struct client *others[7];

    (void)state;
    for (uint32_t i = 0; i < 7; i++) {
        others[i] = join("");
    }
    set("teams", "4");
    set("policy", "teams");
    run(1);
    assert_sizes(3, 2, 2, 2);
    leave(others[2]); /* of team 1 */
    run(1);
    assert_sizes(2, 2, 2, 2);
    struct client *late = join("");
    run(1);
    assert_int_equal(team_of(late), 1);
}

static void a_person_who_comes_back_is_in_the_same_team(void **state)
{
    (void)state;
    set("policy", "teams");
    run(1);
    const uint32_t team = team_of(bob);
    const struct proto_hello hello = hello_again(bob);
    leave(bob);
    run(1);
    join("");
    join("");
    run(1);
    bob = join_as(&hello);
    run(1);
    assert_int_equal(team_of(bob), team);
    set("policy", "mean");
    run(1);
    assert_int_equal(team_of(bob), 0); /* no one has a team now … */
    set("policy", "teams");
    run(1);
    assert_int_equal(team_of(bob), team); /* … and it is the same again */
}

static void people_move_to_teams_that_there_are(void **state)
{
    (void)state;
    assert_false(try_team(bob, 1));
    assert_refused(PROTO_E_STATE, "", "team: the policy is not teams");
    set("policy", "teams");
    assert_true(try_team(bob, 1)); /* before anyone was dealt */
    run(1);
    assert_int_equal(team_of(bob), 1);
    assert_int_equal(team_of(ada), 2);
    assert_true(try_team(bob, 2));
    run(1);
    assert_int_equal(team_of(bob), 2); /* the server deals no person twice */
    assert_false(try_team(bob, 3));
    assert_refused(PROTO_E_RANGE, "team", "team: expected 1 to 2, got 3");
    run(40);
    assert_int_equal(seen_by(ada, bob->id)->flags >> PROTO_TEAM_SHIFT & 7, 2);
    assert_int_equal(seen_by(ada, ada->id)->flags,
                     PROTO_FLAG_PRESENTER | PROTO_FLAG_OWNER | 2u << PROTO_TEAM_SHIFT);
}

/* The person of the largest team whose id is the greatest; of several, the first. */
static struct person *next_to_move(const struct people *people, uint32_t count)
{
    uint32_t sizes[PROTO_TEAMS_MAX + 1] = {0};
    uint32_t largest = 1;
    struct person *last = NULL;
    struct person *person;

    for (uint32_t next = 0; (person = people_each(people, &next)) != NULL;) {
        sizes[person->team]++;
    }
    for (uint32_t team = 2; team <= count; team++) {
        largest = sizes[team] > sizes[largest] ? team : largest;
    }
    for (uint32_t next = 0; (person = people_each(people, &next)) != NULL;) {
        if (person->team == largest && (last == NULL || person->id > last->id)) {
            last = person;
        }
    }
    return sizes[largest] > sizes[count] + 1 ? last : NULL;
}

/* Of the largest team, the people with the greatest ids move, one after another. */
static void a_new_team_gets_the_last_of_the_largest(void **state)
{
    enum { PEOPLE = 60 };
    static const uint32_t ids[] = {1, 7, 50, UINT32_MAX};

    (void)state;
    for (uint32_t seed = 1; seed <= 200; seed++) {
        struct people people, plain;
        struct person slots[PEOPLE];
        struct person *person;
        uint32_t random = seed;
        people_init(&people);
        for (uint32_t i = 0; i < PEOPLE; i++) {
            uint32_t slot = PEOPLE_NONE;
            assert_int_equal(people_admit(&people, 0, 0, &slot), PEOPLE_OK);
            random = random * 1664525u + 1013904223u;
            people.slots[slot].team = (uint8_t)(1 + (random >> 16) % (1 + seed % 3));
            people.slots[slot].id = seed % 2 ? random : ids[(random >> 20) % 4];
        }
        struct teams teams = {.count = 1 + seed % 3};
        memcpy(slots, people.slots, sizeof slots);
        plain = people;
        plain.slots = slots;
        while ((person = next_to_move(&plain, teams.count + 1)) != NULL) {
            person->team = (uint8_t)(teams.count + 1);
        }
        teams_deal(&teams, &people, teams.count + 1);
        for (uint32_t i = 0; i < PEOPLE; i++) {
            assert_int_equal(people.slots[i].team, slots[i].team);
        }
        people_finish(&people);
    }
}

static void fewer_teams_deal_only_those_who_lose_theirs(void **state)
{
    struct client *all[8] = {ada, bob};
    uint32_t teams[8];

    (void)state;
    for (uint32_t i = 2; i < 8; i++) {
        all[i] = join("");
    }
    set("teams", "4");
    set("policy", "teams");
    run(1);
    assert_sizes(2, 2, 2, 2);
    for (uint32_t i = 0; i < 8; i++) {
        teams[i] = team_of(all[i]);
    }
    set("teams", "2");
    run(1);
    assert_sizes(4, 4, 0, 0);
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(teams[i] > 2 || team_of(all[i]) == teams[i]);
    }
}

static void new_teams_get_the_people_who_came_last(void **state)
{
    struct client *all[8] = {ada, bob};

    (void)state;
    for (uint32_t i = 2; i < 8; i++) {
        all[i] = join("");
    }
    set("policy", "teams");
    run(1);
    assert_sizes(4, 4, 0, 0);
    set("teams", "4");
    run(1);
    assert_sizes(2, 2, 2, 2);
    for (uint32_t i = 0; i < 4; i++) {
        assert_in_range(team_of(all[i]), 1, 2);
    }
    for (uint32_t i = 4; i < 8; i++) {
        assert_in_range(team_of(all[i]), 3, 4);
    }
}

static void a_team_follows_the_mean_of_its_active_cursors(void **state)
{
    struct scene_leader leaders[PROTO_LEADERS_MAX];
    struct client *cem = join("Cem");

    (void)state;
    set("policy", "teams");
    run(1);
    assert_true(try_team(ada, 1) && try_team(bob, 2) && try_team(cem, 2));
    run(1);
    assert_int_equal(scene_leaders(room->present, room->time, leaders), 0);
    move(bob, 100, 100);
    move(cem, 200, 300);
    run(1);
    assert_int_equal(scene_leaders(room->present, room->time, leaders), 1);
    assert_int_equal(leaders[0].who, 2);
    assert_int_equal(leaders[0].people, 2);
    assert_true(leaders[0].x == 150.0F && leaders[0].y == 200.0F);
    assert_false(snapshot()->has_target);
    assert_true(say(cem, &(struct proto_client_message){.type = PROTO_AWAY}));
    run(1);
    assert_int_equal(scene_leaders(room->present, room->time, leaders), 1);
    assert_true(leaders[0].x == 100.0F && leaders[0].people == 1);
    set("cursors", "scare");
    run(1);
    assert_int_equal(scene_leaders(room->present, room->time, leaders), 0);
}

/* The mean of two cursors on opposite sides of a torus may jump; the target does not. */
static void a_teams_target_glides_around_a_torus(void **state)
{
    struct client *cem = join("Cem");
    struct team_target last = {0};

    (void)state;
    set("boundary", "wrap");
    set("policy", "teams");
    assert_true(try_team(bob, 1) && try_team(cem, 1));
    move(bob, 10, 200);
    move(cem, 540, 200);
    run(1);
    last = room->present->teams.targets[0];
    assert_true(last.x < 0.01F || last.x > 549.99F); /* at the edge, not in the middle */
    move(bob, 260, 200);
    move(cem, 300, 200);
    for (uint32_t i = 0; i < 30; i++) {
        run(1);
        const struct team_target now = room->present->teams.targets[0];
        const float way = fabsf(now.x - last.x);
        assert_true(fminf(way, 550.0F - way) <= CURSOR_GLIDE * 550.0F + 0.01F);
        last = now;
    }
    assert_float_equal(last.x, 280.0F, 0.01F);
}

/* ---- relay ---- */

static void people_lead_one_after_the_other(void **state)
{
    struct client *cem = join("Cem");
    struct client *dan = join("Dan");

    (void)state;
    set("policy", "relay");
    run(1);
    assert_turn(NULL, 0, NULL); /* no person has a cursor */
    move(dan, 300, 100);
    run(1);
    assert_turn(dan, 10, NULL);
    move(bob, 100, 100);
    move(cem, 200, 100);
    run(1);
    assert_turn(dan, 10, bob);
    run(TURN - 2);
    assert_turn(dan, 1, bob);
    run(1);
    assert_turn(bob, 10, cem);
    assert_true(snapshot()->has_target && snapshot()->target_x == 100.0F);
    run(TURN);
    assert_turn(cem, 10, bob); /* all have led once: again the lowest id */
    run(TURN);
    assert_turn(bob, 10, cem);
    run(2 * TURN);
    assert_turn(dan, 10, bob);
}

static void presenters_lead_only_where_no_viewer_can(void **state)
{
    (void)state;
    set("policy", "relay");
    move(ada, 400, 100);
    run(1);
    assert_turn(ada, 10, NULL);
    move(bob, 100, 100);
    run(1);
    assert_turn(ada, 10, bob);
    run(TURN);
    assert_turn(bob, 10, NULL);
    run(TURN);
    assert_turn(bob, 10, NULL);
    set("viewers", "watch"); /* viewers cannot lead now */
    run(1);
    assert_turn(ada, 10, NULL);
}

static void viewers_are_next_before_presenters(void **state)
{
    struct client *cem = join("Cem");

    (void)state;
    set("policy", "relay");
    move(bob, 100, 100);
    run(1);
    move(ada, 400, 100);
    move(cem, 200, 100);
    run(1);
    assert_turn(bob, 10, cem);
}

static void a_leader_without_a_cursor_leads_nowhere(void **state)
{
    (void)state;
    set("policy", "relay");
    set("idle", "hold");
    move(bob, 100, 100);
    run(1);
    assert_true(snapshot()->has_target);
    assert_true(say(bob, &(struct proto_client_message){.type = PROTO_AWAY}));
    move(ada, 300, 300);
    run(1);
    assert_false(snapshot()->has_target);
    assert_turn(bob, 10, NULL);
}

static void the_next_one_leads_when_the_leader_leaves(void **state)
{
    struct client *cem = join("Cem");

    (void)state;
    set("policy", "relay");
    move(bob, 100, 100);
    move(cem, 200, 100);
    run(100);
    assert_turn(bob, 7, cem);
    leave(bob);
    run(1);
    assert_turn(cem, 10, NULL);
    leave(cem);
    run(1);
    assert_turn(NULL, 0, NULL);
}

/* A person who comes late, or comes back, does not lead again and again to catch up. */
static void nobody_waits_twice_while_another_leads_twice(void **state)
{
    struct client *all[6] = {bob};
    uint32_t led[6] = {0};
    const struct proto_hello hello = hello_again(bob);

    (void)state;
    set("policy", "relay");
    for (uint32_t i = 1; i < 4; i++) {
        all[i] = join("");
    }
    for (uint32_t i = 0; i < 4; i++) {
        move(all[i], 100, 100);
    }
    run(1);
    leave(all[0]);
    for (uint32_t i = 0; i < 20; i++) {
        assert_true(try_type(ada, PROTO_SKIP));
    }
    all[0] = join_as(&hello);
    all[4] = join("");
    all[5] = join("");
    for (uint32_t i = 0; i < 6; i++) {
        move(all[i], 200, 100.0F + (float)i);
    }
    for (uint32_t turn = 0; turn < 60; turn++) {
        struct proto_turn now;
        assert_true(try_type(ada, PROTO_SKIP) && scene_turn(room->present, &now));
        for (uint32_t i = 0; i < 6; i++) {
            led[i] += all[i]->id == now.id;
        }
        for (uint32_t i = 0; i < 6; i++) {
            for (uint32_t j = 0; j < 6; j++) {
                assert_true(led[i] <= led[j] + 2);
            }
        }
    }
}

static void someone_who_has_just_pointed_has_missed_earlier_turns(void **state)
{
    struct client *cem = join("Cem");
    struct client *dan = join("Dan");

    (void)state;
    set("policy", "relay");
    move(bob, 100, 100);
    move(cem, 200, 100);
    run(1);
    for (uint32_t i = 0; i < 10; i++) {
        assert_true(try_type(ada, PROTO_SKIP));
    }
    assert_turn(bob, 10, cem);
    move(dan, 300, 100);
    run(1);
    assert_true(try_type(ada, PROTO_SKIP));
    assert_turn(cem, 10, dan);
    assert_true(try_type(ada, PROTO_SKIP));
    assert_turn(dan, 10, bob);
    assert_true(try_type(ada, PROTO_SKIP));
    assert_turn(bob, 10, cem);
}

static void a_paused_turn_stands_still(void **state)
{
    (void)state;
    set("policy", "relay");
    move(bob, 100, 100);
    run(1);
    set("run", "paused");
    run(2 * TURN);
    assert_turn(bob, 10, NULL);
    assert_int_equal(room->present->turn_left, TURN);
    assert_true(try_type(ada, PROTO_STEP));
    run(5);
    assert_int_equal(room->present->turn_left, TURN - 1);
    set("run", "running");
    run(TURN - 2);
    assert_turn(bob, 1, NULL);
    run(1);
    assert_turn(bob, 10, NULL); /* a new turn of the same person */
}

static void a_turn_is_as_long_as_its_control_says(void **state)
{
    (void)state;
    set("policy", "relay");
    set("turn", "30");
    move(bob, 100, 100);
    run(1);
    assert_turn(bob, 30, NULL);
    run(30);
    set("turn", "20");
    run(1);
    assert_turn(bob, 20, NULL);
}

static void a_skip_needs_a_relay(void **state)
{
    (void)state;
    assert_false(try_type(ada, PROTO_SKIP));
    assert_refused(PROTO_E_STATE, "", "skip: the policy is not relay");
    set("policy", "relay");
    assert_true(try_type(ada, PROTO_SKIP)); /* no member has a cursor, so none can lead */
    assert_false(try_type(bob, PROTO_SKIP));
    assert_int_equal(error.code, PROTO_E_ROLE);
    move(bob, 100, 100);
    run(1);
    set("policy", "mean");
    run(1);
    assert_int_equal(room_people(room)->leader, 0);
}

static void an_undone_policy_ends_the_turn(void **state)
{
    struct proto_turn turn;

    (void)state;
    set("policy", "relay");
    move(bob, 100, 100);
    run(100);
    assert_true(try_type(ada, PROTO_UNDO));
    run(1);
    assert_false(scene_turn(room->present, &turn));
    assert_int_equal(room->present->turn_left, 0);
    set("policy", "relay");
    run(1);
    assert_turn(bob, 10, NULL);
}

/* The value of flee_weight. */
static float flight(void)
{
    const struct flock *flock = scene_flock(room->present);

    return flock_param_get(flock, flock_settings_of(flock)->model->common[FLOCK_FLEE_WEIGHT]);
}

static void in_scare_every_cursor_scares(void **state)
{
    struct client *cem = join("Cem");

    (void)state;
    set("model", "boids");
    set("policy", "relay");
    assert_true(flight() == 0.0F);
    set("cursors", "scare");
    assert_true(flight() == 5.0F);
    set("idle", "hold");
    param("flee_distance", 500);
    move(bob, 10, 10);
    run(1);
    assert_int_equal(room_people(room)->leader, bob->id);
    move(cem, 300, 300);
    assert_true(scene_steers(room->present, person_of(cem), room->time));
    assert_true(scene_steers(room->present, person_of(bob), room->time));
    assert_false(snapshot()->has_target);
}

static void scare_gives_the_flock_a_strength_of_flight(void **state)
{
    (void)state;
    set("model", "boids");
    set("cursors", "scare");
    assert_true(flight() == 5.0F);
    set("preset", "march");
    assert_true(flight() == 4.0F);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_true(flight() == 5.0F);
    assert_true(try_type(ada, PROTO_UNDO));
    assert_true(flight() == 0.0F);
    param("flee_weight", 2);
    set("cursors", "scare");
    assert_true(flight() == 2.0F);
}

/* ---- saved rooms ---- */

/* Saves the room, loads it, and runs both: they stay the same bit for bit. */
static void assert_continues(uint32_t rounds)
{
    const struct room_definition definition = definition_with_key();
    struct room *live = room;
    char problem[160];
    size_t size;
    uint8_t *bytes = room_save(room, clock_now, &size);

    assert_non_null(bytes);
    saved_seal(bytes, size);
    struct room *loaded = load_room(&definition, &sink, bytes, size, clock_now, problem, 160);
    free(bytes);
    if (loaded == NULL) {
        fail_msg("%s", problem);
    }
    assert_true(scene_hash(loaded->present) == scene_hash(live->present));
    for (uint32_t i = 0; i < rounds; i++) {
        clock_now += 33333;
        room_tick(live, workspace, clock_now);
        room_tick(loaded, workspace, clock_now);
        assert_true(scene_hash(loaded->present) == scene_hash(live->present));
    }
    room_destroy(loaded);
}

static void a_saved_relay_continues_in_the_turn(void **state)
{
    struct client *cem = join("Cem");

    (void)state;
    set("policy", "relay");
    move(bob, 100, 100);
    move(cem, 200, 100);
    run(TURN + 100);
    assert_turn(cem, 7, bob);
    assert_continues(2 * TURN);
    assert_turn(cem, 7, bob);
}

static void saved_teams_continue(void **state)
{
    (void)state;
    set("boundary", "wrap");
    set("teams", "3");
    set("policy", "teams");
    join("");
    run(1);
    move(bob, 100, 100);
    run(2);
    move(bob, 400, 100);
    run(1);
    assert_continues(100);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, make_two, finish)
    const struct CMUnitTest tests[] = {
        TEST(teams_are_as_even_as_they_can_be),
        TEST(a_person_who_comes_back_is_in_the_same_team),
        TEST(people_move_to_teams_that_there_are),
        cmocka_unit_test(a_new_team_gets_the_last_of_the_largest),
        TEST(fewer_teams_deal_only_those_who_lose_theirs),
        TEST(new_teams_get_the_people_who_came_last),
        TEST(a_team_follows_the_mean_of_its_active_cursors),
        TEST(a_teams_target_glides_around_a_torus),
        TEST(people_lead_one_after_the_other),
        TEST(presenters_lead_only_where_no_viewer_can),
        TEST(viewers_are_next_before_presenters),
        TEST(a_leader_without_a_cursor_leads_nowhere),
        TEST(the_next_one_leads_when_the_leader_leaves),
        TEST(nobody_waits_twice_while_another_leads_twice),
        TEST(someone_who_has_just_pointed_has_missed_earlier_turns),
        TEST(a_paused_turn_stands_still),
        TEST(a_turn_is_as_long_as_its_control_says),
        TEST(a_skip_needs_a_relay),
        TEST(an_undone_policy_ends_the_turn),
        TEST(in_scare_every_cursor_scares),
        TEST(scare_gives_the_flock_a_strength_of_flight),
        TEST(a_saved_relay_continues_in_the_turn),
        TEST(saved_teams_continue),
    };
#undef TEST
    return cmocka_run_group_tests_name("class modes", tests, NULL, NULL);
}
