/* View cones, for models whose boids do not see all round. */
#ifndef CONE_H
#define CONE_H

#include "sim/trig.h"

#include <stdbool.h>

/* A boid sees a point if the angle to the heading is less than half the cone's angle: distance *
 * cosine * sine of the half > distance * sine * cosine of the half. The bias decides for points at
 * the boid's own position, and is too small to matter elsewhere: it is negative if the boid sees
 * them. */
struct cone {
    float sine, cosine, bias;
};

/* `tiny` is the size and sign of the bias; 0: no bias. `own_place`: the boid sees points at its own
 * position. */
static inline struct cone cone_make(float degrees, bool own_place, float tiny)
{
    double sine;
    double cosine;
    trig_sincos((double)degrees * (TRIG_PI / 360.0), &sine, &cosine);
    struct cone cone = {(float)sine, (float)cosine, own_place == (tiny < 0.0f) ? tiny : 0.0f};
    if (degrees <= 0.0f || degrees >= 360.0f) {
        cone.sine = 0.0f; /* exact in spite of rounding: the cone holds nothing, or everything */
    }
    return cone;
}

#endif
