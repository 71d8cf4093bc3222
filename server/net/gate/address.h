/* The address that a client comes from. Every limit, log line and audit line takes it from here. */
#ifndef ADDRESS_H
#define ADDRESS_H

#include <libwebsockets.h>

#include "base/network.h"

/* As text, of the other end; "" when it cannot be told. On the shard's thread. */
void address_of(struct lws *wsi, char out[NETWORK_ADDRESS_MAX]);

#endif
