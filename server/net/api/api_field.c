#include "net/api/api_field.h"

#include <stdio.h>
#include <string.h>

#include "scene/names.h"
#include "text.h"

#define JOIN_KEY_MIN 4u
#define BODY_VALUES  128u /* of a body: more than all fields, controls and parameters */
#define BODY_LEVELS  8u   /* arrays and objects in each other */

/* Appends a word to the list that ends a message. */
static void append_word(struct api_fault *fault, bool first, const char *word)
{
    size_t length = strlen(fault->message);

    snprintf(fault->message + length, sizeof fault->message - length, "%s %s", first ? "" : ",",
             word);
}

void api_explain(const struct proto_error *error, struct api_fault *fault)
{
    char field[API_FIELD_MAX];
    const char *rest = strchr(error->message, ':');

    if ((error->type == PROTO_SPOTLIGHT || error->type == PROTO_BESIDE) && rest != NULL) {
        /* the messages call their fields id and code */
        const char *name = proto_type_name(error->type);
        api_refuse(fault, error->code, name, "%s%s", name, rest);
        return;
    }
    snprintf(field, sizeof field, "%s%s", error->type == PROTO_PARAM ? "parameters." : "",
             error->name[0] != '\0' ? error->name : error->field);
    api_refuse(fault, error->code, field, "%s", error->message);
}

/* ---- objects ---- */

/* Refuses a body with too many values, without reading them: that would take 0.3 ms. */
static bool has_few_values(const char *body, size_t size, struct api_fault *fault)
{
    bool text = false; /* between quotation marks */
    size_t values = 1, levels = 0;

    for (size_t i = 0; i < size && values <= BODY_VALUES && levels <= BODY_LEVELS; i++) {
        if (text && body[i] == '\\') {
            i++;
        } else if (body[i] == '"') {
            text = !text;
        } else if (!text) {
            values += body[i] == ',';
            levels += body[i] == '[' || body[i] == '{';
            levels -= levels > 0 && (body[i] == ']' || body[i] == '}');
        }
    }
    if (levels > BODY_LEVELS) {
        return api_refuse(fault, PROTO_E_MALFORMED, "",
                          "expected a JSON object with at most %u levels", BODY_LEVELS);
    }
    return values <= BODY_VALUES ||
           api_refuse(fault, PROTO_E_MALFORMED, "", "expected a JSON object with at most %u values",
                      BODY_VALUES);
}

json_t *api_load(const char *body, size_t size, struct api_fault *fault)
{
    json_error_t error;
    json_t *json;

    if (!has_few_values(body, size, fault)) {
        return NULL;
    }
    json =
        json_loadb(body, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (json == NULL) {
        api_refuse(fault, PROTO_E_MALFORMED, "", "line %d, column %d: JSON expected: %s",
                   error.line, error.column, error.text);
    } else if (!json_is_object(json)) {
        api_refuse(fault, PROTO_E_MALFORMED, "", "expected a JSON object, such as {}");
        json_decref(json);
        json = NULL;
    }
    return json;
}

/* A walk over the names of fields. */
struct walk {
    const struct api_field *field;
    size_t control;
};

/* Returns the next name and stores its field; NULL after the last. */
static const char *next_name(struct walk *walk, const struct api_field **field)
{
    while (walk->field->name != NULL && strcmp(walk->field->name, API_CONTROLS) == 0) {
        const char *name = control_name(walk->control++);
        *field = walk->field;
        if (name != NULL) {
            return name;
        }
        *walk = (struct walk){.field = walk->field + 1};
    }
    *field = walk->field;
    return walk->field->name != NULL ? walk->field++->name : NULL;
}

static bool is_known(const struct api_field *fields, const char *name)
{
    struct walk walk = {.field = fields};
    const struct api_field *field;
    const char *known = next_name(&walk, &field);

    while (known != NULL && strcmp(known, name) != 0) {
        known = next_name(&walk, &field);
    }
    return known != NULL;
}

static bool refuse_unknown(const struct api_field *fields, const char *name,
                           struct api_fault *fault)
{
    struct walk walk = {.field = fields};
    const struct api_field *field;
    const char *known;

    api_refuse(fault, PROTO_E_MALFORMED, name, "%.60s: unknown; expected some of", name);
    for (bool first = true; (known = next_name(&walk, &field)) != NULL; first = false) {
        append_word(fault, first, known);
    }
    return false;
}

bool api_read_fields(const json_t *json, const struct api_field *fields, void *into,
                     struct api_fault *fault)
{
    json_t *object = (json_t *)json; /* json_object_iter() needs it, and does not change it */
    struct walk walk = {.field = fields};
    const struct api_field *field;
    const char *name;

    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        if (!is_known(fields, json_object_iter_key(at))) {
            return refuse_unknown(fields, json_object_iter_key(at), fault);
        }
    }
    while ((name = next_name(&walk, &field)) != NULL) {
        const json_t *value = json_object_get(json, name);
        if (value != NULL && !field->read(into, name, value, fault)) {
            return false;
        }
    }
    return true;
}

/* Returns a string without NUL, or NULL. */
static const char *text_in(const json_t *value)
{
    const char *text = json_string_value(value);

    return text != NULL && strlen(text) == json_string_length(value) ? text : NULL;
}

bool api_refuse_blank(const char *name, struct api_fault *fault)
{
    return api_refuse(fault, PROTO_E_RANGE, name, "%s: expected at least one visible character",
                      name);
}

bool api_read_title(const char *name, const json_t *value, char title[PROTO_TITLE_MAX + 1],
                    struct api_fault *fault)
{
    const char *text = text_in(value);

    if (text == NULL || !proto_title_valid(text)) {
        return api_refuse(fault, text == NULL ? PROTO_E_MALFORMED : PROTO_E_RANGE, name,
                          "%s: expected a string of at most %u bytes without control characters",
                          name, PROTO_TITLE_MAX);
    }
    snprintf(title, PROTO_TITLE_MAX + 1, "%s", text);
    return text[0] == '\0' || !names_blank(text) || api_refuse_blank(name, fault);
}

bool api_read_attention(const char *name, const json_t *value, bool *on,
                        char text[PROTO_TEXT_MAX + 1], struct api_fault *fault)
{
    const char *given = json_is_null(value) ? "" : text_in(value);

    if (given == NULL || !proto_sentence_valid(given)) {
        return api_refuse(fault, given == NULL ? PROTO_E_MALFORMED : PROTO_E_RANGE, name,
                          "%s: expected null, or a string of at most %u bytes without control "
                          "characters",
                          name, PROTO_TEXT_MAX);
    }
    *on = !json_is_null(value);
    snprintf(text, PROTO_TEXT_MAX + 1, "%s", given);
    return given[0] == '\0' || !names_blank(given) || api_refuse_blank(name, fault);
}

bool api_read_code(const char *name, const json_t *value, char code[PROTO_ROOM_MAX + 1],
                   struct api_fault *fault)
{
    const char *given = text_in(value);
    const size_t size = given != NULL ? strlen(given) : 0;

    if (!json_is_null(value) && (size == 0 || size > PROTO_ROOM_MAX)) {
        return api_refuse(fault, given == NULL ? PROTO_E_MALFORMED : PROTO_E_RANGE, name,
                          "%s: expected null, or the code of a room", name);
    }
    snprintf(code, PROTO_ROOM_MAX + 1, "%s", given != NULL ? given : "");
    return true;
}

bool api_read_id(const char *name, const json_t *value, uint32_t *id, struct api_fault *fault)
{
    const json_int_t given = json_integer_value(value); /* 0 of null */

    if ((!json_is_null(value) && !json_is_integer(value)) || given < 0 || given > UINT32_MAX) {
        return api_refuse(fault, json_is_integer(value) ? PROTO_E_RANGE : PROTO_E_MALFORMED, name,
                          "%s: expected null, or a whole number from 0 to %u", name, UINT32_MAX);
    }
    *id = (uint32_t)given;
    return true;
}

bool api_read_bool(const char *name, const json_t *value, bool *into, struct api_fault *fault)
{
    if (!json_is_boolean(value)) {
        return api_refuse(fault, PROTO_E_MALFORMED, name, "%s: expected true or false", name);
    }
    *into = json_is_true(value);
    return true;
}

bool api_read_key(const char *name, const json_t *value, char key[PROTO_KEY_MAX + 1],
                  struct api_fault *fault)
{
    const char *text = text_in(value);
    const size_t size = text != NULL ? strlen(text) : 0;

    if (!json_is_null(value) &&
        (size < JOIN_KEY_MIN || size > PROTO_KEY_MAX || !text_is_word(text, size, "-"))) {
        return api_refuse(fault, text == NULL ? PROTO_E_MALFORMED : PROTO_E_RANGE, name,
                          "%s: expected null, or a string of %u to %u of a-z, 0-9 and -", name,
                          JOIN_KEY_MIN, PROTO_KEY_MAX);
    }
    snprintf(key, PROTO_KEY_MAX + 1, "%s", text != NULL ? text : "");
    return true;
}

/* ---- choices ---- */

bool api_choose(const char *name, const json_t *value, unsigned *index, struct api_fault *fault)
{
    const char *text = text_in(value);
    const char *each;

    for (*index = 0; text != NULL && (each = control_choice(name, *index)) != NULL; (*index)++) {
        if (strcmp(each, text) == 0) {
            return true;
        }
    }
    api_refuse(fault, text == NULL ? PROTO_E_MALFORMED : PROTO_E_RANGE, name, "%s: expected one of",
               name);
    for (size_t i = 0; (each = control_choice(name, i)) != NULL; i++) {
        if (control_offers(name, i)) {
            append_word(fault, i == 0, each);
        }
    }
    return false;
}

/* ---- parameters ---- */

static bool refuse_parameter(const struct flock_model *model, const char *name,
                             struct api_fault *fault)
{
    char field[API_FIELD_MAX];

    snprintf(field, sizeof field, "parameters.%s", name);
    api_refuse(fault, PROTO_E_RANGE, field, "%s: no parameter of the model %s, which has", field,
               model->name);
    for (size_t i = 0; i < model->param_count; i++) {
        append_word(fault, i == 0, model->params[i].name);
    }
    return false;
}

/* Returns the index of the model's parameter of that name; -1 if the name or the value is wrong. */
int api_check_parameter(const struct flock_model *model, const char *name, const json_t *value,
                        struct api_fault *fault)
{
    int index = flock_param_find(model, name);
    const struct flock_param *param;
    char field[API_FIELD_MAX];

    if (index < 0) {
        refuse_parameter(model, name, fault);
        return -1;
    }
    param = &model->params[index];
    if (json_is_number(value) && (float)json_number_value(value) >= param->min &&
        (float)json_number_value(value) <= param->max) {
        return index;
    }
    snprintf(field, sizeof field, "parameters.%s", name);
    api_refuse(fault, json_is_number(value) ? PROTO_E_RANGE : PROTO_E_MALFORMED, field,
               "%s: expected a number from %g to %g", field, (double)param->min,
               (double)param->max);
    return -1;
}

bool api_check_pairs(const struct flock_settings *settings, struct api_fault *fault)
{
    const struct flock_model *model = settings->model;
    const float *params = settings->params;
    int index = flock_params_contradict(model, params);
    char field[API_FIELD_MAX];
    bool least;

    if (index < 0) {
        return true;
    }
    int other = flock_param_pair(model, (size_t)index, &least);
    snprintf(field, sizeof field, "parameters.%s", model->params[index].name);
    return api_refuse(fault, PROTO_E_RANGE, field, "%s: expected at most %s, which is %g", field,
                      model->params[other].name, (double)params[other]);
}
