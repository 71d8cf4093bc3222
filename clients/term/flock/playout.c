#include "term/flock/playout.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLED = 12 /* snapshots before the measured jitter is trusted */ };

/* µs */
#define WINDOW     3e6 /* over which lags and spaces are measured */
#define STEP_MAX   5e5 /* a longer space is not bridged in full */
#define MARGIN     4e3 /* on top of the measured jitter */
#define JITTER_MAX 1e6 /* of delay beyond the median lag */
#define FAR        1e6
#define JUMP       5e6 /* after a longer pause the clock has stood still: the time is skipped */
#define SLEW       5e5 /* µs in which an error would be corrected at the first speed */

#define START      2.5 /* intervals of delay at the start */
#define LEAST      1.5 /* intervals of delay at least */
#define PERCENTILE 0.97
/* Playback runs at 1 - SLOWER to 1 + FASTER of real time while it moves to a new lag, and at up to
 * 1 + FASTER_FAR if that lag is FAR. */
#define SLOWER     0.25
#define FASTER     0.1
#define FASTER_FAR 0.5

static double limit_between(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

static int compare_values(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Writes the window's values in order. */
static void sort_window(const struct playout_window *window, double sorted[PLAYOUT_SAMPLES])
{
    assert(window->count > 0 && window->count <= PLAYOUT_SAMPLES);
    memcpy(sorted, window->values, window->count * sizeof *sorted);
    qsort(sorted, window->count, sizeof *sorted, compare_values);
}

static double median_of_window(const struct playout_window *window)
{
    double sorted[PLAYOUT_SAMPLES];
    uint32_t middle = window->count / 2;
    sort_window(window, sorted);
    return window->count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

static double percentile_of_window(const struct playout_window *window)
{
    double sorted[PLAYOUT_SAMPLES];
    uint32_t index = (uint32_t)(PERCENTILE * window->count);
    sort_window(window, sorted);
    return sorted[index < window->count ? index : window->count - 1];
}

/* Adds a value, and forgets values that are older than WINDOW at the nominal rate. */
static void remember_value(struct playout_window *window, double value, double nominal)
{
    uint32_t most = (uint32_t)limit_between(WINDOW / nominal, SETTLED, PLAYOUT_SAMPLES);
    while (window->count >= most) {
        window->count--;
        memmove(window->values, window->values + 1, window->count * sizeof window->values[0]);
    }
    window->values[window->count++] = value;
}

static double interval_of(const struct playout *playout)
{
    return playout->spaces.count < SETTLED ? playout->nominal : median_of_window(&playout->spaces);
}

static void aim_lag(struct playout *playout)
{
    double step = fmin(STEP_MAX, interval_of(playout));
    double usual = median_of_window(&playout->lags);
    if (playout->lags.count < SETTLED) {
        playout->wanted = usual + START * step;
        return;
    }
    double jitter = percentile_of_window(&playout->lags) - usual;
    playout->wanted =
        usual + limit_between(step + jitter + MARGIN, LEAST * step, step + JITTER_MAX);
}

void playout_init(struct playout *playout, float rate)
{
    assert(rate > 0);
    *playout = (struct playout){.nominal = 1e6 / (double)rate};
}

void playout_forget(struct playout *playout)
{
    playout->lags.count = playout->spaces.count = 0;
    playout->known = false;
}

void playout_follow(struct playout *playout, float rate)
{
    double nominal = 1e6 / (double)rate;
    assert(rate > 0);
    if (nominal == playout->nominal) {
        return;
    }
    playout->nominal = nominal;
    playout->spaces.count = 0;
    if (playout->lags.count > 0) {
        aim_lag(playout);
    }
}

void playout_push(struct playout *playout, int64_t time, int64_t space, int64_t now)
{
    if (space > 0) {
        remember_value(&playout->spaces, (double)space, playout->nominal);
    }
    remember_value(&playout->lags, (double)(now - time), playout->nominal);
    aim_lag(playout);
    if (!playout->known) {
        playout->known = true;
        playout->lag = playout->wanted;
    }
}

int64_t playout_look(struct playout *playout, int64_t now)
{
    assert(playout->known);
    double passed = playout->looked ? fmax(0, (double)(now - playout->looked_at)) : 0;
    playout->looked = true;
    playout->looked_at = now;
    if (fabs(playout->wanted - playout->lag) > JUMP) {
        playout->lag = playout->wanted;
    }
    double error = playout->wanted - playout->lag;
    double faster = limit_between(-error / FAR * FASTER_FAR, FASTER, FASTER_FAR);
    playout->lag +=
        limit_between(error * fmin(1, passed / SLEW), -faster * passed, SLOWER * passed);
    return (int64_t)llround((double)now - playout->lag);
}
