/* Recordings that rooms are to play, over HTTP. For the API's own files. On the shard's thread; the
 * file is read on one of libuv's, which gives way to all others. */
#ifndef API_UPLOAD_H
#define API_UPLOAD_H

#include "net/api/api_rooms.h"

/* Bytes of a recording: twice what a room keeps of its past. */
#define API_UPLOAD_MAX      (32u << 20)
#define API_UPLOAD_MAX_TEXT "33,554,432"

#define API_UPLOAD_TYPE "application/octet-stream"
#define API_UPLOAD_TIME 60 /* s for all of it, and as long for it to be read */

/* A POST of a recording has begun: what its address says of the room. False, with the result of the
 * refusal: not now, or not so. */
bool api_begin_upload(struct context *context, struct lws *wsi, struct api_request *request,
                      int *result);

/* All of it is there; the request is answered once it has been read. */
int api_read_upload(struct context *context, struct api_request *request);

/* Nobody waits for the answer any more. */
void api_forget_upload(struct context *context, struct api_request *request);

#endif
