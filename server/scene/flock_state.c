#include "scene/flock_state.h"

#include <string.h>

#define PLACES 3u

_Static_assert(sizeof(struct flock_food) == 12 && sizeof(struct flock_point) == 8,
               "saved states hold food and hunters without padding");

static const char *const place_keys[PLACES] = {"separation", "alignment", "cohesion"};

size_t flock_state_size(const struct flock *flock)
{
    return (size_t)flock_count(flock) * (5 + PLACES) * sizeof(float) + sizeof(struct flock_things) +
           4096;
}

/* ---- writing ---- */

void flock_settings_put(struct saved *saved, const struct flock_settings *settings)
{
    saved_text(saved, "model", settings->model->name);
    saved_text(saved, "boundary", flock_boundaries[settings->boundary].name);
    saved_text(saved, "update", flock_updates[settings->update].name);
    saved_float(saved, "width", settings->width);
    saved_float(saved, "height", settings->height);
    saved_map(saved, "params");
    for (size_t i = 0; i < settings->model->param_count; i++) {
        saved_float(saved, settings->model->params[i].name, settings->params[i]);
    }
    saved_map_end(saved);
    saved_bin(saved, "walls", settings->walls, settings->wall_count * sizeof settings->walls[0]);
}

/* A flock without food or hunters has no key for them, as before there were any. */
void flock_things_put(struct saved *saved, const struct flock_things *things)
{
    if (things->food_count > 0) {
        saved_bin(saved, "food", things->food, things->food_count * sizeof things->food[0]);
    }
    if (things->hunter_count > 0) {
        saved_bin(saved, "hunters", things->hunters,
                  things->hunter_count * sizeof things->hunters[0]);
    }
}

void flock_state_put(struct saved *saved, const char *key, const struct flock *flock)
{
    struct flock_image image;
    const struct flock_definition *definition = &image.definition;
    size_t words;

    flock_image_of(flock, &image);
    words = definition->boids * sizeof(float);
    saved_map(saved, key);
    flock_settings_put(saved, &definition->settings);
    saved_uint(saved, "boids", definition->boids);
    saved_uint(saved, "seed", definition->seed);
    saved_uint(saved, "epoch", image.epoch);
    saved_uint(saved, "ticks", image.ticks);
    saved_bin(saved, "number", image.boids.number, words);
    saved_bin(saved, "x", image.boids.x, words);
    saved_bin(saved, "y", image.boids.y, words);
    saved_bin(saved, "vx", image.boids.vx, words);
    saved_bin(saved, "vy", image.boids.vy, words);
    for (size_t place = 0; image.place[0] != NULL && place < PLACES; place++) {
        saved_bin(saved, place_keys[place], image.place[place], words);
    }
    flock_things_put(saved, &image.things);
    saved_map_end(saved);
}

uint8_t *flock_save(const struct flock *flock, size_t *size)
{
    struct saved saved;
    uint8_t *bytes;

    saved_begin(&saved, SAVED_FLOCK, flock_state_size(flock));
    flock_state_put(&saved, NULL, flock);
    bytes = saved_end(&saved, size);
    if (bytes != NULL) {
        saved_seal(bytes, *size);
    }
    return bytes;
}

/* ---- reading ---- */

/* Reads one pair of the map of parameters. */
static void read_param(struct saved_reader *r, const msgpack_object_kv *pair,
                       const struct flock_model *model, float params[FLOCK_PARAMS_MAX])
{
    char name[PROTO_ROOM_MAX + 1];
    int index;

    r->reader.field = "params";
    reader_line(&r->reader, &pair->key, 0, sizeof name - 1, name);
    if (saved_failed(r)) {
        return;
    }
    index = flock_param_find(model, name);
    if (index < 0) {
        reader_fail(&r->reader, PROTO_E_MALFORMED, "%s has no parameter %s in this version",
                    model->name, name);
        return;
    }
    r->reader.field = model->params[index].name;
    params[index] = reader_number(&r->reader, &pair->val, (double)model->params[index].min,
                                  (double)model->params[index].max);
}

/* A parameter that the map lacks has the value of flock_param_before(). */
static void read_params(struct saved_reader *r, const msgpack_object *value,
                        struct flock_settings *settings)
{
    const msgpack_object_map *map = reader_map(&r->reader, value);

    for (size_t i = 0; i < settings->model->param_count; i++) {
        settings->params[i] = flock_param_before(settings->model, i);
    }
    for (uint32_t i = 0; map != NULL && i < map->size && !saved_failed(r); i++) {
        read_param(r, &map->ptr[i], settings->model, settings->params);
    }
}

static void read_walls(struct saved_reader *r, const msgpack_object_map *map,
                       struct flock_settings *settings)
{
    const msgpack_object_bin *bin = reader_bin(&r->reader, reader_key(&r->reader, map, "walls"));

    if (bin == NULL) {
        return;
    }
    if (bin->size % sizeof settings->walls[0] != 0 || bin->size > sizeof settings->walls) {
        saved_fail(r, "walls", "expected up to 64 walls of 16 bytes");
        return;
    }
    settings->wall_count = (uint32_t)(bin->size / sizeof settings->walls[0]);
    memcpy(settings->walls, bin->ptr, bin->size);
}

struct flock_settings flock_settings_read(struct saved_reader *r, const msgpack_object_map *map)
{
    const double max = (double)FLOCK_WORLD_MAX;
    struct flock_settings settings = {
        .model = flock_models[saved_read_word(r, map, "model", flock_model_name)],
        .boundary = (enum flock_boundary)saved_read_word(r, map, "boundary", flock_boundary_name),
        .update = (enum flock_update)saved_read_word(r, map, "update", flock_update_name),
        .width = reader_number(&r->reader, reader_key(&r->reader, map, "width"), 0, max),
        .height = reader_number(&r->reader, reader_key(&r->reader, map, "height"), 0, max),
    };
    const char *problem;

    read_params(r, reader_key(&r->reader, map, "params"), &settings);
    read_walls(r, map, &settings);
    problem = flock_settings_problem(&settings);
    if (problem != NULL) {
        saved_fail(r, "flock", problem);
    }
    return settings;
}

/* A flock without the key was saved before flocks had noise, which alone depends on its ticks. */
static uint64_t read_ticks(struct saved_reader *r, const msgpack_object_map *map)
{
    const msgpack_object *value = reader_option(&r->reader, map, "ticks");

    return value != NULL ? reader_uint(&r->reader, value, 0, UINT64_MAX) : 0;
}

/* Reads a bin of up to `most` entries of `size` bytes. Returns how many; 0 without the key. */
static uint32_t read_entries(struct saved_reader *r, const msgpack_object_map *map, const char *key,
                             void *into, size_t size, size_t most)
{
    const msgpack_object *value = reader_option(&r->reader, map, key);
    const msgpack_object_bin *bin = value != NULL ? reader_bin(&r->reader, value) : NULL;

    if (bin == NULL) {
        return 0;
    }
    if (bin->size % size != 0 || bin->size / size > most) {
        saved_fail(r, key, "too many entries, or a part of one");
        return 0;
    }
    memcpy(into, bin->ptr, bin->size);
    return (uint32_t)(bin->size / size);
}

void flock_things_read(struct saved_reader *r, const msgpack_object_map *map,
                       struct flock_things *things)
{
    things->food_count =
        read_entries(r, map, "food", things->food, sizeof things->food[0], FLOCK_FOOD_MAX);
    things->hunter_count = read_entries(r, map, "hunters", things->hunters,
                                        sizeof things->hunters[0], FLOCK_HUNTERS_MAX);
}

static void read_boids(struct saved_reader *r, const msgpack_object_map *map,
                       struct flock_image *image)
{
    uint32_t count = image->definition.boids;

    image->boids = (struct flock_slots){
        .number = saved_read_words(r, map, "number", count),
        .x = saved_read_words(r, map, "x", count),
        .y = saved_read_words(r, map, "y", count),
        .vx = saved_read_words(r, map, "vx", count),
        .vy = saved_read_words(r, map, "vy", count),
    };
    if (reader_option(&r->reader, map, place_keys[0]) == NULL) {
        return;
    }
    for (size_t place = 0; place < PLACES; place++) {
        image->place[place] = saved_read_words(r, map, place_keys[place], count);
    }
}

struct flock *flock_state_read(struct saved_reader *reader, const msgpack_object *value,
                               uint32_t lanes)
{
    const msgpack_object_map *map = reader_map(&reader->reader, value);
    struct flock_image image = {.definition.lanes = lanes};
    struct flock *flock;
    const char *problem;

    if (map == NULL) {
        return NULL;
    }
    image.definition.settings = flock_settings_read(reader, map);
    image.definition.boids = (uint32_t)reader_uint(
        &reader->reader, reader_key(&reader->reader, map, "boids"), 1, FLOCK_BOIDS_MAX);
    image.definition.seed =
        reader_uint(&reader->reader, reader_key(&reader->reader, map, "seed"), 0, UINT64_MAX);
    image.epoch = (uint32_t)reader_uint(&reader->reader, reader_key(&reader->reader, map, "epoch"),
                                        0, UINT32_MAX);
    image.ticks = read_ticks(reader, map);
    flock_things_read(reader, map, &image.things);
    read_boids(reader, map, &image);
    if (saved_failed(reader)) {
        return NULL;
    }
    flock = flock_create_image(&image, &problem);
    if (flock == NULL) {
        saved_fail(reader, "flock", problem);
    }
    return flock;
}

struct flock *flock_load(const uint8_t *bytes, size_t size, uint32_t lanes, char *problem,
                         size_t problem_size)
{
    struct saved_reader reader;
    const msgpack_object_map *map =
        saved_open(&reader, SAVED_FLOCK, bytes, size, FLOCK_STATE_VALUES);
    struct flock *flock = NULL;

    if (map != NULL) {
        const msgpack_object value = {.type = MSGPACK_OBJECT_MAP, .via.map = *map};
        flock = flock_state_read(&reader, &value, lanes);
    }
    if (flock == NULL) {
        saved_problem(&reader, problem, problem_size);
    }
    saved_close(&reader);
    return flock;
}
