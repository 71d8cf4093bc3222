/* Rooms pay for the time of their runner's thread beside their ticks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/store.h"

#include "hub_session.h"
#include "store_folder.h"

#if defined __SANITIZE_THREAD__
enum { LARGE = 5000 };
#elif defined __SANITIZE_ADDRESS__
enum { LARGE = 10000 };
#else
enum { LARGE = 30000 };
#endif

static struct store *store;

static int make_short_lived(void **state)
{
    struct hub_definition definition = default_hub();

    (void)state;
    definition.room_idle = 500000; /* µs: time to see the first charge */
    return start(&definition);
}

/* A large paused flock, whose state is saved after each tick. */
static int make_saved(void **state)
{
    struct hub_definition definition = default_hub();
    char text[STORE_REASON_MAX];

    if (make_folder(state) != 0 || store_open(folder, &store, text) != STORE_OK) {
        return -1;
    }
    definition.store = store;
    definition.lobby.open_controls = true;
    definition.lobby.flock.boids = LARGE;
    return start(&definition);
}

static int finish_saved(void **state)
{
    finish(state);
    return store_close(store, DEADLINE_S) ? remove_folder(state) : -1;
}

static void until_ended(const struct directory_entry *room)
{
    struct directory_entry entry;

    while (directory_find(hub_directory(hub), room->code, &entry)) {
        assert_true(hub_now(hub) < DEADLINE_S * UINT64_C(1000000));
    }
}

/* Returns the time that the room was charged. The counter stays when the room has ended. */
static uint64_t charged(const struct directory_entry *room)
{
    return counter_read(&directory_stats(hub_directory(hub), room_slot(room->number))->busy);
}

/* Waits until the room is charged for its beginning, when its thread saves it. */
static uint64_t first_charge(const struct directory_entry *room)
{
    uint64_t time;

    while ((time = charged(room)) == 0) {
        assert_true(hub_now(hub) < DEADLINE_S * UINT64_C(1000000));
    }
    return time;
}

/* A creator pays for the beginning and for the end of a room, too: by request, or because it was
 * empty for too long. */
static void test_the_beginning_and_the_end_are_charged(void **state)
{
    char key[PROTO_KEY_MAX + 1];
    struct directory_entry entry = create_room("boids", 1000, key);
    uint64_t before;

    (void)state;
    before = first_charge(&entry);
    assert_int_equal(ask(entry.number, key, NULL, true), PROTO_OK);
    until_ended(&entry);
    assert_true(charged(&entry) > before);
}

static void test_the_end_of_an_idle_room_is_charged(void **state)
{
    struct directory_entry entry = create_room("boids", 1000, NULL);
    const uint64_t before = first_charge(&entry);

    (void)state;
    until_ended(&entry);
    assert_true(charged(&entry) > before);
}

/* A room pays for saving its state after a tick. Of a paused flock, little else takes time. */
static void test_saving_is_charged(void **state)
{
    enum { TICKS = 30 };
    const struct proto_client_message pause = {.type = PROTO_SET,
                                               .set = {.name = "run", .value = "paused"}};
    const struct runner_stats *stats = hub_runner_stats(hub, 0);
    struct proto_hello hello = hello_of("Ada", 1);
    struct player ada;
    uint64_t ticks, busy, duration;

    (void)state;
    hello.boids = 1;
    ada = join_with(0, &hello);
    welcomed(&ada);
    assert_true(link_send(ada.link, &pause));
    while (next_told(&ada).type != PROTO_DONE) {
    }
    ticks = counter_read(&stats->ticks);
    busy = counter_read(&stats->busy);
    duration = counter_read(&stats->duration.sum);
    while (counter_read(&stats->ticks) < ticks + TICKS) {
        view_release(links_take_view(hub_links(hub, 0)));
        wait_for_wake();
    }
    busy = counter_read(&stats->busy) - busy;
    duration = counter_read(&stats->duration.sum) - duration;
    assert_true(busy > 2 * duration);
    link_leave(ada.link, END_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_beginning_and_the_end_are_charged, make, finish),
        cmocka_unit_test_setup_teardown(test_the_end_of_an_idle_room_is_charged, make_short_lived,
                                        finish),
        cmocka_unit_test_setup_teardown(test_saving_is_charged, make_saved, finish_saved),
    };
    return cmocka_run_group_tests_name("hub_charge", tests, NULL, NULL);
}
