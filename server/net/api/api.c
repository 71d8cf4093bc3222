#include "net/api/api.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "net/api/api_branch.h"
#include "net/api/api_job.h"
#include "net/api/api_recording.h"
#include "net/api/api_rooms.h"
#include "net/api/api_send.h"
#include "net/api/api_upload.h"
#include "net/gate/connection.h"
#include "net/gate/origin.h"
#include "net/http/bearer.h"
#include "past/recording.h"

#define BODY_MAX  8192
#define BODY_TIME 10000000 /* µs for the whole body */

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
                       struct hub_reply *reply)
{
    struct recording *recording = reply->recording;

    reply->recording = NULL;
    return recording != NULL ? api_pack_recording(context, request, recording)
                             : reply->state != NULL && api_make_branch(context, request, reply);
}

void api_answer(struct context *context, struct hub_reply *reply)
{
    struct api_request *request = find_asked(context, reply->session);
    bool works = false;

    if (request != NULL) {
        list_remove(&context->asked, &request->item);
        request->status = HTTP_STATUS_NO_CONTENT;
        works = start_work(context, request, reply);
        if (reply->error != NULL && reply->error->code != PROTO_OK) {
            explain_error(reply->error, reply->wait, &request->fault);
            request->wait = reply->wait;
            request->status = api_status_of(reply->error->code);
        }
        if (!works) {
            send_answer(context, request);
        }
    } else {
        recording_destroy(reply->recording);
    }
    free(reply->state);
    free(reply->error);
}

static void release_request(struct context *context, struct api_request *request)
{
    api_forget_upload(context, request);
    api_forget_job(request);
    free(request->packed);
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

/* ---- paths ---- */

/* What a path names, after API_PATH. */
enum name_what { NAME_ROOM, NAME_RECORDING, NAME_BRANCH, NAME_OTHER };

struct api_name {
    enum name_what what;
    char code[PROTO_ROOM_MAX + 1]; /* of the room, canonical; "": no room */
};

/* The part of a path after the code, and its methods. */
static const struct {
    const char *path;
    const char *methods;
} names[] = {
    [NAME_ROOM] = {"", "GET, HEAD, PATCH, DELETE"},
    [NAME_RECORDING] = {"/recording", "GET, HEAD"},
    [NAME_BRANCH] = {"/branch", "POST"},
};

/* Reads CODE, CODE/recording or CODE/branch. */
static void take_name(const char *path, struct api_name *name)
{
    size_t length = strcspn(path, "/");
    char typed[4 * PROTO_ROOM_MAX];

    while (name->what < NAME_OTHER && strcmp(path + length, names[name->what].path) != 0) {
        name->what++;
    }
    if (name->what < NAME_OTHER && length < sizeof typed) {
        memcpy(typed, path, length);
        typed[length] = '\0';
        if (proto_room_valid(typed)) {
            proto_room_canonical(typed, name->code);
        }
    }
}

/* Returns true if the method is allowed for that path. */
static bool may_method(enum request_method method, const struct api_name *name)
{
    bool reads = method == REQUEST_GET || method == REQUEST_HEAD;

    if (name->code[0] == '\0' || name->what == NAME_BRANCH) {
        return method == REQUEST_POST || (reads && name->what != NAME_BRANCH);
    }
    return reads ||
           (name->what == NAME_ROOM && (method == REQUEST_PATCH || method == REQUEST_DELETE));
}

/* ---- requests ---- */

/* Handles a complete request. After the answer *asked must not be used: libwebsockets frees its
 * memory of the connection. */
static int handle_request(struct context *context, struct api_request **asked)
{
    struct api_request *request = *asked;
    bool expects_json = !request->past && !request->upload && request->method != REQUEST_DELETE &&
                        !(request->branch && request->length == 0);
    int result;

    *asked = NULL;
    if (expects_json && !request->json) {
        result = api_send_refusal(request->wsi, HTTP_STATUS_UNSUPPORTED_MEDIA_TYPE,
                                  PROTO_E_MALFORMED, "", "expected Content-Type: application/json");
    } else if (request->past) {
        result = api_get_recording(context, request);
    } else if (request->branch) {
        result = api_branch(context, request);
    } else if (request->upload) {
        result = api_read_upload(context, request);
    } else if (request->method == REQUEST_POST) {
        result = api_create(context, request);
    } else {
        result = api_change(context, request);
    }
    if (request->ticket != 0) {
        *asked = request;
    } else {
        release_request(context, request);
    }
    return result;
}

/* Returns true if the request's Content-Type is that type. */
static bool is_typed(struct lws *wsi, const char *expected)
{
    char type[64];
    size_t length = strlen(expected);

    request_header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, type, sizeof type);
    return strncasecmp(type, expected, length) == 0 && strchr("; ", type[length]) != NULL;
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

static struct api_request *keep_request(const struct context *context, struct lws *wsi,
                                        enum request_method method, size_t length)
{
    struct api_request *request = calloc(1, sizeof *request);
    char *body = malloc(length + 1);

    if (request == NULL || body == NULL) {
        free(request);
        free(body);
        return NULL;
    }
    request->body = body;
    request->wsi = wsi;
    request->resume = send_answer;
    request->method = method;
    request->length = length;
    request->expires = hub_now(context->service->hub) + BODY_TIME;
    request->json = is_typed(wsi, API_TYPE);
    request->secret = is_secret(wsi);
    request_header(wsi, WSI_TOKEN_HOST, request->host, sizeof request->host);
    request->has_key = lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_AUTHORIZATION) > 0;
    (void)bearer_key(wsi, request->key); /* "" is a wrong key, too */
    return request;
}

/* A recording as body may be longer and take longer. */
static int begin_upload(struct context *context, struct lws *wsi, int64_t length,
                        struct api_request **asked)
{
    struct api_request *request;
    int result = -1;

    if (length > API_UPLOAD_MAX) {
        return api_refuse_body(wsi, HTTP_STATUS_REQ_ENTITY_TOO_LARGE,
                               "expected a recording of at most " API_UPLOAD_MAX_TEXT " bytes");
    }
    request = keep_request(context, wsi, REQUEST_POST, (size_t)length);
    if (request == NULL) {
        return -1;
    }
    if (!api_begin_upload(context, wsi, request, &result)) {
        release_request(context, request);
        return result;
    }
    request->upload = true;
    request->expires += (API_UPLOAD_TIME * UINT64_C(1000000)) - BODY_TIME;
    *asked = request;
    connection_wait(context, wsi, API_UPLOAD_TIME * 1000);
    return 0;
}

/* Handles a request that changes or makes a room. */
static int begin_change(struct context *context, struct lws *wsi, enum request_method method,
                        const struct api_name *name, struct api_request **asked)
{
    int64_t length = request_length(wsi);
    bool branch = name->what == NAME_BRANCH;

    length = branch && length == REQUEST_NO_LENGTH ? 0 : length;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0 ||
        (length == REQUEST_NO_LENGTH && method != REQUEST_DELETE)) {
        return api_refuse_body(wsi, HTTP_STATUS_LENGTH_REQUIRED,
                               "expected a body with a Content-Length, such as {}");
    }
    if (name->code[0] == '\0' && length >= 0 && is_typed(wsi, API_UPLOAD_TYPE)) {
        return begin_upload(context, wsi, length, asked);
    }
    if (length == REQUEST_BAD_LENGTH || length > BODY_MAX) {
        return api_refuse_body(wsi, HTTP_STATUS_REQ_ENTITY_TOO_LARGE,
                               "expected a body of at most 8,192 bytes");
    }
    length = length > 0 ? length : 0;
    *asked = keep_request(context, wsi, method, (size_t)length);
    if (*asked == NULL) {
        return -1;
    }
    snprintf((*asked)->code, sizeof(*asked)->code, "%s", name->code);
    (*asked)->branch = branch;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, BODY_TIME / 1000000);
    /* libwebsockets announces the end of an empty body only for POST. */
    return length > 0 || method == REQUEST_POST ? 0 : handle_request(context, asked);
}

static int begin_recording(struct context *context, struct lws *wsi, const char *code,
                           struct api_request **asked)
{
    *asked = keep_request(context, wsi, REQUEST_GET, 0);
    if (*asked == NULL) {
        return -1;
    }
    snprintf((*asked)->code, sizeof(*asked)->code, "%s", code);
    (*asked)->past = true;
    return handle_request(context, asked);
}

int api_begin(struct context *context, struct lws *wsi, enum request_method method,
              const char *path, struct api_request **asked)
{
    bool served = is_in_folder(path, API_PATH);
    const char *rest = served ? path + strlen(API_PATH) : "";
    struct api_name name = {.what = NAME_ROOM};
    bool room = rest[0] == '/';
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
    if (strcmp(path, API_FOLDER) == 0 || strcmp(path, API_FOLDER "/") == 0) {
        return method == REQUEST_GET || method == REQUEST_HEAD
                   ? api_get_server(context, wsi)
                   : api_refuse_method(wsi, "GET, HEAD");
    }
    if (room) {
        take_name(rest + 1, &name);
    }
    if (!served || (room && name.code[0] == '\0')) {
        return api_refuse_room(wsi);
    }
    if (!may_method(method, &name)) {
        return api_refuse_method(wsi, room ? names[name.what].methods : "GET, HEAD, POST");
    }
    if (name.what == NAME_RECORDING) {
        return begin_recording(context, wsi, name.code, asked);
    }
    if (method == REQUEST_GET || method == REQUEST_HEAD) {
        return api_get(context, wsi, name.code);
    }
    return begin_change(context, wsi, method, &name, asked);
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
    /* A body that arrives while the hub is asked belongs to another request, which gets no answer.
     */
    return (*asked)->ticket != 0 ? 0 : handle_request(context, asked);
}

int api_writable(struct context *context, struct api_request **asked)
{
    struct api_request *request = *asked;
    int result;

    if (request == NULL || request->status == 0) {
        return 0;
    }
    if (request->packed != NULL && api_send_recording(request, &result)) {
        return result; /* there is more */
    }
    *asked = NULL; /* see handle_request() */
    if (request->packed != NULL) {
        release_request(context, request);
        return result;
    }
    if (request->made != NULL) {
        result = api_send_made(context, request, request->made);
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
