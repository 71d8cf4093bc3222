/* Limits the frames that are on their way to the terminal, and measures the bytes a second that the
 * terminal takes. The terminal answers a question behind each frame when it has read the frame.
 * Without a limit, a line such as ssh's buffers 64 KiB: a slow terminal draws these for seconds
 * before it shows a key's effect.
 *
 * Pure: times come in as arguments, in microseconds. The owner writes the questions and reports the
 * answers. All zero is not valid; the caller owns it. */
#ifndef TERM_FLOW_H
#define TERM_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#define TERM_FLOW_WINDOW 8u       /* the most frames on their way */
#define TERM_FLOW_MOST   150000.0 /* bytes/s, to a fast terminal */
#define TERM_FLOW_LEAST  4000.0
#define TERM_FLOW_LATE   40000   /* µs beyond the expected answer: the line is full */
#define TERM_FLOW_SLOWLY 250000  /* µs between frames until the first answer */
#define TERM_FLOW_LOST   3000000 /* µs after which an answer no longer comes */

struct term_flow {
    bool silent;      /* the terminal does not answer */
    bool heard;       /* it has answered once */
    uint32_t window;  /* the most frames on their way now: 1 to TERM_FLOW_WINDOW */
    uint32_t waiting; /* frames without an answer */
    uint32_t late;    /* questions that were given up, whose answers may come before all others */
    int64_t asked_at[TERM_FLOW_WINDOW]; /* of the waiting frames, the oldest first */
    uint32_t bytes[TERM_FLOW_WINDOW];
    int64_t slow_time;            /* µs that a slow line takes for all frames */
    int64_t sent_at;              /* of the last frame */
    int64_t answered_at;          /* the last answer */
    int64_t gave_up_at;           /* when questions were given up; 0: later ones were answered */
    double rate;                  /* bytes/s that the terminal takes, estimated */
    int64_t delay;                /* µs of an answer on an empty line, without the frame's bytes */
    uint32_t behind;              /* frames since the line was empty */
    double busy_bytes, busy_time; /* bytes, and µs, of the line while frames waited */
};

/* answers: the terminal may understand the question. */
void term_flow_init(struct term_flow *flow, bool answers);

/* Returns whether a frame may be sent. */
bool term_flow_ready(struct term_flow *flow, int64_t now);

/* Notes that a frame of `bytes` bytes is sent. Returns whether a question must follow it. */
bool term_flow_sent(struct term_flow *flow, uint64_t bytes, int64_t now);

/* Returns how many bytes a second the picture may take: TERM_FLOW_LEAST to TERM_FLOW_MOST. */
double term_flow_budget(const struct term_flow *flow);

/* Notes that the terminal has answered the oldest question. */
void term_flow_answered(struct term_flow *flow, int64_t now);

/* Forgets all questions, because flock-term has left the terminal. */
void term_flow_forget(struct term_flow *flow);

#endif
