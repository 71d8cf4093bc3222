/* A QR code as half blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/draw/qr.h"

#include <string.h>

#define LINK "https://flock.example.org/r/FK7-2MX"

/* Returns whether a module is dark, read from the half blocks. */
static bool is_dark(const struct qr *qr, int quiet, int x, int y)
{
    wchar_t symbol = qr_symbol(qr, quiet, x, y / 2);
    return symbol == L'█' || symbol == (y % 2 == 0 ? L'▀' : L'▄');
}

/* Scanners find a code by three squares in its corners. */
static void corners_have_squares(void **state)
{
    struct qr qr = {0};
    (void)state;
    assert_true(qr_make(&qr, LINK));
    const int far = qr.side - 7;
    const int corners[3][2] = {{0, 0}, {far, 0}, {0, far}};
    for (int i = 0; i < 3; i++) {
        for (int y = 0; y < 7; y++) {
            for (int x = 0; x < 7; x++) {
                bool ring = x == 0 || y == 0 || x == 6 || y == 6;
                bool core = x > 1 && y > 1 && x < 5 && y < 5;
                assert_int_equal(is_dark(&qr, QR_QUIET, QR_QUIET + corners[i][0] + x,
                                         QR_QUIET + corners[i][1] + y),
                                 ring || core);
            }
        }
    }
    qr_free(&qr);
}

static void code_has_a_quiet_zone(void **state)
{
    struct qr qr = {0};
    (void)state;
    assert_true(qr_make(&qr, LINK));
    for (int quiet = 2; quiet <= QR_QUIET; quiet++) {
        int columns = qr_columns(&qr, quiet);
        assert_int_equal(columns, qr.side + 2 * quiet);
        assert_true(2 * qr_rows(&qr, quiet) >= columns);
        for (int y = 0; y < 2 * qr_rows(&qr, quiet); y++) {
            for (int x = 0; x < columns; x++) {
                bool around =
                    x < quiet || y < quiet || x >= quiet + qr.side || y >= quiet + qr.side;
                assert_false(around && is_dark(&qr, quiet, x, y));
            }
        }
    }
    qr_free(&qr);
}

static void another_text_is_another_code(void **state)
{
    static char longest[4000];
    struct qr one = {0};
    struct qr other = {0};
    (void)state;
    assert_true(qr_make(&one, LINK));
    assert_true(qr_make(&other, LINK "a"));
    assert_true(one.side != other.side ||
                memcmp(one.modules, other.modules, (size_t)(one.side * one.side)) != 0);
    memset(longest, 'a', sizeof longest - 1);
    assert_false(qr_make(&one, longest));
    assert_null(one.modules);
    assert_false(qr_make(&one, ""));
    assert_true(qr_make(&one, LINK));
    qr_free(&one);
    qr_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_have_squares),
        cmocka_unit_test(code_has_a_quiet_zone),
        cmocka_unit_test(another_text_is_another_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
