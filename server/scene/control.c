#include "scene/control.h"
#include "scene/presets.h"

#include <stdio.h>
#include <string.h>

#include "base/refusal.h"
#include "scene/boids.h"
#include "scene/cost.h"
#include "scene/inside.h"
#include "text.h"

/* A control offers the choices 0, 1, … for which choice() returns true; current() is the one in
 * force, or -1; choose() puts one in force, or fills *error and returns false. */
struct control {
    const char *name, *text;
    bool (*choice)(size_t index, struct flock_word *word);
    int (*current)(const struct scene *scene);
    bool (*choose)(struct scene *scene, size_t index, struct proto_error *error);
    bool changes_params; /* which there are, or their values */
};

/* ---- the controls ---- */

static bool one_of_two(const struct flock_word words[2], size_t index, struct flock_word *word)
{
    if (index < 2) {
        *word = words[index];
    }
    return index < 2;
}

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
    const struct flock_model *model = flock_definition_of(scene->flock)->model;

    for (int i = 0; flock_models[i] != NULL; i++) {
        if (flock_models[i] == model) {
            return i;
        }
    }
    return -1;
}

/* In an open world most models lose their boids within a minute; only `swarm` draws boids back from
 * afar. So a model that needs an edge brings its own boundary. */
static bool model_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    const struct flock_model *model = flock_models[index];
    const struct flock_definition *flock = flock_definition_of(scene->flock);

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
    return true;
}

static bool boundary_choice(size_t index, struct flock_word *word)
{
    *word = flock_boundaries[index];
    return word->name != NULL;
}

static int boundary_current(const struct scene *scene)
{
    return (int)flock_definition_of(scene->flock)->boundary;
}

static bool boundary_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    const struct flock_definition *flock = flock_definition_of(scene->flock);

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
    return (int)flock_definition_of(scene->flock)->update;
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
    return true;
}

static bool policy_choice(size_t index, struct flock_word *word)
{
    *word = cursor_policies[index];
    return word->name != NULL;
}

static int policy_current(const struct scene *scene)
{
    return (int)scene->policy;
}

static bool policy_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    (void)error;
    scene->policy = (enum cursor_policy)index;
    return true;
}

static bool idle_choice(size_t index, struct flock_word *word)
{
    *word = cursor_idles[index];
    return word->name != NULL;
}

static int idle_current(const struct scene *scene)
{
    return (int)scene->idle;
}

static bool idle_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    (void)error;
    scene->idle = (enum cursor_idle)index;
    return true;
}

static bool cursors_choice(size_t index, struct flock_word *word)
{
    static const struct flock_word words[2] = {
        {"lead", "the flock follows the cursors"},
        {"scare", "the flock flees from the cursors with the strength of flee_weight"}};

    return one_of_two(words, index, word);
}

static int cursors_current(const struct scene *scene)
{
    return scene->cursors_scare ? 1 : 0;
}

static bool cursors_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    (void)error;
    scene->cursors_scare = index == 1;
    return true;
}

static bool viewers_choice(size_t index, struct flock_word *word)
{
    static const struct flock_word words[2] = {
        {"steer", "viewers' cursors steer and are visible"},
        {"watch", "viewers' cursors neither steer nor are visible"}};

    return one_of_two(words, index, word);
}

static int viewers_current(const struct scene *scene)
{
    return scene->viewers_watch ? 1 : 0;
}

static bool viewers_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    (void)error;
    scene->viewers_watch = index == 1;
    return true;
}

static bool run_choice(size_t index, struct flock_word *word)
{
    static const struct flock_word words[2] = {{"running", "the flock moves"},
                                               {"paused", "the flock stands still"}};

    return one_of_two(words, index, word);
}

static int run_current(const struct scene *scene)
{
    return scene->paused ? 1 : 0;
}

static bool run_choose(struct scene *scene, size_t index, struct proto_error *error)
{
    if (index == 0 && !cost_allows_ticks(scene, "value", "run", error)) {
        return false;
    }
    scene->paused = index == 1;
    scene->steps = 0;
    return true;
}

static const struct control controls[] = {
    {"preset", "a flock worth seeing: model, world and parameters together", preset_choice,
     preset_current, preset_choose, true},
    {"model", "how boids decide where to go", model_choice, model_current, model_choose, true},
    {"boundary", "what is at the edge of the world", boundary_choice, boundary_current,
     boundary_choose, false},
    {"update", "in which order boids move", update_choice, update_current, update_choose, false},
    {"policy", "which cursors the flock follows", policy_choice, policy_current, policy_choose,
     false},
    {"cursors", "whether the flock follows cursors or flees from them", cursors_choice,
     cursors_current, cursors_choose, false},
    {"viewers", "what viewers may do", viewers_choice, viewers_current, viewers_choose, false},
    {"idle", "what the flock does without an active cursor", idle_choice, idle_current, idle_choose,
     false},
    {"run", "whether the flock moves", run_choice, run_current, run_choose, false},
};

/* What a control of the room's offers: the same in every scene, and then the presets that were
 * saved in this one. */
static bool choice_of(const struct control *control, const struct scene *scene, size_t index,
                      struct flock_word *word, bool *saved)
{
    const struct flock_preset *preset;

    *saved = control->choice == preset_choice && index >= presets_built_in_count();
    if (!*saved) {
        return control->choice(index, word);
    }
    preset = presets_at(scene, index);
    if (preset != NULL) {
        *word = (struct flock_word){preset->name, preset->text};
    }
    return preset != NULL;
}

#define CONTROL_COUNT (sizeof controls / sizeof controls[0])

_Static_assert(CONTROL_COUNT <= PROTO_CONTROLS_MAX,
               "a room message holds PROTO_CONTROLS_MAX controls");

/* ---- from and to the wire ---- */

static void describe(const struct scene *scene, const struct control *control,
                     struct proto_control *out)
{
    struct flock_word word;
    int current = control->current(scene);
    bool saved;

    snprintf(out->name, sizeof out->name, "%s", control->name);
    snprintf(out->text, sizeof out->text, "%s", control->text);
    for (uint32_t i = 0; i < PROTO_CHOICES_MAX && choice_of(control, scene, i, &word, &saved);
         i++) {
        out->choices[i].saved = saved;
        snprintf(out->choices[i].value, sizeof out->choices[i].value, "%s", word.name);
        snprintf(out->choices[i].text, sizeof out->choices[i].text, "%s", word.text);
        if ((int)i == current) {
            snprintf(out->value, sizeof out->value, "%s", word.name);
        }
        out->choice_count = i + 1;
    }
}

uint32_t control_describe(const struct scene *scene, struct proto_control out[PROTO_CONTROLS_MAX])
{
    for (size_t i = 0; i < CONTROL_COUNT; i++) {
        describe(scene, &controls[i], &out[i]);
    }
    return CONTROL_COUNT;
}

/* Bytes of the list in an error, which has to hold the name of a control, the value sent, and some
 * words, too. */
#define LIST_MAX 100u

/* Writes "a, b, c" for an error: the choices of a control, or with NULL the controls. A long list
 * ends with "…". */
static void list(char out[LIST_MAX], const struct control *control)
{
    static const char more[] = ", …";
    struct flock_word word;
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; control != NULL ? control->choice(i, &word) : i < CONTROL_COUNT; i++) {
        const char *name = control != NULL ? word.name : controls[i].name;
        if (used + strlen(name) + sizeof more + 2 > LIST_MAX) {
            snprintf(out + used, LIST_MAX - used, "%s", more);
            return;
        }
        used += (size_t)snprintf(out + used, LIST_MAX - used, "%s%s", i > 0 ? ", " : "", name);
    }
}

static const struct control *find(const char *name)
{
    for (size_t i = 0; i < CONTROL_COUNT; i++) {
        if (strcmp(controls[i].name, name) == 0) {
            return &controls[i];
        }
    }
    return NULL;
}

const char *control_choice(const char *control, size_t index)
{
    const struct control *found = find(control);
    struct flock_word word;

    return found != NULL && found->choice(index, &word) ? word.name : NULL;
}

const char *control_value(const struct scene *scene, const char *name)
{
    const struct control *control = find(name);
    int current = control != NULL ? control->current(scene) : -1;
    struct flock_word word;
    bool saved;

    return current >= 0 && choice_of(control, scene, (size_t)current, &word, &saved) ? word.name
                                                                                     : "";
}

/* The index of the choice of that value, or -1. */
static int find_choice(const struct control *control, const struct scene *scene, const char *value)
{
    struct flock_word word;
    bool saved;

    for (size_t i = 0; choice_of(control, scene, i, &word, &saved); i++) {
        if (strcmp(word.name, value) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* The room is another one from now on: what everyone knows of it is out of date. */
static bool choose(struct scene *scene, const struct control *control, int index,
                   struct change *change, struct proto_error *error)
{
    const struct flock_model *model = flock_definition_of(scene->flock)->model;
    const struct flock_preset *preset = scene->preset;

    change_before(change, control_value(scene, control->name));
    change->boundary_before = control_value(scene, "boundary");
    change->boundary_after = change->boundary_before;
    if (index == control->current(scene) && !control->changes_params) {
        change_after(change, change->before);
        return true;
    }
    if (!control->choose(scene, (size_t)index, error)) {
        return false;
    }
    change_after(change, control_value(scene, control->name));
    change->boundary_after = control_value(scene, "boundary");
    change->changed |= control->changes_params; /* a preset chosen again puts parameters back */
    scene->versions.controls++;
    scene->versions.params += control->changes_params;
    scene->versions.facts +=
        scene->preset != preset || flock_definition_of(scene->flock)->model != model;
    return true;
}

bool control_set(struct scene *scene, const struct proto_set *message, struct change *change,
                 struct proto_error *error)
{
    const struct control *control = find(message->name);
    char expected[LIST_MAX];
    int index;

    if (control == NULL) {
        list(expected, NULL);
        return refuse_message(error, PROTO_E_RANGE, "name", "name: expected one of %s, got %s",
                              expected, message->name);
    }
    index = find_choice(control, scene, message->value);
    if (index < 0) {
        list(expected, control);
        if (strlen(message->value) > PROTO_WORD_MAX ||
            !text_is_word(message->value, strlen(message->value), "-")) {
            return refuse_message(error, PROTO_E_RANGE, "value", "%s: expected one of %s",
                                  control->name, expected);
        }
        return refuse_message(error, PROTO_E_RANGE, "value", "%s: expected one of %s, got %s",
                              control->name, expected, message->value);
    }
    return choose(scene, control, index, change, error);
}

/* A least value is not above its greatest. */
static bool agrees(const struct scene *scene, size_t index, float value, struct proto_error *error)
{
    const struct flock_model *model = flock_definition_of(scene->flock)->model;
    bool least;
    int other = flock_param_pair(model, index, &least);
    float limit = other >= 0 ? flock_param_get(scene->flock, (size_t)other) : 0.0F;

    if (other < 0 || (least ? value <= limit : value >= limit)) {
        return true;
    }
    return refuse_message(error, PROTO_E_RANGE, "value",
                          "%s: expected at %s %s, which is %g, got %g", model->params[index].name,
                          least ? "most" : "least", model->params[other].name, (double)limit,
                          (double)value);
}

bool control_param(struct scene *scene, const struct proto_param *message, struct change *change,
                   struct proto_error *error)
{
    const struct flock_model *model = flock_definition_of(scene->flock)->model;
    int index = flock_param_find(model, message->name);

    if (index < 0) {
        return refuse_message(error, PROTO_E_RANGE, "name",
                              "name: the model %s has no parameter %s", model->name, message->name);
    }
    change->param = (uint32_t)index;
    snprintf(change->before, sizeof change->before, "%g",
             (double)flock_param_get(scene->flock, (size_t)index));
    if (message->value == flock_param_get(scene->flock, (size_t)index)) {
        change_after(change, change->before);
        return true;
    }
    const struct flock_param *param = &model->params[index];
    if (message->value >= param->min && message->value <= param->max &&
        (!agrees(scene, (size_t)index, message->value, error) ||
         !cost_allows_param(scene, (size_t)index, message->value, error))) {
        return false;
    }
    if (!flock_param_set(scene->flock, (size_t)index, message->value)) {
        return refuse_message(error, PROTO_E_RANGE, "value", "%s: expected %g to %g, got %g",
                              message->name, (double)param->min, (double)param->max,
                              (double)message->value);
    }
    snprintf(change->after, sizeof change->after, "%g",
             (double)flock_param_get(scene->flock, (size_t)index));
    change->changed = true;
    scene->versions.params++;
    return true;
}
