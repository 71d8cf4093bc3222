#include "sim/disc.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define BLOCK           16u
#define ROW_POINTS      24.0f /* points in a square of a row's height: see disc.h for the trade */
#define CELLS_PER_ROW_H 6.0f  /* a cell is this many times narrower than a row is high */
#define ROWS_MAX        4096u
#define FRACTION_BITS   14
#define OUTSIDE         INT32_MIN /* a padding point's x: never within a disc */
/* A float cannot tell on which side of the circle a point lies that is this close to it. */
#define DOUBT 0x1p-20f

struct point {
    int32_t x, y;
};

struct disc {
    uint32_t capacity; /* points, with their images */
    uint32_t cell_capacity;
    uint32_t count;
    double scale; /* fixed-point steps per world unit */
    double origin_x, origin_y;
    float step_row, step_cell; /* rows and cells per fixed-point step */
    float margin;              /* covers every rounding of a float comparison, fixed-point steps */
    uint32_t rows, cells;      /* cells per row */
    struct point *image;       /* unsorted */
    uint32_t *cell_of;
    uint32_t *start; /* [rows][cells + 1]: where each cell's points begin */
    float *row_low, *row_high;
    int32_t *x, *y;         /* sorted, each row padded to whole blocks */
    int64_t *sum_x, *sum_y; /* per block: sums over all blocks before it */
};

static size_t padded_capacity(const struct disc *disc)
{
    return (size_t)disc->capacity + (size_t)BLOCK * ROWS_MAX;
}

struct disc *disc_create(uint32_t points, bool torus)
{
    struct disc *disc = calloc(1, sizeof *disc);
    if (disc == NULL) {
        return NULL;
    }
    disc->capacity = torus ? 4 * points : points;
    disc->cell_capacity = disc->capacity + 64 + 2 * ROWS_MAX;
    size_t padded = padded_capacity(disc);
    disc->image = malloc(disc->capacity * sizeof *disc->image);
    disc->cell_of = malloc(disc->capacity * sizeof *disc->cell_of);
    disc->start = malloc(disc->cell_capacity * sizeof *disc->start);
    disc->row_low = malloc(ROWS_MAX * sizeof *disc->row_low);
    disc->row_high = malloc(ROWS_MAX * sizeof *disc->row_high);
    disc->x = malloc(padded * sizeof *disc->x);
    disc->y = malloc(padded * sizeof *disc->y);
    disc->sum_x = malloc((padded / BLOCK + 1) * sizeof *disc->sum_x);
    disc->sum_y = malloc((padded / BLOCK + 1) * sizeof *disc->sum_y);
    if (disc->image == NULL || disc->cell_of == NULL || disc->start == NULL ||
        disc->row_low == NULL || disc->row_high == NULL || disc->x == NULL || disc->y == NULL ||
        disc->sum_x == NULL || disc->sum_y == NULL) {
        disc_destroy(disc);
        return NULL;
    }
    return disc;
}

void disc_destroy(struct disc *disc)
{
    if (disc == NULL) {
        return;
    }
    free(disc->image);
    free(disc->cell_of);
    free(disc->start);
    free(disc->row_low);
    free(disc->row_high);
    free(disc->x);
    free(disc->y);
    free(disc->sum_x);
    free(disc->sum_y);
    free(disc);
}

static int32_t to_fixed(const struct disc *disc, float value, double origin)
{
    return (int32_t)lrint(((double)value - origin) * disc->scale);
}

/* Converts the points to fixed-point, and in a torus adds what is seen across its edges. */
static void collect_images(struct disc *disc, const float *x, const float *y, uint32_t count,
                           float width, float height, float radius)
{
    int32_t step_x = (int32_t)lrint(width * disc->scale);
    int32_t step_y = (int32_t)lrint(height * disc->scale);
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        int32_t px = to_fixed(disc, x[i], disc->origin_x);
        int32_t py = to_fixed(disc, y[i], disc->origin_y);
        disc->image[n++] = (struct point){px, py};
        if (width <= 0.0f) {
            continue;
        }
        int32_t shift_x = x[i] <= radius ? step_x : x[i] >= width - radius ? -step_x : 0;
        int32_t shift_y = y[i] <= radius ? step_y : y[i] >= height - radius ? -step_y : 0;
        if (shift_x != 0) {
            disc->image[n++] = (struct point){px + shift_x, py};
        }
        if (shift_y != 0) {
            disc->image[n++] = (struct point){px, py + shift_y};
        }
        if (shift_x != 0 && shift_y != 0) {
            disc->image[n++] = (struct point){px + shift_x, py + shift_y};
        }
    }
    disc->count = n;
}

/* The densest part sets the grid: `spread` is the points' standard deviation, so a few stragglers
 * (who all land in the outermost rows and cells) do not coarsen it. */
static void lay_grid(struct disc *disc)
{
    double mean_x = 0.0;
    double mean_y = 0.0;
    double square_x = 0.0;
    double square_y = 0.0;
    for (uint32_t i = 0; i < disc->count; i++) {
        double px = disc->image[i].x;
        double py = disc->image[i].y;
        mean_x += px;
        mean_y += py;
        square_x += px * px;
        square_y += py * py;
    }
    mean_x /= disc->count;
    mean_y /= disc->count;
    double half_w = 2.0 * sqrt(fmax(square_x / disc->count - mean_x * mean_x, 0.0)) + 1.0;
    double half_h = 2.0 * sqrt(fmax(square_y / disc->count - mean_y * mean_y, 0.0)) + 1.0;
    double row_h = sqrt((double)ROW_POINTS * 4.0 * half_w * half_h / disc->count);
    uint32_t rows = (uint32_t)fmin(ceil(2.0 * half_h / row_h), ROWS_MAX);
    row_h = 2.0 * half_h / rows;
    uint32_t cells_max = (disc->count + 64) / rows + 1;
    uint32_t cells =
        (uint32_t)fmin(ceil(2.0 * half_w / row_h * (double)CELLS_PER_ROW_H), cells_max);
    disc->rows = rows;
    disc->cells = cells;
    disc->step_row = (float)(1.0 / row_h);
    disc->step_cell = (float)(cells / (2.0 * half_w));
    /* Move the fixed-point origin to the grid's corner. */
    int32_t corner_x = (int32_t)(mean_x - half_w);
    int32_t corner_y = (int32_t)(mean_y - half_h);
    for (uint32_t i = 0; i < disc->count; i++) {
        disc->image[i].x -= corner_x;
        disc->image[i].y -= corner_y;
    }
    disc->origin_x += corner_x / disc->scale;
    disc->origin_y += corner_y / disc->scale;
}

/* Monotone in `at`, which is all that exactness needs: see disc_ask(). */
static inline uint32_t slot(float at, float step, uint32_t slots)
{
    float s = at * step;
    return s <= 0.0f ? 0 : s >= (float)slots ? slots - 1 : (uint32_t)s;
}

/* Counting sort of the points by row and cell; rows are padded to whole blocks. */
static void sort_points(struct disc *disc)
{
    uint32_t stride = disc->cells + 1;
    uint32_t total = disc->rows * stride;
    for (uint32_t c = 0; c < total; c++) {
        disc->start[c] = 0;
    }
    for (uint32_t r = 0; r < disc->rows; r++) {
        disc->row_low[r] = INFINITY;
        disc->row_high[r] = -INFINITY;
    }
    for (uint32_t i = 0; i < disc->count; i++) {
        float py = (float)disc->image[i].y;
        uint32_t r = slot(py, disc->step_row, disc->rows);
        uint32_t c = r * stride + slot((float)disc->image[i].x, disc->step_cell, disc->cells);
        disc->cell_of[i] = c;
        disc->start[c]++;
        disc->row_low[r] = fminf(disc->row_low[r], py);
        disc->row_high[r] = fmaxf(disc->row_high[r], py);
    }
    uint32_t at = 0;
    for (uint32_t r = 0; r < disc->rows; r++) {
        for (uint32_t c = r * stride; c < (r + 1) * stride; c++) {
            uint32_t points = disc->start[c];
            disc->start[c] = at;
            at += points;
        }
        for (; at % BLOCK != 0; at++) {
            disc->x[at] = OUTSIDE;
            disc->y[at] = 0;
        }
    }
    /* Placing the points moves each cell's start to its end, which is the next cell's start. */
    for (uint32_t i = 0; i < disc->count; i++) {
        uint32_t to = disc->start[disc->cell_of[i]]++;
        disc->x[to] = disc->image[i].x;
        disc->y[to] = disc->image[i].y;
    }
    for (uint32_t r = 0; r < disc->rows; r++) {
        uint32_t *start = disc->start + (size_t)r * stride;
        uint32_t first = r == 0 ? 0 : (start[-1] + BLOCK - 1) / BLOCK * BLOCK;
        for (uint32_t c = disc->cells; c > 0; c--) {
            start[c] = start[c - 1];
        }
        start[0] = first;
    }
    int64_t sum_x = 0;
    int64_t sum_y = 0;
    for (uint32_t b = 0; b < at / BLOCK; b++) {
        disc->sum_x[b] = sum_x;
        disc->sum_y[b] = sum_y;
        for (uint32_t k = b * BLOCK; k < (b + 1) * BLOCK; k++) {
            bool real = disc->x[k] != OUTSIDE;
            sum_x += real ? disc->x[k] : 0;
            sum_y += disc->y[k];
        }
    }
    disc->sum_x[at / BLOCK] = sum_x;
    disc->sum_y[at / BLOCK] = sum_y;
}

void disc_build(struct disc *disc, const float *x, const float *y, uint32_t count, float width,
                float height, float radius)
{
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        mean_x += (double)x[i];
        mean_y += (double)y[i];
    }
    disc->origin_x = floor(mean_x / count);
    disc->origin_y = floor(mean_y / count);
    double extent = fmax((double)width, (double)height);
    for (uint32_t i = 0; i < count; i++) {
        extent = fmax(extent, fabs((double)x[i] - disc->origin_x));
        extent = fmax(extent, fabs((double)y[i] - disc->origin_y));
    }
    /* A quarter of the integers' range holds every point, image and displacement. */
    disc->scale = 0x1p14;
    for (extent += 2.0 * (double)radius + 1.0; extent * disc->scale > 0x1p28;) {
        disc->scale /= 2.0;
    }
    /* A float holds 24 bits: the error of a fixed-point number as a float, and of s * s. */
    disc->margin = (float)(4.0 + (extent + (double)radius) * disc->scale * 0x1p-21);
    collect_images(disc, x, y, count, width, height, radius);
    lay_grid(disc);
    sort_points(disc);
}

struct partial {
    int64_t count, x, y;
};

static void add_block(const struct disc *disc, uint32_t block, int32_t x, int32_t y, double square,
                      struct partial *sum)
{
    for (uint32_t k = block * BLOCK; k < (block + 1) * BLOCK; k++) {
        double dx = (double)disc->x[k] - x;
        double dy = (double)disc->y[k] - y;
        if (dx * dx + dy * dy < square) {
            sum->count++;
            sum->x += (int64_t)dx;
            sum->y += (int64_t)dy;
        }
    }
}

static void add_blocks(const struct disc *disc, uint32_t from, uint32_t to, int32_t x, int32_t y,
                       double square, struct partial *sum)
{
    float near = (float)square * (1.0f - DOUBT);
    float far = (float)square * (1.0f + DOUBT);
    for (uint32_t b = from; b < to; b++) {
        const int32_t *px = disc->x + (size_t)b * BLOCK;
        const int32_t *py = disc->y + (size_t)b * BLOCK;
        int32_t doubts = 0;
        int32_t count = 0;
        int32_t sum_x = 0;
        int32_t sum_y = 0;
        for (uint32_t k = 0; k < BLOCK; k++) {
            int32_t dx = (int32_t)((uint32_t)px[k] - (uint32_t)x);
            int32_t dy = (int32_t)((uint32_t)py[k] - (uint32_t)y);
            float d2 = (float)dx * (float)dx + (float)dy * (float)dy;
            int32_t inside = d2 < near ? -1 : 0;
            doubts += inside - (d2 < far ? -1 : 0);
            count -= inside;
            sum_x += dx & inside;
            sum_y += dy & inside;
        }
        if (doubts != 0) {
            add_block(disc, b, x, y, square, sum);
            continue;
        }
        sum->count += count;
        sum->x += sum_x;
        sum->y += sum_y;
    }
}

/* One row: `outer` reaches beyond every point that could be inside, `inner` (negative: nothing)
 * stops short of every point that could be outside. A cell holds exactly the points of a
 * half-open range of x, so both hold for whole cells too. */
static void add_row(const struct disc *disc, uint32_t row, int32_t x, int32_t y, float outer,
                    float inner, double square, struct partial *sum)
{
    const uint32_t *start = disc->start + (size_t)row * (disc->cells + 1);
    float fx = (float)x;
    uint32_t left = start[slot(fx - outer, disc->step_cell, disc->cells)] / BLOCK;
    uint32_t end = start[slot(fx + outer, disc->step_cell, disc->cells) + 1];
    uint32_t right = (end + BLOCK - 1) / BLOCK;
    if (inner > 0.0f) {
        uint32_t from = start[slot(fx - inner, disc->step_cell, disc->cells) + 1];
        uint32_t first = (from + BLOCK - 1) / BLOCK;
        uint32_t last = start[slot(fx + inner, disc->step_cell, disc->cells)] / BLOCK;
        if (first < last) {
            add_blocks(disc, left, first, x, y, square, sum);
            add_blocks(disc, last, right, x, y, square, sum);
            int64_t count = (int64_t)(last - first) * BLOCK;
            sum->count += count;
            sum->x += disc->sum_x[last] - disc->sum_x[first] - count * x;
            sum->y += disc->sum_y[last] - disc->sum_y[first] - count * y;
            return;
        }
    }
    add_blocks(disc, left, right, x, y, square, sum);
}

struct disc_sum disc_ask(const struct disc *disc, float x, float y, float radius)
{
    int32_t cx = to_fixed(disc, x, disc->origin_x);
    int32_t cy = to_fixed(disc, y, disc->origin_y);
    float fy = (float)cy;
    double exact = (double)radius * disc->scale;
    float reach = (float)exact;
    float square = reach * reach;
    uint32_t first = slot(fy - reach - disc->margin, disc->step_row, disc->rows);
    uint32_t last = slot(fy + reach + disc->margin, disc->step_row, disc->rows);
    struct partial sum = {0};
    for (uint32_t r = first; r <= last; r++) {
        float above = disc->row_low[r] - fy;
        float below = fy - disc->row_high[r];
        float near = fmaxf(fmaxf(above, below) - disc->margin, 0.0f);
        float far = fmaxf(fabsf(above), fabsf(below)) + disc->margin;
        if (!(near <= reach)) {
            continue;
        }
        /* The factors cover the rounding of squares here and in the test of a point. */
        float outer = sqrtf(square * (1.0f + DOUBT) - near * near) + disc->margin;
        float inner = sqrtf(fmaxf(square * (1.0f - DOUBT) - far * far, 0.0f)) - disc->margin;
        add_row(disc, r, cx, cy, outer, inner, exact * exact, &sum);
    }
    return (struct disc_sum){(uint32_t)sum.count, (double)sum.x / disc->scale,
                             (double)sum.y / disc->scale};
}
