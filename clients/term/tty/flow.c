#include "term/tty/flow.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define BUDGET      0.9     /* of the rate for a picture, and 0.1 for all else */
#define AHEAD       20000   /* µs for which the line is still busy when a frame is sent */
#define QUEUED      20000   /* µs beyond the expected answer: the line is not as fast */
#define BUSY_ENOUGH 120000  /* µs: a line that was busy for this time has a rate */
#define DECLINE     0.4     /* of the way to a lower rate: a short stall says little */
#define GROWTH      1.02    /* of the rate, with each answer while nothing waits */
#define DELAY_MOST  700000  /* µs: a line with a longer delay is slow */
#define LONGER      5000    /* µs that the delay may grow at a time */
#define PROBED      40      /* frames, and then one on an empty line, which measures the delay */
#define TRIAL       1000000 /* µs for the first answer, and as long as a slow line takes */
#define SLOWEST     20000.0 /* bytes/s of such a line */

void term_flow_init(struct term_flow *flow, bool answers)
{
    *flow = (struct term_flow){.silent = !answers, .window = 1, .rate = TERM_FLOW_MOST / BUDGET};
}

void term_flow_forget(struct term_flow *flow)
{
    flow->waiting = flow->late = 0;
    flow->sent_at = flow->gave_up_at = 0;
}

/* Returns when the line will have carried the oldest `frames` frames that wait. */
static int64_t predict_end(const struct term_flow *flow, uint32_t frames)
{
    int64_t end = flow->answered_at - flow->delay; /* of the last frame that was answered */
    for (uint32_t i = 0; i < frames; i++) {
        end = end > flow->asked_at[i] ? end : flow->asked_at[i];
        end += (int64_t)(flow->bytes[i] * 1e6 / flow->rate);
    }
    return end;
}

/* Returns whether no answer has come for longer than `limit`, although a question waits. */
static bool is_overdue(const struct term_flow *flow, int64_t now, int64_t limit)
{
    int64_t since = flow->asked_at[0] > flow->answered_at ? flow->asked_at[0] : flow->answered_at;
    return flow->waiting > 0 && now - since > limit;
}

/* Gives up questions whose answers do not come: the line pauses, and they come later. But if only
 * some of them come then, the others are lost. */
static void give_up(struct term_flow *flow, int64_t now)
{
    bool lost = flow->gave_up_at > 0 && flow->answered_at > flow->gave_up_at;
    int64_t limit = lost ? TRIAL : TERM_FLOW_LOST;
    if (is_overdue(flow, now, flow->heard ? limit : TRIAL + flow->slow_time)) {
        flow->silent = !flow->heard;
        flow->late = lost ? 0 : flow->late + flow->waiting;
        flow->gave_up_at = lost ? 0 : now;
        flow->waiting = 0;
        flow->window = 1;
    }
}

bool term_flow_ready(struct term_flow *flow, int64_t now)
{
    give_up(flow, now);
    if (flow->silent || flow->waiting == 0) {
        return true;
    }
    if (!flow->heard) {
        return now - flow->sent_at >= TERM_FLOW_SLOWLY && is_overdue(flow, now, flow->slow_time);
    }
    /* A late answer says that the line is full before it arrives. */
    bool late = now > predict_end(flow, 1) + flow->delay + TERM_FLOW_LATE;
    bool fast = term_flow_budget(flow) >= TERM_FLOW_MOST;
    return flow->waiting < flow->window && !late &&
           (fast || (flow->behind < PROBED && predict_end(flow, flow->waiting) <= now + AHEAD));
}

bool term_flow_sent(struct term_flow *flow, uint64_t bytes, int64_t now)
{
    flow->sent_at = now;
    if (flow->silent || flow->waiting == TERM_FLOW_WINDOW) {
        return false;
    }
    flow->behind = flow->waiting > 0 ? flow->behind + 1 : 0;
    flow->slow_time += (int64_t)((double)bytes * 1e6 / SLOWEST);
    flow->bytes[flow->waiting] = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
    flow->asked_at[flow->waiting++] = now;
    return true;
}

double term_flow_budget(const struct term_flow *flow)
{
    return fmin(fmax(BUDGET * flow->rate, TERM_FLOW_LEAST), TERM_FLOW_MOST);
}

static void set_rate(struct term_flow *flow, double rate)
{
    flow->rate = fmin(fmax(rate, TERM_FLOW_LEAST), TERM_FLOW_MOST / BUDGET);
}

/* Takes the rate of the line since it was measured last. */
static void take_rate(struct term_flow *flow)
{
    double rate = flow->busy_bytes * 1e6 / flow->busy_time;
    set_rate(flow, rate > flow->rate ? rate : flow->rate + DECLINE * (rate - flow->rate));
    flow->busy_bytes = flow->busy_time = 0;
}

/* Measures the delay by a frame on an empty line, whose answer came `after` µs beyond its time on
 * the line. A short pause of the line must not change it much. */
static void measure_delay(struct term_flow *flow, int64_t took, int64_t after)
{
    int64_t most = flow->delay + flow->delay / 4 + LONGER;
    if (flow->delay == 0 || after < most) {
        most = after;
    }
    flow->delay = most > 0 ? most : 1;
    if (flow->delay > DELAY_MOST) {
        flow->delay = DELAY_MOST;
        set_rate(flow, fmin(flow->rate, flow->bytes[0] * 1e6 / (double)(took - DELAY_MOST)));
    }
}

/* Measures the rate by the oldest frame. The line was busy from one answer to the next if the frame
 * came before the last one had left, or if its answer is late. A line that was not busy could carry
 * more, so the rate grows. */
static void measure_rate(struct term_flow *flow, int64_t now, int64_t after)
{
    bool late = after > flow->delay + QUEUED;
    if (flow->asked_at[0] < flow->answered_at - (late ? 0 : flow->delay)) {
        flow->busy_bytes += flow->bytes[0];
        flow->busy_time += (double)(now - flow->answered_at);
        if (flow->busy_time >= BUSY_ENOUGH) {
            take_rate(flow);
        }
    } else if (!late) {
        set_rate(flow, flow->rate * GROWTH);
    }
}

/* Opens the window by a frame for each answer in time, and closes it by a frame for each late
 * answer. */
static void judge_answer(struct term_flow *flow, int64_t behind)
{
    if (behind > TERM_FLOW_LATE) {
        flow->window -= flow->window > 1 ? 1 : 0;
    } else if (flow->window < TERM_FLOW_WINDOW && behind <= TERM_FLOW_LATE / 2) {
        flow->window++;
    }
}

/* Handles the answer to the oldest question. */
static void take_answer(struct term_flow *flow, int64_t now)
{
    int64_t after = now - predict_end(flow, 1);
    judge_answer(flow, flow->delay > 0 ? after - flow->delay : 0);
    if (flow->asked_at[0] >= flow->answered_at) {
        measure_delay(flow, now - flow->asked_at[0], after);
    }
    measure_rate(flow, now, after);
    flow->gave_up_at = 0;
    flow->waiting--;
    memmove(&flow->asked_at[0], &flow->asked_at[1], flow->waiting * sizeof flow->asked_at[0]);
    memmove(&flow->bytes[0], &flow->bytes[1], flow->waiting * sizeof flow->bytes[0]);
    assert(flow->waiting < TERM_FLOW_WINDOW);
}

void term_flow_answered(struct term_flow *flow, int64_t now)
{
    flow->heard = true;
    flow->silent = false;
    if (flow->late > 0) {
        flow->late--;
    } else if (flow->waiting > 0) {
        take_answer(flow, now);
    }
    flow->answered_at = now;
}
