/* The indexer releases waiting recordings that no one else needs. Creators share its time. */
#include "hub/indexer.h"

#include "room_life.h"

#include <stdatomic.h>
#include <unistd.h>
#include <uv.h>

#include "past/film_open.h"
#include "past/history.h"
#include "past/history_budget.h"
#include "past/recording.h"
#include "scene/scene.h"

#define S        UINT64_C(1000000)
#define DEADLINE UINT64_C(60000000000) /* ns */

static struct history_budget budget = {.bytes_max = 512u << 20};

/* Returns the recording of a room after a number of ticks, for a room with that budget. */
static struct film *film_below(struct history_budget *below, uint32_t boids, uint32_t ticks)
{
    struct room_definition definition = room_definition_default();
    struct room_workspace *workspace = room_workspace_create(1);
    struct life life = {.now = 7000 * S, .random = 1, .people = 3};
    struct proto_error error = {0};
    size_t size = 0;

    definition.flock.boids = boids;
    definition.rewind = 600 * S;
    life_begin(&life, &definition);
    for (uint32_t tick = 0; tick < ticks; tick++) {
        life_round(&life, workspace);
    }
    struct recording *recording = room_hold_past(life.room);
    assert_non_null(recording);
    uint8_t *bytes = recording_write(recording, false, &size);
    assert_non_null(bytes);
    recording_destroy(recording);
    life_end(&life);
    room_workspace_destroy(workspace);
    struct film *film =
        film_open(bytes, size, &(struct recording_limits){.boids = SCENE_BOIDS_MAX}, below, &error);
    assert_non_null(film);
    return film;
}

static struct film *film_of(uint32_t boids, uint32_t ticks)
{
    return film_below(&budget, boids, ticks);
}

static uint64_t bytes(void)
{
    return atomic_load(&budget.bytes);
}

static void wait_until_at_most(uint64_t most)
{
    uint64_t end = uv_hrtime() + DEADLINE;

    while (bytes() > most) {
        assert_true(uv_hrtime() < end);
        usleep(1000);
    }
}

/* Recordings of ended rooms do not wait behind a long recording. */
static void test_unneeded_work_is_cancelled(void **state)
{
    struct indexer *indexer = indexer_create(0);
    struct film *longest = film_of(4000, 100); /* it gets no keyframe */
    uint64_t one = bytes();
    struct film *kept = film_of(20, 60);
    uint64_t two = bytes();

    (void)state;
    assert_non_null(indexer);
    indexer_add(indexer, longest);
    struct film *ended[3] = {film_of(20, 60), film_of(20, 60), film_of(20, 60)};
    indexer_add(indexer, ended[0]);
    indexer_add(indexer, ended[1]);
    indexer_add(indexer, kept);
    indexer_add(indexer, ended[2]);
    indexer_sweep(indexer);
    assert_true(bytes() > two); /* the indexer holds all recordings */
    for (uint32_t i = 0; i < 3; i++) {
        film_release(ended[i]);
    }
    indexer_sweep(indexer);
    uint64_t swept = bytes();
    if (atomic_load(&longest->holders) >
        1) { /* the indexer still works on it, so it has begun no other */
        assert_int_equal(swept, two);
    }
    struct film *last = film_of(20, 60); /* the queue still works */
    indexer_add(indexer, last);
    film_release(last);
    indexer_sweep(indexer);
    film_release(longest);
    wait_until_at_most(two - one);
    assert_true(atomic_load(&kept->holders) <= 2);
    indexer_stop(indexer);
    indexer_destroy(indexer);
    assert_int_equal(atomic_load(&kept->holders), 1);
    film_release(kept);
    assert_int_equal(bytes(), 0);
}

enum { LONG = 2 };

/* Long recordings of one address delay recordings of other addresses by one turn only. */
static void test_creators_take_turns(void **state)
{
    struct indexer *indexer = indexer_create(0);
    struct history_budget *all = history_budget_create(512u << 20);
    struct history_budget *creators[2];
    struct history_budget *rooms[2];
    struct film *films[LONG];
    struct film *other;
    uint64_t end;

    (void)state;
    for (int i = 0; i < 2; i++) {
        creators[i] = history_budget_below(all, 0, false);
        rooms[i] = history_budget_below(creators[i], 0, false);
    }
    for (int i = 0; i < LONG; i++) {
        films[i] = film_below(rooms[0], 8000, 600);
    }
    other = film_below(rooms[1], 20, 60);
    for (int i = 0; i < LONG; i++) {
        indexer_add(indexer, films[i]);
    }
    indexer_add(indexer, other);
    end = uv_hrtime() + DEADLINE;
    while (atomic_load(&other->holders) > 1) {
        assert_true(uv_hrtime() < end);
        usleep(1000);
    }
    assert_int_equal(atomic_load(&films[LONG - 1]->holders), 2); /* it still waits */
    indexer_stop(indexer);
    indexer_destroy(indexer);
    film_release(other);
    for (int i = 0; i < LONG; i++) {
        film_release(films[i]);
    }
    for (int i = 0; i < 2; i++) {
        history_budget_release(rooms[i]);
        history_budget_release(creators[i]);
    }
    assert_int_equal(atomic_load(&all->bytes), 0);
    history_budget_release(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unneeded_work_is_cancelled),
        cmocka_unit_test(test_creators_take_turns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
