/* How much of the snapshots this terminal can draw, and so asks the server for.
 *
 * A terminal is too slow when its screen shows far fewer frames than snapshots come; the pace
 * measures that over a second or more, and ladder.h decides about steps. Whether the line is too
 * slow is not judged here: the server sees that and grants less by itself. Pure: times come in as
 * arguments, in microseconds. The owner sends what is wanted and hands in the server's answer. */
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
    float full;                  /* snapshots a second that there can be */
    struct proto_stream granted; /* what the server sends */
    bool asked;     /* what is wanted has changed, and the server has not answered yet */
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

/* The server sends this from now on, asked or not. */
void term_pace_granted(struct term_pace *pace, const struct proto_stream *granted);

/* The server answered the last want: granted or refused. */
void term_pace_answered(struct term_pace *pace);

/* A snapshot arrived. */
void term_pace_snapshot(struct term_pace *pace, const struct proto_snapshot *snapshot);

/* A frame was drawn; after `took` there can be another. */
void term_pace_frame(struct term_pace *pace, int64_t took);

/* The process slept: forgets what was measured. */
void term_pace_awake(struct term_pace *pace);

/* Must be called many times a second. Returns true when something else is wanted from now on. */
bool term_pace_decide(struct term_pace *pace, int64_t now);

/* Returns what is wanted. */
struct proto_want term_pace_want(const struct term_pace *pace);

/* Returns whether that is less than the user asked for, because the terminal draws too slowly. */
bool term_pace_lowered(const struct term_pace *pace);

#endif
