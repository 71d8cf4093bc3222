#include "term/net/pace.h"

#include <math.h>

#define WINDOW        1000000 /* µs */
#define WINDOW_HOLDS  5.0F    /* snapshots at least, even if few come per second */
#define GRANTED_LEAST 0.1F
#define FRAMES_SLOW   20.0F /* frames a second; a screen with more is fast enough for any stream */
#define FRAMES_FAST   25.0F
#define RATE_DOWN     1.5F /* snapshots a frame: with more, the terminal is too slow */
#define RATE_UP       1.2F /* snapshots a frame: up to this the terminal is calm */

static float limit_rate(float rate, float least, float most)
{
    return fminf(fmaxf(rate, least), most);
}

static void open_window(struct term_pace *pace, int64_t now)
{
    pace->began = now;
    pace->snapshots = pace->frames = 0;
    pace->frames_took = 0;
}

void term_pace_init(struct term_pace *pace, uint32_t rate)
{
    *pace = (struct term_pace){.rate = rate, .began = -1};
    ladder_init(&pace->ladder);
}

void term_pace_join(struct term_pace *pace, const struct proto_welcome *welcome)
{
    float all = (float)welcome->room.snapshot_rate;
    pace->full = pace->rate > 0 ? fminf((float)pace->rate, all) : all;
    pace->asked = false;
    ladder_restart(&pace->ladder, pace->full);
    term_pace_granted(pace, &welcome->stream);
}

void term_pace_granted(struct term_pace *pace, const struct proto_stream *granted)
{
    pace->granted = *granted;
    pace->granted.rate = limit_rate(granted->rate, GRANTED_LEAST, PROTO_RATE_MAX);
    pace->began = -1;
}

void term_pace_answered(struct term_pace *pace)
{
    pace->asked = false;
}

void term_pace_awake(struct term_pace *pace)
{
    pace->began = -1;
    ladder_restart(&pace->ladder, pace->full);
}

void term_pace_snapshot(struct term_pace *pace, const struct proto_snapshot *snapshot)
{
    pace->snapshots++;
    pace->flock = snapshot->flock;
}

void term_pace_frame(struct term_pace *pace, int64_t took)
{
    pace->frames++;
    pace->frames_took += took;
}

/* Returns the frames a second that the screen can show; 0: not known. */
static float frame_rate(const struct term_pace *pace)
{
    return pace->frames_took > 0 ? (float)pace->frames * 1e6F / (float)pace->frames_took : 0;
}

/* Judges the window; returns whether something else is wanted. */
static bool judge_window(struct term_pace *pace, int64_t now)
{
    float frames = frame_rate(pace);
    float above = pace->granted.rate * ladder_rate_above(&pace->ladder);
    struct ladder_period period = {.passed = now - pace->began, .flock = pace->flock};
    if (pace->snapshots == 0) {
        return false;
    }
    if (frames > 0 && frames < FRAMES_SLOW) {
        period.over = pace->granted.rate / (RATE_DOWN * frames);
    }
    /* On a slow line few snapshots come; that the screen keeps up with them says nothing about
     * more. */
    period.calm = !pace->granted.slow &&
                  (!(frames > 0) || frames >= FRAMES_FAST || above <= RATE_UP * frames);
    return ladder_judge(&pace->ladder, &period);
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
    /* The window waits for a frame that takes longer. */
    if (pace->frames == 0 || now - pace->began < (least > WINDOW ? least : WINDOW)) {
        return false;
    }
    pace->asked = judge_window(pace, now);
    open_window(pace, now);
    return pace->asked;
}

struct proto_want term_pace_want(const struct term_pace *pace)
{
    uint32_t divisor = ladder_divisor(&pace->ladder);
    return (struct proto_want){
        .rate = divisor > 1 ? (uint32_t)ceilf(pace->full / (float)divisor) : pace->rate,
        .boids = ladder_boids(&pace->ladder),
    };
}

bool term_pace_lowered(const struct term_pace *pace)
{
    return pace->ladder.count > 0;
}
