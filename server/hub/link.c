#include "hub/link.h"

bool links_find(struct links *links, const char *code, struct link_room *room)
{
    return links->calls->find(links, code, room);
}

bool links_take_reply(struct links *links, struct hub_reply *reply)
{
    return links_take_reply_of(links, true, reply) || links_take_reply_of(links, false, reply);
}

bool links_take_reply_of(struct links *links, bool by_server, struct hub_reply *reply)
{
    return links->calls->take_reply(links, by_server, reply);
}

struct room_view *links_take_view(struct links *links)
{
    struct room_view *view = links_take_view_of(links, true);

    return view != NULL ? view : links_take_view_of(links, false);
}

struct room_view *links_take_view_of(struct links *links, bool by_server)
{
    return links->calls->take_view(links, by_server);
}

bool links_view_waits(const struct links *links, bool by_server)
{
    return links->calls->view_waits(links, by_server);
}

struct link *link_join(struct links *links, const struct link_request *request)
{
    return links->calls->join(links, request);
}

bool link_send(struct link *link, const struct proto_client_message *message)
{
    return link->links->calls->send(link, message);
}

bool link_answer(struct link *link, struct frame *answer)
{
    return link->links->calls->answer(link, answer);
}

bool link_ease(struct link *link, const struct room_ease *ease)
{
    return link->links->calls->ease(link, ease);
}

bool link_want_key(struct link *link, uint32_t stream)
{
    return link->links->calls->want_key(link, stream);
}

void link_leave(struct link *link, enum end_reason why)
{
    link->links->calls->leave(link, why);
}
