/* Compiled several times, with WIDE and the flags that it needs: see the Makefile. */
#include "sim/wide/kernel.h"

#include "sim/wide/wide.h"

#include "sim/wide/measure.h"
#include "sim/wide/nearest.h"
#include "sim/wide/prey.h"

static void make_headings(struct grid *grid, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i += WIDE) {
        struct wide_vec v = {wide_load(grid->vx + i), wide_load(grid->vy + i)};
        struct wide_vec h = wide_unit(v);
        uint32_t count = end - i < WIDE ? end - i : WIDE;
        wide_store_some(grid->hx + i, h.x, count);
        wide_store_some(grid->hy + i, h.y, count);
    }
}

extern const struct kernel WIDE_NAME(kernel);
const struct kernel WIDE_NAME(kernel) = {
    .lanes = WIDE,
    .width = WIDE / 8,
    .headings = make_headings,
    .measure = measure,
    .circles = circles,
    .quick_circles = quick_circles,
    .nearest = sum_nearest,
    .prey = find_prey,
    .within = find_within_reach,
    .speeds = sum_speeds,
};
