/* proto_heading() for loops over all boids: without branches, so that the compiler vectorizes them.
 */
#ifndef HEADING_H
#define HEADING_H

#include <math.h>
#include <stdint.h>

static inline uint8_t heading_of(float x, float y)
{
    const float wide = fabsf(x);
    const float high = fabsf(y);
    const float longer = wide > high ? wide : high;
    const float shorter = wide > high ? high : wide;
    const float ratio = shorter / (longer > 0.0F ? longer : 1.0F);
    /* atan(r) = r (pi/4 + 0.273 (1 - r)) to 0.0038, 0.15 steps: Rajan, Wang, Inkol and Joyal,
     * "Efficient approximations for the arctangent function", 2006, equation 7. */
    const float first = ratio * (32.0F + 11.123F * (1.0F - ratio));
    /* From the first eighth of a turn to all others. Computes both sides of each choice. */
    const float mirrored = 64.0F - first;
    const float quarter = high > wide ? mirrored : first;
    const float opposite = 128.0F - quarter;
    const float half = x < 0.0F ? opposite : quarter;
    const float below = 256.0F - half;
    const float steps = (y < 0.0F ? below : half) + 0.5F;

    return (uint8_t)((uint32_t)(int32_t)steps & 0xff);
}

#endif
