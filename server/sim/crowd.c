#include "sim/crowd.h"

#include "sim/pool.h"
#include "sim/trig.h"
#include "sim/wide/kernel.h"

/* One tick, as its threads see it. */
struct crowd {
    struct flock *flock;
    struct grid *grid;
    const struct kernel *kernel;
    struct kernel_job job;
    void (*move)(const struct kernel_job *job, uint32_t row);
};

enum { HEADINGS_AT_ONCE = 4096 };

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
    crowd->move(&crowd->job, row);
}

/* `tiny` has the sign that the bias has if it has any; `own_place`: whether those at the boid's own
 * place are seen. */
static struct cone make_cone(float degrees, bool own_place, float tiny)
{
    double sine;
    double cosine;
    trig_sincos((double)degrees * (TRIG_PI / 360.0), &sine, &cosine);
    struct cone cone = {(float)sine, (float)cosine, own_place == (tiny < 0.0f) ? tiny : 0.0f};
    if (degrees <= 0.0f || degrees >= 360.0f) {
        cone.sine = 0.0f; /* nothing, or all, whatever the rounding */
    }
    return cone;
}

static void choose_model(struct crowd *crowd)
{
    const struct flock_model *model = crowd->flock->definition.model;
    const float *p = crowd->flock->params;
    struct kernel_job *job = &crowd->job;
    if (model == &boids_model) {
        crowd->move = crowd->kernel->boids;
    } else if (model == &steering_model) {
        crowd->move = crowd->kernel->steering;
    } else if (model == &vision_model) {
        crowd->move = crowd->kernel->vision;
        double sine;
        double cosine;
        job->view = make_cone(p[VISION_VIEW_ANGLE], p[VISION_VIEW_ANGLE] > 180.0f, -1e-30f);
        job->close =
            make_cone(p[VISION_SEPARATION_ANGLE], p[VISION_SEPARATION_ANGLE] > 180.0f, -1e-30f);
        trig_sincos((double)p[VISION_MAX_TURN] * (TRIG_PI / 180.0), &sine, &cosine);
        job->turn_sine = (float)sine;
        job->turn_cosine = (float)cosine;
    } else {
        crowd->move = crowd->kernel->birds;
        job->view = make_cone(p[BIRDS_VIEW_ANGLE], p[BIRDS_VIEW_ANGLE] >= 180.0f, 1e-30f);
    }
}

void crowd_tick(struct flock *flock, const struct aim *aim)
{
    const struct flock_model *model = flock->definition.model;
    struct grid *grid = flock->grid;
    struct aim near = *aim;
    if (flock->definition.boundary == FLOCK_WRAP) {
        aim_wrap(&near, flock_torus(flock));
    }
    struct crowd crowd = {
        .flock = flock,
        .grid = grid,
        .kernel = flock->kernel,
        .job = {.world = &flock->definition,
                .walls = &flock->walls,
                .grid = grid,
                .aim = &near,
                .params = flock->params,
                .flee_distance = flee_distance(model, flock->params),
                .x = flock->x,
                .y = flock->y,
                .vx = flock->vx,
                .vy = flock->vy,
                .id = flock->id},
    };
    choose_model(&crowd);
    grid_lay(grid, flock, flock_reach(flock));
    pool_run(flock->pool, count_part, &crowd, grid->parts);
    pool_run(flock->pool, join_part, &crowd, grid->parts);
    grid_stack(grid);
    pool_run(flock->pool, place_part, &crowd, grid->parts);
    pool_run(flock->pool, fill_part, &crowd, grid->parts);
    if (grid->copies) {
        pool_run(flock->pool, copy_edges, &crowd, grid->rows);
        grid_copy_rows(grid);
    }
    if (model == &vision_model || model == &steering_model) {
        uint32_t parts = (grid_total(grid) + HEADINGS_AT_ONCE - 1) / HEADINGS_AT_ONCE;
        pool_run(flock->pool, make_headings, &crowd, parts);
    }
    pool_run(flock->pool, move_row, &crowd, grid->rows);
}
