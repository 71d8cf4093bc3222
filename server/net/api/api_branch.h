/* Rooms that begin as another one is shown, over HTTP. For the API's own files. On the shard's
 * thread. */
#ifndef API_BRANCH_H
#define API_BRANCH_H

#include "net/api/api_rooms.h"

/* Asks the hub for what the room shows: see api_answer(). */
int api_branch(struct context *context, struct api_request *request);

/* Makes the room of what the hub has answered; the request can be answered then. */
void api_make_branch(struct context *context, struct api_request *request,
                     const struct hub_reply *reply);

#endif
