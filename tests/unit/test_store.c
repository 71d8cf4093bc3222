/* The store keeps rooms for the next process, for any end of this one. It reports failed writes and
 * loses no room. No thread waits for the disk. */
#include "store/store.h"

#include <dirent.h>
#include <fnmatch.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "store_folder.h"

static char text[STORE_REASON_MAX];

static struct store *open_store(void)
{
    struct store *store;

    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    assert_true(store_start(store, NULL));
    return store;
}

static void put(struct store *store, const char *code, const char *state)
{
    struct store_room room = {.saved_at = 1700000000, .fingerprint = UINT64_MAX, .listed = true};

    snprintf(room.code, sizeof room.code, "%s", code);
    room.size = strlen(state);
    room.state = (uint8_t *)strdup(state);
    assert_true(store_put(store, &room));
}

/* The contents of a store: "CODE=state " for each room, then "CODE@until " for each reserved
 * code. */
static char found[1024];

static void take(void *argument, const struct store_room *room)
{
    size_t used = strlen(found);

    (void)argument;
    assert_int_equal(room->saved_at, 1700000000);
    assert_true(room->fingerprint == UINT64_MAX);
    assert_true(room->listed);
    snprintf(found + used, sizeof found - used, "%s=%.*s ", room->code, (int)room->size,
             (const char *)room->state);
}

static void rest(void *argument, const char *code, uint64_t until)
{
    size_t used = strlen(found);

    (void)argument;
    snprintf(found + used, sizeof found - used, "%s@%llu ", code, (unsigned long long)until);
}

static const char *contents(void)
{
    struct store *store;

    found[0] = '\0';
    store_open(folder, &store, text);
    assert_string_equal(text, "");
    assert_true(store_read(store, take, rest, NULL, text));
    assert_true(store_close(store, 1));
    return found;
}

/* Waits until all rooms are written, or a write fails. */
static struct store_status settled(struct store *store)
{
    struct store_status status;
    uint64_t end = uv_hrtime() + UINT64_C(60000000000);

    do {
        assert_true(uv_hrtime() < end);
        usleep(1000);
        store_status(store, &status);
    } while (status.waiting > 0 && !status.failing);
    return status;
}

static void test_stored_rooms_are_there_after_a_restart(void **state)
{
    struct store *store = open_store();

    (void)state;
    put(store, "lobby", "first");
    put(store, "FK72MX", "second");
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "FK72MX=second lobby=first ");
}

static void test_other_users_cannot_read_the_database(void **state)
{
    static const char *const names[] = {STORE_FILE, STORE_FILE "-wal", STORE_FILE "-ended"};
    struct store *store = open_store();
    struct stat status;
    char path[128];

    (void)state;
    put(store, "lobby", "secret");
    settled(store);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_mode & 0777, 0600);
    }
    assert_true(store_close(store, 10));
}

static void test_the_newest_counts(void **state)
{
    struct store *store = open_store();

    (void)state;
    for (int i = 0; i < 100; i++) {
        char bytes[16];
        snprintf(bytes, sizeof bytes, "%d", i);
        put(store, "lobby", bytes);
    }
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "lobby=99 ");
}

static void test_an_ended_room_is_removed_and_its_code_reserved(void **state)
{
    struct store *store = open_store();

    (void)state;
    put(store, "FK72MX", "one");
    settled(store);
    put(store, "FK72MX", "more");
    assert_true(store_end(store, "FK72MX", 4000000000));
    put(store, "KK22MX", "the next room");
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "FK72MX@4000000000 KK22MX=the next room ");
}

static void test_expired_codes_are_removed(void **state)
{
    struct store *store = open_store();

    (void)state;
    assert_true(store_end(store, "FK72MX", 1000));
    assert_true(store_end(store, "KK22MX", 4000000000));
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "KK22MX@4000000000 ");
}

/* A process is killed while it writes at full speed. All confirmed writes exist. */
static void test_a_kill_loses_no_written_room(void **state)
{
    (void)state;
    for (int round = 0; round < 10; round++) {
        int pipes[2];
        assert_int_equal(pipe(pipes), 0);
        pid_t child = fork();
        if (child == 0) {
            struct store *store = open_store();
            for (uint32_t i = 1;; i++) {
                char bytes[16];
                snprintf(bytes, sizeof bytes, "%u", i);
                put(store, "lobby", bytes);
                settled(store);
                if (write(pipes[1], &i, sizeof i) != sizeof i) {
                    _exit(1);
                }
            }
        }
        close(pipes[1]);
        uint32_t last = 0;
        for (int i = 0; i < 3 + round; i++) {
            assert_int_equal(read(pipes[0], &last, sizeof last), sizeof last);
        }
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        uint32_t more;
        while (read(pipes[0], &more, sizeof more) == sizeof more) {
            last = more;
        }
        close(pipes[0]);
        const char *now = contents();
        assert_memory_equal(now, "lobby=", strlen("lobby="));
        unsigned long kept = strtoul(now + strlen("lobby="), NULL, 10);
        assert_true(kept == last || kept == last + 1UL);
    }
}

static void test_a_second_process_cannot_open_the_store(void **state)
{
    struct store *store = open_store();
    struct store *second;

    (void)state;
    put(store, "lobby", "mine");
    assert_int_equal(store_open(folder, &second, text), STORE_FAILED);
    assert_null(second);
    assert_non_null(strstr(text, folder));
    assert_non_null(strstr(text, "another flockd is using it"));
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "lobby=mine ");
}

/* Replaces a file of the folder, or overwrites its beginning. */
static void scribble(const char *mode, const char *bytes, size_t size)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/" STORE_FILE, folder);
    file = fopen(path, mode);
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static unsigned files_named(const char *pattern)
{
    DIR *files = opendir(folder);
    const struct dirent *file;
    unsigned count = 0;

    assert_non_null(files);
    while ((file = readdir(files)) != NULL) {
        count += fnmatch(pattern, file->d_name, 0) == 0;
    }
    closedir(files);
    return count;
}

static void test_a_damaged_file_is_set_aside(void **state)
{
    static const char junk[8192] = "This is no database, and was never one. ";
    struct store *store = open_store();

    (void)state;
    put(store, "lobby", "lost to whoever wrote over it");
    assert_true(store_close(store, 10));
    scribble("r+", junk, sizeof junk);
    assert_int_equal(store_open(folder, &store, text), STORE_SET_ASIDE);
    assert_non_null(strstr(text, "damaged"));
    assert_non_null(strstr(text, folder));
    assert_int_equal(files_named(STORE_FILE ".damaged-*"), 1);
    assert_true(store_start(store, NULL));
    put(store, "lobby", "again");
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "lobby=again ");
}

/* Writes three rooms and is killed. The rooms are only in the log. */
static void write_and_die(void)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        struct store *store = open_store();
        for (uint32_t i = 0; i < 3; i++) {
            const char *const codes[] = {"lobby", "FK72MX", "KK22MX"};
            put(store, codes[i], "a state");
            settled(store);
        }
        _exit(0);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

/* Changes bytes of the log. Returns its size. */
static long damage_log(long at, size_t count)
{
    char path[128];
    FILE *file;
    long size;

    snprintf(path, sizeof path, "%s/" STORE_FILE "-wal", folder);
    file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size = ftell(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(fputc(0x5a, file), 0x5a);
    }
    assert_int_equal(fclose(file), 0);
    return size;
}

/* Asserts that changes are lost and logged, and that earlier rooms stay. */
static void assert_log_is_noticed(const char *what)
{
    struct store *store;

    assert_int_equal(store_open(folder, &store, text), STORE_LOST);
    if (strstr(text, what) == NULL || strstr(text, folder) == NULL) {
        fail_msg("%s", text);
    }
    assert_int_equal(files_named(STORE_FILE ".damaged-*-wal"), 1);
    assert_int_equal(files_named(STORE_FILE ".damaged-*"), 2);
    assert_true(store_start(store, NULL));
    put(store, "lobby", "again");
    assert_true(store_close(store, 10));
    assert_non_null(strstr(contents(), "lobby=again "));
    assert_int_equal(store_open(folder, &store, text),
                     STORE_OK); /* the second time without a problem */
    assert_true(store_close(store, 10));
}

static void test_a_damaged_header_of_the_log_is_noticed(void **state)
{
    (void)state;
    write_and_die();
    (void)damage_log(8, 4);
    assert_log_is_noticed("-wal is damaged (its header)");
}

static void test_a_damaged_page_of_the_log_is_noticed(void **state)
{
    (void)state;
    write_and_die();
    (void)damage_log(32 + 24 + 100, 1);
    assert_log_is_noticed("-wal is damaged (page 1 of it)");
}

/* Damage from a page to the end of the log, such as a bad part of a disk. */
static void test_a_damaged_rest_of_the_log_is_noticed(void **state)
{
    const long at = 32 + 24 + 100;

    (void)state;
    write_and_die();
    long size = damage_log(at, 1);
    (void)damage_log(at, (size_t)(size - at));
    assert_log_is_noticed("-wal is damaged (page 1 of it)");
}

/* A process that is killed, or a machine that loses power, leaves an unfinished change. */
static void test_a_torn_end_of_the_log_is_no_damage(void **state)
{
    struct store *store;
    char path[128];
    long size;

    (void)state;
    write_and_die();
    size = damage_log(0, 0);
    snprintf(path, sizeof path, "%s/" STORE_FILE "-wal", folder);
    (void)damage_log(size - 50, 50);
    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    assert_true(store_close(store, 10));
    assert_int_equal(files_named(STORE_FILE "*damaged*"), 0);
    assert_non_null(strstr(contents(), "lobby=a state "));
}

static void run_sql(const char *sql)
{
    char path[128];
    sqlite3 *db;

    snprintf(path, sizeof path, "%s/" STORE_FILE, folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void refuses(const char *reason)
{
    struct store *store;

    assert_int_equal(store_open(folder, &store, text), STORE_FAILED);
    assert_non_null(strstr(text, reason));
    assert_non_null(strstr(text, folder));
}

static void test_a_newer_or_foreign_database_is_unchanged(void **state)
{
    struct store *store = open_store();

    (void)state;
    put(store, "lobby", "of the future");
    assert_true(store_close(store, 10));
    run_sql("PRAGMA user_version = 99");
    refuses("written by a newer flockd");
    run_sql("PRAGMA user_version = 1; PRAGMA application_id = 5");
    refuses("a database of another program");
    run_sql("PRAGMA application_id = 1179405124");
    assert_string_equal(contents(), "lobby=of the future ");
    assert_int_equal(files_named(STORE_FILE "*damaged*"), 0);
}

static void test_the_error_names_an_unusable_folder(void **state)
{
    struct store *store;
    char inside[128];

    (void)state;
    scribble("w", "", 0);
    snprintf(inside, sizeof inside, "%s/" STORE_FILE, folder);
    assert_int_equal(store_open(inside, &store, text), STORE_FAILED);
    assert_non_null(strstr(text, "is not a folder"));
    snprintf(inside, sizeof inside, "%s/no/such", folder);
    assert_int_equal(store_open(inside, &store, text), STORE_FAILED);
    assert_non_null(strstr(text, "cannot be made"));
    snprintf(inside, sizeof inside, "%s/new", folder);
    assert_int_equal(store_open(inside, &store, text), STORE_OK);
    assert_true(store_close(store, 1));
}

/* Simulates a full disk with a limit on the size of files. */
static void limit_files(rlim_t size)
{
    struct rlimit limit;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_rooms_wait_while_writing_fails(void **state)
{
    struct store *store = open_store();
    struct store_status status;
    static char big[200000];

    (void)state;
    memset(big, 'x', sizeof big - 1);
    put(store, "lobby", "small");
    assert_false(settled(store).failing);
    limit_files(100000);
    put(store, "FK72MX", big);
    status = settled(store);
    limit_files(RLIM_INFINITY);
    assert_true(status.failing);
    assert_true(status.failures > 0);
    assert_non_null(strstr(status.reason, folder));
    put(store, "FK72MX", "smaller");
    do {
        usleep(1000);
        store_status(store, &status);
    } while (status.failing);
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "FK72MX=smaller lobby=small ");
}

/* A room that ends while large writes fail is not restored. */
static void test_rooms_end_while_writing_fails(void **state)
{
    struct store *store = open_store();
    struct store_status status;
    static char big[200000];

    (void)state;
    memset(big, 'x', sizeof big - 1);
    put(store, "FK72MX", "small");
    put(store, "KK22MX", "small, too");
    put(store, "lobby", "small");
    assert_false(settled(store).failing);
    limit_files(300000);
    put(store, "lobby", big);
    put(store, "MM22MX", big);
    put(store, "KK22MX", big);
    assert_true(settled(store).failing);
    assert_true(store_end(store, "FK72MX", 4000000000));
    assert_true(store_end(store, "KK22MX", 4000000000));
    do {
        usleep(1000);
        store_status(store, &status);
    } while (status.waiting > 2);
    assert_true(status.failing);
    (void)store_close(store, 10);
    limit_files(RLIM_INFINITY);
    assert_null(strstr(contents(), "FK72MX="));
    assert_null(strstr(contents(), "KK22MX="));
    assert_non_null(strstr(contents(), "lobby="));
}

/* Ends FK72MX in a process that can write nothing but the list of endings. */
static void end_on_a_full_disk(void)
{
    struct store *store = open_store();
    static char big[200000];

    memset(big, 'x', sizeof big - 1);
    put(store, "KK22MX", "lives");
    put(store, "FK72MX", big);
    assert_false(settled(store).failing);
    limit_files(131072);
    assert_true(store_end(store, "FK72MX", 4000000000));
    assert_false(store_close(store, 10));
    limit_files(RLIM_INFINITY);
}

static void change_file(const char *suffix, long at, char byte)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/" STORE_FILE "%s", folder, suffix);
    file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fputc(byte, file), byte);
    assert_int_equal(fclose(file), 0);
}

static void test_a_room_that_ends_on_a_full_disk_stays_ended(void **state)
{
    (void)state;
    end_on_a_full_disk();
    assert_string_equal(contents(), "FK72MX@4000000000 KK22MX=lives ");
    assert_string_equal(contents(), "FK72MX@4000000000 KK22MX=lives ");
    assert_true(store_close(open_store(), 10)); /* removes its row */
    assert_string_equal(contents(), "FK72MX@4000000000 KK22MX=lives ");
}

static void test_a_damaged_ending_is_ignored(void **state)
{
    (void)state;
    end_on_a_full_disk();
    change_file("-ended", 1, 'X');
    contents();
    assert_non_null(strstr(found, "FK72MX=x"));
}

static void count_room(void *argument, const struct store_room *room)
{
    (void)room;
    ++*(unsigned *)argument;
}

static void skip_code(void *argument, const char *code, uint64_t until)
{
    (void)argument;
    (void)code;
    (void)until;
}

/* An older flockd restores the room, because it ignores the list, and saves it again. */
static void test_an_ending_is_not_of_a_room_that_was_saved_again(void **state)
{
    struct store *store;
    char path[128];
    sqlite3 *db;
    unsigned rooms = 0;

    (void)state;
    end_on_a_full_disk();
    snprintf(path, sizeof path, "%s/" STORE_FILE, folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE room SET saved_at = 1800000000", NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    assert_true(store_read(store, count_room, skip_code, &rooms, text));
    assert_true(store_close(store, 1));
    assert_int_equal(rooms, 2);
}

/* The file of the database gives the space of ended rooms back to the disk. */
static void test_the_space_of_ended_rooms_is_free(void **state)
{
    struct store *store = open_store();
    struct stat status = {0};
    char path[128];
    uint64_t end = uv_hrtime() + UINT64_C(60000000000);
    char *big = malloc(8000000);

    (void)state;
    memset(big, 'x', 7999999);
    big[7999999] = '\0';
    snprintf(path, sizeof path, "%s/" STORE_FILE, folder);
    put(store, "lobby", "small");
    put(store, "FK72MX", big);
    free(big);
    (void)settled(store);
    assert_true(store_close(store, 10));
    assert_int_equal(stat(path, &status), 0);
    assert_true(status.st_size > 8000000);
    store = open_store();
    assert_true(store_end(store, "FK72MX", 4000000000));
    do {
        assert_true(uv_hrtime() < end);
        usleep(1000);
        assert_int_equal(stat(path, &status), 0);
    } while (status.st_size > 2000000);
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "FK72MX@4000000000 lobby=small ");
}

/* ---- a slow disk ---- */

static void test_no_caller_waits_for_the_disk(void **state)
{
    struct store_status status;
    struct store *store;

    (void)state;
    gate_disk();
    store = open_store();
    uv_mutex_lock(&gate);
    for (int i = 0; i < 1000; i++) { /* would never end if a call waited */
        char bytes[16];
        snprintf(bytes, sizeof bytes, "%d", i);
        put(store, "lobby", bytes);
        put(store, "FK72MX", bytes);
    }
    store_status(store, &status);
    assert_in_range(status.waiting, 2, 4); /* one copy is being written, and one waits */
    uv_mutex_unlock(&gate);
    assert_true(store_close(store, 10));
    ungate_disk();
    assert_string_equal(contents(), "FK72MX=999 lobby=999 ");
}

/* The newest bytes of each code wait, for any number of codes. */
static void test_thousands_of_rooms_wait(void **state)
{
    struct store_status status;
    struct store *store;
    char code[16];

    (void)state;
    gate_disk();
    store = open_store();
    uv_mutex_lock(&gate);
    for (int i = 0; i < 9000; i++) {
        snprintf(code, sizeof code, "ROOM%d", i % 3000);
        put(store, code, i < 6000 ? "older" : "newest");
    }
    for (int i = 1; i < 3000; i++) {
        snprintf(code, sizeof code, "ROOM%d", i);
        assert_true(store_end(store, code,
                              1000)); /* the reservation is over, so the store forgets the code */
    }
    store_status(store, &status);
    assert_in_range(status.waiting, 3000, 6000);
    uv_mutex_unlock(&gate);
    assert_true(store_close(store, 60));
    ungate_disk();
    assert_string_equal(contents(), "ROOM0=newest ");
}

/* ---- recordings ---- */

static atomic_uint released; /* number of recordings that the store no longer needs */

static void release(void *memory)
{
    (void)memory;
    released++;
}

static void put_recording(struct store *store, const char *code, const char *bytes)
{
    assert_true(store_put_recording(store, code,
                                    &(struct store_recording){.bytes = (const uint8_t *)bytes,
                                                              .size = strlen(bytes),
                                                              .release = release}));
}

static void put_playing(struct store *store, const char *code)
{
    struct store_room room = {.saved_at = 1700000000, .plays = true, .size = 4};

    snprintf(room.code, sizeof room.code, "%s", code);
    room.state = (uint8_t *)strdup("fine");
    assert_true(store_put(store, &room));
}

/* Asserts what the next process reads of that room; "": nothing. */
static void assert_read(uint8_t *read(struct store *, const char *, size_t *), const char *code,
                        const char *expected)
{
    struct store *store;
    size_t size = 0;

    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    uint8_t *bytes = read(store, code, &size);
    assert_int_equal(bytes != NULL ? size : 0, strlen(expected));
    assert_true(bytes == NULL || memcmp(bytes, expected, size) == 0);
    free(bytes);
    assert_true(store_close(store, 1));
}

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
    char path[128];
    sqlite3 *db;

    (void)state;
    put(store, "FK72MX", "a room");
    assert_true(store_close(store, 10));
    snprintf(path, sizeof path, "%s/" STORE_FILE, folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DROP TABLE recording", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_recording("FK72MX", "");
    assert_string_equal(contents(), "FK72MX=a room ");
}

/* ---- pasts ---- */

static atomic_uint packed;

static uint8_t *pack(void *memory, size_t *size)
{
    packed++;
    *size = strlen(memory);
    return (uint8_t *)strdup(memory);
}

static void put_past(struct store *store, const char *code, const char *bytes)
{
    struct store_past past = {.pack = pack, .release = release};

    past.memory = (void *)(uintptr_t)bytes; /* read only */
    assert_true(store_put_past(store, code, &past));
}

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
    char path[128];
    sqlite3 *db;

    (void)state;
    put(store, "FK72MX", "a room");
    put_past(store, "FK72MX", "its past");
    assert_true(store_close(store, 10));
    snprintf(path, sizeof path, "%s/" STORE_FILE, folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DROP TABLE past", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_past("FK72MX", "");
    store = open_store();
    put_past(store, "FK72MX", "its past");
    assert_true(store_close(store, 10));
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DELETE FROM room", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_past("FK72MX", "");
}

/* ---- --check-data ---- */

static bool is_fine(const uint8_t *state, size_t size, char *what, size_t capacity)
{
    bool fine = size > 3 && memcmp(state, "fine", 4) == 0;

    snprintf(what, capacity, "%s", fine ? "" : "its checksum does not fit");
    return fine;
}

static void test_a_check_lists_the_rooms(void **state)
{
    struct store *store = open_store();
    char *said = NULL;
    size_t size = 0;
    FILE *output = open_memstream(&said, &size);

    (void)state;
    put(store, "lobby", "fine");
    put_recording(store, "MK22MX", "fine, too");
    put_playing(store, "MK22MX");
    put(store, "MM22MX", "fine");
    put_past(store, "MM22MX", "fine past");
    assert_true(store_end(store, "KK22MX", 4000000000));
    assert_true(store_close(store, 10));
    assert_true(store_check(folder, is_fine, output, stderr));
    store = open_store();
    put(store, "FK72MX", "torn");
    put_recording(store, "MK22MX", "torn");
    put_past(store, "MM22MX", "torn");
    assert_true(store_close(store, 10));
    assert_false(store_check(folder, is_fine, output, stderr));
    fclose(output);
    assert_non_null(strstr(said, "lobby            4 bytes, kept 2023-11-14T22:13:20Z, listed\n"));
    assert_non_null(strstr(said, "14T22:13:20Z, plays a recording of 9 bytes\n"));
    assert_non_null(strstr(said, ": 3 rooms, 0 of them damaged; 1 reserved codes\n"));
    assert_non_null(strstr(said, ", its past of 9 bytes\n"));
    assert_non_null(strstr(said, ", its past of 4 bytes, damaged: its checksum does not fit\n"));
    assert_non_null(strstr(said, "damaged: its checksum does not fit\n"));
    assert_non_null(strstr(said, "plays a recording of 4 bytes, damaged: its checksum does not"));
    assert_non_null(strstr(said, ": 4 rooms, 3 of them damaged; 1 reserved codes\n"));
    free(said);
}

static void seal(uint8_t *state, size_t size)
{
    state[size - 1] = '!';
}

static void test_states_are_sealed_before_they_are_written(void **state)
{
    struct store *store;

    (void)state;
    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    assert_true(store_start(store, seal));
    put(store, "lobby", "open");
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "lobby=ope! ");
}

static void test_a_room_may_be_set_aside(void **state)
{
    struct store *store = open_store();

    (void)state;
    put(store, "lobby", "unreadable");
    assert_true(store_close(store, 10));
    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    store_set_aside(store, "lobby");
    assert_true(store_close(store, 1));
    assert_string_equal(contents(), "");
}

#define store_test(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(test_stored_rooms_are_there_after_a_restart),
        store_test(test_other_users_cannot_read_the_database),
        store_test(test_the_newest_counts),
        store_test(test_an_ended_room_is_removed_and_its_code_reserved),
        store_test(test_expired_codes_are_removed),
        store_test(test_a_kill_loses_no_written_room),
        store_test(test_a_second_process_cannot_open_the_store),
        store_test(test_a_damaged_file_is_set_aside),
        store_test(test_a_damaged_header_of_the_log_is_noticed),
        store_test(test_a_damaged_page_of_the_log_is_noticed),
        store_test(test_a_damaged_rest_of_the_log_is_noticed),
        store_test(test_a_torn_end_of_the_log_is_no_damage),
        store_test(test_a_newer_or_foreign_database_is_unchanged),
        store_test(test_the_error_names_an_unusable_folder),
        store_test(test_rooms_wait_while_writing_fails),
        store_test(test_no_caller_waits_for_the_disk),
        store_test(test_thousands_of_rooms_wait),
        store_test(test_a_recording_is_stored_while_a_room_plays_it),
        store_test(test_rooms_end_while_writing_fails),
        store_test(test_a_room_that_ends_on_a_full_disk_stays_ended),
        store_test(test_a_damaged_ending_is_ignored),
        store_test(test_an_ending_is_not_of_a_room_that_was_saved_again),
        store_test(test_the_space_of_ended_rooms_is_free),
        store_test(test_a_full_disk_keeps_no_recording_of_a_room_that_ended),
        store_test(test_an_older_database_has_no_recordings),
        store_test(test_the_newest_past_is_stored),
        store_test(test_a_past_ends_with_its_room),
        store_test(test_a_full_disk_delays_pasts_and_loses_no_room),
        store_test(test_an_older_database_has_no_pasts),
        store_test(test_a_check_lists_the_rooms),
        store_test(test_states_are_sealed_before_they_are_written),
        store_test(test_a_room_may_be_set_aside),
    };

    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
