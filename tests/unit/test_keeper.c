/* Nodes of a cluster in one process, over the broker in memory, in real time: rooms are claimed,
 * taken over, given away and ended. */
#include "keeper_nodes.h"

#include "room/room_state.h"

/* ---- tests ---- */

/* One node has the lobby, and every node knows which. A new room is known everywhere, too. */
static void test_new_rooms(void **state)
{
    struct directory_entry entry;

    (void)state;
    await(has_room(&a, ROOM_LOBBY) || has_room(&b, ROOM_LOBBY));
    await(knows_owner(&a, ROOM_LOBBY, "a") || knows_owner(&a, ROOM_LOBBY, "b"));
    assert_false(has_room(&a, ROOM_LOBBY) && has_room(&b, ROOM_LOBBY));
    const struct directory_entry made = make_room_at(&a, 50);
    await(knows_owner(&b, made.code, "a"));
    await(routes_entry(keeper_routes(b.keeper), made.code, &entry) && entry.boids == 50);
    assert_false(has_room(&b, made.code));
    assert_true(a.taken >= 1 && a.ready >= 1);
}

static void stop_watches(bool still)
{
    pthread_mutex_lock(&world.lock);
    world.still = still;
    pthread_mutex_unlock(&world.lock);
}

/* Each node knows a new room within 3 s while watches stand still: the room's owner tells all
 * nodes. A node that was cut off asks for the rooms. */
static void test_rooms_without_watches(void **state)
{
    struct directory_entry told;

    (void)state;
    await(knows_owner(&b, ROOM_LOBBY, "a") || knows_owner(&b, ROOM_LOBBY, "b"));
    stop_watches(true);
    const struct directory_entry made = make_room_at(&a, 50);
    await_for(3.0, knows_owner(&b, made.code, "a"));
    broker_memory_connect(b.broker, false);
    const struct directory_entry other = make_room_at(&a, 60);
    await(routes_entry(keeper_routes(a.keeper), other.code, &told) && told.boids == 60);
    broker_memory_connect(b.broker, true);
    keeper_connected(b.keeper);
    await_for(3.0, knows_owner(&b, other.code, "a"));
    stop_watches(false);
}

/* A join is stored at once, and not only after the interval. */
static void test_a_join_is_stored_soon(void **state)
{
    const struct directory_entry made = make_room_at(&a, 50);

    (void)state;
    await(has_checkpoint(made.code));
    const uint64_t before = checkpoint_of(made.code);
    const struct player ada = join_at(0, made.code, "Ada");
    await(checkpoint_of(made.code) > before);
    link_leave(ada.link, END_NONE);
}

/* A code that another node has taken is not used. */
static void test_codes_are_unique(void **state)
{
    const struct directory_entry made = make_room_at(&a, 50);

    (void)state;
    assert_int_equal(keeper_claim(b.keeper, made.code), DIRECTORY_TAKEN);
    assert_int_equal(keeper_claim(b.keeper, "FREE22"), DIRECTORY_OK);
    keeper_claimed(b.keeper, "FREE22", false); /* it could not be made */
    await(!knows_owner(&a, "FREE22", "b"));
}

/* The rooms of a node that is cut off continue on the other; when it is back it drops them, and
 * makes new ones under another incarnation. */
static void test_takeover(void **state)
{
    (void)state;
    await(has_room(&a, ROOM_LOBBY) || has_room(&b, ROOM_LOBBY));
    const struct directory_entry made = make_room_at(&a, 50);
    const struct directory_entry other = make_room_at(&b, 60);
    await(has_checkpoint(made.code) && knows_owner(&b, made.code, "a"));
    const uint64_t before = incarnation_of(&a);
    broker_memory_connect(a.broker, false);
    await(has_room(&b, made.code));
    assert_int_equal(boids_at(&b, made.code), 50);
    await(has_room(&b, ROOM_LOBBY));
    assert_true(has_room(&a, made.code)); /* it does not know */
    const uint32_t lost = a.lost;
    broker_memory_connect(a.broker, true);
    await(!has_room(&a, made.code) && a.lost > lost);
    await(knows_owner(&a, made.code, "b"));
    assert_true(has_room(&b, made.code) && has_room(&b, other.code));
    await(incarnation_of(&a) != 0 && incarnation_of(&a) != before);
    const struct directory_entry next = make_room_at(&a, 70);
    await(knows_owner(&b, next.code, "a"));
}

/* A node that ends gives its rooms to the other: at once, and with all boids, also of a room that
 * needs several parts. */
static void test_handover(void **state)
{
    (void)state;
    await(has_room(&a, ROOM_LOBBY) || has_room(&b, ROOM_LOBBY));
    const struct directory_entry small = make_room_at(&a, 50);
    const struct directory_entry big = make_room_at(&a, 80000);
    struct routes_node nodes[2];
    await(routes_nodes(keeper_routes(a.keeper), keeper_now(), nodes, 2) == 2);
    const uint64_t begun = uv_hrtime();
    keeper_drain(a.keeper, WAIT_S);
    assert_false(has_room(&a, small.code) || has_room(&a, big.code) || has_room(&a, ROOM_LOBBY));
    await(has_room(&b, small.code) && has_room(&b, big.code) && has_room(&b, ROOM_LOBBY));
    assert_true((double)(uv_hrtime() - begun) / 1e9 < 2);
    assert_int_equal(boids_at(&b, small.code), 50);
    assert_int_equal(boids_at(&b, big.code), 80000);
}

/* Ends a room as the API does. */
static void end_room(struct node *node, const char *code)
{
    struct hub_request *request = calloc(1, sizeof *request);
    struct directory_entry entry;
    struct hub_reply reply;

    assert_non_null(request);
    assert_true(directory_find(hub_directory(node->hub), code, &entry));
    request->listed = -1;
    request->end = request->by_server = true;
    assert_true(hub_ask(node->hub, 0, 1, entry.number, request));
    await(links_take_reply(hub_links(node->hub, 0), &reply));
    hub_answer_finish(&reply.answer);
}

/* A room that has ended leaves no checkpoint, and its code rests everywhere. */
static void test_ends(void **state)
{
    struct route route;

    (void)state;
    const struct directory_entry made = make_room_at(&a, 50);
    await(has_checkpoint(made.code) && knows_owner(&b, made.code, "a"));
    end_room(&a, made.code);
    await(!has_checkpoint(made.code));
    await(routes_find(keeper_routes(b.keeper), made.code, &route) && route.ended);
    assert_int_equal(keeper_claim(b.keeper, made.code), DIRECTORY_TAKEN);
    uv_sleep(100);
    assert_false(has_room(&a, made.code));
}

static uint32_t people_at(const struct node *node, const char *code)
{
    struct directory_entry entry = {0};

    (void)directory_find(hub_directory(node->hub), code, &entry);
    return entry.people;
}

static uint32_t people_known_at(const struct node *node, const char *code)
{
    struct directory_entry entry = {.people = UINT32_MAX};

    (void)routes_entry(keeper_routes(node->keeper), code, &entry);
    return entry.people;
}

/* The room's people come to the node again and again, until it has the room: before the nodes know
 * each other, the room stays. */
static void want_until_here(const struct node *node, const char *code)
{
    const uint64_t begun = uv_hrtime();

    while (!has_room(node, code)) {
        if ((double)(uv_hrtime() - begun) / 1e9 > WAIT_S) {
            fail_msg("the room does not move within %g s", WAIT_S);
        }
        keeper_want(node->keeper, code, 1);
        uv_sleep(100);
    }
}

/* A room moves to the node of its people, unless others are in it. */
static void test_a_room_moves_to_its_people(void **state)
{
    (void)state;
    const struct directory_entry first = make_room_at(&a, 60);
    const struct directory_entry second = make_room_at(&a, 70);
    const struct directory_entry made = make_room_at(&a, 50);
    await(knows_owner(&b, made.code, "a"));
    want_until_here(&b, first.code);
    assert_int_equal(boids_at(&b, first.code), 60);
    const struct player ada = join_at(0, made.code, "Ada");
    const struct player bob = join_at(0, made.code, "Bob");
    await(people_at(&a, made.code) == 2);
    keeper_want(b.keeper, made.code, 1); /* perhaps before "b" knows of them */
    want_until_here(&b, second.code);    /* it asks for the rooms in this order */
    assert_true(has_room(&a, made.code) && !has_room(&a, second.code));
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
    await(people_at(&a, made.code) == 0 && people_known_at(&b, made.code) == 0);
    want_until_here(&b, made.code);
    await(knows_owner(&a, made.code, "b"));
    assert_int_equal(boids_at(&b, made.code), 50);
}

/* A room with a past stays on its node, because a move would lose the past. When the node ends, the
 * room moves. */
static void test_a_room_with_a_past_stays(void **state)
{
    (void)state;
    const struct directory_entry used = make_room_at(&a, 50);
    const struct directory_entry unused = make_room_at(&a, 60);
    await(knows_owner(&b, unused.code, "a"));
    const struct player ada = join_at(0, used.code, "Ada");
    const struct room_stats *stats = directory_stats(hub_directory(a.hub), room_slot(used.number));
    await(counter_read(&stats->ticks) > (uint64_t)ROOM_BARE_PAST * 30);
    link_leave(ada.link, END_NONE);
    await(people_at(&a, used.code) == 0 && people_known_at(&b, used.code) == 0);
    const uint32_t lost = a.lost;
    keeper_want(b.keeper, used.code, 1);
    want_until_here(&b, unused.code); /* "b" now knows "a", which gives rooms away */
    keeper_want(b.keeper, used.code, 1);
    const struct directory_entry third = make_room_at(&a, 70);
    await(knows_owner(&b, third.code, "a"));
    want_until_here(&b, third.code); /* it asks for the rooms in this order */
    assert_true(has_room(&a, used.code) && !has_room(&b, used.code));
    assert_int_equal(a.lost, lost + 2);
    keeper_drain(a.keeper, WAIT_S);
    await(has_room(&b, used.code));
}

/* A second node by a name is refused while the first is alive. */
static void test_a_namesake(void **state)
{
    const struct broker_definition to = {.node = "a"};
    struct node second = {.broker = broker_memory_open(&world, &to)};
    char text[BROKER_TEXT_MAX];

    (void)state;
    assert_null(make_keeper(&second, "a", text));
    assert_non_null(strstr(text, "another node has the name a"));
    broker_close(second.broker);
}

/* An edge has no lease: it hears the beats of the node that has its name. */
static void test_an_edge_is_a_namesake(void **state)
{
    static const char *const names[] = {"a", "c"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct broker_definition to = {.node = names[i]};
        struct node edge = {.broker = broker_memory_open(&world, &to)};
        char text[BROKER_TEXT_MAX] = "";
        edge.keeper = make_keeper_as(&edge, names[i], NODE_EDGE, text);
        assert_non_null(edge.keeper);
        assert_int_equal(keeper_has_name(edge.keeper, text), i == 1);
        assert_true(i == 1 || strstr(text, "another node has the name a") != NULL);
        broker_close(edge.broker);
        keeper_destroy(edge.keeper);
    }
}

/* A late beat of the process before, which was killed, does not keep an edge from starting. */
static void test_a_late_beat(void **state)
{
    const struct broker_definition to = {.node = "c"};
    const struct node_beat late = {.name = "c", .role = NODE_EDGE, .incarnation = 77};
    struct node edge = {.broker = broker_memory_open(&world, &to)};
    char text[BROKER_TEXT_MAX] = "";
    uint8_t bytes[VALUES_MAX];

    (void)state;
    edge.keeper = make_keeper_as(&edge, "c", NODE_EDGE, text);
    assert_non_null(edge.keeper);
    assert_true(broker_publish(a.broker, BROKER_CONTROL, "beat.c", NULL, bytes,
                               values_write_beat(&late, bytes)));
    assert_true(keeper_has_name(edge.keeper, text));
    broker_close(edge.broker);
    keeper_destroy(edge.keeper);
}

/* While NATS is away, no node makes rooms; when it is back, both nodes have their rooms. */
static void test_nats_away(void **state)
{
    (void)state;
    await(has_room(&a, ROOM_LOBBY) || has_room(&b, ROOM_LOBBY));
    const struct directory_entry made = make_room_at(&a, 50);
    await(knows_owner(&b, made.code, "a"));
    broker_memory_connect(a.broker, false);
    broker_memory_connect(b.broker, false);
    await(a.counts.renewals_failed > 1 && b.counts.renewals_failed > 1);
    assert_int_equal(keeper_claim(a.keeper, "FREE22"), DIRECTORY_AWAY);
    broker_memory_connect(a.broker, true);
    broker_memory_connect(b.broker, true);
    const uint64_t renewals = a.counts.renewals;
    await(a.counts.renewals > renewals);
    assert_true(has_room(&a, made.code));
    assert_int_equal(a.lost + b.lost, 0);
    assert_int_equal(keeper_claim(a.keeper, "FREE22"), DIRECTORY_OK);
    keeper_claimed(a.keeper, "FREE22", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_new_rooms, make_nodes, finish_nodes),
        cmocka_unit_test_setup_teardown(test_rooms_without_watches, make_nodes, finish_nodes),
        cmocka_unit_test_setup_teardown(test_a_join_is_stored_soon, make_nodes, finish_nodes),
        cmocka_unit_test_setup_teardown(test_codes_are_unique, make_nodes, finish_nodes),
        cmocka_unit_test_setup_teardown(test_takeover, make_nodes, finish_nodes),
        cmocka_unit_test_setup_teardown(test_handover, make_nodes, finish_nodes),
        cmocka_unit_test_setup_teardown(test_ends, make_nodes, finish_nodes),
        cmocka_unit_test_setup_teardown(test_a_room_moves_to_its_people, make_nodes, finish_nodes),
        cmocka_unit_test_setup_teardown(test_a_room_with_a_past_stays, make_nodes_with_pasts,
                                        finish_nodes),
        cmocka_unit_test_setup_teardown(test_an_edge_is_a_namesake, make_nodes, finish_nodes),
        cmocka_unit_test_setup_teardown(test_a_late_beat, make_nodes, finish_nodes),
        cmocka_unit_test_setup_teardown(test_a_namesake, make_nodes, finish_nodes),
        cmocka_unit_test_setup_teardown(test_nats_away, make_nodes, finish_nodes),
    };
    return cmocka_run_group_tests_name("the keeper", tests, NULL, NULL);
}
