/* Functions that the files of session/ share. For these files only. */
#ifndef SESSION_PARTS_H
#define SESSION_PARTS_H

#include "net/session/session.h"

static inline uint32_t session_ms(const struct context *context)
{
    return outlet_ms(links_now(context->links));
}

/* ---- session_end.c also has session_close() and session_drop() of session.h ---- */

/* Removes the session from its room. */
void session_retire(struct context *context, struct session *session);

/* Sets the stage SESSION_CLOSING. */
void session_enter_closing(struct session *session);

/* Puts a closed session into a list, instead of the one in which it is, or into none. */
void session_enter_ending(struct context *context, struct session *session,
                          enum session_ending list);
void session_leave_ending(struct context *context, struct session *session);

/* Makes the timer call session_end_turn() after `time` ms, at least 1. */
void session_turn_after(const struct context *context, uint64_t time);

/* ---- session_ending.c also has session_end_turn() of session.h ---- */

/* Must be called when libwebsockets begins to close the session, and when it has closed it. */
void session_break(struct context *context, struct session *session);
void session_broken(struct context *context, struct session *session);

/* ---- session_send.c also has functions of session.h ---- */

/* Sends a close frame. The payload, which has LWS_PRE bytes in front of it, begins with the code.
 * Then libwebsockets can close the connection at once. */
void session_write_close(struct session *session, uint8_t *payload, size_t size);

/* Makes libwebsockets give up what it has not sent: else it waits for the client before it closes
 * the connection. */
void session_give_up(struct session *session);

/* ---- session_refuse.c ---- */

/* Takes over the frame and queues it. Closes the session if that fails or the frame is NULL (out of
 * memory), because the client would miss something. */
void session_push(struct context *context, struct session *session, struct frame *frame);

/* Counts an error that is sent to the client. Returns true if the session has had too many. */
bool session_errs(struct context *context, struct session *session);

/* Answers an error of the client. Ends the session if the error is fatal or one too many. */
void session_refuse(struct context *context, struct session *session, struct proto_error *error);

/* Returns the error that answers a message, or NULL if it has no answer. */
struct proto_error session_error_of(const struct proto_client_message *message,
                                    enum proto_code code, bool fatal);
void session_refuse_with(struct context *context, struct session *session,
                         const struct proto_client_message *message, enum proto_code code,
                         bool fatal, const char *text);

/* Answers an error that the room does not see, after the room's answers to earlier messages.
 * Returns false, and does nothing, if the error is fatal or memory runs out. */
bool session_refuse_in_turn(struct context *context, struct session *session,
                            const struct proto_error *error);

/* Passes waiting answers (see later.h) to the link while it takes them. Returns true if none is
 * left. */
bool session_caught_up(struct session *session);

/* Returns true if a message may be read now. Ignores a message beyond the rate. */
bool session_within_rate(struct context *context, struct session *session);

/* ---- session_join.c ---- */

/* Takes a slot and asks the room of the hello to admit the session. Ends the session if there is no
 * slot or no memory. */
void session_join(struct context *context, struct session *session,
                  const struct proto_hello *hello);

/* ---- session_read.c also has session_read() of session.h ---- */

/* Begins to look at the session's socket. Readings are charged to the client's address. Returns
 * false when memory runs out. */
bool session_begin_reading(struct context *context, struct session *session);

/* Must be called before the session ends, also if it has not begun to read. */
void session_end_reading(struct context *context, struct session *session);

/* Charges the account of that room from now on, and sets the share. Returns false when memory runs
 * out. */
bool session_count_reading(struct context *context, struct session *session,
                           const struct link_room *room);

/* Must be called about once a second: a session of a trusted room is a pupil while a trusted
 * presenter of its network is in. */
void session_keep_class(struct context *context, struct session *session);

/* Sets the session's share of the bandwidth, by its account. */
void session_set_share(const struct context *context, struct session *session, uint32_t now);

/* Returns the µs for which unread data of the client may have waited. */
uint64_t session_lateness(const struct context *context, const struct session *session,
                          uint64_t now);

/* Returns the ms for which the client's unread bytes have waited. */
uint32_t session_waited(const struct session *session, uint32_t now);

/* ---- session_receive.c ---- */

/* Handles a message, or a part of a message. */
void session_receive(struct context *context, struct session *session, const uint8_t *data,
                     size_t size);

/* Checks the bytes outside messages. Ends the session if there are too many, or if a frame had no
 * mask. */
void session_listen(struct context *context, struct session *session);

/* Handles a WebSocket pong. */
void session_pong(struct context *context, struct session *session, const uint8_t *data,
                  size_t size);

/* Sends the room the level that the client's line can take and the level of the shard's overload,
 * until the room has received them. */
void session_ease(struct context *context, struct session *session);

/* Notes that the session's room knows of neither. */
void session_uneased(struct context *context, struct session *session);

#endif
