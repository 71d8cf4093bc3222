#include "net/api/api_routes.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "net/api/api_branch.h"
#include "net/api/api_recording.h"
#include "net/api/api_send.h"
#include "net/api/api_upload.h"

#define CODE "CODE"

#define JSON_BODY                                                                                  \
    .type = API_TYPE, .body_max = 8192, .too_large = "expected a body of at most 8,192 bytes",     \
    .body_time = 10

const struct api_route api_routes[] = {
    {REQUEST_GET, API_FOLDER, .handle = api_get_server, .text = "the server's addresses"},
    {REQUEST_GET, API_PATH, .handle = api_list_rooms, .text = "the listed rooms"},
    {REQUEST_POST, API_PATH, API_KEY_SERVER, API_BODY_REQUIRED, JSON_BODY, .handle = api_create,
     .text = "makes a room"},
    {REQUEST_POST, API_PATH, API_KEY_SERVER, API_BODY_REQUIRED, .type = API_UPLOAD_TYPE,
     .body_max = API_UPLOAD_MAX,
     .too_large = "expected a recording of at most " API_UPLOAD_MAX_TEXT " bytes",
     .body_time = API_UPLOAD_TIME, .begin = api_begin_upload, .handle = api_read_upload,
     .text = "makes a room that plays the recording"},
    {REQUEST_GET, API_PATH "/" CODE, .handle = api_show_room, .text = "the room"},
    {REQUEST_PATCH, API_PATH "/" CODE, API_KEY_ROOM, API_BODY_REQUIRED, JSON_BODY,
     .handle = api_change, .text = "changes the room"},
    {REQUEST_DELETE, API_PATH "/" CODE, API_KEY_ROOM, API_BODY_OPTIONAL, .body_max = 8192,
     .too_large = "expected a body of at most 8,192 bytes", .body_time = 10, .handle = api_end,
     .text = "ends the room"},
    {REQUEST_GET, API_PATH "/" CODE "/recording", API_KEY_ROOM, .handle = api_get_recording,
     .text = "a recording of the room's past"},
    {REQUEST_POST, API_PATH "/" CODE "/branch", API_KEY_ROOM, API_BODY_OPTIONAL, JSON_BODY,
     .handle = api_branch, .text = "makes a room that continues this one"},
};

const size_t api_route_count = sizeof api_routes / sizeof api_routes[0];

/* Reads a room's code up to the next '/'. */
static bool read_code(const char **path, char code[PROTO_ROOM_MAX + 1])
{
    size_t length = strcspn(*path, "/");
    char typed[4 * PROTO_ROOM_MAX];

    if (length >= sizeof typed) {
        return false;
    }
    memcpy(typed, *path, length);
    typed[length] = '\0';
    *path += length;
    if (!proto_room_valid(typed)) {
        return false;
    }
    proto_room_canonical(typed, code);
    return code[0] != '\0';
}

/* Returns true if the path has the form of the pattern. */
static bool match_path(const char *pattern, const char *path, char code[PROTO_ROOM_MAX + 1])
{
    const char *at = strstr(pattern, CODE);
    size_t before = at != NULL ? (size_t)(at - pattern) : strlen(pattern);

    code[0] = '\0';
    if (strncmp(path, pattern, before) != 0) {
        return false;
    }
    path += before;
    return at == NULL ? *path == '\0'
                      : read_code(&path, code) && strcmp(path, at + strlen(CODE)) == 0;
}

static void add_allowed(char *allow, enum request_method method)
{
    static const char *const names[] = {[REQUEST_GET] = "GET, HEAD",
                                        [REQUEST_HEAD] = "",
                                        [REQUEST_POST] = "POST",
                                        [REQUEST_PATCH] = "PATCH",
                                        [REQUEST_DELETE] = "DELETE"};
    size_t used = strlen(allow);

    if (strstr(allow, names[method]) == NULL) {
        snprintf(allow + used, API_ALLOW_MAX - used, "%s%s", used > 0 ? ", " : "", names[method]);
    }
}

bool api_type_is(const char *type, const char *expected)
{
    size_t length = strlen(expected);

    return strncasecmp(type, expected, length) == 0 && strchr("; ", type[length]) != NULL;
}

const struct api_route *api_route_find(enum request_method method, const char *path,
                                       const char *type, char code[PROTO_ROOM_MAX + 1], char *allow)
{
    const struct api_route *found = NULL;
    char matched[PROTO_ROOM_MAX + 1];

    method = method == REQUEST_HEAD ? REQUEST_GET : method;
    path = strcmp(path, API_FOLDER "/") == 0 ? API_FOLDER : path;
    allow[0] = code[0] = '\0';
    for (size_t i = 0; i < api_route_count; i++) {
        const struct api_route *route = &api_routes[i];
        if (!match_path(route->path, path, matched)) {
            continue;
        }
        memcpy(code, matched, sizeof matched);
        add_allowed(allow, route->method);
        if (route->method == method &&
            (found == NULL || (route->type != NULL && api_type_is(type, route->type)))) {
            found = route;
        }
    }
    return found;
}
