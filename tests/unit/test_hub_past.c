/* The pasts of a hub's rooms reach the store, also after the hub has ended, and come back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "hub_session.h"
#include "store_folder.h"

#include "past/recording.h"
#include "past/saved_past.h"
#include "store/store.h"

#define INTERVAL UINT64_C(100000) /* µs */

static struct store *store;

static void open_store(void)
{
    char text[STORE_REASON_MAX];

    assert_int_equal(store_open(folder, &store, text), STORE_OK);
}

static void begin(uint64_t interval)
{
    struct hub_definition definition = default_hub();

    open_store();
    definition.store = store;
    definition.checkpoint_interval = UINT64_C(3600000000);
    definition.past_interval = interval;
    definition.history_bytes = 64U << 20;
    definition.lobby.rewind = UINT64_C(600000000);
    definition.fingerprint = 1;
    assert_int_equal(start(&definition), 0);
}

/* Returns the rounds in the stored past of the lobby; 0: there is none. Must be called without a
 * hub. */
static uint64_t stored_rounds(void)
{
    struct proto_error error;
    size_t size = 0;
    uint64_t end = 0;

    open_store();
    uint8_t *bytes = store_past(store, "lobby", &size);
    if (bytes != NULL) {
        struct recording *past = saved_past_read(bytes, size, SCENE_BOIDS_MAX, &error);
        assert_non_null(past);
        end = recording_end(past);
        recording_destroy(past);
    }
    assert_true(store_close(store, DEADLINE_S));
    return end;
}

/* Lets the lobby tick until it has shown that many snapshots. */
static void tick(int snapshots)
{
    struct player ada = join_at(0, "lobby", "Ada");

    (void)welcomed(&ada);
    for (int i = 0; i < snapshots; i++) {
        view_release(next_shown(0));
    }
    link_leave(ada.link, END_NONE);
}

static void a_past_is_stored_while_the_room_ticks(void **state)
{
    struct store_status status;
    struct player ada;
    const uint64_t end = uv_hrtime() + DEADLINE_S * UINT64_C(1000000000);

    begin(INTERVAL);
    ada = join_at(0, "lobby", "Ada");
    (void)welcomed(&ada);
    do {
        view_release(next_shown(0));
        store_status(store, &status);
        assert_true(uv_hrtime() < end);
    } while (status.pasts < 3);
    link_leave(ada.link, END_NONE);
    finish(state);
    assert_true(store_close(store, DEADLINE_S));
    assert_true(stored_rounds() > 3);
}

static void each_end_adds_to_the_past(void **state)
{
    uint64_t before = 0;

    for (int i = 0; i < 3; i++) {
        begin(0);
        tick(20);
        finish(state);
        assert_true(store_close(store, DEADLINE_S));
        uint64_t rounds = stored_rounds();
        assert_true(rounds >= before + 20);
        before = rounds;
    }
}

static void the_store_outlives_the_hub(void **state)
{
    gate_disk();
    begin(INTERVAL);
    uv_mutex_lock(&gate);
    tick(60);
    finish(state);
    uv_mutex_unlock(&gate);
    assert_true(store_close(store, DEADLINE_S));
    ungate_disk();
    assert_true(stored_rounds() >= 60);
}

/* A room without members after a restart is not written again. */
static void a_past_that_has_not_grown_is_not_stored_again(void **state)
{
    struct store_status status;

    begin(0);
    tick(20);
    finish(state);
    assert_true(store_close(store, DEADLINE_S));
    begin(0);
    finish(state);
    do {
        store_status(store, &status);
    } while (status.waiting > 0);
    assert_int_equal(status.pasts, 0);
    assert_true(store_close(store, DEADLINE_S));
    assert_true(stored_rounds() >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_past_is_stored_while_the_room_ticks, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(each_end_adds_to_the_past, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_store_outlives_the_hub, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_past_that_has_not_grown_is_not_stored_again, make_folder,
                                        remove_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
