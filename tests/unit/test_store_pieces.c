/* The store writes large values in pieces: a slow disk takes one at a time, rooms come between
 * them, and a value that is not complete is never read. */
#include "store_rooms.h"

#include <errno.h>
#include <sys/wait.h>

#define PIECE     (UINT64_C(1) << 20)
#define FILM_SIZE (7 * PIECE + 1000)

/* ---- a disk that counts ---- */

static uint64_t bytes_written; /* to files, since the last commit */
static uint64_t most_bytes;    /* between two commits */
static unsigned commits;
static void (*on_commit)(void); /* NULL: nothing to call; on the store's thread */

static bool slow; /* a page takes 0.5 ms */

static ssize_t count_write(int file, const void *bytes, size_t size, off_t offset)
{
    bytes_written += size;
    if (slow && size >= 4096) {
        usleep(500);
    }
    return pwrite(file, bytes, size, offset);
}

static int count_commit(void *argument)
{
    (void)argument;
    most_bytes = bytes_written > most_bytes ? bytes_written : most_bytes;
    bytes_written = 0;
    commits++;
    if (on_commit != NULL) {
        on_commit();
    }
    return 0;
}

static int hook_counter(sqlite3 *db, const char **error, const struct sqlite3_api_routines *api)
{
    (void)error;
    (void)api;
    sqlite3_commit_hook(db, count_commit, NULL);
    return SQLITE_OK;
}

static void replace_write(sqlite3_syscall_ptr call)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);

    assert_int_equal(vfs->xSetSystemCall(vfs, "pwrite", call), SQLITE_OK);
    assert_int_equal(vfs->xSetSystemCall(vfs, "pwrite64", call), SQLITE_OK);
}

/* Opens a store whose disk counts from now on. */
static struct store *open_counted(void (*commit)(void))
{
    struct store *store;

    on_commit = NULL;
    sqlite3_auto_extension((void (*)(void))hook_counter);
    store = open_store();
    sqlite3_reset_auto_extension();
    bytes_written = most_bytes = commits = 0;
    on_commit = commit;
    replace_write((sqlite3_syscall_ptr)count_write);
    return store;
}

static void close_counted(struct store *store)
{
    assert_false(settled(store).failing);
    assert_true(store_close(store, 60));
    replace_write(NULL);
}

/* ---- large values ---- */

static char *make_bytes(size_t size, unsigned seed)
{
    char *bytes = malloc(size + 1);

    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1103515245u + 12345u;
        bytes[i] = (char)(1 + (seed >> 16) % 255);
    }
    bytes[size] = '\0';
    return bytes;
}

/* Returns the number that a query finds while no store has the database. */
static int number_of(const char *sql)
{
    char path[128];
    sqlite3 *db;
    sqlite3_stmt *statement;
    int number;

    snprintf(path, sizeof path, "%s/" STORE_FILE, folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    number = sqlite3_column_int(statement, 0);
    assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return number;
}

/* Each commit writes a piece to the log, and copies it into the file: both wait for the disk. */
static void test_on_a_slow_disk_no_commit_writes_a_large_value(void **state)
{
    const char *sizes[] = {"FK72MX", "KK22MX", "MM22MX"};
    char *films[] = {make_bytes(3 * PIECE + 1000, 1), make_bytes(PIECE, 2),
                     make_bytes(PIECE + 1, 3)};
    char *past = make_bytes(2 * PIECE, 4);
    struct store *store = open_counted(NULL);

    (void)state;
    slow = true;
    for (size_t i = 0; i < 3; i++) {
        put_recording(store, sizes[i], films[i]);
        put_playing(store, sizes[i]);
    }
    put_past(store, "FK72MX", past);
    close_counted(store);
    slow = false;
    most_bytes = bytes_written > most_bytes ? bytes_written : most_bytes;
    assert_in_range(most_bytes, PIECE, 3 * PIECE);
    assert_in_range(commits, 4 + 2, 20);
    for (size_t i = 0; i < 3; i++) {
        assert_read(store_recording, sizes[i], films[i]);
        free(films[i]);
    }
    assert_read(store_past, "FK72MX", past);
    free(past);
}

/* The space of ended rooms goes back to the disk in steps, too. */
static void test_no_commit_gives_a_large_value_back(void **state)
{
    char *film = make_bytes(FILM_SIZE, 1);
    struct store *store = open_store();

    (void)state;
    put_recording(store, "FK72MX", film);
    put_playing(store, "FK72MX");
    put(store, "lobby", "small");
    assert_true(store_close(store, 60));
    store = open_counted(NULL);
    assert_true(store_end(store, "FK72MX", 1000));
    assert_false(settled(store).failing);
    put(store, "lobby", "smaller");
    assert_false(settled(store).failing);
    close_counted(store);
    assert_in_range(most_bytes, 1, 6 * PIECE);
    assert_read(store_recording, "FK72MX", "");
    free(film);
}

/* ---- the order ---- */

static struct store *late_store;
static char written[200]; /* the codes of released rooms, and FILM, each with its commit */

static void note(const char *code)
{
    size_t used = strlen(written);

    snprintf(written + used, sizeof written - used, "%s@%u ", code, commits);
}

static void note_room(void *memory, size_t size)
{
    (void)size;
    note(memory);
}

static void note_film(void *memory)
{
    (void)memory;
    note("FILM");
}

static void put_noted(struct store *store, const char *code, bool first, bool plays)
{
    struct store_room room = {.creator = 7, .first = first, .plays = plays, .size = 100};

    snprintf(room.code, sizeof room.code, "%s", code);
    room.state = calloc(1, room.size);
    room.release = note_room;
    room.memory = (void *)(uintptr_t)code; /* read only */
    assert_true(store_put(store, &room));
}

static void put_late_room(void)
{
    if (commits == 3) {
        put_noted(late_store, "LATE", true, false);
    }
}

static const char *order_of(bool first)
{
    char *film = make_bytes(FILM_SIZE, 1);
    struct store *store = late_store = open_counted(put_late_room);
    const struct store_recording recording = {.bytes = (const uint8_t *)film,
                                              .size = FILM_SIZE,
                                              .creator = 7,
                                              .first = first,
                                              .release = note_film};

    written[0] = '\0';
    assert_true(store_put_recording(store, "PLAYS", &recording));
    put_noted(store, "PLAYS", first, true);
    close_counted(store);
    free(film);
    return written;
}

/* A trusted room waits for one piece, and the room that plays the film for all. */
static void test_a_trusted_room_comes_between_the_pieces_of_a_film(void **state)
{
    (void)state;
    assert_string_equal(order_of(false), "LATE@4 FILM@9 PLAYS@9 ");
}

static void test_a_trusted_room_comes_between_the_pieces_of_a_trusted_film(void **state)
{
    (void)state;
    assert_string_equal(order_of(true), "LATE@4 FILM@8 PLAYS@8 ");
}

/* ---- an end between two pieces ---- */

static void die_late(void)
{
    if (commits == 4) {
        _exit(0);
    }
}

/* Runs put() in a process that is killed when it has written 3 pieces. */
static void put_and_die(void (*put_value)(struct store *store))
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        struct store *store = open_counted(die_late);
        put_value(store);
        settled(store);
        _exit(1);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

static char *value;

static void put_film(struct store *store)
{
    put_recording(store, "FK72MX", value);
    put_playing(store, "FK72MX");
}

static void put_value_as_past(struct store *store)
{
    put_past(store, "FK72MX", value);
}

static void test_a_film_that_is_not_complete_is_removed(void **state)
{
    (void)state;
    value = make_bytes(FILM_SIZE, 1);
    put_and_die(put_film);
    assert_int_equal(number_of("SELECT count(*) FROM recording"), 3);
    assert_read(store_recording, "FK72MX", "");
    assert_string_equal(contents(), "");
    assert_int_equal(number_of("SELECT count(*) FROM recording"), 0);
    free(value);
}

static void test_a_past_remains_until_the_next_one_is_complete(void **state)
{
    char *first = make_bytes(FILM_SIZE, 1);
    struct store *store = open_store();

    (void)state;
    put(store, "FK72MX", "a room");
    put_past(store, "FK72MX", "small");
    assert_true(store_close(store, 60));
    value = make_bytes(FILM_SIZE / 2, 2);
    put_and_die(put_value_as_past);
    assert_read(store_past, "FK72MX", "small");
    store = open_store();
    put_past(store, "FK72MX", first);
    assert_true(store_close(store, 60));
    put_and_die(put_value_as_past);
    assert_int_equal(number_of("SELECT count(*) FROM past"), 8 + 3);
    assert_read(store_past, "FK72MX", first);
    assert_int_equal(number_of("SELECT count(*) FROM past"), 8);
    for (int i = 0; i < 2; i++) { /* each in place of the other copy */
        store = open_store();
        put_past(store, "FK72MX", value);
        assert_true(store_close(store, 60));
        assert_read(store_past, "FK72MX", value);
        assert_int_equal(number_of("SELECT count(*) FROM past"), 4);
    }
    store = open_store();
    put_past(store, "FK72MX", "small again");
    assert_true(store_close(store, 60));
    assert_read(store_past, "FK72MX", "small again");
    assert_int_equal(number_of("SELECT count(*) FROM past"), 1);
    free(first);
    free(value);
}

static void end_late(void)
{
    if (commits == 3) {
        assert_true(store_end(late_store, "FK72MX", 4000000000));
    }
}

static void test_a_room_ends_between_the_pieces_of_its_film(void **state)
{
    struct store *store = late_store = open_counted(end_late);

    (void)state;
    released = 0;
    value = make_bytes(FILM_SIZE, 1);
    put_film(store);
    close_counted(store);
    assert_int_equal(released, 1);
    assert_true(commits < 8);
    assert_string_equal(contents(), "FK72MX@4000000000 ");
    assert_int_equal(number_of("SELECT count(*) FROM recording"), 0);
    free(value);
}

/* On a slow disk a past takes longer than the time between two. */
static void put_newer_past(void)
{
    if (commits <= 3) {
        put_past(late_store, "FK72MX", commits < 3 ? "not written" : "the newest");
    }
}

static void test_newer_pasts_wait_until_one_is_complete(void **state)
{
    struct store *store = open_store();

    (void)state;
    put(store, "FK72MX", "a room");
    assert_true(store_close(store, 60));
    store = late_store = open_counted(put_newer_past);
    released = packed = 0;
    value = make_bytes(FILM_SIZE, 1);
    put_value_as_past(store);
    close_counted(store);
    assert_int_equal(packed, 2);
    assert_int_equal(released, 4);
    assert_int_equal(commits, 8 + 1);
    assert_read(store_past, "FK72MX", "the newest");
    free(value);
}

/* ---- a full disk ---- */

static void put_trusted(struct store *store, const char *state)
{
    struct store_room room = {.code = "CLASS", .first = true, .size = strlen(state)};

    room.state = (uint8_t *)strdup(state);
    assert_true(store_put(store, &room));
}

/* A film that does not fit takes no space: trusted rooms are still written. */
static void test_a_film_that_does_not_fit_delays_no_trusted_room(void **state)
{
    struct store *store = open_store();
    uint64_t end = uv_hrtime() + UINT64_C(60000000000);
    struct store_status status;
    char *big = make_bytes(PIECE, 2);

    (void)state;
    value = make_bytes(2 * FILM_SIZE, 1);
    limit_files(6 * PIECE);
    put_film(store);
    assert_true(settled(store).failing);
    put_trusted(store, big);
    do {
        assert_true(uv_hrtime() < end);
        usleep(1000);
        store_status(store, &status);
    } while (status.waiting > 2);
    assert_true(status.failing);
    limit_files(RLIM_INFINITY);
    do { /* and once there is space, the film is written, too */
        assert_true(uv_hrtime() < end);
        usleep(1000);
        store_status(store, &status);
    } while (status.failing);
    assert_true(store_close(store, 60));
    assert_read(store_recording, "FK72MX", value);
    free(value);
    free(big);
}

static ssize_t write_nothing(int file, const void *bytes, size_t size, off_t offset)
{
    (void)file;
    (void)bytes;
    (void)size;
    (void)offset;
    errno = ENOSPC;
    return -1;
}

/* flockd starts on a disk that has no space to remove the pieces of a value. */
static void test_a_start_on_a_full_disk_leaves_pieces(void **state)
{
    (void)state;
    value = make_bytes(FILM_SIZE, 1);
    put_and_die(put_film);
    replace_write((sqlite3_syscall_ptr)write_nothing);
    assert_string_equal(contents(), "");
    replace_write(NULL);
    assert_int_equal(number_of("SELECT count(*) FROM recording"), 3);
    assert_string_equal(contents(), "");
    assert_int_equal(number_of("SELECT count(*) FROM recording"), 0);
    free(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(test_on_a_slow_disk_no_commit_writes_a_large_value),
        store_test(test_no_commit_gives_a_large_value_back),
        store_test(test_a_trusted_room_comes_between_the_pieces_of_a_film),
        store_test(test_a_trusted_room_comes_between_the_pieces_of_a_trusted_film),
        store_test(test_a_film_that_is_not_complete_is_removed),
        store_test(test_a_past_remains_until_the_next_one_is_complete),
        store_test(test_a_room_ends_between_the_pieces_of_its_film),
        store_test(test_newer_pasts_wait_until_one_is_complete),
        store_test(test_a_film_that_does_not_fit_delays_no_trusted_room),
        store_test(test_a_start_on_a_full_disk_leaves_pieces),
    };

    return cmocka_run_group_tests_name("store, pieces of large values", tests, NULL, NULL);
}
