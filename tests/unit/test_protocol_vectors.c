/* The vectors that all clients share (protocol/vectors), and the bytes that PROTOCOL.md shows. Run
 * from the repository's root. Reads JSON with cJSON (Debian: libcjson-dev). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "protocol.h"

#include "../fuzz/encode.h"
#include "vectors.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cJSON *vectors;
static struct proto_decoder *decoder;

static int setup(void **state)
{
    (void)state;
    vectors = read_vectors();
    decoder = proto_decoder_create();
    return vectors == NULL || decoder == NULL;
}

static int teardown(void **state)
{
    (void)state;
    cJSON_Delete(vectors);
    proto_decoder_destroy(decoder);
    return 0;
}

static void add_text(cJSON *json, const char *key, const char *text)
{
    assert_non_null(cJSON_AddStringToObject(json, key, text));
}

static void add_number(cJSON *json, const char *key, double number)
{
    assert_non_null(cJSON_AddNumberToObject(json, key, number));
}

static void add_uint(cJSON *json, const char *key, uint64_t value)
{
    char digits[24];

    if (value < UINT64_C(1) << 53) {
        add_number(json, key, (double)value);
    } else {
        (void)snprintf(digits, sizeof digits, "%" PRIu64, value);
        add_text(json, key, digits);
    }
}

static void add_hex(cJSON *json, const char *key, const uint8_t *bytes, size_t size)
{
    char hex[2 * 64 + 1] = "";

    assert_true(2 * size < sizeof hex);
    for (size_t i = 0; i < size; i++) {
        (void)snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    }
    add_text(json, key, hex);
}

static cJSON *add_list(cJSON *json, const char *key)
{
    cJSON *list = cJSON_AddArrayToObject(json, key);

    assert_non_null(list);
    return list;
}

static cJSON *begin(const char *type)
{
    cJSON *json = cJSON_CreateObject();

    assert_non_null(json);
    add_text(json, "type", type);
    return json;
}

static void add_control_fields(cJSON *json, const struct proto_client_message *m)
{
    switch (m->type) {
    case PROTO_KEY:
        add_text(json, "key", m->key.key);
        break;
    case PROTO_SET:
        add_text(json, "name", m->set.name);
        add_text(json, "value", m->set.value);
        break;
    case PROTO_PARAM:
        add_text(json, "name", m->param.name);
        add_number(json, "value", m->param.value);
        break;
    case PROTO_ADD:
        add_number(json, "x", m->add.x);
        add_number(json, "y", m->add.y);
        add_number(json, "count", m->add.count);
        break;
    case PROTO_REMOVE:
        add_number(json, "count", m->remove.count);
        break;
    case PROTO_WANT:
        add_number(json, "rate", m->want.rate);
        add_number(json, "boids", m->want.boids);
        break;
    default:
        break;
    }
}

static cJSON *client_json(const struct proto_client_message *m)
{
    static const char *const names[] = {"",       "hello", "cursor", "away",  "ping",
                                        "name",   "key",   "set",    "param", "add",
                                        "remove", "reset", "step",   "want"};
    cJSON *json = begin(names[m->type]);

    switch (m->type) {
    case PROTO_HELLO:
        add_number(json, "version", m->hello.version);
        add_text(json, "room", m->hello.room);
        add_text(json, "name", m->hello.name);
        cJSON *encodings = add_list(json, "encodings");
        for (uint32_t i = 0; i < m->hello.encoding_count; i++) {
            cJSON_AddItemToArray(encodings, cJSON_CreateString(m->hello.encodings[i]));
        }
        add_number(json, "rate", m->hello.rate);
        if (m->hello.has_token) {
            add_hex(json, "token", m->hello.token, PROTO_TOKEN_SIZE);
        } else {
            assert_non_null(cJSON_AddNullToObject(json, "token"));
        }
        break;
    case PROTO_CURSOR:
        add_number(json, "x", m->cursor.x);
        add_number(json, "y", m->cursor.y);
        break;
    case PROTO_PING:
        add_uint(json, "t", m->ping.t);
        break;
    case PROTO_NAME:
        add_text(json, "name", m->name.name);
        break;
    default:
        add_control_fields(json, m);
        break;
    }
    return json;
}

static cJSON *list_of_texts(const char *first, const char *second)
{
    return cJSON_CreateStringArray((const char *const[]){first, second}, 2);
}

/* The keys that are there when what they say is. */
static void add_controls(cJSON *json, const struct proto_room *room)
{
    if (room->wall_count > 0) {
        cJSON *walls = add_list(json, "walls");
        for (uint32_t i = 0; i < room->wall_count; i++) {
            const struct proto_wall *w = &room->walls[i];
            cJSON_AddItemToArray(
                walls, cJSON_CreateFloatArray((const float[]){w->x1, w->y1, w->x2, w->y2}, 4));
        }
    }
    if (room->control_count == 0) {
        return;
    }
    add_number(json, "boids_max", room->boids_max);
    cJSON *controls = add_list(json, "controls");
    for (uint32_t i = 0; i < room->control_count; i++) {
        const struct proto_control *c = &room->controls[i];
        cJSON *list = list_of_texts(c->name, c->value);
        cJSON *choices = cJSON_CreateArray();
        for (uint32_t j = 0; j < c->choice_count; j++) {
            cJSON_AddItemToArray(choices, list_of_texts(c->choices[j].value, c->choices[j].text));
        }
        cJSON_AddItemToArray(list, choices);
        cJSON_AddItemToArray(list, cJSON_CreateString(c->text));
        cJSON_AddItemToArray(controls, list);
    }
}

static void add_role(cJSON *json, enum proto_role role)
{
    add_text(json, "role", role == PROTO_PRESENTER ? "presenter" : "viewer");
}

static void add_room(cJSON *json, const struct proto_room *room)
{
    add_text(json, "name", room->name);
    add_text(json, "model", room->model);
    add_text(json, "boundary", room->boundary);
    cJSON_AddItemToObject(json, "world",
                          cJSON_CreateFloatArray((const float[]){room->width, room->height}, 2));
    add_number(json, "quantum", room->quantum);
    add_number(json, "tick_rate", room->tick_rate);
    add_number(json, "snapshot_rate", room->snapshot_rate);
    add_text(json, "policy", room->policy);
    add_text(json, "idle", room->idle);
    cJSON *params = add_list(json, "params");
    for (uint32_t i = 0; i < room->param_count; i++) {
        const struct proto_param *p = &room->params[i];
        cJSON *list = cJSON_CreateArray();
        cJSON_AddItemToArray(list, cJSON_CreateString(p->name));
        cJSON_AddItemToArray(list, cJSON_CreateString(p->unit));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(p->min));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(p->max));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(p->initial));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(p->value));
        cJSON_AddItemToArray(list, cJSON_CreateString(p->text));
        cJSON_AddItemToArray(params, list);
    }
    add_controls(json, room);
}

static void add_welcome(cJSON *json, const struct proto_welcome *welcome)
{
    add_number(json, "version", welcome->version);
    add_text(json, "server", welcome->server);
    add_number(json, "id", welcome->id);
    add_hex(json, "token", welcome->token, PROTO_TOKEN_SIZE);
    add_text(json, "name", welcome->name);
    add_number(json, "color", welcome->color);
    add_role(json, welcome->role);
    add_text(json, "encoding", welcome->encoding);
    add_number(json, "rate", welcome->rate);
    add_uint(json, "time", welcome->time);
    add_room(cJSON_AddObjectToObject(json, "room"), &welcome->room);
}

static void add_presence(cJSON *json, const struct proto_presence *presence)
{
    cJSON *people = add_list(json, "people");

    for (uint32_t i = 0; i < presence->count; i++) {
        const struct proto_person *person = &presence->people[i];
        cJSON *list = cJSON_CreateArray();
        cJSON_AddItemToArray(list, cJSON_CreateNumber(person->id));
        cJSON_AddItemToArray(list, cJSON_CreateString(person->name));
        cJSON_AddItemToArray(list, cJSON_CreateNumber(person->color));
        cJSON_AddItemToArray(people, list);
    }
}

static void add_snapshot(cJSON *json, const struct proto_snapshot *s)
{
    static const char *const target[] = {"target_x", "target_y"};
    const float values[] = {s->target_x, s->target_y};
    int16_t x, y;
    uint32_t id;

    add_uint(json, "epoch", s->epoch);
    add_uint(json, "tick", s->tick);
    add_uint(json, "time", s->time);
    add_uint(json, "people", s->people);
    for (size_t i = 0; i < 2; i++) {
        if (s->has_target) {
            add_number(json, target[i], values[i]);
        } else {
            assert_non_null(cJSON_AddNullToObject(json, target[i]));
        }
    }
    if (s->packed) {
        add_hex(json, "boids", s->boids, s->packed_size);
    }
    cJSON *boids = s->packed ? NULL : add_list(json, "boids");
    for (size_t i = 0; i < s->boid_count; i++) {
        proto_get_position(s->boids + i * PROTO_BOID_SIZE, &x, &y);
        cJSON_AddItemToArray(boids, cJSON_CreateIntArray((const int[]){x, y}, 2));
    }
    cJSON *cursors = add_list(json, "cursors");
    for (size_t i = 0; i < s->cursor_count; i++) {
        proto_get_cursor(s->cursors + i * PROTO_CURSOR_SIZE, &id, &x, &y);
        cJSON_AddItemToArray(cursors, cJSON_CreateDoubleArray((const double[]){id, x, y}, 3));
    }
    add_uint(json, "flock", s->flock);
    if (s->has_measures) {
        const struct proto_measures *m = &s->measures;
        const float numbers[PROTO_MEASURES] = {m->polarization, m->milling,  m->centroid_x,
                                               m->centroid_y,   m->gyration, m->speed,
                                               m->nearest};
        cJSON_AddItemToObject(json, "measures", cJSON_CreateFloatArray(numbers, PROTO_MEASURES));
    } else {
        assert_non_null(cJSON_AddNullToObject(json, "measures"));
    }
}

static cJSON *server_json(const struct proto_server_message *m)
{
    static const char *const names[PROTO_STREAM - PROTO_WELCOME + 1] = {
        "welcome", "room",  "params", "presence", "snapshot",
        "pong",    "error", "packed", "role",     "stream"};

    if (m->type < PROTO_WELCOME || m->type > PROTO_STREAM) {
        return cJSON_CreateNull();
    }
    cJSON *json = begin(names[m->type - PROTO_WELCOME]);
    switch (m->type) {
    case PROTO_WELCOME:
        add_welcome(json, &m->welcome);
        break;
    case PROTO_ROOM:
        add_room(json, &m->room);
        break;
    case PROTO_PARAMS:
        cJSON_AddItemToObject(json, "values",
                              cJSON_CreateFloatArray(m->params.values, (int)m->params.count));
        break;
    case PROTO_PRESENCE:
        add_presence(json, &m->presence);
        break;
    case PROTO_SNAPSHOT:
    case PROTO_PACKED:
        add_snapshot(json, &m->snapshot);
        break;
    case PROTO_PONG:
        add_uint(json, "t", m->pong.t);
        add_uint(json, "time", m->pong.time);
        break;
    case PROTO_ROLE:
        add_role(json, m->role);
        break;
    case PROTO_STREAM:
        add_number(json, "rate", m->stream.rate);
        add_uint(json, "boids", m->stream.boids);
        break;
    default:
        add_text(json, "code", m->error.code);
        add_text(json, "field", m->error.field);
        add_text(json, "message", m->error.message);
        assert_non_null(cJSON_AddBoolToObject(json, "fatal", m->error.fatal));
        break;
    }
    return json;
}

/* Whether what was decoded is what the vector expects; frees `got`. */
static void compare(const cJSON *vector, enum proto_code code, const struct proto_error *error,
                    cJSON *got)
{
    const char *name = text_of(vector, "name");
    const cJSON *expected = cJSON_GetObjectItemCaseSensitive(vector, "error");

    if (expected == NULL) {
        const cJSON *message = cJSON_GetObjectItemCaseSensitive(vector, "message");
        if (code != PROTO_OK) {
            fail_msg("%s: %s %s: %s", name, error->code, error->field, error->message);
        }
        if (!cJSON_Compare(message, got, true)) {
            fail_msg("%s: decoded as %s", name, cJSON_PrintUnformatted(got));
        }
    } else {
        const cJSON *fatal = cJSON_GetObjectItemCaseSensitive(expected, "fatal");
        if (code == PROTO_OK || strcmp(error->code, text_of(expected, "code")) != 0 ||
            strcmp(error->field, text_of(expected, "field")) != 0 ||
            (fatal != NULL && cJSON_IsTrue(fatal) != error->fatal)) {
            fail_msg("%s: got %s, field '%s', fatal %d", name,
                     code == PROTO_OK ? "a message" : error->code,
                     code == PROTO_OK ? "" : error->field, code != PROTO_OK && error->fatal);
        }
    }
    cJSON_Delete(got);
}

/* If the vector has the bytes that flockd writes: whether these are they. */
static void compare_bytes(const cJSON *vector, const uint8_t *expected, size_t expected_size,
                          const uint8_t *bytes, size_t size)
{
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(vector, "canonical")) &&
        (size != expected_size || memcmp(bytes, expected, size) != 0)) {
        fail_msg("%s: encoded as other bytes", text_of(vector, "name"));
    }
}

static void client_vectors(void **state)
{
    const cJSON *vector;

    (void)state;
    cJSON_ArrayForEach(vector, list_of(vectors, "client"))
    {
        struct proto_client_message message;
        struct proto_error error;
        uint8_t buffer[PROTO_MESSAGE_MAX];
        size_t size;
        uint8_t *bytes = bytes_of(text_of(vector, "hex"), &size);
        const enum proto_code code = proto_decode_client(decoder, bytes, size, &message, &error);

        compare(vector, code, &error, code == PROTO_OK ? client_json(&message) : NULL);
        if (code == PROTO_OK) {
            const size_t encoded = encode_client(buffer, sizeof buffer, &message);
            compare_bytes(vector, bytes, size, buffer, encoded);
        }
        free(bytes);
    }
}

static void server_vectors(void **state)
{
    static struct proto_server_message message;
    static uint8_t buffer[PROTO_STATE_MAX];
    const cJSON *vector;

    (void)state;
    cJSON_ArrayForEach(vector, list_of(vectors, "server"))
    {
        struct proto_error error;
        size_t size;
        uint8_t *bytes = bytes_of(text_of(vector, "hex"), &size);
        const enum proto_code code = proto_decode_server(decoder, bytes, size, &message, &error);

        compare(vector, code, &error, code == PROTO_OK ? server_json(&message) : NULL);
        if (code == PROTO_OK) {
            const size_t encoded = encode_server(buffer, sizeof buffer, &message);
            compare_bytes(vector, bytes, size, buffer, encoded);
        }
        free(bytes);
    }
}

static double number_at(const cJSON *object, const char *key, int index)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key);
    const cJSON *number = cJSON_GetArrayItem(list, index);

    assert_true(cJSON_IsNumber(number));
    return cJSON_GetNumberValue(number);
}

static void position_vectors(void **state)
{
    const cJSON *vector;

    (void)state;
    cJSON_ArrayForEach(vector, list_of(vectors, "positions"))
    {
        const float width = (float)number_at(vector, "world", 0);
        const float height = (float)number_at(vector, "world", 1);
        const cJSON *quantum = cJSON_GetObjectItemCaseSensitive(vector, "quantum");

        assert_true(proto_quantum(width, height) == (float)cJSON_GetNumberValue(quantum));
        for (int i = 0; i < 2; i++) {
            const float side = i == 0 ? width : height;
            const float position = (float)number_at(vector, "position", i);
            const int16_t step = (int16_t)number_at(vector, "step", i);
            const float q = proto_quantum(width, height);
            assert_true(proto_dequantise(step, side, q) == position);
            assert_int_equal(proto_quantise(position, side, q), step);
        }
    }
}

/* The bytes before each ';' in the page's block of that name, as hex. */
static void shown_bytes(const char *page, const char *name, char *hex, size_t capacity)
{
    char opening[64];
    size_t used = 0;

    (void)snprintf(opening, sizeof opening, "```text %s\n", name);
    const char *line = strstr(page, opening);
    if (line == NULL) {
        fail_msg("PROTOCOL.md has no block '%s'", name);
        abort(); /* for static analysis: fail_msg() does not return */
    }
    for (line += strlen(opening); strncmp(line, "```", 3) != 0; line = strchr(line, '\n') + 1) {
        for (const char *c = line; *c != ';'; c++) {
            assert_true(*c == ' ' || isxdigit((unsigned char)*c));
            if (*c != ' ') {
                assert_true(used + 1 < capacity);
                hex[used++] = *c;
            }
        }
    }
    hex[used] = '\0';
}

/* The page and the vectors say the same of each vector whose name begins with "example". */
static void the_page_shows_the_examples(void **state)
{
    static const char *const directions[] = {"client", "server"};
    char *page = read_file("protocol/PROTOCOL.md");
    int examples = 0;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const cJSON *vector;
        cJSON_ArrayForEach(vector, list_of(vectors, directions[i]))
        {
            const char *name = text_of(vector, "name");
            char hex[512];
            if (strncmp(name, "example ", 8) == 0) {
                shown_bytes(page, name, hex, sizeof hex);
                assert_string_equal(hex, text_of(vector, "hex"));
                examples++;
            }
        }
    }
    assert_int_equal(examples, 3);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(client_vectors),
        cmocka_unit_test(server_vectors),
        cmocka_unit_test(position_vectors),
        cmocka_unit_test(the_page_shows_the_examples),
    };
    return cmocka_run_group_tests_name("protocol, vectors", tests, setup, teardown);
}
