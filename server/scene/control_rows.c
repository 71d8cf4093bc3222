#include "scene/control_rows.h"

#include "base/refusal.h"
#include "scene/boids.h"
#include "scene/cost.h"
#include "scene/inside.h"
#include "scene/layers.h"
#include "scene/presets.h"

static bool model_choice(size_t index, struct flock_word *word)
{
    const struct flock_model *model = flock_models[index];

    if (model != NULL) {
        *word = (struct flock_word){model->name, model->text};
    }
    return model != NULL;
}

static int model_current(const struct scene *scene)
{
    const struct flock_model *model = flock_settings_of(scene->flock)->model;

    for (int i = 0; flock_models[i] != NULL; i++) {
        if (flock_models[i] == model) {
            return i;
        }
    }
    return -1;
}

static void follow_preset(struct scene *scene, const struct flock_preset *preset)
{
    if (scene->edition > 2) {
        control_follow_preset(&scene->controls, preset, (struct control_chosen){false, false});
    }
    scene_frighten(scene);
}

/* In an open world most models lose their boids within a minute; only `swarm` draws boids back from
 * afar. So a model that needs an edge brings its own boundary. */
static bool model_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    const struct flock_model *model = flock_models[index];
    const struct flock_settings *flock = flock_settings_of(scene->flock);

    if (!cost_allows_model(scene, model, error)) {
        return false;
    }
    if (!flock_set_model(scene->flock, model) ||
        (flock->boundary == FLOCK_OPEN &&
         !flock_set_world(scene->flock, model->boundary, flock->width, flock->height))) {
        return refuse_message(error, PROTO_E_FULL, "", "model: out of memory");
    }
    scene->preset = NULL;
    scene->origin = NULL;
    scene->controls.clearance = 0;
    follow_preset(scene, NULL);
    return true;
}

static bool boundary_choice(size_t index, struct flock_word *word)
{
    *word = flock_boundaries[index];
    return word->name != NULL;
}

static int boundary_current(const struct scene *scene)
{
    return (int)flock_settings_of(scene->flock)->boundary;
}

static bool boundary_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    const struct flock_settings *flock = flock_settings_of(scene->flock);

    if (!flock_set_world(scene->flock, (enum flock_boundary)index, flock->width, flock->height)) {
        return refuse_message(error, PROTO_E_FULL, "", "boundary: out of memory");
    }
    scene->preset = NULL;
    return true;
}

static bool update_choice(size_t index, struct flock_word *word)
{
    *word = flock_updates[index];
    return word->name != NULL;
}

static int update_current(const struct scene *scene)
{
    return (int)flock_settings_of(scene->flock)->update;
}

static bool update_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    if (!cost_allows_update(scene, (enum flock_update)index, error)) {
        return false;
    }
    flock_set_update(scene->flock, (enum flock_update)index);
    scene->preset = NULL;
    return true;
}

static bool preset_choice(size_t index, struct flock_word *word)
{
    *word = (struct flock_word){flock_presets[index].name, flock_presets[index].text};
    return word->name != NULL;
}

static int preset_current(const struct scene *scene)
{
    return presets_index(scene, scene->preset);
}

static bool preset_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    const struct flock_preset *preset = presets_at(scene, index);

    if (!boids_preset(scene, preset, error)) {
        return false;
    }
    scene->preset = preset;
    scene->origin = scene->preset;
    follow_preset(scene, preset);
    return true;
}

static bool policy_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    (void)error;
    scene->controls.policy = (uint32_t)index;
    scene->controls.policy_before = 0;
    return true;
}

/* Without scare, the policy has an effect: then the present one is chosen, too. */
static bool cursors_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    (void)error;
    scene->controls.cursors = (uint32_t)index;
    scene->controls.cursors_before = 0;
    scene->controls.policy_before = 0;
    scene_frighten(scene);
    return true;
}

static bool run_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    if (index == RUN_ON && !cost_allows_ticks(scene, "value", "run", error)) {
        return false;
    }
    scene->controls.run = (uint32_t)index;
    scene->steps = 0;
    return true;
}

static const struct flock_word cursors_words[] = {
    [CURSORS_LEAD] = {"lead", "the flock follows the cursors"},
    [CURSORS_SCARE] = {"scare",
                       "the flock flees from the cursors with the strength of flee_weight"},
    {0},
};

static const struct flock_word viewers_words[] = {
    [VIEWERS_STEER] = {"steer", "viewers' cursors steer and are visible"},
    [VIEWERS_WATCH] = {"watch", "viewers' cursors neither steer nor are visible"},
    {0},
};

static const struct flock_word drawing_words[] = {
    [DRAWING_PRESENTERS] = {"presenters",
                            "only presenters draw walls, drop food, and set hunters loose"},
    [DRAWING_ALL] = {"all", "viewers do so, too"},
    {0},
};

static const struct flock_word teams_words[] = {
    {"2", "two teams"}, {"3", "three teams"}, {"4", "four teams"}, {0}};

static const struct flock_word turn_words[] = {{"10", "each person leads for 10 seconds"},
                                               {"20", "each person leads for 20 seconds"},
                                               {"30", "each person leads for 30 seconds"},
                                               {0}};

_Static_assert(sizeof teams_words / sizeof teams_words[0] == PROTO_TEAMS_MAX,
               "two teams to PROTO_TEAMS_MAX, and the end");

static const struct flock_word run_words[] = {
    [RUN_ON] = {"running", "the flock moves"},
    [RUN_PAUSED] = {"paused", "the flock stands still"},
    {0},
};

static const struct flock_word coloring_words[] = {
    {"free", "each person chooses"},
    {"heading", "where a boid flies"},
    {"speed", "how fast a boid is"},
    {"neighbours", "how many boids are near"},
    {"clusters", "which group of connected boids it belongs to"},
    {"own", "each boid has its own colour"},
    {0}};

#define MEMBER(name) .offset = offsetof(struct scene_controls, name)

const struct control control_rows[] = {
    {.name = "preset",
     .text = "a flock worth seeing: model, world and parameters together",
     .choice = preset_choice,
     .current = preset_current,
     .choose = preset_choose,
     .saves = true,
     .changes_params = true,
     .moves_boids = true,
     .undoable = true},
    {.name = "model",
     .text = "how boids decide where to go",
     .choice = model_choice,
     .current = model_current,
     .choose = model_choose,
     .changes_params = true,
     .undoable = true},
    {.name = "boundary",
     .text = "what is at the edge of the world",
     .choice = boundary_choice,
     .current = boundary_current,
     .choose = boundary_choose,
     .undoable = true},
    {.name = "update",
     .text = "in which order boids move",
     .choice = update_choice,
     .current = update_current,
     .choose = update_choose,
     .undoable = true},
    {.name = "policy",
     .text = "which cursors the flock follows",
     .words = cursor_policies,
     MEMBER(policy),
     .choose = policy_choose,
     .undoable = true,
     .bit = 24},
    {.name = "teams",
     .text = "how many teams there are with the policy teams",
     .words = teams_words,
     MEMBER(teams),
     .undoable = true,
     .bit = 32},
    {.name = "turn",
     .text = "how long each person leads with the policy relay, in seconds",
     .words = turn_words,
     MEMBER(turn),
     .undoable = true,
     .bit = 34},
    {.name = "cursors",
     .text = "whether the flock follows cursors or flees from them",
     .words = cursors_words,
     MEMBER(cursors),
     .choose = cursors_choose,
     .undoable = true,
     .key = "cursors_scare",
     .form = AS_BOOL,
     .bit = 2},
    {.name = "viewers",
     .text = "what viewers may do",
     .words = viewers_words,
     MEMBER(viewers),
     .undoable = true,
     .key = "viewers_watch",
     .form = AS_BOOL,
     .bit = 1},
    {.name = "drawing",
     .text = "who may draw walls, drop food, and set hunters loose",
     .words = drawing_words,
     MEMBER(drawing),
     .undoable = true,
     .key = "viewers_draw",
     .form = AS_BOOL,
     .bit = 47},
    {.name = "idle",
     .text = "what the flock does without an active cursor",
     .words = cursor_idles,
     MEMBER(idle),
     .undoable = true,
     .bit = 16},
    {.name = "layers",
     .text = "which layers everyone sees over the flock",
     .words = layers_words,
     MEMBER(layers),
     .offers = layers_offered,
     .undoable = true},
    {.name = "coloring",
     .text = "what the colours of boids say",
     .words = coloring_words,
     MEMBER(coloring),
     .undoable = true},
    {.name = "run",
     .text = "whether the flock moves",
     .words = run_words,
     MEMBER(run),
     .choose = run_choose,
     .map = CONTROL_TIME,
     .key = "paused",
     .form = AS_BOOL,
     .bit = 3},
    {.key = "boids", .form = AS_COUNT, MEMBER(boids), .undoable = true},
    {.key = "clearance", .form = AS_BOOL, MEMBER(clearance), .undoable = true, .bit = 40},
    {.key = "policy_before",
     .words = cursor_policies,
     MEMBER(policy_before),
     .undoable = true,
     .form = AS_WORD_OR_NONE,
     .bit = 41},
    {.key = "cursors_before",
     .words = cursors_words,
     MEMBER(cursors_before),
     .undoable = true,
     .form = AS_WORD_OR_NONE,
     .bit = 45},
};

const size_t control_count = sizeof control_rows / sizeof control_rows[0];

#define UNNAMED 4u /* rows without a name, which no message has */

_Static_assert(sizeof control_rows / sizeof control_rows[0] - UNNAMED <= PROTO_CONTROLS_MAX,
               "a room message holds PROTO_CONTROLS_MAX controls");
