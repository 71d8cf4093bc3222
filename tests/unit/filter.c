/* Part of every unit test: CMOCKA_TEST_FILTER in the environment says which of its tests to run,
 * with * and ? in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void filter_tests(void)
{
    cmocka_set_test_filter(getenv("CMOCKA_TEST_FILTER"));
}
