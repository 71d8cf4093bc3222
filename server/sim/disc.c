#include "sim/disc.h"

#include <assert.h>
#include <math.h>

#define ROW_POINTS      24.0
#define CELLS_PER_ROW_H 8.0
#define FEW             32u /* points per lane; sorting fewer saves no time */
#define SPREADS         3.5 /* the grid reaches this many standard deviations from the mean */
/* The x of a padding point. Coordinates are within 2^27 (choose_scale), so no disc holds it, and
 * its distances fit. */
#define OUTSIDE (-(1 << 30))

void disc_take(struct disc *disc, struct arena *arena, uint32_t points, bool torus)
{
    size_t most = torus ? 4 * (size_t)points : points;
    size_t cells = most + 64 + (size_t)2 * DISC_ROWS_MAX;
    size_t padded = most + (size_t)DISC_BLOCK * DISC_ROWS_MAX;
    size_t rows = DISC_ROWS_MAX + DISC_ROWS_SLACK;
    disc->image = arena_take(arena, most, sizeof *disc->image);
    disc->of = arena_take(arena, most, sizeof *disc->of);
    disc->cell_of = arena_take(arena, most, sizeof *disc->cell_of);
    disc->start = arena_take(arena, cells, sizeof *disc->start);
    disc->row_low = arena_take(arena, rows, sizeof *disc->row_low);
    disc->row_high = arena_take(arena, rows, sizeof *disc->row_high);
    disc->x = arena_take(arena, padded, sizeof *disc->x);
    disc->y = arena_take(arena, padded, sizeof *disc->y);
    disc->owner = arena_take(arena, padded, sizeof *disc->owner);
    disc->sum = arena_take(arena, padded / DISC_BLOCK + 1, sizeof *disc->sum);
}

/* A 16th of the range of int32_t holds every point and image, wherever the origin is. */
static void choose_scale(struct disc *disc, const float *x, const float *y, uint32_t count,
                         float beyond)
{
    float extent_x = 0.0f;
    float extent_y = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        float ax = fabsf(x[i]);
        float ay = fabsf(y[i]);
        extent_x = ax > extent_x ? ax : extent_x;
        extent_y = ay > extent_y ? ay : extent_y;
    }
    float extent = extent_x > extent_y ? extent_x : extent_y;
    disc->scale = 0x1p14f;
    for (extent += beyond; extent * disc->scale > 0x1p27f;) {
        disc->scale /= 2.0f;
    }
    /* A float has 24 bits, so a fixed-point number is exact except in very large sets. */
    disc->margin = 2.0f + extent * disc->scale * 0x1p-21f;
}

static void add_image(struct disc *disc, int32_t x, int32_t y, uint32_t of)
{
    disc->of[disc->count] = of;
    disc->image[disc->count++] = (struct disc_point){x, y};
}

/* Converts the points to fixed-point. In a torus, adds the images that are visible across its
 * edges. */
static void collect_images(struct disc *disc, const float *x, const float *y, uint32_t count,
                           float width, float height, float radius)
{
    int32_t step_x = (int32_t)lrintf(width * disc->scale);
    int32_t step_y = (int32_t)lrintf(height * disc->scale);
    disc->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        int32_t px = (int32_t)lrintf(x[i] * disc->scale);
        int32_t py = (int32_t)lrintf(y[i] * disc->scale);
        add_image(disc, px, py, i);
        if (width <= 0.0f) {
            continue;
        }
        int32_t shift_x = x[i] <= radius ? step_x : x[i] >= width - radius ? -step_x : 0;
        int32_t shift_y = y[i] <= radius ? step_y : y[i] >= height - radius ? -step_y : 0;
        if (shift_x != 0) {
            add_image(disc, px + shift_x, py, DISC_NOBODY);
        }
        if (shift_y != 0) {
            add_image(disc, px, py + shift_y, DISC_NOBODY);
        }
        if (shift_x != 0 && shift_y != 0) {
            add_image(disc, px + shift_x, py + shift_y, DISC_NOBODY);
        }
    }
}

/* The distribution of one coordinate of the points. */
struct spread {
    double deviation, low, high;
};

static struct spread spread_of(const int32_t *at, uint32_t count)
{
    double sum = 0.0;
    double squares = 0.0;
    int32_t low = INT32_MAX;
    int32_t high = INT32_MIN;
    for (uint32_t i = 0; i < 2 * count; i += 2) { /* every second float: x, y, x, y, ... */
        double value = at[i];
        sum += value;
        squares += value * value;
        low = at[i] < low ? at[i] : low;
        high = at[i] > high ? at[i] : high;
    }
    double mean = sum / count;
    double deviation = sqrt(fmax(squares / count - mean * mean, 0.0)) + 1.0;
    return (struct spread){deviation, fmax(floor(mean - SPREADS * deviation), low),
                           fmin(ceil(mean + SPREADS * deviation), high) + 1.0};
}

/* The bulk of the points determines the grid. Stragglers land in the outermost rows and cells, and
 * so do not make the grid coarser. */
static void lay_grid(struct disc *disc)
{
    struct spread x = spread_of(&disc->image[0].x, disc->count);
    struct spread y = spread_of(&disc->image[0].y, disc->count);
    /* The radius of an evenly filled ellipse is twice the standard deviation. */
    double area = 4.0 * 3.14159265 * x.deviation * y.deviation;
    double row_h = sqrt(ROW_POINTS * area / disc->count);
    double rows = fmin(fmax(ceil((y.high - y.low) / row_h), 1.0), DISC_ROWS_MAX);
    double cells = fmax(ceil((x.high - x.low) / row_h * CELLS_PER_ROW_H), 1.0);
    cells = fmin(cells, floor((disc->count + 64.0) / rows) + 1.0);
    disc->rows = (uint32_t)rows;
    disc->cells = (uint32_t)cells;
    assert(disc->rows >= 1 && disc->rows <= DISC_ROWS_MAX && disc->cells >= 1);
    /* disc_take() has this much memory for cells. */
    assert((uint64_t)disc->rows * (disc->cells + 1) <= disc->count + 64 + 2 * DISC_ROWS_MAX);
    disc->step_row = (float)(rows / (y.high - y.low));
    disc->step_cell = (float)(cells / (x.high - x.low));
    /* The fixed-point origin is the grid's corner. */
    int32_t corner_x = (int32_t)x.low;
    int32_t corner_y = (int32_t)y.low;
    for (uint32_t i = 0; i < disc->count; i++) {
        disc->image[i].x -= corner_x;
        disc->image[i].y -= corner_y;
    }
}

/* Monotone in `at`; exactness needs nothing else. wide/disc.h computes the same. */
static inline uint32_t slot(float at, float step, uint32_t slots)
{
    float s = at * step;
    s = s > 0.0f ? s : 0.0f;
    s = s < (float)(slots - 1) ? s : (float)(slots - 1);
    return (uint32_t)(int32_t)s;
}

static void count_points(struct disc *disc)
{
    uint32_t stride = disc->cells + 1;
    for (uint32_t c = 0; c < disc->rows * stride; c++) {
        disc->start[c] = 0;
    }
    for (uint32_t r = 0; r < disc->rows + DISC_ROWS_SLACK; r++) {
        disc->row_low[r] = INFINITY;
        disc->row_high[r] = -INFINITY;
    }
    for (uint32_t i = 0; i < disc->count; i++) {
        float py = (float)disc->image[i].y;
        uint32_t r = slot(py, disc->step_row, disc->rows);
        uint32_t c = r * stride + slot((float)disc->image[i].x, disc->step_cell, disc->cells);
        disc->cell_of[i] = c;
        disc->start[c]++;
        disc->row_low[r] = py < disc->row_low[r] ? py : disc->row_low[r];
        disc->row_high[r] = py > disc->row_high[r] ? py : disc->row_high[r];
    }
}

/* Pads a row that ends at a point to whole blocks; returns where the next one begins. */
static uint32_t pad_row(struct disc *disc, uint32_t at)
{
    for (; at % DISC_BLOCK != 0; at++) {
        disc->owner[at] = DISC_NOBODY;
    }
    return at;
}

/* Turns the counts into the indexes at which each cell's points begin. Pads the rows to whole
 * blocks. */
static void place_cells(struct disc *disc)
{
    uint32_t stride = disc->cells + 1;
    uint32_t at = 0;
    for (uint32_t r = 0; r < disc->rows; r++) {
        for (uint32_t c = r * stride; c < (r + 1) * stride; c++) {
            uint32_t points = disc->start[c];
            disc->start[c] = at;
            at += points;
        }
        at = pad_row(disc, at);
    }
    assert(at % DISC_BLOCK == 0 && at >= disc->count);
    disc->blocks = at / DISC_BLOCK;
}

static void place_points(struct disc *disc)
{
    /* Storing a point moves its cell's start, which in the end is the start of the next cell. */
    for (uint32_t i = 0; i < disc->count; i++) {
        disc->owner[disc->start[disc->cell_of[i]]++] = i;
    }
    uint32_t stride = disc->cells + 1;
    uint32_t first = 0;
    for (uint32_t r = 0; r < disc->rows; r++) {
        uint32_t *start = disc->start + (size_t)r * stride;
        for (uint32_t c = disc->cells; c > 0; c--) {
            start[c] = start[c - 1];
        }
        start[0] = first;
        first = (start[disc->cells] + DISC_BLOCK - 1) / DISC_BLOCK * DISC_BLOCK;
    }
}

void disc_fill(struct disc *disc, uint32_t first, uint32_t end)
{
    for (uint32_t b = first; b < end; b++) {
        struct disc_total sum = {0, 0};
        for (uint32_t k = b * DISC_BLOCK; k < (b + 1) * DISC_BLOCK; k++) {
            uint32_t i = disc->owner[k];
            struct disc_point point = {OUTSIDE, 0};
            if (i != DISC_NOBODY) {
                point = disc->image[i];
                sum.x += point.x;
                sum.y += point.y;
                disc->owner[k] = disc->of[i];
            }
            disc->x[k] = point.x;
            disc->y[k] = point.y;
        }
        disc->sum[b] = sum;
    }
}

void disc_sum(struct disc *disc)
{
    struct disc_total sum = {0, 0};
    for (uint32_t b = 0; b <= disc->blocks; b++) {
        struct disc_total own = b < disc->blocks ? disc->sum[b] : (struct disc_total){0, 0};
        disc->sum[b] = sum;
        sum.x += own.x;
        sum.y += own.y;
    }
}

/* Fills the blocks of few points, in the order of their images. */
static void fill_unsorted(struct disc *disc)
{
    uint32_t at = 0;
    for (; at < disc->count; at++) {
        disc->x[at] = disc->image[at].x;
        disc->y[at] = disc->image[at].y;
        disc->owner[at] = disc->of[at];
    }
    for (; at % DISC_BLOCK != 0; at++) {
        disc->x[at] = OUTSIDE;
        disc->y[at] = 0;
        disc->owner[at] = DISC_NOBODY;
    }
    disc->blocks = at / DISC_BLOCK;
}

void disc_sort(struct disc *disc, const float *x, const float *y, uint32_t count, float width,
               float height, float radius, uint32_t lanes)
{
    assert(count > 0 && radius >= 0.0f);
    assert((width <= 0.0f && height <= 0.0f) ||
           (2.0f * radius <= width && 2.0f * radius <= height));
    choose_scale(disc, x, y, count, 2.0f * radius + (width > height ? width : height));
    collect_images(disc, x, y, count, width, height, radius);
    disc->few = disc->count <= FEW * lanes;
    if (disc->few) {
        fill_unsorted(disc);
        return;
    }
    lay_grid(disc);
    count_points(disc);
    place_cells(disc);
    place_points(disc);
}
