/* The store gets no room again that has not changed since it was saved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "hub/inside.h"
#include "hub/runner_room.h"
#include "store/store.h"

#include "film_room.h"
#include "store_folder.h"

#define ROOMS    3
#define OWN      "one-key" /* of the lobby */
#define PATIENCE 0.05      /* s in which a blocked disk writes nothing */

static struct store *store;
static char codes[ROOMS][PROTO_ROOM_MAX + 1];
static char keys[ROOMS][PROTO_KEY_MAX + 1];

/* The options of a start. */
struct options {
    const char *key; /* of the lobby; NULL: OWN */
    bool made;       /* flockd made it */
    bool open;       /* --open-controls */
    bool blocked;    /* the disk takes nothing: the caller opens the gate */
    uint64_t room_memory;
    uint64_t interval; /* µs between two checkpoints; 0: an hour */
};

static void begin_with(const struct options *options)
{
    struct hub_definition definition = default_hub();
    char text[STORE_REASON_MAX];

    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    if (options->blocked) {
        uv_mutex_lock(&gate);
    }
    definition.store = store;
    definition.checkpoint_interval =
        options->interval > 0 ? options->interval : UINT64_C(3600000000);
    definition.history_bytes = 64U << 20;
    definition.room_boids = 1000;
    definition.room_memory = options->room_memory;
    definition.lobby.rewind = UINT64_C(600000000);
    definition.lobby.open_controls = options->open;
    definition.lobby.key_made = options->made;
    definition.fingerprint = 1;
    snprintf(definition.lobby.key, sizeof definition.lobby.key, "%s",
             options->key != NULL ? options->key : OWN);
    assert_int_equal(start(&definition), 0);
}

static void begin(void)
{
    begin_with(&(struct options){0});
}

static void destroy_hub(void)
{
    hub_destroy(hub);
    proto_decoder_destroy(decoder);
    sem_destroy(&woken);
}

static void end_hub(void)
{
    hub_stop(hub);
    destroy_hub();
}

static void end(void)
{
    end_hub();
    assert_true(store_close(store, DEADLINE_S));
}

static struct directory_entry entry_of(const char *code)
{
    struct directory_entry entry;

    assert_true(directory_find(hub_directory(hub), code, &entry));
    return entry;
}

/* Waits until the runner has all rooms. */
static void until_entered(void)
{
    for (int i = 0; i < ROOMS; i++) {
        assert_int_equal(ask(entry_of(codes[i]).number, "a wrong key", NULL, false), PROTO_E_KEY);
    }
}

/* Lets Ada watch a room for that many snapshots. */
static void visit(const char *code, int snapshots)
{
    struct player ada = join_at(0, code, "Ada");

    (void)welcomed(&ada);
    for (int i = 0; i < snapshots; i++) {
        view_release(next_shown(0));
    }
    link_leave(ada.link, END_NONE);
}

/* Waits until the store has written all that it has. */
static struct store_status settled(void)
{
    const uint64_t late = uv_hrtime() + DEADLINE_S * UINT64_C(1000000000);
    struct store_status status;

    do {
        store_status(store, &status);
        assert_true(uv_hrtime() < late);
    } while (status.waiting > 0);
    return status;
}

/* Leaves a database with the lobby and rooms, of which one has had a visitor. */
static void save_rooms(void)
{
    begin();
    for (int i = 0; i < ROOMS; i++) {
        const struct directory_entry entry = create_room("boids", 20, keys[i]);
        memcpy(codes[i], entry.code, sizeof codes[i]);
    }
    visit(codes[0], 20);
    end();
}

/* Asserts that the store got nothing in this start, and ends it. */
static void end_unwritten(void)
{
    struct store_status status;

    end_hub();
    status = settled();
    assert_int_equal(status.writes, 0);
    assert_int_equal(status.pasts, 0);
    assert_int_equal(status.bytes, 0);
    assert_true(store_close(store, DEADLINE_S));
}

/* Starts with the options, and ends without visitors. Returns how many bytes the store has written.
 */
static uint64_t written_with(const struct options *options)
{
    struct store_status status;

    begin_with(options);
    until_entered();
    end_hub();
    status = settled();
    assert_true(store_close(store, DEADLINE_S));
    return status.bytes;
}

static void rooms_without_visitors_are_not_written_again(void **state)
{
    (void)state;
    save_rooms();
    for (int restarts = 0; restarts < 2; restarts++) {
        struct store_status status;
        begin();
        until_entered();
        store_status(store, &status);
        assert_int_equal(status.waiting, 0);
        end_unwritten();
    }
}

/* Starts and ends while the disk takes nothing. Returns whether the store had nothing to write. */
static bool ends_well(bool entered)
{
    bool well;

    begin_with(&(struct options){.blocked = true});
    if (entered) {
        until_entered();
    }
    end_hub();
    well = store_close(store, PATIENCE);
    uv_mutex_unlock(&gate);
    return well;
}

/* The rooms reach their runner before it ends, or not. */
static void an_early_end_is_well_on_a_blocked_disk(void **state)
{
    bool well;

    (void)state;
    save_rooms();
    gate_disk();
    well = ends_well(false) && ends_well(true);
    ungate_disk();
    assert_true(well);
}

/* A killed process leaves rooms whose people are still there. */
static void people_who_were_there_at_a_kill_do_not_count_as_a_change(void **state)
{
    struct player ada;

    (void)state;
    save_rooms();
    begin();
    ada = join_at(0, codes[1], "Ada");
    (void)welcomed(&ada);
    hub_stop(hub);
    link_leave(ada.link, END_NONE); /* too late */
    destroy_hub();
    assert_true(store_close(store, DEADLINE_S));
    begin();
    until_entered();
    end_unwritten();
}

static void a_key_that_flockd_makes_at_each_start_is_no_change(void **state)
{
    (void)state;
    save_rooms();
    assert_true(written_with(&(struct options){.key = "first", .made = true}) > 0);
    assert_int_equal(written_with(&(struct options){.key = "second", .made = true}), 0);
}

/* The next start must know them: it makes viewers of presenters when they change. */
static void other_options_are_written_once(void **state)
{
    const struct options other = {.key = "another-key"};
    const struct options open = {.key = "another-key", .open = true};
    const struct options both[] = {other, open, other};
    uint64_t bytes[3];

    (void)state;
    save_rooms();
    for (size_t i = 0; i < 3; i++) {
        bytes[i] = written_with(&both[i]);
        assert_true(bytes[i] > 0);
        assert_int_equal(written_with(&both[i]), 0);
    }
    assert_true(bytes[1] > 2 * bytes[0]); /* all rooms, not only the lobby */
}

/* A person who came once is known after the next restart, also in a room that stands still. */
static void a_visit_is_written(void **state)
{
    const struct proto_client_message pause = {.type = PROTO_SET,
                                               .set = {.name = "run", .value = "paused"}};
    struct proto_hello hello = hello_of("", 0);
    struct proto_welcome welcome;
    struct player ada;

    (void)state;
    save_rooms();
    begin();
    assert_int_equal(ask(entry_of(codes[1]).number, keys[1], &pause, false), PROTO_OK);
    end();
    begin();
    ada = join_at(0, codes[1], "Ada");
    welcome = welcomed(&ada);
    link_leave(ada.link, END_NONE);
    until_entered(); /* Ada has left */
    assert_int_equal(settled().writes, 1);
    end_hub();
    assert_int_equal(settled().writes, 1); /* not again at the end */
    assert_true(store_close(store, DEADLINE_S));

    begin();
    snprintf(hello.room, sizeof hello.room, "%s", codes[1]);
    hello.has_token = true;
    memcpy(hello.token, welcome.token, sizeof hello.token);
    ada = join_with(0, &hello);
    assert_int_equal(welcomed(&ada).id, welcome.id);
    link_leave(ada.link, END_NONE);
    end();
}

/* A restored room that runs is written again and again, as any other. */
static void each_checkpoint_of_a_visit_is_written(void **state)
{
    const uint64_t late = uv_hrtime() + DEADLINE_S * UINT64_C(1000000000);
    struct store_status status;
    struct player ada;

    (void)state;
    save_rooms();
    begin_with(&(struct options){.interval = 10000});
    ada = join_at(0, codes[1], "Ada");
    (void)welcomed(&ada);
    do {
        view_release(next_shown(0));
        store_status(store, &status);
        assert_true(uv_hrtime() < late);
    } while (status.writes < 3);
    link_leave(ada.link, END_NONE);
    end();
}

/* The room remembers a person whom it admitted before the server refused a slot. */
static void a_visitor_without_a_place_is_written_at_the_end(void **state)
{
    struct player eve;
    struct proto_hello hello = hello_of("Eve", 0);

    (void)state;
    save_rooms();
    begin();
    snprintf(hello.room, sizeof hello.room, "%s", codes[1]);
    eve = (struct player){.session = ++last_session};
    eve.link = link_join(hub_links(hub, 0), &(struct link_request){.session = eve.session,
                                                                   .address = "127.0.0.1",
                                                                   .presenters_only = true,
                                                                   .hello = &hello});
    assert_non_null(eve.link);
    closed(&eve, PROTO_CLOSE_FULL);
    link_leave(eve.link, END_NONE);
    end_hub();
    assert_true(settled().bytes > 0);
    assert_true(store_close(store, DEADLINE_S));
}

static struct hub_request *listing(const char *key)
{
    struct hub_request *request = calloc(1, sizeof *request);

    assert_non_null(request);
    snprintf(request->key, sizeof request->key, "%s", key);
    request->listed = 1;
    return request;
}

/* A change over HTTP, of the room or of what the list of rooms says. */
static void a_change_is_written_at_once(void **state)
{
    struct proto_client_message title = {.type = PROTO_TITLE};
    uint64_t number;

    (void)state;
    save_rooms();
    begin();
    number = entry_of(codes[1]).number;
    snprintf(title.title.title, sizeof title.title.title, "Bees");
    assert_int_equal(ask(number, keys[1], &title, false), PROTO_OK);
    assert_int_equal(settled().writes, 1);
    assert_int_equal(ask_with(number, listing(keys[1])), PROTO_OK);
    assert_int_equal(settled().writes, 2);
    end();
    begin();
    assert_string_equal(entry_of(codes[1]).title, "Bees");
    assert_true(entry_of(codes[1]).listed);
    end_unwritten();
}

static void a_wrong_key_and_a_download_change_nothing(void **state)
{
    struct hub_request *request;

    (void)state;
    save_rooms();
    begin();
    until_entered(); /* with wrong keys */
    request = calloc(1, sizeof *request);
    assert_non_null(request);
    snprintf(request->key, sizeof request->key, "%s", keys[0]);
    request->listed = -1;
    request->recording = true;
    assert_int_equal(ask_with(entry_of(codes[0]).number, request), PROTO_OK);
    end_unwritten();
}

/* As after a kill: the stored past lacks the last seconds. Or there is none, as after a start with
 * --rewind 0. */
static void a_past_that_ends_before_its_room_is_not_written_again(void **state)
{
    (void)state;
    save_rooms();
    run_sql("CREATE TABLE old AS SELECT code, bytes FROM past");
    begin();
    visit(codes[0], 20);
    end();
    run_sql("UPDATE past SET bytes = old.bytes FROM old WHERE past.code = old.code");
    begin();
    until_entered();
    end_unwritten();
    run_sql("DELETE FROM past");
    begin();
    until_entered();
    end_unwritten();
}

/* … and it grows again. */
static void the_past_of_a_visit_is_written(void **state)
{
    struct store_status status;

    (void)state;
    save_rooms();
    run_sql("DELETE FROM past");
    begin();
    visit(codes[0], 20);
    end_hub();
    status = settled();
    assert_int_equal(status.pasts, 1);
    assert_true(store_close(store, DEADLINE_S));
}

/* A lower limit ends the replay, which the store must learn. */
static void a_room_that_plays_a_recording_is_not_written_again(void **state)
{
    struct directory_entry entry;
    size_t size = 0;

    (void)state;
    save_rooms();
    begin();
    entry = play_film("10.9.0.1", 1000, &size);
    assert_int_equal(ask(entry.number, "a wrong key", NULL, false), PROTO_E_KEY);
    end();
    assert_int_equal(written_with(&(struct options){.room_memory = 64U << 20}), 0);
    assert_true(written_with(&(struct options){.room_memory = size - 1}) > 0);
    assert_int_equal(written_with(&(struct options){.room_memory = 64U << 20}), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(rooms_without_visitors_are_not_written_again),
        TEST(an_early_end_is_well_on_a_blocked_disk),
        TEST(people_who_were_there_at_a_kill_do_not_count_as_a_change),
        TEST(a_key_that_flockd_makes_at_each_start_is_no_change),
        TEST(other_options_are_written_once),
        TEST(a_visit_is_written),
        TEST(each_checkpoint_of_a_visit_is_written),
        TEST(a_visitor_without_a_place_is_written_at_the_end),
        TEST(a_change_is_written_at_once),
        TEST(a_wrong_key_and_a_download_change_nothing),
        TEST(a_past_that_ends_before_its_room_is_not_written_again),
        TEST(the_past_of_a_visit_is_written),
        TEST(a_room_that_plays_a_recording_is_not_written_again),
    };
    return cmocka_run_group_tests_name("hub_unchanged", tests, NULL, NULL);
}
