#include "term/tty/flow.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define BUDGET      0.9    /* of the rate for the picture, and 0.1 for keys' effects */
#define QUEUED      20000  /* µs beyond the shortest answer: frames wait on the line */
#define BUSY_ENOUGH 120000 /* µs: a line that was busy for this time has a rate */
#define DECLINE     0.4    /* of the way to a lower rate: a short stall says little */
#define GROWTH      1.02   /* of the rate, with each answer while nothing waits */

void term_flow_init(struct term_flow *flow, bool answers)
{
    *flow = (struct term_flow){.silent = !answers, .window = 1, .rate = TERM_FLOW_MOST / BUDGET};
}

void term_flow_forget(struct term_flow *flow)
{
    flow->waiting = 0;
    flow->sent_at = 0;
}

/* Returns whether the oldest question is older than `age`. */
static bool is_overdue(const struct term_flow *flow, int64_t now, int64_t age)
{
    return flow->waiting > 0 && now - flow->asked_at[0] > age;
}

/* Gives up questions whose answers do not come. */
static void give_up(struct term_flow *flow, int64_t now)
{
    if (!flow->heard && is_overdue(flow, now, TERM_FLOW_TRIAL)) {
        flow->silent = true;
    }
    if (flow->silent || is_overdue(flow, now, TERM_FLOW_LOST)) {
        flow->waiting = 0;
    }
}

bool term_flow_ready(struct term_flow *flow, int64_t now)
{
    give_up(flow, now);
    if (flow->silent) {
        return true;
    }
    if (!flow->heard) {
        return flow->waiting == 0 || now - flow->sent_at >= TERM_FLOW_SLOWLY;
    }
    /* A late answer says that the line is full before it arrives. */
    bool late = is_overdue(flow, now, flow->shortest + TERM_FLOW_LATE);
    return flow->waiting < flow->window && !late;
}

bool term_flow_sent(struct term_flow *flow, uint64_t bytes, int64_t now)
{
    flow->sent_at = now;
    if (flow->silent || flow->waiting == TERM_FLOW_WINDOW) {
        return false;
    }
    flow->bytes[flow->waiting] = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
    flow->asked_at[flow->waiting++] = now;
    return true;
}

double term_flow_budget(const struct term_flow *flow)
{
    return fmin(fmax(BUDGET * flow->rate, TERM_FLOW_LEAST), TERM_FLOW_MOST);
}

/* Measures the rate by the oldest frame, which the terminal has answered now. While frames wait,
 * the line is busy from one answer to the next. While no frame waits, the line could carry more, so
 * the rate grows. */
static void measure_line(struct term_flow *flow, int64_t now)
{
    bool behind = flow->asked_at[0] < flow->answered_at;
    if (now - flow->asked_at[0] <= flow->shortest + QUEUED) {
        flow->rate = fmin(flow->rate * GROWTH, TERM_FLOW_MOST / BUDGET);
    } else if (behind) {
        flow->busy_bytes += flow->bytes[0];
        flow->busy_time += (double)(now - flow->answered_at);
    }
    if (flow->busy_time >= BUSY_ENOUGH) {
        double rate = fmin(flow->busy_bytes * 1e6 / flow->busy_time, TERM_FLOW_MOST / BUDGET);
        flow->rate = rate > flow->rate ? rate : flow->rate + DECLINE * (rate - flow->rate);
        flow->busy_bytes = flow->busy_time = 0;
    }
}

/* Opens the window by a frame for each answer in time, and closes it by a frame for each late
 * answer. The shortest time grows slowly, because the line may have changed. */
static void judge_answer(struct term_flow *flow, int64_t took)
{
    flow->shortest += flow->shortest / 64;
    if (flow->shortest == 0 || took < flow->shortest) {
        flow->shortest = took > 0 ? took : 1;
    }
    if (took > flow->shortest + TERM_FLOW_LATE) {
        flow->window -= flow->window > 1 ? 1 : 0;
    } else if (flow->window < TERM_FLOW_WINDOW && took <= flow->shortest + TERM_FLOW_LATE / 2) {
        flow->window++;
    }
}

void term_flow_answered(struct term_flow *flow, int64_t now)
{
    flow->heard = true;
    flow->silent = false;
    if (flow->waiting == 0) {
        return; /* too late: it was given up */
    }
    judge_answer(flow, now - flow->asked_at[0]);
    measure_line(flow, now);
    flow->answered_at = now;
    flow->waiting--;
    memmove(&flow->asked_at[0], &flow->asked_at[1], flow->waiting * sizeof flow->asked_at[0]);
    memmove(&flow->bytes[0], &flow->bytes[1], flow->waiting * sizeof flow->bytes[0]);
    assert(flow->waiting < TERM_FLOW_WINDOW);
}
