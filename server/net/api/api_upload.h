/* Uploads over HTTP: recordings that a new room plays. For the API's own files. Must be used on the
 * shard's thread; a worker reads the recording. */
#ifndef API_UPLOAD_H
#define API_UPLOAD_H

#include "net/api/api_rooms.h"

/* Largest recording in bytes: twice the history that a room keeps. */
#define API_UPLOAD_MAX      (32u << 20)
#define API_UPLOAD_MAX_TEXT "33,554,432"

#define API_UPLOAD_TYPE "application/octet-stream"
#define API_UPLOAD_TIME 60 /* s for the upload, and the same again for reading it */

/* Begins a POST of a recording: reads the room's settings from the address. Returns false, with the
 * result of the refusal, if it is refused. */
bool api_begin_upload(struct context *context, struct lws *wsi, struct api_request *request,
                      int *result);

/* Takes memory for that many more bytes of the body, for uploads only. Returns false if there is
 * none: then the upload ends with a refusal, soon after this call. */
bool api_receive_upload(const struct context *context, struct api_request *request, size_t size);

/* Must be called when the recording has arrived. The request is answered after it was read. */
int api_read_upload(struct context *context, struct api_request *request);

/* Gives back the place and the memory of an upload: its client has gone, or it is ended. */
void api_forget_upload(struct context *context, struct api_request *request);

#endif
