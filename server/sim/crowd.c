#include "sim/crowd.h"

#include "sim/grid.h"
#include "sim/wide/kernel.h"
#include "sim/workspace.h"

/* One tick, for its threads. */
struct crowd {
    struct flock *flock;
    struct grid *grid;
    const struct kernel *kernel;
    struct kernel_job job;
    const struct flock_loops *loops;
};

enum { HEADINGS_AT_ONCE = 4096 };

/* Boids per thread of a tick. On two processors, with 5 ms between ticks, two threads take 1.2,
 * 0.96, 0.88 and 0.6 times as long as one thread for 500, 1,000, 2,000 and 5,000 `boids`. */
enum { WORKER_BOIDS = 1000 };

static void count_part(void *context, uint32_t part)
{
    struct crowd *crowd = context;
    grid_count(crowd->grid, crowd->flock, part);
}

static void join_part(void *context, uint32_t part)
{
    struct crowd *crowd = context;
    grid_join(crowd->grid, part);
}

static void place_part(void *context, uint32_t part)
{
    struct crowd *crowd = context;
    grid_place(crowd->grid, part);
}

static void fill_part(void *context, uint32_t part)
{
    struct crowd *crowd = context;
    grid_fill(crowd->grid, crowd->flock, part);
}

static void empty_part(void *context, uint32_t part)
{
    struct crowd *crowd = context;
    grid_empty(crowd->grid, crowd->flock, part);
}

static void copy_edges(void *context, uint32_t row)
{
    struct crowd *crowd = context;
    grid_copy_edges(crowd->grid, row);
}

static void make_headings(void *context, uint32_t part)
{
    struct crowd *crowd = context;
    struct grid *grid = crowd->grid;
    uint32_t all = grid_total(grid);
    uint32_t end = (part + 1) * HEADINGS_AT_ONCE;
    crowd->kernel->headings(grid, part * HEADINGS_AT_ONCE, end < all ? end : all);
}

static void move_row(void *context, uint32_t row)
{
    struct crowd *crowd = context;
    if (!limit_is_exceeded(crowd->job.limit)) {
        crowd->loops->row(&crowd->job, row);
    }
}

void crowd_tick(struct flock *flock, struct flock_workspace *workspace, const struct aim *aim,
                struct bites *bites)
{
    const struct flock_rules *rules = flock->definition.settings.model->rules;
    workspace_choose(workspace, flock->count, WORKER_BOIDS);
    struct grid grid;
    struct arena arena = workspace_arena(workspace);
    grid_take(&grid, &arena, flock->count, workspace->workers);
    struct crowd crowd = {
        .flock = flock,
        .grid = &grid,
        .kernel = flock->kernel,
        .loops = rules->loops[flock->kernel->width],
        .job = {.limit = &workspace->limit,
                .world = &flock->definition.settings,
                .walls = &flock->walls,
                .grid = &grid,
                .aim = aim,
                .bites = bites,
                .torus = flock_torus(flock),
                .noise = flock_noise(flock, flock->ticks),
                .params = flock->definition.settings.params,
                .flee_distance = common_param(flock->definition.settings.model, FLOCK_FLEE_DISTANCE,
                                              flock->definition.settings.params),
                .x = flock->x,
                .y = flock->y,
                .vx = flock->vx,
                .vy = flock->vy,
                .id = flock->id},
    };
    if (rules->prepare != NULL) {
        rules->prepare(flock->definition.settings.params, crowd.job.prepared);
    }
    grid_lay(&grid, flock, flock_reach(flock));
    workspace_run(workspace, count_part, &crowd, grid.parts);
    workspace_run(workspace, join_part, &crowd, grid.parts);
    grid_stack(&grid);
    workspace_run(workspace, place_part, &crowd, grid.parts);
    workspace_run(workspace, fill_part, &crowd, grid.parts);
    if (grid.copies) {
        workspace_run(workspace, copy_edges, &crowd, grid.rows);
        grid_copy_rows(&grid);
    }
    if (crowd.loops->headings) {
        uint32_t parts = (grid_total(&grid) + HEADINGS_AT_ONCE - 1) / HEADINGS_AT_ONCE;
        workspace_run(workspace, make_headings, &crowd, parts);
    }
    workspace_run(workspace, move_row, &crowd, grid.rows);
    if (limit_is_exceeded(&workspace->limit)) {
        workspace_run(workspace, empty_part, &crowd, grid.parts);
    }
}
