/* A client's address. Every limit, log line and audit line takes the address from here. */
#ifndef ADDRESS_H
#define ADDRESS_H

#include <libwebsockets.h>

#include "base/network.h"

/* Stores the address of the connection's client as text, or "" if it is unknown. Must be called on
 * the shard's thread. */
void address_of(struct lws *wsi, char out[NETWORK_ADDRESS_MAX]);

#endif
