#include "flock_sim_options.h"

#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2, TICKS_MAX = 1000000000 };

void refuse(const char *format, ...)
{
    char line[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    for (char *c = line; *c != '\0'; c++) { /* a name or a value may hold a line's end */
        *c = (unsigned char)*c < ' ' || *c == '\177' ? '?' : *c;
    }
    fprintf(stderr, "flock-sim: %s\n", line);
    exit(EXIT_USAGE);
}

bool read_numbers(const char *text, char separator, double *numbers, int count)
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

static void take_world(struct options *options, const char *text)
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

static void take_wall(struct options *options, const char *text)
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

static void take_target(struct options *options, const char *text)
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

static void take_model(struct options *options, const char *value)
{
    options->definition.model = model_of(value);
    options->model_given = true;
}

static void take_preset(struct options *options, const char *value)
{
    options->preset = preset_of(value);
}

static void take_setting(struct options *options, const char *value)
{
    if (options->setting_count == SETTINGS_MAX) {
        refuse("--set: expected at most %d settings", SETTINGS_MAX);
    }
    options->settings[options->setting_count++] = value;
}

static void take_boundary(struct options *options, const char *value)
{
    const char *names[8] = {NULL};
    for (int i = 0; i < 7 && flock_boundaries[i].name != NULL; i++) {
        names[i] = flock_boundaries[i].name;
    }
    options->definition.boundary = (enum flock_boundary)choice_of("boundary", value, names);
    options->boundary_given = true;
}

static void take_boids(struct options *options, const char *value)
{
    options->definition.boids = (uint32_t)number_of("boids", value, 1, FLOCK_BOIDS_MAX, true);
    options->boids_given = true;
}

static void take_neighbours(struct options *options, const char *value)
{
    options->neighbours = number_of("neighbours", value, 0.001, FLOCK_BOIDS_MAX, false);
}

static void take_seed(struct options *options, const char *value)
{
    options->definition.seed = (uint64_t)number_of("seed", value, 0, 0x1p53, true);
}

static void take_init(struct options *options, const char *value)
{
    options->init = value;
}

static void take_update(struct options *options, const char *value)
{
    static const char *const names[] = {"synchronous", "sequential", NULL};
    options->definition.update = (enum flock_update)choice_of("update", value, names);
}

static void take_engine(struct options *options, const char *value)
{
    static const char *const names[] = {"auto", "reference", NULL};
    options->reference = choice_of("engine", value, names) == 1;
}

static void take_threads(struct options *options, const char *value)
{
    options->definition.threads = (uint32_t)number_of("threads", value, 1, FLOCK_THREADS_MAX, true);
}

static void take_lanes(struct options *options, const char *value)
{
    static const char *const names[] = {"4", "8", "16", NULL};
    options->definition.lanes = 4u << choice_of("lanes", value, names);
}

static void take_ticks(struct options *options, const char *value)
{
    options->ticks = (unsigned long)number_of("ticks", value, 0, TICKS_MAX, true);
}

static void take_every(struct options *options, const char *value)
{
    options->every = (unsigned long)number_of("every", value, 1, TICKS_MAX, true);
}

static void take_output(struct options *options, const char *value)
{
    options->output = value;
}

static void take_measures(struct options *options, const char *value)
{
    (void)value;
    options->measures = true;
}

static void take_bench(struct options *options, const char *value)
{
    (void)value;
    options->bench = true;
}

static void print_help(struct options *options, const char *value);

static void print_version(struct options *options, const char *value)
{
    (void)options;
    (void)value;
    puts("flock-sim " FLOCKD_VERSION);
    exit(EXIT_SUCCESS);
}

static const struct {
    const char *name, *value; /* NULL: it takes none */
    const char *text;
    void (*take)(struct options *options, const char *value);
} table[] = {
    {"model", "NAME", "one of those below (default swarm)", take_model},
    {"preset", "NAME", "one of those below: a model with its world, boids and parameters",
     take_preset},
    {"set", "KEY=VALUE", "a parameter of the model; may be repeated", take_setting},
    {"world", "WxH", "size of the world (default 550x400)", take_world},
    {"boundary", "NAME", "open, wrap or walls (default: the model's)", take_boundary},
    {"boids", "N", "number of boids, spread at random (default 12)", take_boids},
    {"neighbours", "K", "a square world in which a boid starts with K others in reach",
     take_neighbours},
    {"seed", "S", "the same seed makes the same flock (default 1)", take_seed},
    {"init", "FILE", "boids from a file: a header, then x,y,vx,vy a row", take_init},
    {"wall", "X1,Y1,X2,Y2", "a wall that reflects; may be repeated; with --boundary walls",
     take_wall},
    {"target", "X,Y", "where the cursor is (default: there is none)", take_target},
    {"update", "ORDER", "synchronous or sequential (default synchronous)", take_update},
    {"engine", "NAME", "auto, or reference: every pair, in double precision", take_engine},
    {"threads", "N", "threads to share a tick, the result being the same (default 1)",
     take_threads},
    {"lanes", "N", "floats at a time, 4, 8 or 16, the result being the same (default: the most)",
     take_lanes},
    {"ticks", "N", "ticks to run (default 100)", take_ticks},
    {"every", "K", "write every Kth tick (default 1)", take_every},
    {"output", "FILE", "where to write; - is standard output (default -)", take_output},
    {"measures", NULL, "write a row of measures a tick instead of the boids", take_measures},
    {"bench", NULL, "write how long a tick takes instead, once the flock has formed", take_bench},
    {"help", NULL, "this text", print_help},
    {"version", NULL, "the version", print_version},
};

enum { OPTION_COUNT = sizeof table / sizeof *table };

static void print_help(struct options *options, const char *value)
{
    (void)options;
    (void)value;
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

void options_read(struct options *options, int argc, char **argv)
{
    enum { FIRST_KEY = 256 };
    struct option known[OPTION_COUNT + 1] = {{0}};
    for (int i = 0; i < OPTION_COUNT; i++) {
        bool takes = table[i].value != NULL;
        known[i] = (struct option){table[i].name, takes ? required_argument : no_argument, NULL,
                                   FIRST_KEY + i};
    }
    int key;
    while ((key = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (key < FIRST_KEY) {
            exit(EXIT_USAGE); /* getopt has said why */
        }
        table[key - FIRST_KEY].take(options, optarg);
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
    if (options->neighbours > 0.0 && (options->world_given || options->init != NULL)) {
        refuse("--neighbours: expected neither --world nor --init with it");
    }
    if (options->bench && options->ticks == 0) {
        refuse("--bench: expected at least one of --ticks");
    }
    if (options->measures && (options->bench || options->reference)) {
        refuse("--measures: expected neither --bench nor --engine reference with it");
    }
}
