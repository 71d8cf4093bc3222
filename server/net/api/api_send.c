#include "net/api/api_send.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/gate/context.h"

#define BUSY_SECONDS "1" /* until a client may try again at a busy time */

int api_send(struct lws *wsi, const struct api_answer *answer)
{
    size_t size = answer->text != NULL ? strlen(answer->text) : 0;
    uint8_t *buffer = malloc(PAGE_HEADROOM + size);
    struct response response = {
        .status = answer->status, .type = API_TYPE, .cache = "no-store", .close = answer->close};
    int result = -1;

    memcpy(response.extra, answer->extra, sizeof response.extra);
    if (buffer != NULL) {
        memcpy(buffer + PAGE_HEADROOM, answer->text != NULL ? answer->text : "", size);
        response.body = buffer + PAGE_HEADROOM;
        response.size = size;
        result = respond(wsi, &response);
    }
    free(buffer);
    free(answer->text);
    return result;
}

int api_send_text(struct lws *wsi, unsigned status, char *text)
{
    if (text == NULL) {
        return -1;
    }
    return api_send(wsi, &(struct api_answer){.status = status, .text = text});
}

int api_send_fault(struct lws *wsi, unsigned status, const struct api_fault *fault)
{
    struct api_answer answer = {.status = status, .text = api_write_fault(fault)};

    if (status == HTTP_STATUS_UNAUTHORIZED) {
        answer.extra[0] = (struct respond_header){"www-authenticate:", "Bearer"};
    } else if (status == HTTP_STATUS_SERVICE_UNAVAILABLE) {
        answer.extra[0] = (struct respond_header){"retry-after:", BUSY_SECONDS};
    }
    return answer.text != NULL ? api_send(wsi, &answer) : -1;
}

int api_send_wait(struct lws *wsi, const struct api_fault *fault, uint32_t seconds)
{
    char header[16];
    struct api_answer answer = {.status = API_TOO_MANY,
                                .text = api_write_fault(fault),
                                .extra = {{"retry-after:", header}}};

    snprintf(header, sizeof header, "%u", seconds);
    return answer.text != NULL ? api_send(wsi, &answer) : -1;
}

void api_explain_tries(struct api_fault *fault, uint32_t seconds)
{
    api_refuse(fault, PROTO_E_FLOOD, "", "too many wrong keys were tried; try again in %u s",
               seconds);
}

int api_send_refusal(struct lws *wsi, unsigned status, enum proto_code code, const char *field,
                     const char *message)
{
    struct api_fault fault;

    api_refuse(&fault, code, field, "%s", message);
    return api_send_fault(wsi, status, &fault);
}

unsigned api_status_of(enum proto_code code)
{
    switch (code) {
    case PROTO_E_ROOM:
        return HTTP_STATUS_NOT_FOUND;
    case PROTO_E_KEY:
    case PROTO_E_ROLE:
        return HTTP_STATUS_FORBIDDEN;
    case PROTO_E_FULL:
    case PROTO_E_STATE:
        return HTTP_STATUS_CONFLICT;
    case PROTO_E_FLOOD:
        return API_TOO_MANY;
    default:
        return HTTP_STATUS_BAD_REQUEST;
    }
}

int api_refuse_room(struct lws *wsi)
{
    return api_send_refusal(wsi, HTTP_STATUS_NOT_FOUND, PROTO_E_ROOM, "", "there is no such room");
}

int api_refuse_no_key(struct lws *wsi)
{
    return api_send_refusal(wsi, HTTP_STATUS_UNAUTHORIZED, PROTO_E_KEY, "",
                            "expected Authorization: Bearer and the room's key");
}

int api_refuse_wrong_key(struct lws *wsi)
{
    return api_send_refusal(wsi, HTTP_STATUS_FORBIDDEN, PROTO_E_KEY, "", API_WRONG_KEY);
}

int api_refuse_busy(struct lws *wsi)
{
    return api_send_refusal(wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, PROTO_E_FULL, "",
                            "the server is too busy; try again in a moment");
}

int api_refuse_transfer(struct context *context, struct lws *wsi)
{
    counter_add(&context->counts.refused[COUNTS_TRANSFERS], 1);
    return api_send_refusal(wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, PROTO_E_FULL, "",
                            "too many recordings are transferred, for this address or "
                            "in all; try again when one has finished");
}

int api_refuse_method(struct lws *wsi, const char *allowed)
{
    struct api_fault fault;
    struct api_answer answer = {.status = HTTP_STATUS_METHOD_NOT_ALLOWED,
                                .extra = {{"allow:", allowed}}};

    api_refuse(&fault, PROTO_E_TYPE, "", "expected one of these methods: %s", allowed);
    answer.text = api_write_fault(&fault);
    return answer.text != NULL ? api_send(wsi, &answer) : -1;
}

int api_refuse_body(struct lws *wsi, unsigned status, const char *message)
{
    struct api_fault fault;
    struct api_answer answer = {.status = status, .close = true};

    api_refuse(&fault, PROTO_E_MALFORMED, "", "%s", message);
    answer.text = api_write_fault(&fault);
    return answer.text != NULL ? api_send(wsi, &answer) : -1;
}
