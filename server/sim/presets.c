/* The presets: what to show first. */
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

const struct flock_preset flock_presets[] = {
    {"original", "Twelve boids on the stage of the first swarm", &swarm_model, FLOCK_OPEN, 550.0f,
     400.0f, 12, NULL, NULL, 0},
    {"bees", "A humming cloud that overshoots whatever it follows", &swarm_model, FLOCK_OPEN,
     960.0f, 600.0f, 400,
     SETTINGS({"separation_min", 8.0f}, {"separation_max", 60.0f}, {"alignment_min", 0.05f},
              {"alignment_max", 0.3f}, {"cohesion_min", 0.15f}, {"cohesion_max", 0.5f},
              {"inertia", 2.8f}),
     NULL, 0},
    {"sardines", "A dense school that turns as one", &boids_model, FLOCK_WRAP, 1200.0f, 800.0f,
     1500,
     SETTINGS({"neighbor_distance", 45.0f}, {"desired_separation", 13.0f}, {"max_speed", 4.0f},
              {"max_force", 0.12f}, {"separation_weight", 1.6f}, {"alignment_weight", 1.4f},
              {"cohesion_weight", 0.9f}, {"seek_weight", 0.4f}, {"flee_weight", 5.0f},
              {"flee_distance", 140.0f}),
     NULL, 0},
    {"sheep", "A slow herd, a pen with a gate, and cursors that can be dogs", &steering_model,
     FLOCK_WALLS, 960.0f, 600.0f, 120,
     SETTINGS({"neighbor_distance", 110.0f}, {"separation_distance", 22.0f}, {"max_speed", 1.2f},
              {"max_force", 0.05f}, {"separation_weight", 2.0f}, {"alignment_weight", 0.6f},
              {"cohesion_weight", 1.0f}, {"seek_weight", 0.6f}, {"turn_rate", 0.08f},
              {"flee_weight", 6.0f}, {"flee_distance", 130.0f}),
     pen, sizeof pen / sizeof *pen},
    {"march", "Columns: each sees only what is ahead, and follows it", &vision_model, FLOCK_WRAP,
     1000.0f, 700.0f, 400,
     SETTINGS({"speed", 2.2f}, {"max_turn", 5.0f}, {"view_radius", 90.0f}, {"view_angle", 70.0f},
              {"separation_radius", 14.0f}, {"separation_angle", 120.0f}, {"cohesion_weight", 1.2f},
              {"alignment_weight", 0.5f}, {"separation_weight", 1.4f}, {"seek_weight", 0.3f}),
     NULL, 0},
    {"crowd", "The same with eyes all round: it moves as one body", &vision_model, FLOCK_WRAP,
     1000.0f, 700.0f, 400,
     SETTINGS({"speed", 1.6f}, {"max_turn", 4.0f}, {"view_radius", 70.0f}, {"view_angle", 340.0f},
              {"separation_radius", 20.0f}, {"separation_angle", 360.0f}),
     NULL, 0},
    {"murmuration", "Starlings at dusk: thousands of birds in folding sheets", &birds_model,
     FLOCK_WRAP, 1600.0f, 1000.0f, 4000,
     SETTINGS({"view_distance", 48.0f}, {"view_angle", 300.0f}, {"separation_distance", 14.0f},
              {"cohesion_weight", 0.9f}, {"alignment_weight", 1.3f}, {"separation_weight", 1.5f},
              {"seek_weight", 0.5f}, {"smoothing", 9.0f}, {"min_speed", 2.5f}, {"max_speed", 5.0f},
              {"flee_weight", 4.0f}, {"flee_distance", 160.0f}),
     NULL, 0},
    {"billiards", "No flock: balls that keep their distance, walls, the cursor's pull",
     &birds_model, FLOCK_WALLS, 800.0f, 500.0f, 60,
     SETTINGS({"cohesion_weight", 0.0f}, {"alignment_weight", 0.0f}, {"separation_weight", 0.6f},
              {"separation_distance", 30.0f}, {"seek_weight", 0.3f}, {"smoothing", 20.0f},
              {"min_speed", 4.0f}, {"max_speed", 6.0f}),
     table, sizeof table / sizeof *table},
    {NULL, NULL, NULL, FLOCK_OPEN, 0.0f, 0.0f, 0, NULL, NULL, 0},
};

const struct flock_preset *flock_preset_find(const char *name)
{
    for (const struct flock_preset *preset = flock_presets; preset->name != NULL; preset++) {
        if (strcmp(preset->name, name) == 0) {
            return preset;
        }
    }
    return NULL;
}

void flock_definition_preset(struct flock_definition *definition, const struct flock_preset *preset)
{
    definition->model = preset->model;
    definition->boundary = preset->boundary;
    definition->width = preset->width;
    definition->height = preset->height;
    definition->boids = preset->boids;
}

void flock_tune(struct flock *flock, const struct flock_preset *preset)
{
    flock_set_model(flock, preset->model);
    for (const struct flock_setting *setting = preset->settings;
         setting != NULL && setting->name != NULL; setting++) {
        flock_param_set(flock, (size_t)flock_param_find(preset->model, setting->name),
                        setting->value);
    }
    flock_set_walls(flock, preset->walls, preset->wall_count);
}

bool flock_set_preset(struct flock *flock, const struct flock_preset *preset)
{
    if (preset->boids > flock->capacity && !flock_reserve(flock, preset->boids)) {
        return false;
    }
    flock_set_walls(flock, NULL, 0);
    flock_set_world(flock, preset->boundary, preset->width, preset->height);
    flock_tune(flock, preset);
    if (flock->count > preset->boids) {
        flock_remove(flock, flock->count - preset->boids);
    }
    for (uint32_t i = flock->count; i < preset->boids; i++) {
        flock_hatch(flock, i, i);
    }
    flock_set_count(flock, preset->boids);
    return true;
}
