/* Lists whose entries contain their links. */
#include "base/list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct letter {
    char text;
    struct list_item item;
};

static struct letter letters[5];

static int begin(void **state)
{
    (void)state;
    memset(letters, 0, sizeof letters);
    for (size_t i = 0; i < 5; i++) {
        letters[i].text = (char)('a' + i);
    }
    return 0;
}

/* Reads the list in both directions. */
static void assert_list(const struct list *list, const char *expected)
{
    const size_t length = strlen(expected);
    size_t i = 0;

    for (const struct list_item *at = list->first; at != NULL; at = at->next) {
        assert_true(i < length);
        assert_int_equal(list_entry(at, struct letter, item)->text, expected[i++]);
    }
    assert_int_equal(i, length);
    for (const struct list_item *at = list->last; at != NULL; at = at->previous) {
        assert_int_equal(list_entry(at, struct letter, item)->text, expected[--i]);
    }
    assert_int_equal(i, 0);
}

static void append_all(struct list *list)
{
    for (size_t i = 0; i < 5; i++) {
        list_append(list, &letters[i].item);
    }
}

static void test_order(void **state)
{
    struct list list = {0};

    (void)state;
    assert_list(&list, "");
    append_all(&list);
    assert_list(&list, "abcde");
    assert_ptr_equal(list_take(&list), &letters[0].item);
    assert_list(&list, "bcde");
    list_append(&list, &letters[0].item);
    assert_list(&list, "bcdea");
}

static void test_insert_anywhere(void **state)
{
    struct list list = {0};

    (void)state;
    list_insert(&list, NULL, &letters[1].item);
    list_insert(&list, NULL, &letters[0].item);
    list_insert(&list, &letters[1].item, &letters[3].item);
    list_insert(&list, &letters[1].item, &letters[2].item);
    assert_list(&list, "abcd");
}

static void test_remove_first_middle_last_and_only(void **state)
{
    struct list list = {0};

    (void)state;
    append_all(&list);
    list_remove(&list, &letters[2].item);
    assert_list(&list, "abde");
    list_remove(&list, &letters[0].item);
    assert_list(&list, "bde");
    list_remove(&list, &letters[4].item);
    assert_list(&list, "bd");
    list_remove(&list, &letters[1].item);
    list_remove(&list, &letters[3].item);
    assert_list(&list, "");
    assert_null(list_take(&list));
}

static void test_an_item_knows_whether_it_is_in_the_list(void **state)
{
    struct list list = {0};

    (void)state;
    assert_false(list_has(&list, &letters[0].item));
    append_all(&list);
    for (size_t i = 0; i < 5; i++) {
        assert_true(list_has(&list, &letters[i].item));
    }
    for (size_t i = 0; i < 5; i++) {
        list_remove(&list, &letters[i].item);
        assert_false(list_has(&list, &letters[i].item));
    }
}

static void test_join(void **state)
{
    struct list list = {0}, more = {0};

    (void)state;
    list_join(&list, &more);
    assert_list(&list, "");
    list_append(&more, &letters[0].item);
    list_append(&more, &letters[1].item);
    list_join(&list, &more);
    assert_list(&list, "ab");
    assert_list(&more, "");
    list_append(&more, &letters[2].item);
    list_join(&list, &more);
    assert_list(&list, "abc");
    list_join(&list, &more);
    assert_list(&list, "abc");
    list_append(&list, &letters[3].item);
    assert_list(&list, "abcd");
}

static void test_no_entry_of_no_item(void **state)
{
    (void)state;
    assert_null(list_entry(NULL, struct letter, item));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_order, begin),
        cmocka_unit_test_setup(test_insert_anywhere, begin),
        cmocka_unit_test_setup(test_remove_first_middle_last_and_only, begin),
        cmocka_unit_test_setup(test_an_item_knows_whether_it_is_in_the_list, begin),
        cmocka_unit_test_setup(test_join, begin),
        cmocka_unit_test_setup(test_no_entry_of_no_item, begin),
    };
    return cmocka_run_group_tests_name("list", tests, NULL, NULL);
}
