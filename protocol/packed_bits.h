/* Functions of both ends of the packed encoding; private to the codec. Bits fill bytes from the
 * least significant one on. */
#ifndef PACKED_BITS_H
#define PACKED_BITS_H

#include <stdint.h>

#define PACKED_KEY        1   /* the header's kind; a delta has 0 */
#define PACKED_RICE_MAX   14u /* low bits of a residual; a width of 15 means: all are 0 */
#define PACKED_WIDTH_BITS 4u
#define PACKED_ESCAPE     16u /* quotient from which on the residual travels whole, as 16 bits */
#define PACKED_GAIN_BITS  6   /* the gain is in 64ths */

_Static_assert(PACKED_RICE_MAX + 1 < 1u << PACKED_WIDTH_BITS, "every width has its bits");

/* Returns a torus' coordinate, or a distance in it, within its `period` steps; 0: no torus. The
 * argument is at most one turn outside. The edge has two coordinates; returns the lower one. */
static inline int16_t packed_around(int16_t place, int16_t period)
{
    const int16_t low = (int16_t)(-period / 2);
    const int16_t end = (int16_t)(low + period);

    place = (int16_t)(place - (place >= end ? period : 0));
    return (int16_t)(place + (place < low ? period : 0));
}

/* Returns how far a boid's coordinate is expected to move: its last movement times the gain, and
 * the shift of all. Coordinates and residuals are int16 that wrap around. */
static inline int32_t packed_expect(int32_t shift, int32_t gain, int32_t before)
{
    return shift + ((gain * before + (1 << (PACKED_GAIN_BITS - 1))) >> PACKED_GAIN_BITS);
}

#endif
