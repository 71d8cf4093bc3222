#include "hub/seat.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static_assert(offsetof(struct seat, address) <= 44, "memory of a client: docs/FIGURES.md");

/* The welcome, HUB_MOVED and HUB_LEFT. */
#define LAST_WORDS OUTBOX_SEAT

/* ---- one seat ---- */

struct seat *seat_create(struct mailbox *replies, uint32_t shard, uint64_t session,
                         const char *address)
{
    size_t text = strlen(address) + 1;
    size_t size = offsetof(struct seat, address) + text;
    struct seat *seat = calloc(1, size > sizeof *seat ? size : sizeof *seat);

    if (seat == NULL || !mailbox_reserve(replies, LAST_WORDS)) {
        free(seat);
        return NULL;
    }
    seat->replies = replies;
    assert(shard <= SEAT_SHARD_MAX);
    seat->shard = shard & SEAT_SHARD_MAX;
    seat->session = session;
    seat->reserved = LAST_WORDS;
    memcpy(seat->address, address, text);
    return seat;
}

void seat_destroy(struct seat *seat)
{
    if (seat != NULL) {
        mailbox_unreserve(seat->replies, seat->reserved);
        free(seat);
    }
}

static void push_reserved(struct seat *seat, const struct hub_reply *reply)
{
    assert(seat->reserved > 0);
    seat->reserved--;
    mailbox_push_reserved(seat->replies, reply, false);
}

bool seat_tell(struct seat *seat, struct hub_reply *reply)
{
    assert(!seat->closed);
    reply->session = seat->session;
    if (reply->granted && reply->grant.stream.joined) {
        push_reserved(seat, reply);
        return true;
    }
    if (mailbox_push(seat->replies, reply, false)) {
        return true;
    }
    frame_release(reply->frame);
    return false;
}

void seat_close(struct seat *seat, const struct room_end *end)
{
    const struct hub_reply reply = {
        .type = HUB_CLOSED, .session = seat->session, .frame = end->frame, .why = end->why};

    assert(!seat->moved);
    if (seat->closed) {
        frame_release(end->frame);
        return;
    }
    seat->closed = true;
    push_reserved(seat, &reply);
}

void seat_move(struct seat *seat)
{
    if (!seat->closed) {
        assert(!seat->moved);
        seat->moved = true;
        push_reserved(seat, &(struct hub_reply){.type = HUB_MOVED, .session = seat->session});
    }
}

void seat_refuse(struct seat *seat, const struct proto_client_message *message)
{
    struct proto_error error = {.code = PROTO_E_FULL,
                                .type = message->type,
                                .has_tag = message->has_tag,
                                .tag = message->tag};
    struct hub_reply reply = {.type = HUB_TOLD, .frame = frame_create(PROTO_MESSAGE_MAX)};

    snprintf(error.message, sizeof error.message, "the room is moving; try again in a moment");
    if (reply.frame != NULL) {
        reply.frame = frame_end(reply.frame, proto_encode_error(frame_data(reply.frame),
                                                                reply.frame->capacity, &error));
    }
    (void)seat_tell(seat, &reply);
}

void seat_left(struct seat *seat)
{
    if (seat->moved) {
        push_reserved(seat, &(struct hub_reply){.type = HUB_LEFT, .session = seat->session});
    }
}

/* ---- all seats of a runner ---- */

bool seats_create(struct seats *seats, uint32_t shards)
{
    *seats = (struct seats){.shards = calloc(shards, sizeof *seats->shards)};
    seats->shard_count = seats->shards != NULL ? shards : 0;
    return seats->shards != NULL;
}

void seats_destroy(struct seats *seats)
{
    for (uint32_t i = 0; i < seats->shard_count; i++) {
        for (size_t slot = 0; slot < seats->shards[i].count; slot++) {
            seat_destroy(seats->shards[i].slots[slot]);
        }
        free(seats->shards[i].slots);
    }
    free(seats->shards);
    *seats = (struct seats){0};
}

static uint32_t slot_of(uint64_t session)
{
    return (uint32_t)session - 1;
}

static bool make_slots(struct seats_shard *shard, uint32_t slot)
{
    size_t count = shard->count;
    struct seat **slots =
        grow_array(shard->slots, &count, (size_t)slot + 1, UINT32_MAX, sizeof(*slots));

    if (slots == NULL) {
        return false;
    }
    memset(slots + shard->count, 0, (count - shard->count) * sizeof(*slots));
    shard->slots = slots;
    shard->count = count;
    return true;
}

bool seats_add(struct seats *seats, struct seat *seat)
{
    struct seats_shard *shard = &seats->shards[seat->shard];
    uint32_t slot = slot_of(seat->session);

    if (!make_slots(shard, slot)) {
        return false;
    }
    assert(shard->slots[slot] == NULL);
    shard->slots[slot] = seat;
    return true;
}

struct seat *seats_find(const struct seats *seats, uint32_t shard, uint64_t session)
{
    const struct seats_shard *of = &seats->shards[shard];
    uint32_t slot = slot_of(session);
    struct seat *seat = slot < of->count ? of->slots[slot] : NULL;

    return seat != NULL && seat->session == session ? seat : NULL;
}

void seats_take(struct seats *seats, struct seat *seat)
{
    struct seat **slot = &seats->shards[seat->shard].slots[slot_of(seat->session)];

    assert(*slot == seat);
    *slot = NULL;
}
