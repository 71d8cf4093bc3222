#include "room/stream.h"

#include <stdlib.h>
#include <string.h>

#include "room/room.h"

#define DIVISOR_MAX 256u
#define STRIDE_BITS 5 /* of an epoch: each stride is another one */

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

static void put_frame(struct frame **place, struct frame *frame)
{
    frame_release(*place);
    *place = frame;
}

static void drop_frames(struct stream *stream)
{
    for (uint32_t i = 0; i < STREAM_HISTORY; i++) {
        put_frame(&stream->deltas[i], NULL);
    }
    put_frame(&stream->key, NULL);
}

void streams_destroy(struct streams *streams)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        drop_frames(&streams->list[i]);
        packed_encoder_destroy(streams->list[i].encoder);
    }
    free(streams->list);
}

/* The smallest of 1, 2, 3, 4, 6, 8, 12 … that makes no more than `rate` of `all`. */
static uint32_t divisor_for(uint32_t rate, uint32_t all)
{
    uint32_t divisor = 1;

    while (rate > 0 && divisor < DIVISOR_MAX && divisor * rate < all) {
        uint32_t power = divisor & (divisor - 1); /* 0: divisor is a power of two */
        divisor = divisor == 1 ? 2 : power == 0 ? divisor / 2 * 3 : divisor / 3 * 4;
    }
    return divisor;
}

/* The greatest power of two that is no more than `boids`; 0: no limit, or none that a room could
 * reach. */
static uint32_t limit_for(uint32_t boids)
{
    uint32_t limit = boids < ROOM_BOIDS_MAX ? boids : 0;

    while ((limit & (limit - 1)) != 0) {
        limit &= limit - 1;
    }
    return limit;
}

static struct stream *add_stream(struct streams *streams, enum stream_encoding encoding,
                                 uint32_t divisor, uint32_t limit)
{
    struct stream *stream;

    if (streams->count == streams->capacity) {
        uint32_t capacity = streams->capacity == 0 ? 4 : 2 * streams->capacity;
        struct stream *list = realloc(streams->list, capacity * sizeof *list);
        if (list == NULL) {
            return NULL;
        }
        streams->list = list;
        streams->capacity = capacity;
    }
    stream = &streams->list[streams->count];
    *stream = (struct stream){
        .encoding = encoding, .divisor = divisor, .turn = streams->count % divisor, .limit = limit};
    if (encoding == STREAM_PACKED) {
        stream->encoder = packed_encoder_create(limit > 0 ? limit : ROOM_BOIDS_MAX);
        if (stream->encoder == NULL) {
            return NULL;
        }
    }
    streams->count++;
    return stream;
}

uint32_t stream_enter(struct streams *streams, enum stream_encoding encoding,
                      const struct proto_want *want, uint32_t snapshot_rate)
{
    uint32_t divisor = divisor_for(want->rate, snapshot_rate);
    uint32_t limit = limit_for(want->boids);
    struct stream *stream = NULL;

    for (uint32_t i = 0; i < streams->count && stream == NULL; i++) {
        struct stream *other = &streams->list[i];
        if (other->encoding == encoding && other->divisor == divisor && other->limit == limit) {
            stream = other;
        }
    }
    if (stream == NULL) {
        stream = add_stream(streams, encoding, divisor, limit);
    }
    if (stream == NULL) {
        return STREAM_NONE;
    }
    stream->members++;
    stream->key_wanted = true;
    return (uint32_t)(stream - streams->list);
}

void stream_leave(struct streams *streams, uint32_t place)
{
    struct stream *stream = &streams->list[place];

    if (--stream->members == 0) {
        drop_frames(stream);
        stream->started = false;
    }
}

bool stream_due(const struct stream *stream, uint64_t number)
{
    return stream->members > 0 && number % stream->divisor == stream->turn;
}

/* Every how many boids one is sent, for there to be no more than the limit. */
static uint32_t stride_for(const struct stream *stream, uint32_t boid_count)
{
    uint32_t stride = 1;

    while (stream->limit > 0 && (boid_count + stride - 1) / stride > stream->limit) {
        stride *= 2;
    }
    return stride;
}

static bool restarts(const struct stream *stream, uint32_t flock_epoch, uint32_t stride)
{
    return !stream->started || flock_epoch != stream->flock_epoch || stride != stream->stride;
}

bool stream_key_due(const struct stream *stream, uint32_t flock_epoch, uint32_t boid_count)
{
    return stream->encoding == STREAM_PACKED &&
           (stream->key_wanted || restarts(stream, flock_epoch, stride_for(stream, boid_count)) ||
            stream->sequence + 1 - stream->keyed_at >= STREAM_KEY_EVERY);
}

/* Every `stride`th of the scene's boids. */
static struct packed_boids some_of(const struct stream_scene *scene, uint32_t stride)
{
    struct packed_boids some = scene->boids;

    if (stride == 1) {
        return some;
    }
    some.count = (scene->boids.count + stride - 1) / stride;
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

static struct frame *snapshot_frame(struct stream *stream, const struct proto_snapshot *snapshot)
{
    size_t boids =
        snapshot->packed ? snapshot->packed_size : (size_t)snapshot->boid_count * PROTO_BOID_SIZE;
    struct frame *frame = frame_create(proto_snapshot_bound(boids, snapshot->cursor_count));

    if (frame != NULL) {
        frame->size = proto_encode_snapshot(frame_data(frame), frame->capacity, snapshot);
        stream->encoded++;
    }
    return frame;
}

static void put_key(struct stream *stream, struct frame *key)
{
    put_frame(&stream->key, key);
    stream->key_sequence = stream->sequence;
    stream->encoded_keys += key != NULL;
}

static void next_plain(struct stream *stream, struct proto_snapshot *snapshot,
                       const struct packed_boids *boids)
{
    snapshot->boids = boids->positions;
    snapshot->boid_count = boids->count;
    put_key(stream, snapshot_frame(stream, snapshot));
}

static void next_packed(struct stream *stream, struct proto_snapshot *snapshot,
                        const struct packed_boids *boids, uint8_t *bytes, bool restart, bool key)
{
    bool for_all = restart || stream->sequence - stream->keyed_at >= STREAM_KEY_EVERY;

    packed_next(stream->encoder, boids, restart);
    snapshot->packed = true;
    snapshot->boids = bytes;
    if (!for_all) {
        snapshot->packed_size = packed_put_delta(stream->encoder, bytes);
        put_frame(&stream->deltas[stream->sequence % STREAM_HISTORY],
                  snapshot_frame(stream, snapshot));
    }
    if (for_all || stream->sequence - stream->key_sequence > STREAM_HISTORY) {
        put_frame(&stream->key, NULL);
    }
    if (key) {
        snapshot->packed_size = packed_put_key(stream->encoder, boids, bytes);
        put_key(stream, snapshot_frame(stream, snapshot));
        stream->key_wanted = false;
        stream->keyed_at = for_all ? stream->sequence : stream->keyed_at;
    }
}

void stream_next(struct stream *stream, const struct stream_scene *scene)
{
    uint32_t epoch = scene->snapshot.epoch;
    uint32_t stride = stride_for(stream, scene->boids.count);
    bool restart = restarts(stream, epoch, stride);
    bool key = stream_key_due(stream, epoch, scene->boids.count);
    struct packed_boids boids = some_of(scene, stride);
    struct proto_snapshot snapshot = scene->snapshot;

    stream->flock_epoch = epoch;
    stream->stride = stride;
    stream->started = true;
    stream->sequence++;
    put_frame(&stream->deltas[stream->sequence % STREAM_HISTORY], NULL);
    snapshot.epoch = epoch << STRIDE_BITS | (uint32_t)__builtin_ctz(stride);
    if (stream->encoding == STREAM_PLAIN) {
        next_plain(stream, &snapshot, &boids);
    } else {
        next_packed(stream, &snapshot, &boids, scene->bytes, restart, key);
    }
}
