/* The messages between nodes about a room and its sessions, as bytes. A head of 40 bytes, then the
 * fields as a MessagePack array that begins with the room's code. Frames for clients are inside as
 * they are: no node reads them.
 *
 * A release may append fields to a message, an item, a reply or a grant. Readers skip fields that
 * they do not know, and accept messages of earlier releases without the new fields. Any other
 * change needs another number in versions.h. Nodes of earlier releases refuse that number.
 *
 * Readers take any bytes: all lengths, counts and values are checked before they are used. Pure. */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ends.h"
#include "base/network.h"
#include "cluster/node.h"
#include "hub/reply.h"
#include "protocol.h"
#include "room/room.h"

#define WIRE_HEAD        40u
#define WIRE_MESSAGE_MAX ((size_t)8 << 20) /* bytes of a message */
#define WIRE_LIST_MAX    4096u             /* items or replies of a message */
#define WIRE_BATCH       65536u            /* bytes after which a list is sent */

enum wire_kind {
    WIRE_SNAPSHOT = 1, /* a snapshot of a stream, from the owner */
    WIRE_STATE,        /* changes of the room's view, or all of it */
    WIRE_REPLIES,      /* from the room to sessions of one edge */
    WIRE_ITEMS,        /* from the sessions of an edge to the room */
    WIRE_PROBE,        /* an edge is there and has sessions in the room; asks for the clock */
    WIRE_CLOCK,        /* answers a probe */
    WIRE_TAKEN,        /* a node owns the room now, with the head's epoch */
    WIRE_AGAIN,        /* the owner knows nothing of the edge's sessions: they must join again */
};

/* Little-endian: 'F' 'K', version, kind, then these. */
struct wire_head {
    enum wire_kind kind;
    uint32_t incarnation; /* of the sender's process */
    uint64_t epoch;       /* of the room; 0: not known */
    uint64_t number;      /* of the sender's messages of that subject; gaps are losses */
    uint64_t time;        /* µs on the sender's clock */
    uint64_t view;        /* number of the room's view that it belongs to; 0: none */
};

/* Bytes inside a message; NULL: none. */
struct wire_bytes {
    const uint8_t *bytes;
    size_t size;
};

struct wire_snapshot {
    uint32_t stream, sequence;
    bool key;
    struct wire_bytes frame;
};

/* A frame with its number or version. */
struct wire_frame {
    bool there; /* it has changed; without bytes, it has ended */
    uint32_t number;
    struct wire_bytes frame;
};

struct wire_pick {
    uint32_t boid, version;
    struct wire_bytes frame;
};

/* Changes of a struct room_view, except its streams. */
struct wire_state {
    bool whole;           /* nothing else is there; goes to one edge */
    uint64_t continues;   /* whole: the number of the last message of the room's subject */
    uint64_t time;        /* of the view */
    uint32_t scale_since; /* of the view; 0: the sender does not say */
    struct wire_frame parts[VIEW_PARTS], topics[VIEW_TOPICS];
    bool picked; /* the picks have changed */
    uint32_t pick_count;
    struct wire_pick picks[PROTO_PICKS_MAX];
    struct wire_frame presence; /* the whole list */
    uint32_t change_count, event_count;
    struct wire_frame changes[VIEW_PRESENCES], events[VIEW_EVENTS]; /* in ascending order */
};

enum wire_reply_type { WIRE_TOLD, WIRE_CLOSED, WIRE_MOVED };

/* A reply to a session of an edge: see struct hub_reply. */
struct wire_reply {
    enum wire_reply_type type;
    uint64_t link;
    enum end_reason why;
    bool presenter, granted;
    struct room_grant grant; /* except `room` */
    enum hub_trust trust;    /* with grant.joined */
    struct wire_bytes frame;
};

enum wire_item_type {
    WIRE_JOIN,   /* bytes: the hello as the client sent it */
    WIRE_SEND,   /* bytes: the client's message */
    WIRE_ANSWER, /* bytes: a frame of the session's own */
    WIRE_EASE,
    WIRE_WANT_KEY, /* of the stream; link 0 */
    WIRE_LEAVE,
    WIRE_WANT_STATE, /* the edge asks for the whole state; link 0 */
    WIRE_RESET,      /* all sessions of the edge leave the room; link 0 */
    WIRE_ITEM_TYPES
};

struct wire_item {
    enum wire_item_type type;
    uint64_t link;        /* the edge's number for the session: generation << 32 | slot + 1 */
    bool presenters_only; /* see struct link_request */
    char address[NETWORK_ADDRESS_MAX];
    struct wire_bytes bytes;
    struct room_ease ease;
    uint32_t stream;
    enum end_reason why;
};

/* A decoded message. Its pointers are valid until the decoder's next message, as long as the bytes
 * are. */
struct wire_message {
    struct wire_head head;
    char code[PROTO_ROOM_MAX + 1];
    char node[NODE_NAME_MAX + 1]; /* of items and probes: the edge; else: "" */
    union {
        struct wire_snapshot snapshot;
        struct wire_state state;
        struct {
            const struct wire_reply *list;
            uint32_t count;
        } replies;
        struct {
            const struct wire_item *list;
            uint32_t count;
        } items;
        uint64_t probe; /* µs on the edge's clock */
        struct {
            uint64_t probe; /* of the WIRE_PROBE */
            uint64_t state; /* number of the last message with changes of the room's view */
        } clock;
    };
};

enum wire_result { WIRE_OK, WIRE_OTHER_VERSION, WIRE_MALFORMED, WIRE_NO_MEMORY };

/* Memory for decoding. One thread at a time. */
struct wire_decoder;

/* Returns NULL when memory runs out; destroy takes NULL. */
struct wire_decoder *wire_decoder_create(void);
void wire_decoder_destroy(struct wire_decoder *decoder);

/* Decodes a message of any bytes. Fills *message with WIRE_OK. */
enum wire_result wire_decode(struct wire_decoder *decoder, const uint8_t *bytes, size_t size,
                             struct wire_message *message);

/* Returns the version of a message that wire_decode() does not know; 0: it has no head. */
uint32_t wire_version(const uint8_t *bytes, size_t size);

/* Returns whether the text may be a code: then it is safe in a subject. */
bool wire_code_is_valid(const char *code);

/* Bytes of a message that is being written; zeros: empty. They grow, and are used again. */
struct wire_writer {
    uint8_t *bytes;
    size_t size, capacity;
    size_t list; /* where the count of a list is */
    uint32_t count;
    bool failed; /* memory ran out, or the message is too large */
};

void wire_writer_finish(struct wire_writer *writer);

/* Write a message. The head's number and time may be set later: see wire_seal(). Return false when
 * memory runs out or the message is too large. */
bool wire_put_snapshot(struct wire_writer *writer, const struct wire_head *head, const char *code,
                       const struct wire_snapshot *snapshot);
bool wire_put_state(struct wire_writer *writer, const struct wire_head *head, const char *code,
                    const struct wire_state *state);
bool wire_put_probe(struct wire_writer *writer, const struct wire_head *head, const char *code,
                    const char *node, uint64_t probe);
bool wire_put_clock(struct wire_writer *writer, const struct wire_head *head, const char *code,
                    uint64_t probe, uint64_t state);

/* WIRE_TAKEN or WIRE_AGAIN: nothing but the head. */
bool wire_put_bare(struct wire_writer *writer, const struct wire_head *head, const char *code);

/* Begin a message with a list, to which items are then added. wire_seal() ends it. */
bool wire_begin_replies(struct wire_writer *writer, const struct wire_head *head, const char *code);
bool wire_begin_items(struct wire_writer *writer, const struct wire_head *head, const char *code,
                      const char *node);
bool wire_add_reply(struct wire_writer *writer, const struct wire_reply *reply);
bool wire_add_item(struct wire_writer *writer, const struct wire_item *item);

/* Sets number and time of a message that is complete otherwise. */
void wire_seal(struct wire_writer *writer, uint64_t number, uint64_t time);

#endif
