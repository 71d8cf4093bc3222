/* Picks: each member's boid is explained by the topic why, a presenter's one by the topic shown, in
 * a flock that runs, is paused, is stepped, has lost the boid or shows its past. */
#include "room/picks.h"

#include "room/state.h"
#include "room/topics.h"
#include "room/workspace.h"
#include "scene/inside.h"
#include "sim/rng.h"

#include "view_room.h"

#define PICK_TOPICS (PROTO_TOPIC_WHY | PROTO_TOPIC_SHOWN)

static bool try_pick(struct client *client, uint32_t boid, bool shown)
{
    return say(client, &(struct proto_client_message){.type = PROTO_PICK, .pick = {boid, shown}});
}

/* Returns the explanation of a picked boid; it must be in the view. */
static const struct proto_why *why(uint32_t boid)
{
    static struct proto_why last;
    const struct view_pick *pick = view_pick(view, boid);

    assert_non_null(pick);
    last = read_frame(pick->frame)->why;
    assert_true(last.has_boid && last.boid == boid && !last.shown && last.by == 0);
    return &last;
}

static const struct proto_why *shown(void)
{
    static struct proto_why last;

    assert_non_null(view->topics[VIEW_SHOWN]);
    last = read_frame(view->topics[VIEW_SHOWN])->why;
    assert_true(last.shown);
    return &last;
}

static void assert_adds_up(const struct proto_why *of)
{
    float x = of->motion.vx;
    float y = of->motion.vy;

    assert_true(of->there && of->push_count > 3);
    for (uint32_t i = 0; i < of->push_count; i++) {
        assert_true(of->pushes[i].name[0] != '\0');
        x += of->pushes[i].x;
        y += of->pushes[i].y;
    }
    assert_true(fabsf(x - of->motion.next_x) < 1e-3F && fabsf(y - of->motion.next_y) < 1e-3F);
}

/* Returns whether the boid has that velocity in the present flock. */
static bool moves_by(uint32_t boid, float vx, float vy)
{
    static float x[1000];
    static float y[1000];

    flock_velocities(scene_flock(room_shown(room)), x, y);
    return fabsf(x[boid] - vx) < 2e-3F && fabsf(y[boid] - vy) < 2e-3F;
}

/* A hundred boids of the model `boids` that nothing steers, so that each tick follows from the one
 * before. */
static void fill(void)
{
    set("model", "boids");
    set("idle", "hold");
    assert_true(try_add(ada, 275, 200, 88));
}

static void a_pick_is_explained_to_subscribers(void **state)
{
    (void)state;
    fill();
    assert_true(try_pick(bob, 7, false));
    go(4);
    assert_int_equal(view->pick_count, 0);
    subscribe(bob, PICK_TOPICS);
    go(4);
    assert_int_equal(view->pick_count, 1);
    assert_adds_up(why(7));
    assert_true(why(7)->zones.view == 50.0F && why(7)->zones.close_angle == 360.0F);
    assert_true(moves_by(7, why(7)->motion.vx, why(7)->motion.vy));
    assert_true(say(bob, &(struct proto_client_message){.type = PROTO_UNPICK}));
    go(4);
    assert_int_equal(view->pick_count, 0);
}

static void a_tick_moves_the_boid_as_explained(void **state)
{
    static const char *const models[] = {"swarm", "boids", "vision", "birds", "steering"};
    static const char *const updates[] = {"synchronous", "sequential"};

    (void)state;
    fill();
    subscribe(bob, PICK_TOPICS);
    for (size_t i = 0; i < 10; i++) {
        set("model", models[i % 5]);
        set("update", updates[i % 2]);
        go(30);
        set("run", "paused");
        go(4);
        assert_true(try_pick(bob, 31, false));
        for (uint32_t step = 0; step < 5; step++) {
            go(4);
            const struct proto_why told = *why(31);
            assert_adds_up(&told);
            assert_int_equal(told.tick, scene_ticks(room->present));
            assert_true(try_type(ada, PROTO_STEP));
            go(1);
            assert_true(moves_by(31, told.motion.next_x, told.motion.next_y));
        }
        set("run", "running");
    }
}

static void a_paused_boid_is_explained_once(void **state)
{
    (void)state;
    fill();
    subscribe(bob, PICK_TOPICS);
    set("run", "paused");
    go(4);
    assert_true(try_pick(bob, 3, false));
    go(1); /* at once */
    const uint32_t version = view_pick(view, 3)->version;
    go(60);
    assert_int_equal(view_pick(view, 3)->version, version);
    param("cohesion_weight", 5.0F); /* its arrows change while the slider moves */
    go(4);
    assert_int_not_equal(view_pick(view, 3)->version, version);
}

/* Returns how often a boid is explained in 3 s. */
static uint32_t explained(uint32_t boid)
{
    uint32_t version = 0;
    uint32_t times = 0;

    for (uint32_t i = 0; i < 90; i++) {
        go(1);
        times += view_pick(view, boid)->version != version;
        version = view_pick(view, boid)->version;
    }
    return times;
}

static void picks_are_explained_ten_times_a_second_and_many_five_times(void **state)
{
    (void)state;
    fill();
    subscribe(bob, PICK_TOPICS);
    assert_true(try_pick(bob, 3, false));
    assert_in_range(explained(3), 29, 31);
    for (uint32_t i = 0; i < TOPICS_PICKS_FEW; i++) {
        assert_true(try_pick(join(""), 3 + i, false));
    }
    assert_in_range(explained(3), 29, 31); /* two look at the same boid */
    assert_true(try_pick(ada, 50, false));
    go(1);
    assert_adds_up(why(50)); /* a new pick does not wait */
    assert_in_range(explained(3), 14, 16);
    assert_true(try_pick(ada, 3, false));
    assert_in_range(explained(3), 28, 31);
}

static void everyone_has_a_pick_and_the_same_boid_one_frame(void **state)
{
    struct client *cem = join("Cem");

    (void)state;
    fill();
    subscribe(bob, PICK_TOPICS);
    assert_true(try_pick(bob, 9, false));
    assert_true(try_pick(cem, 4, false));
    assert_true(try_pick(ada, 9, false));
    go(4);
    assert_int_equal(view->pick_count, 2);
    assert_int_equal(view->picks[0].boid, 4);
    assert_adds_up(why(4));
    assert_true(try_pick(bob, 2, false)); /* instead of the one before */
    go(4);
    assert_int_equal(view->pick_count, 3);
    leave(cem);
    go(4);
    assert_int_equal(view->pick_count, 2);
    assert_null(view_pick(view, 4));
    const struct proto_hello hello = hello_again(bob);
    join_as(&hello); /* the new connection has no pick yet */
    go(4);
    assert_int_equal(room->picks.count, 1);
}

static struct client *join_at(uint64_t address)
{
    origin_now = address;
    return join("");
}

/* Fills the room with picks of new viewers at that address, of boids from `first` on. */
static void pick_at(struct client *viewers[], uint32_t count, uint64_t address, uint32_t first)
{
    for (uint32_t i = 0; i < count; i++) {
        viewers[i] = join_at(address);
        assert_true(try_pick(viewers[i], first + i, false));
    }
}

static bool has_pick(const struct client *client)
{
    for (uint32_t i = 0; i < room->picks.count; i++) {
        if (room_person_at(room, room->picks.list[i].slot)->member == client->member) {
            return true;
        }
    }
    return false;
}

/* Returns how many of them have a pick. */
static uint32_t picking(struct client *const clients_of[], uint32_t count)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        sum += has_pick(clients_of[i]);
    }
    return sum;
}

/* The next unread message says that the client's pick has ended. */
static void assert_told_end(struct client *client)
{
    const struct proto_server_message *message = next_heard(client);

    assert_non_null(message);
    assert_int_equal(message->type, PROTO_WHY);
    assert_true(!message->why.has_boid && !message->why.there && !message->why.shown);
    assert_int_equal(message->why.by, 0);
}

static void a_class_alone_has_32_picks(void **state)
{
    struct client *pupils[PROTO_PICKS_MAX];

    (void)state;
    fill();
    pick_at(pupils, PROTO_PICKS_MAX, 1, 0);
    assert_false(try_pick(bob, 5, false));
    assert_refused(PROTO_E_FULL, "", "pick: 32 people look at a boid; try again later");
    assert_int_equal(picking(pupils, PROTO_PICKS_MAX), PROTO_PICKS_MAX);
    assert_true(try_pick(pupils[31], 5, false)); /* changes its own */
    assert_int_equal(pupils[0]->heard_count, 0);
    leave(pupils[31]);
    assert_true(try_pick(bob, 5, false));
}

/* Addresses share the picks: within the address with the most, the oldest pick gives way. */
static void a_viewer_gets_a_pick_of_the_address_with_the_most(void **state)
{
    struct client *strangers[PROTO_PICKS_MAX];
    struct client *pupils[17];

    (void)state;
    fill();
    pick_at(strangers, PROTO_PICKS_MAX, 7, 0);
    assert_true(try_pick(strangers[0], 60, false)); /* now the newest */
    pick_at(pupils, 16, 8, 40);
    assert_int_equal(picking(strangers, PROTO_PICKS_MAX), 16);
    assert_true(has_pick(strangers[0]) && !has_pick(strangers[1]) && !has_pick(strangers[16]));
    assert_told_end(strangers[1]);
    assert_null(next_heard(strangers[1]));
    assert_int_equal(strangers[17]->heard_count, 0);
    pupils[16] = join_at(8);
    assert_false(try_pick(pupils[16], 3, false)); /* both have 16 */
    assert_refused(PROTO_E_FULL, "", "pick: 32 people look at a boid; try again later");
    assert_false(try_pick(strangers[1], 3, false));
    assert_int_equal(picking(pupils, 16), 16);
    assert_true(try_pick(join_at(9), 3, false)); /* of the address 7, or 8 */
    assert_int_equal(picking(pupils, 16) + picking(strangers, PROTO_PICKS_MAX), 31);
}

static void no_pick_gives_way_for_an_address_that_would_have_more(void **state)
{
    (void)state;
    fill();
    for (uint32_t i = 0; i < PROTO_PICKS_MAX; i++) {
        assert_true(try_pick(join_at(10 + i / 2), i, false)); /* two of each address */
    }
    assert_true(try_pick(join_at(90), 5, false));
    assert_false(try_pick(join_at(90), 5, false));
    assert_int_equal(error.code, PROTO_E_FULL);
}

/* Each stranger has another address. */
static void a_class_at_its_presenters_address_gets_picks_of_strangers(void **state)
{
    struct client *strangers[PROTO_PICKS_MAX];
    struct client *pupils[30];
    struct client *teacher;

    (void)state;
    fill();
    for (uint32_t i = 0; i < PROTO_PICKS_MAX; i++) {
        strangers[i] = join_at(10 + i);
        assert_true(try_pick(strangers[i], i, false));
    }
    teacher = join_at(7);
    assert_true(say_key(teacher, KEY));
    for (uint32_t i = 0; i < 30; i++) {
        pupils[i] = join_at(7);
        assert_int_equal(try_pick(pupils[i], 40, false), i < 24);
    }
    assert_int_equal(picking(pupils, 30), 24);
    assert_false(try_pick(strangers[0], 3, false));
    assert_false(try_pick(join_at(90), 3, false));
    leave(teacher);
    assert_true(try_pick(strangers[0], 3, false));
    assert_int_equal(picking(pupils, 30), 23);
}

static void a_presenter_gets_a_pick_of_a_viewer(void **state)
{
    struct client *strangers[PROTO_PICKS_MAX];

    (void)state;
    fill();
    for (uint32_t i = 0; i < PROTO_PICKS_MAX; i++) {
        strangers[i] = join_at(10 + (i < 30 ? i : 29)); /* the last three share an address */
        assert_true(try_pick(strangers[i], i, false));
    }
    assert_true(try_pick(join_at(9), 5, false)); /* of the three */
    assert_false(has_pick(strangers[29]));
    assert_false(try_pick(join_at(9), 5, false));
    assert_true(try_pick(ada, 50, false));
    assert_false(has_pick(strangers[30]));
    assert_told_end(strangers[30]);
    assert_true(try_pick(ada, 51, true)); /* instead of her own */
    assert_int_equal(room->picks.count, PROTO_PICKS_MAX);
}

/* A pick of a presenter gives way to no one, whether it is shown or not. */
static void a_presenters_pick_stays(void **state)
{
    struct client *presenters[PROTO_PICKS_MAX];

    (void)state;
    fill();
    for (uint32_t i = 0; i < PROTO_PICKS_MAX; i++) {
        presenters[i] = join_at(7);
        assert_true(say_key(presenters[i], KEY));
        assert_true(try_pick(presenters[i], i, i == 3));
    }
    assert_false(try_pick(bob, 5, false));
    assert_int_equal(error.code, PROTO_E_FULL);
    assert_false(try_pick(ada, 5, true));
    assert_refused(PROTO_E_FULL, "", "pick: 32 people look at a boid; try again later");
    assert_true(try_appoint(ada, presenters[3]->id, PROTO_VIEWER));
    assert_true(try_pick(ada, 5, true));
    assert_false(has_pick(presenters[3]));
}

static void presenters_picks_do_not_count_for_their_address(void **state)
{
    struct client *pupils[15];
    struct client *strangers[16];

    (void)state;
    fill();
    assert_true(try_pick(ada, 1, true)); /* at the address 1 */
    pick_at(pupils, 15, 1, 10);
    pick_at(strangers, 16, 7, 30);
    assert_true(try_pick(join_at(8), 2, false));
    assert_int_equal(picking(pupils, 15), 15);
    assert_int_equal(picking(strangers, 16), 15);
}

/* After the end of its pick a person can pick again, as soon as its address has fewer. */
static void an_ended_pick_can_come_back(void **state)
{
    struct client *strangers[PROTO_PICKS_MAX];

    (void)state;
    fill();
    pick_at(strangers, PROTO_PICKS_MAX, 7, 0);
    subscribe(strangers[0], PICK_TOPICS);
    struct client *pupil = join_at(8);
    assert_true(try_pick(pupil, 70, false));
    go(4);
    assert_null(view_pick(view, 0));
    assert_adds_up(why(70));
    assert_false(try_pick(strangers[0], 0, false));
    leave(pupil);
    assert_true(try_pick(strangers[0], 0, false));
    go(4);
    assert_adds_up(why(0));
}

static void only_boids_that_are_shown_can_be_picked(void **state)
{
    (void)state;
    fill();
    assert_false(try_pick(bob, 100, false));
    assert_refused(PROTO_E_RANGE, "boid", "boid: expected 0 to 99, got 100");
    assert_true(try_pick(bob, 99, false));
}

/* Its person gets no more explanations, and its place is free for others. */
static void a_refused_pick_ends_the_one_before(void **state)
{
    (void)state;
    fill();
    subscribe(bob, PICK_TOPICS);
    assert_true(try_pick(ada, 7, true));
    assert_false(try_pick(ada, 100, true));
    assert_true(try_pick(bob, 9, false));
    assert_false(try_pick(bob, 9, true));
    go(4);
    assert_int_equal(room->picks.count, 0);
    assert_false(shown()->has_boid);
}

static void a_removed_boid_is_gone_until_there_is_one_again(void **state)
{
    (void)state;
    fill();
    subscribe(bob, PICK_TOPICS);
    assert_true(try_pick(bob, 90, false));
    go(4);
    assert_true(why(90)->there);
    assert_true(try_remove(ada, 10)); /* the flock has the boids 0 to 89 */
    go(4);
    assert_false(why(90)->there);
    assert_int_equal(why(90)->push_count, 0);
    assert_true(try_add(ada, 100, 100, 10));
    go(4);
    assert_adds_up(why(90));
    assert_true(try_pick(bob, 5, false));
    assert_true(try_type(ada, PROTO_RESET));
    go(4);
    assert_adds_up(why(5));
    assert_true(moves_by(5, why(5)->motion.vx, why(5)->motion.vy));
}

static void a_presenter_shows_a_boid_to_all(void **state)
{
    (void)state;
    fill();
    subscribe(bob, PICK_TOPICS);
    go(4);
    assert_false(shown()->has_boid);
    assert_false(try_pick(bob, 3, true));
    assert_refused(PROTO_E_ROLE, "shown", "shown: only a presenter may show a boid to all");
    assert_true(try_pick(ada, 3, true));
    go(4);
    assert_int_equal(shown()->boid, 3);
    assert_int_equal(shown()->by, ada->id);
    assert_adds_up(shown());
    assert_true(try_pick(ada, 4, false)); /* for herself */
    go(4);
    assert_false(shown()->has_boid);
}

static void a_shown_boid_ends_with_the_role_or_another_one(void **state)
{
    (void)state;
    fill();
    subscribe(bob, PICK_TOPICS);
    assert_true(try_pick(ada, 3, true));
    assert_true(say_key(bob, KEY));
    assert_true(try_pick(bob, 5, true));
    go(4);
    assert_int_equal(shown()->boid, 5);
    assert_int_equal(shown()->by, bob->id);
    assert_true(try_appoint(bob, bob->id, PROTO_VIEWER));
    go(4);
    assert_false(shown()->has_boid);
}

static void the_past_is_explained_as_it_was(void **state)
{
    struct room_definition definition = definition_with_key();

    (void)state;
    definition.rewind = 60 * SECOND;
    make_two_as(&definition);
    assert_true(say_key(ada, KEY));
    fill();
    subscribe(bob, PICK_TOPICS);
    go(90);
    assert_true(try_pick(bob, 11, false));
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_REWIND, .rewind = {1.0F}}));
    go(10);
    const struct proto_why told = *why(11);
    assert_adds_up(&told);
    assert_int_equal(told.tick, scene_ticks(room_shown(room)));
    assert_true(told.tick < scene_ticks(room->present));
    assert_true(moves_by(11, told.motion.vx, told.motion.vy));
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_PLAY, .play = {1.0F}}));
    go(1);
    assert_true(moves_by(11, told.motion.next_x, told.motion.next_y));
    assert_true(try_type(ada, PROTO_LIVE));
    go(4);
    assert_in_range(scene_ticks(room->present) - why(11)->tick, 0, 2);
}

/* ---- every model, at random ---- */

static struct rng dice;

static float draw(float least, float most)
{
    return least + (most - least) * rng_unit(&dice);
}

/* Gives each parameter a value near its initial one, and turns on noise and flight. */
static void shuffle_params(const struct flock_model *model)
{
    for (size_t i = 0; i < model->param_count; i++) {
        const struct flock_param *row = &model->params[i];
        const float value = row->initial * draw(0.8F, 1.2F);
        param(row->name, fminf(fmaxf(value, row->min), row->max));
    }
    param("noise", draw(0.0F, 40.0F));
    param("informed", draw(0.5F, 1.0F));
    param("flee_weight", draw(0.5F, 2.0F));
}

static void drop_things(void)
{
    for (int i = 0; i < 4; i++) {
        assert_true(say(
            ada, &(struct proto_client_message){
                     .type = PROTO_FOOD, .food = {draw(0.0F, 550.0F), draw(0.0F, 400.0F), 50}}));
    }
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_HUNTER,
                                                        .hunter = {draw(0.0F, 550.0F), 200.0F}}));
    assert_true(
        say(ada, &(struct proto_client_message){.type = PROTO_WALL, .wall = {100, 50, 220, 190}}));
}

/* Moves both cursors, which then rest: an explanation does not know of moves before the next tick.
 */
static void steer(void)
{
    move(ada, draw(0.0F, 550.0F), draw(0.0F, 400.0F));
    move(bob, draw(0.0F, 550.0F), draw(0.0F, 400.0F));
}

enum { WATCHED = 8 };

static void pick_at_random(struct client *watchers[WATCHED], uint32_t picked[WATCHED])
{
    for (uint32_t i = 0; i < WATCHED; i++) {
        picked[i] = (uint32_t)draw(0.0F, (float)flock_count(scene_flock(room_shown(room))));
        assert_true(try_pick(watchers[i], picked[i], false));
    }
}

/* Compares explanations of the shown moment with the boids before and after its next tick, which
 * advance() makes. Returns how many boids differ afterwards: where the model itself jumps, floats
 * cannot decide as the rules do. */
static uint32_t compare_tick(const uint32_t picked[WATCHED], void (*advance)(void))
{
    struct proto_why told[WATCHED];
    uint32_t jumps = 0;

    for (uint32_t i = 0; i < WATCHED; i++) {
        told[i] = *why(picked[i]);
        assert_adds_up(&told[i]);
        assert_int_equal(told[i].tick, scene_ticks(room_shown(room)));
        assert_true(moves_by(picked[i], told[i].motion.vx, told[i].motion.vy));
    }
    advance();
    for (uint32_t i = 0; i < WATCHED; i++) {
        assert_int_equal(scene_ticks(room_shown(room)), told[i].tick + 1);
        jumps += !moves_by(picked[i], told[i].motion.next_x, told[i].motion.next_y);
    }
    return jumps;
}

static void step_once(void)
{
    assert_true(try_type(ada, PROTO_STEP));
    go(1);
}

static void play_once(void)
{
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_PLAY, .play = {1.0F}}));
    go(1);
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_PLAY, .play = {0.0F}}));
}

/* Picks boids in moments of the past, in which the flock ran, and in the paused present. Returns
 * how many of the next ticks differ from the explanations. */
static uint32_t compare_past_and_present(struct client *watchers[WATCHED])
{
    uint32_t picked[WATCHED];
    uint32_t jumps = 0;

    for (int i = 0; i < 6; i++) {
        const float back = draw(0.5F, 3.0F);
        assert_true(
            say(ada, &(struct proto_client_message){.type = PROTO_REWIND, .rewind = {back}}));
        pick_at_random(watchers, picked);
        go(10);
        assert_true(scene_ticks(room_shown(room)) < scene_ticks(room->present));
        jumps += compare_tick(picked, play_once);
    }
    assert_true(try_type(ada, PROTO_LIVE));
    set("run", "paused");
    for (int i = 0; i < 4; i++) {
        pick_at_random(watchers, picked);
        go(4);
        jumps += compare_tick(picked, step_once);
    }
    set("run", "running");
    return jumps;
}

/* In all models, boundaries and orders, with noise, food, a hunter, walls and cursors. */
static void the_arrows_add_up_in_every_model_and_in_the_past(void **state)
{
    struct room_definition definition = definition_with_key();
    struct client *watchers[WATCHED];

    (void)state;
    definition.rewind = 60 * SECOND;
    make_two_as(&definition);
    assert_true(say_key(ada, KEY));
    dice = rng_of_boid(22, 0);
    for (uint32_t i = 0; i < WATCHED; i++) {
        watchers[i] = join("");
        subscribe(watchers[i], PICK_TOPICS);
    }
    fill();
    for (size_t k = 0; flock_models[k / 6] != NULL; k++) {
        set("model", flock_models[k / 6]->name);
        set("boundary", flock_boundary_name(k % 3));
        set("update", flock_update_name(k / 3 % 2));
        shuffle_params(flock_models[k / 6]);
        drop_things();
        steer();
        go(120); /* 4 s */
        const uint32_t jumps = compare_past_and_present(watchers);
        if (jumps > 1) {
            fail_msg("%s, %s, %s: %u explanations differ from the next tick",
                     flock_models[k / 6]->name, flock_boundary_name(k % 3),
                     flock_update_name(k / 3 % 2), jumps);
        }
        assert_true(try_type(ada, PROTO_RESET)); /* no food and no hunters */
        assert_true(try_add(ada, 275, 200, 88));
    }
}

static void a_boid_that_was_not_there_yet_is_gone_in_the_past(void **state)
{
    struct room_definition definition = definition_with_key();

    (void)state;
    definition.rewind = 60 * SECOND;
    make_two_as(&definition);
    assert_true(say_key(ada, KEY));
    go(60);
    fill();
    subscribe(bob, PICK_TOPICS);
    go(30);
    assert_true(try_pick(bob, 60, false));
    go(4);
    assert_true(why(60)->there);
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_REWIND, .rewind = {2.5F}}));
    go(10);
    assert_false(why(60)->there);
    assert_true(try_type(ada, PROTO_LIVE));
    go(4);
    assert_true(why(60)->there);
}

static int make_room(void **state)
{
    origin_now = 1;
    return make_two(state);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, make_room, leave_room)
    const struct CMUnitTest tests[] = {
        TEST(a_pick_is_explained_to_subscribers),
        TEST(a_tick_moves_the_boid_as_explained),
        TEST(a_paused_boid_is_explained_once),
        TEST(picks_are_explained_ten_times_a_second_and_many_five_times),
        TEST(everyone_has_a_pick_and_the_same_boid_one_frame),
        TEST(a_class_alone_has_32_picks),
        TEST(a_viewer_gets_a_pick_of_the_address_with_the_most),
        TEST(no_pick_gives_way_for_an_address_that_would_have_more),
        TEST(a_class_at_its_presenters_address_gets_picks_of_strangers),
        TEST(a_presenter_gets_a_pick_of_a_viewer),
        TEST(a_presenters_pick_stays),
        TEST(presenters_picks_do_not_count_for_their_address),
        TEST(an_ended_pick_can_come_back),
        TEST(only_boids_that_are_shown_can_be_picked),
        TEST(a_refused_pick_ends_the_one_before),
        TEST(a_removed_boid_is_gone_until_there_is_one_again),
        TEST(a_presenter_shows_a_boid_to_all),
        TEST(a_shown_boid_ends_with_the_role_or_another_one),
        TEST(the_past_is_explained_as_it_was),
        TEST(a_boid_that_was_not_there_yet_is_gone_in_the_past),
        TEST(the_arrows_add_up_in_every_model_and_in_the_past),
    };
#undef TEST
    return cmocka_run_group_tests_name("picks", tests, NULL, NULL);
}
