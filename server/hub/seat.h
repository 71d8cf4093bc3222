/* A seat: a runner's half of a link. A link's EVENT_JOIN brings it, and the runner keeps it until
 * the link's EVENT_LEAVE. The link's session names it: its shard and its id. Slots are reserved in
 * the shard's outbox for the replies that must not be lost: the welcome, HUB_CLOSED, or HUB_MOVED
 * and HUB_LEFT. For the files of hub/ and cluster/; the thread of the runner, or of the far end,
 * owns it. */
#ifndef SEAT_H
#define SEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "hub/outbox.h"
#include "room/room.h"

#define SEAT_WAITING_MAX 4095u
#define SEAT_SHARD_MAX   32767u

struct seat {
    struct mailbox *replies; /* in the outbox of the session's shard */
    uint64_t session;
    uint64_t room;      /* number of the room that it joins */
    room_member member; /* 0: not in the room */
    uint32_t person;    /* the id, after it has joined */
    uint16_t shard : 15;
    bool presented : 1;    /* its member was a presenter at the last line of the audit log */
    uint16_t waiting : 12; /* its events in its room's queue */
    uint16_t reserved : 2; /* reserved slots left in the outbox */
    bool closed : 1;       /* HUB_CLOSED was sent */
    bool moved : 1;        /* HUB_MOVED was sent */
    uint32_t cursor; /* where its last cursor waits: see queue.h. 0: nowhere, or before others */
    char address[];  /* the session's, as text; last, so that short ones save memory */
};

/* Makes the seat of a session, whose replies go to that part of its shard's outbox. Returns NULL
 * when memory runs out or the outbox is full. Any thread. */
struct seat *seat_create(struct mailbox *replies, uint32_t shard, uint64_t session,
                         const char *address);

/* Returns its reserved slots, and frees it. Takes NULL. */
void seat_destroy(struct seat *seat);

/* Sends the reply, which it takes over. A welcome always fits. Returns false, and releases the
 * frame, if the outbox is full. */
bool seat_tell(struct seat *seat, struct hub_reply *reply);

/* Sends HUB_CLOSED, the last reply; the session then closes. Takes over the frame. Does nothing
 * more if the seat is closed. */
void seat_close(struct seat *seat, const struct room_end *end);

/* Sends HUB_MOVED: the room is not on this runner. Does nothing if the seat is closed. */
void seat_move(struct seat *seat);

/* Answers a message that came after HUB_MOVED: the sender tries again. */
void seat_refuse(struct seat *seat, const struct proto_client_message *message);

/* Sends HUB_LEFT if HUB_MOVED was sent. Must be called when the link has left. */
void seat_left(struct seat *seat);

/* A runner's seats, by shard and slot of the session's id. */
struct seats {
    struct seats_shard {
        struct seat **slots;
        size_t count;
    } * shards;
    uint32_t shard_count;
};

/* Returns false when memory runs out; then there is nothing to destroy. Destroying frees the seats
 * that are left. */
bool seats_create(struct seats *seats, uint32_t shards);
void seats_destroy(struct seats *seats);

/* Takes over the seat, whose session has none yet. Returns false, and takes nothing, when memory
 * runs out. */
bool seats_add(struct seats *seats, struct seat *seat);

/* Returns the session's seat, or NULL. */
struct seat *seats_find(const struct seats *seats, uint32_t shard, uint64_t session);

/* Removes the seat, which is then the caller's. */
void seats_take(struct seats *seats, struct seat *seat);

#endif
