#include "net/session/pending.h"

#include <stdlib.h>

#include "net/session/session_parts.h"

struct tries *pending_tries(const struct context *context)
{
    return hub_tries(context->service->hub);
}

struct pending *pending_find(const struct context *context, const struct session *session)
{
    struct pending *pending = list_entry(context->pending.first, struct pending, item);

    if (!session->pending) {
        return NULL;
    }
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
        list_append(&context->pending, &pending->item);
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
        tries_leave_line(pending_tries(context), pending->origin, pending->keys);
    }
    session->pending = false;
    list_remove(&context->pending, &pending->item);
    free(pending);
}
