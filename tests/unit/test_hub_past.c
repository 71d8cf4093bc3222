/* The pasts of a hub's rooms reach the store, also after the hub has ended, and come back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "hub/inside.h"
#include "hub/runner_room.h"

#include "hub_session.h"
#include "store_folder.h"

#include "past/history_budget.h"
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
        struct recording *past =
            saved_past_read(bytes, size, &saved_past_stored, SCENE_BOIDS_MAX, &error);
        assert_non_null(past);
        end = recording_end(past);
        recording_destroy(past);
    }
    assert_true(store_close(store, DEADLINE_S));
    return end;
}

/* Lets the room tick until it has shown that many snapshots. */
static void tick_room(const char *code, int snapshots)
{
    struct player ada = join_at(0, code, "Ada");

    (void)welcomed(&ada);
    for (int i = 0; i < snapshots; i++) {
        view_release(next_shown(0));
    }
    link_leave(ada.link, END_NONE);
}

static void tick(int snapshots)
{
    tick_room("lobby", snapshots);
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

static void a_damaged_lobby_leaves_no_past(void **state)
{
    begin(0);
    tick(20);
    finish(state);
    assert_true(store_close(store, DEADLINE_S));
    run_sql("UPDATE room SET state = 'x'");
    begin(0);
    finish(state);
    assert_true(store_close(store, DEADLINE_S));
    assert_int_equal(stored_rounds(), 0);
}

/* Returns the budget of the room, held. The runner must have the room. */
static struct history_budget *budget_of(uint64_t number)
{
    return history_budget_hold(hub->runners[0]->rooms[room_slot(number)]->budget);
}

/* A copy of each room waits for a slow disk. It is counted at the room, its creator and the total.
 */
static void a_copy_that_waits_for_the_store_is_counted(void **state)
{
    struct directory_entry entry;
    struct history_budget *budget;
    char key[PROTO_KEY_MAX + 1];

    (void)state;
    gate_disk();
    begin(0);
    uv_mutex_lock(&gate);
    entry = create_room("boids", 500, key);
    assert_int_equal(ask(entry.number, key, NULL, false), PROTO_OK); /* its runner has it */
    hub_stop(hub);
    budget = budget_of(entry.number);
    assert_in_range(atomic_load(&budget->lent), 500 * 16, 2 * 500 * 64);
    assert_int_equal(atomic_load(&budget->parent->lent), atomic_load(&budget->lent));
    assert_true(history_budget_used(hub->history_budget) >=
                history_budget_taken(hub->history_budget) + atomic_load(&budget->lent));
    hub_destroy(hub);
    proto_decoder_destroy(decoder);
    sem_destroy(&woken);
    uv_mutex_unlock(&gate);
    assert_true(store_close(store, DEADLINE_S));
    ungate_disk();
    assert_int_equal(atomic_load(&budget->lent), 0);
    history_budget_release(budget);
}

/* Asks for the recording of the room. Returns the code of the answer. */
static enum proto_code ask_for_past(uint64_t room, const char *key)
{
    struct hub_request *request = calloc(1, sizeof *request);

    assert_non_null(request);
    snprintf(request->key, sizeof request->key, "%s", key);
    request->listed = -1;
    request->recording = true;
    return ask_with(room, request);
}

/* Downloads that still read what a room has discarded take memory beyond its creator's share. Then
 * no other download of the room begins. */
static void a_download_is_refused_while_others_exceed_the_memory(void **state)
{
    struct directory_entry entry;
    struct history_budget *budget;
    char key[PROTO_KEY_MAX + 1];

    begin(0);
    entry = create_room("boids", 100, key);
    tick_room(entry.code, 5);
    assert_int_equal(ask_for_past(entry.number, key), PROTO_OK);
    budget = budget_of(entry.number);
    history_budget_lend(budget, 64U << 20);
    assert_int_equal(ask_for_past(entry.number, key), PROTO_E_FULL);
    history_budget_return(budget, 64U << 20);
    assert_int_equal(ask_for_past(entry.number, key), PROTO_OK);
    history_budget_release(budget);
    finish(state);
    assert_true(store_close(store, DEADLINE_S));
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
        cmocka_unit_test_setup_teardown(a_damaged_lobby_leaves_no_past, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_copy_that_waits_for_the_store_is_counted, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_download_is_refused_while_others_exceed_the_memory,
                                        make_folder, remove_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
