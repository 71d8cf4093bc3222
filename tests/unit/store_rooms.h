/* For tests of the store: puts rooms, recordings and pasts into it, and lists its contents. */
#ifndef STORE_ROOMS_H
#define STORE_ROOMS_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/store.h"
#include "store_folder.h"

#define store_test(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

static char text[STORE_REASON_MAX];

static inline struct store *open_store(void)
{
    struct store *store;

    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    assert_true(store_start(store, NULL));
    return store;
}

static inline void put(struct store *store, const char *code, const char *state)
{
    struct store_room room = {.saved_at = 1700000000, .fingerprint = UINT64_MAX, .listed = true};

    snprintf(room.code, sizeof room.code, "%s", code);
    room.size = strlen(state);
    room.state = (uint8_t *)strdup(state);
    assert_true(store_put(store, &room));
}

/* Asserts what the next process reads of that room; "": nothing. */
static inline void assert_read(uint8_t *read(struct store *, const char *, size_t *),
                               const char *code, const char *expected)
{
    struct store *store;
    size_t size = 0;

    assert_int_equal(store_open(folder, &store, text), STORE_OK);
    uint8_t *bytes = read(store, code, &size);
    assert_int_equal(bytes != NULL ? size : 0, strlen(expected));
    assert_true(bytes == NULL || memcmp(bytes, expected, size) == 0);
    free(bytes);
    assert_true(store_close(store, 1));
}

/* The contents of a store: "CODE=state " for each room, then "CODE@until " for each reserved
 * code. */
static char found[1024];

static inline void take(void *argument, const struct store_room *room)
{
    size_t used = strlen(found);

    (void)argument;
    assert_int_equal(room->saved_at, 1700000000);
    assert_true(room->fingerprint == UINT64_MAX);
    assert_true(room->listed);
    snprintf(found + used, sizeof found - used, "%s=%.*s ", room->code, (int)room->size,
             (const char *)room->state);
}

static inline void rest(void *argument, const char *code, uint64_t until)
{
    size_t used = strlen(found);

    (void)argument;
    snprintf(found + used, sizeof found - used, "%s@%llu ", code, (unsigned long long)until);
}

static inline const char *contents(void)
{
    struct store *store;

    found[0] = '\0';
    store_open(folder, &store, text);
    assert_string_equal(text, "");
    assert_true(store_read(store, "", take, rest, NULL, text));
    assert_true(store_close(store, 1));
    return found;
}

/* Waits until all rooms are written, or a write fails. */
static inline struct store_status settled(struct store *store)
{
    struct store_status status;
    uint64_t end = uv_hrtime() + UINT64_C(60000000000);

    do {
        assert_true(uv_hrtime() < end);
        usleep(1000);
        store_status(store, &status);
    } while (status.waiting > 0 && !status.failing);
    return status;
}

/* Simulates a full disk with a limit on the size of files. */
static inline void limit_files(rlim_t size)
{
    struct rlimit limit;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* ---- recordings and pasts ---- */

static atomic_uint released; /* number of recordings that the store no longer needs */

static inline void release(void *memory)
{
    (void)memory;
    released++;
}

static inline void put_recording(struct store *store, const char *code, const char *bytes)
{
    assert_true(store_put_recording(store, code,
                                    &(struct store_recording){.bytes = (const uint8_t *)bytes,
                                                              .size = strlen(bytes),
                                                              .release = release}));
}

static inline void put_playing(struct store *store, const char *code)
{
    struct store_room room = {.saved_at = 1700000000, .plays = true, .size = 4};

    snprintf(room.code, sizeof room.code, "%s", code);
    room.state = (uint8_t *)strdup("fine");
    assert_true(store_put(store, &room));
}

static atomic_uint packed;

static inline uint8_t *pack(void *memory, size_t *size)
{
    packed++;
    *size = strlen(memory);
    return (uint8_t *)strdup(memory);
}

static inline void put_past(struct store *store, const char *code, const char *bytes)
{
    struct store_past past = {.pack = pack, .release = release};

    past.memory = (void *)(uintptr_t)bytes; /* read only */
    assert_true(store_put_past(store, code, &past));
}

#endif
