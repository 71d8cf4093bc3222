#include "net/session/pending.h"

#include <stdlib.h>

#include "net/session/session_parts.h"

struct tries *pending_tries(const struct context *context)
{
    return hub_tries(context->service->hub);
}

/* Returns the index of the list that has the session's hello. Numbers of sessions begin with their
 * slots, which count up. */
static size_t list_of(const struct session *session)
{
    return session->entry.id % CONTEXT_PENDING;
}

struct pending *pending_find(const struct context *context, const struct session *session)
{
    struct pending *pending;

    if (!session->pending) {
        return NULL;
    }
    pending = list_entry(context->pending[list_of(session)].first, struct pending, item);
    while (pending != NULL && pending->session != session) {
        pending = list_entry(pending->item.next, struct pending, item);
    }
    return pending;
}

struct pending *pending_keep(struct context *context, struct session *session,
                             const struct proto_hello *hello)
{
    struct pending *pending = pending_find(context, session);

    if (pending != NULL) {
        return pending;
    }
    pending = malloc(sizeof *pending);
    if (pending != NULL) {
        *pending =
            (struct pending){.session = session, .hello = *hello, .pass = {.kind = TRIES_OR_LINE}};
        list_append(&context->pending[list_of(session)], &pending->item);
        session->pending = true;
    }
    return pending;
}

struct tries_pass pending_pass(const struct context *context, const struct session *session)
{
    const struct pending *pending = pending_find(context, session);

    return pending != NULL ? pending->pass : (struct tries_pass){.kind = TRIES_NOW};
}

void pending_finish(struct context *context, struct session *session)
{
    struct pending *pending = pending_find(context, session);

    if (pending == NULL) {
        return;
    }
    if (pending->waits) {
        tries_leave_line(pending_tries(context), pending->origin, pending->keys,
                         links_now(context->links));
    }
    session->pending = false;
    list_remove(&context->pending[list_of(session)], &pending->item);
    free(pending);
}
