#include "net/api/api_branch.h"

#include <stdlib.h>
#include <string.h>

#include "net/api/api_send.h"
#include "net/gate/address.h"

int api_branch(struct context *context, struct api_request *request)
{
    const struct service *service = context->service;
    struct directory_entry room;
    struct hub_request *question;

    if (!directory_find(hub_directory(service->hub), request->code, &room)) {
        return api_refuse_room(request->wsi);
    }
    if (!request->has_key) {
        return api_refuse_no_key(request->wsi);
    }
    if (service->config->rooms == CONFIG_ROOMS_OFF) {
        return api_send_refusal(request->wsi, HTTP_STATUS_FORBIDDEN, PROTO_E_ROLE, "",
                                "this server has the lobby and no other rooms");
    }
    question = calloc(1, sizeof *question);
    request->definition = malloc(sizeof *request->definition);
    if (question == NULL || request->definition == NULL) {
        free(question);
        return -1;
    }
    api_define(service, request->definition);
    request->definition->trusted = room.trusted;
    memcpy(request->definition->title, room.title, sizeof request->definition->title);
    question->listed = -1;
    question->branch = true;
    return api_ask(context, request, room.number, question) ? 0 : api_refuse_busy(request->wsi);
}

/* Makes the room, with the changes in the request's body. */
static void make_branch(struct context *context, struct api_request *request,
                        const struct hub_reply *reply, const struct hub_request *change)
{
    struct room_definition *definition = request->definition;
    const struct hub_origin origin = {
        .state = reply->state, .size = reply->state_size, .change = change};
    char address[NETWORK_ADDRESS_MAX];

    if (change->has_join_key) {
        memcpy(definition->join_key, change->join_key, sizeof definition->join_key);
    }
    definition->flock.boids = reply->boids;
    address_of(request->wsi, address);
    api_make(context->service, definition, &origin, change->listed > 0, address, request->made);
}

void api_make_branch(struct context *context, struct api_request *request,
                     const struct hub_reply *reply)
{
    const char *body = request->size > 0 ? request->body : "{}";
    size_t size = request->size > 0 ? request->size : 2;
    struct hub_request *change = api_read_change(body, size, reply->model, &request->fault);

    if (change == NULL) {
        request->status = api_status_of(request->fault.code);
        return;
    }
    request->made = calloc(1, sizeof *request->made);
    if (request->made != NULL) {
        request->status = API_CREATED;
        make_branch(context, request, reply, change);
    } else {
        api_refuse(&request->fault, PROTO_E_FULL, "", "out of memory");
        request->status = HTTP_STATUS_SERVICE_UNAVAILABLE;
    }
    free(change);
}
