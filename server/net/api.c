#include "net/api.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "net/api_recording.h"
#include "net/api_rooms.h"
#include "net/api_send.h"
#include "net/bearer.h"
#include "net/origin.h"
#include "room/recording.h"

#define BODY_MAX  8192
#define BODY_TIME 10000000 /* µs for all of it */
#define RECORDING "/recording"

/* Whether the path is that folder's, or of something in it. */
static bool begins(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

bool api_serves(const char *path)
{
    return begins(path, API_FOLDER);
}

/* ---- those that wait for the hub ---- */

static void take_out(struct context *context, struct api_request *request)
{
    struct api_request **at = &context->asked;

    while (*at != NULL && *at != request) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        *at = request->next;
    }
}

static void explain(const struct proto_error *error, uint32_t wait, struct api_fault *fault)
{
    if (error->code == PROTO_E_FLOOD) {
        api_explain_tries(fault, wait);
    } else if (error->code == PROTO_E_KEY) {
        api_refuse(fault, PROTO_E_KEY, "", "that is not this room's key");
    } else if (error->code == PROTO_E_ROOM) {
        api_refuse(fault, PROTO_E_ROOM, "", "the room has ended");
    } else {
        api_explain(error, fault);
    }
}

void api_answer(struct context *context, const struct hub_reply *reply)
{
    struct api_request *request = context->asked;

    while (request != NULL && request->ticket != reply->session) {
        request = request->next;
    }
    if (request != NULL) {
        take_out(context, request);
        request->status = HTTP_STATUS_NO_CONTENT;
        request->recording = reply->recording;
        if (reply->error != NULL && reply->error->code != PROTO_OK) {
            explain(reply->error, reply->wait, &request->fault);
            request->wait = reply->wait;
            request->status = api_status_of(reply->error->code);
        }
        lws_callback_on_writable(request->wsi);
    } else {
        recording_destroy(reply->recording);
    }
    free(reply->error);
}

static void release(struct api_request *request)
{
    recording_destroy(request->recording);
    free(request);
}

void api_forget(struct context *context, struct api_request **asked)
{
    if (*asked != NULL) {
        take_out(context, *asked);
        release(*asked);
        *asked = NULL;
    }
}

/* ---- requests ---- */

/* Does what a request asks for, all of which is there. *asked is gone once there is an answer:
 * libwebsockets frees what it keeps for us of a connection after each. */
static int handle(struct context *context, struct api_request **asked)
{
    struct api_request *request = *asked;
    bool expects_json = !request->past && request->method != REQUEST_DELETE;
    int result;

    *asked = NULL;
    if (expects_json && !request->json) {
        result = api_send_refusal(request->wsi, HTTP_STATUS_UNSUPPORTED_MEDIA_TYPE,
                                  PROTO_E_MALFORMED, "", "expected Content-Type: application/json");
    } else if (request->past) {
        result = api_get_recording(context, request);
    } else if (request->method == REQUEST_POST) {
        result = api_create(context, request);
    } else {
        result = api_change(context, request);
    }
    if (request->ticket != 0) {
        *asked = request;
    } else {
        free(request);
    }
    return result;
}

static bool is_json(struct lws *wsi)
{
    char type[64];
    size_t length = strlen(API_TYPE);

    request_header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, type, sizeof type);
    return strncasecmp(type, API_TYPE, length) == 0 && strchr("; ", type[length]) != NULL;
}

/* Whether its client speaks TLS, to flockd or to a proxy in front of it. Who says so of himself
 * only gets another address to read. */
static bool is_secret(struct lws *wsi)
{
    static const char by[] = "x-forwarded-proto:";
    char said[8];

    return lws_is_ssl(wsi) || (lws_hdr_custom_copy(wsi, said, sizeof said, by, sizeof by - 1) > 0 &&
                               strcasecmp(said, "https") == 0);
}

static struct api_request *keep(const struct context *context, struct lws *wsi,
                                enum request_method method, size_t length)
{
    struct api_request *request = calloc(1, sizeof *request + length);

    if (request == NULL) {
        return NULL;
    }
    request->wsi = wsi;
    request->method = method;
    request->length = length;
    request->expires = hub_now(context->service->hub) + BODY_TIME;
    request->json = is_json(wsi);
    request->secret = is_secret(wsi);
    request_header(wsi, WSI_TOKEN_HOST, request->host, sizeof request->host);
    request->has_key = lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_AUTHORIZATION) > 0;
    (void)bearer_key(wsi, request->key); /* "" is wrong, too */
    return request;
}

/* A request that changes something. */
static int begin_change(struct context *context, struct lws *wsi, enum request_method method,
                        const char *code, struct api_request **asked)
{
    int64_t length = request_length(wsi);

    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0 ||
        (length == REQUEST_NO_LENGTH && method != REQUEST_DELETE)) {
        return api_refuse_body(wsi, HTTP_STATUS_LENGTH_REQUIRED,
                               "expected a body with a Content-Length, such as {}");
    }
    if (length == REQUEST_BAD_LENGTH || length > BODY_MAX) {
        return api_refuse_body(wsi, HTTP_STATUS_REQ_ENTITY_TOO_LARGE,
                               "expected a body of at most 8,192 bytes");
    }
    length = length > 0 ? length : 0;
    *asked = keep(context, wsi, method, (size_t)length);
    if (*asked == NULL) {
        return -1;
    }
    snprintf((*asked)->code, sizeof(*asked)->code, "%s", code);
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, BODY_TIME / 1000000);
    /* libwebsockets says that an empty body is complete only of a POST. */
    return length > 0 || method == REQUEST_POST ? 0 : handle(context, asked);
}

static int begin_recording(struct context *context, struct lws *wsi, const char *code,
                           struct api_request **asked)
{
    *asked = keep(context, wsi, REQUEST_GET, 0);
    if (*asked == NULL) {
        return -1;
    }
    snprintf((*asked)->code, sizeof(*asked)->code, "%s", code);
    (*asked)->past = true;
    return handle(context, asked);
}

/* The code in CODE or CODE/recording, canonical; "": it is none. Returns whether it is the latter.
 */
static bool take_name(const char *name, char code[PROTO_ROOM_MAX + 1])
{
    size_t length = strcspn(name, "/");
    bool recording = strcmp(name + length, RECORDING) == 0;
    char typed[4 * PROTO_ROOM_MAX];

    if ((recording || name[length] == '\0') && length < sizeof typed) {
        memcpy(typed, name, length);
        typed[length] = '\0';
        if (proto_room_valid(typed)) {
            proto_room_canonical(typed, code);
        }
    }
    return recording;
}

int api_begin(struct context *context, struct lws *wsi, enum request_method method,
              const char *path, struct api_request **asked)
{
    bool served = begins(path, API_PATH);
    const char *name = served ? path + strlen(API_PATH) : "";
    char code[PROTO_ROOM_MAX + 1] = "";
    bool room = name[0] == '/';
    bool past = false;
    const char *fault;

    if (*asked != NULL) {
        return -1; /* it does not wait for the answer to the request before */
    }
    fault = origin_refusal(context->service->config, wsi, false);
    if (fault != NULL) {
        return api_send_refusal(wsi, HTTP_STATUS_FORBIDDEN, PROTO_E_ROLE, "", fault);
    }
    if (!respond_may(wsi)) {
        return api_send_refusal(wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, PROTO_E_FULL, "",
                                "the server sends as much as it may; try again in a moment");
    }
    if (strcmp(path, API_FOLDER) == 0 || strcmp(path, API_FOLDER "/") == 0) {
        return method == REQUEST_GET || method == REQUEST_HEAD
                   ? api_get_server(context, wsi)
                   : api_refuse_method(wsi, "GET, HEAD");
    }
    if (room) {
        past = take_name(name + 1, code);
    }
    if (!served || (room && code[0] == '\0')) {
        return api_refuse_room(wsi);
    }
    if (past) {
        return method == REQUEST_GET || method == REQUEST_HEAD
                   ? begin_recording(context, wsi, code, asked)
                   : api_refuse_method(wsi, "GET, HEAD");
    }
    if (method == REQUEST_GET || method == REQUEST_HEAD) {
        return api_get(context, wsi, code);
    }
    if (room ? method != REQUEST_PATCH && method != REQUEST_DELETE : method != REQUEST_POST) {
        return api_refuse_method(wsi, room ? "GET, HEAD, PATCH, DELETE" : "GET, HEAD, POST");
    }
    return begin_change(context, wsi, method, code, asked);
}

int api_body(struct context *context, struct api_request **asked, const void *bytes, size_t size)
{
    struct api_request *request = *asked;

    if (request == NULL) {
        return 0; /* it has been answered */
    }
    if (size > request->length - request->size ||
        hub_now(context->service->hub) > request->expires) {
        return -1;
    }
    if (size > 0) {
        memcpy(request->body + request->size, bytes, size);
        request->size += size;
    }
    return 0;
}

int api_complete(struct context *context, struct api_request **asked)
{
    if (*asked == NULL) {
        return -1;
    }
    /* What comes while the hub is asked is another request, which gets no answer. */
    return (*asked)->ticket != 0 ? 0 : handle(context, asked);
}

int api_writable(struct api_request **asked)
{
    struct api_request *request = *asked;
    int result;

    if (request == NULL || request->status == 0) {
        return 0;
    }
    *asked = NULL; /* see handle() */
    if (request->recording != NULL) {
        result = api_send_recording(request);
    } else if (request->status == HTTP_STATUS_NO_CONTENT) {
        result = api_send(request->wsi, &(struct api_answer){.status = request->status});
    } else if (request->status == API_TOO_MANY) {
        result = api_send_wait(request->wsi, &request->fault, request->wait);
    } else {
        result = api_send_fault(request->wsi, request->status, &request->fault);
    }
    release(request);
    return result;
}
