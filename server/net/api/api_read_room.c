/* Reading the body of a POST: a new room. */
#include <stdio.h>
#include <string.h>

#include "net/api/api_field.h"
#include "scene/scene.h"

struct creation {
    struct room_definition *definition;
    struct flock_options options;
    const struct api_defaults *defaults;
    bool *listed;
    const json_t *parameters;
};

static bool read_title(void *into, const char *name, const json_t *value, struct api_fault *fault)
{
    struct creation *creation = into;

    return api_read_title(name, value, creation->definition->title, fault);
}

static bool read_listed(void *into, const char *name, const json_t *value, struct api_fault *fault)
{
    struct creation *creation = into;

    return api_read_bool(name, value, creation->listed, fault);
}

static bool read_join_key(void *into, const char *name, const json_t *value,
                          struct api_fault *fault)
{
    struct creation *creation = into;

    return api_read_key(name, value, creation->definition->join_key, fault);
}

static bool read_preset(void *into, const char *name, const json_t *value, struct api_fault *fault)
{
    struct creation *creation = into;

    return api_choose(name, value, &creation->options.preset, fault);
}

static bool read_model(void *into, const char *name, const json_t *value, struct api_fault *fault)
{
    struct creation *creation = into;

    return api_choose(name, value, &creation->options.model, fault);
}

static bool read_boundary(void *into, const char *name, const json_t *value,
                          struct api_fault *fault)
{
    struct creation *creation = into;

    return api_choose(name, value, &creation->options.boundary, fault);
}

static bool read_update(void *into, const char *name, const json_t *value, struct api_fault *fault)
{
    struct creation *creation = into;

    return api_choose(name, value, &creation->options.update, fault);
}

static bool read_control(void *into, const char *name, const json_t *value, struct api_fault *fault)
{
    struct creation *creation = into;
    unsigned choice;

    if (!api_choose(name, value, &choice, fault)) {
        return false;
    }
    control_choose(&creation->definition->controls, name, choice);
    creation->definition->chosen.policy |= strcmp(name, "policy") == 0;
    creation->definition->chosen.cursors |= strcmp(name, "cursors") == 0;
    return true;
}

static bool read_boids(void *into, const char *name, const json_t *value, struct api_fault *fault)
{
    struct creation *creation = into;
    json_int_t boids = json_integer_value(value);

    if (!json_is_integer(value) || boids < 1 || boids > (json_int_t)creation->defaults->boids_max) {
        api_refuse(fault, json_is_integer(value) ? PROTO_E_RANGE : PROTO_E_MALFORMED, name,
                   "%s: expected a whole number from 1 to %u", name, creation->defaults->boids_max);
        fault->boids = boids > 0;
        return false;
    }
    creation->options.boids = (uint32_t)boids;
    return true;
}

static bool read_world(void *into, const char *name, const json_t *value, struct api_fault *fault)
{
    struct creation *creation = into;
    float sides[2] = {0.0F, 0.0F};
    bool numbers = json_array_size(value) == 2;
    bool within = numbers;

    for (size_t i = 0; i < 2 && numbers; i++) {
        const json_t *side = json_array_get(value, i);
        numbers = json_is_number(side);
        sides[i] = (float)json_number_value(side);
        within &= sides[i] >= FLOCK_WORLD_MIN && sides[i] <= FLOCK_WORLD_MAX;
    }
    if (!numbers || !within) {
        return api_refuse(fault, numbers ? PROTO_E_RANGE : PROTO_E_MALFORMED, name,
                          "%s: expected width and height, two numbers from %g to %g, such as "
                          "[800, 600]",
                          name, (double)FLOCK_WORLD_MIN, (double)FLOCK_WORLD_MAX);
    }
    creation->options.world = (struct options_world){sides[0], sides[1]};
    return true;
}

static bool read_parameters(void *into, const char *name, const json_t *value,
                            struct api_fault *fault)
{
    struct creation *creation = into;

    if (!json_is_object(value)) {
        return api_refuse(fault, PROTO_E_MALFORMED, name,
                          "%s: expected an object of numbers by name", name);
    }
    creation->parameters = value; /* the model may not be known before the last field */
    return true;
}

static const struct api_field room_fields[] = {
    {"title", read_title},        {"listed", read_listed},         {"join_key", read_join_key},
    {"preset", read_preset},      {"model", read_model},           {"boids", read_boids},
    {"world", read_world},        {"boundary", read_boundary},     {"update", read_update},
    {API_CONTROLS, read_control}, {"parameters", read_parameters}, {NULL, NULL},
};

static bool set_parameters(const struct creation *creation, struct api_fault *fault)
{
    struct flock_settings *settings = &creation->definition->flock.settings;
    json_t *object = (json_t *)creation->parameters; /* as in api_read_fields() */

    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        const json_t *value = json_object_iter_value(at);
        int index = api_check_parameter(settings->model, json_object_iter_key(at), value, fault);
        if (index < 0) {
            return false;
        }
        settings->params[index] = (float)json_number_value(value);
    }
    return api_check_pairs(settings, fault);
}

/* A body without preset and model gets the lobby's initial settings, except for its own fields. */
static struct flock_options with_defaults(const struct creation *creation)
{
    struct flock_options options = *creation->defaults->flock;
    const struct flock_options *asked = &creation->options;

    if (asked->preset != OPTIONS_NONE || asked->model != OPTIONS_NONE) {
        return *asked;
    }
    if (asked->boundary != OPTIONS_NONE) {
        options.boundary = asked->boundary;
    }
    if (asked->update != OPTIONS_NONE) {
        options.update = asked->update;
    }
    if (asked->world.width > 0.0F) {
        options.world = asked->world;
    }
    if (asked->boids > 0) {
        options.boids = asked->boids;
    }
    return options;
}

/* Completes the flock's definition from the fields. */
static bool complete_creation(const struct creation *creation, struct api_fault *fault)
{
    struct room_definition *definition = creation->definition;
    struct flock_definition *flock = &definition->flock;
    struct flock_options options = with_defaults(creation);

    if (!flock_options_apply(&options, "flockd", flock, &definition->preset, stderr)) {
        return api_refuse(fault, PROTO_E_FULL, "", "the server's own options cannot be applied");
    }
    definition->origin = flock_options_origin(&options, definition->preset);
    definition->boids_max = creation->defaults->boids_max;
    if (flock->boids > creation->defaults->boids_max && creation->options.preset != OPTIONS_NONE) {
        api_refuse(fault, PROTO_E_RANGE, "preset",
                   "preset: %s has %u boids, more than the %u that a room may have here; "
                   "say boids, too",
                   definition->preset->name, flock->boids, creation->defaults->boids_max);
        fault->boids = true;
        return false;
    }
    if (flock->boids > creation->defaults->boids_max) {
        flock->boids = creation->defaults->boids_max;
    }
    if (flock->settings.update == FLOCK_SEQUENTIAL && flock->boids > SCENE_SEQUENTIAL_MAX) {
        return api_refuse(fault, PROTO_E_RANGE, "update",
                          "update: sequential allows at most %u boids, got %u",
                          SCENE_SEQUENTIAL_MAX, flock->boids);
    }
    return creation->parameters == NULL || set_parameters(creation, fault);
}

bool api_read_room(const char *body, size_t size, const struct api_defaults *defaults,
                   struct room_definition *definition, bool *listed, struct api_fault *fault)
{
    struct creation creation = {.definition = definition,
                                .options = FLOCK_OPTIONS_NONE,
                                .defaults = defaults,
                                .listed = listed};
    json_t *json = api_load(body, size, fault);
    bool good;

    if (json == NULL) {
        return false;
    }
    *definition = room_definition_default();
    definition->controls = defaults->controls;
    definition->title[0] = '\0';
    *listed = false;
    good =
        api_read_fields(json, room_fields, &creation, fault) && complete_creation(&creation, fault);
    json_decref(json);
    return good;
}
