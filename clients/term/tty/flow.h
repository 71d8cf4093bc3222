/* How many frames may be on their way to the terminal: the flow asks the terminal for an answer
 * behind a frame, and so learns when the terminal has read it. A line such as ssh's takes 64 KiB
 * without a wait, which a slow terminal draws for seconds; a key's effect is behind all of that.
 *
 * Pure: times come in as arguments, in microseconds. The owner writes the questions and reports the
 * answers. All zero is not valid; the caller owns it. */
#ifndef TERM_FLOW_H
#define TERM_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#define TERM_FLOW_WINDOW 8u      /* the most frames on their way */
#define TERM_FLOW_LATE   60000   /* µs beyond the shortest answer: the line is full */
#define TERM_FLOW_TRIAL  1000000 /* µs for the first answer; then the terminal is silent */
#define TERM_FLOW_SLOWLY 250000  /* µs between frames until the first answer */
#define TERM_FLOW_LOST   3000000 /* µs after which an answer no longer comes */

struct term_flow {
    bool silent; /* the terminal does not answer */
    bool heard;  /* it has answered once */
    uint32_t window;
    uint32_t waiting; /* frames without an answer, the oldest first: */
    int64_t asked_at[TERM_FLOW_WINDOW];
    int64_t shortest; /* recent answer, µs; 0: not known */
    int64_t sent_at;  /* the last frame */
};

/* answers: the terminal may understand the question. */
void term_flow_init(struct term_flow *flow, bool answers);

/* Returns whether a frame may be sent. */
bool term_flow_ready(struct term_flow *flow, int64_t now);

/* A frame is sent. Returns whether a question must follow it. */
bool term_flow_sent(struct term_flow *flow, int64_t now);

/* The terminal has answered the oldest question. */
void term_flow_answered(struct term_flow *flow, int64_t now);

/* The terminal was given back: answers are no longer expected. */
void term_flow_forget(struct term_flow *flow);

#endif
