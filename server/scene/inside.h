/* The parts of a scene. For the files of scene/ alone. */
#ifndef SCENE_INSIDE_H
#define SCENE_INSIDE_H

#include "scene/people.h"
#include "scene/presets.h"
#include "scene/relay.h"
#include "scene/scene.h"
#include "scene/teams.h"
#include "scene/undo.h"

/* How long the boids have been driven into the pen: ticks since the flock was started again, until
 * all were inside. */
struct herding {
    uint64_t ticks;
    bool done; /* all have been inside */
};

/* A parameter that a sweep has set. */
struct passing {
    bool active;
    uint32_t param; /* index in the table of the model */
    float lasting;  /* its value before the sweep, … */
    float value;    /* … and the passing one */
};

struct scene {
    struct scene_definition definition; /* fixed, except boids_max and title */
    struct flock *flock;
    uint32_t edition;                           /* see SCENE_EDITION */
    const struct flock_preset *preset, *origin; /* see scene_preset(), scene_origin() */
    struct presets presets;
    struct undo undo;
    struct passing passing;
    struct people people;
    struct scene_controls controls;
    bool has_target;
    struct flock_point target;
    uint32_t steps; /* still to be made, while paused */
    struct herding herding;
    struct teams teams;
    uint32_t turn_left; /* ticks left of the relay's turn */
    uint64_t ticks;     /* that the flock made */
    uint64_t rounds;    /* scene_tick() and scene_tick_still() calls */
    struct scene_versions versions;
};

/* While cursors scare or hunters are loose, gives a flock whose flee_weight is 0 the model's
 * strength of flight. */
void scene_frighten(struct scene *scene);

/* scene_preset_settings() for the files of scene/. */
static inline struct flock_settings edition_settings(const struct scene *scene,
                                                     const struct flock_preset *preset)
{
    return flock_preset_edition(preset, scene->edition);
}

#endif
