/* Packed snapshots, and the want that the terminal sends if it cannot use one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/net/stream.h"

#include <string.h>

enum { BOIDS = 100, BYTES_MAX = 4096 };

#define MS     INT64_C(1000)
#define SECOND (1000 * MS)

struct fixture {
    struct term_stream stream;
    struct packed_encoder *encoder;
    uint8_t positions[BOIDS * PROTO_BOID_SIZE], headings[BOIDS];
    struct packed_boids boids;
    uint8_t bytes[BYTES_MAX];
    const uint8_t *told;
    uint64_t tick;
};

static void join(struct fixture *f)
{
    struct proto_welcome welcome = {.stream = {.rate = 30, .stride = 1}};
    welcome.room.tick_rate = welcome.room.snapshot_rate = 30;
    term_stream_open(&f->stream);
    term_stream_join(&f->stream, &welcome);
}

static int setup(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){.encoder = packed_encoder_create(BOIDS)};
    fixture.boids = (struct packed_boids){fixture.positions, fixture.headings, BOIDS, 0, 0};
    term_stream_init(&fixture.stream, 30);
    join(&fixture);
    *state = &fixture;
    return fixture.encoder == NULL;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    term_stream_finish(&f->stream);
    packed_encoder_destroy(f->encoder);
    return 0;
}

/* Moves the flock. */
static void move(struct fixture *f)
{
    for (int i = 0; i < BOIDS; i++) {
        proto_put_position(f->positions + (size_t)i * PROTO_BOID_SIZE,
                           (int16_t)(7 * i * (int)f->tick), (int16_t)(i - 3 * (int)f->tick));
        f->headings[i] = (uint8_t)(i + (int)f->tick);
    }
    f->tick++;
    packed_next(f->encoder, &f->boids, false);
}

static enum packed_result take(struct fixture *f, size_t size)
{
    struct proto_snapshot snapshot = {.packed = true, .tick = f->tick, .flock = BOIDS};
    snapshot.boids = f->bytes;
    snapshot.packed_size = size;
    enum packed_result result = term_stream_take(&f->stream, &snapshot, &f->told);
    if (result == PACKED_OK) {
        assert_false(snapshot.packed);
        assert_int_equal(snapshot.boid_count, BOIDS);
        assert_memory_equal(snapshot.boids, f->positions, sizeof f->positions);
    } else {
        assert_null(f->told);
    }
    return result;
}

static enum packed_result take_key(struct fixture *f)
{
    return take(f, packed_put_key(f->encoder, &f->boids, f->bytes));
}

static enum packed_result take_delta(struct fixture *f)
{
    size_t size = packed_put_delta(f->encoder, f->bytes);
    assert_true(size > 0);
    return take(f, size);
}

/* Sends the next message, which must be a want of the whole stream. */
static void says_want(struct fixture *f, int64_t now)
{
    struct proto_want want = term_stream_next(&f->stream, now);
    assert_int_equal(want.rate, 30);
    assert_int_equal(want.boids, 0);
}

static void plain_snapshots_pass(void **state)
{
    struct fixture *f = *state;
    struct proto_snapshot snapshot = {.boids = f->positions, .boid_count = BOIDS};
    assert_int_equal(term_stream_take(&f->stream, &snapshot, &f->told), PACKED_OK);
    assert_ptr_equal(snapshot.boids, f->positions);
    assert_int_equal(snapshot.boid_count, BOIDS);
    assert_null(f->told);
    assert_false(term_stream_due(&f->stream, SECOND));
}

static void a_keyframe_and_its_deltas_are_unpacked(void **state)
{
    struct fixture *f = *state;
    move(f);
    assert_int_equal(take_key(f), PACKED_OK);
    assert_memory_equal(f->told, f->headings, BOIDS);
    for (int i = 1; i < 50; i++) {
        move(f);
        assert_int_equal(take_delta(f), PACKED_OK);
        assert_null(f->told);
        assert_false(term_stream_due(&f->stream, i * 33 * MS));
    }
}

static void an_unusable_delta_is_ignored_and_a_keyframe_requested(void **state)
{
    struct fixture *f = *state;
    move(f);
    take_key(f);
    move(f); /* this snapshot is lost */
    move(f);
    assert_int_equal(take_delta(f), PACKED_LOST);
    assert_true(term_stream_due(&f->stream, 100 * MS));
    says_want(f, 100 * MS);
    int wants = 1;
    for (int64_t now = 101 * MS; now < 3100 * MS; now += MS) {
        if (now % (33 * MS) == 0) {
            move(f);
            assert_int_equal(take_delta(f), PACKED_LOST);
        }
        if (term_stream_due(&f->stream, now)) {
            says_want(f, now);
            wants++;
        }
    }
    assert_int_equal(wants, 3); /* one a second */
    assert_int_equal(take_key(f), PACKED_OK);
    move(f);
    assert_int_equal(take_delta(f), PACKED_OK);
    assert_false(term_stream_due(&f->stream, 60 * SECOND));
}

static void malformed_snapshots_are_reported(void **state)
{
    struct fixture *f = *state;
    move(f);
    take_key(f);
    move(f);
    size_t size = packed_put_delta(f->encoder, f->bytes);
    assert_int_equal(take(f, size - 1), PACKED_MALFORMED);
    assert_true(term_stream_due(&f->stream, 100 * MS));
    assert_int_equal(take(f, 0), PACKED_MALFORMED);
    assert_int_equal(take(f, size), PACKED_LOST);
    assert_int_equal(take_key(f), PACKED_OK);
    assert_false(term_stream_due(&f->stream, 300 * MS));
}

static void a_new_connection_begins_again(void **state)
{
    struct fixture *f = *state;
    move(f);
    take_key(f);
    join(f);
    move(f);
    assert_int_equal(take_delta(f), PACKED_LOST); /* although it follows the last one */
    assert_true(term_stream_due(&f->stream, 0));
    join(f);
    assert_false(term_stream_due(&f->stream, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plain_snapshots_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(a_keyframe_and_its_deltas_are_unpacked, setup, teardown),
        cmocka_unit_test_setup_teardown(an_unusable_delta_is_ignored_and_a_keyframe_requested,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(malformed_snapshots_are_reported, setup, teardown),
        cmocka_unit_test_setup_teardown(a_new_connection_begins_again, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
