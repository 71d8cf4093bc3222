/* Which guests the server closes for new guests or after their time, in simulated time. */
#include "net/gate/admission.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define GUESTS_MAX   100u
#define REQUEST_TIME 10000u /* ms */

static struct admission admission;
static struct admission_guest guests[2 * GUESTS_MAX];
static uint32_t now;

static int begin(void **state)
{
    (void)state;
    memset(guests, 0, sizeof guests);
    now = UINT32_MAX - 3000; /* wraps during the test */
    admission_init(&admission, GUESTS_MAX, REQUEST_TIME, 12345);
    return 0;
}

static struct ip network(uint8_t last)
{
    return (struct ip){{[10] = 0xFF, [11] = 0xFF, 192, 0, 2, last}};
}

/* Lets a guest enter. Returns the index of the closed guest, or -1. */
static int enter(uint32_t i, uint8_t last)
{
    struct ip from = network(last);
    struct admission_guest *gone = admission_enter(&admission, &guests[i], &from, now);

    assert_true(gone == NULL || gone->stage == ADMISSION_OUT);
    return gone == NULL ? -1 : (int)(gone - guests);
}

static void test_idle_hoard(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < GUESTS_MAX; i++) {
        assert_int_equal(enter(i, 66), -1);
    }
    now += 1000;
    /* A class joins. All its guests enter and stay, while the other address continues. */
    for (uint32_t i = 0; i < 30; i++) {
        int gone = enter(GUESTS_MAX + i, 7);
        assert_in_range(gone, 0, GUESTS_MAX - 1);
        assert_in_range(enter((uint32_t)gone, 66), 0, GUESTS_MAX - 1);
        assert_int_equal(admission.count, GUESTS_MAX);
    }
    for (uint32_t i = 0; i < 30; i++) {
        assert_int_equal(guests[GUESTS_MAX + i].stage, ADMISSION_IDLE);
    }
}

/* Of one address, an idle guest is closed before a guest whose request is being answered. */
static void test_idle_before_busy(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < GUESTS_MAX; i++) {
        enter(i, 7);
        if (i != 40) {
            admission_ask(&admission, &guests[i]);
        }
    }
    assert_int_equal(enter(GUESTS_MAX, 8), 40);
    admission_ask(&admission, &guests[GUESTS_MAX]);
    assert_int_equal(enter(GUESTS_MAX + 1, 8),
                     0); /* all are busy: the oldest guest of the largest address is closed */
    assert_int_equal(admission.count, GUESTS_MAX);
}

/* A flood of connections of one address ends no waiting in line at that address, and the line
 * leaves half of the guests to newcomers. */
static void test_a_flood_spares_the_line(void **state)
{
    const uint32_t pupils = GUESTS_MAX - 20;

    (void)state;
    for (uint32_t i = 0; i < GUESTS_MAX; i++) { /* a guesser's hellos, and then a class's */
        enter(i, 7);
        admission_line_up(&admission, &guests[i]);
    }
    for (uint32_t i = 0; i < 1000; i++) {
        now += 1; /* all others are new */
        const int gone = enter(GUESTS_MAX + i % GUESTS_MAX, 7);
        if (i < GUESTS_MAX / 2) {
            assert_int_equal(gone, (int)i); /* the oldest in line */
        } else {
            assert_in_range(gone, GUESTS_MAX, 2 * GUESTS_MAX - 1);
        }
    }
    for (uint32_t i = pupils; i < GUESTS_MAX; i++) {
        assert_int_equal(guests[i].stage, ADMISSION_LINE);
    }
    admission_leave(&admission, &guests[pupils]);
    assert_int_equal(admission.in_line[guests[pupils].tally], GUESTS_MAX / 2 - 1);
}

/* Guests of a school that come at the same time stay, although they are more than the guests of an
 * address that holds connections. */
static void test_new_ones_stay(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 10; i++) {
        enter(i, 66);
        admission_ask(&admission, &guests[i]);
    }
    now += 1000;
    for (uint32_t i = 10; i < GUESTS_MAX; i++) {
        enter(i, 7);
    }
    for (int i = 0; i < 9; i++) {
        assert_int_equal(enter(GUESTS_MAX + (uint32_t)i, 7), i);
    }
    assert_int_equal(enter(GUESTS_MAX + 9, 7), 10); /* the other address has one guest left */
}

/* Many addresses hold a few guests each. A class joins: its guests enter and stay. */
static void test_a_scattered_hoard(void **state)
{
    static struct admission_guest many[630];
    const uint32_t hoard = 600;

    (void)state;
    admission_init(&admission, hoard, REQUEST_TIME, 12345);
    memset(many, 0, sizeof many);
    for (uint32_t i = 0; i < hoard; i++) {
        const struct ip from = {{[10] = 0xFF, [11] = 0xFF, 10, 0, (uint8_t)(i / 3), 1}};
        assert_null(admission_enter(&admission, &many[i], &from, now));
    }
    now += 1000;
    for (uint32_t i = 0; i < 30; i++) {
        const struct ip from = network(7);
        assert_ptr_equal(admission_enter(&admission, &many[hoard + i], &from, now), &many[i]);
        now += 100; /* the class is not new for long */
    }
    for (uint32_t i = 0; i < 30; i++) {
        assert_int_equal(many[hoard + i].stage, ADMISSION_IDLE);
    }
}

#define STRANGERS   200u /* addresses */
#define EACH        3u   /* guests of a stranger's address */
#define STRANGE_MAX (STRANGERS * EACH)
#define CLASS       30u

static struct admission_guest flood[4 * STRANGE_MAX];
static struct admission_guest class[CLASS];

/* Lets the i-th guest of the strangers enter. Returns the guest that it displaces. */
static struct admission_guest *enter_stranger(uint32_t i, enum admission_rank rank)
{
    const struct ip from = {{[10] = 0xFF, [11] = 0xFF, 10, 0, (uint8_t)(i % STRANGERS), 1}};

    admission_mark(&admission, &flood[i], rank);
    return admission_enter(&admission, &flood[i], &from, now);
}

/* Fills the server with the guests of strangers. */
static void begin_flood(enum admission_rank rank)
{
    memset(flood, 0, sizeof flood);
    memset(class, 0, sizeof class);
    admission_init(&admission, STRANGE_MAX, REQUEST_TIME, 12345);
    for (uint32_t i = 0; i < STRANGE_MAX; i++) {
        assert_null(enter_stranger(i, rank));
    }
    assert_int_equal(admission.extra, rank == ADMISSION_EXTRA ? STRANGE_MAX : 0);
}

static void enter_class(enum admission_rank rank)
{
    const struct ip from = network(7);

    for (uint32_t i = 0; i < CLASS; i++) {
        admission_mark(&admission, &class[i], rank);
        assert_non_null(admission_enter(&admission, &class[i], &from, now));
    }
}

static uint32_t class_inside(void)
{
    uint32_t inside = 0;

    for (uint32_t i = 0; i < CLASS; i++) {
        inside += class[i].stage != ADMISSION_OUT;
    }
    return inside;
}

/* Many addresses open connections again and again, and send nothing. A class on slow lines, which
 * has sent nothing yet, stays. */
static void test_extra_guests_go_first(void **state)
{
    (void)state;
    begin_flood(ADMISSION_EXTRA);
    now += 300;
    enter_class(ADMISSION_USUAL);
    for (uint32_t i = STRANGE_MAX; i < 2 * STRANGE_MAX; i++) { /* all of them are new */
        assert_ptr_equal(enter_stranger(i, ADMISSION_EXTRA), &flood[i - STRANGE_MAX + CLASS]);
        now += i % 2; /* the class is older than 0.5 s in the end */
    }
    assert_int_equal(class_inside(), CLASS);
    for (uint32_t i = 0; i < CLASS; i++) {
        admission_ask(&admission, &class[i]);
    }
    for (uint32_t i = 2 * STRANGE_MAX; i < 4 * STRANGE_MAX; i++, now++) {
        assert_non_null(enter_stranger(i, ADMISSION_EXTRA));
    }
    assert_int_equal(class_inside(), CLASS);
    for (uint32_t i = 0; i < CLASS; i++) {
        admission_leave(&admission, &class[i]);
    }
    assert_int_equal(admission.extra, admission.count);
}

/* The same strangers send an upgrade, but no hello. */
static void test_extra_guests_who_ask_go_first(void **state)
{
    (void)state;
    begin_flood(ADMISSION_EXTRA);
    for (uint32_t i = 0; i < STRANGE_MAX; i++) {
        admission_ask(&admission, &flood[i]);
    }
    now += 1000;
    enter_class(ADMISSION_USUAL);
    for (uint32_t i = STRANGE_MAX; i < 3 * STRANGE_MAX; i++, now++) {
        assert_non_null(enter_stranger(i, ADMISSION_EXTRA));
        admission_ask(&admission, &flood[i]);
    }
    assert_int_equal(class_inside(), CLASS);
}

/* Strangers hold all places with WebSockets that send no hello, and come again and again. A class
 * on slow lines stays as long as they do. */
static void test_silent_websockets_do_not_stay_longer(void **state)
{
    (void)state;
    begin_flood(ADMISSION_USUAL);
    for (uint32_t i = 0; i < STRANGE_MAX; i++) {
        admission_ask(&admission, &flood[i]);
        admission_open(&flood[i]);
    }
    now += 1000;
    enter_class(ADMISSION_USUAL);
    for (uint32_t i = STRANGE_MAX; i < 2 * STRANGE_MAX - CLASS; i++) {
        now += 10;
        assert_ptr_equal(enter_stranger(i, ADMISSION_USUAL), &flood[i - STRANGE_MAX + CLASS]);
        admission_ask(&admission, &flood[i]);
        admission_open(&flood[i]);
    }
    assert_int_equal(class_inside(), CLASS);
}

/* Guests in line stay, however many of their addresses come. */
static void test_extra_guests_in_line_stay(void **state)
{
    (void)state;
    begin_flood(ADMISSION_EXTRA);
    for (uint32_t i = 0; i < STRANGE_MAX / 2; i++) {
        admission_line_up(&admission, &flood[i]);
    }
    now += 1000;
    for (uint32_t i = STRANGE_MAX; i < 2 * STRANGE_MAX; i++, now++) {
        assert_non_null(enter_stranger(i, ADMISSION_EXTRA));
    }
    for (uint32_t i = 0; i < STRANGE_MAX / 2; i++) {
        assert_int_equal(flood[i].stage, ADMISSION_LINE);
    }
}

/* … and they do not count: a class goes before no one, however many extra guests are in line. */
static void test_guests_in_line_make_no_class_go(void **state)
{
    (void)state;
    begin_flood(ADMISSION_USUAL);
    for (uint32_t i = 0; i < STRANGE_MAX / 2; i++) {
        admission_mark(&admission, &flood[i], ADMISSION_EXTRA);
        admission_line_up(&admission, &flood[i]);
    }
    assert_int_equal(admission.extra, 0);
    now += 1000;
    enter_class(ADMISSION_EXTRA);
    for (uint32_t i = STRANGE_MAX; i < 2 * STRANGE_MAX - CLASS - STRANGE_MAX / 2; i++, now++) {
        assert_non_null(enter_stranger(i, ADMISSION_USUAL));
    }
    assert_int_equal(class_inside(), CLASS);
    admission_leave_line(&admission, &flood[0]);
    assert_int_equal(admission.extra, CLASS + 1);
    admission_leave(&admission, &flood[1]); /* in line */
    admission_leave(&admission, &flood[0]);
    assert_int_equal(admission.extra, CLASS);
}

/* A class that has used up its allowance goes before no one, if few others have. */
static void test_few_extra_guests_stay(void **state)
{
    (void)state;
    begin_flood(ADMISSION_USUAL);
    now += 1000;
    enter_class(ADMISSION_EXTRA);
    for (uint32_t i = STRANGE_MAX; i < 2 * STRANGE_MAX - CLASS; i++, now++) {
        assert_ptr_equal(enter_stranger(i, ADMISSION_USUAL), &flood[i - STRANGE_MAX + CLASS]);
    }
    assert_int_equal(class_inside(), CLASS);
}

/* Thousands of addresses, each within its allowance, come again and again. A class on slow lines
 * stays while its teacher is in at its address, however new all others are. */
static void test_trusted_guests_go_last(void **state)
{
    (void)state;
    begin_flood(ADMISSION_USUAL);
    now += 1000;
    enter_class(ADMISSION_TRUSTED);
    for (uint32_t i = STRANGE_MAX; i < 4 * STRANGE_MAX; i++) {
        assert_non_null(enter_stranger(i, ADMISSION_USUAL));
        now += i < 2 * STRANGE_MAX || i % 4 == 0; /* later ones fill the server within 0.5 s */
        if (i % 2 == 0) {
            admission_ask(&admission, &flood[i]);
            admission_open(&flood[i]);
        }
    }
    assert_int_equal(class_inside(), CLASS);
}

/* … but an address with more guests than a class displaces its own. */
static void test_trusted_guests_are_no_more_than_a_class(void **state)
{
    const struct ip from = network(7);
    uint32_t inside = 0;

    (void)state;
    begin_flood(ADMISSION_USUAL);
    memset(guests, 0, sizeof guests);
    now += 1000;
    for (uint32_t i = 0; i < GUESTS_MAX; i++, now += 10) {
        admission_mark(&admission, &guests[i], ADMISSION_TRUSTED);
        assert_non_null(admission_enter(&admission, &guests[i], &from, now));
    }
    for (uint32_t i = 0; i < GUESTS_MAX; i++) {
        inside += guests[i].stage != ADMISSION_OUT;
    }
    assert_int_equal(inside, 65); /* at 64 an address does not displace its own */
}

/* When all guests are trusted, the oldest goes. */
static void test_all_guests_are_trusted(void **state)
{
    (void)state;
    begin_flood(ADMISSION_TRUSTED);
    now += 1000;
    assert_ptr_equal(enter_stranger(STRANGE_MAX, ADMISSION_USUAL), &flood[0]);
    assert_ptr_equal(enter_stranger(STRANGE_MAX + 1, ADMISSION_USUAL), &flood[STRANGE_MAX]);
}

/* A guest may become extra, or cease to be, while it is inside and after that. */
static void test_extra_guests_are_counted(void **state)
{
    (void)state;
    enter(0, 7);
    enter(1, 7);
    admission_mark(&admission, &guests[0], ADMISSION_EXTRA);
    admission_mark(&admission, &guests[0], ADMISSION_EXTRA);
    assert_int_equal(admission.extra, 1);
    admission_mark(&admission, &guests[1], ADMISSION_EXTRA);
    admission_mark(&admission, &guests[0], ADMISSION_USUAL);
    assert_int_equal(admission.extra, 1);
    admission_leave(&admission, &guests[1]);
    admission_mark(&admission, &guests[1], ADMISSION_USUAL);
    assert_int_equal(admission.extra, 0);
    admission_mark(&admission, &guests[0], ADMISSION_TRUSTED);
    admission_mark(&admission, &guests[0], ADMISSION_EXTRA);
    admission_mark(&admission, &guests[0], ADMISSION_TRUSTED);
    assert_int_equal(admission.extra, 0);
}

/* A crowd that comes within a moment ends no other address's only request. */
static void test_a_crowd_takes_no_only_guest(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        enter(i, (uint8_t)(100 + i));
        admission_ask(&admission, &guests[i]);
    }
    now += 1000;
    for (uint32_t i = 20; i < GUESTS_MAX; i++) {
        enter(i, 7);
    }
    for (uint32_t i = 0; i < GUESTS_MAX - 20; i++) {
        assert_int_equal(enter(GUESTS_MAX + i, 7), 20 + i);
    }
    for (uint32_t i = 0; i < 20; i++) {
        assert_int_equal(guests[i].stage, ADMISSION_BUSY);
    }
}

static void test_slots_are_reused(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < GUESTS_MAX; i++) {
        enter(i, (uint8_t)(i % 5));
    }
    admission_leave(&admission, &guests[3]);
    admission_leave(&admission, &guests[3]);
    assert_int_equal(admission.count, GUESTS_MAX - 1);
    assert_int_equal(enter(GUESTS_MAX, 1), -1);
    assert_int_equal(enter(GUESTS_MAX + 1, 200),
                     1); /* a guest of the address with the most guests */
}

static int overdue(void)
{
    struct admission_guest *guest = admission_overdue(&admission, now);

    return guest == NULL ? -1 : (int)(guest - guests);
}

/* A request that comes byte by byte has no more time than others. */
static void test_request_time(void **state)
{
    (void)state;
    enter(0, 1); /* sends nothing */
    enter(1, 1); /* a head without an end */
    enter(2, 1); /* a body without an end */
    enter(3, 1); /* a WebSocket */
    admission_begin(&admission, &guests[1]);
    admission_ask(&admission, &guests[2]);
    admission_ask(&admission, &guests[3]);
    admission_open(&guests[3]);
    now += REQUEST_TIME / 2 - 1;
    assert_int_equal(overdue(), -1);
    now += 1;
    assert_int_equal(overdue(), 0);
    assert_int_equal(overdue(), -1);
    for (uint32_t i = 0; i < REQUEST_TIME / 2 - 1; i++, now++) {
        admission_begin(&admission, &guests[1]);
        admission_ask(&admission, &guests[2]);
        assert_int_equal(overdue(), -1);
    }
    now += 1;
    assert_int_equal(overdue(), 1);
    assert_int_equal(overdue(), 2);
    assert_int_equal(overdue(), -1);
    now += 100 * REQUEST_TIME;
    assert_int_equal(overdue(), -1);
    assert_int_equal(admission.count, 1);
}

/* A guest that does not read its answer is closed after some time. */
static void test_answer_time(void **state)
{
    (void)state;
    enter(0, 1);
    admission_ask(&admission, &guests[0]);
    now += REQUEST_TIME - 1;
    admission_allow(&guests[0], admission_time(100), now);
    now += 30001;
    assert_int_equal(overdue(), -1);
    now += 1;
    assert_int_equal(overdue(), 0);
}

/* A long download over a slow connection is not closed. */
static void test_answer_time_of_recordings(void **state)
{
    (void)state;
    assert_int_equal(admission_time(0), 30000);
    assert_int_equal(admission_time(16 << 20), 30000 + 335544);
    assert_true(admission_time(SIZE_MAX) <= INT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_idle_hoard, begin),
        cmocka_unit_test_setup(test_idle_before_busy, begin),
        cmocka_unit_test_setup(test_a_flood_spares_the_line, begin),
        cmocka_unit_test_setup(test_new_ones_stay, begin),
        cmocka_unit_test_setup(test_a_crowd_takes_no_only_guest, begin),
        cmocka_unit_test_setup(test_a_scattered_hoard, begin),
        cmocka_unit_test_setup(test_extra_guests_go_first, begin),
        cmocka_unit_test_setup(test_extra_guests_who_ask_go_first, begin),
        cmocka_unit_test_setup(test_silent_websockets_do_not_stay_longer, begin),
        cmocka_unit_test_setup(test_extra_guests_in_line_stay, begin),
        cmocka_unit_test_setup(test_guests_in_line_make_no_class_go, begin),
        cmocka_unit_test_setup(test_few_extra_guests_stay, begin),
        cmocka_unit_test_setup(test_trusted_guests_go_last, begin),
        cmocka_unit_test_setup(test_trusted_guests_are_no_more_than_a_class, begin),
        cmocka_unit_test_setup(test_all_guests_are_trusted, begin),
        cmocka_unit_test_setup(test_extra_guests_are_counted, begin),
        cmocka_unit_test_setup(test_slots_are_reused, begin),
        cmocka_unit_test_setup(test_request_time, begin),
        cmocka_unit_test_setup(test_answer_time, begin),
        cmocka_unit_test(test_answer_time_of_recordings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
