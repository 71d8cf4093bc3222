/* The parts of a far end. For far_end.c, far_rooms.c and far_replies.c. */
#ifndef FAR_PARTS_H
#define FAR_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/codes.h"
#include "base/list.h"
#include "cluster/far_clock.h"
#include "cluster/far_end.h"
#include "cluster/far_view.h"
#include "hub/event.h"

#define FAR_NODES 64u /* nodes whose clocks and numbers are known */

/* A stream that sessions here have, or had lately. */
struct far_stream {
    uint32_t id;
    uint32_t members;
    uint64_t left_at;  /* without members: since then (µs) */
    uint64_t asked_at; /* a keyframe was asked for; 0: none is missing */
    struct broker_subscription *frames;
};

struct far_room {
    struct coded coded;     /* in far->codes */
    struct list_item item;  /* in far->rooms */
    struct list_item noted; /* in far->noted */
    uint32_t slot;          /* of far->slots */
    uint64_t number;        /* for this hub; another one after the room has left its node's hub */
    bool by_server;         /* the owner has said that it is: its views have the server's lane */
    uint64_t epoch;         /* the highest that is known; 0: none */
    uint64_t wanted;        /* the epoch in which it was asked for; 0: never */
    uint32_t owner;         /* incarnation of the node that has sent last */
    struct far_view view;
    struct list links;
    uint32_t link_count;
    uint32_t *shard_links;    /* by shard */
    struct list cursors;      /* links whose cursor waits */
    uint64_t cursors_at;      /* µs: when they are sent */
    struct wire_writer items; /* that wait for the end of the turn; size 0: none */
    uint64_t items_number;
    struct far_stream *streams;
    uint32_t stream_count;
    size_t stream_capacity;
    struct broker_subscription *state;
    uint64_t probed_at; /* µs; 0: must be probed behind the next hello */
    uint64_t heard_at, left_at, again_at, state_asked_at; /* µs */
    uint64_t ended_at; /* µs: this node heard of the room's end; 0: the room goes on */
    bool unreachable;  /* its sessions have a message `reach` that says so */
};

struct far_link {
    uint64_t number; /* generation << 32 | position + 1: for the owner */
    struct seat *seat;
    struct far_room *room;   /* NULL: closed, or moved */
    struct list_item item;   /* in room->links */
    struct list_item waits;  /* in room->cursors */
    struct joining *joining; /* the hello, until the welcome */
    struct proto_cursor cursor;
    uint64_t began_at, sent_at; /* µs: of the hello, first and last */
    uint64_t entered;           /* its room's number at its last welcome */
    uint32_t stream;
    bool streaming;
    bool presenter;
    bool by_server; /* its seat has the lane of the server's rooms */
};

/* The process of another node, as far as this node knows it. */
struct far_node {
    uint32_t incarnation; /* 0: unused */
    uint64_t number;      /* of its last message to this node */
    uint64_t heard_at;    /* µs */
    struct far_clock clock;
};

struct far_end {
    struct post *post;
    const struct hub_far *rooms_of; /* of the hub's definition */
    far_end_want *want;             /* may be NULL */
    void *argument;
    struct hub *hub;
    uint32_t shards;
    bool *touched; /* by shard, and last that of other nodes: it has something to take */
    struct broker_subscription *inbox;
    struct codes codes; /* of the rooms */
    struct list rooms;
    struct list noted; /* rooms with something to send, or a changed view */
    uint32_t *free_slots;
    uint32_t free_count;
    uint32_t generation;
    struct far_link **links; /* by position: slot of the session * (shards + 1) + shard */
    size_t link_capacity;
    struct far_node nodes[FAR_NODES];
    uint64_t looked_at; /* µs: when timers were last looked at */
};

/* ---- far_rooms.c ---- */

struct far_room *far_room_find(const struct far_end *far, const char *code);

/* Makes a room without links. Returns NULL when memory runs out or there are too many. */
struct far_room *far_room_make(struct far_end *far, const char *code, uint64_t now);

/* Frees a room without links. */
void far_room_drop(struct far_end *far, struct far_room *room);

/* Gives the room a new number, and forgets its view. */
void far_room_renew(struct far_end *far, struct far_room *room);

/* Queues an item for the owner, behind the cursors that wait. Sends what is queued if it is much.
 */
void far_room_add(struct far_end *far, struct far_room *room, const struct wire_item *item,
                  uint64_t now);
void far_room_add_cursors(struct far_end *far, struct far_room *room, uint64_t now);

/* Begins a list of items that the owner takes after any other: the owner forgets this node's
 * sessions in the room. */
void far_room_reset(struct far_end *far, struct far_room *room, uint64_t now);

/* Sends the queued items. */
void far_room_send(struct far_end *far, struct far_room *room, uint64_t now);

void far_room_probe(struct far_end *far, struct far_room *room, uint64_t now);

/* Asks for a keyframe, once for all sessions until it comes. */
void far_room_want_key(struct far_end *far, struct far_room *room, uint32_t id, uint64_t now);
void far_room_has_key(struct far_room *room, uint32_t id);

/* Notes that a session of the room has that stream from now on, and subscribes; or that it has
 * none. */
void far_link_set_stream(struct far_end *far, struct far_link *link, uint32_t id, uint64_t now);
void far_link_end_stream(struct far_link *link, uint64_t now);

/* Unsubscribes from streams that had no member for FAR_LINGER. */
void far_room_end_streams(struct far_end *far, struct far_room *room, uint64_t now);

/* ---- far_links.c ---- */

/* Returns the link of that number, or of that session of a shard; or NULL. */
struct far_link *far_link_find(const struct far_end *far, uint64_t number);
struct far_link *far_link_of(const struct far_end *far, uint32_t shard, uint64_t session);

/* Takes over the hello and its seat. Returns NULL, and takes nothing, when memory runs out. */
struct far_link *far_link_make(struct far_end *far, struct joining *joining, uint64_t now);

/* Gives the link another number. */
void far_link_renumber(struct far_end *far, struct far_link *link);

/* Puts the link into the room. */
void far_link_enter(struct far_link *link, struct far_room *room, uint64_t now);

/* Sends the hello that the link still has. */
void far_link_join(struct far_end *far, struct far_link *link, uint64_t now);

/* Sends HUB_CLOSED to the session, whose link then leaves. Takes over end->frame. */
void far_link_close(struct far_end *far, struct far_link *link, const struct room_end *end,
                    uint64_t now);

/* Lets the link join its room again: one that was welcomed comes back with its token. */
void far_link_move(struct far_end *far, struct far_link *link, uint64_t now);

/* Frees the link. */
void far_link_free(struct far_end *far, struct far_link *link, uint64_t now);

/* Notes that the room has something to send, or a changed view. */
static inline void far_room_note(struct far_end *far, struct far_room *room)
{
    if (!list_has(&far->noted, &room->noted)) {
        list_append(&far->noted, &room->noted);
    }
}

static inline void far_touch(struct far_end *far, uint32_t shard)
{
    far->touched[shard] = true;
}

/* ---- far_replies.c also has far_end_take() and the like of far_end.h ---- */

/* All sessions of the room join again: messages were lost. */
void far_room_again(struct far_end *far, struct far_room *room, uint64_t now);

/* Asks for the whole state, not too often. */
void far_room_want_state(struct far_end *far, struct far_room *room, uint64_t now);

/* Closes all sessions of a room that has ended. */
void far_room_end(struct far_end *far, struct far_room *room, uint64_t now);

/* Returns the other node's clock less this server's (µs). */
int64_t far_room_ahead(const struct far_end *far, const struct far_room *room);

/* Tells the room's sessions whether its node can be reached. */
void far_room_tell_reach(struct far_end *far, struct far_room *room, bool there);

#endif
