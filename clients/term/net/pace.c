#include "term/net/pace.h"

#include <math.h>

enum {
    STRAIN = 2,     /* of a strained window; a calm one takes 1 of it away */
    STRAIN_MAX = 4, /* less is wanted */
    SETTLE = 1,
    PATIENCE_FIRST = 10, /* calm windows after which more is wanted */
    PATIENCE_MAX = 120,
    BOIDS_LEAST = 512,
};

#define WINDOW        1000000 /* µs */
#define WINDOW_HOLDS  5.0F    /* snapshots at least, however few come a second */
#define RATE_LEAST    5.0F
#define GRANTED_LEAST 0.1F
#define FRAMES_SLOW   20.0F /* a second; with more, the screen holds nothing up */
#define FRAMES_FAST   25.0F
#define RATE_DOWN     1.5F /* snapshots a frame: with more, the rate goes down */
#define RATE_UP       1.2F /* and up to here it comes back */

/* A server may say anything. */
static float limit_rate(float value, float least, float most)
{
    return fminf(fmaxf(value, least), most);
}

static void open_window(struct term_pace *pace, int64_t now)
{
    pace->began = now;
    pace->snapshots = pace->frames = 0;
    pace->frames_took = 0;
}

/* What follows is of another stream. */
static void start_again(struct term_pace *pace)
{
    pace->began = -1;
    pace->settling = SETTLE;
    pace->strain = 0;
}

void term_pace_init(struct term_pace *pace, uint32_t rate)
{
    *pace = (struct term_pace){.rate = rate, .patience = PATIENCE_FIRST};
    pace->since_raise = 2 * PATIENCE_MAX;
    start_again(pace);
}

void term_pace_join(struct term_pace *pace, const struct proto_welcome *welcome)
{
    float all = (float)welcome->room.snapshot_rate;
    pace->full = pace->rate > 0 ? fminf((float)pace->rate, all) : all;
    pace->asked = false;
    term_pace_granted(pace, &welcome->stream);
}

void term_pace_granted(struct term_pace *pace, const struct proto_stream *granted)
{
    pace->granted = *granted;
    pace->granted.rate = limit_rate(granted->rate, GRANTED_LEAST, PROTO_RATE_MAX);
    start_again(pace);
}

void term_pace_answered(struct term_pace *pace)
{
    pace->asked = false;
}

void term_pace_awake(struct term_pace *pace)
{
    start_again(pace);
}

void term_pace_snapshot(struct term_pace *pace, const struct proto_snapshot *snapshot,
                        uint32_t boids)
{
    pace->snapshots++;
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
    return pace->frames_took > 0 ? (float)pace->frames * 1e6F / (float)pace->frames_took : 0;
}

static bool is_strained(const struct term_pace *pace)
{
    float frames = frame_rate(pace);
    return frames > 0 && frames < FRAMES_SLOW && pace->granted.rate > RATE_DOWN * frames;
}

/* The greatest power of two below a number > 1. */
static uint32_t power_below(uint32_t number)
{
    uint32_t power = 1;
    while (power < number / 2 + number % 2) {
        power *= 2;
    }
    return power;
}

/* One step less; false when this is the least. */
static bool lower_want(struct term_pace *pace)
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
static bool raise_want(struct term_pace *pace)
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
    return true;
}

/* A step down; one that takes back a step up makes the next one wait longer. */
static bool step_down(struct term_pace *pace)
{
    bool lowered = lower_want(pace);
    if (lowered) {
        bool again = pace->since_raise < 2 * pace->patience;
        unsigned patience = again ? 2 * pace->patience : PATIENCE_FIRST;
        pace->patience = patience < PATIENCE_MAX ? patience : PATIENCE_MAX;
        pace->climbing = false;
    }
    return lowered;
}

static bool step_up(struct term_pace *pace)
{
    if (!raise_want(pace)) {
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

/* The end of a window. */
static bool judge_window(struct term_pace *pace)
{
    pace->since_raise++;
    if (pace->settling > 0 || pace->snapshots == 0) {
        pace->settling -= pace->settling > 0 ? 1 : 0;
        return false;
    }
    if (is_strained(pace)) {
        pace->calm = 0;
        pace->strain += STRAIN;
        if (pace->strain < STRAIN_MAX) {
            return false;
        }
        pace->strain = 0;
        return step_down(pace);
    }
    pace->strain -= pace->strain > 0 ? 1 : 0;
    if (pace->granted.slow) {
        return false; /* that less can be drawn says nothing of more */
    }
    return ++pace->calm >= pace->patience && step_up(pace);
}

bool term_pace_decide(struct term_pace *pace, int64_t now)
{
    if (pace->asked || !(pace->granted.rate > 0)) {
        return false;
    }
    if (pace->began < 0) {
        open_window(pace, now);
        return false;
    }
    int64_t least = (int64_t)(1e6F * WINDOW_HOLDS / pace->granted.rate);
    /* A screen that takes longer than the window for a frame is not judged before that is done. */
    if (pace->frames == 0 || now - pace->began < (least > WINDOW ? least : WINDOW)) {
        return false;
    }
    pace->asked = judge_window(pace);
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

bool term_pace_lowered(const struct term_pace *pace)
{
    return pace->halvings > 0 || pace->boids > 0;
}
