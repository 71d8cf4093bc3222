/* The presets. */
#include "sim/state.h"

#include <assert.h>
#include <string.h>

#define SETTINGS(...)                                                                              \
    (const struct flock_setting[])                                                                 \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            NULL, 0.0f                                                                             \
        }                                                                                          \
    }

/* The model's own parameters. */
static const struct flock_setting initial[] = {{NULL, 0.0f}};

/* The originals use the published figures, which are the models' defaults, and the update order of
 * their sources. Only the pull of the cursor, seek_weight, differs: the sources have none or a weak
 * one. Where a source does not say the number of boids or the world, flockd chooses both so that
 * its rules are visible. tests/unit/test_follow.c measures how each preset follows. */
const struct flock_preset flock_presets[] = {
    {.name = "original",
     .text =
         "The ActionScript original: a swarm of twelve blurred circles on a stage without an edge",
     .boids = 12,
     .ground = "stage",
     .settings = {.model = &swarm_model,
                  .boundary = FLOCK_OPEN,
                  .width = 550.0f,
                  .height = 400.0f,
                  .update = FLOCK_SEQUENTIAL},
     .params = initial,
     .look = {"blur", 12.0f}},
    {.name = "js-birds",
     .text =
         "The JavaScript original: birds that follow one another gradually; each click adds one; "
         "the cursor pulls more strongly than in the source",
     .boids = 30,
     .ground = "paper",
     .settings = {.model = &birds_model,
                  .boundary = FLOCK_WRAP,
                  .width = 800.0f,
                  .height = 600.0f,
                  .update = FLOCK_SEQUENTIAL},
     .params = SETTINGS({"seek_weight", 3.0f}),
     .first = initial,
     .look = {"arrow", 20.0f},
     .click = 1},
    {.name = "vex-column",
     .text =
         "The Houdini VEX original with a narrow view: each boid follows boids ahead, in columns; "
         "the cursor pulls more strongly than in the source",
     .boids = 100,
     .ground = "floor",
     .settings =
         {.model = &vision_model, .boundary = FLOCK_WRAP, .width = 800.0f, .height = 600.0f},
     .params = SETTINGS({"view_angle", 60.0f}, {"seek_weight", 1.7f}),
     .first = SETTINGS({"view_angle", 60.0f}),
     .look = {"arrow", 15.0f}},
    {.name = "vex-crowd",
     .text = "The Houdini VEX original with a wide view: the same boids move as a crowd; "
             "the cursor pulls more strongly than in the source",
     .boids = 100,
     .ground = "floor",
     .settings =
         {.model = &vision_model, .boundary = FLOCK_WRAP, .width = 800.0f, .height = 600.0f},
     .params = SETTINGS({"seek_weight", 1.0f}),
     .first = initial,
     .look = {"person", 17.0f}},
    {.name = "ue4-fish",
     .text = "The Unreal Engine 4 original: fish that turn gradually and stay in their box; "
             "the cursor pulls more strongly than in the source",
     .boids = 60,
     .ground = "tank",
     .settings =
         {.model = &steering_model, .boundary = FLOCK_WALLS, .width = 800.0f, .height = 500.0f},
     .params = SETTINGS({"seek_weight", 2.7f}),
     .first = initial,
     .look = {"fish", 25.0f}},
    {.name = "cpp-boids",
     .text = "The C++ original: Reynolds' three rules as forces, in a world that wraps around; "
             "the cursor pulls more strongly than in the source",
     .boids = 60,
     .ground = "blueprint",
     .settings = {.model = &boids_model,
                  .boundary = FLOCK_WRAP,
                  .width = 640.0f,
                  .height = 480.0f,
                  .update = FLOCK_SEQUENTIAL},
     .params = SETTINGS({"seek_weight", 1.25f}),
     .first = initial,
     .look = {"triangle", 15.0f}},
    {.name = "bees",
     .text = "A humming cloud that overshoots its target",
     .boids = 400,
     .ground = "comb",
     .settings = {.model = &swarm_model, .boundary = FLOCK_OPEN, .width = 960.0f, .height = 600.0f},
     .params = SETTINGS({"separation_min", 8.0f}, {"separation_max", 60.0f},
                        {"alignment_min", 0.05f}, {"alignment_max", 0.3f}, {"cohesion_min", 0.15f},
                        {"cohesion_max", 0.5f}, {"inertia", 2.8f}),
     .look = {"bee", 17.0f}},
    {.name = "sardines",
     .text = "A dense school that turns as one, and cursors that are sharks",
     .flees = true,
     .boids = 1500,
     .ground = "water",
     .settings =
         {.model = &boids_model, .boundary = FLOCK_WRAP, .width = 1200.0f, .height = 800.0f},
     .params = SETTINGS({"neighbor_distance", 45.0f}, {"desired_separation", 13.0f},
                        {"max_speed", 4.5f}, {"max_force", 0.12f}, {"separation_weight", 2.4f},
                        {"alignment_weight", 1.4f}, {"cohesion_weight", 0.9f},
                        {"seek_weight", 1.1f}, {"flee_weight", 5.0f}, {"flee_distance", 140.0f}),
     .first = SETTINGS({"neighbor_distance", 45.0f}, {"desired_separation", 13.0f},
                       {"max_speed", 4.0f}, {"max_force", 0.12f}, {"separation_weight", 1.6f},
                       {"alignment_weight", 1.4f}, {"cohesion_weight", 0.9f}, {"seek_weight", 0.4f},
                       {"flee_weight", 5.0f}, {"flee_distance", 140.0f}),
     .look = {"fish", 19.0f}},
    {.name = "sheep",
     .text = "A slow herd, a pen with a gate, and cursors that are dogs",
     .flees = true,
     .boids = 120,
     .ground = "meadow",
     .pen = {620.0f, 180.0f, 820.0f, 420.0f},
     .settings = {.model = &steering_model,
                  .boundary = FLOCK_WALLS,
                  .width = 960.0f,
                  .height = 600.0f,
                  .wall_count = 7,
                  /* a pen with a gate on its left */
                  .walls = {{620.0f, 180.0f, 820.0f, 180.0f},
                            {820.0f, 180.0f, 820.0f, 420.0f},
                            {820.0f, 420.0f, 620.0f, 420.0f},
                            {620.0f, 420.0f, 620.0f, 330.0f},
                            {620.0f, 270.0f, 620.0f, 180.0f},
                            {560.0f, 210.0f, 620.0f, 270.0f},
                            {560.0f, 390.0f, 620.0f, 330.0f}}},
     .params =
         SETTINGS({"neighbor_distance", 110.0f}, {"separation_distance", 24.0f},
                  {"max_speed", 2.4f}, {"max_force", 0.12f}, {"separation_weight", 7.0f},
                  {"alignment_weight", 1.5f}, {"cohesion_weight", 2.5f}, {"seek_weight", 4.0f},
                  {"turn_rate", 0.25f}, {"flee_weight", 6.0f}, {"flee_distance", 130.0f}),
     .fourth =
         SETTINGS({"neighbor_distance", 110.0f}, {"separation_distance", 22.0f},
                  {"max_speed", 2.2f}, {"max_force", 0.1f}, {"separation_weight", 3.5f},
                  {"alignment_weight", 0.6f}, {"cohesion_weight", 0.7f}, {"seek_weight", 5.0f},
                  {"turn_rate", 0.12f}, {"flee_weight", 6.0f}, {"flee_distance", 130.0f}),
     .first = SETTINGS({"neighbor_distance", 110.0f}, {"separation_distance", 22.0f},
                       {"max_speed", 1.2f}, {"max_force", 0.05f}, {"separation_weight", 2.0f},
                       {"alignment_weight", 0.6f}, {"cohesion_weight", 1.0f}, {"seek_weight", 0.6f},
                       {"turn_rate", 0.08f}, {"flee_weight", 6.0f}, {"flee_distance", 130.0f}),
     .look = {"sheep", 25.0f}},
    {.name = "march",
     .text = "Columns: each boid sees only ahead and follows the boids there",
     .boids = 400,
     .ground = "sand",
     .settings =
         {.model = &vision_model, .boundary = FLOCK_WRAP, .width = 1000.0f, .height = 700.0f},
     .params = SETTINGS(
         {"speed", 3.4f}, {"max_turn", 6.0f}, {"view_radius", 90.0f}, {"view_angle", 70.0f},
         {"separation_radius", 14.0f}, {"separation_angle", 120.0f}, {"cohesion_weight", 0.8f},
         {"alignment_weight", 0.5f}, {"separation_weight", 2.5f}, {"seek_weight", 1.2f}),
     .first = SETTINGS(
         {"speed", 2.2f}, {"max_turn", 5.0f}, {"view_radius", 90.0f}, {"view_angle", 70.0f},
         {"separation_radius", 14.0f}, {"separation_angle", 120.0f}, {"cohesion_weight", 0.8f},
         {"alignment_weight", 0.5f}, {"separation_weight", 2.5f}, {"seek_weight", 0.3f}),
     .look = {"ant", 17.0f}},
    {.name = "crowd",
     .text = "Boids with a view all round move as one crowd",
     .boids = 400,
     .ground = "pavement",
     .settings =
         {.model = &vision_model, .boundary = FLOCK_WRAP, .width = 1000.0f, .height = 700.0f},
     .params =
         SETTINGS({"speed", 2.8f}, {"max_turn", 5.0f}, {"view_radius", 70.0f},
                  {"view_angle", 340.0f}, {"separation_radius", 20.0f},
                  {"separation_angle", 360.0f}, {"seek_weight", 1.0f}, {"separation_weight", 1.8f}),
     .first = SETTINGS({"speed", 1.6f}, {"max_turn", 4.0f}, {"view_radius", 70.0f},
                       {"view_angle", 340.0f}, {"separation_radius", 20.0f},
                       {"separation_angle", 360.0f}),
     .look = {"person", 16.0f}},
    {.name = "murmuration",
     .text = "Starlings at dusk: thousands of birds in folding sheets",
     .boids = 4000,
     .ground = "dusk",
     .settings =
         {.model = &birds_model, .boundary = FLOCK_WRAP, .width = 1600.0f, .height = 1000.0f},
     .params = SETTINGS({"view_distance", 48.0f}, {"view_angle", 300.0f},
                        {"separation_distance", 14.0f}, {"cohesion_weight", 0.2f},
                        {"alignment_weight", 1.3f}, {"separation_weight", 10.0f},
                        {"seek_weight", 4.5f}, {"smoothing", 4.0f}, {"min_speed", 2.5f},
                        {"max_speed", 6.0f}, {"flee_weight", 4.0f}, {"flee_distance", 160.0f}),
     .first = SETTINGS({"view_distance", 48.0f}, {"view_angle", 300.0f},
                       {"separation_distance", 14.0f}, {"cohesion_weight", 0.6f},
                       {"alignment_weight", 1.3f}, {"separation_weight", 6.0f},
                       {"seek_weight", 0.3f}, {"smoothing", 9.0f}, {"min_speed", 2.5f},
                       {"max_speed", 5.0f}, {"flee_weight", 4.0f}, {"flee_distance", 160.0f}),
     .look = {"bird", 13.0f}},
    {.name = "billiards",
     .text = "Not a flock: balls keep their distance between walls, and the cursor pulls them",
     .boids = 60,
     .ground = "cloth",
     .settings = {.model = &birds_model,
                  .boundary = FLOCK_WALLS,
                  .width = 800.0f,
                  .height = 500.0f,
                  .wall_count = 6,
                  /* three cushions: a lozenge between two slanted ones */
                  .walls = {{400.0f, 170.0f, 490.0f, 250.0f},
                            {490.0f, 250.0f, 400.0f, 330.0f},
                            {400.0f, 330.0f, 310.0f, 250.0f},
                            {310.0f, 250.0f, 400.0f, 170.0f},
                            {110.0f, 130.0f, 190.0f, 90.0f},
                            {690.0f, 370.0f, 610.0f, 410.0f}}},
     .params = SETTINGS({"cohesion_weight", 0.0f}, {"alignment_weight", 0.0f},
                        {"separation_weight", 3.0f}, {"separation_distance", 30.0f},
                        {"seek_weight", 6.0f}, {"smoothing", 20.0f}, {"min_speed", 4.0f},
                        {"max_speed", 6.0f}),
     .first = SETTINGS({"cohesion_weight", 0.0f}, {"alignment_weight", 0.0f},
                       {"separation_weight", 0.6f}, {"separation_distance", 30.0f},
                       {"seek_weight", 0.3f}, {"smoothing", 20.0f}, {"min_speed", 4.0f},
                       {"max_speed", 6.0f}),
     .look = {"ball", 21.0f}},
    {.name = NULL},
};

const char *flock_preset_name(size_t index)
{
    return flock_presets[index].name;
}

const struct flock_preset *flock_preset_find(const char *name)
{
    for (const struct flock_preset *preset = flock_presets; preset->name != NULL; preset++) {
        if (strcmp(preset->name, name) == 0) {
            return preset;
        }
    }
    return NULL;
}

uint32_t flock_preset_index(const struct flock_preset *preset)
{
    return preset != NULL ? (uint32_t)(preset - flock_presets) : FLOCK_PRESET_NONE;
}

static struct flock_settings settings_with(const struct flock_preset *preset,
                                           const struct flock_setting *params)
{
    struct flock_settings settings = preset->settings;

    if (params != NULL) {
        flock_settings_choose(&settings, settings.model);
    }
    for (const struct flock_setting *param = params; param != NULL && param->name != NULL;
         param++) {
        int index = flock_param_find(settings.model, param->name);
        assert(index >= 0);
        settings.params[index] = param->value;
    }
    return settings;
}

struct flock_settings flock_preset_settings(const struct flock_preset *preset)
{
    return settings_with(preset, preset->params);
}

struct flock_settings flock_preset_edition(const struct flock_preset *preset, uint32_t edition)
{
    const struct flock_setting *params = preset->params;

    assert(edition > 0);
    if (edition <= 4 && preset->fourth != NULL) {
        params = preset->fourth;
    }
    if (edition == 1 && preset->first != NULL) {
        params = preset->first;
    }
    return settings_with(preset, params);
}
