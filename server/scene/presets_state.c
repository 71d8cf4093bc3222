#include "scene/presets_state.h"

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

static void read(struct saved_reader *r, const msgpack_object *value, struct scene *scene)
{
    const msgpack_object_map *map = reader_map(&r->reader, value);
    struct flock_preset preset = {.name = NULL};
    char name[PROTO_VALUE_MAX + 1];
    char shape[PROTO_WORD_MAX + 1];
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
