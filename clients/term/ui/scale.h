/* A parameter on the track of its slider, 0 to 1, as the page has it (clients/web/src/ui/scale.ts);
 * both are held against clients/vectors/scale.json.
 *
 * Ranges are wide (0 to 1,000) and what is worth trying lies near the initial value (80, or 0.05 of
 * 10), so the track is exponential, with the initial value in its middle, where that is below the
 * middle of the range; else it is linear. Pure. */
#ifndef TERM_SCALE_H
#define TERM_SCALE_H

struct term_scale {
    double min, max;
    double base; /* of the exponential; 0: the track is linear */
};

struct term_scale term_scale_of(float min, float max, float initial);

/* The value at that position of the track, rounded to what a slider's step there can tell apart. */
double term_scale_value(const struct term_scale *scale, double track);
double term_scale_track(const struct term_scale *scale, double value);

/* The value so many key steps from another: a step is a fiftieth of the track, and steps forth and
 * back meet. What lies between two steps goes to the next one. */
double term_scale_step(const struct term_scale *scale, double value, int steps);

#endif
