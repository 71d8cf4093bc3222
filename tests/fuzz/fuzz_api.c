/* Bodies of the API. An odd first byte: a PATCH; 254: the arguments in the address of a POST, one
 * per line; other values: a POST. An accepted body must make a room. A refused body must have an
 * error in JSON that names the fault. */
#include "fuzz.h"

#include "config/flock_options.h"
#include "net/api/api_form.h"

#include <jansson.h>

static void check_fault(const struct api_fault *fault)
{
    FUZZ_REQUIRE(fault->code != PROTO_OK);
    FUZZ_REQUIRE(memchr(fault->field, '\0', sizeof fault->field) != NULL);
    FUZZ_REQUIRE(memchr(fault->message, '\0', sizeof fault->message) != NULL);
    FUZZ_REQUIRE(strlen(fault->message) > 10);
    char *text = api_write_fault(fault);
    FUZZ_REQUIRE(text != NULL);
    json_t *json = json_loads(text, 0, NULL);
    FUZZ_REQUIRE(json_is_object(json_object_get(json, "error")));
    json_decref(json);
    free(text);
}

/* Checks that a client could have sent the messages: encodes and decodes them. */
static void check_change(const struct hub_request *change)
{
    static struct proto_decoder *decoder;
    if (decoder == NULL) {
        decoder = proto_decoder_create();
        FUZZ_REQUIRE(decoder != NULL);
    }
    FUZZ_REQUIRE(change->key[0] == '\0' && !change->end);
    FUZZ_REQUIRE(change->listed >= -1 && change->listed <= 1);
    for (uint32_t i = 0; i < change->message_count; i++) {
        uint8_t bytes[PROTO_MESSAGE_MAX];
        struct proto_client_message message;
        struct proto_error error;
        size_t size = proto_encode_client(bytes, sizeof bytes, &change->messages[i]);
        FUZZ_REQUIRE(size > 0);
        FUZZ_REQUIRE(proto_decode_client(decoder, bytes, size, &message, &error) == PROTO_OK);
        FUZZ_REQUIRE(message.type == change->messages[i].type);
    }
}

/* Checks that a flock can be made from it, with few boids for speed. */
static void check_room(const struct room_definition *room)
{
    FUZZ_REQUIRE(room->flock.boids >= 1 && room->flock.boids <= 5000);
    FUZZ_REQUIRE(memchr(room->title, '\0', sizeof room->title) != NULL);
    FUZZ_REQUIRE(room->title[0] == '\0' || proto_title_valid(room->title));
    struct flock_definition definition = room->flock;
    definition.boids = 2;
    struct flock *flock = flock_create(&definition);
    FUZZ_REQUIRE(flock != NULL);
    for (size_t i = 0; i < definition.settings.model->param_count; i++) {
        const struct flock_param *param = &definition.settings.model->params[i];
        FUZZ_REQUIRE(room->flock.settings.params[i] >= param->min &&
                     room->flock.settings.params[i] <= param->max);
    }
    flock_destroy(flock);
}

/* Tries the part of an address after '?', with one argument per line. */
static void try_arguments(char *text)
{
    const char *arguments[8];
    struct room_definition room = room_definition_default();
    struct api_fault fault;
    size_t count = 0;
    bool listed = true;

    memset(&fault, 0x5A, sizeof fault);
    for (char *line = text; line != NULL && count < 8;) {
        char *end = strchr(line, '\n');
        if (end != NULL) {
            *end++ = '\0';
        }
        arguments[count++] = line;
        line = end;
    }
    if (!api_read_arguments(arguments, count, &room, &listed, &fault)) {
        check_fault(&fault);
        return;
    }
    FUZZ_REQUIRE(memchr(room.title, '\0', sizeof room.title) != NULL);
    FUZZ_REQUIRE(room.title[0] == '\0' || proto_title_valid(room.title));
    FUZZ_REQUIRE(memchr(room.join_key, '\0', sizeof room.join_key) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct flock_options none = FLOCK_OPTIONS_NONE;
    static const char *const models[] = {"swarm", "boids", "vision", "birds", "steering"};
    const struct api_defaults defaults = {.flock = &none, .boids_max = 5000};
    struct api_fault fault;
    if (size < 1) {
        return 0;
    }
    char *body = (char *)fuzz_copy(data + 1, size - 1);
    memset(&fault, 0x5A, sizeof fault);
    if (data[0] == 254) {
        char *text = calloc(1, size);
        FUZZ_REQUIRE(text != NULL);
        memcpy(text, body, size - 1);
        try_arguments(text);
        free(text);
    } else if (data[0] % 2 == 0) {
        struct room_definition room = room_definition_default();
        bool listed = false;
        if (api_read_room(body, size - 1, &defaults, &room, &listed, &fault)) {
            check_room(&room);
        } else {
            check_fault(&fault);
        }
    } else {
        struct hub_request *change =
            api_read_change(body, size - 1, models[data[0] / 2 % 5], &fault);
        if (change != NULL) {
            check_change(change);
        } else {
            check_fault(&fault);
        }
        free(change);
    }
    free(body);
    return 0;
}
