/* A room's past over HTTP, as a file. For the API's own files. On the shard's thread. */
#ifndef API_RECORDING_H
#define API_RECORDING_H

#include "net/api/api_rooms.h"

/* Asks the hub for it: see api_answer(). */
int api_get_recording(struct context *context, struct api_request *request);

/* Sends what the hub has answered. */
int api_send_recording(const struct api_request *request);

#endif
