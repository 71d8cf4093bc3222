/* Topics: only subscribers have them made, the newest value only, and no value twice. The topic
 * leads: the boids of each leader. The topic clusters: how often the room counts them. */
#include "room/leads.h"
#include "room/state.h"
#include "room/workspace.h"
#include "scene/inside.h"

#include "view_room.h"

static struct client *join_subscribed(uint32_t topics)
{
    struct proto_hello hello = hello_of("");

    hello.topics = topics;
    return join_as(&hello);
}

static const struct proto_leads *leads(void)
{
    static struct proto_leads last;

    last = read_frame(view->topics[VIEW_LEADS])->leads;
    return &last;
}

static uint32_t version(void)
{
    return view->topic_versions[VIEW_LEADS];
}

/* ---- topics ---- */

static void without_a_subscriber_nothing_is_made(void **state)
{
    (void)state;
    set("policy", "nearest");
    move(bob, 100, 100);
    go(20);
    assert_null(view->topics[VIEW_LEADS]);
    subscribe(bob, 0xfffffffc); /* topics of a later version */
    go(20);
    assert_null(view->topics[VIEW_LEADS]);
    assert_int_equal(version(), 0);
}

static void a_subscriber_has_it_made_with_the_next_snapshot(void **state)
{
    (void)state;
    go(3);
    subscribe(bob, PROTO_TOPIC_LEADS);
    go(1);
    assert_int_equal(leads()->count, 0);
    assert_false(leads()->has_turn);
    assert_int_equal(version(), 1);
    subscribe(bob, 0);
    go(1);
    assert_null(view->topics[VIEW_LEADS]);
    join_subscribed(PROTO_TOPIC_LEADS);
    go(1);
    assert_int_equal(leads()->count, 0);
}

static void it_ends_with_the_last_subscriber(void **state)
{
    (void)state;
    struct client *cem = join_subscribed(PROTO_TOPIC_LEADS);
    struct client *dan = join_subscribed(PROTO_TOPIC_LEADS | 12);
    subscribe(cem, PROTO_TOPIC_LEADS); /* again */
    go(1);
    leave(cem);
    go(1);
    assert_non_null(view->topics[VIEW_LEADS]);
    const struct proto_hello hello = hello_again(dan); /* without topics: takes over */
    join_as(&hello);
    go(1);
    assert_null(view->topics[VIEW_LEADS]);
    assert_int_equal(room->topics.subscribers[VIEW_LEADS], 0);
}

static void a_want_without_topics_leaves_the_subscription(void **state)
{
    (void)state;
    subscribe(bob, PROTO_TOPIC_LEADS);
    assert_true(try_want(bob, 10, 5));
    go(1);
    assert_non_null(view->topics[VIEW_LEADS]);
    assert_int_equal(room->topics.subscribers[VIEW_LEADS], 1);
}

static void an_unchanged_value_is_not_a_new_version(void **state)
{
    (void)state;
    subscribe(bob, PROTO_TOPIC_LEADS);
    go(100);
    assert_int_equal(version(), 1);
    set("policy", "relay");
    go(4);
    assert_int_equal(version(), 2); /* a turn of nobody */
    assert_true(leads()->has_turn && leads()->turn.id == 0);
    go(100);
    assert_int_equal(version(), 2);
    move(bob, 100, 100);
    go(4);
    assert_int_equal(version(), 3);
    assert_int_equal(leads()->turn.id, bob->id);
    assert_int_equal(leads()->turn.seconds, 10);
    go(60);
    assert_int_equal(version(), 5); /* a second is one version */
}

/* A pupil who led in a relay is no longer marked when all cursors scare. */
static void nobody_has_the_turn_while_cursors_scare(void **state)
{
    (void)state;
    subscribe(bob, PROTO_TOPIC_LEADS);
    set("policy", "relay");
    move(bob, 100, 100);
    go(10);
    assert_int_equal(leads()->turn.id, bob->id);
    set("cursors", "scare");
    go(10);
    assert_false(leads()->has_turn);
    set("cursors", "lead");
    go(10);
    assert_int_equal(leads()->turn.id, bob->id);
}

static void it_is_made_ten_times_a_second_at_most(void **state)
{
    (void)state;
    subscribe(bob, PROTO_TOPIC_LEADS);
    set("policy", "nearest");
    go(1);
    const uint32_t before_that = version();
    for (uint32_t i = 0; i < 300; i++) {
        move(bob, (float)i, 100);
        go(1);
    }
    assert_in_range(version() - before_that, 95, 101);
}

static void the_past_has_its_own(void **state)
{
    struct room_definition definition = definition_with_key();

    (void)state;
    definition.rewind = 60 * SECOND;
    make_two_as(&definition);
    assert_true(say_key(ada, KEY));
    subscribe(bob, PROTO_TOPIC_LEADS);
    set("policy", "relay");
    move(bob, 100, 100);
    go(60);
    set("policy", "mean");
    go(60);
    assert_false(leads()->has_turn);
    assert_true(say(ada, &(struct proto_client_message){.type = PROTO_REWIND, .rewind = {2.5F}}));
    go(10);
    assert_true(leads()->has_turn);
    assert_int_equal(leads()->turn.id, bob->id);
    assert_true(try_type(ada, PROTO_LIVE));
    go(10);
    assert_false(leads()->has_turn);
}

/* ---- clusters ---- */

static const struct proto_clusters *clusters(void)
{
    static struct proto_clusters last;

    last = read_frame(view->topics[VIEW_CLUSTERS])->clusters;
    return &last;
}

static void clusters_are_those_of_the_shown_flock(void **state)
{
    struct flock_clusters wanted;

    (void)state;
    set("model", "boids");
    assert_true(try_add(ada, 275, 200, 188));
    go(20);
    assert_null(view->topics[VIEW_CLUSTERS]);
    subscribe(bob, PROTO_TOPIC_CLUSTERS);
    go(1);
    assert_true(flock_count_clusters(scene_flock(room->present), workspace->engine, &wanted));
    assert_true(wanted.count > 0);
    assert_int_equal(clusters()->count, wanted.count);
    assert_int_equal(clusters()->boids, 200);
}

/* A boid comes with each tick, so each message is another one. */
static void clusters_are_counted_five_times_a_second(void **state)
{
    uint32_t before_that;

    (void)state;
    subscribe(bob, PROTO_TOPIC_CLUSTERS);
    go(1);
    before_that = view->topic_versions[VIEW_CLUSTERS];
    for (uint32_t i = 0; i < 90; i++) { /* 3 s */
        assert_true(try_add(ada, 275, 200, 1));
        go(1);
    }
    assert_in_range(view->topic_versions[VIEW_CLUSTERS] - before_that, 14, 16);
}

/* ---- leads ---- */

static float apart(float a, float b, float side)
{
    const float way = fabsf(a - b);

    return side > 0.0F && side - way < way ? side - way : way;
}

/* Counts the boids of each leader, one boid after another. */
static void assert_counts(const struct proto_leads *of)
{
    const struct flock *flock = scene_flock(room->present);
    const struct flock_settings *world = flock_settings_of(flock);
    const struct flock_slots slots = flock_slots(flock);
    const bool torus = world->boundary == FLOCK_WRAP;
    uint32_t counts[PROTO_LEADERS_MAX] = {0};

    for (uint32_t i = 0; i < flock_count(flock); i++) {
        uint32_t best = 0;
        float nearest = INFINITY;
        for (uint32_t j = 0; j < of->count; j++) {
            const float dx = apart(slots.x[i], of->leaders[j].x, torus ? world->width : 0);
            const float dy = apart(slots.y[i], of->leaders[j].y, torus ? world->height : 0);
            if (dx * dx + dy * dy < nearest) {
                nearest = dx * dx + dy * dy;
                best = j;
            }
        }
        counts[best]++;
    }
    for (uint32_t j = 0; j < of->count; j++) {
        assert_int_equal(of->leaders[j].boids, counts[j]);
    }
}

static void each_boid_counts_for_the_nearest_leader(void **state)
{
    static const char *const boundaries[] = {"open", "wrap", "walls"};
    static struct proto_leads now;
    struct client *cem = join("Cem");

    (void)state;
    set("policy", "nearest");
    assert_true(try_add(ada, 275, 200, 777));
    for (size_t i = 0; i < 3; i++) {
        set("boundary", boundaries[i]);
        move(ada, 20, 30);
        move(bob, 530, 380);
        move(cem, 300, 200);
        tick(40);
        leads_describe(room->present, room->time, &now);
        assert_int_equal(now.count, 3);
        assert_counts(&now);
    }
}

static void set_informed(float share)
{
    const struct flock_model *model = flock_settings_of(room->present->flock)->model;

    assert_true(flock_param_set(room->present->flock, model->common[FLOCK_INFORMED], share));
}

static void a_big_flock_is_counted_by_a_sample(void **state)
{
    struct room_definition definition = definition_with_key();
    static struct proto_leads now;
    uint32_t sum = 0;

    (void)state;
    definition.boids_max = 100000;
    definition.flock.boids = 50001;
    definition.flock.settings.width = definition.flock.settings.height = 2000;
    make_two_as(&definition);
    assert_true(say_key(ada, KEY));
    set("policy", "nearest");
    move(ada, 500, 1000);
    move(bob, 1500, 1000);
    leads_describe(room->present, room->time, &now);
    assert_int_equal(now.count, 2);
    for (uint32_t i = 0; i < now.count; i++) {
        assert_in_range(now.leaders[i].boids, 24000, 26001);
        sum += now.leaders[i].boids;
    }
    assert_in_range(sum, 50000, 50002);
    set_informed(0.5F);
    leads_describe(room->present, room->time, &now);
    assert_in_range(now.leaders[0].boids, 12000, 13000);
    assert_in_range(now.leaders[0].boids + now.leaders[1].boids, 24999, 25001);
}

static void uninformed_boids_count_for_nobody(void **state)
{
    static struct proto_leads now;

    (void)state;
    set("policy", "nearest");
    assert_true(try_add(ada, 275, 200, 88)); /* the flock has 100 now */
    move(ada, 20, 30);
    set_informed(0.3F);
    tick(1);
    leads_describe(room->present, room->time, &now);
    assert_int_equal(now.count, 1);
    assert_int_equal(now.leaders[0].boids, 30);
    set_informed(0.0F);
    leads_describe(room->present, room->time, &now);
    assert_int_equal(now.leaders[0].boids, 0);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, make_two, leave_room)
    const struct CMUnitTest tests[] = {
        TEST(without_a_subscriber_nothing_is_made),
        TEST(a_subscriber_has_it_made_with_the_next_snapshot),
        TEST(it_ends_with_the_last_subscriber),
        TEST(a_want_without_topics_leaves_the_subscription),
        TEST(an_unchanged_value_is_not_a_new_version),
        TEST(nobody_has_the_turn_while_cursors_scare),
        TEST(it_is_made_ten_times_a_second_at_most),
        TEST(the_past_has_its_own),
        TEST(clusters_are_those_of_the_shown_flock),
        TEST(clusters_are_counted_five_times_a_second),
        TEST(each_boid_counts_for_the_nearest_leader),
        TEST(a_big_flock_is_counted_by_a_sample),
        TEST(uninformed_boids_count_for_nobody),
    };
#undef TEST
    return cmocka_run_group_tests_name("topics", tests, NULL, NULL);
}
