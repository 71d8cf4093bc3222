#include "sim/grid.h"

#include <assert.h>
#include <string.h>

#define HALO       6u    /* cells per reach */
#define MARGIN     1.01f /* rows and cells are this much larger, to cover the rounding of indexes */
#define COPIES_MAX 6u    /* copies of a boid: 3 in a grid of one row, 2 in others; times 2 across */

/* Most cells of a small flock are empty. grid_place() looks at this number of cells at once, so
 * that a tick of 12 boids takes fewer instructions. */
#define CELLS_AT_ONCE 8u

static uint32_t part_start(const struct grid *grid, const struct flock *flock, uint32_t part)
{
    return (uint32_t)((uint64_t)flock->count * part / grid->parts);
}

/* Returns the greatest number of cells for `boids` boids, including copies. */
static uint32_t cells_for(uint32_t boids)
{
    return 2 * boids + 1024;
}

void grid_take(struct grid *grid, struct arena *arena, uint32_t boids, uint32_t parts)
{
    size_t most = (size_t)boids * COPIES_MAX + GRID_SLACK;
    size_t cells = cells_for(boids);
    assert(parts > 0);
    grid->parts = parts < GRID_PARTS_MAX ? parts : GRID_PARTS_MAX;
    float **arrays[] = {&grid->x, &grid->y, &grid->vx, &grid->vy, &grid->hx, &grid->hy};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = arena_take(arena, most, sizeof **arrays[i]);
    }
    grid->id = arena_take(arena, most, sizeof *grid->id);
    grid->cell = arena_take(arena, boids, sizeof *grid->cell);
    grid->start = arena_take(arena, cells + 1, sizeof *grid->start);
    grid->base = arena_take(arena, cells, sizeof *grid->base);
    grid->holder = arena_take(arena, cells, sizeof *grid->holder);
    for (uint32_t part = 0; part < grid->parts; part++) {
        grid->counts[part] = arena_take(arena, cells, sizeof *grid->counts[part]);
        grid->touched[part] = arena_take(arena, cells, sizeof *grid->touched[part]);
    }
}

/* Limits the number of cells, including copies, by larger rows and cells. A sparse flock has cells
 * only for its boids. */
static void limit_cells(struct grid *grid, uint32_t cells)
{
    double rows = grid->rows;
    double columns = grid->columns;
    double scale = sqrt(cells / ((rows + 2.0) * (columns + 2.0 * HALO)));
    if (scale < 1.0) {
        rows = fmin(floor(rows * scale), floor(cells / (4.0 * HALO)) - 2.0);
        rows = fmax(rows, 1.0);
        columns = fmin(columns, floor(cells / (rows + 2.0)) - 2.0 * HALO);
    }
    grid->rows = (uint32_t)rows;
    grid->columns = (uint32_t)columns;
}

/* For a bounded world: whole rows and cells from edge to edge. */
static void lay_world(struct grid *grid, const struct flock_settings *world, float row_h,
                      uint32_t cells)
{
    bool torus = world->boundary == FLOCK_WRAP;
    grid->small = torus && (world->width < 2.0f * row_h || world->height < 2.0f * row_h);
    grid->rows = grid->small ? 1 : (uint32_t)fmaxf(world->height / row_h, 1.0f);
    grid->columns = grid->small ? 1 : (uint32_t)fmaxf(world->width / row_h * (float)HALO, 1.0f);
    grid->halo = grid->small ? 0 : HALO;
    grid->copies = torus && !grid->small;
    grid->shift_x = world->width;
    grid->shift_y = world->height;
    limit_cells(grid, cells);
    grid->origin_x = grid->origin_y = 0.0f;
    grid->per_row = (float)grid->rows / world->height;
    grid->per_column = (float)grid->columns / world->width;
}

struct box {
    float left, right, top, bottom;
};

static struct box box_of(const struct flock *flock)
{
    struct box box = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < flock->count; i++) {
        box.left = flock->x[i] < box.left ? flock->x[i] : box.left;
        box.right = flock->x[i] > box.right ? flock->x[i] : box.right;
        box.top = flock->y[i] < box.top ? flock->y[i] : box.top;
        box.bottom = flock->y[i] > box.bottom ? flock->y[i] : box.bottom;
    }
    return box;
}

/* For a plane: rows and cells that cover the boids, rolled up if they would be too many. */
static void lay_plane(struct grid *grid, const struct flock *flock, float row_h, uint32_t cells)
{
    struct box box = box_of(flock);
    double rows = floor((double)(box.bottom - box.top) / (double)row_h) + 2.0;
    double columns = floor((double)(box.right - box.left) / (double)row_h * HALO) + 2.0;
    grid->halo = HALO;
    grid->rolled = (rows + 2.0) * (columns + 2.0 * HALO) > cells;
    if (grid->rolled) {
        /* At least three rows and four halos, so that a run meets no cell twice. */
        rows = fmin(fmax(rows, 3.0), fmax(floor(sqrt(cells / (2.0 * HALO))), 3.0));
        columns = fmin(fmax(columns, 4.0 * HALO), floor(cells / (rows + 2.0)) - 2.0 * HALO);
        assert(rows >= 3.0 && columns >= 4.0 * HALO);
    }
    grid->copies = grid->rolled;
    grid->small = false;
    grid->rows = (uint32_t)rows;
    grid->columns = (uint32_t)columns;
    grid->shift_x = grid->shift_y = 0.0f;
    grid->origin_x = box.left;
    grid->origin_y = box.top;
    grid->per_row = 1.0f / row_h;
    grid->per_column = (float)HALO / row_h;
}

void grid_lay(struct grid *grid, const struct flock *flock, float reach)
{
    uint32_t cells = cells_for(flock->count);
    float row_h = fmaxf(reach * MARGIN, 0.5f);
    grid->rolled = false;
    if (flock->definition.settings.boundary == FLOCK_OPEN) {
        lay_plane(grid, flock, row_h, cells);
    } else {
        lay_world(grid, &flock->definition.settings, row_h, cells);
    }
    grid->stride = grid->columns + 2 * grid->halo;
    assert(grid->rows > 0 && grid->columns > 0);
    assert((uint64_t)(grid->rows + 2) * grid->stride <= cells);
}

static inline uint32_t roll(float at, float origin, float per, uint32_t slots)
{
    double slot = floor(((double)at - (double)origin) * (double)per); /* never negative */
    return (uint32_t)((uint64_t)slot % slots);
}

static inline uint32_t index_of(float at, float origin, float per, uint32_t slots)
{
    uint32_t slot = (uint32_t)((at - origin) * per);
    return slot < slots ? slot : slots - 1;
}

void grid_count(struct grid *grid, const struct flock *flock, uint32_t part)
{
    uint32_t *counts = grid->counts[part];
    uint32_t end = part_start(grid, flock, part + 1);
    memset(counts, 0, (size_t)(grid->rows + 2) * grid->stride * sizeof *counts);
    memset(grid->touched[part], 0, grid->rows * sizeof *grid->touched[part]);
    for (uint32_t i = part_start(grid, flock, part); i < end; i++) {
        uint32_t row;
        uint32_t column;
        if (grid->rolled) {
            row = roll(flock->y[i], grid->origin_y, grid->per_row, grid->rows);
            column = roll(flock->x[i], grid->origin_x, grid->per_column, grid->columns);
        } else {
            row = index_of(flock->y[i], grid->origin_y, grid->per_row, grid->rows);
            column = index_of(flock->x[i], grid->origin_x, grid->per_column, grid->columns);
        }
        uint32_t cell = grid_row(grid, row + 1) + column;
        grid->cell[i] = cell;
        counts[cell]++;
        grid->touched[part][row] = true;
    }
}

static uint32_t part_row(const struct grid *grid, uint32_t part)
{
    return (uint32_t)((uint64_t)grid->rows * part / grid->parts);
}

static uint32_t sum_of(const uint32_t *counts, uint32_t cells)
{
    uint32_t sum = 0;
    for (uint32_t c = 0; c < cells; c++) {
        sum += counts[c];
    }
    return sum;
}

/* Adds up a row's counts over the parts that have boids in it. Usually this is one part, because
 * boids lie in the order of rows. The first part then holds the sums; each other part holds the
 * number of boids before its own. */
static uint32_t *join_row(struct grid *grid, uint32_t row)
{
    uint32_t cell = grid_row(grid, row + 1);
    uint32_t holder = 0;
    while (holder + 1 < grid->parts && !grid->touched[holder][row]) {
        holder++;
    }
    uint32_t *sums = grid->counts[holder] + cell;
    for (uint32_t part = holder + 1; part < grid->parts; part++) {
        uint32_t *counts = grid->counts[part] + cell;
        for (uint32_t c = 0; c < grid->columns && grid->touched[part][row]; c++) {
            uint32_t own = counts[c];
            counts[c] = sums[c];
            sums[c] += own;
        }
    }
    grid->holder[row] = (uint8_t)holder;
    return sums;
}

void grid_join(struct grid *grid, uint32_t part)
{
    uint32_t boids = 0;
    uint32_t copies = 0;
    size_t halo = grid->halo;
    for (uint32_t row = part_row(grid, part); row < part_row(grid, part + 1); row++) {
        uint32_t *cells = join_row(grid, row);
        if (grid->copies) {
            memcpy(cells - halo, cells + grid->columns - halo, halo * sizeof *cells);
            memcpy(cells + grid->columns, cells, halo * sizeof *cells);
        }
        if (part + 1 < grid->parts) { /* the begin of the next part */
            boids += sum_of(cells, grid->columns);
            copies += sum_of(cells - halo, grid->halo);
            copies += sum_of(cells + grid->columns, grid->halo);
        }
    }
    grid->boids_before[part + 1] = boids;
    grid->all_before[part + 1] = boids + copies;
}

/* Returns a row's counts with its copies. Row 0 and row `rows` + 1 are copies. */
static uint32_t *row_counts(const struct grid *grid, uint32_t row)
{
    bool copy = row == 0 || row > grid->rows;
    return grid->counts[copy ? 0 : grid->holder[row - 1]] + (size_t)row * grid->stride;
}

void grid_stack(struct grid *grid)
{
    uint32_t *above = row_counts(grid, 0);
    size_t size = grid->stride * sizeof *above;
    if (grid->copies) {
        memcpy(above, row_counts(grid, grid->rows), size);
        memcpy(row_counts(grid, grid->rows + 1), row_counts(grid, 1), size);
    }
    grid->boids_before[0] = 0;
    grid->all_before[0] = 0;
    grid->all_before[1] += sum_of(above, grid->stride);
    for (uint32_t part = 1; part < grid->parts; part++) {
        grid->boids_before[part] += grid->boids_before[part - 1];
        grid->all_before[part] += grid->all_before[part - 1];
    }
}

static bool are_empty(const uint32_t counts[CELLS_AT_ONCE])
{
    uint32_t any = 0;
    for (uint32_t c = 0; c < CELLS_AT_ONCE; c++) {
        any |= counts[c];
    }
    return any == 0;
}

/* Stores where the boids of each cell begin, and zeroes the counts. `at`: where the first cell
 * begins. Returns where the next cell begins. */
static uint32_t place_cells(uint32_t *start, uint32_t *counts, uint32_t cells, uint32_t at)
{
    for (uint32_t c = 0; c < cells; c++) {
        start[c] = at;
        at += counts[c];
        counts[c] = 0;
    }
    return at;
}

static void place_empty(uint32_t start[CELLS_AT_ONCE], uint32_t at)
{
    for (uint32_t c = 0; c < CELLS_AT_ONCE; c++) {
        start[c] = at;
    }
}

static uint32_t place_row(uint32_t *start, uint32_t *counts, uint32_t cells, uint32_t at)
{
    uint32_t *end = start + cells;
    for (; start + CELLS_AT_ONCE <= end; start += CELLS_AT_ONCE, counts += CELLS_AT_ONCE) {
        if (are_empty(counts)) {
            place_empty(start, at);
        } else {
            at = place_cells(start, counts, CELLS_AT_ONCE, at);
        }
    }
    return place_cells(start, counts, (uint32_t)(end - start), at);
}

void grid_place(struct grid *grid, uint32_t part)
{
    /* The first part also does the row above the first row, the last part the row below the
     * last. */
    bool is_last = part + 1 == grid->parts;
    uint32_t first = part == 0 ? 0 : part_row(grid, part) + 1;
    uint32_t end = part_row(grid, part + 1) + (is_last ? 2 : 1);
    uint32_t at = grid->all_before[part];
    for (uint32_t row = first; row < end; row++) {
        uint32_t *start = grid->start + (size_t)row * grid->stride;
        at = place_row(start, row_counts(grid, row), grid->stride, at);
    }
    if (is_last) {
        grid->start[end * grid->stride] = at;
    }
    uint32_t boids = grid->boids_before[part];
    for (uint32_t row = part_row(grid, part); row < part_row(grid, part + 1); row++) {
        uint32_t cell = grid_row(grid, row + 1);
        grid->base[row] = boids;
        boids += grid->start[cell + grid->columns] - grid->start[cell];
    }
}

void grid_fill(struct grid *grid, const struct flock *flock, uint32_t part)
{
    uint32_t *counts = grid->counts[part];
    uint32_t end = part_start(grid, flock, part + 1);
    for (uint32_t i = part_start(grid, flock, part); i < end; i++) {
        uint32_t cell = grid->cell[i];
        uint32_t to = grid->start[cell] + counts[cell]++;
        grid->x[to] = flock->x[i];
        grid->y[to] = flock->y[i];
        grid->vx[to] = flock->vx[i];
        grid->vy[to] = flock->vy[i];
        grid->id[to] = flock->id[i];
    }
}

void grid_empty(struct grid *grid, struct flock *flock, uint32_t part)
{
    uint32_t *counts = grid->counts[part];
    uint32_t first = part_start(grid, flock, part);
    for (uint32_t i = part_start(grid, flock, part + 1); i-- > first;) {
        uint32_t cell = grid->cell[i];
        uint32_t from = grid->start[cell] + --counts[cell];
        flock->x[i] = grid->x[from];
        flock->y[i] = grid->y[from];
        flock->vx[i] = grid->vx[from];
        flock->vy[i] = grid->vy[from];
        flock->id[i] = grid->id[from];
    }
}

static void copy_run(struct grid *grid, uint32_t from, uint32_t to, uint32_t count, float shift_x,
                     float shift_y)
{
    memcpy(grid->vx + to, grid->vx + from, count * sizeof *grid->vx);
    memcpy(grid->vy + to, grid->vy + from, count * sizeof *grid->vy);
    for (uint32_t i = 0; i < count; i++) {
        grid->x[to + i] = grid->x[from + i] + shift_x;
        grid->y[to + i] = grid->y[from + i] + shift_y;
    }
}

void grid_copy_edges(struct grid *grid, uint32_t row)
{
    if (!grid->copies) {
        return;
    }
    const uint32_t *start = grid->start + grid_row(grid, row + 1);
    uint32_t left = start[0];
    uint32_t right = start[grid->columns];
    uint32_t before = *(start - grid->halo);
    uint32_t last = start[grid->columns - grid->halo];
    copy_run(grid, last, before, left - before, -grid->shift_x, 0.0f);
    copy_run(grid, left, right, start[grid->columns + grid->halo] - right, grid->shift_x, 0.0f);
}

void grid_copy_rows(struct grid *grid)
{
    if (!grid->copies) {
        return;
    }
    const uint32_t *start = grid->start;
    size_t last = (size_t)grid->rows * grid->stride;
    copy_run(grid, start[last], 0, start[grid->stride], 0.0f, -grid->shift_y);
    copy_run(grid, start[grid->stride], start[last + grid->stride],
             start[2 * (size_t)grid->stride] - start[grid->stride], 0.0f, grid->shift_y);
}
