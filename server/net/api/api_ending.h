/* The end of transfers whose places went to other networks: see transfers.h. Must be used on the
 * shard's thread. */
#ifndef API_ENDING_H
#define API_ENDING_H

#include "net/gate/context.h"

/* Ends the shard's transfers that were ended for other networks: answers the request with 503, or
 * closes the connection if its answer has begun. Must not be called from a libwebsockets callback.
 */
void api_end_transfers(struct context *context);

#endif
