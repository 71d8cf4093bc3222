#include "scene/flock_state.h"

#include <string.h>

#define PLACES 3u

static const char *const place_keys[PLACES] = {"separation", "alignment", "cohesion"};

size_t flock_state_size(const struct flock *flock)
{
    return (size_t)flock_count(flock) * (5 + PLACES) * sizeof(float) + 4096;
}

/* ---- writing ---- */

void flock_state_put(struct saved *saved, const char *key, const struct flock *flock)
{
    struct flock_image image;
    const struct flock_definition *definition = &image.definition;
    const struct flock_model *model;
    size_t words;

    flock_image_of(flock, &image);
    model = definition->model;
    words = definition->boids * sizeof(float);
    saved_map(saved, key);
    saved_text(saved, "model", model->name);
    saved_text(saved, "boundary", flock_boundaries[definition->boundary].name);
    saved_text(saved, "update", flock_updates[definition->update].name);
    saved_float(saved, "width", definition->width);
    saved_float(saved, "height", definition->height);
    saved_uint(saved, "boids", definition->boids);
    saved_uint(saved, "seed", definition->seed);
    saved_uint(saved, "epoch", image.epoch);
    saved_map(saved, "params");
    for (size_t i = 0; i < model->param_count; i++) {
        saved_float(saved, model->params[i].name, image.params[i]);
    }
    saved_map_end(saved);
    saved_bin(saved, "walls", image.walls, image.wall_count * sizeof *image.walls);
    saved_bin(saved, "number", image.boids.number, words);
    saved_bin(saved, "x", image.boids.x, words);
    saved_bin(saved, "y", image.boids.y, words);
    saved_bin(saved, "vx", image.boids.vx, words);
    saved_bin(saved, "vy", image.boids.vy, words);
    for (size_t place = 0; image.place[0] != NULL && place < PLACES; place++) {
        saved_bin(saved, place_keys[place], image.place[place], words);
    }
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

static void read_definition(struct saved_reader *r, const msgpack_object_map *map,
                            struct flock_definition *definition)
{
    const double max = (double)FLOCK_WORLD_MAX;

    definition->model = flock_models[saved_read_word(r, map, "model", flock_model_name)];
    definition->boundary =
        (enum flock_boundary)saved_read_word(r, map, "boundary", flock_boundary_name);
    definition->update = (enum flock_update)saved_read_word(r, map, "update", flock_update_name);
    definition->width = reader_number(&r->reader, reader_key(&r->reader, map, "width"), 0, max);
    definition->height = reader_number(&r->reader, reader_key(&r->reader, map, "height"), 0, max);
    definition->boids =
        (uint32_t)reader_uint(&r->reader, reader_key(&r->reader, map, "boids"), 1, FLOCK_BOIDS_MAX);
    definition->seed = reader_uint(&r->reader, reader_key(&r->reader, map, "seed"), 0, UINT64_MAX);
}

/* Reads one pair of such a map. */
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

void flock_params_read(struct saved_reader *reader, const msgpack_object *value,
                       const struct flock_model *model, float params[FLOCK_PARAMS_MAX])
{
    const msgpack_object_map *map = reader_map(&reader->reader, value);

    for (size_t i = 0; i < model->param_count; i++) {
        params[i] = flock_param_before(model, i);
    }
    for (uint32_t i = 0; map != NULL && i < map->size && !saved_failed(reader); i++) {
        read_param(reader, &map->ptr[i], model, params);
    }
}

static void read_walls(struct saved_reader *r, const msgpack_object_map *map,
                       struct flock_image *image)
{
    const msgpack_object_bin *bin = reader_bin(&r->reader, reader_key(&r->reader, map, "walls"));

    if (bin == NULL) {
        return;
    }
    if (bin->size % sizeof *image->walls != 0 ||
        bin->size > FLOCK_WALLS_MAX * sizeof *image->walls) {
        saved_fail(r, "walls", "expected up to 64 walls of 16 bytes");
        return;
    }
    image->wall_count = bin->size / sizeof *image->walls;
    image->walls = saved_read_words(r, map, "walls", bin->size / sizeof(float));
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
    read_definition(reader, map, &image.definition);
    image.epoch = (uint32_t)reader_uint(&reader->reader, reader_key(&reader->reader, map, "epoch"),
                                        0, UINT32_MAX);
    flock_params_read(reader, reader_key(&reader->reader, map, "params"), image.definition.model,
                      image.params);
    read_walls(reader, map, &image);
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
