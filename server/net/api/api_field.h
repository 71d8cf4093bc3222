/* Reading the JSON bodies of POST and PATCH: objects with known fields, and the limits of their
 * values. For the API's own files (api_form.h). A function that returns false has filled *fault. */
#ifndef API_FIELD_H
#define API_FIELD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "net/api/api_form.h"

/* A field that the object of a body may have. API_CONTROLS stands for each control_name(). */
#define API_CONTROLS ""
struct api_field {
    const char *name;
    bool (*read)(void *into, const char *name, const json_t *value, struct api_fault *fault);
};

/* Returns the body's JSON object, to be released, or NULL if the body is not an object. */
json_t *api_load(const char *body, size_t size, struct api_fault *fault);

/* Reads the object's values in the order of the fields; the last one has no name. */
bool api_read_fields(const json_t *json, const struct api_field *fields, void *into,
                     struct api_fault *fault);

/* Reads a title, which may be empty. */
bool api_read_title(const char *name, const json_t *value, char title[PROTO_TITLE_MAX + 1],
                    struct api_fault *fault);
bool api_refuse_blank(const char *name, struct api_fault *fault);

/* Reads a call for attention: a sentence, which may be empty. null sets *on to false. */
bool api_read_attention(const char *name, const json_t *value, bool *on,
                        char text[PROTO_TEXT_MAX + 1], struct api_fault *fault);

/* Reads the code of another room; null: "". The room checks that it can be one. */
bool api_read_code(const char *name, const json_t *value, char code[PROTO_ROOM_MAX + 1],
                   struct api_fault *fault);

/* Reads a member's id; 0 or null: no member. */
bool api_read_id(const char *name, const json_t *value, uint32_t *id, struct api_fault *fault);
bool api_read_bool(const char *name, const json_t *value, bool *into, struct api_fault *fault);

/* Reads a join key; null: "", no key. */
bool api_read_key(const char *name, const json_t *value, char key[PROTO_KEY_MAX + 1],
                  struct api_fault *fault);

/* Reads a choice of the control of that name, which every room offers. Stores its index. */
bool api_choose(const char *name, const json_t *value, unsigned *index, struct api_fault *fault);

/* Returns true if each minimum is at most its maximum, in all values of the model. */
bool api_check_pairs(const struct flock_settings *settings, struct api_fault *fault);

/* Returns the index of the model's parameter of that name; -1, with *fault filled, if the name or
 * the value is wrong. */
int api_check_parameter(const struct flock_model *model, const char *name, const json_t *value,
                        struct api_fault *fault);

#endif
