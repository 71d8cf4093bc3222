/* View cones, of models whose boids do not see all round. */
#ifndef CONE_H
#define CONE_H

#include "sim/trig.h"

#include <stdbool.h>

/* Seen is what is at less than half the cone's angle from the heading: where, times the distance,
 * cosine * sine of the half > sine * cosine of the half. The bias, too small to matter elsewhere,
 * decides for those at the boid's own place: seen if it is negative. */
struct cone {
    float sine, cosine, bias;
};

/* `tiny` has the sign that the bias has if it has any; `own_place`: whether those at the boid's own
 * place are seen. */
static inline struct cone cone_make(float degrees, bool own_place, float tiny)
{
    double sine;
    double cosine;
    trig_sincos((double)degrees * (TRIG_PI / 360.0), &sine, &cosine);
    struct cone cone = {(float)sine, (float)cosine, own_place == (tiny < 0.0f) ? tiny : 0.0f};
    if (degrees <= 0.0f || degrees >= 360.0f) {
        cone.sine = 0.0f; /* rounding must not matter: the cone holds nothing, or all */
    }
    return cone;
}

#endif
