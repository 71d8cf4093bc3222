/* The snapshots of one connection: unpacks them, and derives what to ask the server for.
 *
 * Knows no socket and no clock; times come in as arguments, in microseconds. One thread. */
#ifndef TERM_STREAM_H
#define TERM_STREAM_H

#include "packed.h"
#include "protocol.h"
#include "term/net/pace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TERM_STREAM_WANT_EVERY 1000000 /* µs between two wants */

/* Readable by all, written by stream.c alone. */
struct term_stream {
    struct term_pace pace;
    struct packed_decoder *decoder; /* of this connection; NULL: memory ran out */
    bool lost;                      /* deltas cannot be decoded until the next keyframe */
    bool unsent;                    /* a want has to be sent */
    bool sent;                      /* a want was sent on this connection */
    int64_t sent_at;                /* when the last one was sent */
    size_t size;                    /* of the boids in the last snapshot, bytes */
};

/* rate: as in a hello. term_stream_finish() accepts a stream that is all zero. */
void term_stream_init(struct term_stream *stream, uint32_t rate);
void term_stream_finish(struct term_stream *stream);

/* A connection was opened; it was welcomed. */
void term_stream_open(struct term_stream *stream);
void term_stream_join(struct term_stream *stream, const struct proto_welcome *welcome);

/* Unpacks a snapshot in place. The boids are valid until the next call, and only if it returns
 * PACKED_OK. *headings: of the boids, or NULL. */
enum packed_result term_stream_take(struct term_stream *stream, struct proto_snapshot *snapshot,
                                    const uint8_t **headings);

/* Decides how much is wanted. Must be called about 60 times a second. */
void term_stream_tick(struct term_stream *stream, int64_t now);

/* Asks for another want, because it has more to say than the stream. */
void term_stream_ask(struct term_stream *stream);

/* Returns whether a want can be sent now. */
bool term_stream_due(const struct term_stream *stream, int64_t now);

/* Returns the want to send, which then counts as sent. */
struct proto_want term_stream_next(struct term_stream *stream, int64_t now);

#endif
