#include "net/api/api_key.h"

#include <string.h>

#include "base/key.h"
#include "net/api/api_line.h"
#include "net/api/api_send.h"
#include "net/gate/bearer.h"

/* In a server where everyone may create rooms, a made key is compared without the limit of wrong
 * keys: programs may send any key. */
static enum tries_result compare_key(const struct context *context, struct api_request *request,
                                     struct tries_pass pass)
{
    const struct service *service = context->service;
    const struct bearer_lock lock = {.kind = TRIES_PRESENTER,
                                     .key = service->key,
                                     .made = service->key_made,
                                     .room = request->code[0] != '\0' ? request->code : NULL};

    if (service->config->rooms == CONFIG_ROOMS_OPEN && service->key_made) {
        return key_same(service->key, request->key) ? TRIES_RIGHT : TRIES_WRONG;
    }
    return bearer_try(context, request->wsi, &lock, request->key, pass, &request->wait);
}

void api_compare_key(const struct context *context, struct api_request *request,
                     struct tries_pass pass)
{
    static const enum api_shown shown[] = {[TRIES_RIGHT] = API_SHOWN_RIGHT,
                                           [TRIES_WRONG] = API_SHOWN_WRONG,
                                           [TRIES_TOO_MANY] = API_SHOWN_LATER};

    request->shown = shown[compare_key(context, request, pass)];
    request->trusted = request->shown == API_SHOWN_RIGHT;
}

static bool is_compared(const struct api_request *request)
{
    return request->shown == API_SHOWN_RIGHT || request->shown == API_SHOWN_WRONG;
}

bool api_may_create(const struct context *context, struct lws *wsi, struct api_request *request,
                    int *result)
{
    const enum config_rooms rooms = context->service->config->rooms;

    if (rooms == CONFIG_ROOMS_OFF) {
        *result = api_send_refusal(wsi, HTTP_STATUS_FORBIDDEN, PROTO_E_ROLE, "",
                                   "this server has the lobby and no other rooms");
        return false;
    }
    if (rooms == CONFIG_ROOMS_PRESENTER && !request->has_key) {
        *result = api_send_refusal(wsi, HTTP_STATUS_UNAUTHORIZED, PROTO_E_KEY, "",
                                   "expected Authorization: Bearer and the server's presenter key");
        return false;
    }
    if (request->has_key && !is_compared(request)) {
        api_compare_key(context, request, (struct tries_pass){.kind = TRIES_OR_LINE});
    }
    if (rooms == CONFIG_ROOMS_PRESENTER && request->shown == API_SHOWN_WRONG) {
        *result = api_send_refusal(wsi, HTTP_STATUS_FORBIDDEN, PROTO_E_KEY, "",
                                   "that is not the server's presenter key");
        return false;
    }
    return true;
}

/* Compares a chosen key of the server. Returns false if the request waits or is refused. */
static bool try_chosen_key(struct context *context, struct api_request *request, int *result)
{
    if (!is_compared(request)) {
        api_compare_key(context, request, (struct tries_pass){.kind = TRIES_OR_LINE});
    }
    if (request->shown == API_SHOWN_LATER) {
        *result = api_stand_in_line(context, request);
    } else if (request->shown == API_SHOWN_WRONG) {
        *result = api_refuse_wrong_key(request->wsi);
    }
    return request->trusted;
}

/* The server's key opens the lobby while it is the lobby's key. Keys that flockd made are compared
 * without a limit, and the room counts a wrong key. */
bool api_may_ask(struct context *context, struct api_request *request, bool administers,
                 int *result)
{
    const struct service *service = context->service;
    const struct directory_entry *room = &request->room;

    if ((!administers && !key_same(room->key, service->key)) ||
        (room->key_made && key_same(room->key, request->key))) {
        return true;
    }
    if (service->key_made) {
        request->trusted = key_same(service->key, request->key);
        return true;
    }
    return try_chosen_key(context, request, result);
}
