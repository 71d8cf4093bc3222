#include "scene/control.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/refusal.h"
#include "scene/control_rows.h"
#include "scene/inside.h"
#include "scene/presets.h"
#include "scene/saved.h"
#include "text.h"

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

    *saved = control->saves && index >= presets_built_in_count();
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

static void describe_control(const struct scene *scene, const struct control *control,
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

    for (size_t i = 0; i < control_count; i++) {
        if (control_rows[i].name != NULL) {
            assert(count < PROTO_CONTROLS_MAX);
            describe_control(scene, &control_rows[i], &out[count++]);
        }
    }
    return count;
}

/* Bytes of the list in an error, which has to hold the name of a control, the value sent, and some
 * words, too. */
#define LIST_MAX 100u

/* Writes "a, b, c" for an error: the choices of a control, or with NULL the controls. A long list
 * ends with "…". */
static void list_choices(char out[LIST_MAX], const struct control *control)
{
    static const char more[] = ", …";
    struct flock_word word;
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; control != NULL ? choice_in(control, i, &word) : i < control_count; i++) {
        const char *name = control != NULL ? word.name : control_rows[i].name;
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

static const struct control *find_control(const char *name)
{
    for (size_t i = 0; i < control_count; i++) {
        if (control_rows[i].name != NULL && strcmp(control_rows[i].name, name) == 0) {
            return &control_rows[i];
        }
    }
    return NULL;
}

const char *control_choice(const char *control, size_t index)
{
    const struct control *found = find_control(control);
    struct flock_word word;

    return found != NULL && choice_in(found, index, &word) ? word.name : NULL;
}

bool control_offers(const char *control, size_t index)
{
    const struct control *found = find_control(control);

    return found != NULL && offers(found, index);
}

const char *control_value(const struct scene *scene, const char *name)
{
    const struct control *control = find_control(name);
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
    const struct control *control = find_control(message->name);
    char expected[LIST_MAX];
    int index;

    if (control == NULL) {
        list_choices(expected, NULL);
        return refuse_message(error, PROTO_E_RANGE, "name", "name: expected one of %s, got %s",
                              expected, message->name);
    }
    index = find_choice(control, scene, message->value);
    if (index < 0) {
        list_choices(expected, control);
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
    for (size_t i = 0; i < control_count; i++) {
        if (is_member(&control_rows[i]) && control_rows[i].name != NULL && index-- == 0) {
            return control_rows[i].name;
        }
    }
    return NULL;
}

void control_choose(struct scene_controls *values, const char *name, size_t choice)
{
    const struct control *control = find_control(name);

    assert(control != NULL && is_member(control) && control_choice(name, choice) != NULL);
    *member_of(values, control) = (uint32_t)choice;
}

bool control_is_undoable(const char *name)
{
    const struct control *control = find_control(name);

    return control != NULL && control->undoable;
}

bool control_changes_params(const char *name)
{
    const struct control *control = find_control(name);

    return control != NULL && control->changes_params;
}

bool control_moves_boids(const char *name)
{
    const struct control *control = find_control(name);

    return control != NULL && control->moves_boids;
}

void control_restore(struct scene_controls *values, const struct scene_controls *from)
{
    for (size_t i = 0; i < control_count; i++) {
        if (is_member(&control_rows[i]) && control_rows[i].undoable) {
            *member_of(values, &control_rows[i]) = member_in(from, &control_rows[i]);
        }
    }
}

uint64_t control_bits(const struct scene_controls *values)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < control_count; i++) {
        if (control_rows[i].bit > 0) {
            bits |= (uint64_t)member_in(values, &control_rows[i]) << control_rows[i].bit;
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
    for (size_t i = 0; i < control_count; i++) {
        const struct control *control = &control_rows[i];
        uint32_t value = member_in(values, control);
        if (!is_saved_in(control, map)) {
            continue;
        }
        switch (control->form) {
        case AS_WORD:
            assert(control->words[value].name != NULL);
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
    for (size_t i = 0; i < control_count; i++) {
        const struct control *control = &control_rows[i];
        const msgpack_object *value = is_saved_in(control, map) && values != NULL
                                          ? reader_option(&reader->reader, values, key_of(control))
                                          : NULL;
        if (value != NULL) {
            *member_of(into, control) = read_value(reader, control, values, value);
        }
    }
}
