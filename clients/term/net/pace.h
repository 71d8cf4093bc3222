/* How many snapshots and boids this terminal can draw, and so asks the server for.
 *
 * A terminal is too slow when its screen shows far fewer frames than snapshots come. The pace
 * measures that over a second or more, and ladder.h decides about steps. It does not judge the
 * line: the server does that, and grants less by itself. Pure: times come in as arguments, in
 * microseconds. The owner sends what the pace wants and passes it the server's answer. */
#ifndef TERM_PACE_H
#define TERM_PACE_H

#include "protocol.h"
#include "term/net/ladder.h"

#include <stdbool.h>
#include <stdint.h>

/* Readable by all, written by pace.c alone. */
struct term_pace {
    struct ladder ladder;
    uint32_t rate;               /* asked for by the user; 0: all */
    float full;                  /* the most snapshots a second */
    struct proto_stream granted; /* sent by the server */
    bool asked;     /* the pace wants another stream, and the server has not answered yet */
    uint32_t flock; /* boids that the room has */

    /* The window that is measured. */
    int64_t began; /* -1: no window is open */
    uint32_t snapshots;
    uint32_t frames;
    int64_t frames_took;
};

/* rate: as in a hello. */
void term_pace_init(struct term_pace *pace, uint32_t rate);

/* A connection was welcomed. */
void term_pace_join(struct term_pace *pace, const struct proto_welcome *welcome);

/* The server sends this stream from now on, as an answer or by itself. */
void term_pace_granted(struct term_pace *pace, const struct proto_stream *granted);

/* The server answered the last want: granted or refused. */
void term_pace_answered(struct term_pace *pace);

/* A snapshot arrived. */
void term_pace_snapshot(struct term_pace *pace, const struct proto_snapshot *snapshot);

/* A frame was drawn; after `took` there can be another. */
void term_pace_frame(struct term_pace *pace, int64_t took);

/* The process slept: forgets what was measured. */
void term_pace_awake(struct term_pace *pace);

/* Must be called many times a second. Returns true when the pace wants another stream from now
 * on. */
bool term_pace_decide(struct term_pace *pace, int64_t now);

/* Returns what is wanted. */
struct proto_want term_pace_want(const struct term_pace *pace);

/* Returns whether the pace wants less than the user asked for, because the terminal draws too
 * slowly. */
bool term_pace_lowered(const struct term_pace *pace);

#endif
