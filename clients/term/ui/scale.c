#include "term/ui/scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 50 };

#define TRACK_STEP 0.005 /* of the page's slider; smaller differences are rounded away */
/* The least share of the range below the initial value: with less, half of the track would hold one
 * value. */
#define SHARE_LEAST   0.001
#define SHARE_OF_NONE 0.1 /* if the initial value is the minimum */
/* A value that was rounded may be this far from its step on the track. */
#define ON_STEP (TRACK_STEP + 1e-9)

/* Returns the value with six digits: binary fractions add further digits. Both calls use the same
 * locale. */
static double round_digits(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.5e", value);
    return strtod(text, NULL);
}

static double limit_value(double value, double min, double max)
{
    return fmin(fmax(value, min), max);
}

struct term_scale term_scale_of(float min, float max, float initial)
{
    struct term_scale scale = {.min = round_digits((double)min), .max = round_digits((double)max)};
    double start = round_digits((double)initial);
    double span = scale.max - scale.min;
    double share = 1;
    if (span > 0) {
        share = start <= scale.min ? SHARE_OF_NONE : fmax(SHARE_LEAST, (start - scale.min) / span);
    }
    /* With b^2t - 1 for a curve that begins at 0, the middle is at the share 1 / (b + 1). */
    double base = share < 0.5 ? 1 / share - 1 : 1;
    scale.base = base < 1.01 ? 0 : base;
    return scale;
}

static double exact_value(const struct term_scale *scale, double track)
{
    double base = scale->base;
    double share = base > 0 ? (pow(base, 2 * track) - 1) / (base * base - 1) : track;
    return scale->min + (scale->max - scale->min) * share;
}

double term_scale_value(const struct term_scale *scale, double track)
{
    if (track <= 0 || scale->max <= scale->min) {
        return scale->min;
    }
    if (track >= 1) {
        return scale->max;
    }
    double value = exact_value(scale, track);
    double unit = pow(10, floor(log10(exact_value(scale, track + TRACK_STEP) - value)));
    return limit_value(round_digits(floor(value / unit + 0.5) * unit), scale->min, scale->max);
}

double term_scale_track(const struct term_scale *scale, double value)
{
    double span = scale->max - scale->min;
    if (span <= 0) {
        return 0;
    }
    double share = limit_value((round_digits(value) - scale->min) / span, 0, 1);
    double base = scale->base;
    return base > 0 ? log(1 + share * (base * base - 1)) / (2 * log(base)) : share;
}

double term_scale_step(const struct term_scale *scale, double value, int steps)
{
    double step = term_scale_track(scale, value) * STEPS;
    double nearest = round(step);
    if (fabs(step - nearest) > ON_STEP * STEPS) {
        nearest = steps > 0 ? floor(step) : ceil(step);
    }
    return term_scale_value(scale, (nearest + steps) / STEPS);
}
