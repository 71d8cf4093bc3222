#include "sim/sweep.h"

#include <assert.h>
#include <math.h>

const char *const sweep_measure_names[SWEEP_MEASURES] = {
    [SWEEP_POLARIZATION] = "polarization", [SWEEP_MILLING] = "milling",
    [SWEEP_GYRATION] = "gyration",         [SWEEP_SPEED] = "speed",
    [SWEEP_NEAREST] = "nearest",           [SWEEP_CLUSTERS] = "clusters",
};

void sweep_begin(struct sweep *sweep, const struct sweep_plan *plan)
{
    assert(plan->steps >= 2 && plan->steps <= SWEEP_STEPS_MAX);
    assert(plan->every >= 1 && plan->ticks / plan->every >= 2);
    *sweep = (struct sweep){.plan = *plan};
}

float sweep_value(const struct sweep_plan *plan, uint32_t step)
{
    const double part = (double)step / (plan->steps - 1);

    assert(step < plan->steps);
    if (step == plan->steps - 1) {
        return plan->to;
    }
    return (float)((double)plan->from + ((double)plan->to - (double)plan->from) * part);
}

static bool measure(const struct flock *flock, struct flock_workspace *workspace,
                    double values[SWEEP_MEASURES])
{
    const struct flock_measures measures = flock_measure(flock);
    struct flock_clusters clusters;
    float nearest;

    if (!flock_nearest(flock, workspace, &nearest) ||
        !flock_count_clusters(flock, workspace, &clusters)) {
        return false;
    }
    values[SWEEP_POLARIZATION] = (double)measures.polarization;
    values[SWEEP_MILLING] = (double)measures.milling;
    values[SWEEP_GYRATION] = (double)measures.gyration;
    values[SWEEP_SPEED] = (double)measures.speed;
    values[SWEEP_NEAREST] = (double)nearest;
    values[SWEEP_CLUSTERS] = (double)clusters.count;
    return true;
}

/* Adds the sample of that number to its batch. Batches follow one another in time. */
static void add_sample(struct sweep *sweep, uint32_t number, const double values[SWEEP_MEASURES])
{
    const uint32_t planned = sweep->plan.ticks / sweep->plan.every;
    const uint32_t batches = planned < SWEEP_BATCHES ? planned : SWEEP_BATCHES;
    const uint32_t batch = (uint32_t)((uint64_t)number * batches / planned);

    assert(number < planned);
    sweep->sums.counts[batch]++;
    for (uint32_t i = 0; i < SWEEP_MEASURES; i++) {
        sweep->sums.sums[batch][i] += values[i];
    }
}

static void sample_if_due(struct sweep *sweep, const struct flock *flock,
                          struct flock_workspace *workspace)
{
    const struct sweep_plan *plan = &sweep->plan;
    const uint32_t measured = sweep->tick - plan->warm_up;
    double values[SWEEP_MEASURES];

    if (sweep->tick > plan->warm_up && measured % plan->every == 0 &&
        measure(flock, workspace, values)) {
        add_sample(sweep, measured / plan->every - 1, values);
    }
}

bool sweep_tick(struct sweep *sweep, const struct flock *flock, struct flock_workspace *workspace)
{
    const struct sweep_plan *plan = &sweep->plan;

    assert(!sweep_is_complete(sweep));
    sweep->tick++;
    sample_if_due(sweep, flock, workspace);
    if (sweep->tick < plan->warm_up + plan->ticks) {
        return false;
    }
    sweep_summarize(&sweep->sums, sweep_value(plan, sweep->count), &sweep->points[sweep->count]);
    sweep->count++;
    sweep->tick = 0;
    sweep->sums = (struct sweep_sums){.counts = {0}};
    return true;
}

static double sum_all(const struct sweep_sums *sums, uint32_t index)
{
    double sum = 0.0;

    for (uint32_t batch = 0; batch < SWEEP_BATCHES; batch++) {
        sum += sums->sums[batch][index];
    }
    return sum;
}

/* Returns the sum of n_b (m_b - mean)^2. */
static double sum_deviations(const struct sweep_sums *sums, uint32_t index, double mean)
{
    double sum = 0.0;

    for (uint32_t batch = 0; batch < SWEEP_BATCHES; batch++) {
        const double count = sums->counts[batch];
        if (count > 0.0) {
            const double off = sums->sums[batch][index] / count - mean;
            sum += count * off * off;
        }
    }
    return sum;
}

void sweep_summarize(const struct sweep_sums *sums, float value, struct sweep_point *point)
{
    uint32_t batches = 0;

    *point = (struct sweep_point){.value = value};
    for (uint32_t batch = 0; batch < SWEEP_BATCHES; batch++) {
        batches += sums->counts[batch] > 0;
        point->samples += sums->counts[batch];
    }
    for (uint32_t i = 0; i < SWEEP_MEASURES && point->samples > 0; i++) {
        const double mean = sum_all(sums, i) / point->samples;
        point->mean[i] = (float)mean;
        if (batches > 1) {
            point->error[i] =
                (float)sqrt(sum_deviations(sums, i, mean) / point->samples / (batches - 1));
        }
    }
}
