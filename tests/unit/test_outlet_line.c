/* How old what a client reads is, over lines of all kinds, in simulated time: an outlet, a room
 * that makes snapshots and grants what it is asked for, buffers as big as any kernel's, and a
 * client that reads so many bytes a second and answers pings when it reads them. */
#include "net/outlet.h"

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
#define HEADER_SIZE   120u      /* of a snapshot, besides its boids */
#define IN_FLIGHT_MAX 4096u     /* messages */
#define ROOM_TIME     (20 * MS) /* until a room has granted what is asked for */

/* What is on its way to the client. */
struct message {
    uint64_t at;   /* when it was sent */
    uint64_t made; /* when the snapshot in it was made; 0: there is none */
    uint32_t ping; /* the number of the ping that it is; 0: it is none */
    size_t left;   /* bytes that the client has yet to read */
};

struct world {
    uint64_t now;
    /* The line. */
    uint64_t rate;   /* bytes a second that the client reads */
    uint64_t way;    /* µs there and back */
    uint64_t jitter; /* µs: a pong takes up to so much longer */
    uint32_t random;
    uint64_t deaf_at, deaf_until; /* the client reads nothing in between */
    double credit;                /* bytes that it may read now */
    struct message messages[IN_FLIGHT_MAX];
    uint32_t first, count;
    uint32_t pong;    /* on its way back … */
    uint64_t pong_at; /* … and there at that time; 0: none is */
    /* The room. */
    bool packed, at_rest;
    uint32_t flock;
    uint32_t ease;
    struct stream_grant grant;
    uint64_t grant_at; /* 0: nothing has been asked */
    bool key_wanted;
    uint64_t snapshots;
    struct room_view *view;
    /* The session. */
    struct outlet outlet;
    struct counts counts;
    /* What the client saw. */
    uint64_t count_from; /* µs: ages before do not count */
    uint64_t age_max;
    uint32_t frames, pings, raised;
    uint64_t raised_at; /* the last time */
    uint64_t bytes;
};

static size_t unsent(void *line)
{
    (void)line;
    return 0; /* the buffers take everything */
}

static void put_on_line(struct world *world, size_t size, uint64_t made, uint32_t ping)
{
    assert_true(world->count < IN_FLIGHT_MAX);
    world->messages[(world->first + world->count++) % IN_FLIGHT_MAX] =
        (struct message){.at = world->now, .made = made, .ping = ping, .left = size};
}

static void flush(struct world *world)
{
    struct outlet_turn turn = {
        .view = world->view, .counts = &world->counts, .now = world->now, .unsent = unsent};
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

/* The grant for what the line bears, as a room gives it. */
static void grant(struct world *world, bool joined)
{
    const struct proto_want all = {0};
    struct stream_grant before = world->grant;
    struct room_grant granted = {.joined = joined};

    world->grant = stream_grant(world->packed ? STREAM_PACKED : STREAM_PLAIN, &all, world->ease,
                                RATE, world->flock);
    if (!joined && memcmp(&before.kind, &world->grant.kind, sizeof before.kind) == 0) {
        return;
    }
    world->view->streams[0].id = granted.stream = stream_id(&world->grant.kind);
    granted.sequence = world->view->streams[0].sequence;
    world->key_wanted = true;
    outlet_push(&world->outlet, sized_frame(joined ? WELCOME_SIZE : 20));
    outlet_grant(&world->outlet, &granted, &world->counts, world->now);
}

/* The room's turn: sizes are those of 3,000 boids that move. */
static void make_snapshot(struct world *world)
{
    size_t boids = (world->flock + world->grant.kind.stride - 1) / world->grant.kind.stride;
    size_t plain = HEADER_SIZE + 4 * boids;
    size_t key = HEADER_SIZE + 7 * boids / 2;
    size_t delta = HEADER_SIZE + (world->at_rest ? 0 : 3 * boids / 2);

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

static void read_message(struct world *world, const struct message *message)
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

/* A millisecond of the line. */
static void carry(struct world *world)
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

static void run(struct world *world, uint64_t time)
{
    for (uint64_t end = world->now + time; world->now < end; world->now += MS) {
        carry(world);
        if (world->pong_at != 0 && world->now >= world->pong_at) {
            world->pong_at = 0;
            if (outlet_pong(&world->outlet, world->pong, world->now)) {
                flush(world);
            }
        }
        if (world->grant_at != 0 && world->now >= world->grant_at) {
            world->grant_at = 0;
            grant(world, false);
            flush(world);
        }
        if (world->now * RATE / S != (world->now - MS) * RATE / S) {
            make_snapshot(world);
            flush(world);
        }
    }
}

static struct world *join(uint64_t rate, uint64_t way, uint32_t flock, bool packed)
{
    struct world *world = calloc(1, sizeof *world);

    assert_non_null(world);
    world->now = S;
    world->rate = rate;
    world->way = way;
    world->flock = flock;
    world->packed = packed;
    world->view = make_view();
    world->grant.kind = (struct stream_kind){packed ? STREAM_PACKED : STREAM_PLAIN, 1, 1};
    outlet_init(&world->outlet, 1, world->now);
    flush(world);
    run(world, way); /* until its hello is there */
    grant(world, true);
    flush(world);
    return world;
}

/* Whatever happened, each snapshot that was offered was sent or skipped. */
static void leave(struct world *world)
{
    outlet_end(&world->outlet, &world->counts);
    outlet_finish(&world->outlet);
    assert_int_equal(world->counts.offered, world->counts.sent + world->counts.skipped);
    view_release(world->view);
    free(world);
}

static void begin_counting(struct world *world)
{
    world->count_from = world->now;
    world->age_max = world->bytes = 0;
    world->frames = world->raised = world->pings = 0;
}

/* ---- what is promised ---- */

static void assert_young(const struct world *world, uint64_t most)
{
    if (world->age_max > most) {
        print_error("a line of %llu B/s, %llu ms there and back, %u boids%s: %llu ms old\n",
                    (unsigned long long)world->rate, (unsigned long long)(world->way / MS),
                    world->flock, world->packed ? ", packed" : "",
                    (unsigned long long)(world->age_max / MS));
    }
    assert_true(world->age_max <= most);
}

/* Lines too slow for 3,000 boids: what is read is never old, from the first snapshot on, and a
 * good part of what the line carries is used. */
static void test_slow_lines(void **state)
{
    static const uint64_t rates[] = {4096, 8192, 16384, 65536};
    static const uint64_t ways[] = {1 * MS, 60 * MS, 300 * MS};

    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        for (size_t j = 0; j < sizeof ways / sizeof ways[0]; j++) {
            for (int packed = 0; packed < 2; packed++) {
                struct world *world = join(rates[i], ways[j], 3000, packed);
                run(world, 10 * S);
                assert_young(world, 1 * S);
                assert_true(world->frames >= 20);
                begin_counting(world);
                run(world, 60 * S);
                assert_young(world, 1 * S);
                assert_true(world->frames >= 180); /* three a second */
                assert_true(world->bytes >= rates[i] * 60 / 6);
                leave(world);
            }
        }
    }
}

/* Whoever reads less than is promised anything gets little, but that is not old either. */
static void test_very_slow_line(void **state)
{
    struct world *world = join(2048, 60 * MS, 3000, false);

    (void)state;
    run(world, 10 * S);
    begin_counting(world);
    run(world, 60 * S);
    assert_young(world, 1 * S);
    assert_true(world->frames >= 60);
    leave(world);
}

/* Whoever may be sent only so much is sent that and no more, never in bursts of more than a second
 * of it, and sees the flock as it is now, however good the line. */
static void test_shares(void **state)
{
    static const uint32_t shares[] = {4000, 16000, 64000};
    static const uint64_t ways[] = {1 * MS, 60 * MS, 300 * MS};

    (void)state;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        for (size_t j = 0; j < sizeof ways / sizeof ways[0]; j++) {
            for (int packed = 0; packed < 2; packed++) {
                struct world *world = join(100000000, ways[j], 3000, packed);
                uint64_t before = 0;
                share_set(&world->outlet.line.share, shares[i], outlet_ms(world->now));
                run(world, 10 * S);
                assert_true(world->frames >= 10);
                begin_counting(world);
                run(world, 60 * S);
                assert_young(world, ways[j] / 2 + 300 * MS);
                assert_true(world->frames >= 180); /* three a second */
                assert_true(world->bytes <= (uint64_t)shares[i] * 63);
                assert_true(world->bytes >= (uint64_t)shares[i] * 60 / 6);
                assert_true(world->raised <= 2);
                before = world->counts.withheld;
                run(world, 10 * S);
                assert_true(world->counts.withheld - before <= 10); /* it is offered what fits */
                leave(world);
            }
        }
    }
}

/* A flock far too big for the share: what is seen at first is coarse, and there at once. */
static void test_share_of_a_big_flock(void **state)
{
    struct world *world = join(100000000, 20 * MS, 100000, true);

    (void)state;
    share_set(&world->outlet.line.share, 40000, outlet_ms(world->now));
    run(world, 5 * S);
    assert_true(world->frames >= 3);
    assert_true(world->bytes < 5 * 40000);
    /* Its limit is taken away: all of it again. */
    share_set(&world->outlet.line.share, 0, outlet_ms(world->now));
    run(world, 60 * S);
    begin_counting(world);
    run(world, 10 * S);
    assert_int_equal(world->frames, 10 * RATE);
    leave(world);
}

/* A flock at rest takes next to nothing, but its keyframes are as big as ever: whoever cannot be
 * sent one is shown fewer boids, and is not tried on the whole flock again and again. */
static void test_share_of_a_flock_at_rest(void **state)
{
    struct world *world = join(100000000, 20 * MS, 10000, true);

    (void)state;
    world->at_rest = true;
    share_set(&world->outlet.line.share, 10000, outlet_ms(world->now));
    run(world, 20 * S);
    begin_counting(world);
    run(world, 120 * S);
    assert_true(world->raised <= 4);
    assert_true(world->frames >= 300);
    leave(world);
}

/* At full speed all is sent, whatever the size of the flock and however long the way. */
static void test_full_speed(void **state)
{
    static const uint64_t ways[] = {0, 1 * MS, 60 * MS, 200 * MS};
    static const uint32_t flocks[] = {12, 3000, 100000};

    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        for (size_t j = 0; j < sizeof flocks / sizeof flocks[0]; j++) {
            for (int packed = 0; packed < 2; packed++) {
                struct world *world = join(100000000, ways[i], flocks[j], packed);
                run(world, 2 * S);
                begin_counting(world);
                run(world, 60 * S);
                assert_int_equal(world->frames, 60 * RATE);
                assert_young(world, ways[i] / 2 + 20 * MS);
                assert_int_equal(world->raised, 0);
                assert_int_equal(world->outlet.line.level, 0);
                assert_true(world->pings <= (flocks[j] < 1000 ? 25 : 62));
                leave(world);
            }
        }
    }
}

/* With nothing in the way, whoever joins sees the flock after one more way there and back, and all
 * of it from then on. */
static void test_beginning(void **state)
{
    struct world *world = join(100000000, 60 * MS, 3000, false);

    (void)state;
    run(world, 200 * MS);
    assert_true(world->frames >= 2);
    begin_counting(world);
    run(world, 1 * S);
    assert_true(world->frames >= RATE - 2);
    leave(world);
}

/* A client that hangs for a moment is not taken for one with a slow line. */
static void test_hiccup(void **state)
{
    struct world *world = join(2000000, 30 * MS, 3000, true);

    (void)state;
    run(world, 15 * S);
    begin_counting(world);
    world->deaf_at = world->now + 500 * MS;
    world->deaf_until = world->deaf_at + 2 * S;
    run(world, 5 * S);
    assert_int_equal(world->raised, 0);
    leave(world);
}

/* A line that was slow for a while is given all of it again, within some seconds. */
static void test_recovery(void **state)
{
    struct world *world = join(2000000, 30 * MS, 3000, false);

    (void)state;
    run(world, 15 * S);
    world->rate = 32768;
    run(world, 60 * S);
    assert_true(world->outlet.line.level > 0);
    begin_counting(world);
    run(world, 10 * S);
    assert_young(world, 1 * S);
    world->rate = 2000000;
    run(world, 80 * S); /* the wait until a try that failed before is made again included */
    assert_int_equal(world->outlet.line.level, 0);
    begin_counting(world);
    run(world, 2 * S);
    assert_int_equal(world->frames, 2 * RATE);
    leave(world);
}

/* A client that reads again after a pause has missed what happened meanwhile, and is not shown it
 * late. */
static void test_pause(void **state)
{
    struct world *world = join(2000000, 30 * MS, 3000, true);
    uint64_t sent;

    (void)state;
    run(world, 15 * S);
    world->deaf_at = world->now;
    world->deaf_until = world->now + 60 * S;
    run(world, 10 * S);
    sent = world->counts.sent;
    run(world, 45 * S);
    assert_int_equal(world->counts.sent, sent); /* nothing more is put in the way */
    run(world, 10 * S);
    begin_counting(world);
    run(world, 10 * S);
    assert_young(world, 1 * S);
    assert_int_equal(world->outlet.line.level, 0);
    leave(world);
}

/* Tries to send more are made more and more seldom, when they fail. */
static void test_tries(void **state)
{
    struct world *world = join(16384, 30 * MS, 3000, false);

    (void)state;
    run(world, 120 * S);
    begin_counting(world);
    run(world, 300 * S);
    assert_in_range(world->raised, 1, 6);
    leave(world);
}

/* Whoever takes nothing at all is found out, and whoever takes little is not. */
static void test_stall(void **state)
{
    struct world *world = join(2000000, 30 * MS, 3000, true);
    struct line *line = &world->outlet.line;

    (void)state;
    run(world, 15 * S);
    assert_false(line_waits(line, outlet_ms(world->now)));
    world->deaf_at = world->now;
    world->deaf_until = UINT64_MAX;
    run(world, 8 * S);
    assert_true(line_waits(line, outlet_ms(world->now)));
    assert_false(line_stalled(line, 5000, 30000, outlet_ms(world->now)));
    run(world, 20 * S);
    assert_false(line_stalled(line, 4000, 30000, outlet_ms(world->now))); /* its kernel took some */
    run(world, 29 * S);
    assert_false(line_stalled(line, 4000, 30000, outlet_ms(world->now)));
    run(world, 2 * S);
    assert_true(line_stalled(line, 4000, 30000, outlet_ms(world->now)));
    leave(world);
}

/* The server looks once a second. The kernel holds nothing back: only pongs tell what is read. */
static bool is_given_up(struct world *world)
{
    uint32_t now = outlet_ms(world->now);
    struct line *line = &world->outlet.line;

    return line_waits(line, now) && line_stalled(line, 0, 30000, now);
}

/* For three minutes, whoever has the line is not taken for one that stalls, though nothing but its
 * pongs tells what it reads: its own kernel has taken all that it was sent. */
static void assert_kept(struct world *world)
{
    begin_counting(world);
    for (int second = 0; second < 180; second++) {
        assert_false(is_given_up(world));
        run(world, 1 * S);
    }
    assert_true(world->frames > 20);
    leave(world);
}

/* Whoever steadily reads a little is kept, from the beginning or when its line has become slow. */
static void test_steady_reader(void **state)
{
    static const uint64_t rates[] = {1024, 2048, 4096};
    static const uint32_t flocks[] = {300, 3000, 10000};

    (void)state;
    for (size_t i = 0; i < 18; i++) {
        uint64_t rate = rates[i % 3];
        uint32_t flock = flocks[i / 3 % 3];
        struct world *world = join(rate, 30 * MS, flock, i >= 9);
        assert_kept(world);
        if (flock == 300) { /* of a bigger one there can be half an hour of snapshots under way */
            world = join(2000000, 30 * MS, flock, i >= 9);
            run(world, 15 * S + 10 * MS);
            world->rate = rate;
            assert_kept(world);
        }
    }
}

/* Whoever looks only now and then answers when it does: its pauses do not add up. */
static void test_now_and_then(void **state)
{
    for (int packed = 0; packed < 2; packed++) {
        struct world *world = join(2000000, 30 * MS, 3000, packed);
        (void)state;
        run(world, 15 * S);
        for (int turn = 0; turn < 4; turn++) {
            begin_counting(world);
            world->deaf_at = world->now;
            world->deaf_until = world->now + 25 * S;
            for (int second = 0; second < 26; second++) {
                run(world, 1 * S);
                assert_false(is_given_up(world));
            }
            assert_true(world->frames > 0);
        }
        leave(world);
    }
}

/* Whoever takes nothing is kept for as long as the server was told to wait, and no longer. */
static void test_long_timeout(void **state)
{
    struct line line;

    (void)state;
    line_init(&line, 0, 1000);
    line_pinged(&line, 1000);
    for (uint32_t now = 2000; now < 121000; now += 1000) {
        assert_true(line_waits(&line, now) || now < 3000);
        assert_false(line_stalled(&line, 6, 120000, now));
    }
    assert_true(line_stalled(&line, 6, 120000, 121000));
}

/* What the client's kernel still acknowledges is taken, however old the ping is. */
static void test_slow_kernel(void **state)
{
    struct line line;

    (void)state;
    line_init(&line, 0, 1000);
    line_sent(&line, 4000000, 1000);
    line_pinged(&line, 1000);
    for (uint32_t now = 2000; now < 600000; now += 1000) {
        assert_false(line_stalled(&line, 4000000 - now, 30000, now));
    }
    assert_false(line_stalled(&line, 3400000, 30000, 600000));
    assert_false(line_stalled(&line, 3400000, 30000, 629999));
    assert_true(line_stalled(&line, 3400000, 30000, 630000));
}

/* A server that was stopped for a while does not blame it on those whom it serves. */
static void test_standstill(void **state)
{
    struct world *world = join(2000000, 30 * MS, 3000, true);
    struct line *line = &world->outlet.line;

    (void)state;
    run(world, 20 * S);
    begin_counting(world);
    for (int turn = 0; turn < 5; turn++) {
        run(world, 1 * S + 17 * MS); /* with a ping under way, or without */
        world->now += 38 * S;
        world->count_from = world->now; /* what the client gets now is as old as that */
        line_skip(line, 38000);
        assert_false(line_stalled(line, 6, 10000, outlet_ms(world->now)));
    }
    run(world, 1 * S);
    world->age_max = 0;
    world->frames = 0;
    run(world, 5 * S);
    assert_int_equal(world->raised, 0);
    assert_int_equal(world->frames, 5 * RATE);
    leave(world);
}

/* Pings are there to be told apart, and those of many clients do not come at once. */
static void test_pings(void **state)
{
    uint32_t at[100];
    struct line line;

    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        line_init(&line, i, UINT32_MAX - 500); /* the clock wraps meanwhile */
        assert_true(line_ping_due(&line, UINT32_MAX - 500));
        line_pinged(&line, UINT32_MAX - 500);
        line_pong(&line, 2, UINT32_MAX - 400); /* none of its own */
        assert_true(line.pinging);
        line_pong(&line, 1, UINT32_MAX - 400);
        assert_false(line.pinging);
        at[i] = 0;
        while (!line_ping_due(&line, at[i])) {
            at[i]++;
        }
        assert_in_range(at[i], 400, 1000);
        for (uint32_t k = 0; k < i && k + 10 > i; k++) {
            assert_int_not_equal(at[i], at[k]);
        }
    }
}

/* 400 kbit/s, 200 ms there and back, and jitter: after some seconds the flock comes in a stream
 * that fits, what is read is young all the time, and about ten seconds after the line became a good
 * one all of it comes again. Snapshots of 3 and of 6 KB. */
static void test_long_jittery_line(void **state)
{
    static const uint32_t flocks[] = {1870, 4000};
    unsigned soon = 0;

    (void)state;
    for (uint32_t i = 0; i < 40; i++) {
        struct world *world = join(50000, 200 * MS, flocks[i % 2], true);
        world->jitter = 40 * MS;
        world->random = i;
        run(world, 8 * S);
        assert_true(world->outlet.line.level > 0);
        assert_young(world, 1 * S);
        begin_counting(world);
        run(world, 12 * S);
        assert_young(world, 800 * MS); /* a try to offer more included */
        assert_true(world->raised <= 2);
        world->rate = 10000000;
        run(world, 10 * S);
        soon += world->outlet.line.level == 0;
        run(world, 4 * S);
        begin_counting(world);
        run(world, 20 * S);
        assert_true(world->frames >= 20 * RATE - 15);
        assert_int_equal(world->raised, 0);
        leave(world);
    }
    assert_true(soon >= 36);
}

/* ---- whoever has just come ---- */

struct sweep {
    uint32_t flock;
    bool packed;
    uint64_t way;
    bool jitter;
    uint32_t percent; /* of what the stream takes, that the line carries */
};

/* The i-th of all that there are; false: there are no more. */
static bool next_sweep(struct sweep *sweep, uint32_t i, uint32_t from, uint32_t to, uint32_t step)
{
    static const uint32_t flocks[] = {1870, 4000};
    static const uint64_t ways[] = {1 * MS, 60 * MS, 200 * MS};

    *sweep = (struct sweep){.flock = flocks[i % 2],
                            .packed = i / 2 % 2 == 0,
                            .way = ways[i / 4 % 3],
                            .jitter = i / 12 % 2 == 0,
                            .percent = from + i / 24 * step};
    return sweep->percent <= to;
}

static struct world *join_sweep(const struct sweep *sweep, uint32_t seed)
{
    uint64_t frame = HEADER_SIZE + (sweep->packed ? 3 * sweep->flock / 2 : 4 * sweep->flock);
    struct world *world =
        join(frame * RATE * sweep->percent / 100, sweep->way, sweep->flock, sweep->packed);

    world->jitter = sweep->jitter ? sweep->way / 5 : 0;
    world->random = seed;
    return world;
}

static void explain(const struct sweep *sweep, const struct world *world)
{
    print_error("%u %% of %u boids%s, %llu ms%s: raised %u times, the last after %llu ms\n",
                sweep->percent, sweep->flock, sweep->packed ? ", packed" : "",
                (unsigned long long)(sweep->way / MS), sweep->jitter ? " and jitter" : "",
                world->raised, (unsigned long long)((world->raised_at - S) / MS));
}

/* A line that carries less than the stream takes, however much less, is found out within five
 * seconds: from then on there is no more asked of it, and what is read was young all the time. */
static void test_settling(void **state)
{
    struct sweep sweep;

    (void)state;
    for (uint32_t i = 0; next_sweep(&sweep, i, 20, 92, 4); i++) {
        struct world *world = join_sweep(&sweep, i);
        run(world, 5 * S - sweep.way); /* it came with its hello */
        uint32_t raised = world->raised;
        if (raised == 0) {
            explain(&sweep, world);
        }
        assert_true(raised > 0);
        run(world, 2 * S); /* before more is tried */
        if (world->raised != raised) {
            explain(&sweep, world);
        }
        assert_int_equal(world->raised, raised);
        assert_young(world, 1 * S);
        leave(world);
    }
}

/* A line that carries half as much again as the stream takes is never asked for less. */
static void test_good_lines(void **state)
{
    struct sweep sweep;

    (void)state;
    for (uint32_t i = 0; next_sweep(&sweep, i, 150, 450, 50); i++) {
        struct world *world = join_sweep(&sweep, i);
        run(world, 20 * S);
        if (world->raised > 0) {
            explain(&sweep, world);
        }
        assert_int_equal(world->raised, 0);
        leave(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_lines),
        cmocka_unit_test(test_very_slow_line),
        cmocka_unit_test(test_full_speed),
        cmocka_unit_test(test_beginning),
        cmocka_unit_test(test_hiccup),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_pause),
        cmocka_unit_test(test_tries),
        cmocka_unit_test(test_stall),
        cmocka_unit_test(test_steady_reader),
        cmocka_unit_test(test_now_and_then),
        cmocka_unit_test(test_long_timeout),
        cmocka_unit_test(test_slow_kernel),
        cmocka_unit_test(test_standstill),
        cmocka_unit_test(test_pings),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_share_of_a_big_flock),
        cmocka_unit_test(test_share_of_a_flock_at_rest),
        cmocka_unit_test(test_long_jittery_line),
        cmocka_unit_test(test_settling),
        cmocka_unit_test(test_good_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
