/* How much of the snapshots this terminal can draw: fewer a second and then fewer boids in each
 * when it cannot keep up, and more again, step by step, when it has kept up for a while.
 *
 * It cannot keep up when the screen shows far fewer frames than there are snapshots. That is judged
 * over a second, and two such seconds in a row count, or three among five. A step back up that does
 * not last doubles the wait before the next one, so that it does not go up and down. Whether the
 * line is too slow is not judged here: the server sees that, and grants less by itself. Pure: times
 * come in as arguments, in microseconds; who owns it says what is wanted to the server and tells it
 * of the answer. */
#ifndef TERM_PACE_H
#define TERM_PACE_H

#include "protocol.h"

#include <stdbool.h>
#include <stdint.h>

/* Readable by all, written by pace.c alone. */
struct term_pace {
    unsigned halvings; /* of the rate that is wanted */
    uint32_t boids;    /* wanted in a snapshot at most; 0: all */

    uint32_t rate;               /* asked for by the user; 0: all there are */
    float full;                  /* snapshots a second that there can be */
    struct proto_stream granted; /* what comes */
    bool asked;     /* what is wanted has changed, and the server has not yet answered */
    uint32_t flock; /* boids that there are */
    uint32_t shown; /* boids in the last snapshot */

    /* Since the window began. */
    int64_t began; /* -1: it has not */
    uint32_t snapshots;
    uint32_t frames;
    int64_t frames_took;

    unsigned settling;                            /* windows that are not judged */
    unsigned strain, calm, patience, since_raise; /* windows */
    bool climbing;                                /* the last step was up */
};

/* rate: as in a hello. */
void term_pace_init(struct term_pace *pace, uint32_t rate);

/* A connection has been welcomed. */
void term_pace_join(struct term_pace *pace, const struct proto_welcome *welcome);

/* The server has said what comes from now on, be it asked or not. */
void term_pace_granted(struct term_pace *pace, const struct proto_stream *granted);

/* What was wanted has been answered, be it granted or refused. */
void term_pace_answered(struct term_pace *pace);

/* A snapshot has arrived, of so many boids. */
void term_pace_snapshot(struct term_pace *pace, const struct proto_snapshot *snapshot,
                        uint32_t boids);

/* A frame was drawn, and it took so long until there could be another. */
void term_pace_frame(struct term_pace *pace, int64_t took);

/* What has been seen so far says nothing, because the process has slept. */
void term_pace_awake(struct term_pace *pace);

/* To be called many times a second. Returns true when something else is wanted from now on. */
bool term_pace_decide(struct term_pace *pace, int64_t now);

/* What is wanted; and whether that is less than the user asked for, because the terminal draws too
 * slowly. */
struct proto_want term_pace_want(const struct term_pace *pace);
bool term_pace_lowered(const struct term_pace *pace);

#endif
