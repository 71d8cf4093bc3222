/* The table of the API's routes: the route of a request, the methods of a path, and equality with
 * docs/API.md. */
#include "net/api/api_routes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/api/api_upload.h"

#define JSON "application/json"

static char code[PROTO_ROOM_MAX + 1];
static char allow[API_ALLOW_MAX];

static const char *text_of(enum request_method method, const char *path, const char *type)
{
    const struct api_route *route = api_route_find(method, path, type, code, allow);

    return route != NULL ? route->text : NULL;
}

static void test_paths(void **state)
{
    (void)state;
    assert_string_equal(text_of(REQUEST_GET, "/api", ""), "the server's addresses");
    assert_string_equal(text_of(REQUEST_HEAD, "/api/", ""), "the server's addresses");
    assert_string_equal(text_of(REQUEST_GET, "/api/rooms", ""), "the listed rooms");
    assert_string_equal(code, "");
    assert_string_equal(text_of(REQUEST_GET, "/api/rooms/fk7-2mx", ""), "the room");
    assert_string_equal(code, "FK72MX");
    assert_string_equal(text_of(REQUEST_DELETE, "/api/rooms/FK72MX", ""), "ends the room");
    assert_string_equal(text_of(REQUEST_HEAD, "/api/rooms/FK72MX/recording", ""),
                        "a recording of the room's past");
    assert_string_equal(code, "FK72MX");
}

/* The body's type chooses between routes of the same method and path. */
static void test_types(void **state)
{
    (void)state;
    assert_string_equal(text_of(REQUEST_POST, "/api/rooms", JSON), "makes a room");
    assert_string_equal(text_of(REQUEST_POST, "/api/rooms", JSON "; charset=utf-8"),
                        "makes a room");
    assert_string_equal(text_of(REQUEST_POST, "/api/rooms", API_UPLOAD_TYPE),
                        "makes a room that plays the recording");
    assert_string_equal(text_of(REQUEST_POST, "/api/rooms", "text/plain"), "makes a room");
    assert_true(api_type_is("APPLICATION/JSON", JSON));
    assert_false(api_type_is(JSON "x", JSON));
    assert_false(api_type_is("", JSON));
}

static void test_methods_that_are_allowed(void **state)
{
    (void)state;
    assert_null(text_of(REQUEST_POST, "/api", ""));
    assert_string_equal(allow, "GET, HEAD");
    assert_null(text_of(REQUEST_DELETE, "/api/rooms", ""));
    assert_string_equal(allow, "GET, HEAD, POST");
    assert_null(text_of(REQUEST_POST, "/api/rooms/FK72MX", JSON));
    assert_string_equal(allow, "GET, HEAD, PATCH, DELETE");
    assert_null(text_of(REQUEST_OTHER, "/api/rooms/FK72MX/recording", ""));
    assert_string_equal(allow, "GET, HEAD");
    assert_null(text_of(REQUEST_GET, "/api/rooms/FK72MX/branch", ""));
    assert_string_equal(allow, "POST");
}

static void test_paths_that_are_unknown(void **state)
{
    static const char *const paths[] = {
        "/api/room",        "/api/rooms/",        "/api/rooms//recording",
        "/api/roomsFK72MX", "/api/rooms/FK72MX/", "/api/rooms/FK72MX/film",
        "/api/rooms/!"};

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_null(text_of(REQUEST_GET, paths[i], ""));
        assert_string_equal(allow, "");
    }
}

/* ---- docs/API.md ---- */

static const char *body_of(const struct api_route *route)
{
    if (route->type == NULL) {
        return "";
    }
    if (strcmp(route->type, API_UPLOAD_TYPE) == 0) {
        return "a recording";
    }
    return route->body == API_BODY_OPTIONAL ? "JSON, or none" : "JSON";
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);

    if (file == NULL || text == NULL) {
        fail_msg("%s cannot be read", path);
    }
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static void test_the_page_lists_the_same(void **state)
{
    static const char *const methods[] = {"GET", "HEAD", "POST", "PATCH", "DELETE"};
    static const char *const keys[] = {"", "the room's", "the server's"};
    char *page = read_file("docs/API.md");
    char table[4096] = "| method | path | key | body | answer |\n| --- | --- | --- | --- | --- |\n";

    (void)state;
    for (size_t i = 0; i < api_route_count; i++) {
        const struct api_route *route = &api_routes[i];
        size_t used = strlen(table);
        snprintf(table + used, sizeof table - used, "| %s | `%s` | %s | %s | %s |\n",
                 methods[route->method], route->path, keys[route->key], body_of(route),
                 route->text);
    }
    if (strstr(page, table) == NULL) {
        fail_msg("docs/API.md does not have this table:\n%s", table);
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_methods_that_are_allowed),
        cmocka_unit_test(test_paths_that_are_unknown),
        cmocka_unit_test(test_the_page_lists_the_same),
    };
    return cmocka_run_group_tests_name("routes of the API", tests, NULL, NULL);
}
