#include "net/api/api.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "net/api/api_branch.h"
#include "net/api/api_job.h"
#include "net/api/api_key.h"
#include "net/api/api_line.h"
#include "net/api/api_recording.h"
#include "net/api/api_rooms.h"
#include "net/api/api_routes.h"
#include "net/api/api_send.h"
#include "net/api/api_upload.h"
#include "net/gate/bearer.h"
#include "net/gate/connection.h"
#include "net/gate/origin.h"
#include "net/gate/wire.h"
#include "past/recording.h"

/* Returns true if the path is that folder or lies in it. */
static bool is_in_folder(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

bool api_serves(const char *path)
{
    return is_in_folder(path, API_FOLDER);
}

/* ---- requests that wait for the hub ---- */

static struct api_request *find_asked(const struct context *context, uint64_t ticket)
{
    struct list_item *item = context->asked.first;

    while (item != NULL && list_entry(item, struct api_request, item)->ticket != ticket) {
        item = item->next;
    }
    return list_entry(item, struct api_request, item);
}

static void explain_error(const struct proto_error *error, uint32_t wait, struct api_fault *fault)
{
    if (error->code == PROTO_E_FLOOD && error->after == 0) {
        api_explain_tries(fault, wait);
    } else if (error->code == PROTO_E_KEY) {
        api_refuse(fault, PROTO_E_KEY, "", API_WRONG_KEY);
    } else if (error->code == PROTO_E_ROOM) {
        api_refuse(fault, PROTO_E_ROOM, "", "the room has ended");
    } else {
        api_explain(error, fault);
    }
}

/* The answer is sent at once, outside the writable callback: before that callback libwebsockets
 * would read what follows the request, and end the connection for it. */
static void send_answer(struct context *context, struct api_request *request)
{
    struct lws *wsi = request->wsi;
    struct http_connection *connection = lws_wsi_user(wsi);

    assert(request->status != 0 && request->job == NULL);

    lws_rx_flow_control(wsi, 1); /* see api_await(): needed to send what remains */
    if (api_writable(context, &connection->asked) != 0) {
        lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
    }
}

/* Starts the work that the hub's answer needs before the client can be answered. Returns false if
 * there is none, or it cannot be started. */
static bool start_work(struct context *context, struct api_request *request,
                       struct hub_answer *answer)
{
    struct recording *recording = answer->recording;

    answer->recording = NULL;
    return recording != NULL ? api_pack_recording(context, request, recording)
                             : answer->state != NULL && api_make_branch(context, request, answer);
}

void api_answer(struct context *context, struct hub_reply *reply)
{
    struct api_request *request = find_asked(context, reply->session);
    struct hub_answer *answer = &reply->answer;
    bool works = false;

    if (request != NULL) {
        list_remove(&context->asked, &request->item);
        request->status = HTTP_STATUS_NO_CONTENT;
        works = start_work(context, request, answer);
        if (answer->error != NULL && answer->error->code != PROTO_OK) {
            explain_error(answer->error, answer->wait, &request->fault);
            request->wait = answer->error->after > 0 ? answer->error->after : answer->wait;
            request->status = api_status_of(answer->error->code);
        }
        if (!works) {
            send_answer(context, request);
        }
    }
    hub_answer_finish(answer);
}

static void release_request(struct context *context, struct api_request *request)
{
    readers_leave(&context->requests, &request->reader);
    api_forget_line(context, request);
    api_forget_upload(context, request);
    api_forget_job(request);
    api_forget_recording(request);
    free(request->definition);
    free(request->made);
    free(request->body);
    free(request);
}

void api_forget(struct context *context, struct api_request **asked)
{
    if (*asked != NULL) {
        if (list_has(&context->asked, &(*asked)->item)) {
            list_remove(&context->asked, &(*asked)->item);
        }
        release_request(context, *asked);
        *asked = NULL;
    }
}

/* ---- requests ---- */

/* Finds the room of the request: on this node, or to describe it, on any node. */
static bool find_room(const struct context *context, struct api_request *request)
{
    struct routes *routes = api_source_routes(context->service->cluster);

    if (directory_find(hub_directory(context->service->hub), request->code, &request->room)) {
        return true;
    }
    return routes != NULL && request->route->handle == api_show_room &&
           routes_entry(routes, request->code, &request->room);
}

/* A request for a room that has just moved to another node, or from one, may be tried again. */
static int refuse_room(const struct context *context, const struct api_request *request)
{
    struct routes *routes = api_source_routes(context->service->cluster);
    struct directory_entry entry;

    return routes != NULL && routes_entry(routes, request->code, &entry)
               ? api_refuse_busy(request->wsi)
               : api_refuse_room(request->wsi);
}

/* Returns true if the request has what its route needs; else stores the result of its refusal. */
static bool is_served(struct context *context, struct api_request *request, int *result)
{
    const struct api_route *route = request->route;
    bool has_body = route->body == API_BODY_REQUIRED || request->length > 0;

    if (has_body && route->type != NULL && !api_type_is(request->type, route->type)) {
        *result = api_send_refusal(request->wsi, HTTP_STATUS_UNSUPPORTED_MEDIA_TYPE,
                                   PROTO_E_MALFORMED, "", "expected Content-Type: " API_TYPE);
        return false;
    }
    if (request->code[0] != '\0' && !find_room(context, request)) {
        *result = refuse_room(context, request);
        return false;
    }
    if (route->key == API_KEY_ROOM && !request->has_key) {
        *result = api_refuse_no_key(request->wsi);
        return false;
    }
    return true;
}

/* Handles a complete request, again after it has waited in line. After the answer *asked must not
 * be used: libwebsockets frees its memory of the connection. */
static int handle_request(struct context *context, struct api_request **asked)
{
    struct api_request *request = *asked;
    int result;

    *asked = NULL;
    if (is_served(context, request, &result)) {
        result = request->route->handle(context, request);
    }
    if (request->ticket != 0) {
        *asked = request;
    } else {
        release_request(context, request);
    }
    return result;
}

/* Returns true if the client uses TLS, to flockd or to a proxy in front of it. A client that claims
 * this falsely only sees another address in its answer. */
static bool is_secret(struct lws *wsi)
{
    static const char by[] = "x-forwarded-proto:";
    char said[8];

    return lws_is_ssl(wsi) || (lws_hdr_custom_copy(wsi, said, sizeof said, by, sizeof by - 1) > 0 &&
                               strcasecmp(said, "https") == 0);
}

static struct api_request *keep_request(struct lws *wsi, const struct api_route *route,
                                        size_t length)
{
    struct api_request *request = calloc(1, sizeof *request);
    char *body = malloc(length + 1);

    if (request == NULL || body == NULL) {
        free(request);
        free(body);
        return NULL;
    }
    request->route = route;
    request->body = body;
    request->wsi = wsi;
    request->resume = send_answer;
    request->length = length;
    request_header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, request->type, sizeof request->type);
    request->secret = is_secret(wsi);
    request_header(wsi, WSI_TOKEN_HOST, request->host, sizeof request->host);
    request->has_key = lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_AUTHORIZATION) > 0;
    (void)bearer_key(wsi, request->key); /* "" is a wrong key, too */
    return request;
}

/* Stores the length of the body that the route has. Returns false, with the result of a refusal, if
 * it is not known or too large. */
static bool read_length(struct lws *wsi, const struct api_route *route, size_t *length, int *result)
{
    int64_t said = request_length(wsi);

    *length = 0;
    if (route->body == API_BODY_NONE) {
        return true;
    }
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0 ||
        (said == REQUEST_NO_LENGTH && route->body == API_BODY_REQUIRED)) {
        *result = api_refuse_body(wsi, HTTP_STATUS_LENGTH_REQUIRED,
                                  "expected a body with a Content-Length, such as {}");
        return false;
    }
    if (said == REQUEST_BAD_LENGTH || said > route->body_max) {
        *result = api_refuse_body(wsi, HTTP_STATUS_REQ_ENTITY_TOO_LARGE, route->too_large);
        return false;
    }
    *length = said > 0 ? (size_t)said : 0;
    return true;
}

/* Waits for the request's body, or handles the request. */
static int begin_body(struct context *context, struct lws *wsi, struct api_request **asked)
{
    struct api_request *request = *asked;
    const struct api_route *route = request->route;
    int result = -1;

    request->expires =
        hub_now(context->service->hub) + (uint64_t)route->body_time * UINT64_C(1000000);
    if (route->begin != NULL && !route->begin(context, wsi, request, &result)) {
        if (!request->lined) {
            *asked = NULL;
            release_request(context, request);
        }
        return result;
    }
    if (route->body == API_BODY_NONE) {
        return handle_request(context, asked);
    }
    if (route->begin != NULL) {
        connection_wait(context, wsi, route->body_time * 1000);
    } else {
        lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, (int)route->body_time);
    }
    /* libwebsockets announces the end of an empty body only for POST. */
    return request->length > 0 || route->method == REQUEST_POST ? 0
                                                                : handle_request(context, asked);
}

static int begin_request(struct context *context, struct lws *wsi, const struct api_route *route,
                         const char *code, struct api_request **asked)
{
    size_t length;
    int result = -1;

    if (!read_length(wsi, route, &length, &result)) {
        return result;
    }
    *asked = keep_request(wsi, route, length);
    if (*asked == NULL) {
        return -1;
    }
    snprintf((*asked)->code, sizeof(*asked)->code, "%s", code);
    return begin_body(context, wsi, asked);
}

int api_begin(struct context *context, struct lws *wsi, enum request_method method,
              const char *path, struct api_request **asked)
{
    const struct api_route *route;
    char code[PROTO_ROOM_MAX + 1];
    char allow[API_ALLOW_MAX];
    char type[API_TYPE_MAX];
    const char *fault;

    if (*asked != NULL) {
        return -1; /* the request does not wait for the previous answer */
    }
    fault = origin_refusal(context->service->config, wsi, false);
    if (fault != NULL) {
        return api_send_refusal(wsi, HTTP_STATUS_FORBIDDEN, PROTO_E_ROLE, "", fault);
    }
    if (!respond_may(wsi)) {
        return api_send_refusal(
            wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, PROTO_E_FULL, "",
            "the server has reached its bandwidth limit; try again in a moment");
    }
    request_header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, type, sizeof type);
    route = api_route_find(method, path, type, code, allow);
    if (route != NULL) {
        return begin_request(context, wsi, route, code, asked);
    }
    return allow[0] != '\0' ? api_refuse_method(wsi, allow) : api_refuse_room(wsi);
}

static bool has_fault(const struct api_request *request)
{
    return request->fault.code != PROTO_OK;
}

int api_body(struct context *context, struct api_request **asked, const void *bytes, size_t size)
{
    struct api_request *request = *asked;

    if (request == NULL) {
        return 0; /* it was answered already */
    }
    if (size > request->length - request->size ||
        hub_now(context->service->hub) > request->expires) {
        return -1;
    }
    if (has_fault(request) || !api_receive_upload(context, request, size)) {
        return 0; /* its refusal follows */
    }
    if (size > 0) {
        memcpy(request->body + request->size, bytes, size);
        request->size += size;
        connection_received(context, request->wsi, size);
        transfers_move(context->service->uploads, request->upload, size,
                       hub_now(context->service->hub));
    }
    return 0;
}

/* ---- turns ---- */

static uint64_t account_of(const struct context *context, const struct api_request *request)
{
    return context_account(context, &connection_of(request->wsi)->address);
}

/* Charges the request's address for handling it. */
static int handle_charged(struct context *context, struct api_request **asked)
{
    struct readers *requests = &context->requests;
    struct reader charged = {0};
    const bool counts =
        readers_join(requests, &charged, account_of(context, *asked), READERS_OTHERS);
    int result;

    context_free_work(context);
    result = handle_request(context, asked);
    if (counts) {
        readers_charge(requests, &charged, meter_take(&context->meter));
        readers_leave(requests, &charged);
    }
    return result;
}

/* Returns true if the request must wait for one of the next turns of the shard's loop. */
static bool must_wait(struct context *context, struct api_request *request)
{
    struct readers *requests = &context->requests;

    if (!readers_join(requests, &request->reader, account_of(context, request), READERS_OTHERS) ||
        !readers_must_wait(requests, &request->reader)) {
        readers_leave(requests, &request->reader);
        return false;
    }
    request->ticket = ++context->tickets;
    api_await(request);
    return true;
}

int api_complete(struct context *context, struct api_request **asked)
{
    if (*asked == NULL) {
        return -1;
    }
    if (has_fault(*asked)) {
        return 0; /* see api_body() */
    }
    if ((*asked)->ticket != 0) {
        return 0; /* these bytes belong to another request, which gets no answer */
    }
    if (context->adopts) {
        return handle_request(context, asked); /* charged, and limited, as a part of the adoption */
    }
    return must_wait(context, *asked) ? 0 : handle_charged(context, asked);
}

/* Handles a request that has waited for its turn. */
static void handle_later(struct context *context, struct api_request *request)
{
    struct lws *wsi = request->wsi;
    struct http_connection *connection = lws_wsi_user(wsi);

    readers_leave(&context->requests, &request->reader);
    request->ticket = 0;
    lws_rx_flow_control(wsi, 1); /* as in send_answer() */
    if (handle_charged(context, &connection->asked) != 0) {
        lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
    }
}

bool api_turn(struct context *context, bool late)
{
    struct readers *requests = &context->requests;
    struct reader *reader;

    readers_turn(requests, 0, late);
    while ((reader = readers_next(requests)) != NULL) {
        handle_later(context, (struct api_request *)(void *)((char *)reader -
                                                             offsetof(struct api_request, reader)));
    }
    return readers_wait(requests);
}

/* The body may have arrived while the request waited. */
int api_timer(struct context *context, struct api_request **asked)
{
    struct api_request *request = *asked;
    struct tries_pass pass;
    int result;

    if (request != NULL && request->lined && wire_has_ended(lws_get_socket_fd(request->wsi))) {
        return -1;
    }
    if (request == NULL || !api_line_moves(context, request, &pass)) {
        return 0;
    }
    api_compare_key(context, request, pass);
    if (request->route->begin != NULL) {
        result = begin_body(context, request->wsi, asked);
        if (*asked == NULL || request->size < request->length) {
            return result;
        }
    }
    return handle_request(context, asked);
}

int api_writable(struct context *context, struct api_request **asked)
{
    struct api_request *request = *asked;
    int result;

    if (request == NULL || request->status == 0) {
        return 0;
    }
    if (request->file != NULL && api_send_recording(context, request, &result)) {
        return result; /* there is more */
    }
    *asked = NULL; /* see handle_request() */
    if (request->file != NULL) {
        release_request(context, request);
        return result;
    }
    if (request->made != NULL) {
        result = api_send_made(context, request, request->made);
    } else if (request->status == HTTP_STATUS_OK) {
        result = api_send_recording_head(request);
    } else if (request->status == HTTP_STATUS_NO_CONTENT) {
        result = api_send(request->wsi, &(struct api_answer){.status = request->status});
    } else if (request->status == API_TOO_MANY) {
        result = api_send_wait(request->wsi, &request->fault, request->wait);
    } else {
        result = api_send_fault(request->wsi, request->status, &request->fault);
    }
    release_request(context, request);
    return result;
}
