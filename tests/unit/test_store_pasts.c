/* The store keeps a recording while a room plays it, and the newest past of each room. */
#include "store_rooms.h"

#include <unistd.h>

/* ---- recordings ---- */

static void assert_recording(const char *code, const char *expected)
{
    assert_read(store_recording, code, expected);
}

static void test_a_recording_is_stored_while_a_room_plays_it(void **state)
{
    struct store *store = open_store();

    (void)state;
    released = 0;
    put_recording(store, "FK72MX", "a film");
    put_playing(store, "FK72MX");
    put_recording(store, "KK22MX", "another");
    put_playing(store, "KK22MX");
    put_recording(store, "MM22MX", "one that came without its room");
    assert_true(store_close(store, 10));
    assert_int_equal(released, 3);
    assert_recording("FK72MX", "a film");
    assert_recording("KK22MX", "another");
    assert_recording("MM22MX", "");
    assert_recording("lobby", "");
    store = open_store();
    put_playing(store, "FK72MX");
    assert_true(store_end(store, "KK22MX", 4000000000));
    assert_true(store_close(store, 10));
    assert_recording("FK72MX", "a film");
    assert_recording("KK22MX", "");
    store = open_store();
    put(store, "FK72MX", "of its own now");
    assert_true(store_close(store, 10));
    assert_recording("FK72MX", "");
}

static void wait_until_released(unsigned count)
{
    uint64_t end = uv_hrtime() + UINT64_C(60000000000);

    while (released < count) {
        assert_true(uv_hrtime() < end);
        usleep(1000);
    }
    assert_int_equal(released, count);
}

/* Otherwise clients could fill the memory by creating and ending rooms. */
static void test_a_full_disk_keeps_no_recording_of_a_room_that_ended(void **state)
{
    struct store *store = open_store();

    (void)state;
    released = 0;
    limit_files(1);
    put_recording(store, "FK72MX", "a film");
    put_playing(store, "FK72MX");
    put_recording(store, "KK22MX", "another");
    put_playing(store, "KK22MX");
    assert_true(settled(store).failing);
    assert_int_equal(released, 0);
    assert_true(store_end(store, "FK72MX", 4000000000));
    wait_until_released(1); /* at once, unless the store is trying to write it */
    limit_files(RLIM_INFINITY);
    store_close(store, 10);
    assert_int_equal(released, 2);
    assert_recording("FK72MX", "");
}

/* A database of an earlier flockd, without recordings. */
static void test_an_older_database_has_no_recordings(void **state)
{
    struct store *store = open_store();

    (void)state;
    put(store, "FK72MX", "a room");
    assert_true(store_close(store, 10));
    run_sql("DROP TABLE recording");
    assert_recording("FK72MX", "");
    assert_string_equal(contents(), "FK72MX=a room ");
}

/* ---- pasts ---- */

static void assert_past(const char *code, const char *expected)
{
    assert_read(store_past, code, expected);
}

static void test_the_newest_past_is_stored(void **state)
{
    struct store *store = open_store();
    struct store_status status;

    (void)state;
    released = packed = 0;
    put(store, "FK72MX", "a room");
    put_past(store, "FK72MX", "its first minute");
    put_past(store, "NN22MX", "of a room that was never stored");
    assert_true(store_close(store, 10));
    assert_past("FK72MX", "its first minute");
    assert_past("NN22MX", "");
    gate_disk();
    store = open_store();
    uv_mutex_lock(&gate);
    put_past(store, "FK72MX", "its second minute");
    put_past(store, "FK72MX", "its third minute");
    put_past(store, "FK72MX", "its fourth minute");
    store_status(store, &status);
    assert_in_range(status.waiting, 1, 2); /* the thread may have taken one */
    uv_mutex_unlock(&gate);
    assert_true(store_close(store, 10));
    ungate_disk();
    assert_int_equal(released, 5);
    assert_in_range(packed, 3, 4);
    assert_past("FK72MX", "its fourth minute");
    assert_string_equal(contents(), "FK72MX=a room ");
}

static void test_a_past_ends_with_its_room(void **state)
{
    struct store *store = open_store();

    (void)state;
    released = 0;
    put(store, "FK72MX", "a room");
    put_past(store, "FK72MX", "its past");
    put(store, "KK22MX", "another");
    put_past(store, "KK22MX", "its past");
    assert_true(store_close(store, 10));
    gate_disk();
    store = open_store();
    uv_mutex_lock(&gate);
    put_past(store, "FK72MX", "a later past");
    assert_true(store_end(store, "FK72MX", 4000000000));
    uv_mutex_unlock(&gate);
    assert_true(store_close(store, 10));
    ungate_disk();
    assert_int_equal(released, 3);
    assert_past("FK72MX", "");
    assert_past("KK22MX", "its past");
    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    store_drop_past(store, "KK22MX");
    assert_true(store_close(store, 1));
    assert_past("KK22MX", "");
    assert_string_equal(contents(), "FK72MX@4000000000 KK22MX=another ");
}

static void test_a_full_disk_delays_pasts_and_loses_no_room(void **state)
{
    struct store *store = open_store();

    (void)state;
    released = 0;
    limit_files(1);
    put(store, "FK72MX", "a room");
    put_past(store, "FK72MX", "its past");
    put(store, "KK22MX", "another");
    put_past(store, "KK22MX", "its past");
    assert_true(settled(store).failing);
    assert_true(store_end(store, "KK22MX", 4000000000));
    limit_files(RLIM_INFINITY);
    put_past(store, "FK72MX", "its later past");
    assert_true(store_close(store, 10));
    assert_int_equal(released, 3);
    assert_past("FK72MX", "its later past");
    assert_past("KK22MX", "");
    assert_string_equal(contents(), "KK22MX@4000000000 FK72MX=a room ");
}

/* A database of an earlier flockd, without pasts; and one that an earlier flockd used later, which
 * left the past of a room that ended. */
static void test_an_older_database_has_no_pasts(void **state)
{
    struct store *store = open_store();

    (void)state;
    put(store, "FK72MX", "a room");
    put_past(store, "FK72MX", "its past");
    assert_true(store_close(store, 10));
    run_sql("DROP TABLE past");
    assert_past("FK72MX", "");
    store = open_store();
    put_past(store, "FK72MX", "its past");
    assert_true(store_close(store, 10));
    run_sql("DELETE FROM room");
    assert_past("FK72MX", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(test_a_recording_is_stored_while_a_room_plays_it),
        store_test(test_a_full_disk_keeps_no_recording_of_a_room_that_ended),
        store_test(test_an_older_database_has_no_recordings),
        store_test(test_the_newest_past_is_stored),
        store_test(test_a_past_ends_with_its_room),
        store_test(test_a_full_disk_delays_pasts_and_loses_no_room),
        store_test(test_an_older_database_has_no_pasts),
    };

    return cmocka_run_group_tests_name("store, recordings and pasts", tests, NULL, NULL);
}
