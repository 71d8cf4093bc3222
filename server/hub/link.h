/* Links: the connections between sessions and rooms. A session joins a room by its code, and knows
 * neither where the room runs nor what carries its messages. link_local.h has the links to rooms of
 * this process.
 *
 *     session → link_join(), link_send(), …  → room
 *     room    → messages to one member       → links_take_reply()
 *     room    → its view, latest wins        → links_take_view()
 *
 * A shard has one struct links, and one struct link for each of its sessions that said hello. Its
 * thread alone uses them. The room's end of a link is not here: the two ends have lifetimes of
 * their own and name each other by the session's id. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/ends.h"
#include "base/tries.h"
#include "protocol.h"

struct frame;
struct hub_reply;
struct link;
struct links;
struct room_ease;
struct room_view;

/* Facts of a room that matter before a join. */
struct link_room {
    bool trusted;                /* the server trusts the room's presenters: see place.h */
    char key[PROTO_KEY_MAX + 1]; /* the room's presenter key, perhaps concealed; "": none */
    bool key_made;               /* see struct room_definition */
    bool by_server;              /* it is the lobby, or was made with the server's key */
    uint64_t creator;            /* else: a number that rooms of one creator share */
};

struct link_request {
    /* The shard's id for the session, which replies carry: generation << 32 | slot + 1. Slots are
     * small and reused; ids are not. */
    uint64_t session;
    const char *address; /* of the client, as text */
    const struct proto_hello *hello;
    bool presenters_only;   /* refuse a client without the room's key as if the server were full */
    struct tries_pass pass; /* TRIES_OR_LINE: the reply may be END_IN_LINE */
};

/* The calls in which kinds of links differ. */
struct link_calls {
    bool (*find)(struct links *links, const char *code, struct link_room *room);
    struct link *(*join)(struct links *links, const struct link_request *request);
    bool (*take_reply)(struct links *links, bool by_server, struct hub_reply *reply);
    struct room_view *(*take_view)(struct links *links, bool by_server);
    bool (*view_waits)(const struct links *links, bool by_server);
    bool (*send)(struct link *link, const struct proto_client_message *message);
    bool (*answer)(struct link *link, struct frame *answer);
    bool (*ease)(struct link *link, const struct room_ease *ease);
    bool (*want_key)(struct link *link, uint32_t stream);
    void (*leave)(struct link *link, enum end_reason why);
};

struct links {
    const struct link_calls *calls;
    uint64_t clock_start; /* uv_hrtime() when the server's clock was 0 */
};

struct link {
    struct links *links; /* of its shard */
};

/* Returns the server's clock: µs since the hub was created. */
static inline uint64_t links_now(const struct links *links)
{
    return (uv_hrtime() - links->clock_start) / 1000;
}

/* Stores the facts of the room of that code, as typed. Returns false if there is no such room. */
bool links_find(struct links *links, const char *code, struct link_room *room);

/* Takes the next reply to a session, or the next answer to hub_ask(), in order. Replies of the
 * lobby and of rooms made with the server's key come first. links_take_reply_of() takes only
 * those, or only the others. */
bool links_take_reply(struct links *links, struct hub_reply *reply);
bool links_take_reply_of(struct links *links, bool by_server, struct hub_reply *reply);

/* Returns the newest view that the shard has not taken yet of any room, owned by the caller; NULL
 * if there is none. As above. */
struct room_view *links_take_view(struct links *links);
struct room_view *links_take_view_of(struct links *links, bool by_server);

/* Returns true if a view of those rooms came since the shard last took one. Costs no lock. */
bool links_view_waits(const struct links *links, bool by_server);

/* Asks to join the room that the hello names. The answer is a reply: the welcome with a grant, or
 * HUB_CLOSED, also if the room has just ended. Returns NULL when memory runs out or a mailbox is
 * full. */
struct link *link_join(struct links *links, const struct link_request *request);

/* Sends the member's message, of any type except hello and ping. Returns false, and sends nothing,
 * when memory runs out or the room's runner is too busy. A lost cursor is replaced by the next one.
 */
bool link_send(struct link *link, const struct proto_client_message *message);

/* Queues an answer that the session made itself, without the room. It comes back as a reply, after
 * the room's answers to earlier messages. Takes over the frame, except when it returns false, as
 * above. */
bool link_answer(struct link *link, struct frame *answer);

/* See room_ease() and room_want_key(). Return false, and do nothing, as above. */
bool link_ease(struct link *link, const struct room_ease *ease);
bool link_want_key(struct link *link, uint32_t stream);

/* Ends the session's use of the link, joined or not, and frees it. Queued replies still arrive.
 * why: for the audit log; END_NONE: the client left. */
void link_leave(struct link *link, enum end_reason why);

#endif
