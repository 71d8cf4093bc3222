/* The terminal's session with failing allocations. Each allocation fails once, and the session
 * continues as without the failure. */
#include "term_session.h"

#include "../attack/failing.h"
#include "packed.h"

#include <stdio.h>
#include <stdlib.h>

#define BOIDS 300u

static uint8_t positions[BOIDS * PROTO_BOID_SIZE];
static uint8_t headings[BOIDS];

static void move_boids(uint32_t tick)
{
    for (uint32_t i = 0; i < BOIDS; i++) {
        proto_put_position(positions + (size_t)i * PROTO_BOID_SIZE, (int16_t)(i * 7 + tick),
                           (int16_t)(i * 3 + tick * 2));
    }
}

/* Encodes a snapshot as a server does: packed as a keyframe or delta, or plain. */
static size_t make_snapshot(struct packed_encoder *encoder, uint32_t tick, bool packed, bool key)
{
    static uint8_t bin[1 << 16];
    struct packed_boids boids = {.positions = positions, .headings = headings, .count = BOIDS};
    struct proto_snapshot snapshot = {
        .epoch = 1, .tick = tick, .time = tick * 33333, .people = 2, .packed = packed};
    move_boids(tick);
    snapshot.boids = positions;
    snapshot.boid_count = BOIDS;
    if (packed) {
        packed_next(encoder, &boids, false);
        size_t size = key ? packed_put_key(encoder, &boids, bin) : packed_put_delta(encoder, bin);
        snapshot.boids = bin;
        snapshot.packed_size = (uint32_t)size;
        snapshot.boid_count = 0;
    }
    return proto_encode_snapshot(bytes, sizeof bytes, &snapshot);
}

static void hear_people(struct term_session *session, int64_t now)
{
    struct proto_presence presence = {.sequence = 1, .count = 100};
    for (uint32_t i = 0; i < presence.count; i++) {
        presence.people[i].id = i + 1;
        snprintf(presence.people[i].name, sizeof presence.people[i].name, "person %u", i);
    }
    hear(session, proto_encode_presence(bytes, sizeof bytes, &presence), now);
}

/* Runs a session that joins, reads all kinds of messages and reconnects. Returns whether the
 * session could be made. */
static bool stay(struct packed_encoder *encoder)
{
    struct term_session *session = term_session_create("lobby", "Ada", 30, "packed", "");
    int64_t now = SECOND;
    if (session == NULL) {
        return false;
    }
    for (int connection = 0; connection < 2; connection++) {
        term_session_opened(session, now);
        hear_welcome_as(session, PROTO_PRESENTER, now);
        hear_people(session, now);
        for (uint32_t tick = 1; tick < 40; tick++) {
            now += 33 * MS;
            hear(session, make_snapshot(encoder, tick, tick % 10 != 0, tick % 10 == 1), now);
            term_session_tick(session, now);
            timeline_play(session->timeline, now);
        }
        term_session_closed(session, 3000, "", now);
    }
    term_session_destroy(session);
    return true;
}

/* Returns whether the session shows the flock after a failure, at the latest after the next
 * keyframe. */
static bool shows_the_flock(struct packed_encoder *encoder)
{
    struct term_session *session = term_session_create("lobby", "Ada", 30, "packed", "");
    bool shown = false;
    if (session != NULL) {
        term_session_opened(session, SECOND);
        hear_welcome(session, SECOND);
        hear(session, make_snapshot(encoder, 1, true, true), SECOND + 33 * MS);
        timeline_play(session->timeline, SECOND + 200 * MS);
        shown = timeline_boid_count(session->timeline) == BOIDS;
    }
    term_session_destroy(session);
    return shown;
}

static void each_allocation_may_fail(void **state)
{
    struct failing_plan *plan = failing_plan();
    struct packed_encoder *encoder = packed_encoder_create(BOIDS);
    (void)state;
    assert_non_null(encoder);
    uint64_t before = atomic_load(&plan->count);
    assert_true(stay(encoder));
    uint64_t count = atomic_load(&plan->count) - before;
    assert_true(count > 5);
    for (uint64_t number = 1; number <= count; number++) {
        for (uint64_t many = 1; many <= 4; many += 3) {
            uint64_t from = atomic_load(&plan->count) + number;
            atomic_store(&plan->until, from + many);
            atomic_store(&plan->from, from);
            stay(encoder);
            atomic_store(&plan->from, 0);
            assert_true(shows_the_flock(encoder));
        }
    }
    packed_encoder_destroy(encoder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
