/* The presets of the published flocks from which the models come: the published parameters, the
 * update order of the sources, and equal bits in every run. */
#include "sim/flock.h"
#include "sim/reference.h"
#include "sim_tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TICKS = 600, HELD_TICKS = 60, MOST = 100 };

static const struct original {
    const char *name, *model;
    enum flock_update update;
    enum flock_boundary boundary;
    const char *shape;
    uint32_t click;
    uint64_t golden; /* a hash of all positions and velocities after TICKS ticks */
} originals[] = {
    {"original", "swarm", FLOCK_SEQUENTIAL, FLOCK_OPEN, "blur", 0, 0xa691b94c53ebc33eu},
    {"js-birds", "birds", FLOCK_SEQUENTIAL, FLOCK_WRAP, "arrow", 1, 0x408ddb64f39cf284u},
    {"vex-column", "vision", FLOCK_SYNCHRONOUS, FLOCK_WRAP, "arrow", 0, 0xea943d9d0e170701u},
    {"vex-crowd", "vision", FLOCK_SYNCHRONOUS, FLOCK_WRAP, "person", 0, 0x9bc8e38e300addd1u},
    {"ue4-fish", "steering", FLOCK_SYNCHRONOUS, FLOCK_WALLS, "fish", 0, 0x3d4d84b8242643d3u},
    {"cpp-boids", "boids", FLOCK_SEQUENTIAL, FLOCK_WRAP, "triangle", 0, 0x1c0a607b8a34d968u},
};

#define ORIGINALS (sizeof originals / sizeof originals[0])

static struct flock *make(const struct flock_preset *preset)
{
    struct flock_definition definition = flock_definition_default();

    definition.settings = flock_preset_edition(preset, 1); /* with the published pull */
    definition.boids = preset->boids;
    struct flock *flock = flock_create(&definition);
    assert_non_null(flock);
    return flock;
}

/* They are the first presets. */
static void test_as_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < ORIGINALS; i++) {
        const struct flock_preset *preset = &flock_presets[i];
        const struct flock_model *model = preset->settings.model;
        assert_string_equal(preset->name, originals[i].name);
        assert_string_equal(model->name, originals[i].model);
        assert_int_equal(preset->settings.update, originals[i].update);
        assert_int_equal(preset->settings.boundary, originals[i].boundary);
        assert_int_equal(preset->settings.boundary, model->boundary);
        assert_string_equal(preset->look.shape, originals[i].shape);
        assert_int_equal(preset->click, originals[i].click);
        assert_non_null(strstr(preset->text, "original"));
        const struct flock_settings now = flock_preset_settings(preset);
        const struct flock_settings first = flock_preset_edition(preset, 1);
        for (size_t k = 0; k < model->param_count; k++) {
            bool narrow = strcmp(preset->name, "vex-column") == 0 &&
                          strcmp(model->params[k].name, "view_angle") == 0;
            assert_true(first.params[k] == (narrow ? 60.0F : model->params[k].initial));
            assert_true(now.params[k] == first.params[k] ||
                        strcmp(model->params[k].name, "seek_weight") == 0);
        }
    }
    for (const struct flock_preset *other = &flock_presets[ORIGINALS]; other->name; other++) {
        assert_null(strstr(other->text, "original"));
    }
}

static void test_the_swarm_is_the_first_one(void **state)
{
    const struct flock_preset *preset = flock_preset_find("original");

    (void)state;
    assert_int_equal(preset->boids, 12);
    assert_true(preset->settings.width == 550.0F && preset->settings.height == 400.0F);
    assert_true(preset->look.size == 12.0F); /* a radius of 6 */
}

static struct flock_target cursor_at(int tick)
{
    return (struct flock_target){300.0F + 200.0F * sinf((float)tick / 40.0F),
                                 200.0F + 150.0F * cosf((float)tick / 55.0F), false};
}

static uint64_t hash_floats(uint64_t hash, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        for (int byte = 0; byte < 4; byte++) { /* FNV-1a */
            hash = (hash ^ (bits >> 8 * byte & 0xff)) * 0x100000001b3u;
        }
    }
    return hash;
}

static void test_the_same_bits(void **state)
{
    static float at[4][MOST];
    bool all = true;

    (void)state;
    for (size_t i = 0; i < ORIGINALS; i++) {
        struct flock *flock = make(flock_preset_find(originals[i].name));
        uint64_t hash = 0xcbf29ce484222325u;
        for (int tick = 0; tick < TICKS; tick++) {
            /* Integers, because sinf() differs between machines. */
            struct flock_target target = {(float)(tick * 7 % 550), (float)(tick * 5 % 400), false};
            tick_targets(flock, 1, &target, tick % 100 < 50);
        }
        assert_true(flock_count(flock) <= MOST);
        flock_positions(flock, at[0], at[1]);
        flock_velocities(flock, at[2], at[3]);
        for (int k = 0; k < 4; k++) {
            hash = hash_floats(hash, at[k], flock_count(flock));
        }
        if (hash != originals[i].golden) {
            print_message("%s: 0x%016llx\n", originals[i].name, (unsigned long long)hash);
            all = false;
        }
        flock_destroy(flock);
    }
    if (!all) {
        fail_msg("if the change is meant, the hashes above are the new ones");
    }
}

/* Each tick equals the published formulas, computed in double precision over all pairs. */
static void test_each_tick_is_the_references(void **state)
{
    (void)state;
    for (size_t i = 0; i < ORIGINALS; i++) {
        const struct flock_preset *preset = flock_preset_find(originals[i].name);
        struct flock *flock = make(preset);
        struct flock_reference *reference = flock_reference_create(flock);
        assert_non_null(reference);
        for (int tick = 0; tick < HELD_TICKS; tick++) {
            const struct flock_target target = cursor_at(tick);
            float x[MOST];
            float y[MOST];
            flock_reference_load(reference);
            flock_reference_tick(reference, &target, 1, 0.0f);
            tick_targets(flock, 1, &target, 1);
            flock_positions(flock, x, y);
            for (uint32_t boid = 0; boid < preset->boids; boid++) {
                double wanted[4];
                flock_reference_boid(reference, boid, wanted);
                double dx = fabs(wanted[0] - (double)x[boid]);
                double dy = fabs(wanted[1] - (double)y[boid]);
                if (preset->settings.boundary == FLOCK_WRAP) {
                    dx = fmin(dx, (double)preset->settings.width - dx);
                    dy = fmin(dy, (double)preset->settings.height - dy);
                }
                assert_true(dx < 1e-3 && dy < 1e-3);
            }
        }
        flock_reference_destroy(reference);
        flock_destroy(flock);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_published),
        cmocka_unit_test(test_the_swarm_is_the_first_one),
        cmocka_unit_test(test_the_same_bits),
        cmocka_unit_test(test_each_tick_is_the_references),
    };
    return cmocka_run_group_tests_name("originals", tests, NULL, NULL);
}
