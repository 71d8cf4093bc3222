/* The form of keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/key.h"

static void test_may_be_made(void **state)
{
    char key[KEY_LENGTH + 1];

    (void)state;
    for (int i = 0; i < 100; i++) {
        assert_true(key_make(key));
        assert_true(key_may_be_made(key));
    }
}

/* Keys that people choose: with another character, shorter, longer, or of a few characters. */
static void test_may_not_be_made(void **state)
{
    static const char *const keys[] = {
        "",
        "key-of-the-lobby",
        "m4k8rtw2nd5ybq7hxz93vcp",
        "m4k8rtw2nd5ybq7hxz93vcpa2",
        "m4k8rtw2nd5ybq7hxz93vcpl",
        "M4K8RTW2ND5YBQ7HXZ93VCPA",
        "abcabcabcabcabcabcabcabc",
    };

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        assert_false(key_may_be_made(keys[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_may_be_made),
        cmocka_unit_test(test_may_not_be_made),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
