#include "config/flock_options.h"

#include <string.h>

#include "base/log.h"

static const struct option_rule presets = {.word = flock_preset_name};
static const struct option_rule models = {.word = flock_model_name};
static const struct option_rule boundaries = {.word = flock_boundary_name};
static const struct option_rule updates = {.word = flock_update_name};

#define FIELD(name) OPTIONS_FIELD(struct flock_options, name)

const struct option flock_options_table[] = {
    {"preset", "FLOCKD_PRESET", OPTION_CHOICE, FIELD(preset), 0, 0, &presets, "NAME", NULL,
     "a ready-made flock: model, world, boids and parameters together"},
    {"model", "FLOCKD_MODEL", OPTION_CHOICE, FIELD(model), 0, 0, &models, "NAME", NULL,
     "the rules that the boids follow (default: the preset's, else swarm)"},
    {"boids", "FLOCKD_BOIDS", OPTION_UINT, FIELD(boids), 1, FLOCK_BOIDS_MAX, NULL, "N", NULL,
     "number of boids (default: the preset's, else 12)"},
    {"world", "FLOCKD_WORLD", OPTION_WORLD, FIELD(world), FLOCK_WORLD_MIN, FLOCK_WORLD_MAX, NULL,
     "WxH", NULL, "width and height of the world, in units (default: the preset's, else 550x400)"},
    {"boundary", "FLOCKD_BOUNDARY", OPTION_CHOICE, FIELD(boundary), 0, 0, &boundaries, NULL, NULL,
     "the world's edge: none (open), the opposite edge (wrap) or walls (default: the preset's, "
     "else the model's)"},
    {"update", "FLOCKD_UPDATE", OPTION_CHOICE, FIELD(update), 0, 0, &updates, "ORDER", NULL,
     "all boids move at once (synchronous), or one after another, each after the moves before it "
     "(sequential); default: the preset's, else synchronous"},
    {"set", "FLOCKD_SET", OPTION_LIST, FIELD(set), 3, FLOCK_OPTIONS_SET_MAX - 1, NULL, "KEY=VALUE",
     NULL, "a value for a parameter of the model; may be repeated, or list several with commas"},
    {0},
};

/* Applies one KEY=VALUE of that length to the parameters. */
static bool set_param(const struct flock_model *model, const char *text, size_t length,
                      const char *program, float *params, FILE *errors)
{
    char setting[FLOCK_OPTIONS_SET_MAX];
    char shown[80];
    double number;

    snprintf(setting, sizeof setting, "%.*s", (int)length, text);
    log_escape(shown, sizeof shown, setting, false);
    char *value = strchr(setting, '=');
    if (value == NULL) {
        options_refuse(errors, program, "--set", setting, "KEY=VALUE");
        return false;
    }
    *value++ = '\0';
    int index = flock_param_find(model, setting);
    if (index < 0) {
        fprintf(errors, "%s: --set: '%s': the model %s has no such parameter; it has", program,
                shown, model->name);
        for (size_t i = 0; i < model->param_count; i++) {
            fprintf(errors, "%s %s", i > 0 ? "," : "", model->params[i].name);
        }
        fputc('\n', errors);
        return false;
    }
    const struct flock_param *param = &model->params[index];
    if (!options_numbers(value, ',', (double)param->min, (double)param->max, &number, 1)) {
        fprintf(errors, "%s: --set: '%s': expected a number from %g to %g\n", program, shown,
                (double)param->min, (double)param->max);
        return false;
    }
    params[index] = (float)number;
    return true;
}

/* Returns whether each minimum is at most its maximum. */
static bool agree(const struct flock_model *model, const float *params, const char *program,
                  FILE *errors)
{
    int index = flock_params_contradict(model, params);
    bool least;

    if (index < 0) {
        return true;
    }
    int other = flock_param_pair(model, (size_t)index, &least);
    fprintf(errors, "%s: --set: %s is %g: expected at most %s, which is %g\n", program,
            model->params[index].name, (double)params[index], model->params[other].name,
            (double)params[other]);
    return false;
}

const struct flock_preset *flock_options_origin(const struct flock_options *options,
                                                const struct flock_preset *preset)
{
    bool none = options->preset == OPTIONS_NONE && options->model == OPTIONS_NONE &&
                options->boundary == OPTIONS_NONE && options->update == OPTIONS_NONE &&
                options->world.width <= 0.0F && options->boids == 0 && options->set[0] == '\0';

    return none ? flock_preset_find("original") : preset;
}

bool flock_options_apply(const struct flock_options *options, const char *program,
                         struct flock_definition *definition, const struct flock_preset **preset,
                         FILE *errors)
{
    struct flock_settings *settings = &definition->settings;

    *preset = NULL;
    if (options->preset != OPTIONS_NONE) {
        *preset = &flock_presets[options->preset];
        *settings = flock_preset_settings(*preset);
        definition->boids = (*preset)->boids;
    }
    if (options->model != OPTIONS_NONE && flock_models[options->model] != settings->model) {
        flock_settings_choose(settings, flock_models[options->model]);
        settings->boundary = settings->model->boundary;
        settings->wall_count = 0;
        *preset = NULL;
    }
    if (options->boundary != OPTIONS_NONE) {
        settings->boundary = (enum flock_boundary)options->boundary;
    }
    if (options->update != OPTIONS_NONE) {
        settings->update = (enum flock_update)options->update;
    }
    if (options->world.width > 0.0F) {
        settings->width = options->world.width;
        settings->height = options->world.height;
    }
    if (options->boids > 0) {
        definition->boids = options->boids;
    }
    for (const char *text = options->set[0] != '\0' ? options->set : NULL; text != NULL;) {
        size_t length = strcspn(text, ",");
        if (!set_param(settings->model, text, length, program, settings->params, errors)) {
            return false;
        }
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return agree(settings->model, settings->params, program, errors);
}
