#include "offline/sim_options.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "sim/sweep.h"

enum { EXIT_USAGE = 2, TICKS_MAX = 1000000000, TICKS_INITIAL = 100 };

#define FOOD_AMOUNT 200.0 /* units of food without an amount */

void refuse(const char *format, ...)
{
    char line[1024];
    char shown[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    log_escape(shown, sizeof shown, line, false);
    fprintf(stderr, "flock-sim: %s\n", shown);
    exit(EXIT_USAGE);
}

static const char *take_wall(void *field, const char *text, const struct option *option)
{
    struct options *options = field;
    double at[4];
    if (options->wall_count == FLOCK_WALLS_MAX ||
        !options_numbers(text, ',', option->min, option->max, at, 4)) {
        return option->rule->values;
    }
    struct flock_wall wall = {(float)at[0], (float)at[1], (float)at[2], (float)at[3]};
    if (wall.x1 == wall.x2 && wall.y1 == wall.y2) {
        return option->rule->values;
    }
    options->walls[options->wall_count++] = wall;
    return NULL;
}

static const char *take_food(void *field, const char *text, const struct option *option)
{
    struct flock_things *things = &((struct options *)field)->things;
    double at[3] = {0.0, 0.0, FOOD_AMOUNT};
    if (things->food_count == FLOCK_FOOD_MAX ||
        !(options_numbers(text, ',', option->min, option->max, at, 2) ||
          options_numbers(text, ',', option->min, option->max, at, 3)) ||
        at[2] < 1.0 || at[2] > FLOCK_AMOUNT_MAX || at[2] != floor(at[2])) {
        return option->rule->values;
    }
    things->food[things->food_count++] =
        (struct flock_food){(float)at[0], (float)at[1], (uint32_t)at[2]};
    return NULL;
}

static const char *take_hunter(void *field, const char *text, const struct option *option)
{
    struct flock_things *things = &((struct options *)field)->things;
    double at[2];
    if (things->hunter_count == FLOCK_HUNTERS_MAX ||
        !options_numbers(text, ',', option->min, option->max, at, 2)) {
        return option->rule->values;
    }
    things->hunters[things->hunter_count++] = (struct flock_point){(float)at[0], (float)at[1]};
    return NULL;
}

static const char *take_sweep(void *field, const char *text, const struct option *option)
{
    struct options_sweep *sweep = &((struct options *)field)->sweep;
    const char *value = strchr(text, '=');
    double numbers[3];

    if (value == NULL || value == text || (size_t)(value - text) >= sizeof sweep->name ||
        !options_numbers(value + 1, ':', option->min, option->max, numbers, 3) ||
        numbers[2] < 2.0 || numbers[2] > SWEEP_STEPS_MAX || numbers[2] != floor(numbers[2]) ||
        (float)numbers[0] == (float)numbers[1]) {
        return option->rule->values;
    }
    *sweep = (struct options_sweep){
        .from = (float)numbers[0], .to = (float)numbers[1], .steps = (uint32_t)numbers[2]};
    memcpy(sweep->name, text, (size_t)(value - text));
    return NULL;
}

static const struct option_rule food = {
    .values = "X,Y or X,Y,AMOUNT: an amount of 1 to 1000000 units; at most 64 of them",
    .take = take_food};
static const struct option_rule hunter = {
    .values = "X,Y: a point within 1000000 of the origin; at most 16 of them", .take = take_hunter};
static const struct option_rule sweep = {
    .values = "NAME=FROM:TO:STEPS: a parameter, two different values of it, and 2 to 64 steps",
    .take = take_sweep};
static const struct option_rule wall = {
    .values = "X1,Y1,X2,Y2: two different points within 65536 of the origin; at most 64 of them",
    .take = take_wall};
static const struct option_rule engines = {.words =
                                               (const char *const[]){"auto", "reference", NULL}};
static const struct option_rule lanes = {.words = (const char *const[]){"4", "8", "16", NULL}};

#define FIELD(name) OPTIONS_FIELD(struct options, name)

static const struct option flock_rows[] = {
    {"neighbours", NULL, OPTION_NUMBER, FIELD(neighbours), 0.001, FLOCK_BOIDS_MAX, NULL, "K", NULL,
     "make the world a square in which a boid starts with K others in reach"},
    {"seed", NULL, OPTION_UINT, FIELD(seed), 0, 0x1p53, NULL, "S", "1",
     "seed of the random numbers; equal seeds make equal flocks"},
    {"init", NULL, OPTION_TEXT, FIELD(init), 1, PATH_LENGTH_MAX - 1, NULL, "FILE", NULL,
     "read the boids from a file: a header, then one row x,y,vx,vy per boid"},
    {"load", NULL, OPTION_TEXT, FIELD(load), 1, PATH_LENGTH_MAX - 1, NULL, "FILE", NULL,
     "continue the flock that --save has written; replaces the flock's other options"},
    {"wall", NULL, OPTION_OTHER, 0, 0, -FLOCK_WORLD_MAX, FLOCK_WORLD_MAX, &wall, "X1,Y1,X2,Y2",
     NULL, "a wall that reflects; may be repeated; needs --boundary walls"},
    {"food", NULL, OPTION_OTHER, 0, 0, -FLOCK_FAR, FLOCK_FAR, &food, "X,Y[,AMOUNT]", NULL,
     "food, which boids seek and eat, 200 units of it or AMOUNT; may be repeated"},
    {"hunter", NULL, OPTION_OTHER, 0, 0, -FLOCK_FAR, FLOCK_FAR, &hunter, "X,Y", NULL,
     "a predator that moves to the nearest boid; may be repeated. With hunters, a flee_weight of 0 "
     "becomes the strength with which the model visibly flees"},
    {"target", NULL, OPTION_POINT, FIELD(target), -FLOCK_FAR, FLOCK_FAR, NULL, "X,Y", NULL,
     "position of the cursor (default: no cursor)"},
    {"wander", NULL, OPTION_FLAG, FIELD(wander), 0, 0, NULL, NULL, NULL,
     "move the target over the world as a room does while no cursor is active, at 30 ticks a "
     "second from the first tick of the run"},
    {0},
};

static const struct option run_rows[] = {
    {"engine", NULL, OPTION_CHOICE, FIELD(engine), 0, 0, &engines, "NAME", "auto",
     "auto: the fast engine; reference: every pair of boids, in double precision"},
    {"threads", NULL, OPTION_UINT, FIELD(threads), 1, FLOCK_THREADS_MAX, NULL, "N", "1",
     "threads that share a tick; their number does not change the flock"},
    {"lanes", NULL, OPTION_CHOICE, FIELD(lanes), 0, 0, &lanes, "N", NULL,
     "floats per instruction; does not change the flock (default: as many as the processor can)"},
    {"ticks", NULL, OPTION_UINT, FIELD(ticks), 0, TICKS_MAX, NULL, "N", NULL,
     "ticks to run, with --sweep at each value (default: 100)"},
    {"sweep", NULL, OPTION_OTHER, 0, 0, -FLOCK_FAR, FLOCK_FAR, &sweep, "NAME=FROM:TO:STEPS", NULL,
     "give a parameter STEPS values, from FROM to TO, one after another; write one row for each "
     "value: the means of the measures, with their standard errors"},
    {"warm-up", NULL, OPTION_UINT, FIELD(warm_up), 0, TICKS_MAX, NULL, "N", NULL,
     "with --sweep: ticks at each value before those that are measured (default: 100)"},
    {0},
};

static const struct option replay_rows[] = {
    {"replay", NULL, OPTION_TEXT, FIELD(replay), 1, PATH_LENGTH_MAX - 1, NULL, "FILE", NULL,
     "run a recording of a room; replaces the options of the flock and the run"},
    {"from", NULL, OPTION_UINT, FIELD(from), 0, 0x1p53, NULL, "T", NULL,
     "first tick to write (default: the recording's first)"},
    {"to", NULL, OPTION_UINT, FIELD(to), 0, 0x1p53, NULL, "T", NULL,
     "last tick to write (default: the recording's last)"},
    {"verify", NULL, OPTION_FLAG, FIELD(verify), 0, 0, NULL, NULL, NULL,
     "only check that the whole recording runs and agrees with its checkpoints"},
    {0},
};

static const struct option output_rows[] = {
    {"every", NULL, OPTION_UINT, FIELD(every), 1, TICKS_MAX, NULL, "K", "1",
     "write every Kth tick, or with --sweep, measure every Kth tick"},
    {"output", NULL, OPTION_TEXT, FIELD(output), 1, PATH_LENGTH_MAX - 1, NULL, "FILE", "-",
     "file to write; - is standard output"},
    {"save", NULL, OPTION_TEXT, FIELD(save), 1, PATH_LENGTH_MAX - 1, NULL, "FILE", NULL,
     "write the flock after the last tick to a file, for --load"},
    {"measures", NULL, OPTION_FLAG, FIELD(measures), 0, 0, NULL, NULL, NULL,
     "write one row of measures per tick instead of the boids"},
    {"bench", NULL, OPTION_FLAG, FIELD(bench), 0, 0, NULL, NULL, NULL,
     "write only how long a tick takes, once the flock has formed"},
    {0},
};

static const struct options_group groups[] = {
    {"The flock", flock_options_table, offsetof(struct options, flock)},
    {NULL, flock_rows, 0},
    {"The run", run_rows, 0},
    {"A recording", replay_rows, 0},
    {"The output", output_rows, 0},
    {0},
};

static void print_models(FILE *output)
{
    fputs("presets:\n", output);
    for (const struct flock_preset *preset = flock_presets; preset->name != NULL; preset++) {
        fprintf(output, "  %-20s %s, %u boids: %s\n", preset->name, preset->settings.model->name,
                preset->boids, preset->text);
    }
    for (const struct flock_model *const *model = flock_models; *model != NULL; model++) {
        fprintf(output, "\n%s: %s\n", (*model)->name, (*model)->text);
        for (size_t i = 0; i < (*model)->param_count; i++) {
            const struct flock_param *p = &(*model)->params[i];
            char range[48];
            snprintf(range, sizeof range, "%g (%g to %g)", (double)p->initial, (double)p->min,
                     (double)p->max);
            fprintf(output, "  %-20s %-20s %s%s%s\n", p->name, range, p->text, *p->unit ? ", " : "",
                    p->unit);
        }
    }
}

static const struct options_program program = {
    .name = "flock-sim",
    .usage = "Usage: flock-sim [OPTION]...\n\n"
             "Runs a flock without a server. Writes tick,id,x,y,vx,vy as comma-separated values.\n",
    .groups = groups,
    .notes = print_models,
};

/* Returns whether options describe the flock in addition to a file. */
static bool describes_flock(const struct options *options)
{
    const struct flock_options *flock = &options->flock;
    return flock->preset != OPTIONS_NONE || flock->model != OPTIONS_NONE ||
           flock->boundary != OPTIONS_NONE || flock->update != OPTIONS_NONE ||
           flock->world.width > 0.0F || flock->boids > 0 || flock->set[0] != '\0' ||
           options->neighbours > 0.0 || options->init[0] != '\0' || options->wall_count > 0 ||
           options->things.food_count > 0 || options->things.hunter_count > 0;
}

static void check_replay(const struct options *options)
{
    bool part = options->from > 0 || options->to < UINT64_MAX;
    if (options->replay[0] == '\0') {
        if (part || options->verify) {
            refuse("--%s: only valid with --replay", options->verify ? "verify" : "from and --to");
        }
        return;
    }
    if (describes_flock(options) || options->load[0] != '\0' || options->target_given ||
        options->wander || options->reference || options->bench || options->ticks != OPTIONS_NONE ||
        options->sweep.steps > 0) {
        refuse(
            "--replay: cannot be combined with options of the flock or the run, except --threads "
            "and --lanes");
    }
    if (options->from > options->to) {
        refuse("--to: expected at least the value of --from");
    }
    if (options->verify && (part || options->measures || options->save[0] != '\0')) {
        refuse("--verify: cannot be combined with --from, --to, --measures or --save");
    }
}

static void check_sweep(const struct options *options)
{
    uint32_t ticks = options->ticks != OPTIONS_NONE ? options->ticks : TICKS_INITIAL;

    if (options->sweep.steps == 0) {
        if (options->warm_up != OPTIONS_NONE) {
            refuse("--warm-up: only valid with --sweep");
        }
        return;
    }
    if (options->reference || options->bench || options->measures) {
        refuse("--sweep: cannot be combined with --engine reference, --bench or --measures");
    }
    if (ticks / 2 < options->every) {
        refuse("--sweep: expected --ticks of at least twice --every");
    }
}

/* Checks the rules between options. */
static void check(const struct options *options)
{
    const struct flock_options *flock = &options->flock;
    check_replay(options);
    check_sweep(options);
    if (flock->preset != OPTIONS_NONE &&
        (flock->model != OPTIONS_NONE || options->init[0] != '\0' || options->wall_count > 0)) {
        refuse("--preset: cannot be combined with --model, --init or --wall");
    }
    if (options->load[0] != '\0' && describes_flock(options)) {
        refuse("--load: cannot be combined with other options of the flock");
    }
    if (options->wander && options->target_given) {
        refuse("--wander: cannot be combined with --target");
    }
    if (options->save[0] != '\0' && options->reference) {
        refuse("--save: cannot be combined with --engine reference");
    }
    if (options->wall_count > 0 && options->definition.settings.boundary != FLOCK_WALLS) {
        refuse("--wall: only valid with --boundary walls");
    }
    if (options->init[0] != '\0' && flock->boids > 0) {
        refuse("--init: cannot be combined with --boids");
    }
    if (options->neighbours > 0.0 && (flock->world.width > 0.0F || options->init[0] != '\0')) {
        refuse("--neighbours: cannot be combined with --world or --init");
    }
    if (options->bench && options->ticks == 0) {
        refuse("--bench: expected --ticks of at least 1");
    }
    if (options->measures && (options->bench || options->reference)) {
        refuse("--measures: cannot be combined with --bench or --engine reference");
    }
}

void options_read(struct options *options, int argc, char **argv)
{
    *options = (struct options){.flock = FLOCK_OPTIONS_NONE,
                                .definition = flock_definition_default(),
                                .target = {NAN, NAN},
                                .ticks = OPTIONS_NONE,
                                .warm_up = OPTIONS_NONE,
                                .to = UINT64_MAX,
                                .lanes = OPTIONS_NONE};
    switch (options_parse(&program, options, argc, argv, stdout, stderr)) {
    case OPTIONS_DONE:
        exit(EXIT_SUCCESS);
    case OPTIONS_ERROR:
        exit(EXIT_USAGE);
    case OPTIONS_RUN:
        break;
    }
    options->target_given = !isnan(options->target.x);
    options->reference = options->engine == 1;
    struct flock_definition *definition = &options->definition;
    const struct flock_preset *preset;
    definition->seed = options->seed;
    definition->lanes = options->lanes != OPTIONS_NONE ? 4u << options->lanes : 0;
    if (!flock_options_apply(&options->flock, program.name, definition, &preset, stderr)) {
        exit(EXIT_USAGE);
    }
    check(options);
    options->ticks = options->ticks != OPTIONS_NONE ? options->ticks : TICKS_INITIAL;
    options->warm_up = options->warm_up != OPTIONS_NONE ? options->warm_up : TICKS_INITIAL;
}
