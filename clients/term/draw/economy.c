#include "term/draw/economy.h"

#include "term/tty/flow.h"

#include <math.h>

/* Bytes/s of all frames, with panels and the status line. Questions and a frame's last row come on
 * top: TERM_FLOW_MOST. */
#define FRAMES_MOST  144000.0
#define FRAMES       30.0     /* a second, with the whole budget */
#define FRAMES_SLOW  20.0     /* a second, with a smaller budget: a frame must not be empty */
#define SMOOTHED     400000.0 /* µs over which shares are measured */
#define SETTLED      500000   /* µs from a change of the level to the next */
#define PATIENCE     3000000
#define PATIENCE_MAX 60000000
#define AGAIN        30000000
#define SPARE        0.5  /* of the limit: with less, more may be drawn */
#define WHOLE        0.95 /* of the rows: with fewer, less must be drawn */
#define COST_FIRST   12.0 /* bytes of a changed cell */
#define COST_LEAST   4.0
#define COST_MOST    40.0
#define COST_WEIGHT  0.125
#define FRAME_LEAST  0.125 /* of a frame's bytes, after a frame that took too many */
#define GOLDEN       0.618

enum {
    LEVELS = 7,
    LEVEL_FAST = 3,   /* the highest level for a fast terminal */
    CELLS_KNOWN = 32, /* a frame with fewer changed cells does not tell their cost */
};

static const struct shade_detail levels[LEVELS] = {
    {.fades = 3},
    {.fades = 1, .steady = true},
    {.fades = 1, .steady = true, .run = SHADE_RUN},
    {.fades = 0, .steady = true, .run = SHADE_RUN},
    {.fades = 0, .steady = true, .run = SHADE_RUN, .plain = true},
    {.fades = 0, .steady = true, .run = SHADE_RUN_LONG, .plain = true},
    {.fades = 0, .steady = true, .run = SHADE_RUN_LONG, .plain = true, .density = true},
};

static void change_level(struct economy *economy, int by, int64_t now)
{
    economy->level += by;
    economy->changed = now;
    economy->raised = by < 0;
}

/* Takes details away. If they were added a short time ago, they come back later than last time. */
static void draw_less(struct economy *economy, int64_t now)
{
    bool again = economy->raised && now - economy->changed < AGAIN;
    if (!again) {
        economy->patience = PATIENCE;
    } else if (economy->patience < PATIENCE_MAX) {
        economy->patience *= 2;
    }
    change_level(economy, 1, now);
}

/* Measures by the last frame the bytes of a changed cell and the share of rows in a frame. */
static void judge_frame(struct economy *economy, uint64_t sent, int64_t passed)
{
    double weight = (double)passed < SMOOTHED ? (double)passed / SMOOTHED : 1;
    if (economy->cells >= CELLS_KNOWN) {
        double cost = (double)(sent - economy->sent) / economy->cells;
        cost = fmin(fmax(cost, COST_LEAST), COST_MOST);
        economy->cost += COST_WEIGHT * (cost - economy->cost);
    }
    if (economy->rows > 0) {
        economy->share += weight * ((double)economy->drawn / economy->rows - economy->share);
        economy->filled += weight * (economy->used / economy->limit - economy->filled);
    }
}

/* Adds what the time since the last frame allows, and takes what that frame has sent: a frame of
 * more bytes than estimated makes the next one smaller, at any number of frames a second. */
static void earn_credit(struct economy *economy, uint64_t sent, int64_t passed)
{
    const double frame = FRAMES_MOST / FRAMES;
    double earned = FRAMES_MOST * (double)passed / 1e6;
    double credit = economy->credit + earned - (double)(sent - economy->sent);
    economy->credit = fmin(fmax(credit, -frame), frame);
}

/* Chooses the level by the recent frames. */
static void choose_level(struct economy *economy, int64_t now, bool fast)
{
    int64_t settled = now - economy->changed;
    int last = fast ? LEVEL_FAST : LEVELS - 1;
    if (settled < SETTLED) {
        return;
    }
    bool spare = economy->share > WHOLE && economy->filled < SPARE && settled > economy->patience;
    if (economy->share < WHOLE && economy->level < last) {
        draw_less(economy, now);
    } else if (economy->level > last || (spare && economy->level > 0)) {
        change_level(economy, -1, now);
    }
}

void economy_begin(struct economy *economy, uint64_t sent, int64_t now, double budget)
{
    if (economy->at == 0) {
        economy->cost = COST_FIRST;
        economy->share = 1;
        economy->patience = PATIENCE;
        economy->changed = now;
        economy->credit = FRAMES_MOST / FRAMES;
    } else if (now > economy->at) {
        judge_frame(economy, sent, now - economy->at);
        earn_credit(economy, sent, now - economy->at);
        choose_level(economy, now, budget >= TERM_FLOW_MOST);
    }
    economy->slow = budget < TERM_FLOW_MOST;
    double fast = fmax(economy->credit, FRAME_LEAST * FRAMES_MOST / FRAMES);
    economy->limit = fmin(budget / FRAMES_SLOW, fast);
    economy->sent = sent;
    economy->at = now;
    economy->used = 0;
    economy->cells = economy->drawn = economy->rows = 0;
}

struct shade_detail economy_detail(const struct economy *economy, int fades)
{
    struct shade_detail detail = levels[economy->level];
    detail.fades = fades < detail.fades ? fades : detail.fades;
    return detail;
}

bool economy_has_bytes(const struct economy *economy, bool anew)
{
    return economy->limit <= 0 || economy->used < economy->limit || (anew && !economy->slow);
}

static int common_divisor(int one, int other)
{
    while (other != 0) {
        int rest = one % other;
        one = other;
        other = rest;
    }
    return one;
}

int economy_next_row(struct economy *economy, int rows)
{
    int step = (int)(GOLDEN * rows) > 0 ? (int)(GOLDEN * rows) : 1;
    while (common_divisor(step, rows) != 1) {
        step++; /* ends at rows + 1 */
    }
    economy->rows = (uint32_t)rows;
    economy->drawn++;
    return (int)((uint64_t)economy->turn++ * (uint64_t)step % (uint64_t)rows);
}

void economy_spend(struct economy *economy, int cells)
{
    economy->cells += (uint32_t)cells;
    economy->used += cells * economy->cost;
}
