/* A run of flock-load: clients join, are measured for some time, and leave. All clients are on one
 * thread and one epoll. struct load has their common state and their counts.
 *
 * The run owns its clients. Times are nanoseconds of CLOCK_MONOTONIC. flockd and Node use the same
 * clock, so their times on one machine can be compared. */
#ifndef LOAD_H
#define LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "histogram.h"
#include "options.h"
#include "packed.h"
#include "protocol.h"
#include "websocket.h"

#define LOAD_SECOND UINT64_C(1000000000)

enum client_kind {
    CLIENT_STEADY, /* reads at once */
    CLIENT_SLOW,
    CLIENT_NEVER,
    CLIENT_CHURN,
};

enum client_stage {
    CLIENT_AWAY,
    CLIENT_CONNECTING,
    CLIENT_JOINING, /* has sent the upgrade */
    CLIENT_LIVE,    /* gets snapshots */
    CLIENT_GONE,    /* lost; does not join again */
};

struct client {
    struct websocket socket;
    uint8_t kind, stage;
    bool fresh;     /* has had no snapshot since it joined */
    bool renewed;   /* has had no snapshot since the last grant of its stream */
    bool told_slow; /* the server has reported a slow connection */
    uint32_t room;  /* index */
    uint32_t epoch;
    uint64_t tick, time; /* of the last snapshot; with --raw, tick is the running number */
    float step;          /* ticks between two snapshots */
    uint32_t stride;     /* a snapshot has every stride-th boid of the flock */
    uint32_t sequence;   /* of the last packed boids */
    struct packed_decoder *packed; /* NULL: none yet */
};

/* A room as its clients see it, from its last room message. */
struct room {
    char code[PROTO_ROOM_MAX + 1];
    char key[PROTO_KEY_MAX + 1]; /* "" if the room existed before the run */
    float width, height, quantum;
    bool bounded;         /* boids stay in the world */
    int16_t max_x, max_y; /* then: the largest coordinates, steps from the middle */
    uint32_t tick_rate;
    uint64_t wrong; /* malformed frames and failed connections */
};

#define PENDING_CURSORS 64u

/* Cursors of the first client that were not yet the target in a snapshot, the oldest first. */
struct pending {
    uint32_t count;
    struct {
        float x, y;
        uint64_t sent;
    } cursors[PENDING_CURSORS];
};

struct tally {
    uint64_t frames, bytes; /* frames: snapshots, or payloads with --raw; bytes: in them */
    uint64_t boids;         /* in these frames */
    uint64_t keyframes;     /* of packed snapshots */
    uint64_t others;        /* messages other than snapshots */
    uint64_t other_bytes;   /* bytes in them */
    uint64_t slowed;        /* stream messages to steady clients that report a slow connection */
    uint64_t missed;        /* snapshots that steady clients did not get */
    uint64_t late_ticks;    /* ticks that the server dropped */
    uint64_t cursors, unseen;
    uint64_t joins, dropped; /* dropped: slow clients that the server closed */
    struct histogram delivery, effect;
    struct histogram age; /* of snapshots when slow clients read them */
};

struct load {
    const struct load_options *options;
    struct client *clients;
    struct proto_decoder *decoder;
    struct proto_server_message *message;
    uint32_t room_count;
    struct room *rooms;
    struct pending pending;
    struct tally tally;
    uint64_t wrong, lost;
    int epoll;
    bool measuring;
    uint32_t next, joining, live; /* the next client to join; numbers of clients */
    uint32_t turn;                /* number of the last cursor */
    uint32_t pongs;
    uint64_t pinged, round_trip; /* round_trip: the shortest */
    int64_t server_zero;         /* when the server's clock was 0 */
    uint64_t cpu, own_cpu;       /* ns, during the measurement */
    uint64_t memory_before, memory_after;
    double seconds; /* duration of the measurement */
};

uint64_t load_now(void);

/* Runs the whole load. SIGINT or SIGTERM ends the warm-up and the measurement early. Returns false,
 * after printing the reason, if the run was not complete. */
bool load_run(struct load *load, const struct load_options *options);
void load_finish(struct load *load);

/* ---- rooms ---- */

/* Makes the rooms, or uses the rooms that the options name. Returns false on an error, with a
 * message on stderr. rooms_close() ends the rooms that this run made. */
bool rooms_open(struct load *load);
void rooms_close(struct load *load);

static inline struct room *room_of(const struct load *load, const struct client *client)
{
    return &load->rooms[client->room];
}

/* ---- clients ---- */

/* Steps of a client. Called when its socket is ready, or for a repeated action. */
void client_join(struct load *load, uint32_t index);
void client_writable(struct load *load, uint32_t index);
void client_readable(struct load *load, uint32_t index, size_t limit);
void client_leave(struct load *load, uint32_t index);
void client_move_cursor(struct load *load, uint32_t index, uint64_t now);
void client_ping(struct load *load, uint32_t index, uint64_t now);

/* Must be called when the connection has ended. why: a text for people. */
void client_lost(struct load *load, uint32_t index, const char *why);

/* ---- messages from the server ---- */

/* Checks and counts one message. Returns NULL, or a text about its fault. */
const char *check_message(struct load *load, struct client *client, const uint8_t *data,
                          size_t size, uint64_t now);
const char *check_payload(struct load *load, struct client *client, const uint8_t *data,
                          size_t size, uint64_t now);

/* ---- the result ---- */

void report(const struct load *load);

#endif
