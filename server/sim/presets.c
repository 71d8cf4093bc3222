/* The presets. */
#include "sim/state.h"

#include <string.h>

#define SETTINGS(...)                                                                              \
    (const struct flock_setting[])                                                                 \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            NULL, 0.0f                                                                             \
        }                                                                                          \
    }

/* A pen with a gate on its left. */
static const struct flock_wall pen[] = {
    {620.0f, 180.0f, 820.0f, 180.0f}, {820.0f, 180.0f, 820.0f, 420.0f},
    {820.0f, 420.0f, 620.0f, 420.0f}, {620.0f, 420.0f, 620.0f, 330.0f},
    {620.0f, 270.0f, 620.0f, 180.0f}, {560.0f, 210.0f, 620.0f, 270.0f},
    {560.0f, 390.0f, 620.0f, 330.0f}};

/* Three cushions: a lozenge between two slanted ones. */
static const struct flock_wall table[] = {
    {400.0f, 170.0f, 490.0f, 250.0f}, {490.0f, 250.0f, 400.0f, 330.0f},
    {400.0f, 330.0f, 310.0f, 250.0f}, {310.0f, 250.0f, 400.0f, 170.0f},
    {110.0f, 130.0f, 190.0f, 90.0f},  {690.0f, 370.0f, 610.0f, 410.0f}};

/* The originals use the published figures, which are the models' defaults, and the update order of
 * their sources. Where a source does not say the number of boids or the world, flockd chooses both
 * so that its rules are visible. */
const struct flock_preset flock_presets[] = {
    {.name = "original",
     .text =
         "The ActionScript original: a swarm of twelve blurred circles on a stage without an edge",
     .model = &swarm_model,
     .boundary = FLOCK_OPEN,
     .width = 550.0f,
     .height = 400.0f,
     .boids = 12,
     .update = FLOCK_SEQUENTIAL,
     .look = {"blur", 12.0f}},
    {.name = "js-birds",
     .text =
         "The JavaScript original: birds that follow one another gradually; each click adds one",
     .model = &birds_model,
     .boundary = FLOCK_WRAP,
     .width = 800.0f,
     .height = 600.0f,
     .boids = 30,
     .update = FLOCK_SEQUENTIAL,
     .look = {"arrow", 14.0f},
     .click = 1},
    {.name = "vex-column",
     .text =
         "The Houdini VEX original with a narrow view: each boid follows boids ahead, in columns",
     .model = &vision_model,
     .boundary = FLOCK_WRAP,
     .width = 800.0f,
     .height = 600.0f,
     .boids = 100,
     .settings = SETTINGS({"view_angle", 60.0f}),
     .look = {"arrow", 10.0f}},
    {.name = "vex-crowd",
     .text = "The Houdini VEX original with a wide view: the same boids move as a crowd",
     .model = &vision_model,
     .boundary = FLOCK_WRAP,
     .width = 800.0f,
     .height = 600.0f,
     .boids = 100,
     .look = {"arrow", 10.0f}},
    {.name = "ue4-fish",
     .text = "The Unreal Engine 4 original: fish that turn gradually and stay in their box",
     .model = &steering_model,
     .boundary = FLOCK_WALLS,
     .width = 800.0f,
     .height = 500.0f,
     .boids = 60,
     .look = {"fish", 18.0f}},
    {.name = "cpp-boids",
     .text = "The C++ original: Reynolds' three rules as forces, in a world that wraps around",
     .model = &boids_model,
     .boundary = FLOCK_WRAP,
     .width = 640.0f,
     .height = 480.0f,
     .boids = 60,
     .update = FLOCK_SEQUENTIAL,
     .look = {"triangle", 10.0f}},
    {.name = "bees",
     .text = "A humming cloud that overshoots its target",
     .model = &swarm_model,
     .boundary = FLOCK_OPEN,
     .width = 960.0f,
     .height = 600.0f,
     .boids = 400,
     .settings = SETTINGS({"separation_min", 8.0f}, {"separation_max", 60.0f},
                          {"alignment_min", 0.05f}, {"alignment_max", 0.3f},
                          {"cohesion_min", 0.15f}, {"cohesion_max", 0.5f}, {"inertia", 2.8f})},
    {.name = "sardines",
     .text = "A dense school that turns as one",
     .model = &boids_model,
     .boundary = FLOCK_WRAP,
     .width = 1200.0f,
     .height = 800.0f,
     .boids = 1500,
     .settings = SETTINGS({"neighbor_distance", 45.0f}, {"desired_separation", 13.0f},
                          {"max_speed", 4.0f}, {"max_force", 0.12f}, {"separation_weight", 1.6f},
                          {"alignment_weight", 1.4f}, {"cohesion_weight", 0.9f},
                          {"seek_weight", 0.4f}, {"flee_weight", 5.0f}, {"flee_distance", 140.0f})},
    {.name = "sheep",
     .text = "A slow herd, a pen with a gate, and cursors that can be dogs",
     .model = &steering_model,
     .boundary = FLOCK_WALLS,
     .width = 960.0f,
     .height = 600.0f,
     .boids = 120,
     .settings =
         SETTINGS({"neighbor_distance", 110.0f}, {"separation_distance", 22.0f},
                  {"max_speed", 1.2f}, {"max_force", 0.05f}, {"separation_weight", 2.0f},
                  {"alignment_weight", 0.6f}, {"cohesion_weight", 1.0f}, {"seek_weight", 0.6f},
                  {"turn_rate", 0.08f}, {"flee_weight", 6.0f}, {"flee_distance", 130.0f}),
     .walls = pen,
     .wall_count = sizeof pen / sizeof *pen},
    {.name = "march",
     .text = "Columns: each boid sees only ahead and follows the boids there",
     .model = &vision_model,
     .boundary = FLOCK_WRAP,
     .width = 1000.0f,
     .height = 700.0f,
     .boids = 400,
     .settings = SETTINGS(
         {"speed", 2.2f}, {"max_turn", 5.0f}, {"view_radius", 90.0f}, {"view_angle", 70.0f},
         {"separation_radius", 14.0f}, {"separation_angle", 120.0f}, {"cohesion_weight", 0.8f},
         {"alignment_weight", 0.5f}, {"separation_weight", 2.5f}, {"seek_weight", 0.3f})},
    {.name = "crowd",
     .text = "Boids with a view all round move as one crowd",
     .model = &vision_model,
     .boundary = FLOCK_WRAP,
     .width = 1000.0f,
     .height = 700.0f,
     .boids = 400,
     .settings = SETTINGS({"speed", 1.6f}, {"max_turn", 4.0f}, {"view_radius", 70.0f},
                          {"view_angle", 340.0f}, {"separation_radius", 20.0f},
                          {"separation_angle", 360.0f})},
    {.name = "murmuration",
     .text = "Starlings at dusk: thousands of birds in folding sheets",
     .model = &birds_model,
     .boundary = FLOCK_WRAP,
     .width = 1600.0f,
     .height = 1000.0f,
     .boids = 4000,
     .settings = SETTINGS({"view_distance", 48.0f}, {"view_angle", 300.0f},
                          {"separation_distance", 14.0f}, {"cohesion_weight", 0.6f},
                          {"alignment_weight", 1.3f}, {"separation_weight", 6.0f},
                          {"seek_weight", 0.3f}, {"smoothing", 9.0f}, {"min_speed", 2.5f},
                          {"max_speed", 5.0f}, {"flee_weight", 4.0f}, {"flee_distance", 160.0f})},
    {.name = "billiards",
     .text = "Not a flock: balls keep their distance between walls, and the cursor pulls them",
     .model = &birds_model,
     .boundary = FLOCK_WALLS,
     .width = 800.0f,
     .height = 500.0f,
     .boids = 60,
     .settings = SETTINGS({"cohesion_weight", 0.0f}, {"alignment_weight", 0.0f},
                          {"separation_weight", 0.6f}, {"separation_distance", 30.0f},
                          {"seek_weight", 0.3f}, {"smoothing", 20.0f}, {"min_speed", 4.0f},
                          {"max_speed", 6.0f}),
     .walls = table,
     .wall_count = sizeof table / sizeof *table},
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

void flock_preset_params(const struct flock_preset *preset, float params[FLOCK_PARAMS_MAX])
{
    flock_model_params(preset->model, params);
    for (const struct flock_setting *setting = preset->settings;
         setting != NULL && setting->name != NULL; setting++) {
        params[flock_param_find(preset->model, setting->name)] = setting->value;
    }
}

void flock_definition_preset(struct flock_definition *definition, const struct flock_preset *preset)
{
    definition->model = preset->model;
    definition->boundary = preset->boundary;
    definition->width = preset->width;
    definition->height = preset->height;
    definition->update = preset->update;
    definition->boids = preset->boids;
}

bool flock_tune(struct flock *flock, const struct flock_preset *preset)
{
    if (preset->wall_count > 0 && !flock_reserve_walls(flock)) {
        return false;
    }
    flock_set_model(flock, preset->model);
    flock_preset_params(preset, flock->params);
    return flock_set_walls(flock, preset->walls, preset->wall_count);
}

bool flock_set_preset(struct flock *flock, const struct flock_preset *preset)
{
    if ((preset->boids > flock->capacity && !flock_resize(flock, preset->boids)) ||
        (preset->wall_count > 0 && !flock_reserve_walls(flock))) {
        return false;
    }
    walls_build(&flock->walls, preset->width, preset->height, NULL, 0); /* moves no boid */
    flock_set_world(flock, preset->boundary, preset->width, preset->height);
    flock_set_update(flock, preset->update);
    flock_tune(flock, preset); /* the flock has all the memory that this needs */
    if (flock->count > preset->boids) {
        flock_remove(flock, flock->count - preset->boids);
    }
    for (uint32_t i = flock->count; i < preset->boids; i++) {
        flock_hatch(flock, i, i);
    }
    flock_set_count(flock, preset->boids);
    return true;
}
