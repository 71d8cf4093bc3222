/* flock-sim: runs a flock without a server, for researchers, teachers and tests. It checks all
 * options and files before the first tick and before it opens any output. */
#include "offline/csv.h"
#include "offline/file.h"
#include "offline/output.h"
#include "offline/replay.h"
#include "offline/run.h"
#include "offline/sim_options.h"
#include "offline/sweeping.h"
#include "scene/cursor.h"
#include "sim/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
    const struct options *options;
    struct flock *flock;
    struct flock_workspace *workspace;
    struct flock_reference *reference; /* NULL: the flock's own engine runs */
    struct sweeping *sweeping;         /* NULL: there is no sweep */
    struct flock_output output;
};

static void replace_boids(struct flock *flock, const char *path)
{
    struct boids_limits limits = {.own =
                                      strcmp(flock_settings_of(flock)->model->name, "swarm") == 0};
    for (int column = 0; column < BOIDS_COLUMNS; column++) {
        limits.low[column] = -FLOCK_FAR;
        limits.high[column] = FLOCK_FAR;
        if (column >= 4 && limits.own) {
            float ends[2] = {flock_param_get(flock, 2 * (size_t)(column - 4)),
                             flock_param_get(flock, 2 * (size_t)(column - 4) + 1)};
            limits.low[column] = fminf(ends[0], ends[1]);
            limits.high[column] = fmaxf(ends[0], ends[1]);
        }
    }
    struct boids boids;
    char problem[512];
    if (!boids_read(&boids, path, &limits, problem, sizeof problem)) {
        refuse("%s", problem);
    }
    struct flock_state state = {boids.column[0], boids.column[1], boids.column[2], boids.column[3],
                                boids.column[4], boids.column[5], boids.column[6]};
    if (!flock_replace(flock, &state, boids.count)) {
        refuse("%s: out of memory", path);
    }
    boids_free(&boids);
}

static void set_things(struct flock *flock, const struct flock_things *things)
{
    if (!flock_set_things(flock, things)) {
        refuse("--food and --hunter: out of range"); /* never happens: the options are checked */
    }
    if (things->hunter_count > 0) {
        (void)flock_frighten(flock);
    }
}

static struct flock *make_flock(struct options *options)
{
    static struct flock
        *flock; /* static, so that a leak check still sees it when refuse() ends the process */
    if (options->load[0] != '\0') {
        return flock_file_load(options->load, options->definition.lanes);
    }
    flock = flock_create(&options->definition);
    if (flock == NULL) {
        refuse("out of memory");
    }
    if (options->neighbours > 0.0) {
        double reach = (double)flock_reach(flock);
        double side = sqrt(options->definition.boids * 3.14159265358979 / options->neighbours);
        float size = (float)(side * reach);
        if (!flock_set_world(flock, options->definition.settings.boundary, size, size)) {
            refuse("--neighbours: expected a world of %g to %g units, not %g",
                   (double)FLOCK_WORLD_MIN, (double)FLOCK_WORLD_MAX, (double)size);
        }
        flock_reset(flock);
    }
    if (options->wall_count > 0 && !flock_set_walls(flock, options->walls, options->wall_count)) {
        refuse("--wall: out of range");
    }
    if (options->init[0] != '\0') {
        replace_boids(flock, options->init);
    }
    set_things(flock, &options->things);
    return flock;
}

static void write_reference(struct run *run, unsigned long tick)
{
    uint32_t count = flock_count(run->flock);
    for (uint32_t i = 0; i < count; i++) {
        double state[4];
        flock_reference_boid(run->reference, i, state);
        output_row(&run->output, "%lu,%u,%.17g,%.17g,%.17g,%.17g\n", tick, i, state[0], state[1],
                   state[2], state[3]);
    }
}

static void write_tick(struct run *run, unsigned long tick)
{
    if (run->options->measures) {
        output_measures(&run->output, run->flock, run->workspace, tick);
    } else if (run->reference != NULL) {
        write_reference(run, tick);
    } else {
        output_boids(&run->output, run->flock, tick);
    }
}

#define WANDER_RATE 30u /* ticks a second */

static struct flock_target target_at(const struct run *run, unsigned long tick)
{
    const struct options *options = run->options;
    struct flock_target target = {options->target.x, options->target.y, false};
    if (options->wander) {
        const struct flock_settings *world = flock_settings_of(run->flock);
        cursor_wander(tick * 1000000 / WANDER_RATE, world->width, world->height, &target.x,
                      &target.y);
    }
    return target;
}

/* tick: ticks of the run before this one. */
static void step(struct run *run, unsigned long tick)
{
    struct flock_target target = target_at(run, tick);
    bool has_target = run->options->target_given || run->options->wander;
    float clearance = run->options->wander ? flock_clearance(run->flock, 1) : 0.0F;
    if (run->reference != NULL) {
        flock_reference_tick(run->reference, &target, has_target, clearance);
    } else if (!flock_tick_clear(run->flock, run->workspace, &target, has_target, clearance)) {
        refuse("out of memory"); /* never happens: main() has reserved memory for the flock */
    }
}

static void write_start(struct run *run)
{
    if (run->sweeping != NULL) {
        output_sweep_header(&run->output);
    } else {
        output_header(&run->output, run->options->measures);
        write_tick(run, 0);
    }
}

/* Makes the tick of that number, and writes what is due after it. */
static void make_tick(struct run *run, unsigned long tick)
{
    step(run, tick - 1);
    if (run->sweeping != NULL) {
        sweeping_tick(run->sweeping, run->workspace, &run->output);
    } else if (tick % run->options->every == 0) {
        write_tick(run, tick);
    }
}

static void simulate(struct run *run)
{
    const struct options *options = run->options;
    unsigned long ticks = run->sweeping != NULL ? sweeping_ticks(options) : options->ticks;
    bool progress = isatty(STDERR_FILENO) && !output_is_seen(&run->output);
    double started = run_seconds(CLOCK_MONOTONIC);
    run_catch_stop();
    write_start(run);
    for (unsigned long tick = 1;
         tick <= ticks && !run_asked_to_stop() && !output_failed(&run->output); tick++) {
        make_tick(run, tick);
        if (progress) {
            run_show(tick, ticks, started);
        }
    }
    if (progress && run_asked_to_stop()) {
        fputc('\n', stderr); /* after the progress bar, which stays */
    }
    if (run->sweeping != NULL) {
        sweeping_end(run->sweeping);
    }
}

/* Copies the reference's state into the flock, for output and measures. */
static void show_state(struct run *run)
{
    uint32_t count = flock_count(run->flock);
    if (run->reference == NULL) {
        return;
    }
    float *x = malloc(4 * (size_t)count * sizeof *x);
    if (x == NULL) {
        refuse("out of memory");
    }
    float *y = x + count;
    float *vx = y + count;
    float *vy = vx + count;
    for (uint32_t i = 0; i < count; i++) {
        double state[4];
        flock_reference_boid(run->reference, i, state);
        x[i] = (float)state[0];
        y[i] = (float)state[1];
        vx[i] = (float)state[2];
        vy[i] = (float)state[3];
    }
    struct flock_state state = {.x = x, .y = y, .vx = vx, .vy = vy};
    flock_replace(run->flock, &state, count);
    free(x);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Measures the time of a tick of a running flock that has formed. Half the ticks are the
 * warm-up. */
static void bench(struct run *run)
{
    const struct options *options = run->options;
    const struct flock_definition *definition = flock_definition_of(run->flock);
    unsigned long timed = options->ticks - options->ticks / 2;
    /* On a busy machine the thread's own time is more exact; several threads have no common
     * clock. */
    clockid_t clock = options->threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    double *times = malloc(timed * sizeof *times);
    if (times == NULL) {
        refuse("--bench: out of memory");
    }
    for (unsigned long tick = 0; tick < options->ticks; tick++) {
        double before = run_seconds(clock);
        step(run, tick);
        double spent = run_seconds(clock) - before;
        if (tick >= options->ticks / 2) {
            times[tick - options->ticks / 2] = spent;
        }
    }
    show_state(run);
    qsort(times, timed, sizeof *times, compare_doubles);
    double median = times[timed / 2];
    fprintf(run->output.file,
            "%s%s boids=%u world=%gx%g lanes=%u threads=%u k=%.1f ticks=%lu: %.2f ns/boid/tick, "
            "%.4f ms/tick (median; "
            "fastest %.2f ns)\n",
            definition->settings.model->name, run->reference != NULL ? " (reference)" : "",
            definition->boids, (double)definition->settings.width,
            (double)definition->settings.height, flock_lanes(run->flock), options->threads,
            (double)flock_neighbours(run->flock, flock_reach(run->flock)), timed,
            median * 1e9 / definition->boids, median * 1e3, times[0] * 1e9 / definition->boids);
    free(times);
}

int main(int argc, char **argv)
{
    struct options options;
    options_read(&options, argc, argv);
    if (options.replay[0] != '\0') {
        return flock_replay(&options);
    }
    struct run run = {.options = &options, .flock = make_flock(&options)};
    run.workspace = flock_workspace_create(options.threads);
    if (run.workspace == NULL) {
        refuse("--threads: cannot start %u threads", options.threads);
    }
    run.reference = options.reference ? flock_reference_create(run.flock) : NULL;
    if (!flock_workspace_reserve(run.workspace, flock_count(run.flock)) ||
        (options.reference && run.reference == NULL)) {
        refuse("out of memory");
    }
    struct sweeping sweeping;
    if (options.sweep.steps > 0) {
        run.sweeping = &sweeping;
        sweeping_begin(run.sweeping, &options, run.flock);
    }
    FILE *save = options.save[0] != '\0' ? flock_file_open(options.save) : NULL;
    output_open(&run.output, options.output);
    if (options.bench) {
        bench(&run);
    } else {
        simulate(&run);
    }
    int status = output_close(&run.output);
    if (save != NULL && !flock_file_save(save, options.save, run.flock)) {
        status = EXIT_FAILURE;
    }
    flock_reference_destroy(run.reference);
    flock_workspace_destroy(run.workspace);
    flock_destroy(run.flock);
    run_end_as_asked();
    return status;
}
