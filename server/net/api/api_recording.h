/* A room's history over HTTP, as a recording. For the API's own files. Must be used on the shard's
 * thread. */
#ifndef API_RECORDING_H
#define API_RECORDING_H

#include "net/api/api_rooms.h"

/* Asks the hub for the recording; api_answer() receives it. */
int api_get_recording(struct context *context, struct api_request *request);

/* Starts to make the file of the recording, which it takes over. Returns false, with the request's
 * status set, for HEAD, which needs no file, and when memory runs out. */
bool api_pack_recording(struct context *context, struct api_request *request,
                        struct recording *recording);

/* Sends the next piece of the file. Returns false after the last one; *result is the
 * HTTP callback's return value. */
bool api_send_recording(struct context *context, struct api_request *request, int *result);

/* Answers HEAD. Returns what the HTTP callback must return. */
int api_send_recording_head(const struct api_request *request);

/* Frees the recording and its file. */
void api_forget_recording(struct api_request *request);

#endif
