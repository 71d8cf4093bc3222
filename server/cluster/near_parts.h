/* The parts of a near end. For near_end.c, near_rooms.c and near_send.c. */
#ifndef NEAR_PARTS_H
#define NEAR_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/codes.h"
#include "base/list.h"
#include "cluster/near_end.h"
#include "hub/hub.h"

#define NEAR_BUCKETS 4096u /* of links */

/* Another node with sessions here, by its name. */
struct near_edge {
    char name[NODE_NAME_MAX + 1];
    uint32_t incarnation;
    uint32_t before;     /* its earlier incarnation, whose last messages may come late; 0: none */
    uint64_t changed_at; /* µs: the incarnation took its place */
    uint64_t number;     /* of the last message to it */
};

/* The sessions of an edge in a room. */
struct near_party {
    struct near_edge *edge;
    struct near_room *room;
    struct list_item item;  /* in room->parties */
    struct list_item noted; /* in near->noted: it has replies to be sent */
    struct list links;
    bool begun;                 /* its messages are numbered from `number` on */
    bool has_state;             /* it was sent the whole state */
    uint64_t number;            /* of its last message */
    uint64_t heard_at;          /* µs */
    uint64_t again_at;          /* µs: it was last told to join again */
    struct wire_writer replies; /* size 0: none */
};

/* A stream of a room with members elsewhere. */
struct near_stream {
    uint32_t id;
    uint32_t members;
    bool begun;                      /* something of it was published */
    uint32_t sequence, key_sequence; /* the newest that were published */
    char subject[BROKER_SUBJECT_MAX];
};

struct near_room {
    struct coded coded;    /* in near->codes */
    struct list_item item; /* in near->rooms */
    uint64_t epoch;
    bool ready;             /* the hub has it */
    bool superseded;        /* another node has a later epoch: nothing more is sent */
    uint64_t number;        /* in the hub; 0: not known before the first welcome */
    uint64_t state_number;  /* of the last message with changes of its view */
    uint64_t views;         /* published so far */
    struct room_view *last; /* the state of the last one, perhaps without streams; NULL: none */
    struct list parties;
    struct near_stream *streams;
    uint32_t stream_count;
    size_t stream_capacity;
    struct broker_subscription *items;
};

struct near_link {
    uint64_t number;  /* the edge's */
    uint64_t session; /* ours: generation << 32 | slot + 1 */
    struct link *link;
    struct near_party *party;
    struct near_link *next; /* in its bucket */
    struct list_item item;  /* in party->links */
    uint32_t stream;
    bool streaming;
};

struct near_end {
    struct post *post;
    struct hub *hub;
    struct links *hub_links;
    struct proto_decoder *decoder;
    struct near_edge *edges; /* NEAR_EDGES */
    uint32_t edge_count;
    struct codes codes; /* of the rooms */
    struct list rooms;
    struct list noted;          /* parties with replies */
    struct near_room **by_slot; /* of the hub's rooms */
    struct near_link *link_buckets[NEAR_BUCKETS];
    struct near_link **sessions; /* by slot; sessions_max */
    uint32_t *free_slots;
    uint32_t free_count, sessions_max;
    uint32_t generation;
    uint64_t looked_at; /* µs: when silent edges were last looked for */
};

/* ---- near_rooms.c ---- */

struct near_room *near_room_find(const struct near_end *near, const char *code);

/* Returns the room of that number in the hub, or NULL. */
struct near_room *near_room_of(const struct near_end *near, uint64_t number);
void near_room_set_number(struct near_end *near, struct near_room *room, uint64_t number);

/* Returns NULL when memory runs out. Dropping leaves all links. */
struct near_room *near_room_make(struct near_end *near, const char *code);
void near_room_drop(struct near_end *near, struct near_room *room);

/* Returns the party of that edge; makes it if there is none. A new incarnation of the edge has no
 * sessions. For some seconds, returns NULL for the incarnation before it. Returns NULL when memory
 * runs out or there are too many edges. */
struct near_party *near_party_make(struct near_end *near, struct near_room *room, const char *name,
                                   uint32_t incarnation, uint64_t now);
void near_party_drop(struct near_end *near, struct near_party *party);

/* Leaves all links of the party. */
void near_party_reset(struct near_end *near, struct near_party *party, enum end_reason why);

struct near_link *near_link_find(const struct near_end *near, const struct near_party *party,
                                 uint64_t number);
struct near_link *near_link_of(const struct near_end *near, uint64_t session);

/* Makes a link that has joined nothing yet. Returns NULL when memory runs out or there are too
 * many. Freeing leaves the room. */
struct near_link *near_link_make(struct near_end *near, struct near_party *party, uint64_t number);
void near_link_free(struct near_end *near, struct near_link *link, enum end_reason why);

/* Notes that the link's session has that stream from now on. Without memory it has none. */
void near_link_set_stream(struct near_link *link, uint32_t id);

/* ---- near_send.c ---- */

/* Queues a reply to a session. */
void near_reply(struct near_end *near, struct near_party *party, const struct wire_reply *reply,
                uint64_t now);

/* Sends what is queued for the party, or for all. */
void near_send(struct near_end *near, struct near_party *party, uint64_t now);
void near_send_all(struct near_end *near, uint64_t now);

/* Sends the whole state, behind what is queued. */
void near_send_state(struct near_end *near, struct near_party *party, uint64_t now);

void near_send_clock(struct near_end *near, struct near_party *party, uint64_t probe, uint64_t now);

/* Tells the edge that its sessions must join again, not too often. */
void near_send_again(struct near_end *near, struct near_party *party, uint64_t now);

/* Publishes what is new in the view, which it takes over. */
void near_publish(struct near_end *near, struct room_view *view, uint64_t now);

#endif
