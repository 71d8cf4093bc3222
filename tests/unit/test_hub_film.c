/* The server ends soon after a room begins to play a recording. The store may write the recording
 * after the hub has ended. */
#include "room_life.h"

#include "hub_session.h"
#include "store_folder.h"

#include "past/film_open.h"
#include "past/history.h"
#include "past/history_budget.h"
#include "past/recording.h"
#include "scene/scene.h"
#include "store/store.h"

#define SLOTS 8u
#define TICKS 60u

static struct store *open_store(void)
{
    struct store *store;
    char text[STORE_REASON_MAX];

    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    return store;
}

/* Returns the recording of a small room. */
static uint8_t *record(size_t *size)
{
    struct room_definition definition = room_definition_default();
    struct room_workspace *workspace = room_workspace_create(1);
    struct life life = {.now = UINT64_C(7000000000), .random = 1, .people = 3};

    definition.flock.boids = 20;
    definition.rewind = UINT64_C(600000000);
    life_begin(&life, &definition);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        life_round(&life, workspace);
    }
    struct recording *recording = room_hold_past(life.room);
    assert_non_null(recording);
    uint8_t *bytes = recording_write(recording, false, size);
    assert_non_null(bytes);
    recording_destroy(recording);
    life_end(&life);
    room_workspace_destroy(workspace);
    return bytes;
}

/* Makes a room that plays a recording. Stores the size of the recording. */
static struct directory_entry play(size_t *size)
{
    uint8_t *bytes = record(size);
    struct proto_error error = {0};
    struct film *film =
        film_open(bytes, *size, &(struct recording_limits){.boids = SCENE_BOIDS_MAX},
                  hub_history_budget(hub), &error);
    struct hub_making making = {.definition = room_definition_default(), .address = "10.0.0.1"};
    struct hub_made made;

    assert_non_null(film);
    making.origin = (struct room_origin){.state = film->recording->parts[0].state,
                                         .size = film->recording->parts[0].state_size,
                                         .film = film};
    making.definition.people_max = SESSIONS;
    making.definition.boids_max = SCENE_BOIDS_MAX;
    making.definition.flock.boids = film->boids;
    assert_int_equal(hub_make_room(hub, &making, &made), DIRECTORY_OK);
    film_release(film);
    return made.entry;
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
    entry = play(&size);
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
