#include "scene/presets.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/refusal.h"
#include "scene/inside.h"
#include "scene/names.h"

struct preset {
    struct flock_preset preset; /* points to name, shape and ground */
    struct preset *next;        /* of those retired */
    char name[PROTO_VALUE_MAX + 1];
    char shape[PROTO_WORD_MAX + 1];
    char ground[PROTO_WORD_MAX + 1];
};

/* ---- one preset ---- */

/* A copy of its own, with all settings; NULL when memory runs out. */
static struct preset *copy_of(const struct flock_preset *preset)
{
    struct preset *copy = calloc(1, sizeof *copy);

    if (copy == NULL) {
        return NULL;
    }
    snprintf(copy->name, sizeof copy->name, "%s", preset->name);
    copy->preset = *preset;
    copy->preset.name = copy->name;
    copy->preset.text = "saved in this room";
    copy->preset.settings = flock_preset_settings(preset);
    copy->preset.params = NULL;
    if (preset->look.shape != NULL) {
        snprintf(copy->shape, sizeof copy->shape, "%s", preset->look.shape);
        copy->preset.look.shape = copy->shape;
    }
    if (preset->ground != NULL) {
        snprintf(copy->ground, sizeof copy->ground, "%s", preset->ground);
        copy->preset.ground = copy->ground;
    }
    return copy;
}

/* Whether two words are the same. NULL: no word. */
static bool same_word(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_box(const struct flock_box *a, const struct flock_box *b)
{
    return a->left == b->left && a->top == b->top && a->right == b->right && a->bottom == b->bottom;
}

static bool same_look(const struct flock_preset *a, const struct flock_preset *b)
{
    return same_word(a->look.shape, b->look.shape) && a->look.size == b->look.size &&
           same_word(a->ground, b->ground) && same_box(&a->pen, &b->pen);
}

/* Whether two saved presets are the same. */
static bool same(const struct flock_preset *a, const struct flock_preset *b)
{
    return strcmp(a->name, b->name) == 0 && a->boids == b->boids && a->click == b->click &&
           a->flees == b->flees && same_look(a, b) &&
           flock_settings_same(&a->settings, &b->settings);
}

/* ---- which there are ---- */

size_t presets_built_in_count(void)
{
    size_t count = 0;

    while (flock_presets[count].name != NULL) {
        count++;
    }
    return count;
}

const struct flock_preset *presets_at(const struct scene *scene, size_t index)
{
    size_t built_in = presets_built_in_count();

    if (index < built_in) {
        return &flock_presets[index];
    }
    index -= built_in;
    return index < scene->presets.count ? &scene->presets.saved[index]->preset : NULL;
}

int presets_index(const struct scene *scene, const struct flock_preset *preset)
{
    const struct flock_preset *other;

    for (size_t i = 0; preset != NULL && (other = presets_at(scene, i)) != NULL; i++) {
        if (other == preset) {
            return (int)i;
        }
    }
    return -1;
}

const struct flock_preset *presets_built_in(const struct flock_preset *preset)
{
    for (size_t i = 0; flock_presets[i].name != NULL; i++) {
        if (preset == &flock_presets[i]) {
            return preset;
        }
    }
    return NULL;
}

/* Returns the index of the saved preset whose name readers take for that name; the count: there is
 * none. */
static uint32_t find(const struct presets *presets, const char *name)
{
    uint32_t i = 0;

    while (i < presets->count && !names_alike(presets->saved[i]->name, name)) {
        i++;
    }
    return i;
}

const char *presets_named(const struct scene *scene, const char *name)
{
    uint32_t index = find(&scene->presets, name);

    return index < scene->presets.count ? scene->presets.saved[index]->name : "";
}

/* ---- saving and removing ---- */

static void retire(struct presets *presets, struct preset *preset)
{
    preset->next = presets->retired;
    presets->retired = preset;
}

static bool may_be_called(const char *name, struct proto_error *error)
{
    if (names_blank(name)) {
        return refuse_message(error, PROTO_E_RANGE, "name",
                              "name: expected at least one visible character");
    }
    for (size_t i = 0; flock_presets[i].name != NULL; i++) {
        if (names_alike(flock_presets[i].name, name)) {
            return refuse_message(error, PROTO_E_RANGE, "name",
                                  "name: %s is one of flockd's own presets; choose another one",
                                  flock_presets[i].name);
        }
    }
    return true;
}

/* Returns the scene's present flock as a preset of that name. */
static struct flock_preset running(const struct scene *scene, const char *name)
{
    struct flock_preset preset = {.name = name,
                                  .boids = flock_count(scene->flock),
                                  .settings = *flock_settings_of(scene->flock)};

    if (scene->origin != NULL) {
        preset.look = scene->origin->look;
        preset.click = scene->origin->click;
        preset.flees = scene->origin->flees && scene->controls.cursors == CURSORS_SCARE;
        preset.ground = scene->origin->ground;
        preset.pen = scene->origin->pen;
    }
    return preset;
}

bool presets_save(struct scene *scene, const char *name, struct proto_error *error)
{
    struct presets *presets = &scene->presets;
    uint32_t index = find(presets, name);
    struct flock_preset now = running(scene, name);
    struct preset *preset;

    if (!may_be_called(name, error)) {
        return false;
    }
    if (index == PRESETS_MAX) {
        return refuse_message(error, PROTO_E_FULL, "",
                              "save: the room has %u saved presets already; remove one first",
                              PRESETS_MAX);
    }
    preset = copy_of(&now);
    if (preset == NULL) {
        return refuse_message(error, PROTO_E_FULL, "", "save: out of memory");
    }
    if (index < presets->count) {
        retire(presets, presets->saved[index]);
    } else {
        presets->count++;
    }
    presets->saved[index] = preset;
    scene->preset = scene->origin = &preset->preset;
    scene->controls.boids = now.boids;
    scene->versions.controls++;
    scene->versions.facts++;
    return true;
}

bool presets_remove(struct scene *scene, const char *name, struct proto_error *error)
{
    struct presets *presets = &scene->presets;
    uint32_t index = find(presets, name);
    struct preset *preset;

    if (index == presets->count) {
        return refuse_message(error, PROTO_E_RANGE, "name",
                              "name: expected the name of a preset saved in this room");
    }
    preset = presets->saved[index];
    presets->count--;
    memmove(&presets->saved[index], &presets->saved[index + 1],
            (presets->count - index) * sizeof presets->saved[0]);
    retire(presets, preset);
    if (scene->preset == &preset->preset) {
        scene->preset = NULL;
        scene->versions.facts++;
    }
    scene->versions.controls++;
    return true;
}

/* ---- retired presets ---- */

/* The same preset as another room has, to be named by this one: that which it offers, or a copy.
 * NULL if there is none, or memory runs out. */
static const struct flock_preset *adopt(struct scene *scene, const struct flock_preset *preset)
{
    struct preset *copy;

    if (presets_built_in(preset) == preset) {
        return preset;
    }
    for (uint32_t i = 0; i < scene->presets.count; i++) {
        if (same(&scene->presets.saved[i]->preset, preset)) {
            return &scene->presets.saved[i]->preset;
        }
    }
    for (copy = scene->presets.retired; copy != NULL; copy = copy->next) {
        if (same(&copy->preset, preset)) {
            return &copy->preset;
        }
    }
    copy = copy_of(preset);
    if (copy == NULL) {
        return NULL;
    }
    retire(&scene->presets, copy);
    return &copy->preset;
}

void presets_follow(struct scene *scene, const struct scene *from)
{
    struct presets *presets = &scene->presets;

    assert(scene->undo.count == 0 && !scene->undo.preparing);
    for (uint32_t i = 0; i < from->presets.count && presets->count < PRESETS_MAX; i++) {
        const struct flock_preset *preset = &from->presets.saved[i]->preset;
        struct preset *copy =
            find(presets, preset->name) == presets->count ? copy_of(preset) : NULL;
        if (copy != NULL) {
            presets->saved[presets->count++] = copy;
        }
    }
    scene->preset = adopt(scene, from->preset);
    scene->origin = adopt(scene, from->origin);
    presets_sweep(scene, NULL, 0);
}

static bool is_named(const struct preset *preset, const struct flock_preset *const *named,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (named[i] == &preset->preset) {
            return true;
        }
    }
    return false;
}

void presets_sweep(struct scene *scene, const struct flock_preset *const *named, size_t count)
{
    struct preset **at = &scene->presets.retired;

    while (*at != NULL) {
        struct preset *preset = *at;
        if (scene->preset == &preset->preset || scene->origin == &preset->preset ||
            is_named(preset, named, count)) {
            at = &preset->next;
        } else {
            *at = preset->next;
            free(preset);
        }
    }
}

void presets_finish(struct scene *scene)
{
    scene->preset = scene->origin = NULL;
    presets_sweep(scene, NULL, 0);
    while (scene->presets.count > 0) {
        free(scene->presets.saved[--scene->presets.count]);
    }
}

/* ---- keeping them ---- */

const struct flock_preset *presets_kept(const struct scene *scene, size_t index, uint32_t *use)
{
    const struct presets *presets = &scene->presets;
    const struct preset *preset = index < presets->count ? presets->saved[index] : presets->retired;

    *use = index < presets->count ? PRESETS_LISTED : 0;
    for (size_t i = presets->count; index >= presets->count && preset != NULL;
         preset = preset->next) {
        bool used = scene->preset == &preset->preset || scene->origin == &preset->preset;
        if (used && i++ == index) {
            break;
        }
    }
    if (preset == NULL) {
        return NULL;
    }
    *use |= scene->preset == &preset->preset ? PRESETS_IN_FORCE : 0;
    *use |= scene->origin == &preset->preset ? PRESETS_ORIGIN : 0;
    return &preset->preset;
}

bool presets_restore(struct scene *scene, const struct flock_preset *preset, uint32_t use)
{
    struct presets *presets = &scene->presets;
    struct proto_error error;
    bool listed = (use & PRESETS_LISTED) != 0;
    struct preset *copy;

    if (!may_be_called(preset->name, &error) ||
        (listed &&
         (presets->count == PRESETS_MAX || find(presets, preset->name) < presets->count))) {
        return false;
    }
    copy = copy_of(preset);
    if (copy == NULL) {
        return false;
    }
    if (listed) {
        presets->saved[presets->count++] = copy;
    } else {
        retire(presets, copy);
    }
    scene->preset = (use & PRESETS_IN_FORCE) != 0 ? &copy->preset : scene->preset;
    scene->origin = (use & PRESETS_ORIGIN) != 0 ? &copy->preset : scene->origin;
    return true;
}
