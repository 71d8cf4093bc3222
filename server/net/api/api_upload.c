#include "net/api/api_upload.h"

#include <stdlib.h>
#include <string.h>

#include "net/api/api_job.h"
#include "net/api/api_key.h"
#include "net/api/api_line.h"
#include "net/api/api_make.h"
#include "net/api/api_send.h"
#include "net/api/api_transfer.h"
#include "net/gate/address.h"
#include "net/gate/connection.h"
#include "past/film_open.h"
#include "past/history_budget.h"

#define ARGUMENTS_MAX 8u   /* more than the known ones */
#define ARGUMENT_MAX  300u /* bytes */

/* Bytes of memory that an upload takes ahead of its body. */
#define TAKEN_AHEAD (256u << 10)

/* A recording that is being read. */
struct upload {
    struct api_job job; /* the first */
    struct hub_making what;
    char address[NETWORK_ADDRESS_MAX];
    uint32_t transfer;             /* its number */
    struct history_budget *budget; /* of the room; its bytes are taken while there are `bytes` */
    uint8_t *bytes;
    size_t size;
    struct hub_made *made;
};

/* ---- the address ---- */

/* Reads the arguments after the '?' as a room's definition. */
static bool read_arguments(struct lws *wsi, struct api_request *request, struct api_fault *fault)
{
    char texts[ARGUMENTS_MAX][ARGUMENT_MAX];
    const char *arguments[ARGUMENTS_MAX];
    size_t count = 0;
    int length;

    while ((length = lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, (int)count)) > 0) {
        if (count == ARGUMENTS_MAX - 1 ||
            lws_hdr_copy_fragment(wsi, texts[count], ARGUMENT_MAX, WSI_TOKEN_HTTP_URI_ARGS,
                                  (int)count) != length) {
            return api_refuse(fault, PROTO_E_MALFORMED, "",
                              "the address has too many arguments, or an argument is too long");
        }
        arguments[count] = texts[count];
        count++;
    }
    return api_read_arguments(arguments, count, request->definition, &request->listed, fault);
}

/* Takes memory of the body from rooms that give way. */
static bool make_way(const struct context *context, const struct api_request *request, size_t bytes)
{
    char address[NETWORK_ADDRESS_MAX];

    address_of(request->wsi, address);
    if (history_budget_is_own(request->budget, bytes) ||
        !hub_make_way(context->service->hub, address, request->trusted, bytes)) {
        return false;
    }
    history_budget_force(request->budget, bytes);
    return true;
}

/* Takes memory of the body, up to that byte and TAKEN_AHEAD. Returns false, and fills *fault, if
 * `needed` bytes more do not fit. */
static bool take_until(const struct context *context, struct api_request *request, size_t end,
                       size_t needed, struct api_fault *fault)
{
    const size_t ahead = end + TAKEN_AHEAD;
    const size_t more = (ahead < request->length ? ahead : request->length) - request->taken;
    const size_t most = needed > more ? needed : more;

    if (history_budget_fits(request->budget, most) && history_budget_take(request->budget, more)) {
        request->taken += more;
        return true;
    }
    if (make_way(context, request, most)) {
        request->taken += most;
        return true;
    }
    return api_refuse(fault, PROTO_E_FULL, "",
                      "the recording has %zu bytes, more than the memory limit has left (%s)",
                      request->length, history_budget_option(request->budget, needed));
}

/* Takes the first memory of the body before it arrives. Returns false, with the result of a
 * refusal, if the whole body does not fit. */
static bool take_memory(const struct context *context, struct api_request *request, int *result)
{
    char address[NETWORK_ADDRESS_MAX];
    struct api_fault fault;

    address_of(request->wsi, address);
    request->budget = hub_room_budget(context->service->hub, address, request->trusted);
    if (request->budget != NULL &&
        take_until(context, request, request->size, request->length, &fault)) {
        return true;
    }
    *result = -1; /* out of memory */
    if (request->budget != NULL) {
        *result = api_send_fault(request->wsi, api_status_of(fault.code), &fault);
        history_budget_release(request->budget);
        request->budget = NULL;
    }
    return false;
}

bool api_receive_upload(const struct context *context, struct api_request *request, size_t size)
{
    const struct service *service = context->service;
    const size_t end = request->size + size;

    if (request->budget == NULL || end <= request->taken ||
        take_until(context, request, end, end - request->taken, &request->fault)) {
        return true;
    }
    transfers_end(service->uploads, request->upload, hub_now(service->hub));
    service->wake(service->waker, context->shard);
    return false;
}

bool api_begin_upload(struct context *context, struct lws *wsi, struct api_request *request,
                      int *result)
{
    struct service *service = context->service;
    struct api_fault fault;

    if (!api_may_create(context, wsi, request, result)) {
        return false;
    }
    if (request->shown == API_SHOWN_LATER) { /* without a slot or a body */
        *result = api_stand_in_line(context, request);
        return false;
    }
    request->definition = malloc(sizeof *request->definition);
    if (request->definition == NULL) {
        *result = -1;
        return false;
    }
    api_define(service, request->definition);
    request->definition->trusted = request->trusted;
    if (!read_arguments(wsi, request, &fault)) {
        *result = api_send_fault(wsi, api_status_of(fault.code), &fault);
        return false;
    }
    request->upload = api_take_transfer(context, wsi, service->uploads, request->trusted);
    if (request->upload == 0) {
        *result = api_refuse_transfer(context, wsi);
        return false;
    }
    if (!take_memory(context, request, result)) {
        return false;
    }
    connection_transfer(context, wsi);
    return true;
}

/* Gives back what was taken for a body that was not read as a film. */
static void give_memory(struct history_budget *budget, size_t size)
{
    if (budget != NULL) {
        history_budget_give(budget, size);
        history_budget_release(budget);
    }
}

/* ---- reading ---- */

static void make_room(struct upload *upload)
{
    const struct service *service = upload->job.context->service;
    const struct recording_limits limits = {.boids = service->config->room_boids,
                                            .people = service->clients_max};
    struct history_budget *budget = upload->budget;
    struct film *film =
        film_open_taken(upload->bytes, upload->size, &limits, budget, &upload->made->error);

    upload->made->result = DIRECTORY_REFUSED;
    upload->bytes = NULL;
    upload->budget = NULL;
    if (film == NULL) {
        history_budget_release(budget);
        return;
    }
    upload->what.budget = budget;
    if (!atomic_load(&upload->job.forgotten)) {
        upload->what.origin = (struct room_origin){.state = film->recording->parts[0].state,
                                                   .size = film->recording->parts[0].state_size,
                                                   .film = film};
        upload->what.definition.flock.boids = film->boids;
        api_make(service, &upload->what, upload->made);
    }
    film_release(film);
    history_budget_release(budget);
}

static void run(struct api_job *job)
{
    if (!atomic_load(&job->forgotten)) {
        make_room((struct upload *)job);
    }
}

static void finish(struct api_job *job)
{
    struct upload *upload = (struct upload *)job;
    const struct service *service = job->context->service;
    struct hub_made *made = upload->made;

    if (made->result == DIRECTORY_REFUSED && made->error.code == PROTO_E_RANGE) { /* film_open() */
        counter_add(&job->context->counts.refused[COUNTS_BOIDS], 1);
    }
    if (made->result == DIRECTORY_OK) {
        transfers_give(service->uploads, upload->transfer, hub_now(service->hub));
    } else {
        transfers_waste(service->uploads, upload->transfer, hub_now(service->hub));
    }
    if (job->request != NULL) {
        job->request->upload = 0;
        job->request->made = made;
        job->request->status = API_CREATED;
        lws_callback_on_writable(job->request->wsi);
    } else {
        free(made);
    }
    give_memory(upload->budget, upload->size);
    free(upload->bytes);
    free(upload);
}

int api_read_upload(struct context *context, struct api_request *request)
{
    struct upload *upload = calloc(1, sizeof *upload);
    struct hub_made *made = calloc(1, sizeof *made);

    if (upload == NULL || made == NULL) {
        free(upload);
        free(made);
        return -1;
    }
    *upload = (struct upload){.job = {.run = run, .finish = finish},
                              .what = {.definition = *request->definition,
                                       .address = upload->address,
                                       .listed = request->listed},
                              .bytes = (uint8_t *)request->body,
                              .size = request->size,
                              .transfer = request->upload,
                              .budget = request->budget,
                              .made = made};
    address_of(request->wsi, upload->address);
    if (!api_start_job(context, request, &upload->job,
                       request->trusted ? API_JOB_TRUSTED : API_JOB_HEAVY)) {
        free(upload);
        free(made);
        return -1;
    }
    request->body = NULL;
    request->budget = NULL; /* `upload` stays: the transfer may lose its place during the job */
    connection_uploaded(request->wsi);
    connection_wait(context, request->wsi, API_UPLOAD_TIME * 1000);
    return 0;
}

void api_forget_upload(struct context *context, struct api_request *request)
{
    if (request->job == NULL) { /* else the job gives it back */
        transfers_waste(context->service->uploads, request->upload, hub_now(context->service->hub));
    }
    give_memory(request->budget, request->taken);
    request->upload = 0;
    request->budget = NULL;
}
