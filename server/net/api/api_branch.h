/* Branches over HTTP: rooms that begin as another room is shown. For the API's own files. Must be
 * used on the shard's thread. */
#ifndef API_BRANCH_H
#define API_BRANCH_H

#include "net/api/api_rooms.h"

/* Asks the hub for the state that the room shows; api_answer() receives it. */
int api_branch(struct context *context, struct api_request *request);

/* Starts to make the branch from the hub's answer, whose state it takes over. Returns false, with
 * the request's status set, when it cannot. */
bool api_make_branch(struct context *context, struct api_request *request,
                     struct hub_answer *answer);

#endif
