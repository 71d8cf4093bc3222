/* Names beside cursors of the terminal client: how many, which first, and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/draw/names.h"

#include <string.h>

enum { CROWD = 30 };

static struct names names;

static int setup(void **state)
{
    (void)state;
    memset(&names, 0, sizeof names);
    return 0;
}

static void place(const struct names_cursor *cursors, uint32_t count, int columns, int rows)
{
    names_place(&names, cursors, count, columns, rows, (struct names_core){0});
}

/* Places cursors one below the other, in two columns. */
static void fill_columns(struct names_cursor cursors[CROWD])
{
    for (uint32_t i = 0; i < CROWD; i++) {
        cursors[i] = (struct names_cursor){i + 1, i < 15 ? 2 : 20, (int)(i % 15), 7, NAMES_OTHER};
    }
}

static void a_name_stands_beside_its_cursor(void **state)
{
    const struct names_cursor cursors[] = {{1, 10, 5, 6, NAMES_OTHER}, {2, 70, 8, 12, NAMES_OTHER}};
    (void)state;
    place(cursors, 2, 80, 23);
    const struct names_place *right = names_find(&names, 1);
    const struct names_place *left = names_find(&names, 2);
    assert_non_null(right);
    assert_non_null(left);
    assert_int_equal(right->column, 11);
    assert_int_equal(right->row, 5);
    assert_int_equal(left->column, 70 - 12); /* there is no room at its right */
    assert_null(names_find(&names, 3));
}

/* A flock whose middle is 20 dots around the cell 60, 20. */
static const struct names_core middle = {120, 80, 20};

static bool is_at_middle(uint32_t id)
{
    const struct names_place *place = names_find(&names, id);
    return place != NULL && place->row >= 17 && place->row <= 22 && place->column < 66 &&
           place->column + place->width > 54;
}

static void a_class_leaves_the_middle_of_the_flock_free(void **state)
{
    struct names_cursor cursors[CROWD];
    (void)state;
    for (uint32_t i = 0; i < CROWD; i++) {
        cursors[i] = (struct names_cursor){i + 1, (int)(13 * i % 90) + 15, (int)(7 * i % 40) + 3, 8,
                                           NAMES_OTHER};
    }
    cursors[0] = (struct names_cursor){1, 55, 20, 8, NAMES_OTHER};
    cursors[1] = (struct names_cursor){2, 56, 18, 8, NAMES_FIRST};
    names_place(&names, cursors, 6, 120, 49, middle);
    assert_true(is_at_middle(1)); /* few names do not hide it */
    names_place(&names, cursors, CROWD, 120, 49, middle);
    assert_true(names.count > 6);
    for (uint32_t i = 0; i < CROWD; i++) {
        assert_int_equal(is_at_middle(i + 1), i == 1); /* leaders have their names */
    }
}

static void names_cover_neither_names_nor_cursors(void **state)
{
    struct names_cursor cursors[CROWD];
    (void)state;
    for (uint32_t i = 0; i < CROWD; i++) {
        cursors[i] =
            (struct names_cursor){i + 1, (int)(7 * i % 40) + 20, (int)(i % 4) + 10, 9, NAMES_OTHER};
    }
    place(cursors, CROWD, 200, 49);
    assert_true(names.count > 0 && names.count < CROWD);
    for (uint32_t i = 0; i < names.count; i++) {
        const struct names_place *one = &names.places[i];
        for (uint32_t j = 0; j < i; j++) {
            const struct names_place *other = &names.places[j];
            assert_false(one->row == other->row && one->column < other->column + other->width &&
                         other->column < one->column + one->width);
        }
        for (uint32_t j = 0; j < CROWD; j++) {
            assert_false(cursors[j].row == one->row && cursors[j].column >= one->column &&
                         cursors[j].column < one->column + one->width);
        }
    }
}

static void a_small_picture_has_few_names(void **state)
{
    struct names_cursor cursors[CROWD];
    (void)state;
    fill_columns(cursors);
    place(cursors, CROWD, 40, 11);
    assert_int_equal(names.count, 3);
    setup(NULL);
    place(cursors, CROWD, 80, 23);
    assert_int_equal(names.count, 13);
}

static void leaders_come_first_then_people_near(void **state)
{
    struct names_cursor cursors[CROWD];
    (void)state;
    fill_columns(cursors);
    cursors[29].rank = NAMES_FIRST;
    cursors[28].rank = names_near(12, -4);
    cursors[27].rank = names_near(13, 0);
    place(cursors, CROWD, 40, 16);
    assert_int_equal(names.places[0].id, 30);
    assert_int_equal(names.places[1].id, 29);
    assert_null(names_find(&names, 28));
}

static void a_leader_has_a_name_even_in_a_crowd(void **state)
{
    struct names_cursor cursors[] = {{1, 10, 5, 6, NAMES_FIRST},
                                     {2, 12, 5, 6, NAMES_OTHER},
                                     {3, 8, 5, 6, NAMES_OTHER},
                                     {4, 12, 5, 6, NAMES_NEAR}};
    (void)state;
    place(cursors, 4, 80, 23);
    assert_non_null(names_find(&names, 1));
    assert_int_equal(names_find(&names, 1)->column, 11);
}

static void a_name_stays_while_it_can(void **state)
{
    struct names_cursor cursors[CROWD];
    (void)state;
    fill_columns(cursors);
    place(&cursors[20], 3, 40, 16);
    place(cursors, CROWD, 40, 16);
    assert_non_null(names_find(&names, 21));
    assert_non_null(names_find(&names, 22));
    assert_non_null(names_find(&names, 23));
    assert_int_equal(names.count, 4);
}

static void a_name_keeps_its_side(void **state)
{
    struct names_cursor cursor = {1, 75, 5, 8, NAMES_OTHER};
    (void)state;
    place(&cursor, 1, 80, 23);
    assert_true(names.places[0].left);
    cursor.column = 60;
    place(&cursor, 1, 80, 23);
    assert_true(names.places[0].left);
    cursor.column = 3;
    place(&cursor, 1, 80, 23);
    assert_false(names.places[0].left);
}

static void a_name_is_cut_but_not_to_a_letter(void **state)
{
    struct names_cursor cursor = {1, 10, 2, 30, NAMES_OTHER};
    (void)state;
    place(&cursor, 1, 20, 11);
    assert_int_equal(names.count, 1);
    assert_in_range(names.places[0].width, 9, 10);
    assert_true(names.places[0].column >= 0);
    assert_true(names.places[0].column + names.places[0].width <= 20);
    cursor.column = 3;
    place(&cursor, 1, 7, 11);
    assert_int_equal(names.count, 0);
    cursor.rank = NAMES_FIRST;
    place(&cursor, 1, 7, 11);
    assert_int_equal(names.count, 1);
    cursor.width = 0; /* a person without a name */
    place(&cursor, 1, 7, 11);
    assert_int_equal(names.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_name_stands_beside_its_cursor, setup),
        cmocka_unit_test_setup(a_class_leaves_the_middle_of_the_flock_free, setup),
        cmocka_unit_test_setup(names_cover_neither_names_nor_cursors, setup),
        cmocka_unit_test_setup(a_small_picture_has_few_names, setup),
        cmocka_unit_test_setup(leaders_come_first_then_people_near, setup),
        cmocka_unit_test_setup(a_leader_has_a_name_even_in_a_crowd, setup),
        cmocka_unit_test_setup(a_name_stays_while_it_can, setup),
        cmocka_unit_test_setup(a_name_keeps_its_side, setup),
        cmocka_unit_test_setup(a_name_is_cut_but_not_to_a_letter, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
