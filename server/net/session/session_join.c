/* How a session joins the room of its hello. */
#include "net/gate/address.h"
#include "net/gate/connection.h"
#include "net/gate/place.h"
#include "net/session/pending.h"
#include "net/session/session_parts.h"

/* Takes a slot for the client. Returns PLACE_NONE, and closes the session, if none is free. */
static enum place_type take_place(struct context *context, struct session *session,
                                  const struct ip *network, bool has_key)
{
    const struct service *service = context->service;
    const struct place_claim claim = {.network = *network,
                                      .shard = context->shard,
                                      .has_key = has_key,
                                      .trusted = session->trusted};
    uint32_t displaced;
    const enum place_type type = place_take(service->places, &session->place, &claim, &displaced);

    if (displaced != PLACE_NO_SHARD) {
        service->wake(service->waker, displaced);
    }
    if (type == PLACE_NONE) {
        counter_add(&context->counts.refused[COUNTS_CLIENTS], 1);
        session_close(context, session, END_SERVER_FULL);
    }
    return type;
}

void session_join(struct context *context, struct session *session, const struct proto_hello *hello)
{
    const struct ip network = ip_network(&connection_of(session->wsi)->address);
    const enum place_type place = take_place(context, session, &network, hello->key[0] != '\0');
    char address[NETWORK_ADDRESS_MAX];
    struct link_request request = {.session = session->entry.id,
                                   .address = address,
                                   .hello = hello,
                                   .pass = pending_pass(context, session)};

    if (place == PLACE_NONE) {
        return;
    }
    connection_settled(context, session->wsi);
    /* The welcome may end another session of this member, so nothing may fail after the join. */
    if (outlet_reserve(&session->outlet) && roster_reserve(&session->entry)) {
        address_of(session->wsi, address);
        request.presenters_only = place == PLACE_PRESENTER;
        session->link = link_join(context->links, &request);
    }
    if (session->link == NULL) {
        session_close(context, session, END_BUSY);
        return;
    }
    outlet_subscribe(&session->outlet, hello->topics);
    session->stage = SESSION_JOINING;
}
