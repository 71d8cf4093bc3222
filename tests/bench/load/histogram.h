/* Counts values in constant memory. Each power of two is divided into 64 equal parts, so quantiles
 * are at most 1.6 % too high.
 *
 * For one thread at a time. */
#ifndef LOAD_HISTOGRAM_H
#define LOAD_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_PARTS 64u
#define HISTOGRAM_SIZE  (HISTOGRAM_PARTS * 40u) /* up to 2^45: in ns, ten hours */

struct histogram {
    uint64_t count;
    uint64_t max;
    uint64_t counts[HISTOGRAM_SIZE];
};

void histogram_add(struct histogram *histogram, uint64_t value);

/* Returns a value that a share (0 to 1) of all values do not exceed; 0 without values. */
uint64_t histogram_quantile(const struct histogram *histogram, double share);

#endif
