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
    return OUTBOX_LANES * replies_max(sessions_max) / OUTBOX_SEAT;
}

/* Returns false when memory runs out; then there is nothing to destroy. */
static bool create_lane(struct outbox_lane *lane, uint32_t rooms_max, uint32_t sessions_max)
{
    if (!mailbox_create(&lane->replies, sizeof(struct hub_reply), replies_max(sessions_max))) {
        return false;
    }
    /* A slot may be queued twice: once more after its view was withdrawn. */
    if (!mailbox_create(&lane->ready, sizeof(uint32_t), 2 * (size_t)rooms_max)) {
        mailbox_destroy(&lane->replies);
        return false;
    }
    return true;
}

static void destroy_lane(struct outbox_lane *lane)
{
    mailbox_destroy(&lane->ready);
    mailbox_destroy(&lane->replies);
}

bool outbox_create(struct outbox *outbox, uint32_t rooms_max, uint32_t sessions_max)
{
    outbox->slots = rooms_max;
    outbox->latest = calloc(rooms_max, sizeof *outbox->latest);
    if (outbox->latest == NULL) {
        return false;
    }
    for (size_t i = 0; i < OUTBOX_LANES; i++) {
        if (!create_lane(&outbox->lanes[i], rooms_max, sessions_max)) {
            while (i-- > 0) {
                destroy_lane(&outbox->lanes[i]);
            }
            free(outbox->latest);
            return false;
        }
    }
    return true;
}

void outbox_destroy(struct outbox *outbox)
{
    struct hub_reply reply;

    while (outbox_take_reply(outbox, true, &reply) || outbox_take_reply(outbox, false, &reply)) {
        frame_release(reply.frame);
        if (reply.type == HUB_ANSWER) {
            hub_answer_finish(&reply.answer);
        }
    }
    for (uint32_t slot = 0; slot < outbox->slots; slot++) {
        view_release(atomic_load(&outbox->latest[slot]));
    }
    free(outbox->latest);
    for (size_t i = 0; i < OUTBOX_LANES; i++) {
        destroy_lane(&outbox->lanes[i]);
    }
}

void outbox_publish(struct outbox *outbox, bool by_server, uint32_t slot, struct room_view *view)
{
    atomic_store_explicit(&outbox->lanes[by_server].waits, true, memory_order_relaxed);
    struct room_view *before = atomic_exchange(&outbox->latest[slot], view);

    /* An untaken view means that the slot is already queued. */
    if (before != NULL) {
        view_release(before);
    } else if (!mailbox_push(&outbox->lanes[by_server].ready, &slot, false)) {
        outbox_withdraw(outbox, slot); /* the next view may fit */
    }
}

void outbox_withdraw(struct outbox *outbox, uint32_t slot)
{
    view_release(atomic_exchange(&outbox->latest[slot], NULL));
}

bool outbox_take_reply(struct outbox *outbox, bool by_server, struct hub_reply *reply)
{
    return mailbox_take(&outbox->lanes[by_server].replies, reply, 1) == 1;
}

struct room_view *outbox_take_view(struct outbox *outbox, bool by_server)
{
    struct room_view *view = NULL;
    uint32_t slot;

    atomic_store_explicit(&outbox->lanes[by_server].waits, false, memory_order_relaxed);
    while (view == NULL && mailbox_take(&outbox->lanes[by_server].ready, &slot, 1) == 1) {
        view = atomic_exchange(&outbox->latest[slot], NULL); /* NULL: withdrawn */
    }
    return view;
}
