/* What presenters do with a room: one table of controls, from which the schema that clients draw
 * and the answer to `set` are both made; parameters; and the boids' coming and going. */
#include <stdio.h>
#include <string.h>

#include "room/people.h"
#include "room/room.h"
#include "room/state.h"

#define STEPS_MAX 1000u /* asked for and not yet made */

struct word {
    const char *value, *text;
};

/* A control offers the choices 0, 1, … for which choice() returns true; current() is the one in
 * force, or -1; choose() puts one in force and returns false when memory runs out. */
struct control {
    const char *name, *text;
    bool (*choice)(size_t index, struct word *word);
    int (*current)(const struct room *room);
    bool (*choose)(struct room *room, size_t index);
    bool changes_params; /* which there are, or their values */
};

/* ---- the controls ---- */

static bool model_choice(size_t index, struct word *word)
{
    const struct flock_model *model = flock_models[index];

    if (model != NULL) {
        *word = (struct word){model->name, model->text};
    }
    return model != NULL;
}

static int model_current(const struct room *room)
{
    const struct flock_model *model = flock_definition_of(room->flock)->model;

    for (int i = 0; flock_models[i] != NULL; i++) {
        if (flock_models[i] == model) {
            return i;
        }
    }
    return -1;
}

static bool model_choose(struct room *room, size_t index)
{
    if (!flock_set_model(room->flock, flock_models[index])) {
        return false;
    }
    room->preset = NULL;
    return true;
}

static bool boundary_choice(size_t index, struct word *word)
{
    *word = (struct word){flock_boundaries[index].name, flock_boundaries[index].text};
    return word->value != NULL;
}

static int boundary_current(const struct room *room)
{
    return (int)flock_definition_of(room->flock)->boundary;
}

static bool boundary_choose(struct room *room, size_t index)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);

    if (!flock_set_world(room->flock, (enum flock_boundary)index, flock->width, flock->height)) {
        return false;
    }
    room->preset = NULL;
    return true;
}

static bool preset_choice(size_t index, struct word *word)
{
    *word = (struct word){flock_presets[index].name, flock_presets[index].text};
    return word->value != NULL;
}

static int preset_current(const struct room *room)
{
    return room->preset != NULL ? (int)(room->preset - flock_presets) : -1;
}

static bool preset_choose(struct room *room, size_t index)
{
    const struct flock_preset *preset = &flock_presets[index];

    if (!flock_set_preset(room->flock, preset)) {
        return false;
    }
    flock_reset(room->flock); /* to the beginning that the preset is made for */
    room->preset = preset;
    room->boids = preset->boids;
    room->quantum = proto_quantum(preset->width, preset->height);
    return true;
}

static bool policy_choice(size_t index, struct word *word)
{
    *word = (struct word){cursor_policies[index].word, cursor_policies[index].text};
    return word->value != NULL;
}

static int policy_current(const struct room *room)
{
    return (int)room->definition.policy;
}

static bool policy_choose(struct room *room, size_t index)
{
    room->definition.policy = (enum cursor_policy)index;
    return true;
}

static bool idle_choice(size_t index, struct word *word)
{
    *word = (struct word){cursor_idles[index].word, cursor_idles[index].text};
    return word->value != NULL;
}

static int idle_current(const struct room *room)
{
    return (int)room->definition.idle;
}

static bool idle_choose(struct room *room, size_t index)
{
    room->definition.idle = (enum cursor_idle)index;
    return true;
}

static bool cursors_choice(size_t index, struct word *word)
{
    static const struct word words[] = {
        {"lead", "the flock goes to them"},
        {"scare", "it flees from them, as far as flee_weight says"}};

    if (index < sizeof words / sizeof words[0]) {
        *word = words[index];
        return true;
    }
    return false;
}

static int cursors_current(const struct room *room)
{
    return room->cursors_scare ? 1 : 0;
}

static bool cursors_choose(struct room *room, size_t index)
{
    room->cursors_scare = index == 1;
    return true;
}

static bool run_choice(size_t index, struct word *word)
{
    static const struct word words[] = {{"running", "the flock moves"},
                                        {"paused", "it stands still"}};

    if (index < sizeof words / sizeof words[0]) {
        *word = words[index];
        return true;
    }
    return false;
}

static int run_current(const struct room *room)
{
    return room->paused ? 1 : 0;
}

static bool run_choose(struct room *room, size_t index)
{
    room->paused = index == 1;
    room->steps = 0;
    return true;
}

static const struct control controls[] = {
    {"preset", "a flock worth seeing: model, world and parameters together", preset_choice,
     preset_current, preset_choose, true},
    {"model", "how boids decide where to go", model_choice, model_current, model_choose, true},
    {"boundary", "what is at the edge of the world", boundary_choice, boundary_current,
     boundary_choose, false},
    {"policy", "whom the flock follows", policy_choice, policy_current, policy_choose, false},
    {"cursors", "what cursors are to the flock", cursors_choice, cursors_current, cursors_choose,
     false},
    {"idle", "what the flock does while nobody steers", idle_choice, idle_current, idle_choose,
     false},
    {"run", "whether time passes", run_choice, run_current, run_choose, false},
};

#define CONTROL_COUNT (sizeof controls / sizeof controls[0])

_Static_assert(CONTROL_COUNT <= PROTO_CONTROLS_MAX,
               "a room message holds PROTO_CONTROLS_MAX controls");

/* ---- from and to the wire ---- */

static void describe(const struct room *room, const struct control *control,
                     struct proto_control *out)
{
    struct word word;
    int current = control->current(room);

    snprintf(out->name, sizeof out->name, "%s", control->name);
    snprintf(out->text, sizeof out->text, "%s", control->text);
    for (uint32_t i = 0; i < PROTO_CHOICES_MAX && control->choice(i, &word); i++) {
        snprintf(out->choices[i].value, sizeof out->choices[i].value, "%s", word.value);
        snprintf(out->choices[i].text, sizeof out->choices[i].text, "%s", word.text);
        if ((int)i == current) {
            snprintf(out->value, sizeof out->value, "%s", word.value);
        }
        out->choice_count = i + 1;
    }
}

uint32_t control_describe(const struct room *room, struct proto_control out[PROTO_CONTROLS_MAX])
{
    for (size_t i = 0; i < CONTROL_COUNT; i++) {
        describe(room, &controls[i], &out[i]);
    }
    return CONTROL_COUNT;
}

/* "a, b, c": what a control offers, or what there is to control, for an error. */
static void list(char *out, size_t size, const struct control *control)
{
    struct word word;
    size_t used = 0;
    size_t count = 0;

    out[0] = '\0';
    while (used < size &&
           (control != NULL ? control->choice(count, &word) : count < CONTROL_COUNT)) {
        used += (size_t)snprintf(out + used, size - used, "%s%s", count > 0 ? ", " : "",
                                 control != NULL ? word.value : controls[count].name);
        count++;
    }
}

/* The room is another one from now on: what everyone knows of it is out of date. */
static void changed(struct room *room, const struct control *control)
{
    room->version++;
    room->params_version += control->changes_params;
}

static bool set(struct room *room, const struct proto_set *message, struct proto_error *error)
{
    const struct control *control = NULL;
    struct word word;
    char expected[120];

    for (size_t i = 0; i < CONTROL_COUNT; i++) {
        if (strcmp(controls[i].name, message->name) == 0) {
            control = &controls[i];
        }
    }
    if (control == NULL) {
        list(expected, sizeof expected, NULL);
        return room_refuse(error, PROTO_E_RANGE, "name", "name: expected one of %s, got %s",
                           expected, message->name);
    }
    for (size_t i = 0; control->choice(i, &word); i++) {
        if (strcmp(word.value, message->value) == 0) {
            if ((int)i == control->current(room) && !control->changes_params) {
                return true; /* as it is */
            }
            if (!control->choose(room, i)) {
                return room_refuse(error, PROTO_E_FULL, "", "%s: out of memory", control->name);
            }
            changed(room, control);
            return true;
        }
    }
    list(expected, sizeof expected, control);
    return room_refuse(error, PROTO_E_RANGE, "value", "%s: expected one of %s, got %s",
                       control->name, expected, message->value);
}

static bool set_param(struct room *room, const struct proto_param_set *message,
                      struct proto_error *error)
{
    const struct flock_model *model = flock_definition_of(room->flock)->model;
    int index = flock_param_find(model, message->name);

    if (index < 0) {
        return room_refuse(error, PROTO_E_RANGE, "name", "name: the model %s has no parameter %s",
                           model->name, message->name);
    }
    if (message->value == flock_param_get(room->flock, (size_t)index)) {
        return true; /* as it is */
    }
    if (!flock_param_set(room->flock, (size_t)index, message->value)) {
        const struct flock_param *param = &model->params[index];
        return room_refuse(error, PROTO_E_RANGE, "value", "%s: expected %g to %g, got %g",
                           message->name, (double)param->min, (double)param->max,
                           (double)message->value);
    }
    room->params_version++;
    return true;
}

static bool add(struct room *room, const struct proto_add *message, struct proto_error *error)
{
    uint32_t places = ROOM_BOIDS_MAX - flock_count(room->flock);

    if (!room_reaches(room, message->x, message->y, error)) {
        return false;
    }
    if (message->count > places) {
        return room_refuse(error, PROTO_E_FULL, "count",
                           "count: there is room for %u more boids, got %u", places,
                           message->count);
    }
    return flock_add(room->flock, message->x, message->y, message->count) ||
           room_refuse(error, PROTO_E_FULL, "", "add: out of memory");
}

/* As many boids as in the beginning, where they were then. */
static bool reset(struct room *room, struct proto_error *error)
{
    const struct flock_definition *flock = flock_definition_of(room->flock);
    uint32_t count = flock_count(room->flock);

    if (count < room->boids &&
        !flock_add(room->flock, flock->width / 2.0F, flock->height / 2.0F, room->boids - count)) {
        return room_refuse(error, PROTO_E_FULL, "", "reset: out of memory");
    }
    if (count > room->boids) {
        flock_remove(room->flock, count - room->boids);
    }
    flock_reset(room->flock);
    return true;
}

static bool step(struct room *room, struct proto_error *error)
{
    if (!room->paused) {
        return room_refuse(error, PROTO_E_STATE, "",
                           "step: the flock is running; it steps while it is paused");
    }
    if (room->steps == STEPS_MAX) {
        return room_refuse(error, PROTO_E_FULL, "", "step: %u steps are still to be made",
                           STEPS_MAX);
    }
    room->steps++;
    return true;
}

/* Whether two keys are the same, in a time that does not tell how much of them is. */
static bool same_key(const char *a, const char *b)
{
    size_t size = strlen(a);
    unsigned difference = 0;

    if (strlen(b) != size) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        difference |= (unsigned)(a[i] ^ b[i]);
    }
    return difference == 0;
}

bool control_receive(struct room *room, uint32_t slot, const struct proto_client_message *message,
                     struct proto_error *error)
{
    struct person *person = &room->people.slots[slot];

    if (message->type == PROTO_KEY) {
        if (room->key[0] == '\0' || !same_key(room->key, message->key.key)) {
            return room_refuse(error, PROTO_E_KEY, "key", "key: this is not the room's key");
        }
        person->role = PROTO_PRESENTER;
        return true;
    }
    if (person->role != PROTO_PRESENTER) {
        return room_refuse(error, PROTO_E_ROLE, "",
                           "only a presenter may do this; the link with the key makes one");
    }
    switch (message->type) {
    case PROTO_SET:
        return set(room, &message->set, error);
    case PROTO_PARAM:
        return set_param(room, &message->param, error);
    case PROTO_ADD:
        return add(room, &message->add, error);
    case PROTO_REMOVE:
        flock_remove(room->flock, message->remove.count);
        return true;
    case PROTO_RESET:
        return reset(room, error);
    case PROTO_STEP:
        return step(room, error);
    default:
        return true;
    }
}
