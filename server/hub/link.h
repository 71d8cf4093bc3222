/* A link: a session's way to a room, wherever that runs. The network makes one for each session
 * that says hello, from its own threads; the room's runner is at the other end. In between are
 * bounded mailboxes. What a room has for a session comes back as replies, and as views for all
 * sessions of a room: see hub.h. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "room/room.h"

struct hub;
struct link;

/* Asks to be let in to the room of that number. `session` is the caller's own name for the session,
 * which replies bear; it must not be used again. address: where it comes from, as text.
 * presenters_only: whoever has not the room's key is refused, as if the server were full. NULL when
 * memory runs out or too much is asked of the runner at once. */
struct link *link_join(struct hub *hub, uint32_t shard, uint64_t session, const char *address,
                       uint64_t room, const struct proto_hello *hello, bool presenters_only);

/* Sends the member's message, of any type but hello and ping. False, and nothing is sent, when
 * memory runs out or the runner's mailbox is full. A cursor that is lost so is replaced by the next
 * one. */
bool link_send(struct link *link, const struct proto_client_message *message);

/* An answer of the session's own to a message of the member's, which the room need not see: it
 * comes back as a reply, in its turn among the room's answers. Takes the frame over; false, and the
 * frame stays the caller's, as above. */
bool link_answer(struct link *link, struct frame *answer);

/* See room_ease() and room_want_key(). False: nothing is done, as above. */
bool link_ease(struct link *link, uint32_t level);
bool link_want_key(struct link *link, uint32_t stream);

/* The session's end, whatever became of its joining. The link is not the caller's any more; replies
 * that are on their way still come. why: for the audit log, a literal; NULL: the client left. */
void link_leave(struct link *link, const char *why);

#endif
