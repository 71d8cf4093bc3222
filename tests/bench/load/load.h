/* A run of flock-load: clients that join, are measured for a while and leave, all on one thread and
 * one epoll; what they have in common, and what they count.
 *
 * The run owns its clients. Times are nanoseconds of CLOCK_MONOTONIC, which is the clock of flockd
 * and of Node, too: on one machine all of them agree. */
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
    CLIENT_JOINING, /* the upgrade has been asked for */
    CLIENT_LIVE,    /* it is sent snapshots */
    CLIENT_GONE,    /* for good */
};

struct client {
    struct websocket socket;
    uint8_t kind, stage;
    bool fresh;     /* has had no snapshot since it joined */
    bool renewed;   /* nor since its stream is what it is */
    bool told_slow; /* that its line is, at any time */
    uint32_t room;  /* index */
    uint32_t epoch;
    uint64_t tick, time; /* of the last snapshot; with --raw, tick is the running number */
    float step;          /* ticks between two snapshots */
    uint32_t stride;     /* every how many of the flock's boids a snapshot holds one */
    uint32_t sequence;   /* of the last packed boids */
    struct packed_decoder *packed; /* NULL: none yet */
};

/* A room as its clients see it, from its last room message. */
struct room {
    char code[PROTO_ROOM_MAX + 1];
    char key[PROTO_KEY_MAX + 1]; /* "" unless the run made the room */
    float width, height, quantum;
    bool bounded;         /* boids keep within the world */
    int16_t max_x, max_y; /* steps from the middle that they can reach then */
    uint32_t tick_rate;
    uint64_t wrong; /* frames and connections that were */
};

#define PENDING_CURSORS 64u

/* Cursors of the first client that no snapshot has shown yet, the oldest first. */
struct pending {
    uint32_t count;
    struct {
        float x, y;
        uint64_t sent;
    } cursors[PENDING_CURSORS];
};

struct tally {
    uint64_t frames, bytes; /* snapshots, or payloads with --raw, of all clients; theirs */
    uint64_t boids;         /* in these frames */
    uint64_t keyframes;     /* of packed snapshots */
    uint64_t others;        /* messages that are no snapshots */
    uint64_t other_bytes;   /* theirs */
    uint64_t slowed;        /* stream messages in which a steady client's line is slow */
    uint64_t missed;        /* by steady clients: from a snapshot to the next one */
    uint64_t late_ticks;    /* that the server left out */
    uint64_t cursors, unseen;
    uint64_t joins, dropped; /* dropped: slow clients that the server closed */
    struct histogram delivery, effect;
    struct histogram age; /* of what slow clients read */
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
    uint32_t next, joining, live; /* the next to join; on their way; arrived */
    uint32_t turn;                /* of the cursors that are being sent */
    uint32_t pongs;
    uint64_t pinged, round_trip; /* round_trip: the shortest */
    int64_t server_zero;         /* when the server's clock was 0 */
    uint64_t cpu, own_cpu;       /* in the time that was measured */
    uint64_t memory_before, memory_after;
    double seconds; /* measured */
};

uint64_t load_now(void);

/* Runs the whole load; SIGINT or SIGTERM ends the warm-up and the measurement early. Returns
 * whether it was complete; if not, it has printed the reason. */
bool load_run(struct load *load, const struct load_options *options);
void load_finish(struct load *load);

/* ---- rooms ---- */

/* Makes the rooms, or uses the rooms that the options name. Returns false on an error, with a
 * message on stderr. rooms_close() ends the rooms that were made. */
bool rooms_open(struct load *load);
void rooms_close(struct load *load);

static inline struct room *room_of(const struct load *load, const struct client *client)
{
    return &load->rooms[client->room];
}

/* ---- clients ---- */

/* Each moves a client on when its socket is ready, or on the run's beats. */
void client_join(struct load *load, uint32_t index);
void client_writable(struct load *load, uint32_t index);
void client_readable(struct load *load, uint32_t index, size_t limit);
void client_leave(struct load *load, uint32_t index);
void client_move_cursor(struct load *load, uint32_t index, uint64_t now);
void client_ping(struct load *load, uint32_t index, uint64_t now);

/* The connection has ended; why is for people. */
void client_lost(struct load *load, uint32_t index, const char *why);

/* ---- what they are sent ---- */

/* Checks and counts one message. Returns NULL, or what is wrong with it. */
const char *check_message(struct load *load, struct client *client, const uint8_t *data,
                          size_t size, uint64_t now);
const char *check_payload(struct load *load, struct client *client, const uint8_t *data,
                          size_t size, uint64_t now);

/* ---- the result ---- */

void report(const struct load *load);

#endif
