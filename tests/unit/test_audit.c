/* The audit log has a bounded number of lines a second. */
#include "base/audit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void more_lines_are_lost_and_counted(void **state)
{
    const struct audit_entry entry = {.event = "join"};
    const time_t begin = time(NULL);
    char path[] = "/tmp/flockd-audit-XXXXXX";
    char line[2000];
    unsigned joins = 0;
    unsigned lost = 0;
    int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    close(file);
    assert_true(audit_open(path));
    for (unsigned i = 0; i < 2000; i++) {
        audit(&entry);
    }
    unsigned seconds = (unsigned)(time(NULL) - begin) + 1;
    audit_finish();
    FILE *log = fopen(path, "re");
    assert_non_null(log);
    while (fgets(line, sizeof line, log) != NULL) {
        const char *count = strstr(line, "\"lines\":");
        joins += strstr(line, "\"join\"") != NULL;
        lost += count != NULL ? (unsigned)strtoul(count + 8, NULL, 10) : 0;
    }
    (void)fclose(log);
    (void)unlink(path);
    assert_in_range(joins, 1, AUDIT_LINES_SECOND * seconds);
    assert_int_equal(joins + lost, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_lines_are_lost_and_counted),
    };
    return cmocka_run_group_tests_name("audit", tests, NULL, NULL);
}
