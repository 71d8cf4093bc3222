/* The store keeps rooms for the next process, for any end of this one. It reports failed writes and
 * loses no room. No thread waits for the disk. */
#include "store_rooms.h"

#include <sys/stat.h>
#include <sys/wait.h>

static void test_stored_rooms_are_there_after_a_restart(void **state)
{
    struct store *store = open_store();

    (void)state;
    put(store, "lobby", "first");
    put(store, "FK72MX", "second");
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "FK72MX=second lobby=first ");
}

static void test_other_users_cannot_read_the_database(void **state)
{
    static const char *const names[] = {STORE_FILE, STORE_FILE "-wal", STORE_FILE "-ended"};
    struct store *store = open_store();
    struct stat status;
    char path[128];

    (void)state;
    put(store, "lobby", "secret");
    settled(store);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_mode & 0777, 0600);
    }
    assert_true(store_close(store, 10));
}

static void test_the_newest_counts(void **state)
{
    struct store *store = open_store();

    (void)state;
    for (int i = 0; i < 100; i++) {
        char bytes[16];
        snprintf(bytes, sizeof bytes, "%d", i);
        put(store, "lobby", bytes);
    }
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "lobby=99 ");
}

static void test_an_ended_room_is_removed_and_its_code_reserved(void **state)
{
    struct store *store = open_store();

    (void)state;
    put(store, "FK72MX", "one");
    settled(store);
    put(store, "FK72MX", "more");
    assert_true(store_end(store, "FK72MX", 4000000000));
    put(store, "KK22MX", "the next room");
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "FK72MX@4000000000 KK22MX=the next room ");
}

static void test_expired_codes_are_removed(void **state)
{
    struct store *store = open_store();

    (void)state;
    assert_true(store_end(store, "FK72MX", 1000));
    assert_true(store_end(store, "KK22MX", 4000000000));
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "KK22MX@4000000000 ");
}

/* A process is killed while it writes at full speed. All confirmed writes exist. */
static void test_a_kill_loses_no_written_room(void **state)
{
    (void)state;
    for (int round = 0; round < 10; round++) {
        int pipes[2];
        assert_int_equal(pipe(pipes), 0);
        pid_t child = fork();
        if (child == 0) {
            struct store *store = open_store();
            for (uint32_t i = 1;; i++) {
                char bytes[16];
                snprintf(bytes, sizeof bytes, "%u", i);
                put(store, "lobby", bytes);
                settled(store);
                if (write(pipes[1], &i, sizeof i) != sizeof i) {
                    _exit(1);
                }
            }
        }
        close(pipes[1]);
        uint32_t last = 0;
        for (int i = 0; i < 3 + round; i++) {
            assert_int_equal(read(pipes[0], &last, sizeof last), sizeof last);
        }
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        uint32_t more;
        while (read(pipes[0], &more, sizeof more) == sizeof more) {
            last = more;
        }
        close(pipes[0]);
        const char *now = contents();
        assert_memory_equal(now, "lobby=", strlen("lobby="));
        unsigned long kept = strtoul(now + strlen("lobby="), NULL, 10);
        assert_true(kept == last || kept == last + 1UL);
    }
}

static void test_a_second_process_cannot_open_the_store(void **state)
{
    struct store *store = open_store();
    struct store *second;

    (void)state;
    put(store, "lobby", "mine");
    assert_int_equal(store_open(folder, &second, text), STORE_FAILED);
    assert_null(second);
    assert_non_null(strstr(text, folder));
    assert_non_null(strstr(text, "another flockd is using it"));
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "lobby=mine ");
}

static void test_rooms_wait_while_writing_fails(void **state)
{
    struct store *store = open_store();
    struct store_status status;
    static char big[200000];

    (void)state;
    memset(big, 'x', sizeof big - 1);
    put(store, "lobby", "small");
    assert_false(settled(store).failing);
    limit_files(100000);
    put(store, "FK72MX", big);
    status = settled(store);
    limit_files(RLIM_INFINITY);
    assert_true(status.failing);
    assert_true(status.failures > 0);
    assert_non_null(strstr(status.reason, folder));
    put(store, "FK72MX", "smaller");
    do {
        usleep(1000);
        store_status(store, &status);
    } while (status.failing);
    assert_true(status.late < 1); /* the disk was not slow */
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "FK72MX=smaller lobby=small ");
}

/* A room that ends while large writes fail is not restored. */
static void test_rooms_end_while_writing_fails(void **state)
{
    struct store *store = open_store();
    struct store_status status;
    static char big[200000];

    (void)state;
    memset(big, 'x', sizeof big - 1);
    put(store, "FK72MX", "small");
    put(store, "KK22MX", "small, too");
    put(store, "lobby", "small");
    assert_false(settled(store).failing);
    limit_files(300000);
    put(store, "lobby", big);
    put(store, "MM22MX", big);
    put(store, "KK22MX", big);
    assert_true(settled(store).failing);
    assert_true(store_end(store, "FK72MX", 4000000000));
    assert_true(store_end(store, "KK22MX", 4000000000));
    do {
        usleep(1000);
        store_status(store, &status);
    } while (status.waiting > 2);
    assert_true(status.failing);
    (void)store_close(store, 10);
    limit_files(RLIM_INFINITY);
    assert_null(strstr(contents(), "FK72MX="));
    assert_null(strstr(contents(), "KK22MX="));
    assert_non_null(strstr(contents(), "lobby="));
}

/* Ends FK72MX in a process that can write nothing but the list of endings. */
static void end_on_a_full_disk(void)
{
    struct store *store = open_store();
    static char big[200000];

    memset(big, 'x', sizeof big - 1);
    put(store, "KK22MX", "lives");
    put(store, "FK72MX", big);
    assert_false(settled(store).failing);
    limit_files(131072);
    assert_true(store_end(store, "FK72MX", 4000000000));
    assert_false(store_close(store, 10));
    limit_files(RLIM_INFINITY);
}

static void change_file(const char *suffix, long at, char byte)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/" STORE_FILE "%s", folder, suffix);
    file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fputc(byte, file), byte);
    assert_int_equal(fclose(file), 0);
}

static void test_a_room_that_ends_on_a_full_disk_stays_ended(void **state)
{
    (void)state;
    end_on_a_full_disk();
    assert_string_equal(contents(), "FK72MX@4000000000 KK22MX=lives ");
    assert_string_equal(contents(), "FK72MX@4000000000 KK22MX=lives ");
    assert_true(store_close(open_store(), 10)); /* removes its row */
    assert_string_equal(contents(), "FK72MX@4000000000 KK22MX=lives ");
}

static void count_room(void *argument, const struct store_room *room);
static void skip_code(void *argument, const char *code, uint64_t until);

static void test_hundreds_of_rooms_that_end_on_a_full_disk_stay_ended(void **state)
{
    struct store *store = open_store();
    unsigned rooms = 0;
    char code[16];

    (void)state;
    for (int i = 0; i < 600; i++) {
        snprintf(code, sizeof code, "ROOM%d", i);
        put(store, code, "a state");
    }
    assert_false(settled(store).failing);
    assert_true(store_close(store, 10)); /* the next one has space for 600 ends in advance */
    store = open_store();
    limit_files(45000);
    for (int i = 0; i < 600; i++) {
        snprintf(code, sizeof code, "ROOM%d", i);
        assert_true(store_end(store, code, 4000000000));
    }
    (void)store_close(store, 10);
    limit_files(RLIM_INFINITY);
    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    assert_true(store_read(store, "", count_room, skip_code, &rooms, text));
    assert_true(store_close(store, 1));
    assert_int_equal(rooms, 0);
}

static void test_a_damaged_ending_is_ignored(void **state)
{
    (void)state;
    end_on_a_full_disk();
    change_file("-ended", 1, 'X');
    contents();
    assert_non_null(strstr(found, "FK72MX=x"));
}

static void count_room(void *argument, const struct store_room *room)
{
    (void)room;
    ++*(unsigned *)argument;
}

static void skip_code(void *argument, const char *code, uint64_t until)
{
    (void)argument;
    (void)code;
    (void)until;
}

/* An older flockd restores the room, because it ignores the list, and saves it again. */
static void test_an_ending_is_not_of_a_room_that_was_saved_again(void **state)
{
    struct store *store;
    unsigned rooms = 0;

    (void)state;
    end_on_a_full_disk();
    run_sql("UPDATE room SET saved_at = 1800000000");
    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    assert_true(store_read(store, "", count_room, skip_code, &rooms, text));
    assert_true(store_close(store, 1));
    assert_int_equal(rooms, 2);
}

/* The file of the database gives the space of ended rooms back to the disk. */
static void test_the_space_of_ended_rooms_is_free(void **state)
{
    struct store *store = open_store();
    struct stat status = {0};
    char path[128];
    uint64_t end = uv_hrtime() + UINT64_C(60000000000);
    char *big = malloc(8000000);

    (void)state;
    memset(big, 'x', 7999999);
    big[7999999] = '\0';
    snprintf(path, sizeof path, "%s/" STORE_FILE, folder);
    put(store, "lobby", "small");
    put(store, "FK72MX", big);
    free(big);
    (void)settled(store);
    assert_true(store_close(store, 10));
    assert_int_equal(stat(path, &status), 0);
    assert_true(status.st_size > 8000000);
    store = open_store();
    assert_true(store_end(store, "FK72MX", 4000000000));
    do {
        assert_true(uv_hrtime() < end);
        usleep(1000);
        assert_int_equal(stat(path, &status), 0);
    } while (status.st_size > 2000000);
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "FK72MX@4000000000 lobby=small ");
}

/* ---- a slow disk ---- */

static void test_no_caller_waits_for_the_disk(void **state)
{
    struct store_status status;
    struct store *store;

    (void)state;
    gate_disk();
    store = open_store();
    uv_mutex_lock(&gate);
    for (int i = 0; i < 1000; i++) { /* would never end if a call waited */
        char bytes[16];
        snprintf(bytes, sizeof bytes, "%d", i);
        put(store, "lobby", bytes);
        put(store, "FK72MX", bytes);
    }
    store_status(store, &status);
    assert_in_range(status.waiting, 2, 4); /* one copy is being written, and one waits */
    uv_mutex_unlock(&gate);
    assert_true(store_close(store, 10));
    ungate_disk();
    assert_string_equal(contents(), "FK72MX=999 lobby=999 ");
}

/* The newest bytes of each code wait, for any number of codes. */
static void test_thousands_of_rooms_wait(void **state)
{
    struct store_status status;
    struct store *store;
    char code[16];

    (void)state;
    gate_disk();
    store = open_store();
    uv_mutex_lock(&gate);
    for (int i = 0; i < 9000; i++) {
        snprintf(code, sizeof code, "ROOM%d", i % 3000);
        put(store, code, i < 6000 ? "older" : "newest");
    }
    for (int i = 1; i < 3000; i++) {
        snprintf(code, sizeof code, "ROOM%d", i);
        assert_true(store_end(store, code,
                              1000)); /* the reservation is over, so the store forgets the code */
    }
    store_status(store, &status);
    assert_in_range(status.waiting, 3000, 6000);
    uv_mutex_unlock(&gate);
    assert_true(store_close(store, 60));
    ungate_disk();
    assert_string_equal(contents(), "ROOM0=newest ");
}

static atomic_uint waiting; /* bytes of states that the store has */

static void give_back(void *memory, size_t size)
{
    atomic_fetch_sub((atomic_uint *)memory, (unsigned)size);
}

static void lend(struct store *store, const char *code, const char *state)
{
    struct store_room room = {.saved_at = 1700000000, .size = strlen(state)};

    snprintf(room.code, sizeof room.code, "%s", code);
    room.state = (uint8_t *)strdup(state);
    room.release = give_back;
    room.memory = &waiting;
    waiting += (unsigned)room.size;
    assert_true(store_put(store, &room));
}

/* The store gives each state back: a replaced one or that of an ended room at once. */
static void test_all_states_are_given_back(void **state)
{
    struct store *store;

    (void)state;
    gate_disk();
    store = open_store();
    uv_mutex_lock(&gate);
    for (int i = 0; i < 100; i++) {
        lend(store, "lobby", "ten bytes.");
        lend(store, "FK72MX", "five.");
        assert_in_range(waiting, 10 + 5, 2 * (10 + 5)); /* a state of each may be written now */
    }
    assert_true(store_end(store, "FK72MX", 1000));
    assert_in_range(waiting, 10, 2 * 10 + 5);
    uv_mutex_unlock(&gate);
    lend(store, "lobby", "again");
    assert_true(store_close(store, 10));
    ungate_disk();
    assert_int_equal(waiting, 0);
}

/* The codes of rooms in the order in which the store wrote them. */
static char written[4000];
static struct store *late_store; /* gets LATE once a stranger's room is written; NULL: no more */

static void put_as(struct store *store, const char *code, uint64_t creator, bool first,
                   size_t size);

static void note_written(void *memory, size_t size)
{
    (void)size;
    strcat(strcat(written, memory), " ");
    free(memory);
    if (late_store != NULL && strstr(written, "A0") != NULL) {
        struct store *store = late_store;
        late_store = NULL;
        put_as(store, "LATE", 0, true, 100);
    }
}

static void put_as(struct store *store, const char *code, uint64_t creator, bool first, size_t size)
{
    struct store_room room = {.creator = creator, .first = first, .size = size};

    snprintf(room.code, sizeof room.code, "%s", code);
    room.state = calloc(1, size);
    room.release = note_written;
    room.memory = strdup(code);
    assert_true(store_put(store, &room));
}

static size_t place_of(const char *code)
{
    const char *found_code = strstr(written, code);

    assert_non_null(found_code);
    return (size_t)(found_code - written);
}

/* Blocks the disk with a room, and queues 60 rooms of one creator behind it: A0 to A59. */
static struct store *begin_crowd(size_t size)
{
    struct store *store;
    char code[16];

    gate_disk();
    written[0] = '\0';
    store = open_store();
    uv_mutex_lock(&gate);
    put_as(store, "BLOCK", 0, true, 100);
    for (int i = 0; i < 60; i++) {
        snprintf(code, sizeof code, "A%d", i);
        put_as(store, code, 7, false, size);
    }
    return store;
}

static void end_crowd(struct store *store)
{
    uv_mutex_unlock(&gate);
    (void)settled(store);
    assert_true(store_close(store, 60));
    ungate_disk();
}

/* A stranger with many rooms cannot delay a trusted room, nor that of another stranger. */
static void test_trusted_rooms_are_written_first_and_creators_share(void **state)
{
    struct store *store = begin_crowd(100000);

    (void)state;
    put_as(store, "B0", 8, false, 100000);
    put_as(store, "B1", 8, false, 100000);
    put_as(store, "CLASS", 0, true, 100000);
    end_crowd(store);
    assert_true(place_of("CLASS ") < place_of("A0 "));
    assert_true(place_of("B0 ") < place_of("A3 "));
    assert_true(place_of("B1 ") < place_of("A4 "));
    assert_true(place_of("A1 ") < place_of("A2 "));
}

/* A trusted room that comes while others are written waits for one part of them, not for all. */
static void test_a_trusted_room_waits_for_one_part(void **state)
{
    struct store *store = begin_crowd(100000);

    (void)state;
    late_store = store;
    end_crowd(store);
    assert_true(place_of("A9 ") < place_of("LATE "));
    assert_true(place_of("LATE ") < place_of("A12 "));
}

static void test_the_status_says_for_how_long_a_room_waits(void **state)
{
    struct store *store = begin_crowd(100);
    struct store_status status;

    (void)state;
    usleep(20000);
    store_status(store, &status);
    assert_true(status.late >= 0.02);
    put_as(store, "A3", 7, false, 100); /* newer bytes, which do not make the room less late */
    store_status(store, &status);
    assert_true(status.late >= 0.02);
    uv_mutex_unlock(&gate);
    assert_true(settled(store).late == 0);
    uv_mutex_lock(&gate);
    end_crowd(store);
}

/* ---- --check-data ---- */

static bool is_fine(const uint8_t *state, size_t size, char *what, size_t capacity)
{
    bool fine = size > 3 && memcmp(state, "fine", 4) == 0;

    snprintf(what, capacity, "%s", fine ? "" : "its checksum does not fit");
    return fine;
}

static void test_a_check_lists_the_rooms(void **state)
{
    struct store *store = open_store();
    char *said = NULL;
    size_t size = 0;
    FILE *output = open_memstream(&said, &size);

    (void)state;
    put(store, "lobby", "fine");
    put_recording(store, "MK22MX", "fine, too");
    put_playing(store, "MK22MX");
    put(store, "MM22MX", "fine");
    put_past(store, "MM22MX", "fine past");
    assert_true(store_end(store, "KK22MX", 4000000000));
    assert_true(store_close(store, 10));
    assert_true(store_check(folder, is_fine, output, stderr));
    store = open_store();
    put(store, "FK72MX", "torn");
    put_recording(store, "MK22MX", "torn");
    put_past(store, "MM22MX", "torn");
    assert_true(store_close(store, 10));
    assert_false(store_check(folder, is_fine, output, stderr));
    fclose(output);
    assert_non_null(strstr(said, "lobby            4 bytes, kept 2023-11-14T22:13:20Z, listed\n"));
    assert_non_null(strstr(said, "14T22:13:20Z, plays a recording of 9 bytes\n"));
    assert_non_null(strstr(said, ": 3 rooms, 0 of them damaged; 1 reserved codes\n"));
    assert_non_null(strstr(said, ", its past of 9 bytes\n"));
    assert_non_null(strstr(said, ", its past of 4 bytes, damaged: its checksum does not fit\n"));
    assert_non_null(strstr(said, "damaged: its checksum does not fit\n"));
    assert_non_null(strstr(said, "plays a recording of 4 bytes, damaged: its checksum does not"));
    assert_non_null(strstr(said, ": 4 rooms, 3 of them damaged; 1 reserved codes\n"));
    free(said);
}

static void seal(uint8_t *state, size_t size)
{
    state[size - 1] = '!';
}

static void test_states_are_sealed_before_they_are_written(void **state)
{
    struct store *store;

    (void)state;
    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    assert_true(store_start(store, seal));
    put(store, "lobby", "open");
    assert_true(store_close(store, 10));
    assert_string_equal(contents(), "lobby=ope! ");
}

static void test_a_room_may_be_set_aside(void **state)
{
    struct store *store = open_store();

    (void)state;
    put(store, "lobby", "unreadable");
    assert_true(store_close(store, 10));
    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    store_set_aside(store, "lobby");
    assert_true(store_close(store, 1));
    assert_string_equal(contents(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(test_stored_rooms_are_there_after_a_restart),
        store_test(test_other_users_cannot_read_the_database),
        store_test(test_the_newest_counts),
        store_test(test_an_ended_room_is_removed_and_its_code_reserved),
        store_test(test_expired_codes_are_removed),
        store_test(test_a_kill_loses_no_written_room),
        store_test(test_a_second_process_cannot_open_the_store),
        store_test(test_rooms_wait_while_writing_fails),
        store_test(test_no_caller_waits_for_the_disk),
        store_test(test_thousands_of_rooms_wait),
        store_test(test_all_states_are_given_back),
        store_test(test_trusted_rooms_are_written_first_and_creators_share),
        store_test(test_a_trusted_room_waits_for_one_part),
        store_test(test_hundreds_of_rooms_that_end_on_a_full_disk_stay_ended),
        store_test(test_the_status_says_for_how_long_a_room_waits),
        store_test(test_rooms_end_while_writing_fails),
        store_test(test_a_room_that_ends_on_a_full_disk_stays_ended),
        store_test(test_a_damaged_ending_is_ignored),
        store_test(test_an_ending_is_not_of_a_room_that_was_saved_again),
        store_test(test_the_space_of_ended_rooms_is_free),
        store_test(test_a_check_lists_the_rooms),
        store_test(test_states_are_sealed_before_they_are_written),
        store_test(test_a_room_may_be_set_aside),
    };

    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
