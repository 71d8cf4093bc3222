/* Views: their contents, their holders, and the frames that a shard's copy shares with the copy
 * before.
 */
#include "control_room.h"

#include <pthread.h>

static struct room_view *view_now(void)
{
    struct room_view *view = room_snapshot(room, workspace, clock_now);

    assert_non_null(view);
    return view;
}

static struct room_view *own(const struct room_view *view, const struct room_view *mine)
{
    struct room_view *copy = view_own(view, mine);

    assert_non_null(copy);
    return copy;
}

/* Returns the frame with that index among all frames of a view, or NULL after the last one. */
static struct frame *const *frame_at(const struct room_view *view, uint32_t index)
{
    if (index < VIEW_PARTS) {
        return &view->frames[index];
    }
    index -= VIEW_PARTS;
    if (index < VIEW_TOPICS) {
        return &view->topics[index];
    }
    index -= VIEW_TOPICS;
    if (index == 0) {
        return &view->presence_whole;
    }
    index--;
    if (index < VIEW_PRESENCES) {
        return &view->presence_changes[index];
    }
    index -= VIEW_PRESENCES;
    if (index < VIEW_EVENTS) {
        return &view->event_frames[index];
    }
    index -= VIEW_EVENTS;
    if (index / (VIEW_DELTAS + 1) >= view->stream_count) {
        return NULL;
    }
    const struct view_stream *stream = &view->streams[index / (VIEW_DELTAS + 1)];
    index %= VIEW_DELTAS + 1;
    return index < VIEW_DELTAS ? &stream->deltas[index] : &stream->key;
}

/* Asserts that the copy has other frames with the same bytes. */
static void assert_copy(const struct room_view *copy, const struct room_view *view)
{
    assert_true(copy->room == view->room && copy->time == view->time);
    assert_memory_equal(copy->versions, view->versions, sizeof view->versions);
    assert_memory_equal(copy->topic_versions, view->topic_versions, sizeof view->topic_versions);
    assert_int_equal(copy->presence, view->presence);
    assert_int_equal(copy->events, view->events);
    assert_int_equal(copy->stream_count, view->stream_count);
    for (uint32_t i = 0; i < view->stream_count; i++) {
        assert_int_equal(copy->streams[i].id, view->streams[i].id);
        assert_int_equal(copy->streams[i].sequence, view->streams[i].sequence);
        assert_int_equal(copy->streams[i].key_sequence, view->streams[i].key_sequence);
    }
    for (uint32_t i = 0; frame_at(view, i) != NULL; i++) {
        struct frame *frame = *frame_at(view, i);
        struct frame *mine = *frame_at(copy, i);
        assert_int_equal(mine == NULL, frame == NULL);
        if (frame != NULL && mine != NULL) {
            assert_ptr_not_equal(mine, frame);
            assert_int_equal(mine->size, frame->size);
            assert_memory_equal(frame_data(mine), frame_data(frame), frame->size);
        }
    }
}

static uint32_t count_shared(const struct room_view *one, const struct room_view *other)
{
    uint32_t shared = 0;

    for (uint32_t i = 0; frame_at(one, i) != NULL; i++) {
        for (uint32_t j = 0; frame_at(other, j) != NULL; j++) {
            shared += *frame_at(one, i) != NULL && *frame_at(one, i) == *frame_at(other, j);
        }
    }
    return shared;
}

static void test_a_member_has_its_own_view(void **state)
{
    struct room_view *view;
    struct room_view *copy;

    (void)state;
    join_with("packed", 0, 0);
    subscribe(bob, PROTO_TOPIC_LEADS);
    run(20);
    set("preset", "bees");
    run(1);
    view = view_now();
    copy = own(view, NULL);
    assert_copy(copy, view);
    assert_int_equal(count_shared(copy, view), 0);
    view_release(view);
    assert_int_equal(read_frame(copy->frames[VIEW_ROOM])->type,
                     PROTO_ROOM); /* the frame is complete */
    view_release(copy);
}

/* An unchanged part is copied once. */
static void test_frames_that_stay_are_shared(void **state)
{
    struct room_view *before_that = view_now();
    struct room_view *mine = own(before_that, NULL);
    struct client *packed = join_with("packed", 0, 0);

    (void)state;
    subscribe(bob, PROTO_TOPIC_CLUSTERS | PROTO_TOPIC_LEADS);
    for (uint32_t round = 0; round < 300; round++) {
        struct room_view *view;
        struct room_view *copy;
        tick(1);
        if (round % 47 == 0) {
            set("preset", "bees");
        }
        if (round % 23 == 0) {
            room_want_key(room, packed->grant.stream);
        }
        if (round % 29 == 0) {
            assert_true(try_want(packed, 10 + round % 20, 0));
        }
        if (round % 31 == 0) {
            clock_now += 3 * SECOND; /* for another name */
            assert_true(try_name(bob, round % 2 == 0 ? "Robert" : "Bob"));
            param("inertia", 1.0F + (float)round / 300.0F);
        }
        view = view_now();
        copy = own(view, mine);
        assert_copy(copy, view);
        assert_int_equal(count_shared(copy, mine), count_shared(view, before_that));
        view_release(mine);
        view_release(before_that);
        before_that = view;
        mine = copy;
    }
    view_release(before_that);
    view_release(mine);
}

/* A copy shares no frames with a view of another room, also if their numbers are equal. */
static void test_another_rooms_view_shares_nothing(void **state)
{
    struct room_definition definition = definition_with_key();
    struct room_view *first = view_now();
    struct room_view *mine = own(first, NULL);
    struct room_view *second;
    struct room_view *copy;

    (void)state;
    view_release(first);
    definition.number = 2;
    make_two_as(&definition);
    second = view_now();
    copy = own(second, mine);
    assert_copy(copy, second);
    assert_int_equal(count_shared(copy, mine), 0);
    view_release(second);
    view_release(copy);
    view_release(mine);
}

/* A stream that ended and was made again has other snapshots, although its id is the same. */
static void test_a_stream_that_came_again(void **state)
{
    struct client *packed = join_with("packed", 0, 0);
    struct room_view *view;
    struct room_view *mine;
    struct room_view *copy;

    (void)state;
    run(3);
    view = view_now();
    mine = own(view, NULL);
    view_release(view);
    leave(packed);
    join_with("packed", 0, 0);
    for (int i = 0; i < 12; i++) {
        tick(1);
        view = view_now();
        copy = own(view, mine);
        assert_copy(copy, view);
        view_release(view);
        view_release(mine);
        mine = copy;
    }
    view_release(mine);
}

static uint32_t count_frames(const struct view_stream *stream)
{
    uint32_t count = stream->key != NULL;

    for (uint32_t i = 0; i < VIEW_DELTAS; i++) {
        count += stream->deltas[i] != NULL;
    }
    return count;
}

/* A client reads positions by its newest room. So a view with a new world has no snapshot of the
 * world before, which a client that missed it would read then. */
static void test_no_snapshot_of_another_scale(void **state)
{
    struct room_view *view;
    struct room_view *older;
    uint32_t missed = 0;

    (void)state;
    join_with("packed", 0, 0);
    join_with("packed", 1, 0); /* one snapshot a second */
    join_with("plain", 1, 0);
    run(38);
    older = view_now();
    set("boundary", "wrap");
    view = view_now();
    for (uint32_t i = 0; i < view->stream_count; i++) {
        const uint32_t made = view->streams[i].sequence - older->streams[i].sequence;
        assert_true(count_frames(&older->streams[i]) > 0);
        assert_true(count_frames(&view->streams[i]) <= 2 * made); /* a key and a delta */
        missed += made == 0;
    }
    assert_true(missed > 0);
    view_release(older);
    view_release(view);
}

static void test_streams_are_found_by_id(void **state)
{
    struct room_view *view;

    (void)state;
    for (uint32_t rate = 1; rate <= 30; rate++) {
        join_with("packed", rate, 10 * rate);
        join_with("plain", rate, 0);
    }
    view = view_now();
    assert_in_range(view->stream_count, 15, 60);
    for (uint32_t i = 0; i < view->stream_count; i++) {
        assert_true(i == 0 || view->streams[i - 1].id < view->streams[i].id);
        assert_ptr_equal(view_stream(view, view->streams[i].id), &view->streams[i]);
        assert_true(i == 0 || view->streams[i].id == view->streams[i - 1].id + 1 ||
                    view_stream(view, view->streams[i].id - 1) == NULL);
    }
    assert_null(view_stream(view, UINT32_MAX));
    for (uint32_t i = 0; i < client_count; i++) {
        assert_non_null(view_stream(view, clients[i].grant.stream));
    }
    view_release(view);
    view_release(NULL);
}

/* A view outlives its room; the last release frees it. */
static void test_a_view_outlives_its_room(void **state)
{
    struct room_view *view;

    (void)state;
    join_with("packed", 0, 0);
    run(3);
    view = view_hold(view_now());
    room_destroy(room);
    room = NULL;
    view_release(view);
    assert_int_equal(read_frame(view->presence_whole)->type, PROTO_PRESENCE);
    view_release(view);
}

/* ---- threads ---- */

static _Atomic(struct room_view *) latest;
static atomic_uint taken;
static atomic_bool stopping;

/* Acts as a shard: takes the newest view, holds it, and releases it. */
/* A copy holds the frames of the view, and without streams no snapshot. */
static void test_a_copy_holds_the_frames(void **state)
{
    struct room_view *view;
    struct room_view *copies[2];

    (void)state;
    join_with("packed", 0, 0);
    subscribe(bob, PROTO_TOPIC_LEADS);
    run(20);
    set("preset", "bees");
    run(1);
    view = view_now();
    copies[0] = view_copy(view, 0);
    copies[1] = view_copy(view, view->stream_count);
    for (uint32_t copy = 0; copy < 2; copy++) {
        assert_non_null(copies[copy]);
        assert_int_equal(copies[copy]->stream_count, copy * view->stream_count);
        for (uint32_t i = 0; frame_at(copies[copy], i) != NULL; i++) {
            assert_ptr_equal(*frame_at(copies[copy], i), *frame_at(view, i));
        }
    }
    view_release(view);
    view_release(copies[1]);
    assert_int_equal(read_frame(copies[0]->frames[VIEW_ROOM])->type, PROTO_ROOM);
    view_release(copies[0]);
}

static void *take_views(void *argument)
{
    struct room_view *mine = NULL;

    (void)argument;
    while (!atomic_load(&stopping)) {
        struct room_view *view = atomic_exchange(&latest, NULL);
        struct room_view *copy = view != NULL ? view_own(view, mine) : NULL;
        if (copy != NULL) {
            view_release(mine);
            mine = copy;
            atomic_fetch_add(&taken, 1);
        }
        view_release(view);
    }
    view_release(mine);
    return NULL;
}

static void test_views_are_taken_on_other_threads(void **state)
{
    pthread_t threads[2];

    (void)state;
    join_with("packed", 0, 0);
    atomic_store(&taken, 0);
    atomic_store(&stopping, false);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, take_views, NULL), 0);
    }
    /* Until the threads have taken some views of the ticking room: on a busy machine they start
     * late. */
    for (uint32_t round = 0; round < 3000 || atomic_load(&taken) < 100; round++) {
        tick(1);
        if (round % 10 == 0) {
            clock_now += 3 * SECOND; /* for another name */
            assert_true(try_name(bob, round % 20 == 0 ? "Robert" : "Bob"));
        }
        struct room_view *view = view_hold(view_now());
        view_release(atomic_exchange(&latest, view));
        view_release(view);
    }
    atomic_store(&stopping, true);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    view_release(atomic_exchange(&latest, NULL));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_two, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_a_member_has_its_own_view),         TEST(test_frames_that_stay_are_shared),
        TEST(test_another_rooms_view_shares_nothing), TEST(test_a_stream_that_came_again),
        TEST(test_no_snapshot_of_another_scale),      TEST(test_streams_are_found_by_id),
        TEST(test_a_view_outlives_its_room),          TEST(test_a_copy_holds_the_frames),
        TEST(test_views_are_taken_on_other_threads),
    };
#undef TEST
    return cmocka_run_group_tests_name("room, views", tests, NULL, NULL);
}
