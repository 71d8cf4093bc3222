#include "net/api/api_transfer.h"

#include "net/gate/connection.h"

uint32_t api_take_transfer(const struct context *context, struct lws *wsi,
                           struct transfers *transfers, bool trusted)
{
    struct service *service = context->service;
    const struct transfers_claim claim = {.network = ip_network(&connection_of(wsi)->address),
                                          .shard = context->shard,
                                          .trusted = trusted};
    uint32_t ended;
    const uint32_t transfer = transfers_take(transfers, &claim, hub_now(service->hub), &ended);

    if (ended != TRANSFERS_NO_SHARD) {
        service->wake(service->waker, ended);
    }
    return transfer;
}
