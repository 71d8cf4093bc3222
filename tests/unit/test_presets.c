/* Each preset keeps its look for eleven minutes at 30 ticks per second, without a cursor and with a
 * moving one. */
#include "character.h"
#include "scene/cursor.h"

#define TICKS     20000u
#define TICK_TIME 33333u /* µs */
#define SAME      0.05F  /* of the figures of a flock alone: their digits */
#define CELL      4.0F   /* units; two boids in one square of this size look like one */

#define TWO_PI 6.283185307179586

/* Measures of a flock over the last half of the time. */
struct sight {
    const char *preset;
    float radius_min, radius_max; /* of gyration, units */
    float nearest_min;            /* units */
    float order_max;  /* maximum of the mean polarization: not all boids fly the same way … */
    float order_min;  /* … and minimum: not all directions */
    float places_min; /* share of boids that look separate */
};

/* js-birds share places while they follow a slow target as one column. A crowd that follows a fast
 * cursor turns through itself. Balls gather around the cursor that pulls them.
 * A murmuration is denser behind a slow target. */
static const struct sight sights[] = {
    {"original", 10, 60, 3, 1, 0.3F, 0.7F},     {"js-birds", 20, 150, 3, 1, 0.5F, 0.6F},
    {"vex-column", 50, 330, 8, 1, 0.2F, 0.8F},  {"vex-crowd", 30, 200, 8, 1, 0.5F, 0.9F},
    {"ue4-fish", 30, 250, 5, 1, 0.3F, 0.8F},    {"cpp-boids", 40, 330, 10, 1, 0.3F, 0.9F},
    {"bees", 40, 150, 2, 1, 0.3F, 0.8F},        {"sardines", 80, 450, 5, 1, 0.5F, 0.9F},
    {"sheep", 30, 250, 6, 1, 0.2F, 0.8F},       {"march", 50, 350, 2.5F, 1, 0.05F, 0.65F},
    {"crowd", 50, 350, 7, 1, 0.4F, 0.95F},      {"murmuration", 110, 480, 2.5F, 1, 0.3F, 0.45F},
    {"billiards", 110, 330, 20, 0.6F, 0, 0.9F},
};

static int compare(const void *a, const void *b)
{
    const uint64_t *left = a;
    const uint64_t *right = b;

    return (*left > *right) - (*left < *right);
}

/* Returns the number of squares with boids. */
static uint32_t places(const struct flock *flock)
{
    struct flock_slots slots = flock_slots(flock);
    uint32_t count = flock_count(flock);
    uint32_t found = 0;
    uint64_t *cells = malloc(count * sizeof *cells);

    assert_non_null(cells);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = (uint32_t)(int32_t)floorf(slots.x[i] / CELL);
        uint32_t y = (uint32_t)(int32_t)floorf(slots.y[i] / CELL);
        cells[i] = (uint64_t)x << 32 | y;
    }
    qsort(cells, count, sizeof *cells, compare);
    for (uint32_t i = 0; i < count; i++) {
        found += i == 0 || cells[i] != cells[i - 1];
    }
    free(cells);
    return found;
}

static struct flock_point cursor_at(const struct flock_definition *world, uint64_t now, bool moving)
{
    struct flock_point at;
    double seconds = (double)now / 1e6;

    if (moving) {
        at.x = (float)((double)world->settings.width * (0.5 + 0.35 * sin(TWO_PI * seconds / 4.1)));
        at.y = (float)((double)world->settings.height * (0.5 + 0.35 * cos(TWO_PI * seconds / 2.9)));
    } else {
        cursor_wander(now, world->settings.width, world->settings.height, &at.x, &at.y);
    }
    return at;
}

static void assert_same(const struct character *one, const struct character *other)
{
    assert_true(fabsf(one->radius - other->radius) <= SAME * other->radius);
    assert_true(fabsf(one->nearest - other->nearest) <= SAME * other->nearest);
    assert_true(fabsf(one->order - other->order) <= SAME * other->order);
}

static void look(const struct sight *sight, bool moving)
{
    const struct flock_preset *preset = flock_preset_find(sight->preset);
    struct flock_workspace *workspace = flock_workspace_create(1);
    struct flock_definition world = flock_definition_default();
    struct looks looks = {0};
    double found = 0.0;

    assert_non_null(preset);
    world.settings = flock_preset_settings(preset);
    world.boids = preset->boids;
    struct flock *flock = flock_create(&world);
    assert_non_null(flock);
    assert_true(flock_workspace_reserve(workspace, world.boids));
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        struct flock_point at = cursor_at(&world, (uint64_t)tick * TICK_TIME, moving);
        const struct flock_target target = {.x = at.x, .y = at.y};
        assert_true(flock_tick_clear(flock, workspace, &target, 1, flock_clearance(flock, 1)));
        if (tick >= TICKS / 2 && tick % LOOK_TIME == 0) {
            look_at(&looks, flock, workspace);
            found += (double)places(flock) / world.boids;
        }
    }
    const struct character mean =
        mean_of(&looks, preset->name, moving ? "a cursor moves" : "left alone");
    print_message("places %.2f\n", found / (double)looks.count);
    assert_true(mean.radius >= sight->radius_min && mean.radius <= sight->radius_max);
    assert_true(mean.nearest >= sight->nearest_min);
    assert_true(mean.order >= sight->order_min && mean.order <= sight->order_max);
    assert_true(found >= (double)(sight->places_min * looks.count));
    if (!moving) {
        assert_same(&mean, find_alone(preset->name));
    }
    flock_destroy(flock);
    flock_workspace_destroy(workspace);
}

static void test_left_alone(void **state)
{
    look(*state, false);
}

static void test_with_a_cursor_that_moves(void **state)
{
    look(*state, true);
}

static void test_every_preset_is_looked_at(void **state)
{
    size_t count = 0;

    (void)state;
    while (flock_presets[count].name != NULL) {
        count++;
    }
    assert_int_equal(count, sizeof sights / sizeof sights[0]);
}

int main(void)
{
    enum { SIGHTS = sizeof sights / sizeof sights[0] };
    static char names[2 * SIGHTS][64];
    struct CMUnitTest tests[2 * SIGHTS + 1] = {cmocka_unit_test(test_every_preset_is_looked_at)};

    for (size_t i = 0; i < SIGHTS; i++) {
        struct CMUnitTest *pair = &tests[1 + 2 * i];
        /* cmocka's state is not const; the tests only read it. */
        pair[0] = (struct CMUnitTest){names[2 * i], test_left_alone, NULL, NULL,
                                      (void *)(uintptr_t)&sights[i]};
        pair[1] = (struct CMUnitTest){names[2 * i + 1], test_with_a_cursor_that_moves, NULL, NULL,
                                      (void *)(uintptr_t)&sights[i]};
        snprintf(names[2 * i], sizeof names[0], "test_%s_left_alone", sights[i].preset);
        snprintf(names[2 * i + 1], sizeof names[0], "test_%s_with_a_cursor_that_moves",
                 sights[i].preset);
    }
    return cmocka_run_group_tests_name("presets", tests, NULL, NULL);
}
