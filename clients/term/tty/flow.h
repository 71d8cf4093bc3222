/* How many frames may be on their way to the terminal, and how many bytes a second it takes: the
 * flow asks the terminal for an answer behind a frame, and so learns when the terminal has read it.
 * A line such as ssh's takes 64 KiB without a wait, which a slow terminal draws for seconds; a
 * key's effect is behind all of that.
 *
 * Pure: times come in as arguments, in microseconds. The owner writes the questions and reports the
 * answers. All zero is not valid; the caller owns it. */
#ifndef TERM_FLOW_H
#define TERM_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#define TERM_FLOW_WINDOW 8u       /* the most frames on their way */
#define TERM_FLOW_MOST   150000.0 /* bytes/s, to a terminal that takes all */
#define TERM_FLOW_LEAST  4000.0
#define TERM_FLOW_LATE   40000   /* µs beyond the shortest answer: the line is full */
#define TERM_FLOW_TRIAL  1000000 /* µs for the first answer; then the terminal is silent */
#define TERM_FLOW_SLOWLY 250000  /* µs between frames until the first answer */
#define TERM_FLOW_LOST   3000000 /* µs after which an answer no longer comes */

struct term_flow {
    bool silent; /* the terminal does not answer */
    bool heard;  /* it has answered once */
    uint32_t window;
    uint32_t waiting; /* frames without an answer, the oldest first: */
    int64_t asked_at[TERM_FLOW_WINDOW];
    uint32_t bytes[TERM_FLOW_WINDOW]; /* of these frames */
    int64_t shortest;                 /* recent answer, µs; 0: not known */
    int64_t sent_at;                  /* the last frame */
    double rate;                      /* bytes/s that the terminal takes, about */
    int64_t answered_at;              /* the last answer */
    double busy_bytes, busy_time;     /* that the line has carried while frames waited, and µs */
};

/* answers: the terminal may understand the question. */
void term_flow_init(struct term_flow *flow, bool answers);

/* Returns whether a frame may be sent. */
bool term_flow_ready(struct term_flow *flow, int64_t now);

/* A frame of so many bytes is sent. Returns whether a question must follow it. */
bool term_flow_sent(struct term_flow *flow, uint64_t bytes, int64_t now);

/* Returns how many bytes a second the picture may take: TERM_FLOW_LEAST to TERM_FLOW_MOST. */
double term_flow_budget(const struct term_flow *flow);

/* The terminal has answered the oldest question. */
void term_flow_answered(struct term_flow *flow, int64_t now);

/* The terminal was given back: answers are no longer expected. */
void term_flow_forget(struct term_flow *flow);

#endif
