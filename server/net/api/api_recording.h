/* A room's history over HTTP, as a recording. For the API's own files. Must be used on the shard's
 * thread. */
#ifndef API_RECORDING_H
#define API_RECORDING_H

#include "net/api/api_rooms.h"

/* Asks the hub for the recording; api_answer() receives it. */
int api_get_recording(struct context *context, struct api_request *request);

/* Sends the recording of the hub's answer. */
int api_send_recording(const struct api_request *request);

#endif
