/* The hub: how sessions and rooms reach each other. It owns the room and the sim thread that ticks
 * it; the network calls in from its own threads, the shards, and nothing else is shared.
 *
 *     session → hub_join(), hub_send(), …            → queue → room
 *     room    → replies to one session               → the shard's queue → hub_take_reply()
 *     room    → the state of all, latest wins, to each shard             → hub_take_state()
 *
 * A session is any number but 0, whose lower 32 bits less one are an index below
 * shards × sessions_max: that of its shard is index / sessions_max. Between hub_join() and the
 * reply HUB_GONE that follows hub_leave(), no other session may use that index, and no more than
 * sessions_max of all indices may be in use: this bounds the queues. */
#ifndef HUB_H
#define HUB_H

#include <stdbool.h>
#include <stdint.h>

#include "counter.h"
#include "protocol.h"
#include "room/room.h"

struct hub;

struct hub_definition {
    struct room_definition room;
    uint32_t shards; /* 1 or more */
    uint32_t sessions_max;
    /* Called from the sim thread when there is something for that shard to take. */
    void (*wake)(void *argument, uint32_t shard);
    void *argument;
};

/* The parts of a room's state but for its snapshots, in the order in which they have to be sent. */
enum state_part { STATE_ROOM, STATE_PARAMS, STATE_PRESENCE, STATE_PARTS };

/* The newest snapshots of a stream, as in struct stream. */
struct state_stream {
    uint32_t sequence, key_sequence;
    struct frame *deltas[STREAM_HISTORY], *key; /* each may be NULL */
};

/* A room's state as of one tick: the frame of each part (NULL: nobody needs one), and which one it
 * is; and the snapshot of each stream, by its place. The frames are those of all shards: what is in
 * front of their data is for none to write. */
struct state {
    uint32_t versions[STATE_PARTS];
    struct frame *frames[STATE_PARTS];
    uint32_t stream_count;
    struct state_stream streams[];
};

enum hub_reply_type {
    HUB_WELCOME, /* frame: the welcome, which has the state's parts of those versions; stream,
                    sequence */
    HUB_STREAM,  /* frame: what another stream holds; stream, sequence: from now on */
    HUB_ERROR,   /* frame: the error; the session goes on */
    HUB_TELL,    /* frame: a role; the session goes on */
    HUB_CLOSE,   /* frame: an error or NULL; close the session with that code and reason */
    HUB_GONE,    /* the last word about a session */
};

struct hub_reply {
    enum hub_reply_type type;
    uint64_t session;
    struct frame *frame; /* now the taker's, to release */
    uint32_t stream;     /* the place of the stream whose snapshots are the session's … */
    uint32_t sequence;   /* … from the one after this on */
    uint32_t versions[STATE_PARTS];
    enum proto_close code;
    const char *reason; /* a literal */
};

/* What the sim thread has counted of the room. */
struct hub_stats {
    _Atomic uint64_t people, boids;  /* just now */
    _Atomic uint64_t ticks, dropped; /* made, and left out to keep up */
    _Atomic uint64_t encoded, keys;  /* frames of snapshots: all, and those that stand alone */
    struct histogram lateness;       /* of a tick's beginning, against its deadline */
    struct histogram duration;       /* of a tick, its snapshots included */
};

/* Takes NULL. */
void state_destroy(struct state *state);

/* Creates the room and starts ticking it. Returns NULL when memory runs out or no thread can be
 * had. */
struct hub *hub_create(const struct hub_definition *definition);

/* Stops the sim thread and waits for it: from here on `wake` is not called. Takes NULL. */
void hub_stop(struct hub *hub);

/* Frees everything; after hub_stop(). Takes NULL. */
void hub_destroy(struct hub *hub);

/* The server's clock: µs since the hub was created. Any thread. */
uint64_t hub_now(const struct hub *hub);

/* Whether the flock has ticked within the last five seconds, or five ticks if that is longer; its
 * ticks. Any thread. */
bool hub_healthy(const struct hub *hub);
uint64_t hub_ticks(const struct hub *hub);

/* To read from any thread. */
const struct hub_stats *hub_stats(const struct hub *hub);

/* From a session to its room: its hello; any other message but ping; its end. False, and nothing is
 * done, when memory runs out or a great many messages come at once. A cursor that gets lost so is
 * replaced by the next one. */
bool hub_join(struct hub *hub, uint64_t session, const struct proto_hello *hello);
bool hub_send(struct hub *hub, uint64_t session, const struct proto_client_message *message);
void hub_leave(struct hub *hub, uint64_t session);

/* A session has missed a snapshot of the stream at that place: the next one will have a keyframe.
 * Any thread. */
void hub_want_key(struct hub *hub, uint32_t stream);

bool hub_take_reply(struct hub *hub, uint32_t shard, struct hub_reply *reply);

/* The newest state, now the taker's, to destroy; NULL when there is none since the shard's last
 * call. */
struct state *hub_take_state(struct hub *hub, uint32_t shard);

#endif
