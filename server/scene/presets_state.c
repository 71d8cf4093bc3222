#include "scene/presets_state.h"

#include <string.h>

#include "scene/flock_state.h"
#include "scene/inside.h"

#define USE_MAX  (PRESETS_LISTED | PRESETS_IN_FORCE | PRESETS_ORIGIN)
#define SIZE_OF  1600u   /* bytes of one, about */
#define LOOK_MAX 65536.0 /* units that a boid is drawn at, at most */

/* ---- writing ---- */

size_t presets_count(const struct scene *scene)
{
    size_t count = 0;
    uint32_t use;

    while (presets_kept(scene, count, &use) != NULL) {
        count++;
    }
    return count;
}

size_t presets_size(const struct scene *scene)
{
    return presets_count(scene) * SIZE_OF;
}

static void put(struct saved *saved, const struct flock_preset *preset, uint32_t use)
{
    const struct flock_settings settings = flock_preset_settings(preset);

    saved_map(saved, NULL);
    saved_text(saved, "name", preset->name);
    saved_uint(saved, "use", use);
    saved_uint(saved, "boids", preset->boids);
    saved_uint(saved, "click", preset->click);
    saved_text(saved, "shape", preset->look.shape != NULL ? preset->look.shape : "");
    saved_float(saved, "size", preset->look.size);
    if (preset->flees) {
        saved_bool(saved, "flees", true);
    }
    if (preset->ground != NULL) {
        saved_text(saved, "ground", preset->ground);
    }
    if (preset->pen.right > 0.0F) {
        saved_bin(saved, "pen", &preset->pen, sizeof preset->pen);
    }
    flock_settings_put(saved, &settings);
    saved_map_end(saved);
}

void presets_put(struct saved *saved, const char *key, const struct scene *scene)
{
    size_t count = presets_count(scene);
    uint32_t use;

    if (count == 0) {
        return;
    }
    saved_array(saved, key, count);
    for (size_t i = 0; i < count; i++) {
        const struct flock_preset *preset = presets_kept(scene, i, &use);
        put(saved, preset, use);
    }
}

/* ---- reading ---- */

static uint32_t read_uint(struct saved_reader *r, const msgpack_object_map *map, const char *key,
                          uint32_t min, uint32_t max)
{
    return (uint32_t)reader_uint(&r->reader, reader_key(&r->reader, map, key), min, max);
}

static float read_number(struct saved_reader *r, const msgpack_object_map *map, const char *key,
                         double min, double max)
{
    return reader_number(&r->reader, reader_key(&r->reader, map, key), min, max);
}

/* Reads what is younger than the first saved presets. */
static void read_ground(struct saved_reader *r, const msgpack_object_map *map,
                        struct flock_preset *preset, char ground[PROTO_WORD_MAX + 1])
{
    if (reader_option(&r->reader, map, "ground") != NULL) {
        saved_read_text(r, map, "ground", ground, PROTO_WORD_MAX + 1);
        preset->ground = ground;
    }
    if (reader_option(&r->reader, map, "pen") != NULL) {
        const void *words = saved_read_words(r, map, "pen", sizeof preset->pen / 4);
        if (words != NULL) {
            memcpy(&preset->pen, words, sizeof preset->pen);
        }
        if (!(preset->pen.left >= 0.0F && preset->pen.left < preset->pen.right &&
              preset->pen.top >= 0.0F && preset->pen.top < preset->pen.bottom &&
              preset->pen.right <= FLOCK_FAR && preset->pen.bottom <= FLOCK_FAR)) {
            saved_fail(r, "pen", "a pen that is no part of a world");
        }
    }
}

static void read(struct saved_reader *r, const msgpack_object *value, struct scene *scene)
{
    const msgpack_object_map *map = reader_map(&r->reader, value);
    struct flock_preset preset = {.name = NULL};
    char name[PROTO_VALUE_MAX + 1];
    char shape[PROTO_WORD_MAX + 1];
    char ground[PROTO_WORD_MAX + 1];
    uint32_t use;

    if (map == NULL) {
        return;
    }
    saved_read_text(r, map, "name", name, sizeof name);
    saved_read_text(r, map, "shape", shape, sizeof shape);
    use = read_uint(r, map, "use", 0, USE_MAX);
    preset.name = name;
    preset.settings = flock_settings_read(r, map);
    preset.boids = read_uint(r, map, "boids", 1,
                             preset.settings.update == FLOCK_SEQUENTIAL ? SCENE_SEQUENTIAL_MAX
                                                                        : SCENE_BOIDS_MAX);
    preset.click = read_uint(r, map, "click", 0, PROTO_ADD_MAX);
    preset.look.size = read_number(r, map, "size", shape[0] != '\0' ? 0.01 : 0.0, LOOK_MAX);
    preset.look.shape = shape[0] != '\0' ? shape : NULL;
    preset.flees = reader_option(&r->reader, map, "flees") != NULL &&
                   reader_bool(&r->reader, reader_key(&r->reader, map, "flees"));
    read_ground(r, map, &preset, ground);
    if (flock_params_contradict(preset.settings.model, preset.settings.params) >= 0) {
        saved_fail(r, "params", "a minimum is above its maximum");
    }
    if (!saved_failed(r) && !presets_restore(scene, &preset, use)) {
        saved_fail(r, "presets", "a preset's name is taken, or there are too many presets");
    }
}

void presets_read(struct saved_reader *reader, const msgpack_object *value, struct scene *scene)
{
    const msgpack_object_array *array =
        value != NULL ? reader_array(&reader->reader, value, 0) : NULL;

    if (array != NULL && array->size > PRESETS_MAX + 2) {
        saved_fail(reader, "presets", "too many presets");
        return;
    }
    for (uint32_t i = 0; array != NULL && i < array->size && !saved_failed(reader); i++) {
        read(reader, &array->ptr[i], scene);
    }
}
