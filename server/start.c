#include "start.h"

#include <string.h>
#include <sys/random.h>

#define KEY_LENGTH 24 /* of 32 letters and digits each: 120 bits */

/* What the preset and the options beside it say of the flock. */
static void choose_flock(const struct config *config, struct room_definition *room)
{
    struct flock_definition *flock = &room->flock;

    flock->seed = config->seed;
    flock->threads = config->threads;
    if (config->preset != CONFIG_NONE) {
        room->preset = &flock_presets[config->preset];
        flock_definition_preset(flock, room->preset);
    }
    if (config->model != CONFIG_NONE && flock_models[config->model] != flock->model) {
        flock->model = flock_models[config->model];
        flock->boundary = flock->model->boundary;
        room->preset = NULL;
    }
    if (config->boundary != CONFIG_NONE) {
        flock->boundary = (enum flock_boundary)config->boundary;
    }
    if (config->world.width > 0.0F) {
        flock->width = config->world.width;
        flock->height = config->world.height;
    }
    if (config->boids > 0) {
        flock->boids = config->boids;
    }
}

/* Applies one KEY=VALUE of that length. */
static bool set_param(struct room_definition *room, const char *text, size_t length, FILE *errors)
{
    const struct flock_model *model = room->flock.model;
    char setting[CONFIG_TEXT_MAX];
    char shown[80];
    char *value;
    double number;
    int index;

    memcpy(setting, text, length);
    setting[length] = '\0';
    log_escape(shown, sizeof shown, setting, false);
    value = strchr(setting, '=');
    if (value == NULL) {
        fprintf(errors, "flockd: --set: '%s' is not KEY=VALUE\n", shown);
        return false;
    }
    *value++ = '\0';
    index = flock_param_find(model, setting);
    if (index < 0) {
        fprintf(errors, "flockd: --set: '%s': the model %s has no such parameter; it has", shown,
                model->name);
        for (size_t i = 0; i < model->param_count; i++) {
            fprintf(errors, "%s %s", i > 0 ? "," : "", model->params[i].name);
        }
        fputc('\n', errors);
        return false;
    }
    const struct flock_param *param = &model->params[index];
    if (!config_number(value, &number) || number < (double)param->min ||
        number > (double)param->max) {
        fprintf(errors, "flockd: --set: '%s': expected a number from %g to %g\n", shown,
                (double)param->min, (double)param->max);
        return false;
    }
    room->params[index] = (float)number;
    return true;
}

static bool set_params(const struct config *config, struct room_definition *room, FILE *errors)
{
    const struct flock_model *model = room->flock.model;

    for (size_t i = 0; i < model->param_count; i++) {
        room->params[i] = model->params[i].initial;
    }
    const struct flock_setting *setting = room->preset != NULL ? room->preset->settings : NULL;
    for (; setting != NULL && setting->name != NULL; setting++) {
        room->params[flock_param_find(model, setting->name)] = setting->value;
    }
    for (const char *text = config->set[0] != '\0' ? config->set : NULL; text != NULL;) {
        size_t length = strcspn(text, ",");
        if (!set_param(room, text, length, errors)) {
            return false;
        }
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return true;
}

static bool choose_key(struct config *config, FILE *errors)
{
    static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
    uint8_t bytes[KEY_LENGTH];

    if (config->key[0] != '\0') {
        return true;
    }
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
        fputs("flockd: no randomness for a presenter's key; give one with --presenter-key\n",
              errors);
        return false;
    }
    for (size_t i = 0; i < KEY_LENGTH; i++) {
        config->key[i] = letters[bytes[i] % 32];
    }
    config->key[KEY_LENGTH] = '\0';
    return true;
}

bool start_room(struct config *config, struct room_definition *room, FILE *errors)
{
    *room = room_definition_default();
    room->tick_rate = config->tick_rate;
    room->snapshot_rate = config->snapshot_rate;
    room->policy = config->policy;
    room->idle = config->idle;
    room->cursor_timeout = (uint64_t)(config->cursor_timeout * 1e6);
    room->key = config->key;
    room->open_controls = config->open_controls;
    choose_flock(config, room);
    return set_params(config, room, errors) && choose_key(config, errors);
}
