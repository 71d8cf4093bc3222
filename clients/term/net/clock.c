#include "term/net/clock.h"

#include <stdlib.h>
#include <string.h>

static int compare_samples(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Sorts values. */
static int64_t median_of(int64_t *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare_samples);
    return values[count / 2];
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
    int64_t values[TERM_CLOCK_SAMPLES];
    memcpy(values, clock->trips, sizeof values);
    *trip = median_of(values, clock->count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < clock->count; i++) {
        if (clock->trips[i] <= 2 * *trip) {
            values[kept++] = clock->offsets[i];
        }
    }
    *offset = median_of(values, kept);
    return true;
}
