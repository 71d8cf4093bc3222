/* The character of each preset's flock: how far it spreads, how near its boids are to one another,
 * and how alike they head. */
#ifndef CHARACTER_H
#define CHARACTER_H

#include "sim/flock.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LOOK_TIME 100u /* ticks between two looks */

struct character {
    const char *preset;
    float radius;  /* of gyration, units */
    float nearest; /* units, from a boid to the nearest other one */
    float order;   /* polarization */
};

/* The flock without cursors follows the wandering target. */
static const struct character alone[] = {
    {"original", 24, 10.1F, 0.62F},   {"js-birds", 24, 5.2F, 1.00F},
    {"vex-column", 73, 14.2F, 0.95F}, {"vex-crowd", 49, 10.4F, 0.98F},
    {"ue4-fish", 32, 6.4F, 0.96F},    {"cpp-boids", 41, 10.6F, 0.97F},
    {"bees", 82, 5.3F, 0.53F},        {"sardines", 102, 5.8F, 0.97F},
    {"sheep", 94, 11.2F, 0.76F},      {"march", 104, 4.8F, 0.80F},
    {"crowd", 88, 8.4F, 0.91F},       {"murmuration", 125, 2.8F, 0.72F},
    {"billiards", 127, 25.1F, 0.33F},
};

static inline const struct character *find_alone(const char *preset)
{
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
        if (strcmp(alone[i].preset, preset) == 0) {
            return &alone[i];
        }
    }
    fail_msg("no figures of %s", preset);
    return NULL;
}

/* Sums of the same measures. */
struct looks {
    struct character sum;
    float count;
};

/* Adds a look at the flock. */
static inline void look_at(struct looks *looks, const struct flock *flock,
                           struct flock_workspace *workspace)
{
    const struct flock_measures measures = flock_measure(flock);
    float nearest;

    assert_true(flock_nearest(flock, workspace, &nearest));
    looks->sum.radius += measures.gyration;
    looks->sum.order += measures.polarization;
    looks->sum.nearest += nearest;
    looks->count++;
}

static inline struct character mean_of(const struct looks *looks, const char *preset,
                                       const char *when)
{
    const struct character mean = {preset, looks->sum.radius / looks->count,
                                   looks->sum.nearest / looks->count,
                                   looks->sum.order / looks->count};

    print_message("%s, %s: radius %.0f, nearest %.1f, polarization %.2f\n", preset, when,
                  (double)mean.radius, (double)mean.nearest, (double)mean.order);
    return mean;
}

#endif
