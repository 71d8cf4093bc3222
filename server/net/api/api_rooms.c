#include "net/api/api_rooms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/api/api_job.h"
#include "net/api/api_key.h"
#include "net/api/api_line.h"
#include "net/api/api_list.h"
#include "net/api/api_make.h"
#include "net/api/api_send.h"
#include "net/gate/address.h"

/* ---- reading rooms ---- */

static const char *who_creates(const struct context *context)
{
    static const char *const words[] = {[CONFIG_ROOMS_OPEN] = "open",
                                        [CONFIG_ROOMS_PRESENTER] = "presenter",
                                        [CONFIG_ROOMS_OFF] = "off"};

    return words[context->service->config->rooms];
}

/* Sends the listed rooms from the list's own memory. */
int api_list_rooms(struct context *context, struct api_request *request)
{
    struct hub *hub = context->service->hub;
    struct api_list *list = context->rooms;
    const struct api_source source = {hub_directory(hub),
                                      api_source_routes(context->service->cluster)};

    if (!api_list_renew(list, &source, who_creates(context), hub_now(hub))) {
        return -1; /* out of memory ends this connection only */
    }
    return respond(request->wsi, &(struct response){.status = HTTP_STATUS_OK,
                                                    .type = API_TYPE,
                                                    .cache = "no-store",
                                                    .body = list->bytes + PAGE_HEADROOM,
                                                    .size = list->size});
}

int api_show_room(struct context *context, struct api_request *request)
{
    (void)context;
    return api_send_text(request->wsi, HTTP_STATUS_OK, api_write_room(&request->room));
}

int api_get_server(struct context *context, struct api_request *request)
{
    const struct service *service = context->service;
    struct reach reach;

    reach_find(service->config, service->tls, service->port, &reach);
    return api_send_text(request->wsi, HTTP_STATUS_OK,
                         api_write_server(service->config->public_url, &reach));
}

/* ---- creating rooms ---- */

static int refuse_rate(struct lws *wsi, uint32_t retry_after)
{
    struct api_fault fault;
    uint32_t seconds = retry_after / 1000 + 1;

    api_refuse(&fault, PROTO_E_FLOOD, "",
               "too many rooms were created from this address; try again in %u s", seconds);
    return api_send_wait(wsi, &fault, seconds);
}

static int refuse_full(struct context *context, struct lws *wsi, const struct hub_made *made)
{
    struct api_fault fault;

    if (made->boids_left == UINT64_MAX) {
        counter_add(&context->counts.refused[COUNTS_ROOMS], 1);
        api_refuse(&fault, PROTO_E_FULL, "",
                   "the server has reached its limit of rooms (--max-rooms)");
    } else {
        counter_add(&context->counts.refused[COUNTS_BOIDS], 1);
        api_refuse(&fault, PROTO_E_FULL, "boids", "boids: %s together have %llu boids left",
                   made->boids_of_all ? "all rooms" : "the rooms of this address",
                   (unsigned long long)made->boids_left);
    }
    return api_send_fault(wsi, HTTP_STATUS_CONFLICT, &fault);
}

/* Stores the URL of the server's root as the client sees it; "" if the request does not say. */
static void root_of(const struct config *config, const struct api_request *request, char *out,
                    size_t size)
{
    if (config->public_url[0] != '\0') {
        snprintf(out, size, "%s", config->public_url);
    } else {
        const char *scheme = request->secret ? "https://" : "http://";
        snprintf(out, size, "%s%s", request->host[0] == '\0' ? "" : scheme, request->host);
    }
}

static int send_created(const struct config *config, struct lws *wsi,
                        const struct api_request *request, const struct directory_entry *entry,
                        const char *key)
{
    char location[sizeof API_PATH + PROTO_ROOM_MAX + 1];
    char root[320];
    root_of(config, request, root, sizeof root);
    struct api_answer answer = {.status = API_CREATED,
                                .text = api_write_created(entry, key, root),
                                .extra = {{"location:", location}}};

    snprintf(location, sizeof location, API_PATH "/%s", entry->code);
    return answer.text != NULL ? api_send(wsi, &answer) : -1;
}

void api_define(const struct service *service, struct room_definition *definition)
{
    *definition = room_definition_default();
    definition->boids_max = service->config->room_boids;
    definition->title[0] = '\0';
}

int api_send_made(struct context *context, const struct api_request *request,
                  const struct hub_made *made)
{
    const struct config *config = context->service->config;
    struct api_fault fault;

    switch (made->result) {
    case DIRECTORY_OK:
        return send_created(config, request->wsi, request, &made->entry, made->key);
    case DIRECTORY_TOO_MANY:
        counter_add(&context->counts.refused[COUNTS_RATE], 1);
        return refuse_rate(request->wsi, made->retry_after);
    case DIRECTORY_FULL:
        return refuse_full(context, request->wsi, made);
    case DIRECTORY_SHARE:
        counter_add(&context->counts.refused[COUNTS_ROOMS], 1);
        return api_send_refusal(request->wsi, HTTP_STATUS_CONFLICT, PROTO_E_FULL, "",
                                "this address has half of the free places for rooms (--max-rooms); "
                                "end one of its rooms first");
    case DIRECTORY_REFUSED:
        api_explain(&made->error, &fault);
        return api_send_fault(request->wsi, api_status_of(fault.code), &fault);
    case DIRECTORY_AWAY:
        return api_send_refusal(request->wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, PROTO_E_FULL, "",
                                "the other nodes of this cluster cannot be reached now; try again "
                                "in a moment");
    case DIRECTORY_TAKEN:
    case DIRECTORY_NO_MEMORY:
        break;
    }
    return api_send_refusal(request->wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, PROTO_E_FULL, "",
                            "out of memory");
}

int api_create(struct context *context, struct api_request *request)
{
    const struct config *config = context->service->config;
    const struct api_defaults defaults = {
        .flock = &config->flock,
        .controls = {.policy = config->policy, .idle = config->idle},
        .boids_max = config->room_boids};
    struct room_definition definition;
    struct api_fault fault;
    int result = -1;
    bool listed;

    if (!api_may_create(context, request->wsi, request, &result)) {
        return result;
    }
    if (request->shown == API_SHOWN_LATER) {
        return api_stand_in_line(context, request);
    }
    if (!api_read_room(request->body, request->size, &defaults, &definition, &listed, &fault)) {
        if (fault.boids) {
            counter_add(&context->counts.refused[COUNTS_BOIDS], 1);
        }
        return api_send_fault(request->wsi, api_status_of(fault.code), &fault);
    }
    definition.trusted = request->trusted;
    return api_start_making(context, request, &definition, listed, &(struct api_origin){0}) ? 0
                                                                                            : -1;
}

/* ---- changing rooms ---- */

bool api_ask(struct context *context, struct api_request *request, struct hub_request *question)
{
    snprintf(question->key, sizeof question->key, "%s", request->key);
    question->by_server = request->trusted;
    address_of(request->wsi, question->address);
    request->ticket = ++context->tickets;
    if (!hub_ask(context->service->hub, context->shard, request->ticket, request->room.number,
                 question)) {
        request->ticket = 0;
        return false;
    }
    list_append(&context->asked, &request->item);
    api_await(request);
    return true;
}

int api_change(struct context *context, struct api_request *request)
{
    struct api_fault fault;
    struct hub_request *question = api_read_change(request->body, request->size,
                                                   flock_model_name(request->room.model), &fault);
    int result = -1;

    if (question == NULL) {
        return api_send_fault(request->wsi, api_status_of(fault.code), &fault);
    }
    if (!api_may_ask(context, request, hub_is_administration(question), &result)) {
        free(question);
        return result;
    }
    return api_ask(context, request, question) ? 0 : api_refuse_busy(request->wsi);
}

int api_end(struct context *context, struct api_request *request)
{
    struct hub_request *question;
    int result = -1;

    if (strcmp(request->code, ROOM_LOBBY) == 0) {
        return api_send_refusal(request->wsi, HTTP_STATUS_FORBIDDEN, PROTO_E_ROLE, "",
                                "the lobby cannot be ended");
    }
    if (!api_may_ask(context, request, true, &result)) {
        return result;
    }
    question = calloc(1, sizeof *question);
    if (question == NULL) {
        return -1;
    }
    question->listed = -1;
    question->end = true;
    return api_ask(context, request, question) ? 0 : api_refuse_busy(request->wsi);
}
