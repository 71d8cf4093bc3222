/* Writing the API's answers. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "net/api/api_choice.h"
#include "net/api/api_form.h"

#define READINGS 8u /* rooms that are read, in the time in which one is written */

/* Prints the JSON and releases it; takes NULL. */
static char *write_json(json_t *json)
{
    size_t size = json_dumpb(json, NULL, 0, JSON_COMPACT);
    char *text = size > 0 ? malloc(size + 2) : NULL;

    if (text != NULL) {
        json_dumpb(json, text, size, JSON_COMPACT);
        text[size] = '\n';
        text[size + 1] = '\0';
    }
    json_decref(json);
    return text;
}

/* Returns a JSON string. An error may quote a client's bytes, which may be invalid UTF-8 or cut
 * within a character: then all but printable ASCII becomes '?'. */
static json_t *text_of(const char *text)
{
    char ascii[API_TEXT_MAX];
    json_t *string = json_string(text);

    if (string != NULL) {
        return string;
    }
    snprintf(ascii, sizeof ascii, "%s", text);
    for (char *c = ascii; *c != '\0'; c++) {
        *c = *c >= ' ' && *c <= '~' ? *c : '?';
    }
    return json_string(ascii);
}

char *api_write_fault(const struct api_fault *fault)
{
    return write_json(json_pack("{s:{s:s, s:o, s:o}}", "error", "code",
                                proto_code_name(fault->code), "field", text_of(fault->field),
                                "message", text_of(fault->message)));
}

static void path_of(const struct directory_entry *entry, char path[PROTO_ROOM_MAX + 4])
{
    snprintf(path, PROTO_ROOM_MAX + 4, "/r/%s", entry->code);
}

static json_t *describe_room(const struct directory_entry *entry)
{
    const bool hidden = entry->locked && !entry->listed; /* its code alone does not show it */
    char path[PROTO_ROOM_MAX + 4];
    json_t *json;

    path_of(entry, path);
    json = json_pack("{s:s, s:s, s:s, s:I, s:I, s:b, s:s}", "code", entry->code, "title",
                     hidden ? "" : entry->title, "model", flock_model_name(entry->model), "people",
                     (json_int_t)entry->people, "boids", (json_int_t)entry->boids, "listed",
                     (int)entry->listed, "path", path);
    if (entry->preset != FLOCK_PRESET_NONE) {
        json_object_set_new(json, "preset", json_string(flock_preset_name(entry->preset)));
    }
    if (entry->locked) {
        json_object_set_new(json, "locked", json_true());
    }
    return json;
}

char *api_write_room(const struct directory_entry *entry)
{
    return write_json(describe_room(entry));
}

char *api_write_created(const struct directory_entry *entry, const char *key, const char *root)
{
    char path[PROTO_ROOM_MAX + 4];
    char address[512];
    json_t *json;

    path_of(entry, path);
    json = json_pack("{s:s, s:s, s:s}", "code", entry->code, "path", path, "key", key);
    snprintf(address, sizeof address, "%s%s", root, path);
    if (root[0] != '\0') {
        json_object_set_new(json, "address", json_string(address));
    }
    return write_json(json);
}

char *api_write_server(const char *public_url, const struct reach *reach)
{
    json_t *addresses = json_array();

    for (size_t i = 0; i < reach->count; i++) {
        json_array_append_new(addresses, json_string(reach->addresses[i]));
    }
    return write_json(json_pack("{s:s, s:s, s:o}", "version", FLOCKD_VERSION, "public_url",
                                public_url, "addresses", addresses));
}

char *api_write_rooms(const struct api_source *source, const char *create, uint32_t *cost)
{
    struct api_choice choice;
    json_t *rooms;
    json_t *presets;

    if (!api_choice_make(source, &choice)) {
        return NULL;
    }
    *cost = choice.count + choice.listed / READINGS;
    rooms = json_array();
    for (uint32_t i = 0; i < choice.count; i++) {
        json_array_append_new(rooms, describe_room(&choice.picks[i].entry));
    }
    api_choice_free(&choice);
    presets = json_array();
    for (size_t i = 0; flock_presets[i].name != NULL; i++) {
        json_array_append_new(presets, json_pack("{s:s, s:s}", "name", flock_presets[i].name,
                                                 "text", flock_presets[i].text));
    }
    return write_json(
        json_pack("{s:o, s:s, s:o}", "rooms", rooms, "create", create, "presets", presets));
}
