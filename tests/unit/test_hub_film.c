/* The server ends soon after a room begins to play a recording. The store may write the recording
 * after the hub has ended. */
#include "film_room.h"

#include "store/store.h"

#include "store_folder.h"

static struct store *open_store(void)
{
    struct store *store;
    char text[STORE_REASON_MAX];

    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    return store;
}

static void test_the_store_outlives_the_hub(void **state)
{
    struct hub_definition definition = default_hub();
    struct store *store;
    struct directory_entry entry;
    size_t size = 0;
    size_t kept = 0;

    gate_disk();
    store = open_store();
    definition.store = store;
    definition.history_bytes = 64U << 20;
    uv_mutex_lock(&gate);
    assert_int_equal(start(&definition), 0);
    entry = play_film("10.0.0.1", SCENE_BOIDS_MAX, &size);
    finish(state);
    uv_mutex_unlock(&gate);
    assert_true(store_close(store, DEADLINE_S));
    store = open_store();
    free(store_recording(store, entry.code, &kept));
    assert_int_equal(kept, size);
    assert_true(store_close(store, 1));
    ungate_disk();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_store_outlives_the_hub, make_folder,
                                        remove_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
