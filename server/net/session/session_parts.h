/* What the files that a session is made of have from one another; for these alone. */
#ifndef SESSION_PARTS_H
#define SESSION_PARTS_H

#include "hub/hub.h"
#include "net/session/session.h"

static inline uint32_t session_ms(const struct context *context)
{
    return outlet_ms(hub_now(context->service->hub));
}

/* ---- session_end.c: session_close() (session.h), and ---- */

#define SESSION_CLOSE_TURN 20000 /* µs between looks at whether what is pending has been sent */

/* The session leaves its room. */
void session_retire(struct context *context, struct session *session);

/* ---- session_refuse.c ---- */

/* Puts a frame in line, taking it over. The client would miss something without it, so the session
 * is closed if that cannot be, or the frame is NULL because memory ran out. */
void session_push(struct context *context, struct session *session, struct frame *frame);

/* Counts an error that the client is told of. Returns whether it is one of too many. */
bool session_errs(struct context *context, struct session *session);

/* Answers a mistake of the client's, and ends the session if it is a fatal one or one of too many.
 */
void session_refuse(struct context *context, struct session *session, struct proto_error *error);

/* The error that answers a message; NULL: none that can be told. */
struct proto_error session_error_of(const struct proto_client_message *message,
                                    enum proto_code code, bool fatal);
void session_refuse_with(struct context *context, struct session *session,
                         const struct proto_client_message *message, enum proto_code code,
                         bool fatal, const char *text);

/* Answers a mistake that the room need not see, after the room has answered the messages before it.
 * False: the error is fatal, or memory ran out; nothing was done. */
bool session_refuse_in_turn(struct context *context, struct session *session,
                            const struct proto_error *error);

/* Hands answers that wait (see later.h) to the link, as many as it takes; true when none is left.
 */
bool session_caught_up(struct session *session);

/* Whether a message may be read now. One too many is ignored. */
bool session_within_rate(struct context *context, struct session *session);

/* ---- session_receive.c ---- */

/* A message of the client's, or a part of one. */
void session_receive(struct context *context, struct session *session, const uint8_t *data,
                     size_t size);

/* Looks at what has come besides messages: ends the session if that is too much, or if there was a
 * frame without a mask. */
void session_listen(struct context *context, struct session *session);

/* A WebSocket pong. */
void session_pong(struct context *context, struct session *session, const uint8_t *data,
                  size_t size);

/* Tells the room how much the client's line can take, until it has heard it. */
void session_ease(struct context *context, struct session *session);

#endif
