/* Reading the address of a POST of a new room whose body is a recording. */
#include <stdio.h>
#include <string.h>

#include "net/api/api_field.h"

struct arguments {
    struct room_definition *definition;
    bool *listed;
};

static bool read_title(void *into, const char *name, const json_t *value, struct api_fault *fault)
{
    struct arguments *arguments = into;

    return api_read_title(name, value, arguments->definition->title, fault);
}

static bool read_listed(void *into, const char *name, const json_t *value, struct api_fault *fault)
{
    struct arguments *arguments = into;
    const char *text = json_string_value(value);

    *arguments->listed = strcmp(text, "true") == 0;
    return *arguments->listed || strcmp(text, "false") == 0 ||
           api_refuse(fault, PROTO_E_MALFORMED, name, "%s: expected true or false", name);
}

static bool read_join_key(void *into, const char *name, const json_t *value,
                          struct api_fault *fault)
{
    struct arguments *arguments = into;

    return api_read_key(name, value, arguments->definition->join_key, fault);
}

static const struct api_field fields[] = {
    {"title", read_title},
    {"listed", read_listed},
    {"join_key", read_join_key},
    {NULL, NULL},
};

/* Adds name=value to the object of strings. */
static bool add_argument(json_t *object, const char *argument, struct api_fault *fault)
{
    size_t length = strcspn(argument, "=");
    json_t *value = argument[length] == '=' ? json_string(argument + length + 1) : NULL;
    char name[API_FIELD_MAX];

    snprintf(name, sizeof name, "%.*s", (int)length, argument);
    if (length >= sizeof name || json_object_get(object, name) != NULL) {
        json_decref(value);
        value = NULL;
    }
    if (value == NULL || json_object_set_new(object, name, value) != 0) {
        return api_refuse(fault, PROTO_E_MALFORMED, "",
                          "expected the address to end in ?name=value&…, in UTF-8, each name once");
    }
    return true;
}

bool api_read_arguments(const char *const *arguments, size_t count,
                        struct room_definition *definition, bool *listed, struct api_fault *fault)
{
    struct arguments into = {.definition = definition, .listed = listed};
    json_t *object = json_object();
    bool good = true;

    *listed = false;
    for (size_t i = 0; i < count && good; i++) {
        good = add_argument(object, arguments[i], fault);
    }
    good = good && api_read_fields(object, fields, &into, fault);
    json_decref(object);
    return good;
}
