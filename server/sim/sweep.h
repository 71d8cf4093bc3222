/* A sweep: measures of a running flock for several values of one parameter, one after another. The
 * flock is not started again between two values. A sweep counts ticks: at each value it waits for
 * `warm_up` ticks, and then measures every `every`th of the next `ticks` ticks.
 *
 * The owner of the flock sets the parameter and ticks the flock; the sweep only reads it. Rooms and
 * flock-sim run the same sweep. It is plain memory: assignment copies it. */
#ifndef SWEEP_H
#define SWEEP_H

#include "sim/flock.h"

#define SWEEP_STEPS_MAX 64u

/* Parts of the samples at one value, whose means give the standard error. */
#define SWEEP_BATCHES 10u

enum sweep_measure {
    SWEEP_POLARIZATION,
    SWEEP_MILLING,
    SWEEP_GYRATION,
    SWEEP_SPEED,
    SWEEP_NEAREST,
    SWEEP_CLUSTERS,
    SWEEP_MEASURES
};

/* The measures' names, in the order of their enum. */
extern const char *const sweep_measure_names[SWEEP_MEASURES];

struct sweep_plan {
    float from, to;
    uint32_t steps;                 /* values, `from` and `to` among them: 2 to SWEEP_STEPS_MAX */
    uint32_t warm_up, ticks, every; /* ticks; `ticks` is at least 2 `every`, `every` at least 1 */
};

/* The samples at one value: for each measure the mean, and the standard error of the mean. */
struct sweep_point {
    float value;
    uint32_t samples;
    float mean[SWEEP_MEASURES], error[SWEEP_MEASURES];
};

/* Sums of the samples at one value, by batch. */
struct sweep_sums {
    uint32_t counts[SWEEP_BATCHES];
    double sums[SWEEP_BATCHES][SWEEP_MEASURES];
};

struct sweep {
    struct sweep_plan plan;
    uint32_t tick; /* ticks at the present value */
    struct sweep_sums sums;
    uint32_t count; /* points that are complete; the present value is that of the next one */
    struct sweep_point points[SWEEP_STEPS_MAX];
};

/* Begins a sweep with its first value. The plan must be within its limits. */
void sweep_begin(struct sweep *sweep, const struct sweep_plan *plan);

/* Returns the value of that step: the plan's `from` for 0, `to` for the last one. */
float sweep_value(const struct sweep_plan *plan, uint32_t step);

/* Must be called after each tick of the flock; measures it if that is due. Returns whether a point
 * has become complete: then the parameter must get the next value, unless the sweep is complete.
 * Leaves out a sample if memory for the workspace runs out, or if the measures were stopped: see
 * flock_workspace_limit(). */
bool sweep_tick(struct sweep *sweep, const struct flock *flock, struct flock_workspace *workspace);

static inline bool sweep_is_complete(const struct sweep *sweep)
{
    return sweep->count == sweep->plan.steps;
}

/* Computes the point of those samples.
 *
 * Samples of a flock are correlated in time, so their variance says too little about the error of
 * their mean. Means of long batches are nearly independent. With n samples in B batches, n_b of
 * them with the mean m_b in batch b, and the mean m of all:
 *
 *     error = sqrt(sum over b of n_b (m_b - m)^2 / (n (B - 1))) */
void sweep_summarize(const struct sweep_sums *sums, float value, struct sweep_point *point);

#endif
