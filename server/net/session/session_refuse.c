/* Errors that a session sends for wrong messages and floods. */
#include <stdio.h>

#include "net/session/session_parts.h"

void session_push(struct context *context, struct session *session, struct frame *frame)
{
    bool memory = frame != NULL;

    if (!outlet_push(&session->outlet, frame)) {
        session_close(context, session, memory ? END_UNREAD : END_NO_MEMORY);
    }
}

bool session_errs(struct context *context, struct session *session)
{
    counter_add(&context->counts.errors, 1);
    return session->stage != SESSION_CLOSING &&
           !intake_error(&session->intake, session_ms(context));
}

/* Returns NULL when memory runs out. */
static struct frame *make_error(const struct proto_error *error)
{
    struct frame *frame = frame_create(PROTO_MESSAGE_MAX);

    return frame != NULL
               ? frame_end(frame, proto_encode_error(frame_data(frame), frame->capacity, error))
               : NULL;
}

void session_refuse(struct context *context, struct session *session, struct proto_error *error)
{
    enum end_reason why = END_PROTOCOL;

    if (session_errs(context, session)) {
        error->fatal = true;
    }
    if (error->code == PROTO_E_VERSION) {
        why = END_VERSION;
    } else if (error->code == PROTO_E_ROOM) {
        why = END_NO_ROOM;
    }
    session_push(context, session, make_error(error));
    if (error->fatal) {
        session_close(context, session, why);
    }
    if (session->stage != SESSION_CLOSING) { /* else see session_end_turn() */
        session_flush(context, session);
    }
}

struct proto_error session_error_of(const struct proto_client_message *message,
                                    enum proto_code code, bool fatal)
{
    struct proto_error error = {.code = code, .fatal = fatal};

    if (message != NULL) {
        error.type = (uint32_t)message->type;
        error.has_tag = message->has_tag;
        error.tag = message->tag;
    }
    return error;
}

void session_refuse_with(struct context *context, struct session *session,
                         const struct proto_client_message *message, enum proto_code code,
                         bool fatal, const char *text)
{
    struct proto_error error = session_error_of(message, code, fatal);

    snprintf(error.message, sizeof error.message, "%s", text);
    session_refuse(context, session, &error);
}

static bool tell_in_turn(void *link, struct frame *frame)
{
    return link_answer(link, frame);
}

bool session_caught_up(struct session *session)
{
    return session->link == NULL || later_tell(&session->later, tell_in_turn, session->link);
}

bool session_refuse_in_turn(struct context *context, struct session *session,
                            const struct proto_error *error)
{
    struct frame *frame = session->link != NULL && !error->fatal ? make_error(error) : NULL;

    if (frame == NULL) {
        return false;
    }
    if (session_caught_up(session) && link_answer(session->link, frame)) {
        return true;
    }
    if (!later_add(&session->later, frame)) {
        session_close(context, session, END_UNANSWERED);
    }
    return true;
}

bool session_within_rate(struct context *context, struct session *session)
{
    switch (intake_message(&session->intake, session_ms(context))) {
    case INTAKE_READ:
        return true;
    case INTAKE_TELL:
        session_refuse_with(context, session, NULL, PROTO_E_FLOOD, false,
                            "more than 240 messages per second: the server ignores the excess");
        break;
    case INTAKE_IGNORE:
        break;
    case INTAKE_END:
        session_close(context, session, END_MESSAGES);
        break;
    }
    return false;
}
