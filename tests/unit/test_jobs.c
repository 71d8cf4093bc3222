/* The order in which the store writes its jobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/jobs.h"

#define BIG 600000u /* two rooms of this size are a part */

static void put_room(struct jobs *jobs, const char *code, bool first, uint64_t creator, size_t size)
{
    struct store_room room = {
        .first = first, .creator = creator, .size = size, .state = calloc(1, size)};

    snprintf(room.code, sizeof room.code, "%s", code);
    assert_true(jobs_put_room(jobs, &room));
}

static void release(void *memory)
{
    (void)memory;
}

static void put_past(struct jobs *jobs, const char *code, bool first)
{
    assert_true(
        jobs_put_past(jobs, code, &(struct store_past){.release = release, .first = first}));
}

static void put_film(struct jobs *jobs, const char *code, bool first, uint64_t creator, size_t size)
{
    assert_true(jobs_put_recording(
        jobs, code,
        &(struct store_recording){
            .size = size, .creator = creator, .first = first, .release = release}));
}

static const char *name(const struct job *job)
{
    static char text[64];

    snprintf(text, sizeof text, "%s%s ", job->room.code,
             job->type == JOB_PAST        ? "-past"
             : job->type == JOB_RECORDING ? "-film"
             : job->type == JOB_END       ? "-end"
                                          : "");
    return text;
}

/* Takes the next jobs. Returns their names; "": none. */
static const char *take(struct jobs *jobs, struct list *taken, bool *past)
{
    static char names[200];
    const struct job *job = NULL;

    names[0] = '\0';
    *taken = jobs_take(jobs, past);
    while ((job = jobs_next(taken, job)) != NULL) {
        strcat(names, name(job));
    }
    return names;
}

/* Takes and writes jobs until none is left. Returns their names, with " | " behind each write. */
static const char *write_all(struct jobs *jobs)
{
    static char all[1000];
    struct list taken;
    bool past;

    all[0] = '\0';
    while (jobs_has_any(jobs)) {
        strcat(strcat(all, take(jobs, &taken, &past)), "| ");
        (void)jobs_put_remaining(jobs, &taken, past);
        jobs_free(&taken);
    }
    return all;
}

/* Takes jobs, and puts them back as after a failed write. */
static void fail_once(struct jobs *jobs, const char *names)
{
    struct list taken;
    bool past;

    assert_string_equal(take(jobs, &taken, &past), names);
    jobs_put_back(jobs, &taken, past);
}

static struct jobs *make(void)
{
    struct jobs *jobs = calloc(1, sizeof *jobs);

    assert_non_null(jobs);
    return jobs;
}

static void finish(struct jobs *jobs)
{
    jobs_finish(jobs);
    free(jobs);
}

/* The list of endings takes all ends at once. A full disk stays full until they are written. */
static void test_all_ends_come_first_and_together(void **state)
{
    struct jobs *jobs = make();
    struct list taken;
    char code[16];
    unsigned ends = 0;
    bool past;

    (void)state;
    put_room(jobs, "CLASS", true, 0, BIG);
    for (int i = 0; i < 1000; i++) {
        snprintf(code, sizeof code, "E%d", i);
        put_room(jobs, code, false, 7, 10);
        assert_true(jobs_end_room(jobs, code, 4000000000));
    }
    taken = jobs_take(jobs, &past);
    for (const struct job *job = jobs_next(&taken, NULL); job != NULL && job->type == JOB_END;
         job = jobs_next(&taken, job)) {
        ends++;
    }
    assert_int_equal(ends, 1000);
    assert_false(jobs_has_end_next(jobs));
    jobs_free(&taken);
    finish(jobs);
}

static void test_trusted_rooms_come_before_others(void **state)
{
    struct jobs *jobs = make();

    (void)state;
    put_room(jobs, "A", false, 7, BIG);
    put_room(jobs, "B", false, 7, BIG);
    put_room(jobs, "CLASS", true, 0, BIG);
    put_room(jobs, "LOBBY", true, 0, 10);
    assert_string_equal(write_all(jobs), "CLASS LOBBY | A B | ");
    finish(jobs);
}

/* Takes and writes `writes` times, while a trusted room keeps the disk busy. Returns the names. */
static const char *write_beside_a_class(struct jobs *jobs, int writes)
{
    static char all[1000];
    struct list taken;
    bool past;

    all[0] = '\0';
    for (int i = 0; i < writes; i++) {
        put_room(jobs, "CLASS", true, 0, BIG);
        strcat(strcat(all, take(jobs, &taken, &past)), "| ");
        jobs_free(&taken);
    }
    return all;
}

/* While trusted rooms alone keep the disk busy, others have each fifth part. Pasts of trusted rooms
 * wait: they come behind their rooms. */
static void test_a_busy_class_leaves_others_a_share(void **state)
{
    struct jobs *jobs = make();

    (void)state;
    assert_string_equal(write_beside_a_class(jobs, 6),
                        "CLASS | CLASS | CLASS | CLASS | CLASS | CLASS | ");
    put_room(jobs, "A", false, 7, 2 * BIG);
    put_room(jobs, "B", false, 8, 2 * BIG);
    put_past(jobs, "CLASS", true);
    assert_string_equal(write_beside_a_class(jobs, 12),
                        "CLASS | CLASS | CLASS | CLASS | A | "
                        "CLASS | CLASS | CLASS | CLASS | B | CLASS | CLASS | ");
    finish(jobs);
}

/* Ends of rooms, which free space, wait for no part of the others. Nor do ends delay the others. */
static void test_ends_and_others_come_together(void **state)
{
    struct jobs *jobs = make();

    (void)state;
    put_room(jobs, "A", false, 7, BIG);
    (void)write_beside_a_class(jobs, 4);
    assert_true(jobs_end_room(jobs, "GONE", 4000000000));
    assert_string_equal(write_beside_a_class(jobs, 3), "GONE-end A | CLASS | CLASS | ");
    finish(jobs);
}

/* A past may be written while trusted rooms pause. The other rooms wait no longer for it. */
static void test_a_past_takes_no_turn_of_others(void **state)
{
    struct jobs *jobs = make();
    struct list taken;
    bool past;

    (void)state;
    put_room(jobs, "A", false, 7, BIG);
    put_past(jobs, "CLASS", true);
    (void)write_beside_a_class(jobs, 4);
    assert_string_equal(take(jobs, &taken, &past), "CLASS-past ");
    jobs_free(&taken);
    assert_string_equal(write_beside_a_class(jobs, 3), "A | CLASS | CLASS | ");
    finish(jobs);
}

/* When the process ends, each room waits once: trusted rooms come first. */
static void test_an_ending_process_writes_trusted_rooms_first(void **state)
{
    struct jobs *jobs = make();

    (void)state;
    put_room(jobs, "A", false, 7, BIG);
    jobs->turn = JOBS_PASTS_LAST;
    assert_string_equal(write_beside_a_class(jobs, 6),
                        "CLASS | CLASS | CLASS | CLASS | CLASS | CLASS | ");
    finish(jobs);
}

/* Also a creator whose rooms grow while they wait has no more than the share. */
static void test_creators_share_the_disk(void **state)
{
    struct jobs *jobs = make();

    (void)state;
    for (int i = 0; i < 6; i++) {
        put_room(jobs, (const char *[]){"A0", "A1", "A2", "A3", "A4", "A5"}[i], false, 7, BIG);
    }
    put_room(jobs, "B0", false, 8, BIG);
    put_room(jobs, "B1", false, 8, BIG);
    put_room(jobs, "C0", false, 9, 10);
    put_room(jobs, "C0", false, 9, 3 * BIG);
    put_room(jobs, "C1", false, 9, BIG);
    assert_string_equal(write_all(jobs), "A0 C0 | B0 A1 | B1 A2 | C1 A3 | A4 A5 | ");
    finish(jobs);
}

/* A film counts by its pieces: rooms of others come between them, and its own room behind it. */
static void test_creators_share_the_disk_with_films(void **state)
{
    struct jobs *jobs = make();

    (void)state;
    put_film(jobs, "A", false, 7, 3 * JOBS_PIECE);
    put_room(jobs, "A", false, 7, 10);
    for (int i = 0; i < 4; i++) {
        put_room(jobs, (const char *[]){"B0", "B1", "B2", "B3"}[i], false, 8, BIG);
    }
    put_film(jobs, "C", true, 0, 2 * JOBS_PIECE);
    put_room(jobs, "C", true, 0, 10);
    put_room(jobs, "LOBBY", true, 0, 10);
    assert_string_equal(
        write_all(jobs),
        "C-film | LOBBY C-film | C | A-film | B0 B1 | A-film | B2 B3 | A-film | A | ");
    finish(jobs);
}

/* After a failed write all pieces are written at once: otherwise they would fill a full disk. */
static void test_a_failed_film_is_written_at_once(void **state)
{
    struct jobs *jobs = make();
    struct list taken;
    bool past;

    (void)state;
    put_film(jobs, "A", false, 7, 3 * JOBS_PIECE);
    put_room(jobs, "A", false, 7, 10);
    assert_string_equal(take(jobs, &taken, &past), "A-film ");
    assert_true(jobs_put_remaining(jobs, &taken, past));
    put_room(jobs, "CLASS", true, 0, 10);
    fail_once(jobs, "CLASS ");
    assert_string_equal(write_all(jobs), "CLASS | A-film | A | ");
    finish(jobs);
}

/* The room's newest past stays, even if an earlier one was begun before a write failed. */
static void test_a_begun_past_gives_way_to_a_newer_one_after_a_failure(void **state)
{
    struct jobs *jobs = make();
    struct list taken;
    bool past;

    (void)state;
    put_past(jobs, "A", true);
    assert_string_equal(take(jobs, &taken, &past), "A-past ");
    jobs_next(&taken, NULL)->packed = calloc(3, JOBS_PIECE);
    jobs_next(&taken, NULL)->packed_size = 3 * JOBS_PIECE;
    assert_true(jobs_put_remaining(jobs, &taken, past));
    put_past(jobs, "A", true);
    put_room(jobs, "CLASS", true, 0, 10);
    fail_once(jobs, "CLASS ");
    assert_string_equal(write_all(jobs), "CLASS | A-past | ");
    finish(jobs);
}

/* Neither can starve the other on a slow disk. */
static void test_trusted_pasts_and_other_rooms_take_turns(void **state)
{
    struct jobs *jobs = make();

    (void)state;
    put_room(jobs, "A0", false, 7, 2 * BIG);
    put_room(jobs, "A1", false, 7, 2 * BIG);
    put_past(jobs, "A0", false);
    put_room(jobs, "CLASS", true, 0, BIG);
    put_past(jobs, "CLASS", true);
    put_past(jobs, "LOBBY", true);
    assert_string_equal(write_all(jobs), "CLASS | CLASS-past | A0 | LOBBY-past | A1 | A0-past | ");
    finish(jobs);
}

/* A past may need more space than the disk has, while rooms fit. */
static void test_a_failed_past_is_not_urgent(void **state)
{
    struct jobs *jobs = make();

    (void)state;
    put_room(jobs, "A", false, 7, BIG);
    put_past(jobs, "CLASS", true);
    fail_once(jobs, "CLASS-past ");
    put_past(jobs, "CLASS", true); /* a newer one */
    put_past(jobs, "LOBBY", true);
    assert_false(jobs_has_failed(jobs));
    assert_string_equal(write_all(jobs), "A | LOBBY-past | CLASS-past | ");
    finish(jobs);
}

/* Newer bytes of a room do not hide that it has not been written. */
static void test_a_room_stays_failed_until_it_is_written(void **state)
{
    struct jobs *jobs = make();
    struct list taken;
    bool past;

    (void)state;
    put_room(jobs, "A", false, 7, 10);
    assert_string_equal(take(jobs, &taken, &past), "A ");
    put_room(jobs, "A", false, 7, 20);
    jobs_put_back(jobs, &taken, past);
    assert_true(jobs_has_failed(jobs));
    put_room(jobs, "A", false, 7, 30);
    assert_true(jobs_has_failed(jobs));
    assert_string_equal(write_all(jobs), "A | ");
    assert_false(jobs_has_failed(jobs));
    finish(jobs);
}

static void test_pasts_wait_until_the_process_has_stored_its_rooms(void **state)
{
    struct jobs *jobs = make();

    (void)state;
    jobs->turn = JOBS_NO_PASTS;
    put_past(jobs, "CLASS", true);
    assert_false(jobs_has_any(jobs));
    put_room(jobs, "A", false, 7, 10);
    assert_string_equal(write_all(jobs), "A | ");
    put_room(jobs, "A", false, 7, 10);
    jobs->turn = JOBS_PASTS_LAST;
    assert_string_equal(write_all(jobs), "A | CLASS-past | ");
    finish(jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_ends_come_first_and_together),
        cmocka_unit_test(test_trusted_rooms_come_before_others),
        cmocka_unit_test(test_a_busy_class_leaves_others_a_share),
        cmocka_unit_test(test_ends_and_others_come_together),
        cmocka_unit_test(test_a_past_takes_no_turn_of_others),
        cmocka_unit_test(test_an_ending_process_writes_trusted_rooms_first),
        cmocka_unit_test(test_creators_share_the_disk),
        cmocka_unit_test(test_creators_share_the_disk_with_films),
        cmocka_unit_test(test_a_failed_film_is_written_at_once),
        cmocka_unit_test(test_a_begun_past_gives_way_to_a_newer_one_after_a_failure),
        cmocka_unit_test(test_trusted_pasts_and_other_rooms_take_turns),
        cmocka_unit_test(test_a_failed_past_is_not_urgent),
        cmocka_unit_test(test_a_room_stays_failed_until_it_is_written),
        cmocka_unit_test(test_pasts_wait_until_the_process_has_stored_its_rooms),
    };

    return cmocka_run_group_tests_name("store, the order of jobs", tests, NULL, NULL);
}
