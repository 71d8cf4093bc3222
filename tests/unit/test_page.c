/* The page's files in a folder with other files. */
#include "net/http/page.h"

#include "test_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[TEST_FOLDER_SIZE];
static struct page page;
static char error[1400];

static const char *path_of(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *content)
{
    FILE *file = fopen(path_of(name), "we");

    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

/* Files that every folder needs. */
static void put_pages(void)
{
    put("index.html", "room");
    put("start.html", "start");
}

static int make(void **state)
{
    (void)state;
    return test_folder_make(folder, "flockd-page") ? 0 : -1;
}

/* Removes the folder, its files and its empty folders. */
static int clean(void **state)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;

    (void)state;
    page_free(&page);
    if (directory == NULL) {
        return -1;
    }
    while ((entry = readdir(directory)) != NULL) {
        unlinkat(dirfd(directory), entry->d_name, 0);
        unlinkat(dirfd(directory), entry->d_name, AT_REMOVEDIR);
    }
    closedir(directory);
    return rmdir(folder);
}

static bool load(void)
{
    error[0] = '\0';
    return page_load(&page, folder, error, sizeof error);
}

static void assert_body(const char *path, const char *content)
{
    const struct page_file *file = page_route(&page, path);

    assert_non_null(file);
    assert_int_equal(file->plain.size, strlen(content));
    assert_memory_equal(file->plain.bytes + PAGE_HEADROOM, content, strlen(content));
}

static void assert_not_found(const char *path)
{
    assert_null(page_route(&page, path));
}

/* Asserts a line that names the folder or the file, and its fault. */
static void assert_load_fails(const char *names, const char *says)
{
    assert_false(load());
    if (strstr(error, names) == NULL || strstr(error, says) == NULL ||
        strchr(error, '\n') != NULL) {
        fail_msg("expected '%s' and '%s' in: %s", names, says, error);
    }
    assert_int_equal(page.count, 0);
}

static void test_lookup(void **state)
{
    (void)state;
    put_pages();
    put("app-9242a3e2ec.js", "1;");
    assert_true(load());
    assert_body("/", "start");
    assert_body("/r/lobby", "room");
    assert_body("/r/fk7-2mx", "room");
    assert_body("/r/fk7%202mx", "room");
    assert_body("/app-9242a3e2ec.js", "1;");
    for (const char *const *path = (const char *const[]){"",
                                                         "index.html",
                                                         "/index.html",
                                                         "/start.html",
                                                         "r/lobby",
                                                         "/r",
                                                         "/r/",
                                                         "/r//",
                                                         "/r/lobby/",
                                                         "/r/app-9242a3e2ec.js/x",
                                                         "/R/lobby",
                                                         "//r/lobby",
                                                         "//",
                                                         "/.",
                                                         "/..",
                                                         "app-9242a3e2ec.js",
                                                         "/APP-9242A3E2EC.JS",
                                                         "/app-9242a3e2ec.j",
                                                         "/app-9242a3e2ec.js/",
                                                         "/app-9242a3e2ec.js?",
                                                         "//app-9242a3e2ec.js",
                                                         "/./app-9242a3e2ec.js",
                                                         "/../app-9242a3e2ec.js",
                                                         "/etc/passwd",
                                                         "/%2e",
                                                         NULL};
         *path != NULL; path++) {
        assert_not_found(*path);
    }
}

static void test_media_types(void **state)
{
    static const char *const types[][2] = {
        {"index.html", "text/html; charset=utf-8"},
        {"a.js", "text/javascript; charset=utf-8"},
        {"a.css", "text/css; charset=utf-8"},
        {"a.svg", "image/svg+xml"},
        {"a.png", "image/png"},
        {"a.ico", "image/x-icon"},
        {"a.webmanifest", "application/manifest+json"},
        {"a.js.map", "application/json"},
        {"a.txt", "text/plain; charset=utf-8"},
        {"a.exe", "application/octet-stream"},
        {"js", "application/octet-stream"},
    };

    (void)state;
    put_pages();
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        put(types[i][0], "x");
    }
    assert_true(load());
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        assert_string_equal(page_find(&page, types[i][0])->type, types[i][1]);
    }
}

static void test_gzip_belongs_to_its_file(void **state)
{
    const struct page_file *file;

    (void)state;
    put_pages();
    put("index.html", "plain");
    put("index.html.gz", "compressed");
    put("other.js", "x");
    put("alone.js.gz", "nothing beside it");
    assert_true(load());
    file = page_route(&page, "/r/lobby");
    assert_body("/r/lobby", "plain");
    assert_int_equal(file->gzip.size, strlen("compressed"));
    assert_memory_equal(file->gzip.bytes + PAGE_HEADROOM, "compressed", file->gzip.size);
    assert_string_equal(file->type, "text/html; charset=utf-8");
    assert_null(page_find(&page, "other.js")->gzip.bytes);
    assert_not_found("/index.html.gz");
    assert_not_found("/alone.js");
    assert_not_found("/alone.js.gz");
}

static void test_etag_is_of_the_content(void **state)
{
    char before[24];

    (void)state;
    put_pages();
    put("index.html", "one");
    put("same.html", "one");
    put("other.html", "two");
    assert_true(load());
    snprintf(before, sizeof before, "%s", page_find(&page, "index.html")->etag);
    assert_int_equal(strlen(before), 20);
    assert_memory_equal(before, "W/\"", 3);
    assert_int_equal(before[19], '"');
    assert_string_equal(before, page_find(&page, "same.html")->etag);
    assert_string_not_equal(before, page_find(&page, "other.html")->etag);
    page_free(&page);
    put("index.html", "ono");
    assert_true(load());
    assert_string_not_equal(before, page_find(&page, "index.html")->etag);
}

static void test_immutable_names(void **state)
{
    static const struct {
        const char *name;
        bool immutable;
    } names[] = {
        {"app-9242a3e2ec.js", true},
        {"a-b-00000000.css", true},
        {"app-9242a3e2ec.js.map", true},
        {"-9242a3e2ec.js", true},
        {"app.js", false},
        {"index.html", false},
        {"touch-background.png", false},
        {"our-beginnings.html", false},
        {"app-9242a3e.js", false},
        {"app-9242a3e2ec", false},
        {"9242a3e2ec.js", false},
        {"app-9242a3e2ec-.js", false},
        {"app-9242A3E2EC.js", false},
        {"app-9242a3e2ecg.js", false},
    };

    (void)state;
    put_pages();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        put(names[i].name, "x");
    }
    assert_true(load());
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(page_find(&page, names[i].name)->immutable, names[i].immutable);
    }
}

static void test_empty_file(void **state)
{
    (void)state;
    put_pages();
    put("start.html", "");
    assert_true(load());
    assert_body("/", "");
}

static void test_no_page(void **state)
{
    (void)state;
    assert_load_fails(folder, "has no index.html");
    put("main.js", "x");
    assert_load_fails(folder, "has no index.html");
    put("index.html.gz", "x");
    assert_load_fails(folder, "has no index.html");
    assert_int_equal(mkdir(path_of("index.html"), 0755), 0);
    assert_load_fails(folder, "has no index.html");
    assert_int_equal(rmdir(path_of("index.html")), 0);
    put("index.html", "x");
    assert_load_fails(folder, "has no start.html");
}

static void test_no_folder(void **state)
{
    (void)state;
    put("index.html", "x");
    assert_false(page_load(&page, path_of("index.html"), error, sizeof error));
    assert_non_null(strstr(error, path_of("index.html")));
    assert_non_null(strstr(error, "Not a directory"));
    assert_false(page_load(&page, path_of("none"), error, sizeof error));
    assert_non_null(strstr(error, path_of("none")));
    assert_non_null(strstr(error, "No such file or directory"));
}

static void test_too_large(void **state)
{
    (void)state;
    put_pages();
    put("large.js", "");
    assert_int_equal(truncate(path_of("large.js"), PAGE_SIZE_MAX), 0);
    assert_true(load());
    assert_int_equal(page_find(&page, "large.js")->plain.size, PAGE_SIZE_MAX);
    page_free(&page);
    assert_int_equal(truncate(path_of("large.js"), PAGE_SIZE_MAX + 1), 0);
    assert_load_fails("large.js", "expected at most 4194304");
    assert_int_equal(truncate(path_of("large.js"), INT64_C(1) << 40), 0);
    assert_load_fails("large.js", "1099511627776 bytes");
}

static void test_too_many(void **state)
{
    char name[32];

    (void)state;
    put_pages();
    for (int i = 2; i < PAGE_FILES_MAX; i++) {
        snprintf(name, sizeof name, "%d.js", i);
        put(name, "x");
        snprintf(name, sizeof name, "%d.js.gz", i);
        put(name, "x");
    }
    assert_true(load());
    page_free(&page);
    put("one-more.js", "x");
    assert_load_fails(folder, "more than 128 files");
}

/* Files that do not belong to a page are not served. The other files are. */
static void test_odd_names(void **state)
{
    static const char *const odd[] = {".hidden", ".gz",     "a b.js", "a%20.js",  "ü.js",
                                      "a?b",     "a\nb.js", "a<b>",   "~backup~", "a:b"};
    char longest[PAGE_NAME_MAX + 1] = "/";
    char path[256];

    (void)state;
    put_pages();
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        put(odd[i], "x");
    }
    memset(path, 'l', sizeof path);
    path[PAGE_NAME_MAX] = '\0';
    put(path, "too long");
    path[PAGE_NAME_MAX - 1] = '\0';
    put(path, "longest");
    memcpy(longest + 1, path, PAGE_NAME_MAX - 1);
    assert_true(load());
    assert_int_equal(page.count, 3);
    assert_body(longest, "longest");
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        snprintf(path, sizeof path, "/%s", odd[i]);
        assert_not_found(path);
    }
}

/* Opening a fifo without a writer would hang. */
static void test_only_files_are_read(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    (void)state;
    put_pages();
    put("real.js", "real");
    assert_int_equal(mkfifo(path_of("fifo.js"), 0600), 0);
    assert_int_equal(mkdir(path_of("folder.js"), 0755), 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket.js", folder);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    close(fd);
    assert_int_equal(symlink("real.js", path_of("link.js")), 0);
    assert_int_equal(symlink("fifo.js", path_of("link-to-fifo.js")), 0);
    assert_int_equal(symlink("none", path_of("dangling.js")), 0);
    assert_int_equal(symlink("loop.js", path_of("loop.js")), 0);
    assert_int_equal(symlink("/dev/zero", path_of("zero.js")), 0);
    assert_true(load());
    assert_int_equal(page.count, 4);
    assert_body("/link.js", "real");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, clean)
    const struct CMUnitTest tests[] = {
        TEST(test_lookup),
        TEST(test_media_types),
        TEST(test_gzip_belongs_to_its_file),
        TEST(test_etag_is_of_the_content),
        TEST(test_immutable_names),
        TEST(test_empty_file),
        TEST(test_no_page),
        TEST(test_no_folder),
        TEST(test_too_large),
        TEST(test_too_many),
        TEST(test_odd_names),
        TEST(test_only_files_are_read),
    };
    return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
