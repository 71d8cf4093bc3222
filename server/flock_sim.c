/* flock-sim: runs a flock headless, for researchers, teachers and tests. Everything is checked
 * before the first tick and before any output is opened. */
#include "flock_csv.h"
#include "sim/flock.h"
#include "sim/reference.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, SETTINGS_MAX = 64, TICKS_MAX = 1000000000 };

struct options {
    struct flock_definition definition;
    const struct flock_preset *preset; /* NULL: none */
    bool boundary_given, model_given, world_given, boids_given, target_given;
    bool reference, measures, bench;
    const char *settings[SETTINGS_MAX];
    size_t setting_count;
    struct flock_wall walls[FLOCK_WALLS_MAX];
    size_t wall_count;
    struct flock_point target;
    double neighbours; /* for --neighbours; 0: the world as given */
    const char *init, *output;
    unsigned long ticks, every;
};

struct run {
    const struct options *options;
    struct flock *flock;
    struct flock_reference *reference; /* NULL: the engine's own */
    FILE *output;
    float *x, *y, *vx, *vy;
};

__attribute__((noreturn, format(printf, 1, 2))) static void refuse(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("flock-sim: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(EXIT_USAGE);
}

/* `count` numbers parted by `separator`, and nothing after them. */
static bool read_numbers(const char *text, char separator, double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        char *end;
        bool begins = *text != '\0' && strchr("+-.0123456789", *text) != NULL;
        numbers[i] = strtod(text, &end);
        if (!begins || end == text || !isfinite(numbers[i]) ||
            *end != (i + 1 < count ? separator : '\0')) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

static double number_of(const char *option, const char *text, double low, double high, bool whole)
{
    double number;
    if (!read_numbers(text, ',', &number, 1) || number < low || number > high ||
        (whole && number != floor(number))) {
        refuse("--%s: expected a%s number from %.15g to %.15g, not \"%s\"", option,
               whole ? " whole" : "", low, high, text);
    }
    return number;
}

static void read_world(struct options *options, const char *text)
{
    double size[2];
    if (!read_numbers(text, 'x', size, 2) || fmin(size[0], size[1]) < (double)FLOCK_WORLD_MIN ||
        fmax(size[0], size[1]) > (double)FLOCK_WORLD_MAX) {
        refuse("--world: expected WIDTHxHEIGHT, each from %g to %g, not \"%s\"",
               (double)FLOCK_WORLD_MIN, (double)FLOCK_WORLD_MAX, text);
    }
    options->definition.width = (float)size[0];
    options->definition.height = (float)size[1];
    options->world_given = true;
}

static void read_wall(struct options *options, const char *text)
{
    double at[4];
    double most = (double)FLOCK_WORLD_MAX;
    if (options->wall_count == FLOCK_WALLS_MAX) {
        refuse("--wall: expected at most %u walls", FLOCK_WALLS_MAX);
    }
    bool valid = read_numbers(text, ',', at, 4);
    for (int i = 0; i < 4 && valid; i++) {
        valid = fabs(at[i]) <= most;
    }
    struct flock_wall wall = {0};
    if (valid) {
        wall = (struct flock_wall){(float)at[0], (float)at[1], (float)at[2], (float)at[3]};
    }
    if (!valid || (wall.x1 == wall.x2 && wall.y1 == wall.y2)) {
        refuse("--wall: expected X1,Y1,X2,Y2, two different points within %g of the origin, not "
               "\"%s\"",
               most, text);
    }
    options->walls[options->wall_count++] = wall;
}

static void read_target(struct options *options, const char *text)
{
    double at[2];
    if (!read_numbers(text, ',', at, 2) || fmax(fabs(at[0]), fabs(at[1])) > (double)FLOCK_FAR) {
        refuse("--target: expected X,Y, each within %g of 0, not \"%s\"", (double)FLOCK_FAR, text);
    }
    options->target = (struct flock_point){(float)at[0], (float)at[1]};
    options->target_given = true;
}

/* The index of `text` among names that NULL ends. */
static int choice_of(const char *option, const char *text, const char *const *names)
{
    char all[256] = "";
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
        size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    refuse("--%s: expected one of %s, not \"%s\"", option, all, text);
}

static const struct flock_model *model_of(const char *text)
{
    const char *names[16] = {NULL};
    for (int i = 0; i < 15 && flock_models[i] != NULL; i++) {
        names[i] = flock_models[i]->name;
    }
    return flock_models[choice_of("model", text, names)];
}

static const struct flock_preset *preset_of(const char *text)
{
    const char *names[32] = {NULL};
    for (int i = 0; i < 31 && flock_presets[i].name != NULL; i++) {
        names[i] = flock_presets[i].name;
    }
    return &flock_presets[choice_of("preset", text, names)];
}

/* One option: its name is all there is to --help but the models. */
enum option_key {
    OPTION_MODEL = 256,
    OPTION_PRESET,
    OPTION_SET,
    OPTION_WORLD,
    OPTION_BOUNDARY,
    OPTION_BOIDS,
    OPTION_NEIGHBOURS,
    OPTION_SEED,
    OPTION_INIT,
    OPTION_WALL,
    OPTION_TARGET,
    OPTION_UPDATE,
    OPTION_ENGINE,
    OPTION_THREADS,
    OPTION_LANES,
    OPTION_TICKS,
    OPTION_EVERY,
    OPTION_OUTPUT,
    OPTION_MEASURES,
    OPTION_BENCH,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct {
    const char *name, *value, *text;
    enum option_key key;
} table[] = {
    {"model", "NAME", "one of those below (default swarm)", OPTION_MODEL},
    {"preset", "NAME", "one of those below: a model with its world, boids and parameters",
     OPTION_PRESET},
    {"set", "KEY=VALUE", "a parameter of the model; may be repeated", OPTION_SET},
    {"world", "WxH", "size of the world (default 550x400)", OPTION_WORLD},
    {"boundary", "NAME", "open, wrap or walls (default: the model's)", OPTION_BOUNDARY},
    {"boids", "N", "number of boids, spread at random (default 12)", OPTION_BOIDS},
    {"neighbours", "K", "a square world in which a boid starts with K others in reach",
     OPTION_NEIGHBOURS},
    {"seed", "S", "the same seed makes the same flock (default 1)", OPTION_SEED},
    {"init", "FILE", "boids from a file: a header, then x,y,vx,vy a row", OPTION_INIT},
    {"wall", "X1,Y1,X2,Y2", "a wall that reflects; may be repeated; with --boundary walls",
     OPTION_WALL},
    {"target", "X,Y", "where the cursor is (default: there is none)", OPTION_TARGET},
    {"update", "ORDER", "synchronous or sequential (default synchronous)", OPTION_UPDATE},
    {"engine", "NAME", "auto, or reference: every pair, in double precision", OPTION_ENGINE},
    {"threads", "N", "threads to share a tick, the result being the same (default 1)",
     OPTION_THREADS},
    {"lanes", "N", "floats at a time, 4, 8 or 16, the result being the same (default: the most)",
     OPTION_LANES},
    {"ticks", "N", "ticks to run (default 100)", OPTION_TICKS},
    {"every", "K", "write every Kth tick (default 1)", OPTION_EVERY},
    {"output", "FILE", "where to write; - is standard output (default -)", OPTION_OUTPUT},
    {"measures", NULL, "write a row of measures a tick instead of the boids", OPTION_MEASURES},
    {"bench", NULL, "write how long a tick takes instead, once the flock has formed", OPTION_BENCH},
    {"help", NULL, "this text", OPTION_HELP},
    {"version", NULL, "the version", OPTION_VERSION},
};

enum { OPTION_COUNT = sizeof table / sizeof *table };

static void print_help(void)
{
    puts("usage: flock-sim [OPTION]...\n\nRuns a flock without a server. Writes tick,id,x,y,vx,vy "
         "as comma-separated values.\n");
    for (int i = 0; i < OPTION_COUNT; i++) {
        char left[40];
        snprintf(left, sizeof left, "--%s %s", table[i].name,
                 table[i].value != NULL ? table[i].value : "");
        printf("  %-24s %s\n", left, table[i].text);
    }
    puts("\npresets:");
    for (const struct flock_preset *preset = flock_presets; preset->name != NULL; preset++) {
        printf("  %-20s %s, %u boids: %s\n", preset->name, preset->model->name, preset->boids,
               preset->text);
    }
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        printf("\n%s: %s\n", (*model)->name, (*model)->text);
        for (size_t i = 0; i < (*model)->param_count; i++) {
            const struct flock_param *p = &(*model)->params[i];
            char range[48];
            snprintf(range, sizeof range, "%g (%g to %g)", (double)p->initial, (double)p->min,
                     (double)p->max);
            printf("  %-20s %-20s %s%s%s\n", p->name, range, p->text, *p->unit ? ", " : "",
                   p->unit);
        }
    }
    exit(EXIT_SUCCESS);
}

static void take_option(struct options *options, int key, const char *value)
{
    static const char *const boundaries[] = {"open", "wrap", "walls", NULL};
    static const char *const updates[] = {"synchronous", "sequential", NULL};
    static const char *const engines[] = {"auto", "reference", NULL};
    struct flock_definition *definition = &options->definition;
    switch (key) {
    case OPTION_MODEL:
        definition->model = model_of(value);
        options->model_given = true;
        break;
    case OPTION_PRESET:
        options->preset = preset_of(value);
        break;
    case OPTION_SET:
        if (options->setting_count == SETTINGS_MAX) {
            refuse("--set: expected at most %d settings", SETTINGS_MAX);
        }
        options->settings[options->setting_count++] = value;
        break;
    case OPTION_WORLD:
        read_world(options, value);
        break;
    case OPTION_BOUNDARY:
        definition->boundary = (enum flock_boundary)choice_of("boundary", value, boundaries);
        options->boundary_given = true;
        break;
    case OPTION_BOIDS:
        definition->boids = (uint32_t)number_of("boids", value, 1, FLOCK_BOIDS_MAX, true);
        options->boids_given = true;
        break;
    case OPTION_NEIGHBOURS:
        options->neighbours = number_of("neighbours", value, 0.001, FLOCK_BOIDS_MAX, false);
        break;
    case OPTION_SEED:
        definition->seed = (uint64_t)number_of("seed", value, 0, 0x1p53, true);
        break;
    case OPTION_INIT:
        options->init = value;
        break;
    case OPTION_WALL:
        read_wall(options, value);
        break;
    case OPTION_TARGET:
        read_target(options, value);
        break;
    case OPTION_UPDATE:
        definition->update = (enum flock_update)choice_of("update", value, updates);
        break;
    case OPTION_ENGINE:
        options->reference = choice_of("engine", value, engines) == 1;
        break;
    case OPTION_THREADS:
        definition->threads = (uint32_t)number_of("threads", value, 1, FLOCK_THREADS_MAX, true);
        break;
    case OPTION_LANES:
        definition->lanes = (uint32_t)number_of("lanes", value, 4, 16, true);
        break;
    case OPTION_TICKS:
        options->ticks = (unsigned long)number_of("ticks", value, 0, TICKS_MAX, true);
        break;
    case OPTION_EVERY:
        options->every = (unsigned long)number_of("every", value, 1, TICKS_MAX, true);
        break;
    case OPTION_OUTPUT:
        options->output = value;
        break;
    case OPTION_MEASURES:
        options->measures = true;
        break;
    case OPTION_BENCH:
        options->bench = true;
        break;
    case OPTION_HELP:
        print_help();
        break;
    case OPTION_VERSION:
        puts("flock-sim " FLOCKD_VERSION);
        exit(EXIT_SUCCESS);
    default:
        exit(EXIT_USAGE); /* getopt has said why */
    }
}

/* What the preset or the model says wherever no option says otherwise. */
static void complete_definition(struct options *options)
{
    struct flock_definition *definition = &options->definition;
    struct flock_definition given = *definition;
    if (options->preset != NULL) {
        if (options->model_given || options->init != NULL || options->wall_count > 0) {
            refuse("--preset: expected no --model, --init or --wall with it");
        }
        flock_definition_preset(definition, options->preset);
        if (options->world_given) {
            definition->width = given.width;
            definition->height = given.height;
        }
        if (options->boids_given) {
            definition->boids = given.boids;
        }
    } else {
        definition->boundary = definition->model->boundary;
    }
    if (options->boundary_given) {
        definition->boundary = given.boundary;
    }
}

static void read_options(struct options *options, int argc, char **argv)
{
    struct option known[OPTION_COUNT + 1] = {{0}};
    for (int i = 0; i < OPTION_COUNT; i++) {
        known[i] =
            (struct option){table[i].name, table[i].value != NULL ? required_argument : no_argument,
                            NULL, (int)table[i].key};
    }
    int key;
    while ((key = getopt_long(argc, argv, "", known, NULL)) != -1) {
        take_option(options, key, optarg);
    }
    if (optind < argc) {
        refuse("expected options only, not \"%s\"", argv[optind]);
    }
    complete_definition(options);
    if (options->wall_count > 0 && options->definition.boundary != FLOCK_WALLS) {
        refuse("--wall: expected --boundary walls with it");
    }
    if (options->init != NULL && options->boids_given) {
        refuse("--init: expected no --boids with it, the file has its own number of them");
    }
    if (options->measures && (options->bench || options->reference)) {
        refuse("--measures: expected neither --bench nor --engine reference with it");
    }
}

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
    double *times = malloc((timed > 0 ? timed : 1) * sizeof *times);
    if (times == NULL || timed == 0) {
        refuse("--bench: expected at least one tick, and memory for their times");
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
    read_options(&options, argc, argv);
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
