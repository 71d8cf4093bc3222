/* Reading the body of a PATCH: changes to a room. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/api/api_field.h"
#include "scene/control.h"

#define CHANGES_MAX                                                                                \
    (6u + PROTO_CONTROLS_MAX +                                                                     \
     2 * PROTO_PARAMS_MAX) /* a parameter of a pair may need two messages */

struct patch {
    const struct flock_model *model; /* the room's model after the changes so far */
    struct hub_request *request;
};

static struct proto_client_message *add_message(const struct patch *change, enum proto_type type)
{
    struct proto_client_message *message =
        &change->request->messages[change->request->message_count++];

    *message = (struct proto_client_message){.type = type};
    return message;
}

static void add_set(const struct patch *change, const char *name, const char *value)
{
    struct proto_client_message *message = add_message(change, PROTO_SET);

    snprintf(message->set.name, sizeof message->set.name, "%s", name);
    snprintf(message->set.value, sizeof message->set.value, "%s", value);
}

static bool change_title(void *into, const char *name, const json_t *value, struct api_fault *fault)
{
    struct proto_client_message *message = add_message(into, PROTO_TITLE);

    if (!api_read_title(name, value, message->title.title, fault)) {
        return false;
    }
    return message->title.title[0] != '\0' || api_refuse_blank(name, fault);
}

static bool change_listed(void *into, const char *name, const json_t *value,
                          struct api_fault *fault)
{
    const struct patch *change = into;
    bool listed = false;

    if (!api_read_bool(name, value, &listed, fault)) {
        return false;
    }
    change->request->listed = listed;
    return true;
}

static bool change_join_key(void *into, const char *name, const json_t *value,
                            struct api_fault *fault)
{
    const struct patch *change = into;

    change->request->has_join_key = true;
    return api_read_key(name, value, change->request->join_key, fault);
}

static bool change_newcomers(void *into, const char *name, const json_t *value,
                             struct api_fault *fault)
{
    struct proto_client_message *message = add_message(into, PROTO_DOOR);

    return api_read_bool(name, value, &message->door.open, fault);
}

static bool change_naming(void *into, const char *name, const json_t *value,
                          struct api_fault *fault)
{
    struct proto_client_message *message = add_message(into, PROTO_NAMING);

    return api_read_bool(name, value, &message->naming.ask, fault);
}

static bool change_beside(void *into, const char *name, const json_t *value,
                          struct api_fault *fault)
{
    struct proto_client_message *message = add_message(into, PROTO_BESIDE);

    return api_read_code(name, value, message->beside.code, fault);
}

static bool change_attention(void *into, const char *name, const json_t *value,
                             struct api_fault *fault)
{
    struct proto_client_message *message = add_message(into, PROTO_ATTENTION);

    return api_read_attention(name, value, &message->attention.on, message->attention.text, fault);
}

static bool change_spotlight(void *into, const char *name, const json_t *value,
                             struct api_fault *fault)
{
    struct proto_client_message *message = add_message(into, PROTO_SPOTLIGHT);

    return api_read_id(name, value, &message->spotlight.id, fault);
}

static bool change_preset(void *into, const char *name, const json_t *value,
                          struct api_fault *fault)
{
    struct patch *change = into;
    unsigned index;

    if (!api_choose(name, value, &index, fault)) {
        return false;
    }
    change->model = flock_presets[index].settings.model;
    add_set(change, name, flock_preset_name(index));
    return true;
}

static bool change_model(void *into, const char *name, const json_t *value, struct api_fault *fault)
{
    struct patch *change = into;
    unsigned index;

    if (!api_choose(name, value, &index, fault)) {
        return false;
    }
    change->model = flock_models[index];
    add_set(change, name, flock_model_name(index));
    return true;
}

static bool change_control(void *into, const char *name, const json_t *value,
                           struct api_fault *fault)
{
    unsigned choice;

    if (!api_choose(name, value, &choice, fault)) {
        return false;
    }
    add_set(into, name, control_choice(name, choice));
    return true;
}

static void add_param(const struct patch *change, const char *name, float value)
{
    struct proto_client_message *message = add_message(change, PROTO_PARAM);

    snprintf(message->param.name, sizeof message->param.name, "%s", name);
    message->param.value = value;
}

/* Returns true if the object has both parameters of a pair, of which the index is the minimum. */
static bool is_paired(const struct flock_model *model, size_t index, json_t *object)
{
    bool least;
    int other = flock_param_pair(model, index, &least);

    return least && other >= 0 && json_object_get(object, model->params[other].name) != NULL;
}

static bool pairs_agree(const struct flock_model *model, json_t *object, struct api_fault *fault)
{
    char field[API_FIELD_MAX];
    bool least;

    for (size_t i = 0; i < model->param_count; i++) {
        const char *name = model->params[i].name;
        const json_t *value = json_object_get(object, name);
        int other = flock_param_pair(model, i, &least);
        if (value == NULL || !is_paired(model, i, object) ||
            json_number_value(value) <=
                json_number_value(json_object_get(object, model->params[other].name))) {
            continue;
        }
        snprintf(field, sizeof field, "parameters.%s", name);
        return api_refuse(fault, PROTO_E_RANGE, field, "%s: expected at most %s", field,
                          model->params[other].name);
    }
    return true;
}

/* If both parameters of a pair are given, writes the minimum twice: first out of the way, and last
 * with its value. So no order contradicts the values before. */
static void add_params(const struct patch *change, json_t *object)
{
    const struct flock_model *model = change->model;

    for (int pass = 0; pass < 3; pass++) {
        for (size_t i = 0; i < model->param_count; i++) {
            const struct flock_param *param = &model->params[i];
            const json_t *value = json_object_get(object, param->name);
            bool paired = value != NULL && is_paired(model, i, object);
            if (value == NULL || paired != (pass != 1)) {
                continue;
            }
            add_param(change, param->name,
                      pass == 0 ? param->min : (float)json_number_value(value));
        }
    }
}

static bool change_parameters(void *into, const char *name, const json_t *value,
                              struct api_fault *fault)
{
    const struct patch *change = into;
    json_t *object = (json_t *)value; /* as in api_read_fields() */

    if (!json_is_object(value)) {
        return api_refuse(fault, PROTO_E_MALFORMED, name,
                          "%s: expected an object of numbers by name", name);
    }
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        if (api_check_parameter(change->model, json_object_iter_key(at), json_object_iter_value(at),
                                fault) < 0) {
            return false;
        }
    }
    if (!pairs_agree(change->model, object, fault)) {
        return false;
    }
    add_params(change, object);
    return true;
}

/* The order of the changes. A preset sets the later fields, and never has too many boids for its
 * update order. It comes first because it may ask for more boids: see room_direct_all(). */
static const struct api_field change_fields[] = {
    {"preset", change_preset},
    {"update", change_control},
    {"model", change_model},
    {"boundary", change_control},
    {API_CONTROLS, change_control},
    {"parameters", change_parameters},
    {"spotlight", change_spotlight},
    {"beside", change_beside},
    {"attention", change_attention},
    {"title", change_title},
    {"listed", change_listed},
    {"join_key", change_join_key},
    {"newcomers", change_newcomers},
    {"naming", change_naming},
    {NULL, NULL},
};

struct hub_request *api_read_change(const char *body, size_t size, const char *model,
                                    struct api_fault *fault)
{
    struct patch change = {.model = flock_model_find(model)};
    json_t *json = api_load(body, size, fault);
    bool good;

    if (json == NULL) {
        return NULL;
    }
    change.request =
        calloc(1, sizeof *change.request + CHANGES_MAX * sizeof change.request->messages[0]);
    if (change.request == NULL) {
        api_refuse(fault, PROTO_E_FULL, "", "out of memory");
        json_decref(json);
        return NULL;
    }
    change.request->listed = -1;
    good = api_read_fields(json, change_fields, &change, fault);
    json_decref(json);
    if (!good) {
        free(change.request);
        return NULL;
    }
    return change.request;
}
