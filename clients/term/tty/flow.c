#include "term/tty/flow.h"

#include <assert.h>
#include <string.h>

void term_flow_init(struct term_flow *flow, bool answers)
{
    *flow = (struct term_flow){.silent = !answers, .window = 1};
}

void term_flow_forget(struct term_flow *flow)
{
    flow->waiting = 0;
    flow->sent_at = 0;
}

/* Returns whether a question is older than that. */
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

bool term_flow_sent(struct term_flow *flow, int64_t now)
{
    flow->sent_at = now;
    if (flow->silent || flow->waiting == TERM_FLOW_WINDOW) {
        return false;
    }
    flow->asked_at[flow->waiting++] = now;
    return true;
}

/* Opens the window by a frame for each answer that was in time, and closes it after a late one. The
 * shortest answer fades, because the line may have changed. */
static void judge_answer(struct term_flow *flow, int64_t took)
{
    flow->shortest += flow->shortest / 64;
    if (flow->shortest == 0 || took < flow->shortest) {
        flow->shortest = took > 0 ? took : 1;
    }
    if (took > flow->shortest + TERM_FLOW_LATE) {
        flow->window = 1;
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
    flow->waiting--;
    memmove(&flow->asked_at[0], &flow->asked_at[1], flow->waiting * sizeof flow->asked_at[0]);
    assert(flow->waiting < TERM_FLOW_WINDOW);
}
