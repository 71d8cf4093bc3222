#include "room/stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

#define STRIDE_BITS   6u /* of an epoch, and of an id: each stride has its own */
#define DIVISOR_BITS  6u
#define STREAMS_MAX   (2u << (STRIDE_BITS + DIVISOR_BITS)) /* of two encodings */
#define EASE_RATE     3u /* snapshots a second that are left before boids go … */
#define EASE_BOIDS    32u
#define CAPACITY_MIN  64u
#define CAPACITY_FREE 4u /* times too big: an encoder is made again */

static const char *const encodings[] = {[STREAM_PLAIN] = "plain", [STREAM_PACKED] = "packed"};

const char *stream_encoding_name(enum stream_encoding encoding)
{
    return encodings[encoding];
}

bool stream_encoding(const struct proto_hello *hello, enum stream_encoding *encoding)
{
    for (uint32_t i = 0; i < hello->encoding_count; i++) {
        for (size_t known = 0; known < sizeof encodings / sizeof encodings[0]; known++) {
            if (strcmp(hello->encodings[i], encodings[known]) == 0) {
                *encoding = (enum stream_encoding)known;
                return true;
            }
        }
    }
    return false;
}

/* ---- kinds ---- */

/* The step after that one: 1, 2, 3, 4, 6, 8, 12 … */
static uint32_t step_after(uint32_t step)
{
    bool power = (step & (step - 1)) == 0;

    return step == 1 ? 2 : power ? step / 2 * 3 : step / 3 * 4;
}

/* Which of the steps it is, 0 for 1. */
static uint32_t step_index(uint32_t step)
{
    uint32_t log = 31u - (uint32_t)__builtin_clz(step);
    bool power = (step & (step - 1)) == 0;

    return step == 1 ? 0 : power ? 2 * log - 1 : 2 * log;
}

/* Returns the smallest step that leaves at most `most` of `all`; most 0: no limit. */
static uint32_t step_for(uint32_t most, uint32_t all)
{
    uint64_t step = 1;

    while (most > 0 && step * most < all) {
        step = step_after((uint32_t)step);
    }
    return (uint32_t)step;
}

uint32_t stream_id(const struct stream_kind *kind)
{
    return ((uint32_t)kind->encoding << DIVISOR_BITS | step_index(kind->divisor)) << STRIDE_BITS |
           step_index(kind->stride);
}

bool stream_is_whole(uint32_t id)
{
    return (id >> STRIDE_BITS & ((1u << DIVISOR_BITS) - 1)) == 0;
}

bool stream_has_deltas(uint32_t id)
{
    return id >> (DIVISOR_BITS + STRIDE_BITS) == STREAM_PACKED;
}

static uint32_t boids_in(uint32_t flock, uint32_t stride)
{
    return (flock + stride - 1) / stride;
}

struct stream_grant stream_grant(enum stream_encoding encoding, const struct stream_want *want,
                                 uint32_t ease, uint32_t snapshot_rate, uint32_t flock)
{
    uint32_t divisor = step_for(want->rate, snapshot_rate);
    uint32_t stride = step_for(want->boids, flock);
    struct stream_grant grant = {.kind = {encoding, divisor, stride}, .boids = want->boids};

    for (uint32_t level = 0; level < ease; level++) {
        bool fast = snapshot_rate >= 2 * divisor * EASE_RATE;
        if (!fast && boids_in(flock, 2 * stride) >= EASE_BOIDS) {
            stride *= 2;
        } else if (snapshot_rate >= 2 * divisor) {
            divisor *= 2;
        }
    }
    grant.slow = divisor != grant.kind.divisor || stride != grant.kind.stride;
    grant.boids = stride != grant.kind.stride ? boids_in(flock, stride) : grant.boids;
    grant.kind.divisor = divisor;
    grant.kind.stride = stride;
    return grant;
}

/* ---- coming and going ---- */

static void put_frame(struct frame **slot, struct frame *frame)
{
    frame_release(*slot);
    *slot = frame;
}

static void finish(struct stream *stream)
{
    for (uint32_t i = 0; i < VIEW_DELTAS; i++) {
        frame_release(stream->deltas[i]);
    }
    frame_release(stream->key);
    packed_encoder_destroy(stream->encoder);
}

void streams_finish(struct streams *streams)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        finish(&streams->list[i]);
    }
    free(streams->list);
}

static size_t frames_bytes(const struct stream *stream)
{
    size_t bytes = frame_bytes(stream->key);

    for (uint32_t delta = 0; delta < VIEW_DELTAS; delta++) {
        bytes += frame_bytes(stream->deltas[delta]);
    }
    return bytes;
}

size_t streams_bytes(const struct streams *streams, uint32_t copies)
{
    size_t bytes = streams->capacity * sizeof *streams->list;

    for (uint32_t i = 0; i < streams->count; i++) {
        const struct stream *stream = &streams->list[i];
        bytes += frames_bytes(stream) * (1 + (size_t)copies);
        bytes += stream->encoder != NULL ? packed_encoder_bytes(stream->capacity) : 0;
    }
    return bytes;
}

/* The index of the first stream with that id or a greater one. */
static uint32_t index_for(const struct streams *streams, uint32_t id)
{
    uint32_t i = 0;

    while (i < streams->count && streams->list[i].id < id) {
        i++;
    }
    return i;
}

struct stream *stream_find(const struct streams *streams, uint32_t id)
{
    uint32_t i = index_for(streams, id);

    return i < streams->count && streams->list[i].id == id ? &streams->list[i] : NULL;
}

static struct stream *add(struct streams *streams, const struct stream_kind *kind)
{
    uint32_t id = stream_id(kind);
    uint32_t index = index_for(streams, id);
    struct stream *stream;
    struct stream *list = grow_array(streams->list, &streams->capacity, streams->count + 1,
                                     STREAMS_MAX, sizeof *list);

    if (list == NULL) {
        return NULL;
    }
    streams->list = list;
    assert(index == 0 || list[index - 1].id < id);
    assert(index == streams->count || list[index].id > id);
    stream = &streams->list[index];
    memmove(stream + 1, stream, (streams->count - index) * sizeof *stream);
    streams->count++;
    *stream = (struct stream){
        .id = id, .kind = *kind, .sequence = streams->sequence, .key_sequence = streams->sequence};
    return stream;
}

struct stream *stream_enter(struct streams *streams, const struct stream_kind *kind)
{
    struct stream *stream = stream_find(streams, stream_id(kind));

    if (stream == NULL) {
        stream = add(streams, kind);
    }
    if (stream != NULL) {
        stream->members++;
        stream->key_wanted = true;
    }
    return stream;
}

void stream_leave(struct streams *streams, uint32_t id)
{
    struct stream *stream = stream_find(streams, id);

    assert(stream == NULL || stream->members > 0);
    if (stream == NULL || --stream->members > 0) {
        return;
    }
    /* A later stream of the same id must not be mistaken for this one. */
    if ((int32_t)(stream->sequence - streams->sequence) > 0) {
        streams->sequence = stream->sequence;
    }
    finish(stream);
    streams->count--;
    memmove(stream, stream + 1, (size_t)(streams->list + streams->count - stream) * sizeof *stream);
}

/* ---- snapshots ---- */

bool stream_due(const struct stream *stream, uint64_t number)
{
    /* Kinds are spread over the numbers, so that not all are due at once. */
    uint32_t first = step_index(stream->kind.divisor) + step_index(stream->kind.stride);

    return number % stream->kind.divisor == first % stream->kind.divisor;
}

/* Returns whether the next snapshot cannot be a delta: the flock has other boids, or more than the
 * encoder has memory for. */
static bool restarts(const struct stream *stream, uint32_t flock_epoch, uint32_t flock)
{
    return stream->encoder == NULL || flock_epoch != stream->flock_epoch ||
           boids_in(flock, stream->kind.stride) > stream->capacity;
}

bool stream_key_due(const struct stream *stream, uint32_t flock_epoch, uint32_t flock)
{
    return stream->kind.encoding == STREAM_PACKED &&
           (stream->key_wanted || restarts(stream, flock_epoch, flock));
}

/* The boids of the scene that the stream has. */
static struct packed_boids some_of(const struct stream_scene *scene, uint32_t stride)
{
    struct packed_boids some = scene->boids;

    if (stride == 1) {
        return some;
    }
    some.count = boids_in(scene->boids.count, stride);
    for (uint32_t i = 0; i < some.count; i++) {
        memcpy(scene->positions + (size_t)PROTO_BOID_SIZE * i,
               scene->boids.positions + (size_t)PROTO_BOID_SIZE * stride * i, PROTO_BOID_SIZE);
    }
    for (uint32_t i = 0; i < some.count && some.headings != NULL; i++) {
        scene->headings[i] = scene->boids.headings[(size_t)stride * i];
    }
    some.positions = scene->positions;
    some.headings = some.headings != NULL ? scene->headings : NULL;
    return some;
}

static struct frame *snapshot_frame(struct streams *streams, const struct proto_snapshot *snapshot)
{
    size_t boids =
        snapshot->packed ? snapshot->packed_size : (size_t)snapshot->boid_count * PROTO_BOID_SIZE;
    struct frame *frame = frame_create(proto_snapshot_bound(boids, snapshot->cursor_count));

    if (frame != NULL) {
        size_t size = proto_encode_snapshot(frame_data(frame), frame->capacity, snapshot);
        frame = frame_end(frame, size);
        streams->frames += frame != NULL;
    }
    return frame;
}

static void put_key(struct streams *streams, struct stream *stream,
                    const struct proto_snapshot *snapshot)
{
    put_frame(&stream->key, snapshot_frame(streams, snapshot));
    stream->key_sequence = stream->sequence;
    streams->keys += stream->key != NULL;
}

/* Before a restart: an encoder for that many boids, and not for many more. False: there is no
 * memory for it. */
static bool prepare(struct stream *stream, uint32_t boids)
{
    uint32_t capacity = boids + boids / 2; /* so that boids added one by one are deltas */

    if (stream->encoder != NULL && boids <= stream->capacity &&
        stream->capacity / CAPACITY_FREE <= boids + CAPACITY_MIN) {
        return true;
    }
    packed_encoder_destroy(stream->encoder);
    stream->capacity = capacity < CAPACITY_MIN ? CAPACITY_MIN : capacity;
    stream->encoder = packed_encoder_create(stream->capacity);
    return stream->encoder != NULL;
}

static void next_packed(struct streams *streams, struct stream *stream,
                        const struct stream_scene *scene, struct proto_snapshot *snapshot,
                        const struct packed_boids *boids, bool restart)
{
    packed_lend(stream->encoder, &scene->threads);
    packed_next(stream->encoder, boids, restart);
    snapshot->packed = true;
    snapshot->boids = scene->bytes;
    if (!restart) {
        snapshot->packed_size = packed_put_delta(stream->encoder, scene->bytes);
        stream->deltas[stream->sequence % VIEW_DELTAS] = snapshot_frame(streams, snapshot);
    }
    if (restart || stream->sequence - stream->key_sequence > VIEW_DELTAS) {
        put_frame(&stream->key, NULL);
    }
    if (restart || stream->key_wanted) {
        snapshot->packed_size = packed_put_key(stream->encoder, boids, scene->bytes);
        put_key(streams, stream, snapshot);
        stream->key_wanted = false;
    }
}

void streams_forget(struct streams *streams)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        struct stream *stream = &streams->list[i];
        for (uint32_t delta = 0; delta < VIEW_DELTAS; delta++) {
            put_frame(&stream->deltas[delta], NULL);
        }
        put_frame(&stream->key, NULL);
    }
}

void stream_next(struct streams *streams, struct stream *stream, const struct stream_scene *scene)
{
    struct packed_boids boids = some_of(scene, stream->kind.stride);
    struct proto_snapshot snapshot = scene->snapshot;
    bool restart = restarts(stream, snapshot.epoch, scene->boids.count);

    stream->flock_epoch = snapshot.epoch;
    stream->sequence++;
    put_frame(&stream->deltas[stream->sequence % VIEW_DELTAS], NULL);
    snapshot.epoch = snapshot.epoch << STRIDE_BITS | step_index(stream->kind.stride);
    if (stream->kind.encoding == STREAM_PLAIN) {
        snapshot.boids = boids.positions;
        snapshot.boid_count = boids.count;
        put_key(streams, stream, &snapshot);
    } else if (!restart || prepare(stream, boids.count)) {
        next_packed(streams, stream, scene, &snapshot, &boids, restart);
    } else {
        put_frame(&stream->key, NULL);
    }
}
