/* Sessions of one node in rooms of another: they join, send, see the same pictures, and outlive
 * losses, other owners and a broker that is away. */
#include "cluster/wire.h"
#include "ends_world.h"

/* A session joins a room of another node, and is a member like others. */
static void test_join_elsewhere(void **state)
{
    struct visitor ada = join_room(edge, "Ada");
    struct visitor bob = join_room(owner, "Bob");
    struct proto_welcome far = welcome(&ada);
    struct proto_welcome near = welcome(&bob);

    (void)state;
    assert_string_equal(far.name, "Ada");
    assert_string_equal(far.room.code, code);
    assert_int_not_equal(far.id, near.id);
    assert_int_equal(atomic_load(&edge->wanted), 1);
    assert_int_equal(atomic_load(&owner->wanted), 0); /* it is there */
    until_both_see(&ada, &bob, 2);
    assert_int_equal(atomic_load(&edge->counts.far_rooms), 1);
    assert_int_equal(atomic_load(&owner->counts.far_links), 1);
    link_leave(ada.link, END_NONE);
    until_people(&bob, 1);
    link_leave(bob.link, END_NONE);
    assert_int_equal(atomic_load(&owner->counts.far_links), 0);
}

/* A room that is nowhere is refused at once. */
static void test_no_such_room(void **state)
{
    struct link_room room;

    (void)state;
    assert_true(links_find(hub_links(edge->hub, 0), code, &room));
    assert_false(links_find(hub_links(edge->hub, 0), "NOSUCH", &room));
}

/* A session waits for a room that has no owner yet, and gets in when the first one comes. */
static void test_no_owner_yet(void **state)
{
    struct hub_reply reply;

    (void)state;
    ends_lost(owner->ends, code, 7);
    struct visitor ada = join_room(edge, "Ada");
    pump_for(0.4);
    assert_false(links_take_reply(hub_links(edge->hub, 0), &reply));
    ends_taken(owner->ends, code, 8);
    ends_ready(owner->ends, code, 8);
    assert_string_equal(welcome(&ada).name, "Ada");
    link_leave(ada.link, END_NONE);
}

/* Joins, and returns what the welcome says of the room's trust. */
static enum hub_trust heard_trust(struct node *node)
{
    struct visitor ada = join_room(node, "Ada");
    struct hub_reply reply = next_reply(&ada);

    assert_true(reply.granted && reply.grant.stream.joined);
    frame_release(reply.frame);
    link_leave(ada.link, END_NONE);
    return (enum hub_trust)reply.trust;
}

/* A welcome says whether the server trusts the room's presenters: the session's node may have heard
 * nothing else of the room. */
static void test_a_room_tells_its_trust(void **state)
{
    (void)state;
    assert_int_equal(heard_trust(edge), HUB_DISTRUSTS);
    assert_int_equal(heard_trust(owner), HUB_DISTRUSTS);
    snprintf(code, sizeof code, "%s", create_room_of("boids", 50, key, true).code);
    ends_taken(owner->ends, code, 8);
    ends_ready(owner->ends, code, 8);
    assert_int_equal(heard_trust(edge), HUB_TRUSTS);
    assert_int_equal(heard_trust(owner), HUB_TRUSTS);
}

/* Waits for a view of the visitor's room. Returns whether the view has the lane of the server's
 * rooms. */
static bool sees_in_server_lane(const struct visitor *visitor)
{
    struct links *links = hub_links(visitor->node->hub, 0);
    const double begun = seconds();

    for (;;) {
        for (int lane = 0; lane < 2; lane++) {
            struct room_view *view = links_take_view_of(links, lane != 0);
            const bool is_own = view != NULL && view->room == visitor->room;
            view_release(view);
            if (is_own) {
                return lane != 0;
            }
        }
        pump(begun);
    }
}

/* A session may join a new room of the server before its node hears who made the room. Then the
 * session's answers and views change to the lane of the server's rooms. */
static void test_a_new_room_of_the_server(void **state)
{
    struct visitor ada = join_room(edge, "Ada");
    struct hub_reply reply;

    (void)state;
    welcome(&ada);
    assert_false(sees_in_server_lane(&ada));
    atomic_store(&of_server, true);
    welcome(&ada);
    while (!sees_in_server_lane(&ada)) { /* one of before may have waited */
    }
    say_name(&ada, "Ida");
    const double begun = seconds();
    while (!links_take_reply_of(hub_links(edge->hub, 0), true, &reply)) {
        assert_false(links_take_reply_of(hub_links(edge->hub, 0), false, &reply));
        pump(begun);
    }
    assert_int_equal(decode(reply.frame)->type, PROTO_DONE);
    frame_release(reply.frame);
    link_leave(ada.link, END_NONE);
}

/* Messages go to the room in order, and each has its answer. */
static void test_messages_are_answered(void **state)
{
    struct proto_hello hello = room_hello("Ada", "packed");

    (void)state;
    snprintf(hello.key, sizeof hello.key, "%s", key);
    struct visitor ada = join_hello(edge, &hello);
    assert_int_equal(welcome(&ada).role, PROTO_PRESENTER);
    struct proto_client_message message = {.type = PROTO_NAME, .has_tag = true};
    for (uint32_t tag = 0; tag < 100; tag++) {
        message.tag = tag;
        snprintf(message.name.name, sizeof message.name.name, "Ada %u", tag);
        say(&ada, &message);
    }
    for (uint32_t tag = 0; tag < 100; tag++) {
        assert_int_equal(answered(&ada), tag);
    }
    /* A stream of a lower rate. */
    const uint32_t stream = ada.grant.stream;
    say(&ada, &(struct proto_client_message){.type = PROTO_WANT, .want = {.rate = 10}});
    assert_int_not_equal(next_of(&ada, PROTO_STREAM).type, 0);
    assert_int_not_equal(ada.grant.stream, stream);
    /* An answer that the session made itself comes back. */
    const uint8_t own[] = {0x92, 0x0c, 0x01};
    assert_true(link_answer(ada.link, frame_of(own, sizeof own)));
    bool came = false;
    while (!came) {
        const struct hub_reply reply = next_reply(&ada);
        came = reply.frame->size == sizeof own &&
               memcmp(frame_data(reply.frame), own, sizeof own) == 0;
        frame_release(reply.frame);
    }
    link_leave(ada.link, END_NONE);
}

/* A presenter's change reaches all, and cursors steer the flock. */
static void test_steering(void **state)
{
    struct proto_hello hello = room_hello("Ada", "plain");
    struct visitor bob;
    bool moved = false;

    (void)state;
    snprintf(hello.key, sizeof hello.key, "%s", key);
    struct visitor ada = join_hello(edge, &hello);
    welcome(&ada);
    hello = room_hello("Bob", "plain");
    bob = join_hello(owner, &hello);
    welcome(&bob);
    while (!moved) {
        struct room_view *view;
        say(&ada,
            &(struct proto_client_message){.type = PROTO_CURSOR, .cursor = {.x = 300, .y = 200}});
        view = next_view(&bob);
        const struct view_stream *stream = view_stream(view, bob.grant.stream);
        if (stream != NULL && stream->key != NULL) {
            moved = decode(stream->key)->snapshot.cursor_count > 0;
        }
        view_release(view);
    }
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
}

/* A far session sees what a session on the room's own node sees. */
static void test_pictures_are_the_same(void **state)
{
    static struct album far_album, near_album;
    struct visitor ada = join_room(edge, "Ada");
    struct visitor bob = join_room(owner, "Bob");

    (void)state;
    welcome(&ada);
    welcome(&bob);
    watch(&ada, &bob, &far_album, &near_album, 0, 8);
    const uint32_t keys = count_common(far_album.keys, near_album.keys);
    watch(&ada, &bob, &far_album, &near_album, keys + 1, 16);
    compare(far_album.keys, near_album.keys);
    compare(far_album.deltas, near_album.deltas);
    empty(&far_album);
    empty(&near_album);
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
}

/* Takes the visitor's replies for that time. */
static void listen_for(struct visitor *visitor, double time)
{
    const double begun = seconds();

    while (seconds() < begun + time) {
        attend(visitor);
        pump(begun);
    }
}

/* Lost messages cost frames and another welcome, and nothing that is shown is wrong. */
static void test_losses(void **state)
{
    static struct album far_album, near_album;
    struct visitor ada = join_room(edge, "Ada");
    struct visitor bob = join_room(owner, "Bob");

    (void)state;
    welcome(&ada);
    welcome(&bob);
    for (uint32_t round = 0; round < 10; round++) {
        (void)link_want_key(ada.link, ada.grant.stream);
        broker_memory_set(&world, &world.lose, 1 + round % 3);
        listen_for(&ada, 0.06);
    }
    broker_memory_set(&world, &world.lose, 0);
    listen_for(&ada, 0.7);
    take_name(&ada, "Ada again");
    watch(&ada, &bob, &far_album, &near_album, 0, 8);
    const uint32_t keys = count_common(far_album.keys, near_album.keys);
    watch(&ada, &bob, &far_album, &near_album, keys + 1, 16);
    compare(far_album.keys, near_album.keys);
    compare(far_album.deltas, near_album.deltas);
    assert_true(atomic_load(&edge->counts.gaps) + atomic_load(&owner->counts.gaps) > 0);
    empty(&far_album);
    empty(&near_album);
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
}

/* Pongs are on the clock of the room's snapshots, from the welcome on. */
static void test_clock(void **state)
{
    const double begun = seconds();
    const int64_t ahead = (int64_t)hub_now(owner->hub) - (int64_t)hub_now(edge->hub);
    struct visitor ada = join_room(edge, "Ada");
    struct hub_reply reply = next_reply(&ada);

    (void)state;
    assert_true(reply.granted);
    assert_true(ahead <= -CLOCK_APART * 1000);
    assert_true(llabs(reply.grant.ahead - ahead) < CLOCK_APART * 500); /* half of the way */
    frame_release(reply.frame);
    while (seconds() < begun + 1) {
        struct room_view *view = next_view(&ada);
        assert_true(llabs(view->ahead - ahead) < CLOCK_APART * 500);
        view_release(view);
    }
    link_leave(ada.link, END_NONE);
}

/* Sessions get `reach` when their room's node falls silent, and when it is back. */
static void test_reach(void **state)
{
    struct visitor ada = join_room(edge, "Ada");

    (void)state;
    welcome(&ada);
    broker_memory_connect(owner->broker, false);
    until_reach(&ada, false);
    broker_memory_connect(owner->broker, true);
    until_reach(&ada, true);
    link_leave(ada.link, END_NONE);
}

/* A session that joins again hears that the room's node is silent, and a newcomer does not: it
 * waits for its welcome. */
static void test_reach_while_joining(void **state)
{
    struct visitor ada = join_room(edge, "Ada");

    (void)state;
    welcome(&ada);
    broker_memory_connect(owner->broker, false);
    ends_moved(edge->ends, code, 8, false);
    struct visitor eva = join_room(heir, "Eva");
    until_reach(&ada, false);
    pump_for(SILENT / 1e6);
    ends_taken(owner->ends, code, 8);
    broker_memory_connect(owner->broker, true);
    ends_ready(owner->ends, code, 8);
    until_reach(&ada, true);
    assert_int_equal(next_message(&eva).type, PROTO_WELCOME);
    link_leave(ada.link, END_NONE);
    link_leave(eva.link, END_NONE);
}

/* While the broker is away from all nodes, all members stay. */
static void test_broker_is_away(void **state)
{
    struct visitor ada = join_room(edge, "Ada");
    struct visitor bob = join_room(owner, "Bob");

    (void)state;
    welcome(&ada);
    welcome(&bob);
    until_both_see(&ada, &bob, 2);
    const double begun = seconds();
    for (size_t i = 0; i < NODES; i++) {
        broker_memory_connect(nodes[i].broker, false);
    }
    until_reach(&ada, false);
    while (seconds() < begun + 1.5 * SILENT / 1e6) {
        struct room_view *view = next_view(&bob);
        assert_int_equal(decode(view->presence_whole)->presence.count, 2);
        view_release(view);
    }
    for (size_t i = 0; i < NODES; i++) {
        broker_memory_connect(nodes[i].broker, true);
    }
    until_reach(&ada, true);
    listen_for(&ada, 0.5);
    until_both_see(&ada, &bob, 2);
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
}

/* Messages that come twice change nothing. */
static void test_repeats(void **state)
{
    struct visitor ada = join_room(edge, "Ada");

    (void)state;
    broker_memory_set(&world, &world.repeat, 1000000);
    welcome(&ada);
    say_name(&ada, "Ida");
    (void)answered(&ada);
    until_people(&ada, 1);
    broker_memory_set(&world, &world.repeat, 0);
    assert_int_equal(atomic_load(&edge->counts.hellos_again), 0);
    assert_int_equal(atomic_load(&edge->counts.gaps), 0);
    assert_int_equal(atomic_load(&owner->counts.gaps), 0);
    link_leave(ada.link, END_NONE);
}

/* A message of an earlier process of the edge reaches the room's node. */
static void say_as_earlier_process(void)
{
    const struct wire_head head = {.kind = WIRE_PROBE, .incarnation = 4711, .number = 1};
    struct wire_writer writer = {0};
    char subject[BROKER_SUBJECT_MAX];

    snprintf(subject, sizeof subject, "r.%s", code);
    assert_true(wire_put_probe(&writer, &head, code, "edge", 1));
    wire_seal(&writer, 1, 1);
    assert_true(
        broker_publish(heir->broker, BROKER_DATA, subject, NULL, writer.bytes, writer.size));
    wire_writer_finish(&writer);
    pump_for(0.05);
}

/* The last messages of an edge that was killed come late: after the first ones of its next process,
 * whose sessions notice nothing. */
static void test_late_messages_of_an_earlier_process(void **state)
{
    struct visitor eva = join_room(heir, "Eva");

    (void)state;
    welcome(&eva); /* the owner listens */
    say_as_earlier_process();
    struct visitor ada = join_room(edge, "Ada");
    welcome(&ada);
    for (uint32_t i = 0; i < 3; i++) {
        say_name(&ada, "Ida");
        (void)answered(&ada);
    }
    say_as_earlier_process();
    say_name(&ada, "Ada");
    (void)answered(&ada);
    assert_int_equal(atomic_load(&edge->counts.hellos_again), 0);
    link_leave(ada.link, END_NONE);
    link_leave(eva.link, END_NONE);
}

/* If the very first message of an earlier process comes that late, the owner takes that process for
 * the next one. The living process wins within seconds. */
static void test_earlier_process_is_heard_last(void **state)
{
    struct visitor ada = join_room(edge, "Ada");

    (void)state;
    welcome(&ada);
    say_as_earlier_process();
    while (atomic_load(&edge->counts.hellos_again) == 0) {
        pump_for(0.01);
    }
    listen_for(&ada, 0.5);
    take_name(&ada, "Ida");
    link_leave(ada.link, END_NONE);
}

/* Ends the room with its key, as over HTTP. */
static void end_room(void)
{
    struct hub_request *request = calloc(1, sizeof *request);
    struct directory_entry entry;
    struct hub_reply reply = {.type = HUB_TOLD};
    const double begun = seconds();

    assert_non_null(request);
    snprintf(request->key, sizeof request->key, "%s", key);
    request->listed = -1;
    request->end = true;
    assert_true(directory_find(hub_directory(owner->hub), code, &entry));
    assert_true(hub_ask(owner->hub, 0, 1, entry.number, request));
    while (!links_take_reply(hub_links(owner->hub, 0), &reply)) {
        pump(begun);
    }
    assert_int_equal(reply.type, HUB_ANSWER);
    assert_int_equal(reply.answer.error->code, PROTO_OK);
    hub_answer_finish(&reply.answer);
}

/* Returns why the visitor is closed. */
static enum end_reason closed_for(struct visitor *visitor)
{
    struct hub_reply reply = next_reply(visitor);

    while (reply.type == HUB_TOLD) {
        frame_release(reply.frame);
        reply = next_reply(visitor);
    }
    frame_release(reply.frame);
    assert_int_equal(reply.type, HUB_CLOSED);
    return reply.why;
}

/* A room that ends closes its sessions as its owner says; without a word after half a second. */
static void test_room_ends(void **state)
{
    struct visitor ada = join_room(edge, "Ada");
    struct visitor eva = join_room(heir, "Eva");

    (void)state;
    welcome(&ada);
    welcome(&eva);
    ends_moved(heir->ends, code, 8, true);
    assert_int_equal(end_code(closed_for(&eva)), PROTO_CLOSE_ENDED);
    link_leave(eva.link, END_NONE);
    ends_moved(edge->ends, code, 8, true);
    end_room();
    assert_int_equal(closed_for(&ada), END_BY_PRESENTER);
    link_leave(ada.link, END_NONE);
}

/* ---- another owner ---- */

static struct store_room kept;
static struct recording *kept_past;
static atomic_bool was_released;

static void take_released(void *argument, const struct store_room *room, struct film *film,
                          struct recording *past)
{
    (void)argument;
    (void)film;
    kept = *room;
    kept_past = past;
    atomic_store(&was_released, true);
}

/* Moves the room to another node, with the next epoch. */
static void take_room(struct node *from)
{
    const double begun = seconds();

    atomic_store(&was_released, false);
    assert_true(hub_release_room(from->hub, code, take_released, NULL));
    while (!atomic_load(&was_released)) {
        pump(begun);
    }
    assert_non_null(kept.state);
}

static void give_room(struct node *to, uint64_t epoch)
{
    struct hub_made made;

    room_at = to;
    ends_taken(to->ends, code, epoch);
    assert_int_equal(hub_adopt(to->hub, &kept, NULL, kept_past, true, &made), DIRECTORY_OK);
    ends_ready(to->ends, code, epoch);
    for (size_t i = 0; i < NODES; i++) {
        if (&nodes[i] != to) {
            ends_moved(nodes[i].ends, code, epoch, false);
        }
        hub_look_again(nodes[i].hub);
    }
    free(kept.state);
    recording_destroy(kept_past);
}

static void move_room(struct node *to, uint64_t epoch)
{
    struct node *from = room_at;

    take_room(from);
    ends_lost(from->ends, code, epoch - 1);
    give_room(to, epoch);
}

/* Gives the room a title, and waits until a view has the part that says so. */
static void change_title(const struct visitor *presenter, const char *title)
{
    struct proto_client_message message = {.type = PROTO_TITLE};
    bool found = false;

    snprintf(message.title.title, sizeof message.title.title, "%s", title);
    say(presenter, &message);
    while (!found) {
        struct room_view *view = next_view(presenter);
        const uint32_t version = view->versions[VIEW_ROOM];
        if (view->frames[VIEW_ROOM] != NULL && version != presenter->grant.versions[VIEW_ROOM]) {
            found = strcmp(decode(view->frames[VIEW_ROOM])->room.title, title) == 0;
        }
        view_release(view);
    }
}

/* A view's parts have the versions of the welcome until they change, also at another owner. */
static void test_parts_continue(void **state)
{
    struct proto_hello hello = room_hello("Ada", "packed");

    (void)state;
    snprintf(hello.key, sizeof hello.key, "%s", key);
    struct visitor ada = join_hello(edge, &hello);
    welcome(&ada);
    for (uint64_t epoch = 8; epoch < 11; epoch++) {
        const struct room_grant welcomed_with = ada.grant;
        struct room_view *view = next_view(&ada);
        assert_memory_equal(view->versions, welcomed_with.versions, sizeof view->versions);
        view_release(view);
        change_title(&ada, epoch % 2 == 0 ? "Even" : "Odd");
        move_room(epoch % 2 == 0 ? heir : owner, epoch);
        assert_string_equal(welcome(&ada).room.title, epoch % 2 == 0 ? "Even" : "Odd");
    }
    link_leave(ada.link, END_NONE);
}

/* A room changes its node: its sessions stay the same people, wherever they are and it goes. */
static void test_owner_changes(void **state)
{
    struct visitor ada = join_room(edge, "Ada");
    struct visitor bob = join_room(owner, "Bob");
    struct node *const path[] = {heir, edge, owner, edge, heir, owner};

    (void)state;
    welcome(&ada);
    welcome(&bob);
    until_people(&ada, 2);
    for (uint32_t i = 0; i < sizeof path / sizeof path[0]; i++) {
        const uint64_t before = ada.room;
        move_room(path[i], 8 + i);
        struct proto_welcome a = welcome(&ada);
        struct proto_welcome b = welcome(&bob);
        assert_string_equal(a.name, "Ada");
        assert_string_equal(b.name, "Bob");
        assert_int_not_equal(ada.room, before);
        until_both_see(&ada, &bob, 2);
        take_name(&ada, "Ada");
    }
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
}

static void give_to_edge(void)
{
    give_room(edge, 8);
}

/* A link looks for a room that comes to its node at this moment: the far end hears of the room
 * before it hears of the link. */
static void test_a_room_comes_before_the_link(void **state)
{
    (void)state;
    take_room(owner);
    ends_lost(owner->ends, code, 7);
    before_far = give_to_edge;
    struct visitor ada = join_room(edge, "Ada");
    assert_null(before_far);
    (void)welcome(&ada);
    until_people(&ada, 1);
    link_leave(ada.link, END_NONE);
}

/* No client sees a frame of an old owner, which does not know yet that it has lost its room. */
static void test_old_owner_is_not_heard(void **state)
{
    struct visitor ada = join_room(edge, "Ada");
    struct store_room copy;
    struct hub_made made;

    (void)state;
    welcome(&ada);
    until_people(&ada, 1);
    /* The state as a checkpoint has it: of a room that goes on at the owner. */
    atomic_store(&was_released, false);
    assert_true(hub_release_room(owner->hub, code, take_released, NULL));
    const double begun = seconds();
    while (!atomic_load(&was_released)) {
        pump(begun);
    }
    copy = kept;
    assert_int_equal(hub_adopt(owner->hub, &copy, NULL, NULL, true, &made), DIRECTORY_OK);
    ends_ready(owner->ends, code, 7);
    welcome(&ada);
    room_at = heir;
    ends_taken(heir->ends, code, 8);
    assert_int_equal(hub_adopt(heir->hub, &copy, NULL, NULL, true, &made), DIRECTORY_OK);
    /* The message of the heir to the edges; the edge learns it from its frames. */
    broker_memory_set(&world, &world.lose, 1);
    ends_ready(heir->ends, code, 8);
    welcome(&ada);
    until_people(&ada, 1);
    pump_for(0.3);
    link_leave(ada.link, END_NONE);
    free(kept.state);
    recording_destroy(kept_past);
}

/* Lets Ada in at the edge, and Bob at the owner. */
static void let_in(struct visitor *ada, struct visitor *bob)
{
    *ada = join_room(edge, "Ada");
    *bob = join_room(owner, "Bob");
    welcome(ada);
    welcome(bob);
    until_people(bob, 2);
}

/* An edge that is silent has lost its people; when it is back, they are the same people. */
static void test_silent_edge(void **state)
{
    struct visitor ada, bob;

    (void)state;
    let_in(&ada, &bob);
    broker_memory_connect(edge->broker, false);
    until_people(&bob, 1);
    broker_memory_connect(edge->broker, true);
    welcome(&ada);
    until_both_see(&ada, &bob, 2);
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
}

/* Waits until both visitors of the node have got one more welcome. */
static void until_welcomed(struct visitor *a, struct visitor *b)
{
    const double begun = seconds();
    bool is_in[2] = {false, false};
    struct hub_reply reply;

    while (!is_in[0] || !is_in[1]) {
        pump(begun);
        while (links_take_reply(hub_links(a->node->hub, 0), &reply)) {
            const bool is_a = reply.session == a->session;
            note_reply(is_a ? a : b, &reply);
            is_in[is_a ? 0 : 1] |= reply.granted && reply.grant.stream.joined;
            frame_release(reply.frame);
        }
    }
}

/* An owner forgets the people of an edge that it does not hear, and the edge does not know it. Then
 * the owner hears the hello of a newcomer first: the others come back, too. */
static void test_a_newcomer_is_heard_first(void **state)
{
    struct visitor ada, bob;

    (void)state;
    let_in(&ada, &bob);
    broker_memory_set(&world, &world.lose, UINT32_MAX);
    until_people(&bob, 1);
    const uint64_t sent = atomic_load(&edge->counts.messages_out);
    while (atomic_load(&edge->counts.messages_out) == sent) {
        pump_for(0.001); /* the next probe comes after the newcomer's hello */
    }
    broker_memory_set(&world, &world.lose, 0);
    struct visitor eva = join_room(edge, "Eva");
    until_welcomed(&ada, &eva);
    until_people(&bob, 3);
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
    link_leave(eva.link, END_NONE);
}

/* A room that cannot move comes back to its owner in the same epoch, and its versions begin again.
 * Edges give it another number. Otherwise sessions would take an earlier view for a later one. */
static void test_a_room_comes_back(void **state)
{
    struct visitor ada = join_room(edge, "Ada");
    struct visitor bob = join_room(edge, "Bob");
    struct hub_made made;

    (void)state;
    until_welcomed(&ada, &bob);
    until_people(&ada, 2);
    const uint64_t before = ada.room;
    take_room(owner);
    assert_int_equal(hub_adopt(owner->hub, &kept, NULL, kept_past, true, &made), DIRECTORY_OK);
    until_welcomed(&ada, &bob);
    assert_int_not_equal(ada.room, before);
    assert_int_equal(bob.room, ada.room);
    until_people(&ada, 2);
    link_leave(ada.link, END_NONE);
    link_leave(bob.link, END_NONE);
    free(kept.state);
    recording_destroy(kept_past);
}

/* A stream is published once for all edges, and not at all without members elsewhere. */
static void test_streams_are_published_once(void **state)
{
    struct visitor bob = join_room(owner, "Bob");

    (void)state;
    welcome(&bob);
    pump_for(0.2);
    const uint64_t before = atomic_load(&owner->counts.messages_out);
    pump_for(0.3);
    assert_int_equal(atomic_load(&owner->counts.messages_out), before);
    struct visitor people[] = {join_room(edge, "Ada"), join_room(edge, "Ida"),
                               join_room(heir, "Eva")};
    for (size_t i = 0; i < 3; i++) {
        welcome(&people[i]);
    }
    pump_for(1.2); /* the list of people has been sent */
    const uint64_t begun = atomic_load(&owner->counts.messages_out);
    const double from = seconds();
    pump_for(0.6);
    const double frames = 30 * (seconds() - from);
    /* A delta each, two clocks a second for each edge, and a few changes of the view. */
    assert_true((double)(atomic_load(&owner->counts.messages_out) - begun) < 1.2 * frames + 12);
    for (size_t i = 0; i < 3; i++) {
        link_leave(people[i].link, END_NONE);
    }
    link_leave(bob.link, END_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_join_elsewhere, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_no_such_room, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_no_owner_yet, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_a_room_tells_its_trust, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_a_new_room_of_the_server, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_messages_are_answered, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_steering, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_pictures_are_the_same, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_losses, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_clock, make_clocks, end_nodes),
        cmocka_unit_test_setup_teardown(test_reach, make_impatient, end_nodes),
        cmocka_unit_test_setup_teardown(test_reach_while_joining, make_impatient, end_nodes),
        cmocka_unit_test_setup_teardown(test_broker_is_away, make_impatient, end_nodes),
        cmocka_unit_test_setup_teardown(test_repeats, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_late_messages_of_an_earlier_process, make_nodes,
                                        end_nodes),
        cmocka_unit_test_setup_teardown(test_earlier_process_is_heard_last, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_room_ends, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_parts_continue, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_owner_changes, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_a_room_comes_before_the_link, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_old_owner_is_not_heard, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_silent_edge, make_impatient, end_nodes),
        cmocka_unit_test_setup_teardown(test_a_newcomer_is_heard_first, make_impatient, end_nodes),
        cmocka_unit_test_setup_teardown(test_a_room_comes_back, make_nodes, end_nodes),
        cmocka_unit_test_setup_teardown(test_streams_are_published_once, make_nodes, end_nodes),
    };
    return cmocka_run_group_tests_name("ends of links between nodes", tests, NULL, NULL);
}
