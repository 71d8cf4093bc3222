/* The list of rooms: its order, which rooms a full one has, and when it is made. */
#include "net/api/api_choice.h"
#include "net/api/api_list.h"
#include "net/http/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/flock.h"

static struct directory_entry add_room(struct directory *directory, const char *code, bool in_list)
{
    struct directory_entry entry = {.model = flock_model_index(flock_model_find("swarm")),
                                    .listed = in_list};
    struct directory_added added;

    assert_int_equal(
        directory_add(directory, code, &(struct directory_creator){0}, 0, &entry, &added),
        DIRECTORY_OK);
    directory_open(directory, &entry);
    return entry;
}

/* Updates the list at that time. Returns whether it contains the text. */
static bool lists(struct api_list *list, struct directory *directory, uint64_t now,
                  const char *text)
{
    assert_true(api_list_renew(list, &(struct api_source){directory, NULL}, "open", now));
    return memmem(list->bytes + PAGE_HEADROOM, list->size, text, strlen(text)) != NULL;
}

/* A list is written again only after a change, and at the earliest after a time that grows with its
 * size. */
static void test_the_list_is_made_when_it_changes(void **state)
{
    const struct directory_limits limits = {.rooms_max = 10, .rooms_per_hour = 10};
    struct directory *directory = directory_create(&limits);
    struct room_facts facts = {.title = "Wasps", .model = 0, .people = 7};
    struct api_list list = {0};
    struct directory_entry first;
    struct directory_entry hidden;
    const uint8_t *made;
    uint64_t now = 1000000;

    (void)state;
    assert_true(lists(&list, directory, now, "\"rooms\":[]"));
    first = add_room(directory, "first", true);
    assert_true(lists(&list, directory, now, "\"first\"")); /* an empty one costs nothing */
    made = list.bytes;
    hidden = add_room(directory, "hidden", false);
    directory_update(directory, hidden.number, &facts);
    assert_false(lists(&list, directory, now += 1000000, "hidden"));
    assert_ptr_equal(list.bytes, made); /* nothing in it has changed */
    directory_update(directory, first.number, &facts);
    assert_true(lists(&list, directory, now, "\"people\":7"));
    facts.people = 8;
    directory_update(directory, first.number, &facts);
    assert_true(lists(&list, directory, now + API_LIST_TIME - 1, "\"people\":7"));
    assert_true(lists(&list, directory, now + API_LIST_TIME, "\"people\":8"));
    directory_list_room(directory, hidden.number, true);
    assert_true(lists(&list, directory, now += 1000000, "\"hidden\""));
    directory_list_room(directory, hidden.number, false);
    assert_false(lists(&list, directory, now += 1000000, "hidden"));
    directory_remove(directory, first.number, 0);
    assert_true(lists(&list, directory, now += 1000000, "\"rooms\":[]"));
    api_list_free(&list);
    directory_destroy(directory);
}

/* Adds listed rooms of a creator, whose titles are the letter and their numbers. */
static void add_rooms(struct directory *directory, char letter, uint64_t creator, uint32_t count)
{
    for (uint32_t i = 1; i <= count; i++) {
        struct directory_entry entry = {
            .listed = true, .creator = creator, .by_server = creator == 0};
        struct directory_added added;
        snprintf(entry.title, sizeof entry.title, "%c%u", letter, i);
        assert_int_equal(directory_add(directory, NULL,
                                       &(struct directory_creator){.number = creator}, 0, &entry,
                                       &added),
                         DIRECTORY_OK);
        directory_open(directory, &entry);
    }
}

/* Returns how many chosen rooms have a title that begins with the letter. */
static uint32_t count_of(const struct api_choice *choice, char letter)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < choice->count; i++) {
        count += choice->picks[i].entry.title[0] == letter;
    }
    return count;
}

static struct api_choice choose(struct directory *directory)
{
    struct api_choice choice;

    assert_true(api_choice_make(&(struct api_source){directory, NULL}, &choice));
    return choice;
}

static void assert_titles(const struct api_choice *choice, const char *expected)
{
    char titles[256] = "";

    for (uint32_t i = 0; i < choice->count; i++) {
        size_t length = strlen(titles);
        snprintf(titles + length, sizeof titles - length, "%s%s", i > 0 ? " " : "",
                 choice->picks[i].entry.title);
    }
    assert_string_equal(titles, expected);
}

static void test_the_list_begins_with_the_servers_rooms_and_takes_creators_in_turn(void **state)
{
    const struct directory_limits limits = {.rooms_max = 100, .rooms_per_hour = 100};
    struct directory *directory = directory_create(&limits);
    struct api_choice choice = choose(directory);

    (void)state;
    assert_titles(&choice, "");
    api_choice_free(&choice);
    add_rooms(directory, 'a', 7, 3);
    add_rooms(directory, 'b', 5, 1);
    add_rooms(directory, 's', 0, 2);
    add_rooms(directory, 'c', 9, 2);
    choice = choose(directory);
    assert_titles(&choice, "s1 s2 a1 b1 c1 a2 c2 a3");
    assert_int_equal(choice.listed, 8);
    api_choice_free(&choice);
    directory_destroy(directory);
}

/* 17 creators have 60 rooms each, as many as the list could hold. Others come later. */
static void test_a_full_list_is_shared_fairly(void **state)
{
    const struct directory_limits limits = {.rooms_max = 3000, .rooms_per_hour = 100};
    struct directory *directory = directory_create(&limits);
    struct api_choice choice;

    (void)state;
    for (uint32_t i = 0; i < 17; i++) {
        add_rooms(directory, (char)('A' + i), 100 + i, 60);
    }
    choice = choose(directory);
    assert_int_equal(choice.count, API_CHOICE_MAX);
    assert_int_equal(count_of(&choice, 'A'), 59); /* 1000 = 17 * 58 + 14 */
    assert_int_equal(count_of(&choice, 'N'), 59);
    assert_int_equal(count_of(&choice, 'O'), 58);
    assert_int_equal(count_of(&choice, 'Q'), 58);
    api_choice_free(&choice);
    add_rooms(directory, 'z', 3, 2);
    add_rooms(directory, 's', 0, 30);
    choice = choose(directory);
    assert_int_equal(choice.count, API_CHOICE_MAX);
    assert_int_equal(choice.listed, 17 * 60 + 2 + 30);
    assert_int_equal(count_of(&choice, 's'), 30);
    assert_int_equal(count_of(&choice, 'z'), 2);
    assert_int_equal(count_of(&choice, 'A'), 57); /* 968 = 17 * 56 + 16 */
    assert_int_equal(count_of(&choice, 'P'), 57);
    assert_int_equal(count_of(&choice, 'Q'), 56);
    assert_string_equal(choice.picks[0].entry.title, "s1");
    assert_string_equal(choice.picks[30].entry.title, "A1");
    assert_string_equal(choice.picks[47].entry.title, "z1");
    assert_string_equal(choice.picks[API_CHOICE_MAX - 1].entry.title, "P57");
    api_choice_free(&choice);
    add_rooms(directory, 't', 0, 1200);
    choice = choose(directory);
    assert_int_equal(count_of(&choice, 's') + count_of(&choice, 't'), API_CHOICE_MAX);
    api_choice_free(&choice);
    directory_destroy(directory);
}

/* Adds a listed room of that node to the routes of a cluster. Its title is its code. */
static void hear(struct routes *routes, const char *node, const char *code, uint64_t creator)
{
    struct directory_entry entry = {.listed = true, .creator = creator, .by_server = creator == 0};
    struct route_value value = {.incarnation = 1};
    struct route route;
    static uint64_t revision;

    snprintf(value.owner, sizeof value.owner, "%s", node);
    snprintf(entry.code, sizeof entry.code, "%s", code);
    snprintf(entry.title, sizeof entry.title, "%s", code);
    assert_true(routes_take_key(routes, code, &value, ++revision, &route));
    routes_take_facts(routes, node, 1, &entry);
}

static void test_the_list_of_a_cluster_takes_a_creator_as_one_on_all_nodes(void **state)
{
    struct routes *routes = routes_create("me");
    struct api_choice choice;

    (void)state;
    hear(routes, "me", "AAAAA2", 7);
    hear(routes, "you", "AAAAA3", 7);
    hear(routes, "you", "AAAAA4", 7);
    hear(routes, "you", "BBBBB2", 5);
    hear(routes, "you", "lobby", 0);
    hear(routes, "me", "BBBBB3", 5);
    assert_true(api_choice_make(&(struct api_source){NULL, routes}, &choice));
    assert_titles(&choice, "lobby AAAAA2 BBBBB2 AAAAA3 BBBBB3 AAAAA4");
    api_choice_free(&choice);
    routes_destroy(routes);
}

/* Each listed room makes the list a little older, also if it is not in it. */
static void test_a_long_list_is_made_less_often(void **state)
{
    const struct directory_limits limits = {.rooms_max = 3000, .rooms_per_hour = 100};
    struct directory *directory = directory_create(&limits);
    struct api_list list = {0};
    const uint64_t time = (1000 + 2000 / 8) * API_LIST_TIME;

    (void)state;
    add_rooms(directory, 'a', 1, 2000);
    assert_false(lists(&list, directory, 0, "\"s1\""));
    add_rooms(directory, 's', 0, 1);
    assert_false(lists(&list, directory, time - 1, "\"s1\""));
    assert_true(lists(&list, directory, time, "\"s1\""));
    api_list_free(&list);
    directory_destroy(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_list_is_made_when_it_changes),
        cmocka_unit_test(test_the_list_begins_with_the_servers_rooms_and_takes_creators_in_turn),
        cmocka_unit_test(test_a_full_list_is_shared_fairly),
        cmocka_unit_test(test_the_list_of_a_cluster_takes_a_creator_as_one_on_all_nodes),
        cmocka_unit_test(test_a_long_list_is_made_less_often),
    };

    return cmocka_run_group_tests_name("api_list", tests, NULL, NULL);
}
