#include "net/api/api_branch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/api/api_key.h"
#include "net/api/api_make.h"
#include "net/api/api_send.h"

int api_branch(struct context *context, struct api_request *request)
{
    const struct service *service = context->service;
    struct hub_request *question;
    int result = -1;

    if (service->config->rooms == CONFIG_ROOMS_OFF) {
        return api_send_refusal(request->wsi, HTTP_STATUS_FORBIDDEN, PROTO_E_ROLE, "",
                                "this server has the lobby and no other rooms");
    }
    if (!api_may_ask(context, request, false, &result)) {
        return result;
    }
    question = calloc(1, sizeof *question);
    request->definition = malloc(sizeof *request->definition);
    if (question == NULL || request->definition == NULL) {
        free(question);
        return -1;
    }
    api_define(service, request->definition);
    request->definition->trusted = request->room.trusted;
    memcpy(request->definition->title, request->room.title, sizeof request->definition->title);
    question->listed = -1;
    question->branch = true;
    return api_ask(context, request, question) ? 0 : api_refuse_busy(request->wsi);
}

static bool refuse_memory(struct api_request *request)
{
    request->status = HTTP_STATUS_SERVICE_UNAVAILABLE;
    return api_refuse(&request->fault, PROTO_E_FULL, "", "out of memory");
}

bool api_make_branch(struct context *context, struct api_request *request,
                     struct hub_answer *answer)
{
    const char *body = request->size > 0 ? request->body : "{}";
    size_t size = request->size > 0 ? request->size : 2;
    struct hub_request *change =
        api_read_change(body, size, flock_model_name(answer->model), &request->fault);
    struct api_origin origin = {
        .state = answer->state, .size = answer->state_size, .change = change};

    if (change == NULL) {
        request->status = api_status_of(request->fault.code);
        return false;
    }
    if (answer->join_key == NULL) {
        free(change);
        return refuse_memory(request);
    }
    snprintf(request->definition->join_key, sizeof request->definition->join_key, "%s",
             change->has_join_key ? change->join_key : answer->join_key);
    request->definition->flock.boids = answer->boids;
    answer->state = NULL;
    if (!api_start_making(context, request, request->definition, change->listed > 0, &origin)) {
        return refuse_memory(request);
    }
    return true;
}
