/* The API's JSON: accepted bodies, and the errors of all others. */
#include "net/api/api_form.h"
#include "net/http/page.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/flock.h"

static const struct flock_options no_options = FLOCK_OPTIONS_NONE;
static struct api_defaults defaults;
static struct room_definition room;
static struct api_fault fault;
static bool listed;

static int begin(void **state)
{
    (void)state;
    defaults = (struct api_defaults){.flock = &no_options, .boids_max = 5000};
    memset(&room, 0x5A, sizeof room);
    memset(&fault, 0x5A, sizeof fault);
    return 0;
}

static bool read_room(const char *body)
{
    return api_read_room(body, strlen(body), &defaults, &room, &listed, &fault);
}

/* Asserts the code, the field, and words of the message. */
static void assert_fault(enum proto_code code, const char *field, const char *words)
{
    assert_int_equal(fault.code, code);
    assert_string_equal(fault.field, field);
    if (strstr(fault.message, words) == NULL) {
        fail_msg("expected '%s' in: %s", words, fault.message);
    }
    if (strstr(fault.message, field) == NULL) {
        fail_msg("expected the field %s in: %s", field, fault.message);
    }
}

static void assert_refused(const char *body, enum proto_code code, const char *field,
                           const char *words)
{
    if (read_room(body)) {
        fail_msg("accepted: %s", body);
    }
    assert_fault(code, field, words);
}

/* Reading thousands of values takes a while, so the count of them comes first. */
static void test_too_many_values(void **state)
{
    char body[8192] = "{\"parameters\":{\"a\":1";
    size_t size = strlen(body);

    (void)state;
    for (unsigned i = 0; i < 128; i++) {
        size += (size_t)snprintf(body + size, sizeof body - size, ",\"a%u\":1", i);
    }
    snprintf(body + size, sizeof body - size, "}}");
    assert_refused(body, PROTO_E_MALFORMED, "", "at most 128 values");
    memset(body, '[', sizeof body - 1);
    assert_refused(body, PROTO_E_MALFORMED, "", "at most 8 levels");
    assert_refused("{\"title\": [[[[[[[[]]]]]]]]}", PROTO_E_MALFORMED, "", "at most 8 levels");
    assert_refused("{\"title\": [[[[[[[]]]]]]]}", PROTO_E_MALFORMED, "title", "expected a string");
    assert_true(read_room("{\"title\": \"[[[[[[[[[{{{{{{{{{\\\"[[[[[[[[[,,\"}"));
}

static void test_empty_object(void **state)
{
    (void)state;
    assert_true(read_room("{}"));
    assert_string_equal(room.title, "");
    assert_false(listed);
    assert_ptr_equal(room.flock.settings.model, flock_models[0]);
    assert_int_equal(room.flock.boids, flock_definition_default().boids);
    assert_int_equal(room.boids_max, 5000);
    assert_int_equal(room.controls.policy, CURSOR_MEAN);
    assert_null(room.preset);
}

static void test_all_fields(void **state)
{
    (void)state;
    assert_true(read_room(" {\"title\": \"Größe\", \"listed\": true, \"model\": \"boids\",\n"
                          "\"boids\": 300, \"world\": [800, 600.5], \"boundary\": \"wrap\","
                          "\"update\": \"sequential\", \"policy\": \"nearest\", \"idle\": \"hold\","
                          "\"parameters\": {\"max_speed\": 3}} "));
    assert_string_equal(room.title, "Größe");
    assert_true(listed);
    assert_string_equal(room.flock.settings.model->name, "boids");
    assert_int_equal(room.flock.boids, 300);
    assert_true(room.flock.settings.width == 800.0F && room.flock.settings.height == 600.5F);
    assert_int_equal(room.flock.settings.boundary, FLOCK_WRAP);
    assert_int_equal(room.flock.settings.update, FLOCK_SEQUENTIAL);
    assert_int_equal(room.controls.policy, CURSOR_NEAREST);
    assert_int_equal(room.controls.idle, CURSOR_HOLD);
    assert_true(
        room.flock.settings.params[flock_param_find(room.flock.settings.model, "max_speed")] ==
        3.0F);
}

/* A preset is applied first, in any order of the body. */
static void test_preset(void **state)
{
    (void)state;
    assert_true(read_room("{\"boids\": 7, \"preset\": \"sardines\"}"));
    assert_string_equal(room.preset->name, "sardines");
    assert_ptr_equal(room.flock.settings.model, room.preset->settings.model);
    assert_int_equal(room.flock.boids, 7);
    for (const struct flock_setting *setting = room.preset->params;
         setting != NULL && setting->name != NULL; setting++) {
        assert_true(room.flock.settings
                        .params[flock_param_find(room.flock.settings.model, setting->name)] ==
                    setting->value);
    }
}

/* Without preset and model a room begins like the lobby. */
static void test_defaults(void **state)
{
    static struct flock_options lobby = FLOCK_OPTIONS_NONE;

    (void)state;
    lobby.preset = 2;
    lobby.boids = 40;
    snprintf(lobby.set, sizeof lobby.set, "%s=%g", flock_presets[2].settings.model->params[0].name,
             (double)flock_presets[2].settings.model->params[0].max);
    defaults.flock = &lobby;
    defaults.controls.policy = CURSOR_LATEST;
    assert_true(read_room("{\"world\": [100, 100]}"));
    assert_ptr_equal(room.preset, &flock_presets[2]);
    assert_int_equal(room.flock.boids, 40);
    assert_true(room.flock.settings.width == 100.0F);
    assert_true(room.flock.settings.params[0] == flock_presets[2].settings.model->params[0].max);
    assert_int_equal(room.controls.policy, CURSOR_LATEST);
    assert_true(read_room("{\"model\": \"swarm\"}")); /* not with another model's --set */
    assert_null(room.preset);
    assert_true(room.flock.settings.params[0] == room.flock.settings.model->params[0].initial);
    lobby.boids = 9000; /* more than the limit of created rooms */
    assert_true(read_room("{}"));
    assert_int_equal(room.flock.boids, 5000);
}

static void test_too_many_boids(void **state)
{
    const struct flock_preset *preset = flock_presets;
    char body[100];

    (void)state;
    while (preset->boids < 1000) {
        preset++;
    }
    defaults.boids_max = preset->boids - 1;
    snprintf(body, sizeof body, "{\"preset\": \"%s\"}", preset->name);
    assert_refused(body, PROTO_E_RANGE, "preset", "say boids, too");
    snprintf(body, sizeof body, "{\"preset\": \"%s\", \"boids\": 1}", preset->name);
    assert_true(read_room(body));
    defaults.boids_max = preset->boids;
    snprintf(body, sizeof body, "{\"preset\": \"%s\"}", preset->name);
    assert_true(read_room(body));
}

static void test_no_json(void **state)
{
    static const char *const bodies[] = {"",
                                         "{",
                                         "{}x",
                                         "{} {}",
                                         "{\"title\": \"x\",}",
                                         "{'title': 1}",
                                         "nul",
                                         "{\"a\": 1, \"a\": 2}"};

    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        assert_refused(bodies[i], PROTO_E_MALFORMED, "", "line 1, column ");
    }
    assert_refused("{\n\"title\":\n  x}", PROTO_E_MALFORMED, "", "line 3, column 3");
    assert_refused("{\"title\": \"\xE9\"}", PROTO_E_MALFORMED, "", "line 1, column ");
    assert_refused("[]", PROTO_E_MALFORMED, "", "expected a JSON object");
    assert_refused("12", PROTO_E_MALFORMED, "", "expected a JSON object");
    assert_refused("null", PROTO_E_MALFORMED, "", "expected a JSON object");
}

static void test_unknown_fields(void **state)
{
    (void)state;
    assert_refused("{\"titel\": \"x\"}", PROTO_E_MALFORMED, "titel", "expected some of title, ");
    assert_refused("{\"attention\": \"Look\"}", PROTO_E_MALFORMED, "attention", "parameters");
    assert_refused("{\"\": 1}", PROTO_E_MALFORMED, "", "unknown");
}

static void test_bad_fields(void **state)
{
    static const struct {
        const char *body;
        enum proto_code code;
        const char *field, *words;
    } cases[] = {
        {"{\"join_key\": \"\"}", PROTO_E_RANGE, "join_key", "expected null, or a string of 4"},
        {"{\"join_key\": 5}", PROTO_E_MALFORMED, "join_key", "expected null, or a string of 4"},
        {"{\"title\": 5}", PROTO_E_MALFORMED, "title", "expected a string"},
        {"{\"title\": \"a\\u0000b\"}", PROTO_E_MALFORMED, "title", "expected a string"},
        {"{\"title\": \"a\\nb\"}", PROTO_E_RANGE, "title", "64 bytes"},
        {"{\"title\": \"\\u202e\"}", PROTO_E_RANGE, "title", "64 bytes"},
        {"{\"title\": \"\\u3164 \"}", PROTO_E_RANGE, "title", "visible character"},
        {"{\"listed\": 1}", PROTO_E_MALFORMED, "listed", "true or false"},
        {"{\"preset\": \"none\"}", PROTO_E_RANGE, "preset", "original, "},
        {"{\"preset\": \"bees\\u0000\"}", PROTO_E_MALFORMED, "preset", "original, "},
        {"{\"preset\": null}", PROTO_E_MALFORMED, "preset", "original, "},
        {"{\"model\": \"Swarm\"}", PROTO_E_RANGE, "model", "swarm, "},
        {"{\"boundary\": \"torus\"}", PROTO_E_RANGE, "boundary", "wrap"},
        {"{\"policy\": \"\"}", PROTO_E_RANGE, "policy", "mean, latest, "},
        {"{\"idle\": []}", PROTO_E_MALFORMED, "idle", "wander"},
        {"{\"boids\": 0}", PROTO_E_RANGE, "boids", "from 1 to 5000"},
        {"{\"boids\": 5001}", PROTO_E_RANGE, "boids", "from 1 to 5000"},
        {"{\"boids\": -1}", PROTO_E_RANGE, "boids", "from 1 to 5000"},
        {"{\"boids\": 4294967297}", PROTO_E_RANGE, "boids", "from 1 to 5000"},
        {"{\"boids\": 1.5}", PROTO_E_MALFORMED, "boids", "whole number"},
        {"{\"boids\": \"12\"}", PROTO_E_MALFORMED, "boids", "whole number"},
        {"{\"world\": 800}", PROTO_E_MALFORMED, "world", "[800, 600]"},
        {"{\"world\": [800]}", PROTO_E_MALFORMED, "world", "[800, 600]"},
        {"{\"world\": [800, 600, 400]}", PROTO_E_MALFORMED, "world", "[800, 600]"},
        {"{\"world\": [800, \"600\"]}", PROTO_E_MALFORMED, "world", "[800, 600]"},
        {"{\"world\": [15.9, 600]}", PROTO_E_RANGE, "world", "16 to 65536"},
        {"{\"world\": [16, 65536.1]}", PROTO_E_RANGE, "world", "16 to 65536"},
        {"{\"world\": [1e300, 600]}", PROTO_E_RANGE, "world", "16 to 65536"},
        {"{\"parameters\": 5}", PROTO_E_MALFORMED, "parameters", "by name"},
        {"{\"parameters\": {\"none\": 5}}", PROTO_E_RANGE, "parameters.none", "swarm, which has "},
        {"{\"model\": \"boids\", \"parameters\": {\"max_speed\": -1}}", PROTO_E_RANGE,
         "parameters.max_speed", "expected a number from"},
        {"{\"model\": \"boids\", \"parameters\": {\"max_speed\": 1e300}}", PROTO_E_RANGE,
         "parameters.max_speed", "expected a number from"},
        {"{\"model\": \"boids\", \"parameters\": {\"max_speed\": true}}", PROTO_E_MALFORMED,
         "parameters.max_speed", "expected a number from"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(cases[i].body, cases[i].code, cases[i].field, cases[i].words);
    }
}

static void test_long_titles(void **state)
{
    char body[200];
    char title[PROTO_TITLE_MAX + 2];

    (void)state;
    memset(title, 'x', sizeof title);
    title[PROTO_TITLE_MAX] = '\0';
    snprintf(body, sizeof body, "{\"title\": \"%s\"}", title);
    assert_true(read_room(body));
    assert_string_equal(room.title, title);
    title[PROTO_TITLE_MAX] = 'x';
    title[PROTO_TITLE_MAX + 1] = '\0';
    snprintf(body, sizeof body, "{\"title\": \"%s\"}", title);
    assert_refused(body, PROTO_E_RANGE, "title", "64 bytes");
}

/* ---- changes ---- */

static struct hub_request *read_change(const char *body, const char *model)
{
    return api_read_change(body, strlen(body), model, &fault);
}

static void assert_set(const struct hub_request *request, uint32_t i, const char *name,
                       const char *value)
{
    assert_int_equal(request->messages[i].type, PROTO_SET);
    assert_string_equal(request->messages[i].set.name, name);
    assert_string_equal(request->messages[i].set.value, value);
}

/* The preset is the first message: later ones change its settings. */
static void test_change(void **state)
{
    struct hub_request *request =
        read_change("{\"title\": \"New\", \"parameters\": {\"max_speed\": 2}, \"idle\": \"hold\","
                    "\"policy\": \"latest\", \"boundary\": \"walls\", \"preset\": \"sardines\","
                    "\"update\": \"sequential\","
                    "\"run\": \"paused\", \"viewers\": \"watch\", \"listed\": false,"
                    "\"attention\": \"Look\", \"spotlight\": 7}",
                    "swarm");

    (void)state;
    assert_non_null(request);
    assert_int_equal(request->message_count, 11);
    assert_set(request, 0, "preset", "sardines");
    assert_set(request, 1, "update", "sequential");
    assert_set(request, 2, "boundary", "walls");
    assert_set(request, 3, "policy", "latest");
    assert_set(request, 4, "viewers", "watch");
    assert_set(request, 5, "idle", "hold");
    assert_set(request, 6, "run", "paused");
    assert_int_equal(request->messages[7].type, PROTO_PARAM);
    assert_string_equal(request->messages[7].param.name, "max_speed");
    assert_true(request->messages[7].param.value == 2.0F);
    assert_int_equal(request->messages[8].type, PROTO_SPOTLIGHT);
    assert_int_equal(request->messages[8].spotlight.id, 7);
    assert_int_equal(request->messages[9].type, PROTO_ATTENTION);
    assert_true(request->messages[9].attention.on);
    assert_string_equal(request->messages[9].attention.text, "Look");
    assert_int_equal(request->messages[10].type, PROTO_TITLE);
    assert_string_equal(request->messages[10].title.title, "New");
    assert_int_equal(request->listed, 0);
    assert_false(request->end);
    free(request);
}

/* A room may begin with any choice of each control, which its body names as `set` does. */
static void test_controls(void **state)
{
    const char *name;
    const char *choice;
    char body[200];

    (void)state;
    for (size_t i = 0; (name = control_name(i)) != NULL; i++) {
        for (size_t k = 0; (choice = control_choice(name, k)) != NULL; k++) {
            struct scene_controls wanted = {0};
            struct hub_request *request;
            control_choose(&wanted, name, k);
            snprintf(body, sizeof body, "{\"%s\": \"%s\"}", name, choice);
            assert_true(read_room(body));
            assert_memory_equal(&room.controls, &wanted, sizeof wanted);
            request = read_change(body, "swarm");
            assert_int_equal(request->message_count, 1);
            assert_set(request, 0, name, choice);
            free(request);
        }
        snprintf(body, sizeof body, "{\"%s\": \"wings\"}", name);
        assert_refused(body, PROTO_E_RANGE, name, control_choice(name, 0));
    }
}

static void test_change_of_nothing(void **state)
{
    struct hub_request *request = read_change("{}", "swarm");

    (void)state;
    assert_non_null(request);
    assert_int_equal(request->message_count, 0);
    assert_int_equal(request->listed, -1);
    free(request);
}

static void assert_change_refused(const char *body, enum proto_code code, const char *field,
                                  const char *words)
{
    assert_null(read_change(body, "swarm"));
    assert_fault(code, field, words);
}

static void test_naming_and_beside(void **state)
{
    struct hub_request *request =
        read_change("{\"beside\": \"fk72mx\", \"naming\": false}", "swarm");

    (void)state;
    assert_non_null(request);
    assert_int_equal(request->message_count, 2);
    assert_int_equal(request->messages[0].type, PROTO_BESIDE);
    assert_string_equal(request->messages[0].beside.code, "fk72mx");
    assert_int_equal(request->messages[1].type, PROTO_NAMING);
    assert_false(request->messages[1].naming.ask);
    free(request);
    request = read_change("{\"beside\": null}", "swarm");
    assert_string_equal(request->messages[0].beside.code, "");
    free(request);
    assert_change_refused("{\"naming\": 1}", PROTO_E_MALFORMED, "naming", "true or false");
    assert_change_refused("{\"beside\": \"\"}", PROTO_E_RANGE, "beside", "expected null, or the");
    assert_change_refused("{\"beside\": 5}", PROTO_E_MALFORMED, "beside", "the code of a room");
    assert_change_refused("{\"beside\": \"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\"}",
                          PROTO_E_RANGE, "beside", "the code of a room");
}

static void test_bad_changes(void **state)
{
    (void)state;
    assert_change_refused("{\"boids\": 5}", PROTO_E_MALFORMED, "boids", "expected some of preset");
    assert_change_refused("{\"attention\": true}", PROTO_E_MALFORMED, "attention", "null, or a");
    assert_change_refused("{\"attention\": \"\\u0007\"}", PROTO_E_RANGE, "attention", "160 bytes");
    assert_change_refused("{\"attention\": \" \"}", PROTO_E_RANGE, "attention",
                          "visible character");
    assert_change_refused("{\"spotlight\": 1.5}", PROTO_E_MALFORMED, "spotlight", "whole number");
    assert_change_refused("{\"spotlight\": 4294967296}", PROTO_E_RANGE, "spotlight", "4294967295");
    assert_change_refused("{\"title\": \"\"}", PROTO_E_RANGE, "title",
                          "at least one visible character");
    assert_change_refused("{\"title\": \" \\u200b\"}", PROTO_E_RANGE, "title", "visible character");
    assert_change_refused("{\"run\": true}", PROTO_E_MALFORMED, "run", "expected one of");
    assert_change_refused("{\"run\": \"12345678901234567\"}", PROTO_E_RANGE, "run",
                          "expected one of");
    assert_change_refused("{\"update\": \"random\"}", PROTO_E_RANGE, "update",
                          "synchronous, sequential");
    assert_change_refused("{\"preset\": \"nothing\"}", PROTO_E_RANGE, "preset", "original");
    assert_change_refused("{\"parameters\": {\"max_speed\": 2}}", PROTO_E_RANGE,
                          "parameters.max_speed", "the model swarm");
    assert_change_refused("{\"parameters\": []}", PROTO_E_MALFORMED, "parameters", "by name");
}

/* Parameters belong to the model that the room will have. */
static void test_change_of_model(void **state)
{
    struct hub_request *request =
        read_change("{\"parameters\": {\"max_speed\": 2}, \"model\": \"boids\"}", "swarm");

    (void)state;
    assert_non_null(request);
    free(request);
    assert_null(read_change("{\"parameters\": {\"max_speed\": 2}, \"model\": \"swarm\"}", "boids"));
}

/* A change with all fields and the maximum number of parameters. */
static void test_largest_change(void **state)
{
    char body[8192] =
        "{\"viewers\": \"steer\", \"run\": \"running\", \"preset\": \"original\", "
        "\"model\": \"boids\", \"boundary\": \"open\", \"policy\": \"mean\", \"idle\": "
        "\"hold\", \"update\": \"synchronous\", \"title\": \"t\", \"listed\": true, "
        "\"attention\": null, \"spotlight\": null, \"parameters\": {";
    const struct flock_model *model = flock_model_find("boids");
    struct hub_request *request;
    size_t length;

    (void)state;
    for (size_t i = 0; i < model->param_count; i++) {
        length = strlen(body);
        snprintf(body + length, sizeof body - length, "%s\"%s\": %.9g", i > 0 ? ", " : "",
                 model->params[i].name, (double)model->params[i].initial);
    }
    length = strlen(body);
    snprintf(body + length, sizeof body - length, "}}");
    request = read_change(body, "swarm");
    assert_non_null(request);
    assert_int_equal(request->message_count, 11 + model->param_count);
    assert_int_equal(request->listed, 1);
    free(request);
}

/* ---- answers ---- */

static void assert_written(char *text, const char *expected)
{
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void test_faults_written(void **state)
{
    (void)state;
    api_refuse(&fault, PROTO_E_RANGE, "boids", "boids: \"%s\"", "so");
    assert_written(api_write_fault(&fault),
                   "{\"error\":{\"code\":\"range\",\"field\":\"boids\",\"message\":\"boids: "
                   "\\\"so\\\"\"}}\n");
    api_refuse(&fault, PROTO_E_MALFORMED, "", "near \xC3( and \x80");
    assert_written(
        api_write_fault(&fault),
        "{\"error\":{\"code\":\"malformed\",\"field\":\"\",\"message\":\"near ?( and ?\"}}\n");
}

/* A text that is cut within a character is still valid UTF-8. */
static void test_long_faults_written(void **state)
{
    char field[2 * API_FIELD_MAX];
    char *text;

    (void)state;
    memset(field, 0, sizeof field);
    for (size_t i = 0; i + 2 < sizeof field; i += 2) {
        memcpy(field + i, "\xC3\xA9", 2);
    }
    api_refuse(&fault, PROTO_E_MALFORMED, field, "%s", field);
    text = api_write_fault(&fault);
    assert_non_null(text);
    free(text);
}

static void test_explanations(void **state)
{
    struct proto_error error = {.code = PROTO_E_RANGE, .type = PROTO_PARAM, .field = "value"};

    (void)state;
    snprintf(error.name, sizeof error.name, "max_speed");
    snprintf(error.message, sizeof error.message, "value: expected less");
    api_explain(&error, &fault);
    assert_string_equal(fault.field, "parameters.max_speed");
    assert_string_equal(fault.message, "value: expected less");
    error.type = PROTO_SET;
    snprintf(error.name, sizeof error.name, "run");
    api_explain(&error, &fault);
    assert_string_equal(fault.field, "run");
    error = (struct proto_error){.code = PROTO_E_RANGE, .type = PROTO_TITLE, .field = "title"};
    api_explain(&error, &fault);
    assert_string_equal(fault.field, "title");
}

static void test_rooms_written(void **state)
{
    struct directory_entry entry = {.code = "FK72MX",
                                    .title = "A \"room\"",
                                    .model = flock_model_index(flock_model_find("boids")),
                                    .preset = flock_preset_index(flock_preset_find("bees")),
                                    .people = 3,
                                    .boids = 4000000000u,
                                    .listed = true};

    (void)state;
    assert_written(api_write_room(&entry),
                   "{\"code\":\"FK72MX\",\"title\":\"A \\\"room\\\"\",\"model\":\"boids\","
                   "\"people\":3,\"boids\":4000000000,\"listed\":true,\"path\":\"/r/FK72MX\","
                   "\"preset\":\"bees\"}\n");
    entry.preset = FLOCK_PRESET_NONE;
    assert_written(api_write_room(&entry),
                   "{\"code\":\"FK72MX\",\"title\":\"A \\\"room\\\"\",\"model\":\"boids\","
                   "\"people\":3,\"boids\":4000000000,\"listed\":true,\"path\":\"/r/FK72MX\"}\n");
    assert_written(api_write_created(&entry, "key", "http://example.org:8080"),
                   "{\"code\":\"FK72MX\",\"path\":\"/r/FK72MX\",\"key\":\"key\","
                   "\"address\":\"http://example.org:8080/r/FK72MX\"}\n");
    /* A request without a Host header, or with invalid characters in it. */
    assert_written(api_write_created(&entry, "key", ""),
                   "{\"code\":\"FK72MX\",\"path\":\"/r/FK72MX\",\"key\":\"key\"}\n");
    assert_written(api_write_created(&entry, "key", "http://\xFF\xFE"),
                   "{\"code\":\"FK72MX\",\"path\":\"/r/FK72MX\",\"key\":\"key\"}\n");
}

static void test_write_server(void **state)
{
    struct reach reach = {.addresses = {"http://10.0.0.1:8080", "http://[fd00::2]:8080"}};

    (void)state;
    assert_written(api_write_server("", &reach),
                   "{\"version\":\"" FLOCKD_VERSION "\",\"public_url\":\"\",\"addresses\":[]}\n");
    reach.count = 2;
    assert_written(api_write_server("https://example.org", &reach),
                   "{\"version\":\"" FLOCKD_VERSION "\",\"public_url\":\"https://example.org\","
                   "\"addresses\":[\"http://10.0.0.1:8080\",\"http://[fd00::2]:8080\"]}\n");
}

int main(void)
{
#define FORM_TEST(test) cmocka_unit_test_setup(test, begin)
    const struct CMUnitTest tests[] = {
        FORM_TEST(test_too_many_values),
        FORM_TEST(test_empty_object),
        FORM_TEST(test_all_fields),
        FORM_TEST(test_preset),
        FORM_TEST(test_defaults),
        FORM_TEST(test_too_many_boids),
        FORM_TEST(test_no_json),
        FORM_TEST(test_controls),
        FORM_TEST(test_unknown_fields),
        FORM_TEST(test_bad_fields),
        FORM_TEST(test_long_titles),
        FORM_TEST(test_change),
        FORM_TEST(test_change_of_nothing),
        FORM_TEST(test_naming_and_beside),
        FORM_TEST(test_bad_changes),
        FORM_TEST(test_change_of_model),
        FORM_TEST(test_largest_change),
        FORM_TEST(test_faults_written),
        FORM_TEST(test_long_faults_written),
        FORM_TEST(test_explanations),
        FORM_TEST(test_rooms_written),
        FORM_TEST(test_write_server),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
