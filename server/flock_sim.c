/* flock-sim: runs a flock headless, for researchers, teachers and tests. Everything is checked
 * before the first tick and before any output is opened. */
#include "flock_csv.h"
#include "flock_sim_options.h"
#include "sim/reference.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct run {
    const struct options *options;
    struct flock *flock;
    struct flock_reference *reference; /* NULL: the engine's own */
    FILE *output;
    float *x, *y, *vx, *vy;
};

static void apply_setting(struct flock *flock, const char *setting)
{
    const struct flock_model *model = flock_definition_of(flock)->model;
    char name[64];
    const char *equals = strchr(setting, '=');
    if (equals == NULL || (size_t)(equals - setting) >= sizeof name) {
        refuse("--set: expected KEY=VALUE, not \"%s\"", setting);
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - setting), setting);
    int index = flock_param_find(model, name);
    if (index < 0) {
        refuse("--set: expected a parameter of %s (see --help), not \"%s\"", model->name, name);
    }
    const struct flock_param *param = &model->params[index];
    double value;
    if (!read_numbers(equals + 1, ',', &value, 1) ||
        !flock_param_set(flock, (size_t)index, (float)value)) {
        refuse("--set %s: expected a number from %g to %g, not \"%s\"", name, (double)param->min,
               (double)param->max, equals + 1);
    }
}

static void replace_boids(struct flock *flock, const char *path)
{
    struct boids_limits limits = {.own = strcmp(flock_definition_of(flock)->model->name, "swarm") ==
                                         0};
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

static struct flock *make_flock(struct options *options)
{
    static struct flock *flock; /* still known when refuse() ends the process */
    flock = flock_create(&options->definition);
    if (flock == NULL) {
        refuse("out of memory");
    }
    if (options->preset != NULL) {
        flock_tune(flock, options->preset);
    }
    for (size_t i = 0; i < options->setting_count; i++) {
        apply_setting(flock, options->settings[i]);
    }
    if (options->neighbours > 0.0) {
        double reach = (double)flock_reach(flock);
        double side = sqrt(options->definition.boids * 3.14159265358979 / options->neighbours);
        float size = (float)(side * reach);
        if (!flock_set_world(flock, options->definition.boundary, size, size)) {
            refuse("--neighbours: expected a world of %g to %g units, not %g",
                   (double)FLOCK_WORLD_MIN, (double)FLOCK_WORLD_MAX, (double)size);
        }
        flock_reset(flock);
    }
    if (options->wall_count > 0 && !flock_set_walls(flock, options->walls, options->wall_count)) {
        refuse("--wall: out of range");
    }
    if (options->init != NULL) {
        replace_boids(flock, options->init);
    }
    return flock;
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One line on a terminal, at most ten times a second, for a run that takes its time. */
static void show_progress(unsigned long tick, unsigned long ticks, double started)
{
    static double shown;
    double now = seconds(CLOCK_MONOTONIC);
    if (now - started < 1.0 || (now - shown < 0.1 && tick < ticks)) {
        return;
    }
    shown = now;
    if (tick == ticks) {
        fputs("\r\033[K", stderr);
        return;
    }
    enum { WIDTH = 30 };
    char bar[WIDTH + 1] = "..............................";
    memset(bar, '#', tick * WIDTH / ticks);
    fprintf(stderr, "\r[%s] %lu of %lu ticks, %.0f s left\033[K", bar, tick, ticks,
            (now - started) * (double)(ticks - tick) / (double)(tick > 0 ? tick : 1));
}

static void write_boids(struct run *run, unsigned long tick)
{
    uint32_t count = flock_count(run->flock);
    if (run->reference == NULL) {
        flock_positions(run->flock, run->x, run->y);
        flock_velocities(run->flock, run->vx, run->vy);
    }
    for (uint32_t i = 0; i < count; i++) {
        double state[4];
        if (run->reference != NULL) {
            flock_reference_boid(run->reference, i, state);
            fprintf(run->output, "%lu,%u,%.17g,%.17g,%.17g,%.17g\n", tick, i, state[0], state[1],
                    state[2], state[3]);
            continue;
        }
        fprintf(run->output, "%lu,%u,%.9g,%.9g,%.9g,%.9g\n", tick, i, (double)run->x[i],
                (double)run->y[i], (double)run->vx[i], (double)run->vy[i]);
    }
}

static void write_measures(struct run *run, unsigned long tick)
{
    struct flock_measures m = flock_measure(run->flock);
    fprintf(run->output, "%lu,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", tick, (double)m.polarization,
            (double)m.milling, (double)m.centroid_x, (double)m.centroid_y, (double)m.gyration,
            (double)m.speed, (double)m.nearest);
}

static void write_tick(struct run *run, unsigned long tick)
{
    if (run->options->measures) {
        write_measures(run, tick);
    } else {
        write_boids(run, tick);
    }
}

static void step(struct run *run)
{
    const struct options *options = run->options;
    struct flock_target target = {options->target.x, options->target.y, false};
    if (run->reference != NULL) {
        flock_reference_tick(run->reference, &target, options->target_given);
    } else {
        flock_tick_targets(run->flock, &target, options->target_given);
    }
}

static void simulate(struct run *run)
{
    const struct options *options = run->options;
    bool progress = isatty(STDERR_FILENO) && !(run->output == stdout && isatty(STDOUT_FILENO));
    double started = seconds(CLOCK_MONOTONIC);
    fputs(options->measures ? "tick,polarization,milling,centroid_x,centroid_y,gyration,speed,"
                              "nearest\n"
                            : "tick,id,x,y,vx,vy\n",
          run->output);
    write_tick(run, 0);
    for (unsigned long tick = 1; tick <= options->ticks && !ferror(run->output); tick++) {
        step(run);
        if (tick % options->every == 0) {
            write_tick(run, tick);
        }
        if (progress) {
            show_progress(tick, options->ticks, started);
        }
    }
}

/* Gives the flock the reference's state, for what is then asked of it. */
static void show_state(struct run *run)
{
    uint32_t count = flock_count(run->flock);
    if (run->reference == NULL) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        double state[4];
        flock_reference_boid(run->reference, i, state);
        run->x[i] = (float)state[0];
        run->y[i] = (float)state[1];
        run->vx[i] = (float)state[2];
        run->vy[i] = (float)state[3];
    }
    struct flock_state state = {.x = run->x, .y = run->y, .vx = run->vx, .vy = run->vy};
    flock_replace(run->flock, &state, count);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times a running flock: one that has formed, each tick a new one. Half the ticks are warming up.
 */
static void bench(struct run *run)
{
    const struct options *options = run->options;
    const struct flock_definition *definition = flock_definition_of(run->flock);
    unsigned long timed = options->ticks - options->ticks / 2;
    /* On a busy machine the thread's own time says more; several threads have none in common. */
    clockid_t clock = definition->threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    double *times = malloc(timed * sizeof *times);
    if (times == NULL) {
        refuse("--bench: out of memory");
    }
    for (unsigned long tick = 0; tick < options->ticks; tick++) {
        double before = seconds(clock);
        step(run);
        double spent = seconds(clock) - before;
        if (tick >= options->ticks / 2) {
            times[tick - options->ticks / 2] = spent;
        }
    }
    show_state(run);
    qsort(times, timed, sizeof *times, compare_doubles);
    double median = times[timed / 2];
    fprintf(run->output,
            "%s%s boids=%u world=%gx%g lanes=%u threads=%u k=%.1f ticks=%lu: %.2f ns/boid/tick, "
            "%.4f ms/tick (median; "
            "fastest %.2f ns)\n",
            definition->model->name, run->reference != NULL ? " (reference)" : "",
            definition->boids, (double)definition->width, (double)definition->height,
            flock_lanes(run->flock), definition->threads,
            (double)flock_neighbours(run->flock, flock_reach(run->flock)), timed,
            median * 1e9 / definition->boids, median * 1e3, times[0] * 1e9 / definition->boids);
    free(times);
}

static void open_output(struct run *run)
{
    const char *path = run->options->output;
    bool standard = strcmp(path, "-") == 0;
    run->output = standard ? stdout : fopen(path, "w");
    if (run->output == NULL) {
        refuse("--output: %s: %s", path, strerror(errno));
    }
}

static int close_output(struct run *run)
{
    bool failed = ferror(run->output) != 0;
    failed = fclose(run->output) != 0 || failed;
    if (failed) {
        fprintf(stderr, "flock-sim: --output: %s: %s\n", run->options->output, strerror(errno));
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct options options = {
        .definition = flock_definition_default(), .output = "-", .ticks = 100, .every = 1};
    options_read(&options, argc, argv);
    struct run run = {.options = &options, .flock = make_flock(&options)};
    size_t count = flock_count(run.flock);
    float *state = malloc(4 * count * sizeof *state);
    run.reference = options.reference ? flock_reference_create(run.flock) : NULL;
    if (state == NULL || (options.reference && run.reference == NULL)) {
        refuse("out of memory");
    }
    run.x = state;
    run.y = state + count;
    run.vx = state + 2 * count;
    run.vy = state + 3 * count;
    open_output(&run);
    if (options.bench) {
        bench(&run);
    } else {
        simulate(&run);
    }
    int status = close_output(&run);
    flock_reference_destroy(run.reference);
    flock_destroy(run.flock);
    free(state);
    return status;
}
