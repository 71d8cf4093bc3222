#include "pace.h"

#include <math.h>

enum {
    STRAIN = 2,     /* of a strained window; a calm one takes 1 of it away */
    STRAIN_MAX = 4, /* less is wanted */
    SETTLE = 1,
    PATIENCE_FIRST = 10, /* calm windows after which more is wanted */
    PATIENCE_MAX = 120,
    BOIDS_LEAST = 512,
    STEPS_MAX = 8,         /* down at a time */
    BASELINE_CREEP = 1000, /* µs a window: clocks drift by less */
};

#define WINDOW        1000000 /* µs */
#define WINDOW_HOLDS  5.0F    /* snapshots at least, however few come a second */
#define RATE_LEAST    5.0F
#define GRANTED_LEAST 0.1F
#define LOST_SHARE    0.2F
#define LOST_LEAST    1.5F
#define LATE          300000 /* µs that snapshots stand in a queue before they get here */
#define SHRINKS       100000 /* µs a window by which a queue grows shorter that will soon be gone */
#define HELPED        0.75F  /* of a lateness is left, at most, when less has helped against it */
#define FRAMES_SLOW   20.0F  /* a second; with more, the screen holds nothing up */
#define FRAMES_FAST   25.0F
#define RATE_DOWN     1.5F /* snapshots a frame: with more, the rate goes down */
#define RATE_UP       1.2F /* and up to here it comes back */

/* A server may say anything. */
static float within(float value, float least, float most)
{
    return fminf(fmaxf(value, least), most);
}

static void open_window(struct term_pace *pace, int64_t now)
{
    pace->began = now;
    pace->from_tick = pace->last_tick;
    pace->snapshots = pace->frames = 0;
    pace->least_late = INT64_MAX;
    pace->frames_took = 0;
}

/* What follows is of another stream. */
static void start_anew(struct term_pace *pace)
{
    pace->began = -1;
    pace->ticking = false;
    pace->settling = SETTLE;
    pace->strain = 0;
}

void term_pace_init(struct term_pace *pace, uint32_t rate)
{
    *pace = (struct term_pace){.rate = rate, .patience = PATIENCE_FIRST};
    pace->since_raise = 2 * PATIENCE_MAX;
    pace->lateness = pace->beyond = INT64_MAX;
    start_anew(pace);
}

void term_pace_join(struct term_pace *pace, const struct proto_welcome *welcome)
{
    float all = (float)welcome->room.snapshot_rate;
    pace->full = pace->rate > 0 ? fminf((float)pace->rate, all) : all;
    pace->tick_rate = within((float)welcome->room.tick_rate, 1, PROTO_RATE_MAX);
    pace->lateness = pace->beyond = INT64_MAX;
    pace->asked = pace->boids > 0; /* a hello does not say how many */
    pace->granted = within(welcome->rate, GRANTED_LEAST, PROTO_RATE_MAX);
    start_anew(pace);
}

void term_pace_answered(struct term_pace *pace, float rate)
{
    pace->asked = false;
    pace->granted = within(rate, GRANTED_LEAST, PROTO_RATE_MAX);
    start_anew(pace);
}

void term_pace_awake(struct term_pace *pace)
{
    start_anew(pace);
}

void term_pace_snapshot(struct term_pace *pace, const struct proto_snapshot *snapshot,
                        uint32_t boids, int64_t now)
{
    if (snapshot->time > INT64_MAX / 4) {
        return;
    }
    int64_t late = now - (int64_t)snapshot->time;
    if (!pace->ticking || snapshot->tick < pace->last_tick) {
        pace->ticking = true;
        pace->from_tick = snapshot->tick; /* the flock began anew */
        pace->snapshots = 0;
    } else {
        pace->snapshots++;
    }
    pace->last_tick = snapshot->tick;
    pace->least_late = late < pace->least_late ? late : pace->least_late;
    pace->flock = snapshot->flock;
    pace->shown = boids;
}

void term_pace_frame(struct term_pace *pace, int64_t took)
{
    pace->frames++;
    pace->frames_took += took;
}

/* Frames a second that the screen can show; 0: not known. */
static float frame_rate(const struct term_pace *pace)
{
    return pace->frames > 0 && pace->frames_took > 0
               ? (float)pace->frames * 1e6F / (float)pace->frames_took
               : 0;
}

/* Snapshots that should have come in this window. */
static float expected(const struct term_pace *pace)
{
    return (float)(pace->last_tick - pace->from_tick) * pace->granted / pace->tick_rate;
}

/* Whether a queue stands on the line. Learns how late all is without one. */
static bool is_late(struct term_pace *pace)
{
    if (pace->least_late == INT64_MAX) {
        return false;
    }
    int64_t creep = pace->lateness == INT64_MAX ? INT64_MAX : pace->lateness + BASELINE_CREEP;
    pace->lateness = pace->least_late < creep ? pace->least_late : creep;
    bool shrinks = pace->least_late - pace->late_before <= -SHRINKS;
    pace->late_before = pace->least_late;
    if (pace->settling == 0 && !shrinks) {
        /* A lateness that less did not shorten is the line's own. */
        if ((float)(pace->least_late - pace->lateness) > HELPED * (float)pace->beyond) {
            pace->lateness = pace->least_late;
        }
        pace->beyond = INT64_MAX;
    }
    return pace->least_late - pace->lateness > LATE && !shrinks;
}

static enum term_pace_cause judge(struct term_pace *pace)
{
    float due = expected(pace);
    float lost = due - (float)pace->snapshots;
    float frames = frame_rate(pace);
    bool late = is_late(pace);
    if (frames > 0 && frames < FRAMES_SLOW && pace->granted > RATE_DOWN * frames) {
        return TERM_PACE_SCREEN;
    }
    return late || (lost > LOST_LEAST && lost > LOST_SHARE * due) ? TERM_PACE_LINE : TERM_PACE_ALL;
}

/* The greatest power of two below a number > 1. */
static uint32_t power_below(uint32_t number)
{
    uint32_t power = 1;
    while (power < (number + 1) / 2) {
        power *= 2;
    }
    return power;
}

/* One step less; false when this is the least. */
static bool lower(struct term_pace *pace)
{
    if (pace->full >= RATE_LEAST * (float)(2U << pace->halvings)) {
        pace->halvings++;
        return true;
    }
    /* A flock that has shrunk may be shown whole although fewer were asked for. */
    uint32_t boids = pace->boids > 0 && pace->boids < pace->shown ? pace->boids : pace->shown;
    if (boids <= BOIDS_LEAST) {
        return false;
    }
    pace->boids = power_below(boids);
    return true;
}

/* One step more; false when this is all, or more than the screen has shown that it can take. */
static bool raise(struct term_pace *pace)
{
    float frames = frame_rate(pace);
    float next = pace->full / (float)(1U << pace->halvings) * 2;
    if (pace->boids > 0) {
        pace->boids = pace->boids < pace->flock / 2 ? 2 * pace->boids : 0;
    } else if (pace->halvings == 0 ||
               (frames > 0 && frames < FRAMES_FAST && next > RATE_UP * frames)) {
        return false;
    } else {
        pace->halvings--;
    }
    if (pace->halvings == 0 && pace->boids == 0) {
        pace->cause = TERM_PACE_ALL;
    }
    return true;
}

/* As many steps as it takes for what has come in this time to be all that is sent, but one at
 * least; a step up that was too much is only taken back. */
static bool lower_for(struct term_pace *pace, enum term_pace_cause cause, int64_t now)
{
    float due = pace->granted * (float)(now - pace->began) / 1e6F;
    float came = (float)(pace->snapshots > 0 ? pace->snapshots : 1);
    bool lowered = false;
    bool many = cause == TERM_PACE_LINE && !pace->climbing && due > 2 * came;
    int steps = many ? (int)log2f(due / came) : 1;
    for (int i = 0; i < steps && i < STEPS_MAX; i++) {
        lowered = lower(pace) || lowered;
    }
    if (lowered) {
        bool again = pace->since_raise < 2 * pace->patience;
        unsigned patience = again ? 2 * pace->patience : PATIENCE_FIRST;
        pace->patience = patience < PATIENCE_MAX ? patience : PATIENCE_MAX;
        pace->cause = cause;
        pace->climbing = false;
    }
    int64_t beyond = pace->least_late - pace->lateness;
    pace->beyond = beyond > LATE ? beyond : INT64_MAX;
    return lowered;
}

/* The end of a window. */
static bool adapt(struct term_pace *pace, int64_t now)
{
    enum term_pace_cause cause = judge(pace);
    pace->since_raise++;
    if (pace->settling > 0 || pace->snapshots == 0) {
        pace->settling -= pace->settling > 0 ? 1 : 0;
        return false;
    }
    if (cause != TERM_PACE_ALL) {
        pace->calm = 0;
        pace->strain += STRAIN;
        if (pace->strain < STRAIN_MAX) {
            return false;
        }
        pace->strain = 0;
        return lower_for(pace, cause, now);
    }
    pace->strain -= pace->strain > 0 ? 1 : 0;
    if (++pace->calm < pace->patience || !raise(pace)) {
        return false;
    }
    if (pace->climbing) {
        pace->patience = pace->patience / 2 > PATIENCE_FIRST ? pace->patience / 2 : PATIENCE_FIRST;
    }
    pace->climbing = true;
    pace->calm = 0;
    pace->since_raise = 0;
    return true;
}

bool term_pace_decide(struct term_pace *pace, int64_t now)
{
    if (pace->asked || !(pace->granted > 0) || !pace->ticking) {
        return false;
    }
    if (pace->began < 0) {
        open_window(pace, now);
        return false;
    }
    int64_t least = (int64_t)(1e6F * WINDOW_HOLDS / pace->granted);
    if (now - pace->began < (least > WINDOW ? least : WINDOW)) {
        return false;
    }
    pace->asked = adapt(pace, now);
    open_window(pace, now);
    return pace->asked;
}

struct proto_want term_pace_want(const struct term_pace *pace)
{
    float rate = ceilf(pace->full / (float)(1U << pace->halvings));
    return (struct proto_want){
        .rate = pace->halvings > 0 ? (uint32_t)rate : pace->rate,
        .boids = pace->boids,
    };
}
