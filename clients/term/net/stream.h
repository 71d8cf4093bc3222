/* The snapshots of one connection: how they are packed, how much of them is wanted, and what there
 * is to say to the server about both.
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
    struct packed_decoder *decoder; /* of this connection; NULL: there was no memory for one */
    bool lost;                      /* deltas are of no use until a keyframe comes */
    bool unsent;                    /* there is a want to send */
    bool sent;                      /* one has been on this connection, */
    int64_t sent_at;                /* then */
    size_t size;                    /* bytes of the boids of the last snapshot */
};

/* rate: as in a hello. term_stream_finish() takes one that is all zero, too. */
void term_stream_init(struct term_stream *stream, uint32_t rate);
void term_stream_finish(struct term_stream *stream);

/* There is a new connection; it has been welcomed. */
void term_stream_open(struct term_stream *stream);
void term_stream_join(struct term_stream *stream, const struct proto_welcome *welcome);

/* Takes a snapshot and makes a plain one of it, whose boids are valid until the next call.
 * *headings is what it tells of them, or NULL. Unless it returns PACKED_OK there are no boids. */
enum packed_result term_stream_take(struct term_stream *stream, struct proto_snapshot *snapshot,
                                    const uint8_t **headings);

/* Decides how much is wanted; to be called some 60 times a second. */
void term_stream_tick(struct term_stream *stream, int64_t now);

/* Whether there is a want to send now. */
bool term_stream_due(const struct term_stream *stream, int64_t now);

/* The want to send; it counts as sent. */
struct proto_want term_stream_next(struct term_stream *stream, int64_t now);

#endif
