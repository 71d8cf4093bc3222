#include "term/net/stream.h"

void term_stream_init(struct term_stream *stream, uint32_t rate)
{
    *stream = (struct term_stream){0};
    term_pace_init(&stream->pace, rate);
}

void term_stream_finish(struct term_stream *stream)
{
    packed_decoder_destroy(stream->decoder);
    stream->decoder = NULL;
}

void term_stream_open(struct term_stream *stream)
{
    term_stream_finish(stream);
    stream->decoder = packed_decoder_create();
    stream->lost = stream->unsent = stream->sent = false;
    stream->size = 0;
}

void term_stream_join(struct term_stream *stream, const struct proto_welcome *welcome)
{
    term_pace_join(&stream->pace, welcome);
}

static enum packed_result unpack_boids(struct term_stream *stream, struct proto_snapshot *snapshot,
                                       const uint8_t **headings)
{
    if (stream->decoder == NULL) {
        stream->decoder = packed_decoder_create();
    }
    if (stream->decoder == NULL) {
        return PACKED_NO_MEMORY;
    }
    enum packed_result result =
        packed_decode(stream->decoder, snapshot->boids, snapshot->packed_size);
    if (result == PACKED_OK) {
        *headings = packed_headings(stream->decoder);
        snapshot->boids = packed_positions(stream->decoder);
        snapshot->boid_count = packed_count(stream->decoder);
        snapshot->packed = false;
    }
    return result;
}

enum packed_result term_stream_take(struct term_stream *stream, struct proto_snapshot *snapshot,
                                    const uint8_t **headings)
{
    enum packed_result result = PACKED_OK;
    *headings = NULL;
    stream->size =
        snapshot->packed ? snapshot->packed_size : (size_t)snapshot->boid_count * PROTO_BOID_SIZE;
    if (snapshot->packed) {
        result = unpack_boids(stream, snapshot, headings);
    }
    stream->lost = result != PACKED_OK;
    term_pace_snapshot(&stream->pace, snapshot);
    return result;
}

void term_stream_tick(struct term_stream *stream, int64_t now)
{
    stream->unsent = term_pace_decide(&stream->pace, now) || stream->unsent;
}

void term_stream_ask(struct term_stream *stream)
{
    stream->unsent = true;
}

bool term_stream_due(const struct term_stream *stream, int64_t now)
{
    bool waited = !stream->sent || now - stream->sent_at >= TERM_STREAM_WANT_EVERY;
    return waited && (stream->unsent || stream->lost);
}

struct proto_want term_stream_next(struct term_stream *stream, int64_t now)
{
    stream->unsent = false;
    stream->sent = true;
    stream->sent_at = now;
    return term_pace_want(&stream->pace);
}
