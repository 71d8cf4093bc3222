#include "net/gate/allowance.h"

#include "hub/hub.h"
#include "net/gate/connection.h"
#include "net/gate/context.h"
#include "net/gate/place.h"
#include "net/gate/rates.h"

static void mark(struct context *context, struct connection *connection, enum admission_rank rank)
{
    admission_mark(&context->admission, &connection->guest, rank);
    admission_mark(&context->adopted, &connection->adopted, rank);
}

void allowance_take(struct context *context, struct connection *connection)
{
    const struct ip network = ip_network(&connection->address);

    if (context_is_proxy(context, &connection->address)) {
        return;
    }
    connection->allowed =
        rates_take(context->service->rates, RATES_GUEST, &network, hub_now(context->service->hub));
    if (places_trust(context->service->places, &network)) {
        mark(context, connection, ADMISSION_TRUSTED);
    } else {
        mark(context, connection, connection->allowed ? ADMISSION_USUAL : ADMISSION_EXTRA);
    }
}

void allowance_give(struct context *context, struct connection *connection)
{
    const struct ip network = ip_network(&connection->address);

    if (connection->allowed) {
        rates_return(context->service->rates, RATES_GUEST, &network,
                     hub_now(context->service->hub));
        connection->allowed = false;
    }
    mark(context, connection, ADMISSION_USUAL);
}

static bool has_few(const struct admission *admission)
{
    return admission->count <= admission->max / 2;
}

void allowance_end(struct context *context, struct connection *connection)
{
    if ((connection->answered && !connection->aborted) ||
        (has_few(&context->admission) && has_few(&context->adopted))) {
        allowance_give(context, connection);
    }
}
