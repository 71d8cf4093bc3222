#include "histogram.h"

#include <math.h>

#define PART_BITS 6u /* HISTOGRAM_PARTS is 2^6 */

/* Returns the bucket of a value. Each value below 2 * HISTOGRAM_PARTS has its own bucket. Larger
 * values share a bucket if their leading 7 bits are equal. */
static uint32_t place(uint64_t value)
{
    uint32_t shift = 0;

    if (value >= 2 * HISTOGRAM_PARTS) {
        shift = 63U - (uint32_t)__builtin_clzll(value) - PART_BITS;
    }
    uint64_t at = shift * HISTOGRAM_PARTS + (value >> shift);
    return at < HISTOGRAM_SIZE ? (uint32_t)at : HISTOGRAM_SIZE - 1;
}

/* Returns the largest value of a bucket. */
static uint64_t value_at(uint32_t at)
{
    uint32_t shift = at < 2 * HISTOGRAM_PARTS ? 0 : at / HISTOGRAM_PARTS - 1;

    return (((uint64_t)at - (uint64_t)shift * HISTOGRAM_PARTS + 1) << shift) - 1;
}

void histogram_add(struct histogram *histogram, uint64_t value)
{
    histogram->count++;
    histogram->counts[place(value)]++;
    if (value > histogram->max) {
        histogram->max = value;
    }
}

uint64_t histogram_quantile(const struct histogram *histogram, double share)
{
    uint64_t rank = (uint64_t)ceil(share * (double)histogram->count);
    uint64_t seen = 0;

    for (uint32_t at = 0; at < HISTOGRAM_SIZE && histogram->count > 0; at++) {
        seen += histogram->counts[at];
        if (seen >= rank && seen > 0) {
            return value_at(at) < histogram->max ? value_at(at) : histogram->max;
        }
    }
    return histogram->max;
}
