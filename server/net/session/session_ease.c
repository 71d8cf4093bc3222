/* A session asks its room for less: by the level of its line, and by that of an overload. */
#include "net/session/session_parts.h"

static void count_change(_Atomic uint64_t *count, bool before, bool after)
{
    counter_set(count, counter_read(count) + after - before);
}

/* Notes what the room knows. */
static void count_eased(struct context *context, struct session *session, uint32_t line,
                        uint32_t overload)
{
    count_change(&context->counts.eased, session->eased > 0, line > 0);
    count_change(&context->counts.lowered, session->lowered > 0, overload > 0);
    session->eased = line & 15u;
    session->lowered = overload & 3u;
    session->outlet.line.spared = overload > 0;
}

void session_uneased(struct context *context, struct session *session)
{
    count_eased(context, session, 0, 0);
}

void session_ease(struct context *context, struct session *session)
{
    const struct room_ease ease = {.line = session->outlet.line.level,
                                   .overload = context->overload.levels[session_class(session)]};

    if ((ease.line == session->eased && ease.overload == session->lowered) ||
        session->link == NULL || !link_ease(session->link, &ease)) {
        return;
    }
    count_eased(context, session, ease.line, ease.overload);
}
