#include "term/flock/schema.h"

#include <stdio.h>
#include <string.h>

enum { CODE_LENGTH = 6, CODE_HALF = 3 };

const struct proto_control *schema_control(const struct proto_room *room, const char *name)
{
    for (uint32_t i = 0; i < room->control_count; i++) {
        if (strcmp(room->controls[i].name, name) == 0) {
            return &room->controls[i];
        }
    }
    return NULL;
}

const struct proto_room_param *schema_param(const struct proto_room *room, const char *name)
{
    for (uint32_t i = 0; i < room->param_count; i++) {
        if (strcmp(room->params[i].name, name) == 0) {
            return &room->params[i];
        }
    }
    return NULL;
}

const struct proto_choice *schema_choice(const struct proto_control *control, const char *value)
{
    for (uint32_t i = 0; i < control->choice_count; i++) {
        if (strcmp(control->choices[i].value, value) == 0) {
            return &control->choices[i];
        }
    }
    return NULL;
}

const char *schema_value(const struct proto_room *room, const char *name)
{
    const struct proto_control *control = schema_control(room, name);
    return control != NULL ? control->value : "";
}

void schema_code(char *out, size_t capacity, const char *code)
{
    char canonical[PROTO_ROOM_MAX + 1];
    proto_room_canonical(code, canonical);
    if (strlen(canonical) == CODE_LENGTH) {
        snprintf(out, capacity, "%.*s %s", CODE_HALF, canonical, canonical + CODE_HALF);
    } else {
        snprintf(out, capacity, "%s", canonical);
    }
}

void schema_title(char *out, size_t capacity, const struct proto_room *room)
{
    if (room->title[0] != '\0') {
        snprintf(out, capacity, "%s", room->title);
    } else {
        schema_code(out, capacity, room->code);
    }
}
