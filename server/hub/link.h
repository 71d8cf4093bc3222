/* A link: a session's connection to a room. A shard creates one for each session that says hello;
 * the room's runner is at the other end. Between them are bounded mailboxes. The room answers with
 * replies to a session, and with views for all sessions of a room: see hub.h. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"
#include "room/room.h"

struct hub;
struct link;

/* Asks to join the room of that number. `session` is the caller's id for the session, which replies
 * carry; it must never be reused. address: the session's, as text. presenters_only: refuse a client
 * without the room's key as if the server were full. Returns NULL when memory runs out or a mailbox
 * is full. */
struct link *link_join(struct hub *hub, uint32_t shard, uint64_t session, const char *address,
                       uint64_t room, const struct proto_hello *hello, bool presenters_only);

/* Sends the member's message, of any type except hello and ping. Returns false, and sends nothing,
 * when memory runs out or the runner's mailbox is full. A lost cursor is replaced by the next one.
 */
bool link_send(struct link *link, const struct proto_client_message *message);

/* Queues an answer that the session made itself, without the room. It comes back as a reply, after
 * the room's answers to earlier messages. Takes over the frame, except when it returns false, as
 * above. */
bool link_answer(struct link *link, struct frame *answer);

/* See room_ease() and room_want_key(). Return false, and do nothing, as above. */
bool link_ease(struct link *link, uint32_t level);
bool link_want_key(struct link *link, uint32_t stream);

/* Ends the session's use of the link, joined or not. The caller must not use the link after this;
 * queued replies still arrive. why: for the audit log, a literal; NULL: the client left. */
void link_leave(struct link *link, const char *why);

#endif
