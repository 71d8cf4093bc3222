/* Linked to every unit test. The environment's CMOCKA_TEST_FILTER selects tests by name, with * and
 * ?. */
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
