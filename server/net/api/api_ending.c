#include "net/api/api_ending.h"

#include "net/api/api_job.h"
#include "net/api/api_rooms.h"
#include "net/api/api_send.h"
#include "net/api/api_upload.h"
#include "net/gate/connection.h"
#include "net/http/respond.h"

/* Returns the connection's request that was not answered, or NULL. */
static struct api_request *find_request(const struct connection *connection)
{
    const struct http_connection *http =
        connection->asked && !connection->socket ? lws_wsi_user(connection->wsi) : NULL;

    return http != NULL ? http->asked : NULL;
}

static void refuse_rest(struct context *context, struct api_request *request)
{
    connection_uploaded(request->wsi);
    api_forget_upload(context, request);
    api_forget_job(request);
    if (list_has(&context->asked, &request->item)) {
        list_remove(&context->asked, &request->item);
    }
    if (request->fault.code != PROTO_OK) { /* see api_receive_upload() */
        request->status = api_status_of(request->fault.code);
    } else {
        counter_add(&context->counts.refused[COUNTS_TRANSFERS], 1);
        request->status = HTTP_STATUS_SERVICE_UNAVAILABLE;
        api_refuse(&request->fault, PROTO_E_FULL, "",
                   "the transfer took long, and its place was needed for another address; "
                   "try again in a moment");
    }
    request->resume(context, request);
}

/* Ends the connection's transfer if it has lost its place. */
static void end_lost(struct context *context, struct connection *connection)
{
    const struct service *service = context->service;
    struct api_request *request = find_request(connection);

    if (!transfers_lost(service->downloads, connection->download) &&
        (request == NULL || !transfers_lost(service->uploads, request->upload))) {
        return;
    }
    if (request == NULL || connection->answered) {
        counter_add(&context->counts.refused[COUNTS_TRANSFERS], 1);
        connection_close(context, connection);
    } else {
        refuse_rest(context, request);
    }
}

void api_end_transfers(struct context *context)
{
    const struct service *service = context->service;
    struct connection *connection = connection_next(context, NULL);

    if (!transfers_any_lost(service->uploads) && !transfers_any_lost(service->downloads)) {
        return;
    }
    while (connection != NULL) {
        struct connection *next = connection_next(context, connection);
        end_lost(context, connection);
        connection = next;
    }
}
