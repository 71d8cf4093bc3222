#include "term/net/clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare_samples(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Sorts values and returns their median: of an even number the mean of the two in the middle. */
static int64_t median_of(int64_t *values, uint32_t count)
{
    assert(count > 0);
    qsort(values, count, sizeof *values, compare_samples);
    uint32_t middle = count / 2;
    return count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void term_clock_init(struct term_clock *clock)
{
    memset(clock, 0, sizeof *clock);
}

void term_clock_add(struct term_clock *clock, int64_t sent, int64_t received, int64_t server)
{
    if (received < sent) {
        return;
    }
    clock->trips[clock->next] = received - sent;
    clock->offsets[clock->next] = server - (sent + (received - sent) / 2);
    clock->next = (clock->next + 1) % TERM_CLOCK_SAMPLES;
    if (clock->count < TERM_CLOCK_SAMPLES) {
        clock->count++;
    }
}

bool term_clock_read(const struct term_clock *clock, int64_t *trip, int64_t *offset)
{
    if (clock->count == 0) {
        return false;
    }
    int64_t trips[TERM_CLOCK_SAMPLES];
    int64_t offsets[TERM_CLOCK_SAMPLES] = {0};
    memcpy(trips, clock->trips, sizeof trips);
    int64_t typical = median_of(trips, clock->count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < clock->count; i++) {
        if (clock->trips[i] <= 2 * typical) {
            trips[kept] = clock->trips[i];
            offsets[kept++] = clock->offsets[i];
        }
    }
    *trip = median_of(trips, kept);
    *offset = median_of(offsets, kept);
    return true;
}
