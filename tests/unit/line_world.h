/* A connection between an outlet and its client in simulated time. The room makes snapshots and
 * grants all wants. The buffers are large. The client reads at a set rate, and answers pings when
 * it reads them. */
#ifndef LINE_WORLD_H
#define LINE_WORLD_H

#include "net/session/outlet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "outlet_room.h"
#include "room/stream.h"

#define MS            UINT64_C(1000) /* µs */
#define S             UINT64_C(1000000)
#define RATE          30u /* snapshots a second */
#define WELCOME_SIZE  6000u
#define HEADER_SIZE   120u      /* bytes of a snapshot without its boids */
#define IN_FLIGHT_MAX 4096u     /* messages */
#define ROOM_TIME     (20 * MS) /* until the room grants a want */

/* A packet on its way to the client. */
struct message {
    uint64_t at;   /* µs: when it was sent */
    uint64_t made; /* µs: when its snapshot was made; 0: no snapshot */
    uint32_t ping; /* the number of a ping; 0: not a ping */
    size_t left;   /* unread bytes */
};

struct world {
    uint64_t now;
    /* The line. */
    uint64_t rate;   /* bytes a second that the client reads */
    uint64_t way;    /* µs of a round trip */
    uint64_t jitter; /* µs: largest additional delay of a pong */
    uint32_t random;
    uint64_t deaf_at, deaf_until; /* µs: the client reads nothing between these times */
    double credit;                /* bytes that the client may read now */
    struct message messages[IN_FLIGHT_MAX];
    uint32_t first, count;
    uint32_t pong;    /* the number of a pong on its way … */
    uint64_t pong_at; /* … and when it arrives, µs; 0: none */
    /* The server. */
    uint64_t turn;      /* µs that a turn of the shard takes; 0: it handles all at once */
    uint64_t turn_at;   /* µs: beginning of the turn */
    uint64_t unread_at; /* µs: since when it reads nothing from the client; 0: it reads */
    /* The room. */
    bool packed, at_rest;
    uint64_t change_time; /* µs between changes of the room's facts; 0: none change */
    size_t facts;         /* bytes of their message */
    struct stream_want want;
    uint32_t flock;
    uint32_t ease;
    struct stream_grant grant;
    uint64_t grant_at; /* µs: when the room grants the want; 0: no want is pending */
    bool key_wanted;
    uint64_t snapshots;
    struct room_view *view;
    /* The session. */
    struct outlet outlet;
    struct counts counts;
    /* The client's view. */
    uint64_t count_from; /* µs: ages of earlier snapshots do not count */
    uint64_t age_max;
    uint32_t frames, pings, raised;
    uint32_t asked;     /* how often the outlet asked for the unsent bytes */
    uint64_t raised_at; /* µs: when the stream was last raised */
    uint64_t bytes;
};

static inline size_t unsent(void *line)
{
    ((struct world *)line)->asked++;
    return 0; /* the buffers accept all bytes */
}

static inline uint32_t queued(void *line)
{
    const struct world *world = line;
    size_t bytes = 0;

    for (uint32_t i = 0; i < world->count; i++) {
        bytes += world->messages[(world->first + i) % IN_FLIGHT_MAX].left;
    }
    return (uint32_t)bytes;
}

static inline void put_on_line(struct world *world, size_t size, uint64_t made, uint32_t ping)
{
    assert_true(world->count < IN_FLIGHT_MAX);
    world->messages[(world->first + world->count++) % IN_FLIGHT_MAX] =
        (struct message){.at = world->now, .made = made, .ping = ping, .left = size};
}

static inline void flush(struct world *world)
{
    struct outlet_turn turn = {
        .view = world->view,
        .counts = &world->counts,
        .now = world->now,
        .late = world->unread_at > 0 ? world->now - world->unread_at
                : world->turn > 0    ? world->now - world->turn_at
                                     : 0,
        .unread = world->unread_at > 0,
        .unsent = unsent,
        .queued = queued,
        .line = world,
    };
    struct outlet_item item;

    outlet_view(&world->outlet, &turn);
    while ((item = outlet_next(&world->outlet, &turn)).type != OUTLET_NOTHING) {
        bool snapshot = item.type == OUTLET_KEYFRAME || item.type == OUTLET_DELTA;
        if (item.type == OUTLET_WANT_KEY) {
            world->key_wanted = true;
        } else if (item.type == OUTLET_PING) {
            world->pings++;
            put_on_line(world, 6, 0, (uint32_t)item.number);
        } else {
            put_on_line(world, item.size + 4, snapshot ? turn.view->time : 0, 0);
        }
        outlet_sent(&world->outlet, &turn, &item, item.size);
    }
    if (world->outlet.line.level != world->ease) {
        if (world->outlet.line.level > world->ease) {
            world->raised++;
            world->raised_at = world->now;
        }
        world->ease = world->outlet.line.level;
        world->grant_at = world->now + ROOM_TIME;
    }
}

/* Grants the want for the line's level, as a room does. */
static inline void grant(struct world *world, bool joined)
{
    struct stream_grant before = world->grant;
    struct room_grant granted = {.joined = joined};

    world->grant = stream_grant(world->packed ? STREAM_PACKED : STREAM_PLAIN, &world->want,
                                world->ease, RATE, world->flock);
    if (!joined && memcmp(&before.kind, &world->grant.kind, sizeof before.kind) == 0) {
        return;
    }
    world->view->streams[0].id = granted.stream = stream_id(&world->grant.kind);
    granted.sequence = world->view->streams[0].sequence;
    world->key_wanted = true;
    outlet_push(&world->outlet, sized_frame(joined ? WELCOME_SIZE : 20));
    outlet_grant(&world->outlet, &granted, NULL, &world->counts, world->now);
}

static inline void change_room(struct world *world)
{
    if (world->change_time != 0 &&
        world->now / world->change_time != (world->now - S / RATE) / world->change_time) {
        put_frame(&world->view->frames[VIEW_ROOM], sized_frame(world->facts));
        world->view->versions[VIEW_ROOM]++;
    }
}

/* Ticks the room. Its snapshots have the sizes of a flock of 3,000 moving boids. */
static inline void make_snapshot(struct world *world)
{
    size_t boids = (world->flock + world->grant.kind.stride - 1) / world->grant.kind.stride;
    size_t plain = HEADER_SIZE + 4 * boids;
    size_t key = HEADER_SIZE + 7 * boids / 2;
    size_t delta = HEADER_SIZE + (world->at_rest ? 0 : 3 * boids / 2);

    change_room(world);
    if (world->snapshots++ % world->grant.kind.divisor != 0) {
        return;
    }
    world->view->time = world->now;
    add_snapshot(world->view, world->packed ? delta : 0,
                 !world->packed      ? plain
                 : world->key_wanted ? key
                                     : 0);
    world->key_wanted = false;
}

static inline void read_message(struct world *world, const struct message *message)
{
    if (message->ping != 0) {
        world->pong = message->ping;
        world->random = world->random * 1664525 + 1013904223;
        world->pong_at = world->now + world->way / 2 + ((world->random * world->jitter) >> 32);
    }
    if (message->made != 0) {
        uint64_t age = world->now - message->made;
        world->frames += world->now >= world->count_from;
        if (world->now >= world->count_from && age > world->age_max) {
            world->age_max = age;
        }
    }
}

/* Simulates a millisecond of the connection. */
static inline void carry(struct world *world)
{
    bool deaf = world->now >= world->deaf_at && world->now < world->deaf_until;
    bool there =
        world->count > 0 && world->now >= world->messages[world->first].at + world->way / 2;

    world->credit = there && !deaf ? world->credit + (double)world->rate / 1000 : 0;
    while (world->count > 0 && world->credit > 0) {
        struct message *message = &world->messages[world->first];
        size_t part =
            message->left < (size_t)world->credit + 1 ? message->left : (size_t)world->credit + 1;
        if (world->now < message->at + world->way / 2) {
            break;
        }
        message->left -= part;
        world->credit -= (double)part;
        world->bytes += world->now >= world->count_from ? part : 0;
        if (message->left == 0) {
            read_message(world, message);
            world->first = (world->first + 1) % IN_FLIGHT_MAX;
            world->count--;
        }
    }
}

static inline void take_pong(struct world *world, uint64_t late)
{
    if (world->pong_at != 0 && world->now >= world->pong_at) {
        world->pong_at = 0;
        if (outlet_pong(&world->outlet, world->pong, world->now, late)) {
            flush(world);
        }
    }
}

static inline void take_grant(struct world *world)
{
    if (world->grant_at != 0 && world->now >= world->grant_at) {
        world->grant_at = 0;
        grant(world, false);
        flush(world);
    }
}

/* Works as a busy shard: at the beginning of its turn it reads what has arrived during the turn
 * before, and in the middle of the turn it sends this client the newest snapshot. */
static inline void work_late(struct world *world)
{
    if (world->now >= world->turn_at + world->turn) {
        uint64_t before = world->turn_at;
        world->turn_at = world->now;
        take_pong(world, world->now - before);
        take_grant(world);
    }
    if (world->now == world->turn_at + world->turn / 2 / MS * MS) {
        flush(world);
    }
}

static inline void run(struct world *world, uint64_t time)
{
    for (uint64_t end = world->now + time; world->now < end; world->now += MS) {
        carry(world);
        if (world->turn == 0 && world->unread_at == 0) {
            take_pong(world, 0);
            take_grant(world);
        }
        if (world->now * RATE / S != (world->now - MS) * RATE / S) {
            make_snapshot(world);
            if (world->turn == 0) {
                flush(world);
            }
        }
        if (world->turn > 0) {
            work_late(world);
        }
    }
}

/* The stream that a new client asks for: .rate snapshots per second of .boids boids; 0: all. */
static inline struct world *join_wanting(const struct stream_want *want, uint64_t rate,
                                         uint64_t way, uint32_t flock, bool packed)
{
    struct world *world = calloc(1, sizeof *world);

    assert_non_null(world);
    world->now = S;
    world->rate = rate;
    world->way = way;
    world->flock = flock;
    world->packed = packed;
    world->want = *want;
    world->view = make_view();
    world->grant.kind = (struct stream_kind){packed ? STREAM_PACKED : STREAM_PLAIN, 1, 1};
    outlet_init(&world->outlet, 1, world->now);
    flush(world);
    run(world, way); /* until its hello has arrived */
    grant(world, true);
    flush(world);
    return world;
}

static inline struct world *join(uint64_t rate, uint64_t way, uint32_t flock, bool packed)
{
    return join_wanting(&(struct stream_want){0}, rate, way, flock, packed);
}

/* Ends the connection. Asserts that each offered snapshot was sent or skipped. */
static inline void leave(struct world *world)
{
    outlet_end(&world->outlet, &world->counts);
    outlet_finish(&world->outlet);
    assert_int_equal(world->counts.offered, world->counts.sent + world->counts.skipped);
    view_release(world->view);
    free(world);
}

static inline void begin_counting(struct world *world)
{
    world->count_from = world->now;
    world->age_max = world->bytes = 0;
    world->frames = world->raised = world->pings = world->asked = 0;
}

#endif
