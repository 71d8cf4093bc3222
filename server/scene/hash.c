/* The hash of a scene: scene.h. */
#include <string.h>

#include "scene/inside.h"
#include "scene/scene.h"
#include "sim/state.h"

/* FNV-1a over words of 64 bits. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

/* Mixes what is younger than goldens, unless it is 0. */
static uint64_t mix_young(uint64_t hash, uint64_t word)
{
    return word > 0 ? mix(hash, word) : hash;
}

static uint64_t mix_words(uint64_t hash, const void *words, size_t count)
{
    const uint8_t *bytes = words;

    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, bytes + 4 * i, sizeof word);
        hash = mix(hash, word);
    }
    return hash;
}

/* Returns whether the parameter is younger than goldens. */
static bool is_young(const struct flock_model *model, size_t index)
{
    return index == model->common[FLOCK_NOISE] || index == model->common[FLOCK_INFORMED];
}

/* Mixes the parameters; a young parameter only if it differs from its initial value. */
static uint64_t mix_params(uint64_t hash, const struct flock_model *model, const float *params)
{
    for (size_t i = 0; i < model->param_count; i++) {
        if (!is_young(model, i)) {
            hash = mix_words(hash, &params[i], 1);
        } else if (params[i] != model->params[i].initial) {
            hash = mix_words(mix(hash, i), &params[i], 1);
        }
    }
    return hash;
}

static uint64_t mix_settings(uint64_t hash, const struct flock_settings *settings)
{
    hash = mix(hash, (uint64_t)settings->boundary << 8 | (uint64_t)settings->update);
    hash = mix_words(hash, &settings->width, 1);
    hash = mix_words(hash, &settings->height, 1);
    hash = mix_params(hash, settings->model, settings->params);
    return mix_words(hash, settings->walls, settings->wall_count * sizeof settings->walls[0] / 4);
}

static uint64_t mix_things(uint64_t hash, const struct flock_things *things)
{
    if (things->food_count > 0) {
        hash = mix(hash, things->food_count);
        hash = mix_words(hash, things->food, things->food_count * sizeof things->food[0] / 4);
    }
    if (things->hunter_count > 0) {
        hash = mix(hash, (uint64_t)things->hunter_count << 32);
        hash =
            mix_words(hash, things->hunters, things->hunter_count * sizeof things->hunters[0] / 4);
    }
    return hash;
}

static uint64_t mix_flock(uint64_t hash, const struct flock *flock)
{
    struct flock_image image;

    flock_image_of(flock, &image);
    const struct flock_definition *definition = &image.definition;
    hash = mix(hash, image.epoch);
    hash = flock_noise(flock, 0).span > 0.0F ? mix(hash, image.ticks) : hash;
    hash = mix(hash, definition->seed);
    hash = mix_settings(hash, &definition->settings);
    hash = mix_things(hash, &image.things);
    hash = mix_words(hash, image.boids.number, definition->boids);
    hash = mix_words(hash, image.boids.x, definition->boids);
    hash = mix_words(hash, image.boids.y, definition->boids);
    hash = mix_words(hash, image.boids.vx, definition->boids);
    return mix_words(hash, image.boids.vy, definition->boids);
}

static uint64_t mix_presets(uint64_t hash, const struct scene *scene)
{
    const struct flock_preset *preset;

    for (size_t i = presets_built_in_count(); (preset = presets_at(scene, i)) != NULL; i++) {
        for (const char *at = preset->name; *at != '\0'; at++) {
            hash = mix(hash, (uint8_t)*at);
        }
        const struct flock_settings settings = flock_preset_settings(preset);
        hash = mix_params(hash, settings.model, settings.params);
        hash = mix(hash, (uint64_t)preset->boids << 8 | (uint64_t)settings.boundary);
        hash = mix_young(hash, preset->flees);
    }
    return hash;
}

static uint64_t mix_class(uint64_t hash, const struct scene *scene)
{
    hash = mix_young(hash, (uint64_t)scene->people.leader << 32 | scene->turn_left);
    hash = mix_young(hash, scene->people.turns);
    hash = mix_young(hash, (uint64_t)scene->people.debts[PEOPLE_CLASS] << 32 |
                               scene->people.debts[PEOPLE_OTHERS]);
    for (size_t i = 0; i < scene->people.group_capacity; i++) {
        const struct people_group *group = &scene->people.groups[i];
        if (group->debt > 0 || group->turns > 0) {
            hash = mix(mix(hash, i), (uint64_t)group->debt << 32 | group->turns);
        }
    }
    hash = mix_young(hash, scene->teams.count);
    for (uint32_t i = 0; i < PROTO_TEAMS_MAX; i++) {
        const struct team_target *target = &scene->teams.targets[i];
        hash = target->people > 0 ? mix_words(mix(hash, i), &target->x, 2) : hash;
    }
    return hash;
}

uint64_t scene_hash(const struct scene *scene)
{
    const uint64_t bits = control_bits(&scene->controls);
    const struct person *person;
    uint32_t next = 0;
    uint64_t hash = mix_flock(UINT64_C(0xcbf29ce484222325), scene->flock);

    hash = mix(hash, scene->ticks);
    hash = mix(hash, scene->rounds);
    hash = mix(hash, scene->steps);
    hash = mix(hash, bits >> 16 & 0xffff);
    hash = mix(hash, (bits & 0xffff) | (uint64_t)scene->has_target);
    hash = mix_young(hash, bits >> 32);
    hash = mix_class(hash, scene);
    hash = scene->edition > 1 ? mix(hash, scene->edition) : hash;
    hash = mix_words(hash, &scene->target, 2);
    hash = mix_presets(hash, scene);
    while ((person = people_each(&scene->people, &next)) != NULL) {
        hash = mix(hash, (uint64_t)person->id << 2 | (uint64_t)person->role << 1 |
                             (uint64_t)person->cursor.present);
        hash = mix_young(hash, (uint64_t)person->turns << 32 | person->team);
        hash = mix_young(hash, person->group);
        if (person->cursor.present) {
            hash = mix(hash, person->cursor.moved_at);
            hash = mix_words(hash, &person->cursor.x, 1);
            hash = mix_words(hash, &person->cursor.y, 1);
        }
    }
    return hash;
}
