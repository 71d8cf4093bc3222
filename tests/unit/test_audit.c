/* The audit log has a bounded number of lines a second, and a share of them for each address. */
#include "base/audit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/audit_shares.h"

#include <cmocka.h>

#define FLOOD 2000u /* lines */

/* A flood from one address, in which another address has a line now and then. */
static void a_flood_hides_no_other_address(void **state)
{
    const struct audit_entry flood = {.event = "change", .address = "192.0.2.1"};
    const struct audit_entry other = {.event = "join", .address = "192.0.2.2"};
    const time_t begin = time(NULL);
    char path[] = "/tmp/flockd-audit-XXXXXX";
    char line[2000];
    unsigned floods = 0, others = 0, lost = 0, reports = 0;
    int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    close(file);
    assert_true(audit_open(path));
    for (unsigned i = 0; i < FLOOD; i++) {
        audit(&flood);
        if (i % 100 == 99) {
            audit(&other);
        }
    }
    unsigned seconds = (unsigned)(time(NULL) - begin) + 1;
    audit_finish();
    FILE *log = fopen(path, "re");
    assert_non_null(log);
    while (fgets(line, sizeof line, log) != NULL) {
        const char *count = strstr(line, "\"lines\":");
        floods += strstr(line, "\"change\"") != NULL;
        others += strstr(line, "\"join\"") != NULL;
        reports += count != NULL;
        lost += count != NULL ? (unsigned)strtoul(count + 8, NULL, 10) : 0;
    }
    (void)fclose(log);
    (void)unlink(path);
    assert_int_equal(others, FLOOD / 100);
    assert_in_range(floods, 1, AUDIT_OPEN / 2 * seconds);
    assert_int_equal(floods + lost, FLOOD);
    assert_in_range(reports, 1, seconds + 1);
}

static unsigned take(struct audit_shares *shares, enum audit_kind kind, const char *address,
                     unsigned lines)
{
    unsigned taken = 0;

    for (unsigned i = 0; i < lines; i++) {
        taken += audit_shares_take(shares, kind, address, 7);
    }
    return taken;
}

static void an_address_takes_half_of_what_is_left(void **state)
{
    static struct audit_shares shares;

    (void)state;
    assert_int_equal(take(&shares, AUDIT_OTHER, "192.0.2.1", FLOOD), 50);
    assert_int_equal(take(&shares, AUDIT_OTHER, "2001:db8::1", FLOOD), 25);
    assert_int_equal(take(&shares, AUDIT_OTHER, "2001:db8::2", FLOOD), 0); /* of the same network */
    assert_int_equal(take(&shares, AUDIT_OTHER, "192.0.2.3", FLOOD), 13);
    assert_int_equal(take(&shares, AUDIT_OTHER, NULL, FLOOD), 12); /* the server's own lines */
    assert_int_equal(take(&shares, AUDIT_OTHER, "192.0.2.4", FLOOD), 0);
}

/* Takes as many lines as there are, of many addresses. */
static unsigned take_of_many(struct audit_shares *shares, enum audit_kind kind)
{
    char address[32];
    unsigned taken = 0;

    for (unsigned i = 0; i < 2 * AUDIT_LINES_SECOND; i++) {
        (void)snprintf(address, sizeof address, "192.0.%u.%u", i / 200, i % 200);
        taken += take(shares, kind, address, 10);
    }
    return taken;
}

/* Strangers who join, and strangers who try keys, leave a presenter's lines; also if they share an
 * address, as a class does. */
static void floods_of_strangers_leave_the_lines_of_presenters(void **state)
{
    static struct audit_shares shares;

    (void)state;
    assert_int_equal(take(&shares, AUDIT_OTHER, "192.0.2.1", 30), 30);
    assert_int_equal(take_of_many(&shares, AUDIT_OTHER), AUDIT_OPEN - 30);
    assert_int_equal(take_of_many(&shares, AUDIT_KEY), AUDIT_RESERVED);
    assert_int_equal(take(&shares, AUDIT_PRESENTER, "192.0.2.1", FLOOD), AUDIT_RESERVED / 2);
    assert_int_equal(take(&shares, AUDIT_PRESENTER, "198.51.100.1", 10), 10);
    assert_int_equal(take(&shares, AUDIT_PRESENTER, NULL, FLOOD), AUDIT_RESERVED / 2 - 10);
}

static void floods_of_presenters_leave_the_lines_of_wrong_keys(void **state)
{
    static struct audit_shares shares;

    (void)state;
    assert_int_equal(take_of_many(&shares, AUDIT_PRESENTER), AUDIT_RESERVED + AUDIT_OPEN);
    assert_int_equal(take(&shares, AUDIT_KEY, "192.0.2.1", FLOOD), AUDIT_RESERVED / 2);
}

/* Without a flood of others, it writes more than its share of the reserved lines. */
static void a_presenter_also_takes_lines_of_others(void **state)
{
    static struct audit_shares shares;

    (void)state;
    assert_int_equal(take(&shares, AUDIT_PRESENTER, "192.0.2.1", FLOOD),
                     AUDIT_RESERVED / 2 + AUDIT_OPEN / 2);
    assert_int_equal(take(&shares, AUDIT_OTHER, "192.0.2.1", FLOOD), 0);
}

static void lost_lines_are_reported_once_a_second(void **state)
{
    static struct audit_shares shares;

    (void)state;
    (void)take(&shares, AUDIT_OTHER, NULL, FLOOD);
    assert_int_equal(audit_shares_lost(&shares, 7, false), 0);
    assert_int_equal(audit_shares_lost(&shares, 8, false), FLOOD - AUDIT_OPEN);
    assert_int_equal(audit_shares_lost(&shares, 9, false), 0);
    assert_true(audit_shares_take(&shares, AUDIT_OTHER, NULL, 9));
}

/* A share has a place for each address that has a line. */
static void as_many_addresses_as_lines(void **state)
{
    static struct audit_shares shares;
    char address[32];
    unsigned taken = 0;

    (void)state;
    for (unsigned i = 0; i < 2 * AUDIT_LINES_SECOND; i++) {
        (void)snprintf(address, sizeof address, "192.0.%u.%u", i / 200, i % 200);
        for (enum audit_kind kind = AUDIT_OTHER; kind < AUDIT_KINDS; kind++) {
            taken += audit_shares_take(&shares, kind, address, 7);
        }
    }
    assert_int_equal(taken, AUDIT_LINES_SECOND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flood_hides_no_other_address),
        cmocka_unit_test(an_address_takes_half_of_what_is_left),
        cmocka_unit_test(floods_of_strangers_leave_the_lines_of_presenters),
        cmocka_unit_test(floods_of_presenters_leave_the_lines_of_wrong_keys),
        cmocka_unit_test(a_presenter_also_takes_lines_of_others),
        cmocka_unit_test(lost_lines_are_reported_once_a_second),
        cmocka_unit_test(as_many_addresses_as_lines),
    };
    return cmocka_run_group_tests_name("audit", tests, NULL, NULL);
}
