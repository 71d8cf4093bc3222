#include "net/api/api_recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/key.h"
#include "net/api/api_job.h"
#include "net/api/api_key.h"
#include "net/api/api_send.h"
#include "net/api/api_transfer.h"
#include "net/gate/connection.h"
#include "past/recording_file.h"

/* Returns true if the request has the key of a room that the server trusts. */
static bool shows_trusted_key(const struct api_request *request)
{
    const struct directory_entry *room = &request->room;

    return room->trusted &&
           (request->trusted || (room->key_made && key_same(room->key, request->key)));
}

/* Begins a download. Until its connection closes, a download holds a copy of a long file,
 * and anyone can request the recording of a room of their own. */
static bool begin_download(struct context *context, const struct api_request *request)
{
    struct connection *connection = connection_of(request->wsi);

    if (connection->download == 0) {
        connection->download = api_take_transfer(context, request->wsi, context->service->downloads,
                                                 shows_trusted_key(request));
    }
    return connection->download != 0;
}

/* Whether the request asks for the headers alone. */
static bool is_head(const struct api_request *request)
{
    return lws_hdr_total_length(request->wsi, WSI_TOKEN_HEAD_URI) > 0;
}

int api_get_recording(struct context *context, struct api_request *request)
{
    struct hub_request *question;
    char names[16] = "";
    const char *value;
    int result = -1;

    if (!api_may_ask(context, request, false, &result)) {
        return result;
    }
    if (!is_head(request) && !begin_download(context, request)) {
        return api_refuse_transfer(context, request->wsi);
    }
    question = calloc(1, sizeof *question);
    if (question == NULL) {
        return -1;
    }
    value = lws_get_urlarg_by_name(request->wsi, "names=", names, sizeof names);
    request->names = value != NULL && strcmp(value, "true") == 0;
    question->listed = -1;
    question->recording = true;
    return api_ask(context, request, question) ? 0 : api_refuse_busy(request->wsi);
}

/* A recording whose file is being made. */
struct packing {
    struct api_job job; /* the first */
    struct recording *recording;
    bool names;
    struct recording_file *file;
};

static void pack(struct api_job *job)
{
    struct packing *packing = (struct packing *)job;

    if (!atomic_load(&job->forgotten)) {
        packing->file = recording_file_create(packing->recording, packing->names);
    }
}

static bool refuse_memory(struct api_request *request)
{
    request->status = HTTP_STATUS_SERVICE_UNAVAILABLE;
    return api_refuse(&request->fault, PROTO_E_FULL, "", "out of memory");
}

static void finish(struct api_job *job)
{
    struct packing *packing = (struct packing *)job;
    struct api_request *request = job->request;

    if (request == NULL || packing->file == NULL) {
        recording_file_destroy(packing->file);
        recording_destroy(packing->recording);
    } else {
        request->recording = packing->recording;
        request->file = packing->file;
        request->file_size = recording_file_size(packing->file);
    }
    if (request != NULL) {
        request->status = HTTP_STATUS_OK;
        if (request->file == NULL) {
            (void)refuse_memory(request);
        }
        request->resume(job->context, request);
    }
    free(packing);
}

bool api_pack_recording(struct context *context, struct api_request *request,
                        struct recording *recording)
{
    struct packing *packing;

    if (is_head(request)) { /* no one would read the file */
        recording_destroy(recording);
        request->status = HTTP_STATUS_OK;
        return false;
    }
    packing = calloc(1, sizeof *packing);
    if (packing == NULL) {
        recording_destroy(recording);
        return refuse_memory(request);
    }
    *packing = (struct packing){
        .job = {.run = pack, .finish = finish}, .recording = recording, .names = request->names};
    if (!api_start_job(context, request, &packing->job,
                       request->room.by_server ? API_JOB_TRUSTED : API_JOB_HEAVY)) {
        recording_destroy(recording);
        free(packing);
        return refuse_memory(request);
    }
    return true;
}

static void describe_file(const struct api_request *request, char disposition[64],
                          struct response *response)
{
    *response = (struct response){.status = HTTP_STATUS_OK,
                                  .type = "application/octet-stream",
                                  .cache = "no-store",
                                  .size = request->file_size};
    snprintf(disposition, 64, "attachment; filename=\"%s.flock\"", request->code);
    response->extra[0] = (struct respond_header){"content-disposition:", disposition};
}

static int begin_sending(struct context *context, struct api_request *request)
{
    struct response response;
    char disposition[64];

    describe_file(request, disposition, &response);
    request->begun = true;
    connection_transfer(context, request->wsi);
    return respond_begin(request->wsi, &response);
}

int api_send_recording_head(const struct api_request *request)
{
    struct response response;
    char disposition[64];

    describe_file(request, disposition, &response);
    response.unsized = true;
    return respond(request->wsi, &response);
}

static void read_file(const void *file, size_t at, uint8_t *out, size_t size)
{
    recording_file_read(file, at, out, size);
}

bool api_send_recording(struct context *context, struct api_request *request, int *result)
{
    const struct respond_body body = {
        .read = read_file, .argument = request->file, .size = request->file_size};
    const size_t before = request->sent;

    *result = request->begun ? 0 : begin_sending(context, request);
    if (*result == 0) {
        *result = respond_piece(request->wsi, &body, &request->sent);
        connection_sent(request->wsi, request->sent - before);
    }
    return *result == 0 && request->sent < request->file_size;
}

void api_forget_recording(struct api_request *request)
{
    recording_file_destroy(request->file);
    recording_destroy(request->recording);
    request->file = NULL;
    request->recording = NULL;
}
