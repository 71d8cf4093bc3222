#include "scene/control.h"
#include "scene/presets.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/refusal.h"
#include "scene/boids.h"
#include "scene/cost.h"
#include "scene/inside.h"
#include "scene/layers.h"
#include "scene/saved.h"
#include "text.h"

/* A control offers the choices 0, 1, … */
struct control {
    const char *name, *text; /* NULL: no message sets it */
    /* Of a member of struct scene_controls: its choices, ended by a NULL name, and its offset. */
    const struct flock_word *words;
    size_t offset;
    /* Of any other control: whether there is that choice, and the one in force, or -1. */
    bool (*choice)(size_t index, struct flock_word *word);
    int (*current)(const struct scene *scene);
    /* Puts a choice in force, or fills *error and returns false. NULL: sets the member. */
    bool (*choose)(struct scene *scene, size_t index, struct proto_error *error);
    bool changes_params; /* which there are, or their values */
    bool moves_boids;    /* or takes them away */
    bool undoable;
    /* Whether clients are offered that choice; NULL: all. Any of the choices can be set. */
    bool (*offers)(size_t index);
    /* In a saved scene: the map, key and form; NULL: in the settings, by its name. */
    enum control_map map;
    const char *key;
    enum { AS_WORD, AS_BOOL, AS_COUNT, AS_WORD_OR_NONE } form; /* the last: 0, or a choice + 1 */
    uint32_t bit; /* the first in control_bits(); 0: none */
};

/* ---- the controls ---- */

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

/* In the order in which clients show them. */
static const struct control controls[] = {
    {.name = "preset",
     .text = "a flock worth seeing: model, world and parameters together",
     .choice = preset_choice,
     .current = preset_current,
     .choose = preset_choose,
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

#define CONTROL_COUNT (sizeof controls / sizeof controls[0])

#define UNNAMED 4u /* rows without a name, which no message has */

_Static_assert(CONTROL_COUNT - UNNAMED <= PROTO_CONTROLS_MAX,
               "a room message holds PROTO_CONTROLS_MAX controls");

static uint32_t *member_of(struct scene_controls *values, const struct control *control)
{
    return (uint32_t *)((char *)values + control->offset);
}

static uint32_t member_in(const struct scene_controls *values, const struct control *control)
{
    return *(const uint32_t *)((const char *)values + control->offset);
}

static bool is_member(const struct control *control)
{
    return control->choice == NULL;
}

/* Whether the control has that choice in every scene. */
static bool choice_in(const struct control *control, size_t index, struct flock_word *word)
{
    if (!is_member(control)) {
        return control->choice(index, word);
    }
    *word = control->words[index];
    return word->name != NULL;
}

static int current_of(const struct control *control, const struct scene *scene)
{
    return is_member(control) ? (int)member_in(&scene->controls, control) : control->current(scene);
}

static bool put_in_force(struct scene *scene, const struct control *control, size_t index,
                         struct proto_error *error)
{
    if (control->choose != NULL) {
        return control->choose(scene, index, error);
    }
    *member_of(&scene->controls, control) = (uint32_t)index;
    return true;
}

/* Stores a choice of a control: choices of every scene come first, then presets that were saved in
 * this one. Returns false beyond the last. */
static bool choice_of(const struct control *control, const struct scene *scene, size_t index,
                      struct flock_word *word, bool *saved)
{
    const struct flock_preset *preset;

    *saved = control->choice == preset_choice && index >= presets_built_in_count();
    if (!*saved) {
        return choice_in(control, index, word);
    }
    preset = presets_at(scene, index);
    if (preset != NULL) {
        *word = (struct flock_word){preset->name, preset->text};
    }
    return preset != NULL;
}

/* ---- from and to the wire ---- */

static bool offers(const struct control *control, size_t index)
{
    return control->offers == NULL || control->offers(index);
}

static void describe(const struct scene *scene, const struct control *control,
                     struct proto_control *out)
{
    struct flock_word word;
    bool saved;

    snprintf(out->name, sizeof out->name, "%s", control->name);
    snprintf(out->text, sizeof out->text, "%s", control->text);
    snprintf(out->value, sizeof out->value, "%s", control_value(scene, control->name));
    out->choice_count = 0;
    for (uint32_t i = 0;
         out->choice_count < PROTO_CHOICES_MAX && choice_of(control, scene, i, &word, &saved);
         i++) {
        if (offers(control, i)) {
            struct proto_choice *choice = &out->choices[out->choice_count++];
            choice->saved = saved;
            snprintf(choice->value, sizeof choice->value, "%s", word.name);
            snprintf(choice->text, sizeof choice->text, "%s", word.text);
        }
    }
}

uint32_t control_describe(const struct scene *scene, struct proto_control out[PROTO_CONTROLS_MAX])
{
    uint32_t count = 0;

    for (size_t i = 0; i < CONTROL_COUNT; i++) {
        if (controls[i].name != NULL) {
            assert(count < PROTO_CONTROLS_MAX);
            describe(scene, &controls[i], &out[count++]);
        }
    }
    return count;
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
    for (size_t i = 0; control != NULL ? choice_in(control, i, &word) : i < CONTROL_COUNT; i++) {
        const char *name = control != NULL ? word.name : controls[i].name;
        if (name == NULL || (control != NULL && !offers(control, i))) {
            continue;
        }
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
        if (controls[i].name != NULL && strcmp(controls[i].name, name) == 0) {
            return &controls[i];
        }
    }
    return NULL;
}

const char *control_choice(const char *control, size_t index)
{
    const struct control *found = find(control);
    struct flock_word word;

    return found != NULL && choice_in(found, index, &word) ? word.name : NULL;
}

bool control_offers(const char *control, size_t index)
{
    const struct control *found = find(control);

    return found != NULL && offers(found, index);
}

const char *control_value(const struct scene *scene, const char *name)
{
    const struct control *control = find(name);
    int current = control != NULL ? current_of(control, scene) : -1;
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

/* Notes that the room message has changed and all members need a new one. */
static bool choose(struct scene *scene, const struct control *control, int index,
                   struct change *change, struct proto_error *error)
{
    const struct flock_model *model = flock_settings_of(scene->flock)->model;
    const struct flock_preset *preset = scene->preset;

    change_before(change, control_value(scene, control->name));
    change->boundary_before = control_value(scene, "boundary");
    change->boundary_after = change->boundary_before;
    if (index == current_of(control, scene) && !control->changes_params) {
        change_after(change, change->before, false);
        return true;
    }
    if (!put_in_force(scene, control, (size_t)index, error)) {
        return false;
    }
    /* A preset chosen again puts parameters back. */
    change_after(change, control_value(scene, control->name), true);
    change->boundary_after = control_value(scene, "boundary");
    scene->versions.controls++;
    scene->versions.params += control->changes_params;
    scene->versions.facts +=
        scene->preset != preset || flock_settings_of(scene->flock)->model != model;
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

/* ---- struct scene_controls ---- */

uint32_t control_teams(const struct scene_controls *values)
{
    return 2 + values->teams;
}

uint32_t control_turn(const struct scene_controls *values)
{
    return 10 * (1 + values->turn);
}

const char *control_name(size_t index)
{
    for (size_t i = 0; i < CONTROL_COUNT; i++) {
        if (is_member(&controls[i]) && controls[i].name != NULL && index-- == 0) {
            return controls[i].name;
        }
    }
    return NULL;
}

void control_choose(struct scene_controls *values, const char *name, size_t choice)
{
    const struct control *control = find(name);

    assert(control != NULL && is_member(control) && control_choice(name, choice) != NULL);
    *member_of(values, control) = (uint32_t)choice;
}

bool control_is_undoable(const char *name)
{
    const struct control *control = find(name);

    return control != NULL && control->undoable;
}

bool control_changes_params(const char *name)
{
    const struct control *control = find(name);

    return control != NULL && control->changes_params;
}

bool control_moves_boids(const char *name)
{
    const struct control *control = find(name);

    return control != NULL && control->moves_boids;
}

void control_restore(struct scene_controls *values, const struct scene_controls *from)
{
    for (size_t i = 0; i < CONTROL_COUNT; i++) {
        if (is_member(&controls[i]) && controls[i].undoable) {
            *member_of(values, &controls[i]) = member_in(from, &controls[i]);
        }
    }
}

uint64_t control_bits(const struct scene_controls *values)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < CONTROL_COUNT; i++) {
        if (controls[i].bit > 0) {
            bits |= (uint64_t)member_in(values, &controls[i]) << controls[i].bit;
        }
    }
    return bits;
}

/* ---- saving and loading ---- */

static bool is_saved_in(const struct control *control, enum control_map map)
{
    return is_member(control) && control->map == map;
}

static const char *key_of(const struct control *control)
{
    return control->key != NULL ? control->key : control->name;
}

void control_put(struct saved *saved, enum control_map map, const struct scene_controls *values)
{
    for (const struct control *control = controls; control < controls + CONTROL_COUNT; control++) {
        uint32_t value = member_in(values, control);
        if (!is_saved_in(control, map)) {
            continue;
        }
        switch (control->form) {
        case AS_WORD:
            saved_text(saved, key_of(control), control->words[value].name);
            break;
        case AS_BOOL:
            saved_bool(saved, key_of(control), value > 0);
            break;
        case AS_COUNT:
            saved_uint(saved, key_of(control), value);
            break;
        case AS_WORD_OR_NONE:
            if (value > 0) {
                saved_text(saved, key_of(control), control->words[value - 1].name);
            }
            break;
        }
    }
}

static uint32_t read_word(struct saved_reader *r, const struct control *control,
                          const msgpack_object_map *map)
{
    char text[PROTO_VALUE_MAX + 1];
    uint32_t i = 0;

    saved_read_text(r, map, key_of(control), text, sizeof text);
    while (control->words[i].name != NULL && strcmp(control->words[i].name, text) != 0) {
        i++;
    }
    if (control->words[i].name == NULL) {
        saved_fail(r, key_of(control), "this version knows none of that name");
        return 0;
    }
    return i;
}

static uint32_t read_value(struct saved_reader *r, const struct control *control,
                           const msgpack_object_map *map, const msgpack_object *value)
{
    switch (control->form) {
    case AS_WORD:
        return read_word(r, control, map);
    case AS_BOOL:
        return reader_bool(&r->reader, value) ? 1 : 0;
    case AS_WORD_OR_NONE:
        return read_word(r, control, map) + 1;
    case AS_COUNT:
        break;
    }
    return (uint32_t)reader_uint(&r->reader, value, 1, SCENE_BOIDS_MAX);
}

void control_read(struct saved_reader *reader, enum control_map map,
                  const msgpack_object_map *values, struct scene_controls *into)
{
    for (const struct control *control = controls; control < controls + CONTROL_COUNT; control++) {
        const msgpack_object *value = is_saved_in(control, map) && values != NULL
                                          ? reader_option(&reader->reader, values, key_of(control))
                                          : NULL;
        if (value != NULL) {
            *member_of(into, control) = read_value(reader, control, values, value);
        }
    }
}
