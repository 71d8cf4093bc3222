/* The rooms that the user joined last: their file, and what a server says about its rooms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/net/history.h"
#include "term/net/listing.h"
#include "test_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[TEST_FOLDER_SIZE];
static char path[256];
static struct term_history history;

static int make_folder(void **state)
{
    (void)state;
    if (!test_folder_make(folder, "flock-history")) {
        return -1;
    }
    snprintf(path, sizeof path, "%s/flock-term/rooms", folder);
    return setenv("XDG_STATE_HOME", folder, 1);
}

static int remove_folder(void **state)
{
    char inner[256];
    (void)state;
    unlink(path);
    snprintf(inner, sizeof inner, "%s/flock-term", folder);
    rmdir(inner);
    return rmdir(folder);
}

static int forget_all(void **state)
{
    (void)state;
    unlink(path);
    term_history_open(&history);
    return 0;
}

static void visit(const char *address, const char *title)
{
    struct term_target target = {0};
    assert_null(term_target_parse(&target, address));
    term_history_visit(&history, &target, title);
}

static void the_newest_room_is_first(void **state)
{
    (void)state;
    assert_int_equal(history.count, 0);
    visit("http://a.org/r/FK72MX#key=abc", "Bees at noon");
    visit("http://a.org/r/lobby", "");
    term_history_open(&history);
    assert_int_equal(history.count, 2);
    assert_string_equal(history.visits[0].address, "http://a.org/r/lobby");
    assert_string_equal(history.visits[0].title, "lobby");
    assert_string_equal(history.visits[1].address, "http://a.org/r/FK72MX#key=abc");
    assert_string_equal(history.visits[1].title, "Bees at noon");
    assert_string_equal(history.visits[1].note, "a.org");
}

static void only_the_user_can_read_the_file(void **state)
{
    struct stat found;
    (void)state;
    visit("http://a.org/r/lobby", "");
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    chmod(path, 0644);
    visit("http://a.org/r/lobby", "again");
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
}

static void a_room_has_one_line_and_keeps_its_keys(void **state)
{
    (void)state;
    visit("http://a.org/r/FK72MX#key=abc", "Bees");
    visit("http://a.org/r/lobby", "");
    visit("http://a.org/r/fk7-2mx#join=open-up", "Terns");
    assert_int_equal(history.count, 2);
    assert_string_equal(history.visits[0].address, "http://a.org/r/FK72MX#key=abc&join=open-up");
    assert_string_equal(history.visits[0].title, "Terns");
    visit("https://a.org/r/fk7-2mx", ""); /* another server */
    assert_int_equal(history.count, 3);
}

static void old_rooms_are_forgotten(void **state)
{
    char address[64];
    (void)state;
    for (int i = 0; i < 30; i++) {
        snprintf(address, sizeof address, "http://a.org:%d/r/lobby", 1000 + i);
        visit(address, "");
    }
    term_history_open(&history);
    assert_int_equal(history.count, TERM_HISTORY_MAX);
    assert_string_equal(history.visits[0].address, "http://a.org:1029/r/lobby");
}

static void malformed_lines_are_left_out(void **state)
{
    (void)state;
    visit("http://a.org/r/lobby", "");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("nonsense\nftp://a.org/r/lobby x\nhttp://a.org/ no room\nhttp://b.org/r/FK72MX Bees\n"
          "http://b.org/r/FK72MX#key=Bad x\n",
          file);
    for (int i = 0; i < 3000; i++) {
        fputc('x', file);
    }
    fputs("\nhttp://c.org/r/lobby \n", file);
    fclose(file);
    term_history_open(&history);
    assert_int_equal(history.count, 2);
    assert_string_equal(history.visits[0].title, "Bees");
    assert_string_equal(history.visits[1].address, "http://c.org/r/lobby");
}

static void without_a_folder_rooms_are_remembered_until_the_end(void **state)
{
    (void)state;
    setenv("XDG_STATE_HOME", "/proc/none", 1);
    term_history_open(&history);
    visit("http://a.org/r/lobby", "");
    assert_int_equal(history.count, 1);
    setenv("XDG_STATE_HOME", folder, 1);
}

static void a_server_lists_rooms(void **state)
{
    static struct term_listing listing;
    (void)state;
    assert_true(term_listing_read(
        &listing,
        "{\"rooms\":[{\"code\":\"lobby\",\"title\":\"\",\"model\":\"swarm\",\"people\":1,"
        "\"boids\":12},{\"code\":\"FK72MX\",\"title\":\"Bees\",\"preset\":\"bees\",\"people\":2,"
        "\"boids\":1,\"locked\":true},{\"code\":\"a_b\"},7],\"create\":\"open\",\"presets\":["
        "{\"name\":\"bees\",\"text\":\"A cloud\"},{\"name\":\"\"}]}"));
    assert_int_equal(listing.room_count, 2);
    assert_string_equal(listing.rooms[0].title, "lobby");
    assert_string_equal(listing.rooms[0].note, "swarm, 1 person, 12 boids");
    assert_string_equal(listing.rooms[1].title, "Bees");
    assert_string_equal(listing.rooms[1].note, "bees, 2 people, 1 boid, locked");
    assert_int_equal(listing.preset_count, 1);
    assert_string_equal(listing.presets[0].value, "bees");
    assert_true(listing.may_create);
    assert_false(term_listing_read(&listing, "{\"rooms\":7}"));
    assert_false(term_listing_read(&listing, "[1,"));
    assert_int_equal(listing.room_count, 2);
}

static void a_server_makes_a_room_or_says_why_not(void **state)
{
    char text[200];
    char code[PROTO_ROOM_MAX + 1];
    char key[PROTO_KEY_MAX + 1];
    (void)state;
    term_listing_ask(text, sizeof text, "");
    assert_string_equal(text, "{}");
    term_listing_ask(text, sizeof text, "Slow \"bees\"");
    assert_string_equal(text, "{\"preset\":\"Slow \\\"bees\\\"\"}");
    assert_true(term_listing_made("{\"code\":\"FK72MX\",\"key\":\"abc\"}", code, key));
    assert_string_equal(code, "FK72MX");
    assert_string_equal(key, "abc");
    assert_false(term_listing_made("{\"code\":\"\"}", code, key));
    assert_false(term_listing_made("", code, key));
    assert_true(term_listing_refusal("{\"error\":{\"message\":\"no place\"}}", text, sizeof text));
    assert_string_equal(text, "no place");
    assert_false(term_listing_refusal("<html>", text, sizeof text));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, forget_all)
    const struct CMUnitTest tests[] = {
        TEST(the_newest_room_is_first),
        TEST(only_the_user_can_read_the_file),
        TEST(a_room_has_one_line_and_keeps_its_keys),
        TEST(old_rooms_are_forgotten),
        TEST(malformed_lines_are_left_out),
        TEST(without_a_folder_rooms_are_remembered_until_the_end),
        TEST(a_server_lists_rooms),
        TEST(a_server_makes_a_room_or_says_why_not),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
