/* The routes of the API as a table: what a request may ask for, and what it needs. 404, 405 and the
 * header Allow follow from it. docs/API.md has the same table. Pure, apart from the handlers. */
#ifndef API_ROUTES_H
#define API_ROUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/api/api_rooms.h"
#include "net/http/request.h"

#define API_ALLOW_MAX 64u

enum api_key {
    API_KEY_NONE,
    API_KEY_ROOM,   /* the room's */
    API_KEY_SERVER, /* the server's, unless everyone may create rooms (--rooms) */
};

enum api_needs { API_BODY_NONE, API_BODY_OPTIONAL, API_BODY_REQUIRED };

struct api_route {
    enum request_method method; /* REQUEST_GET stands for HEAD, too */
    const char *path;           /* CODE stands for the code of a room, which must exist */
    enum api_key key;
    enum api_needs body;
    const char *type;      /* Content-Type of the body; NULL: any */
    uint32_t body_max;     /* bytes */
    const char *too_large; /* says so */
    uint32_t body_time;    /* s for the whole body */
    /* Called before the body; NULL: nothing to do. Returns false, with the result of a refusal. */
    bool (*begin)(struct context *context, struct lws *wsi, struct api_request *request,
                  int *result);
    /* Answers the complete request, or asks the hub. Returns what the HTTP callback returns. */
    int (*handle)(struct context *context, struct api_request *request);
    const char *text; /* for docs/API.md */
};

extern const struct api_route api_routes[];
extern const size_t api_route_count;

/* Finds the route of a method, path and Content-Type ("": the request has no Content-Type). If
 * no route takes the type, returns the first route of the method and path. Stores the code in its
 * canonical form; "" if the path has none. If the path has no such method, returns NULL and stores
 * the path's methods in `allow` (API_ALLOW_MAX bytes); "": the path is unknown. */
const struct api_route *api_route_find(enum request_method method, const char *path,
                                       const char *type, char code[PROTO_ROOM_MAX + 1],
                                       char *allow);

/* Returns true if that Content-Type is of the expected type. */
bool api_type_is(const char *type, const char *expected);

#endif
