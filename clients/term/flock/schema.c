#include "term/flock/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CODE_LENGTH = 6, CODE_HALF = 3, WORD_LENGTH = 3 /* of "min" and "max" */ };

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

/* Returns the word's position in a name whose words are joined by '_', or NULL. */
static const char *find_word(const char *name, const char word[WORD_LENGTH + 1])
{
    const char *at = strstr(name, word);
    while (at != NULL &&
           ((at != name && at[-1] != '_') || (at[WORD_LENGTH] != '\0' && at[WORD_LENGTH] != '_'))) {
        at = strstr(at + 1, word);
    }
    return at;
}

/* Returns the parameter whose name has the other word instead of the first one, or NULL. */
static const struct proto_room_param *find_other(const struct proto_room *room, const char *name,
                                                 const char word[WORD_LENGTH + 1],
                                                 const char other[WORD_LENGTH + 1])
{
    char found[sizeof room->params[0].name];
    const char *at = find_word(name, word);
    if (at == NULL) {
        return NULL;
    }
    snprintf(found, sizeof found, "%.*s%s%s", (int)(at - name), name, other, at + WORD_LENGTH);
    return schema_param(room, found);
}

void schema_limits(const struct proto_room *room, const struct proto_room_param *param,
                   float *least, float *most)
{
    const struct proto_room_param *above = find_other(room, param->name, "min", "max");
    const struct proto_room_param *below = find_other(room, param->name, "max", "min");
    *least = below != NULL ? fmaxf(param->min, below->value) : param->min;
    *most = above != NULL ? fminf(param->max, above->value) : param->max;
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
