/* Transfers whose places other networks have taken: see transfers.h. Must be used on the
 * shard's thread. */
#ifndef API_ENDING_H
#define API_ENDING_H

#include "net/gate/context.h"

/* Answers the requests of this shard whose transfers have lost their places with 503. If the answer
 * has begun, closes the connection. Must not be called from a libwebsockets callback. */
void api_end_transfers(struct context *context);

#endif
