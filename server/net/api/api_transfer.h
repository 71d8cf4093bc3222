/* The places of recordings that clients upload or download: see transfers.h. For the API's own
 * files. Must be used on the shard's thread. */
#ifndef API_TRANSFER_H
#define API_TRANSFER_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stdint.h>

#include "net/gate/context.h"

/* Begins a transfer of the connection's client. Returns its number; 0: too many, and the caller
 * refuses the request. trusted: the request has the key that a reserved place needs. */
uint32_t api_take_transfer(const struct context *context, struct lws *wsi,
                           struct transfers *transfers, bool trusted);

#endif
