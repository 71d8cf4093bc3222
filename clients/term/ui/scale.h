/* A parameter's position on the track of its slider, 0 to 1.
 *
 * The page has the same rule (clients/web/src/panels/controls), and both are tested with
 * clients/vectors/scale.json. Ranges are wide (0 to 1,000), and useful values are near the initial
 * value (80, or 0.05 of 10). If the initial value is below the middle of the range, the track is
 * exponential and has the initial value in its middle; else it is linear. Pure. */
#ifndef TERM_SCALE_H
#define TERM_SCALE_H

struct term_scale {
    double min, max;
    double base; /* of the exponential; 0: linear */
};

struct term_scale term_scale_of(float min, float max, float initial);

/* Returns the value at a position of the track, rounded to the digits that a step of the slider
 * changes; and the position of a value. */
double term_scale_value(const struct term_scale *scale, double track);
double term_scale_track(const struct term_scale *scale, double value);

/* Returns the value `steps` steps away: a step is a fiftieth of the track. Steps forth and back
 * meet. A value between two steps moves to the next step first. */
double term_scale_step(const struct term_scale *scale, double value, int steps);

#endif
