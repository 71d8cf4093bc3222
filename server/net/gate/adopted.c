#include "net/gate/adopted.h"

#include <stddef.h>
#include <sys/socket.h>

#include "hub/hub.h"

static struct connection *connection_of_adopted(struct admission_guest *adopted)
{
    return (struct connection *)(void *)((char *)adopted - offsetof(struct connection, adopted));
}

void adopted_enter(struct context *context, struct connection *connection)
{
    const struct ip network = ip_network(&connection->address);
    const uint32_t now = (uint32_t)(hub_now(context->service->hub) / 1000);
    struct admission_guest *guest =
        admission_enter(&context->adopted, &connection->adopted, &network, now);
    struct connection *other;

    if (guest == NULL) {
        return;
    }
    other = connection_of_adopted(guest);
    counter_add(&context->counts.displaced, 1);
    admission_leave(&context->admission, &other->guest);
    shutdown(lws_get_socket_fd(other->wsi), SHUT_RDWR);
    lws_set_timeout(other->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
}

void adopted_leave(struct context *context, struct connection *connection)
{
    admission_leave(&context->adopted, &connection->adopted);
}
