#include "hub/outbox.h"

#include <stdlib.h>

/* Replies that may wait for a shard: a few for each session, and some more. */
#define REPLIES_SESSION 5u
#define REPLIES_MORE    1024u

static size_t replies_max(uint32_t sessions_max)
{
    return (size_t)REPLIES_SESSION * sessions_max + REPLIES_MORE;
}

size_t outbox_seats(uint32_t sessions_max)
{
    return replies_max(sessions_max) / OUTBOX_SEAT;
}

bool outbox_create(struct outbox *outbox, uint32_t rooms_max, uint32_t sessions_max)
{
    size_t bound = replies_max(sessions_max);

    outbox->slots = rooms_max;
    outbox->latest = calloc(rooms_max, sizeof *outbox->latest);
    if (outbox->latest == NULL) {
        return false;
    }
    if (!mailbox_create(&outbox->replies, sizeof(struct hub_reply), bound)) {
        free(outbox->latest);
        return false;
    }
    /* A slot may be queued twice: once more after its view was withdrawn. */
    if (!mailbox_create(&outbox->ready, sizeof(uint32_t), 2 * (size_t)rooms_max)) {
        mailbox_destroy(&outbox->replies);
        free(outbox->latest);
        return false;
    }
    return true;
}

void outbox_destroy(struct outbox *outbox)
{
    struct hub_reply reply;

    while (outbox_take_reply(outbox, &reply)) {
        frame_release(reply.frame);
        if (reply.type == HUB_ANSWER) {
            hub_answer_finish(&reply.answer);
        }
    }
    for (uint32_t slot = 0; slot < outbox->slots; slot++) {
        view_release(atomic_load(&outbox->latest[slot]));
    }
    free(outbox->latest);
    mailbox_destroy(&outbox->ready);
    mailbox_destroy(&outbox->replies);
}

void outbox_publish(struct outbox *outbox, uint32_t slot, struct room_view *view)
{
    struct room_view *before = atomic_exchange(&outbox->latest[slot], view);

    /* An untaken view means that the slot is already queued. */
    if (before != NULL) {
        view_release(before);
    } else if (!mailbox_push(&outbox->ready, &slot, false)) {
        outbox_withdraw(outbox, slot); /* the next view may fit */
    }
}

void outbox_withdraw(struct outbox *outbox, uint32_t slot)
{
    view_release(atomic_exchange(&outbox->latest[slot], NULL));
}

bool outbox_take_reply(struct outbox *outbox, struct hub_reply *reply)
{
    return mailbox_take(&outbox->replies, reply, 1) == 1;
}

struct room_view *outbox_take_view(struct outbox *outbox)
{
    struct room_view *view = NULL;
    uint32_t slot;

    while (view == NULL && mailbox_take(&outbox->ready, &slot, 1) == 1) {
        view = atomic_exchange(&outbox->latest[slot], NULL); /* NULL: withdrawn */
    }
    return view;
}
