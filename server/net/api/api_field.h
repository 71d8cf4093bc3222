/* What the bodies of POST and PATCH have in common: objects of fields that are known, and what
 * their values may be. For the API's own files (api_form.h). Whatever returns false has filled
 * *fault. */
#ifndef API_FIELD_H
#define API_FIELD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "net/api/api_form.h"

/* A key that the object of a body may have. */
struct api_field {
    const char *name;
    bool (*read)(void *into, const char *name, const json_t *value, struct api_fault *fault);
};

/* The object that the body is, to be released. NULL: it is none. */
json_t *api_load(const char *body, size_t size, struct api_fault *fault);

/* Reads the object's values in the order of the fields, of which the last has no name. */
bool api_read_fields(const json_t *json, const struct api_field *fields, void *into,
                     struct api_fault *fault);

/* A title, which may be empty. */
bool api_read_title(const char *name, const json_t *value, char title[PROTO_TITLE_MAX + 1],
                    struct api_fault *fault);
bool api_refuse_blank(const char *name, struct api_fault *fault);

/* A call for attention: a sentence, which may be empty; null: *on is false. */
bool api_read_attention(const char *name, const json_t *value, bool *on,
                        char text[PROTO_TEXT_MAX + 1], struct api_fault *fault);

/* A person's id; 0, as null: nobody's. */
bool api_read_id(const char *name, const json_t *value, uint32_t *id, struct api_fault *fault);
bool api_read_bool(const char *name, const json_t *value, bool *into, struct api_fault *fault);

/* A join key; "", or null, is none. */
bool api_read_key(const char *name, const json_t *value, char key[PROTO_KEY_MAX + 1],
                  struct api_fault *fault);

/* Reads one of some names: name_of(0), name_of(1), and so on, until that is NULL. *index: which
 * one it is. */
bool api_choose(const char *name, const json_t *value, const char *(*name_of)(size_t),
                unsigned *index, struct api_fault *fault);

/* Whether each least value is at most its greatest, of all values of the model. */
bool api_check_pairs(const struct flock_model *model, const float *params, struct api_fault *fault);

/* The index of the model's parameter of that name; -1, with *fault filled: there is none, or the
 * value is not one of it. */
int api_check_parameter(const struct flock_model *model, const char *name, const json_t *value,
                        struct api_fault *fault);

#endif
