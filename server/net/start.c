#include "net/start.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "base/log.h"
#include "past/film_open.h"
#include "past/recording.h"
#include "room/room_state.h"
#include "scene/saved.h"
#include "scene/scene.h"

static void warn_weak(const char *key, const char *whose, const char *instead)
{
    if (key_weak(key)) {
        log_warn("the %s key can be guessed: it has fewer than %u characters, or fewer than %u "
                 "different ones%s",
                 whose, KEY_WEAK_LENGTH, KEY_WEAK_DIFFERENT, instead);
    }
}

static bool choose_key(const struct config *config, struct room_definition *room, FILE *errors)
{
    if (config->key[0] != '\0') {
        snprintf(room->key, sizeof room->key, "%.*s", (int)PROTO_KEY_MAX, config->key);
        warn_weak(room->key, "presenter",
                  "; without --presenter-key flockd makes a key that cannot be guessed");
        return true;
    }
    room->key_made = key_make(room->key);
    if (room->key_made) {
        return true;
    }
    fputs("flockd: cannot make a random presenter key; choose one with --presenter-key\n", errors);
    return false;
}

bool start_room(const struct config *config, struct room_definition *room, FILE *errors)
{
    if (config->metrics_key[0] != '\0') {
        warn_weak(config->metrics_key, "metrics", "");
    }
    *room = room_definition_default();
    room->tick_rate = config->tick_rate;
    room->snapshot_rate = config->snapshot_rate;
    room->controls.policy = config->policy;
    room->controls.idle = config->idle;
    room->cursor_timeout = (uint64_t)(config->cursor_timeout * 1e6);
    room->tick_limit = (uint64_t)(config->tick_limit * 1e6);
    room->open_controls = config->open_controls;
    room->flock.seed = config->seed;
    if (!flock_options_apply(&config->flock, "flockd", &room->flock, &room->preset, errors)) {
        return false;
    }
    room->origin = flock_options_origin(&config->flock, room->preset);
    if (room->flock.boids > config->max_boids) {
        fprintf(errors, "flockd: --max-boids: %u is less than the %u boids of the lobby\n",
                config->max_boids, room->flock.boids);
        return false;
    }
    if (room->flock.settings.update == FLOCK_SEQUENTIAL &&
        room->flock.boids > SCENE_SEQUENTIAL_MAX) {
        fprintf(errors,
                "flockd: --update: sequential allows at most %u boids, but the lobby has %u\n",
                SCENE_SEQUENTIAL_MAX, room->flock.boids);
        return false;
    }
    return choose_key(config, room, errors);
}

/* FNV-1a. */
static uint64_t mix_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    }
    return hash;
}

static uint64_t mix_number(uint64_t hash, double number)
{
    return mix_bytes(hash, &number, sizeof number);
}

/* Reads the file into new memory, up to 1 byte beyond the limit. Returns NULL with errno set on
 * failure. */
static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = file != NULL ? malloc(SAVED_MAX + 1) : NULL;

    *size = 0;
    while (bytes != NULL && *size <= SAVED_MAX && !feof(file) && !ferror(file)) {
        *size += fread(bytes + *size, 1, SAVED_MAX + 1 - *size, file);
    }
    if (bytes != NULL && ferror(file)) {
        free(bytes);
        bytes = NULL;
    }
    if (file != NULL) {
        int problem = errno;
        (void)fclose(file);
        errno = problem;
    }
    return bytes;
}

bool start_replay(const struct config *config, struct film **film, FILE *errors)
{
    const struct recording_limits limits = {
        .boids = config->max_boids < SCENE_BOIDS_MAX ? config->max_boids : SCENE_BOIDS_MAX,
        .option = "--max-boids"};
    struct proto_error error;
    uint8_t *bytes;
    size_t size;

    *film = NULL;
    if (config->replay[0] == '\0') {
        return true;
    }
    bytes = read_file(config->replay, &size);
    if (bytes == NULL) {
        fprintf(errors, "flockd: --replay: %s: %s\n", config->replay, strerror(errno));
        return false;
    }
    *film = film_open(bytes, size, &limits, NULL, &error);
    if (*film == NULL) {
        fprintf(errors, "flockd: --replay: %s: %s\n", config->replay, error.message);
    }
    return *film != NULL;
}

/* Stores keep fingerprints, so their form stays: an array of FLOCK_PARAMS_MAX numbers, which had
 * the default model's initial values beyond the model's own parameters. */
static uint64_t mix_params(uint64_t hash, const struct flock_settings *settings)
{
    const struct flock_definition initial = flock_definition_default();

    for (size_t i = 0; i < FLOCK_PARAMS_MAX; i++) {
        const struct flock_settings *from =
            i < settings->model->param_count ? settings : &initial.settings;
        hash = mix_number(hash, (double)from->params[i]);
    }
    return hash;
}

uint64_t start_fingerprint(const struct room_definition *room, const struct film *film)
{
    const struct flock_definition *flock = &room->flock;
    const struct flock_settings *settings = &flock->settings;
    const char *preset = room->preset != NULL ? room->preset->name : "";
    const double numbers[] = {settings->boundary,    settings->width,     settings->height,
                              flock->boids,          (double)flock->seed, settings->update,
                              room->controls.policy, room->controls.idle};
    uint64_t hash = 0xcbf29ce484222325u;

    hash = mix_bytes(hash, settings->model->name, strlen(settings->model->name) + 1);
    hash = mix_bytes(hash, preset, strlen(preset) + 1);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        hash = mix_number(hash, numbers[i]);
    }
    hash = mix_params(hash, settings);
    return film != NULL ? mix_number(hash, (double)film->size) : hash;
}

static bool is_sound_room(const uint8_t *state, size_t size, char *what, size_t capacity)
{
    struct room_definition definition = room_definition_default();
    const struct room_origin origin = {.state = state, .size = size, .continues = true};
    struct proto_error error;
    struct room *room = room_create(&definition, &room_sink_none, &origin, &error);

    snprintf(what, capacity, "%s", room != NULL ? "" : error.message);
    room_destroy(room);
    return room != NULL;
}

bool start_sound(const uint8_t *bytes, size_t size, char *what, size_t capacity)
{
    struct recording *recording;

    if (!saved_is(SAVED_RECORDING, bytes, size)) {
        return is_sound_room(bytes, size, what, capacity);
    }
    recording = recording_read(bytes, size, what, capacity);
    recording_destroy(recording);
    return recording != NULL;
}
