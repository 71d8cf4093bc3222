#include "term/net/listing.h"

#include "term/flock/schema.h"
#include "term/texts/texts.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Returns the text of a member, or "". */
static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

static long count_of(const json_t *object, const char *name)
{
    return (long)json_integer_value(json_object_get(object, name));
}

/* Writes a room's preset, people, boids and lock. */
static void describe_room(struct term_listed *room, const json_t *object)
{
    const char *preset = text_of(object, "preset");
    char part[TERM_LISTING_NOTE];
    snprintf(room->note, sizeof room->note, "%.64s",
             preset[0] != '\0' ? texts_choice("preset", preset)
                               : texts_choice("model", text_of(object, "model")));
    texts_fill(part, sizeof part, TEXT_PEOPLE, texts_plain(count_of(object, "people")).digits);
    texts_append(room->note, sizeof room->note, TEXT_LIST, part);
    texts_fill(part, sizeof part, TEXT_BOIDS, texts_plain(count_of(object, "boids")).digits);
    texts_append(room->note, sizeof room->note, TEXT_LIST, part);
    if (json_is_true(json_object_get(object, "locked"))) {
        texts_append(room->note, sizeof room->note, TEXT_LIST, texts_get(TEXT_LOCKED));
    }
}

static void read_room(struct term_listed *room, const json_t *object)
{
    const char *title = text_of(object, "title");
    snprintf(room->code, sizeof room->code, "%s", text_of(object, "code"));
    if (title[0] != '\0') {
        snprintf(room->title, sizeof room->title, "%s", title);
    } else {
        schema_code(room->title, sizeof room->title, room->code);
    }
    describe_room(room, object);
}

static void read_rooms(struct term_listing *listing, const json_t *rooms)
{
    size_t index = 0;
    const json_t *object = NULL;
    listing->room_count = 0;
    json_array_foreach(rooms, index, object)
    {
        if (listing->room_count < TERM_LISTING_ROOMS && proto_room_valid(text_of(object, "code"))) {
            read_room(&listing->rooms[listing->room_count++], object);
        }
    }
}

static void read_presets(struct term_listing *listing, const json_t *presets)
{
    size_t index = 0;
    const json_t *object = NULL;
    listing->preset_count = 0;
    json_array_foreach(presets, index, object)
    {
        const char *name = text_of(object, "name");
        if (listing->preset_count < TERM_LISTING_PRESETS && name[0] != '\0' &&
            strlen(name) <= PROTO_VALUE_MAX) {
            struct proto_choice *preset = &listing->presets[listing->preset_count++];
            snprintf(preset->value, sizeof preset->value, "%s", name);
            snprintf(preset->text, sizeof preset->text, "%s", text_of(object, "text"));
        }
    }
}

bool term_listing_read(struct term_listing *listing, const char *json)
{
    json_t *answer = json_loads(json, 0, NULL);
    const json_t *rooms = json_object_get(answer, "rooms");
    bool valid = json_is_array(rooms);
    if (valid) {
        read_rooms(listing, rooms);
        read_presets(listing, json_object_get(answer, "presets"));
        listing->may_create = strcmp(text_of(answer, "create"), "open") == 0;
        listing->known = true;
    }
    json_decref(answer);
    return valid;
}

void term_listing_ask(char *out, size_t capacity, const char *preset)
{
    json_t *body = preset[0] != '\0' ? json_pack("{s:s}", "preset", preset) : json_object();
    char *text = body != NULL ? json_dumps(body, JSON_COMPACT) : NULL;
    snprintf(out, capacity, "%s", text != NULL ? text : "{}");
    free(text);
    json_decref(body);
}

bool term_listing_made(const char *json, char code[PROTO_ROOM_MAX + 1], char key[PROTO_KEY_MAX + 1])
{
    json_t *answer = json_loads(json, 0, NULL);
    const char *made = text_of(answer, "code");
    const char *its_key = text_of(answer, "key");
    bool valid = made[0] != '\0' && proto_room_valid(made) && strlen(its_key) <= PROTO_KEY_MAX;
    if (valid) {
        snprintf(code, PROTO_ROOM_MAX + 1, "%s", made);
        snprintf(key, PROTO_KEY_MAX + 1, "%s", its_key);
    }
    json_decref(answer);
    return valid;
}

bool term_listing_refusal(const char *json, char *out, size_t capacity)
{
    json_t *answer = json_loads(json, 0, NULL);
    const json_t *error = json_object_get(answer, "error");
    const char *message = text_of(json_is_object(error) ? error : answer, "message");
    bool any = message[0] != '\0';
    if (any) {
        snprintf(out, capacity, "%s", message);
    }
    json_decref(answer);
    return any;
}
