#include "cluster/far_clock.h"

void far_clock_hear(struct far_clock *clock, uint64_t time, uint64_t now)
{
    if (clock->samples == 0 && time <= INT64_MAX) {
        clock->ahead = (int64_t)time - (int64_t)now;
    }
}

/* Moves the clock towards the sample with the shortest way; the first sample sets it. */
static void move_clock(struct far_clock *clock, uint64_t now)
{
    const uint32_t count = clock->samples < FAR_CLOCK_SAMPLES ? clock->samples : FAR_CLOCK_SAMPLES;
    const struct far_sample *best = &clock->ring[0];
    const int64_t most = (int64_t)((now - clock->moved_at) / FAR_CLOCK_STEP);
    int64_t step;

    for (uint32_t i = 1; i < count; i++) {
        best = clock->ring[i].way < best->way ? &clock->ring[i] : best;
    }
    step = best->ahead - clock->ahead;
    if (clock->samples > 1) {
        step = step > most ? most : step;
        step = step < -most ? -most : step;
    }
    clock->ahead += step;
    clock->moved_at = now;
}

/* Assumes that both ways take the same time: the other node answered half of `way` ago. */
void far_clock_measure(struct far_clock *clock, uint64_t probe, uint64_t time, uint64_t now)
{
    if (probe > now || now - probe > FAR_CLOCK_OLDEST || time > INT64_MAX) {
        return;
    }
    clock->ring[clock->samples % FAR_CLOCK_SAMPLES] = (struct far_sample){
        .way = now - probe, .ahead = (int64_t)time - (int64_t)(probe + (now - probe) / 2)};
    clock->samples++;
    move_clock(clock, now);
}
