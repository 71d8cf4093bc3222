/* Damaged files of a store, databases of others, and unusable folders. The store sets damaged files
 * aside, and changes no other. */
#include "store_rooms.h"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Reserves a code, and ends in the middle of a change of many pages. SQLite has written some of
 * these pages twice, so that their checksums do not fit. */
static void die_in_a_change(void)
{
    struct store *store = open_store();
    char path[128];

    put(store, "lobby", "a state");
    assert_true(store_close(store, 10));
    snprintf(path, sizeof path, "%s/" STORE_FILE, folder);
    if (fork() == 0) {
        sqlite3 *db;
        bool done = sqlite3_open(path, &db) == SQLITE_OK &&
                    sqlite3_exec(db,
                                 "PRAGMA cache_size = 4;"
                                 "INSERT INTO code VALUES ('KK22MX', 4000000000);"
                                 "BEGIN;"
                                 "CREATE TABLE junk (a, b);"
                                 "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                                 "LIMIT 200) INSERT INTO junk SELECT i, zeroblob(3000) FROM n;"
                                 "UPDATE junk SET b = randomblob(3000) WHERE a % 3 = 0;"
                                 "UPDATE junk SET b = randomblob(3000) WHERE a % 5 = 0;",
                                 NULL, NULL, NULL) == SQLITE_OK;
        _exit(done ? 0 : 1);
    }
    int status;
    wait(&status);
    assert_int_equal(status, 0);
}

static void test_an_unfinished_change_of_many_pages_is_no_damage(void **state)
{
    struct store *store;

    (void)state;
    die_in_a_change();
    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    assert_true(store_close(store, 10));
    assert_int_equal(files_named(STORE_FILE "*damaged*"), 0);
    assert_string_equal(contents(), "KK22MX@4000000000 lobby=a state ");
}

/* The first page of the log is the reserved code, and the unfinished one is behind it. */
static void test_a_damaged_change_before_an_unfinished_one_is_noticed(void **state)
{
    (void)state;
    die_in_a_change();
    (void)damage_log(32 + 24 + 100, 1);
    assert_log_is_noticed("-wal is damaged (page 1 of it)");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(test_a_damaged_file_is_set_aside),
        store_test(test_a_damaged_header_of_the_log_is_noticed),
        store_test(test_a_damaged_page_of_the_log_is_noticed),
        store_test(test_a_damaged_rest_of_the_log_is_noticed),
        store_test(test_a_torn_end_of_the_log_is_no_damage),
        store_test(test_an_unfinished_change_of_many_pages_is_no_damage),
        store_test(test_a_damaged_change_before_an_unfinished_one_is_noticed),
        store_test(test_a_newer_or_foreign_database_is_unchanged),
        store_test(test_the_error_names_an_unusable_folder),
    };

    return cmocka_run_group_tests_name("store, damaged files", tests, NULL, NULL);
}
