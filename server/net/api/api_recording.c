#include "net/api/api_recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/api/api_send.h"
#include "net/gate/connection.h"
#include "past/recording.h"

/* Takes a slot for a download. Until its connection closes, a download holds a copy of a long file,
 * and anyone can request the recording of a room of their own. */
static bool take_place(struct context *context, struct lws *wsi)
{
    struct connection *connection = connection_of(wsi);
    const struct ip network = ip_network(&connection->address);

    if (connection->download == 0) {
        connection->download = transfers_take(&context->service->downloads, &network);
    }
    return connection->download != 0;
}

int api_get_recording(struct context *context, struct api_request *request)
{
    struct directory_entry room;
    struct hub_request *question;
    char names[16] = "";
    const char *value;

    if (!directory_find(hub_directory(context->service->hub), request->code, &room)) {
        return api_refuse_room(request->wsi);
    }
    if (!request->has_key) {
        return api_refuse_no_key(request->wsi);
    }
    if (!take_place(context, request->wsi)) {
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
    return api_ask(context, request, room.number, question) ? 0 : api_refuse_busy(request->wsi);
}

int api_send_recording(const struct api_request *request)
{
    struct response response = {
        .status = HTTP_STATUS_OK, .type = "application/octet-stream", .cache = "no-store"};
    char disposition[64];
    uint8_t *bytes = recording_write(request->recording, request->names, &response.size);
    uint8_t *buffer = bytes != NULL ? malloc(PAGE_HEADROOM + response.size) : NULL;
    int result = -1;

    if (buffer != NULL) {
        memcpy(buffer + PAGE_HEADROOM, bytes, response.size);
        response.body = buffer + PAGE_HEADROOM;
        snprintf(disposition, sizeof disposition, "attachment; filename=\"%s.flock\"",
                 request->code);
        response.extra[0] = (struct respond_header){"content-disposition:", disposition};
        result = respond(request->wsi, &response);
    }
    free(bytes);
    free(buffer);
    return result;
}
