/* A saved and loaded flock continues bit for bit: every model, boundary and update order, with
 * other threads and lanes, and in another process. Other bytes are not loaded. */
#include "scene/flock_state.h"

#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim_tick.h"

enum { BOIDS = 80, TICKS_AFTER = 250 };

static struct flock *make(size_t model, int boundary, int update, uint32_t boids)
{
    static const struct flock_wall walls[] = {{100.0f, 50.0f, 220.0f, 190.0f},
                                              {300.0f, 350.0f, 310.0f, 100.0f}};
    struct flock_definition definition = flock_definition_default();
    flock_settings_choose(&definition.settings, flock_models[model]);
    definition.settings.boundary = (enum flock_boundary)boundary;
    definition.settings.update = (enum flock_update)update;
    definition.boids = boids;
    definition.seed = 0xfedcba9876543210u + model;
    definition.lanes = 4;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    assert_true(flock_set_walls(flock, walls, 2));
    return flock;
}

/* Ticks with a cursor that moves around, and is sometimes a predator or absent. */
static void tick_at(struct flock *flock, uint32_t threads, uint32_t tick)
{
    double turn = 0.05 * tick;
    struct flock_target targets[2] = {
        {(float)(275.0 + 200.0 * sin(turn)), (float)(200.0 + 150.0 * cos(turn)), false},
        {250.0f, 200.0f, tick % 64 < 8}};
    tick_targets(flock, threads, targets, tick % 100 < 90 ? 2 : 0);
}

static uint64_t hash_words(uint64_t hash, const void *words, size_t count)
{
    const uint8_t *bytes = words;
    for (size_t i = 0; i < 4 * count; i++) { /* FNV-1a */
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

/* Returns a hash of all values that a tick changes, in the order of their storage. */
static uint64_t hash_of(const struct flock *flock)
{
    struct flock_slots slots = flock_slots(flock);
    uint32_t count = flock_count(flock);
    uint64_t hash = hash_words(0xcbf29ce484222325u, slots.number, count);
    hash = hash_words(hash, slots.x, count);
    hash = hash_words(hash, slots.y, count);
    hash = hash_words(hash, slots.vx, count);
    return hash_words(hash, slots.vy, count);
}

static struct flock *reload(const struct flock *flock, uint32_t lanes)
{
    char problem[256];
    size_t size;
    uint8_t *bytes = flock_save(flock, &size);
    assert_non_null(bytes);
    struct flock *loaded = flock_load(bytes, size, lanes, problem, sizeof problem);
    if (loaded == NULL) {
        fail_msg("%s", problem);
    }
    free(bytes);
    return loaded;
}

static void test_goes_on_as_it_was(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (int boundary = FLOCK_OPEN; boundary <= FLOCK_WALLS; boundary++) {
            for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
                struct flock *flock = make(m, boundary, update, BOIDS);
                uint32_t saved_at = 10 + (uint32_t)(m * 37 + (size_t)boundary * 91) % 120;
                for (uint32_t tick = 0; tick < saved_at; tick++) {
                    tick_at(flock, 1, tick);
                }
                struct flock *loaded = reload(flock, 16);
                for (uint32_t tick = saved_at; tick < saved_at + TICKS_AFTER; tick++) {
                    tick_at(flock, 1, tick);
                    tick_at(loaded, tick % 20 == 0 ? 3 : 1, tick);
                }
                if (hash_of(loaded) != hash_of(flock)) {
                    fail_msg("%s, boundary %d, update %d: it goes on otherwise",
                             flock_models[m]->name, boundary, update);
                }
                flock_destroy(flock);
                flock_destroy(loaded);
            }
        }
    }
}

static void set(struct flock *flock, enum flock_common common, float value)
{
    size_t index = flock_settings_of(flock)->model->common[common];
    assert_true(flock_param_set(flock, index, value));
}

/* The noise of a tick depends on the number of ticks, which is saved. */
static void test_noise_goes_on(void **state)
{
    (void)state;
    for (int update = FLOCK_SYNCHRONOUS; update <= FLOCK_SEQUENTIAL; update++) {
        struct flock *flock = make(1, FLOCK_WRAP, update, BOIDS);
        set(flock, FLOCK_NOISE, 90.0f);
        set(flock, FLOCK_INFORMED, 0.5f);
        for (uint32_t tick = 0; tick < 30; tick++) {
            tick_at(flock, 1, tick);
        }
        struct flock *loaded = reload(flock, 8);
        assert_int_equal(flock_ticks(loaded), 30);
        for (uint32_t tick = 30; tick < 60; tick++) {
            tick_at(flock, 1, tick);
            tick_at(loaded, 2, tick);
        }
        assert_true(hash_of(loaded) == hash_of(flock));
        flock_destroy(flock);
        flock_destroy(loaded);
    }
}

/* Later changes by presenters also have the same result. */
static void test_changes_afterwards(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        struct flock *flocks[2] = {make(m, FLOCK_WRAP, FLOCK_SYNCHRONOUS, BOIDS), NULL};
        assert_true(flock_add(flocks[0], 100.0f, 100.0f, 30));
        tick_at(flocks[0], 1, 1);
        flock_remove(flocks[0], 12);
        flocks[1] = reload(flocks[0], 0);
        assert_int_equal(flock_epoch(flocks[1]), flock_epoch(flocks[0]));
        for (int i = 0; i < 2; i++) {
            struct flock *flock = flocks[i];
            tick_at(flock, 1, 2);
            assert_true(flock_add(flock, 300.0f, 10.0f, 500));
            assert_true(flock_set_world(flock, FLOCK_WALLS, 400.0f, 300.0f));
            assert_true(flock_set_model(flock, flock_models[(m + 1) % 5]));
            tick_at(flock, 1, 3);
            flock_remove(flock, 40);
            tick_at(flock, 1, 4);
        }
        assert_int_equal(flock_count(flocks[0]), flock_count(flocks[1]));
        assert_int_equal(flock_epoch(flocks[0]), flock_epoch(flocks[1]));
        assert_true(hash_of(flocks[0]) == hash_of(flocks[1]));
        flock_reset(flocks[0]);
        flock_reset(flocks[1]);
        assert_true(hash_of(flocks[0]) == hash_of(flocks[1]));
        flock_destroy(flocks[0]);
        flock_destroy(flocks[1]);
    }
}

/* Coefficients that do not come from the seed. */
static void test_own_coefficients(void **state)
{
    enum { COUNT = 20 };
    float at[COUNT];
    float zero[COUNT] = {0.0f};
    float separation[COUNT];
    struct flock *flock = make(0, FLOCK_OPEN, FLOCK_SYNCHRONOUS, COUNT);
    (void)state;
    float low = flock_param_get(flock, 0);
    float high = flock_param_get(flock, 1);
    for (int i = 0; i < COUNT; i++) {
        at[i] = 20.0f * (float)i;
        separation[i] = low + (high - low) * (float)(COUNT - i) / COUNT;
    }
    struct flock_state boids = {at, at, zero, zero, separation, NULL, NULL};
    assert_true(flock_replace(flock, &boids, COUNT));
    struct flock *loaded = reload(flock, 0);
    float values[2][3][COUNT];
    assert_true(flock_coefficients(flock, values[0][0], values[0][1], values[0][2]));
    assert_true(flock_coefficients(loaded, values[1][0], values[1][1], values[1][2]));
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    for (uint32_t tick = 0; tick < 100; tick++) {
        tick_at(flock, 1, tick);
        tick_at(loaded, 2, tick);
    }
    assert_true(hash_of(flock) == hash_of(loaded));
    flock_destroy(flock);
    flock_destroy(loaded);
}

/* A child process saves into a pipe and reports the flock's later state. */
static void test_another_process(void **state)
{
    enum { TICKS = 300 };
    int ends[2];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    struct flock *flock = make(3, FLOCK_WALLS, FLOCK_SYNCHRONOUS, BOIDS);
    if (child == 0) {
        struct flock_workspace *workspace = flock_workspace_create(2);
        const struct flock_point target = {30.0f, 40.0f};
        size_t size = 0;
        bool well = workspace != NULL && flock_workspace_reserve(workspace, BOIDS);
        for (int tick = 0; tick < 50; tick++) {
            well = well && flock_tick(flock, workspace, &target);
        }
        uint8_t *bytes = flock_save(flock, &size);
        for (int tick = 0; tick < TICKS; tick++) {
            well = well && flock_tick(flock, workspace, &target);
        }
        uint64_t hash = hash_of(flock);
        well = well && bytes != NULL && write(ends[1], &hash, sizeof hash) == sizeof hash &&
               write(ends[1], bytes, size) == (ssize_t)size;
        _exit(well ? 0 : 1);
    }
    flock_destroy(flock);
    close(ends[1]);
    uint64_t hash;
    static uint8_t bytes[BOIDS * 64];
    size_t size = 0;
    assert_int_equal(read(ends[0], &hash, sizeof hash), sizeof hash);
    for (ssize_t got; (got = read(ends[0], bytes + size, sizeof bytes - size)) > 0;) {
        size += (size_t)got;
    }
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    char problem[256];
    flock = flock_load(bytes, size, 8, problem, sizeof problem);
    assert_non_null(flock);
    for (int tick = 0; tick < TICKS; tick++) {
        tick_flock(flock, &(struct flock_point){30.0f, 40.0f});
    }
    assert_true(hash_of(flock) == hash);
    flock_destroy(flock);
}

/* ---- refused states ---- */

static void assert_refused(const uint8_t *bytes, size_t size, const char *expected)
{
    char problem[256] = "";
    assert_null(flock_load(bytes, size, 0, problem, sizeof problem));
    if (strstr(problem, expected) == NULL) {
        fail_msg("expected \"%s\" in: %s", expected, problem);
    }
}

/* The checksum detects truncated states and changed bytes. */
static void test_damaged(void **state)
{
    struct flock *flock = make(1, FLOCK_WRAP, FLOCK_SYNCHRONOUS, 12);
    size_t size;
    uint8_t *bytes = flock_save(flock, &size);
    char problem[256];
    (void)state;
    assert_non_null(bytes);
    for (size_t cut = 0; cut < size; cut++) {
        assert_null(flock_load(bytes, cut, 0, problem, sizeof problem));
        assert_true(problem[0] != '\0');
    }
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 0x10;
        assert_null(flock_load(bytes, size, 0, problem, sizeof problem));
        bytes[i] ^= 0x10;
    }
    assert_refused(bytes, 5, "not a file of flockd");
    bytes[6] = 'R';
    assert_refused(bytes, size, "not a saved flock");
    bytes[6] = 'F';
    bytes[7] = 9;
    assert_refused(bytes, size, "another version: expected state version 1, got 9");
    bytes[7] = 1;
    bytes[size - 1] ^= 1;
    assert_refused(bytes, size, "damaged");
    free(bytes);
    flock_destroy(flock);
}

/* Returns the position of a key's value in a saved flock, after the head of the value. */
static uint8_t *value_of(uint8_t *bytes, size_t size, const char *key, size_t head)
{
    size_t length = strlen(key);
    for (size_t i = SAVED_HEAD; i + length < size; i++) {
        if (bytes[i] == (0xa0 | length) && memcmp(bytes + i + 1, key, length) == 0) {
            return bytes + i + 1 + length + head;
        }
    }
    fail_msg("there is no %s", key);
    return NULL;
}

/* Invalid values with a right checksum. */
static void test_out_of_range(void **state)
{
    struct flock *flock = make(1, FLOCK_WRAP, FLOCK_SYNCHRONOUS, 12);
    size_t size;
    uint8_t *bytes = flock_save(flock, &size);
    const float outside = 550.0f;
    const uint32_t nobody = 12;
    (void)state;
    assert_non_null(bytes);
    uint8_t *x = value_of(bytes, size, "x", 2);
    float before;
    memcpy(&before, x, sizeof before);
    memcpy(x, &outside, sizeof outside);
    saved_seal(bytes, size);
    assert_refused(bytes, size, "a boid is outside the world");
    memcpy(x, &(float){NAN}, sizeof(float));
    saved_seal(bytes, size);
    assert_refused(bytes, size, "a boid is outside the world");
    memcpy(x, &before, sizeof before);
    uint8_t *number = value_of(bytes, size, "number", 2);
    memcpy(number, &nobody, sizeof nobody);
    saved_seal(bytes, size);
    assert_refused(bytes, size, "a boid's number occurs twice, or is missing");
    memcpy(number, number + 4, 4);
    saved_seal(bytes, size);
    assert_refused(bytes, size, "a boid's number occurs twice, or is missing");
    memcpy(value_of(bytes, size, "model", 1), "beads", 5);
    saved_seal(bytes, size);
    assert_refused(bytes, size, "model: this version does not know the name");
    free(bytes);
    flock_destroy(flock);
}

/* A state that an earlier flockd saved has no number of ticks: the flock counts from 0. */
static void test_missing_ticks(void **state)
{
    struct flock *flock = make(1, FLOCK_WRAP, FLOCK_SYNCHRONOUS, 12);
    char problem[256] = "";
    size_t size;
    (void)state;
    tick_at(flock, 1, 0);
    uint8_t *bytes = flock_save(flock, &size);
    assert_non_null(bytes);
    memcpy(value_of(bytes, size, "ticks", 0) - 5, "tocks", 5);
    saved_seal(bytes, size);
    struct flock *loaded = flock_load(bytes, size, 0, problem, sizeof problem);
    assert_string_equal(problem, "");
    assert_int_equal(flock_ticks(loaded), 0);
    assert_true(hash_of(loaded) == hash_of(flock));
    flock_destroy(flock);
    flock_destroy(loaded);
    free(bytes);
}

/* Removes the pair of that parameter from a saved flock. Returns the new size. */
static size_t remove_param(uint8_t *bytes, size_t size, const char *name)
{
    uint8_t *map = value_of(bytes, size, "params", 0);
    uint8_t *after = value_of(bytes, size, name, 5); /* a float and its type */
    uint8_t *pair = after - 5 - strlen(name) - 1;

    map[*map == 0xde ? 2 : 0]--; /* pairs: in the third byte if there are more than 15 */
    memmove(pair, after, size - (size_t)(after - bytes));
    size -= (size_t)(after - pair);
    saved_seal(bytes, size);
    return size;
}

/* Removes each parameter once, as if it were newer than the state. */
static void test_a_missing_parameter_is_as_before(void **state)
{
    (void)state;
    for (size_t m = 0; flock_models[m] != NULL; m++) {
        for (size_t i = 0; i < flock_models[m]->param_count; i++) {
            struct flock *flock = make(m, FLOCK_WRAP, FLOCK_SYNCHRONOUS, BOIDS);
            char problem[256] = "";
            size_t size;
            uint8_t *bytes = flock_save(flock, &size);
            assert_non_null(bytes);
            size = remove_param(bytes, size, flock_models[m]->params[i].name);
            struct flock *loaded = flock_load(bytes, size, 0, problem, sizeof problem);
            assert_string_equal(problem, "");
            for (uint32_t tick = 0; tick < 10; tick++) {
                tick_at(flock, 1, tick);
                tick_at(loaded, 1, tick);
            }
            assert_true(hash_of(loaded) == hash_of(flock));
            assert_true(flock_param_get(loaded, i) == flock_param_before(flock_models[m], i));
            flock_destroy(flock);
            flock_destroy(loaded);
            free(bytes);
        }
    }
}

/* A missing parameter gets its initial value, unless the model's list has another neutral value. */
static void test_the_value_of_a_missing_parameter(void **state)
{
    static const struct flock_param params[] = {
        {"speed", "", 0.0f, 9.0f, 2.0f, "", 0},
        {"memory", "s", 0.0f, 9.0f, 3.0f, "", 0},
    };
    static const struct flock_setting before[] = {{"memory", 0.0f}, {NULL, 0.0f}};
    const struct flock_model model = {.params = params, .param_count = 2, .before = before};

    (void)state;
    assert_true(flock_param_before(&model, 0) == 2.0f);
    assert_true(flock_param_before(&model, 1) == 0.0f);
}

static void test_an_unknown_parameter_is_refused_by_name(void **state)
{
    struct flock *flock = make(1, FLOCK_WRAP, FLOCK_SYNCHRONOUS, 12);
    size_t size;
    uint8_t *bytes = flock_save(flock, &size);

    (void)state;
    assert_non_null(bytes);
    memcpy(value_of(bytes, size, "max_speed", 0) - 9, "max_shoes", 9);
    saved_seal(bytes, size);
    assert_refused(bytes, size, "params: boids has no parameter max_shoes in this version");
    free(bytes);
    flock_destroy(flock);
}

/* A saved state takes no more memory than its bytes, which the limits of rooms' pasts count. */
static void test_memory(void **state)
{
    (void)state;
    for (uint32_t boids = 1; boids <= 1000; boids *= 10) {
        struct flock *flock = make(1, FLOCK_WRAP, FLOCK_SYNCHRONOUS, boids);
        size_t size;
        uint8_t *bytes = flock_save(flock, &size);
        assert_non_null(bytes);
        assert_in_range(malloc_usable_size(bytes), size, size + 64);
        free(bytes);
        flock_destroy(flock);
    }
}

/* The maximum number of walls is restored. */
static void test_all_walls(void **state)
{
    struct flock_wall walls[FLOCK_WALLS_MAX];
    struct flock *flock = make(0, FLOCK_WALLS, 0, 3);
    char problem[160];
    size_t size;

    (void)state;
    for (uint32_t i = 0; i < FLOCK_WALLS_MAX; i++) {
        float x = 10.0F + (float)i;
        walls[i] = (struct flock_wall){x, 10.0F, x, 20.0F};
    }
    assert_true(flock_set_walls(flock, walls, FLOCK_WALLS_MAX));
    uint8_t *bytes = flock_save(flock, &size);
    assert_non_null(bytes);
    struct flock *loaded = flock_load(bytes, size, 0, problem, sizeof problem);
    assert_non_null(loaded);
    assert_true(flock_settings_same(flock_settings_of(loaded), flock_settings_of(flock)));
    assert_int_equal(flock_settings_of(loaded)->wall_count, FLOCK_WALLS_MAX);
    assert_memory_equal(flock_settings_of(loaded)->walls, walls, sizeof walls);
    flock_destroy(flock);
    flock_destroy(loaded);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_another_process), /* before there are threads */
        cmocka_unit_test(test_goes_on_as_it_was),
        cmocka_unit_test(test_noise_goes_on),
        cmocka_unit_test(test_missing_ticks),
        cmocka_unit_test(test_changes_afterwards),
        cmocka_unit_test(test_own_coefficients),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_out_of_range),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_a_missing_parameter_is_as_before),
        cmocka_unit_test(test_the_value_of_a_missing_parameter),
        cmocka_unit_test(test_an_unknown_parameter_is_refused_by_name),
        cmocka_unit_test(test_all_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
