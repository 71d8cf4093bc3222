#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol.h"
#include "room/room.h"
#include "sim/flock.h"

#define NET_THREADS_MAX 64
#define SHOWN_MAX       80 /* bytes of a bad value that its message repeats, and a NUL */

enum option_type {
    OPTION_UINT,   /* uint32_t */
    OPTION_NUMBER, /* double */
    OPTION_CHOICE, /* an enum or unsigned: the index of a word */
    OPTION_WORLD,  /* struct config_world, as WIDTHxHEIGHT */
    OPTION_TEXT,   /* char[CONFIG_TEXT_MAX] */
    OPTION_WORD,   /* the same, of a-z, 0-9 and - */
    OPTION_LIST,   /* the same; given again, it is added after a comma */
    OPTION_FLAG,   /* bool; takes no value on the command line, 0 or 1 in the environment */
};

struct option {
    const char *flag; /* without the dashes */
    const char *env;  /* NULL: command line only */
    enum option_type type;
    size_t offset; /* of its field in struct config */
    double min, max;
    const char *(*choice)(size_t index); /* the word, or NULL beyond the last */
    const char *value_name;
    const char *initial; /* parsed as a value of the user's would be; NULL: see text */
    const char *text;
};

#define FIELD(name) offsetof(struct config, name)

static const char *preset_choice(size_t index)
{
    return flock_presets[index].name;
}

static const char *model_choice(size_t index)
{
    return flock_models[index] != NULL ? flock_models[index]->name : NULL;
}

static const char *boundary_choice(size_t index)
{
    return flock_boundaries[index].name;
}

static const char *policy_choice(size_t index)
{
    return cursor_policies[index].word;
}

static const char *idle_choice(size_t index)
{
    return cursor_idles[index].word;
}

static const char *log_format_choice(size_t index)
{
    static const char *const words[] = {"text", "json", NULL};

    return words[index];
}

/* The only place where an option is listed. */
static const struct option options[] = {
    {"preset", "FLOCKD_PRESET", OPTION_CHOICE, FIELD(preset), 0, 0, preset_choice, "NAME", NULL,
     "a flock worth seeing: model, world, boids and parameters together"},
    {"model", "FLOCKD_MODEL", OPTION_CHOICE, FIELD(model), 0, 0, model_choice, "NAME", NULL,
     "the flock model (default: the preset's, else swarm)"},
    {"boids", "FLOCKD_BOIDS", OPTION_UINT, FIELD(boids), 1, ROOM_BOIDS_MAX, NULL, "N", NULL,
     "boids in the flock (default: the preset's, else 12)"},
    {"world", "FLOCKD_WORLD", OPTION_WORLD, FIELD(world), FLOCK_WORLD_MIN, FLOCK_WORLD_MAX, NULL,
     "WxH", NULL, "width and height of the world in units (default: the preset's, else 550x400)"},
    {"boundary", "FLOCKD_BOUNDARY", OPTION_CHOICE, FIELD(boundary), 0, 0, boundary_choice, NULL,
     NULL, "what is at the edge of the world (default: the preset's or the model's)"},
    {"set", "FLOCKD_SET", OPTION_LIST, FIELD(set), 3, CONFIG_TEXT_MAX - 1, NULL, "KEY=VALUE", NULL,
     "a parameter of the model; may be given again, or several with commas"},
    {"seed", "FLOCKD_SEED", OPTION_UINT, FIELD(seed), 0, 4294967295.0, NULL, "N", "1",
     "the same seed makes the same flock"},
    {"tick-rate", "FLOCKD_TICK_RATE", OPTION_UINT, FIELD(tick_rate), 1, 240, NULL, "HZ", "30",
     "ticks of the flock per second"},
    {"threads", "FLOCKD_THREADS", OPTION_UINT, FIELD(threads), 1, FLOCK_THREADS_MAX, NULL, "N",
     NULL,
     "threads that share a tick of a big flock; the flock is the same (default: one less than the "
     "processors)"},
    {"snapshot-rate", "FLOCKD_SNAPSHOT_RATE", OPTION_UINT, FIELD(snapshot_rate), 1, 240, NULL, "HZ",
     NULL, "snapshots per second to each client, at most the tick rate (default: the tick rate)"},
    {"policy", "FLOCKD_POLICY", OPTION_CHOICE, FIELD(policy), 0, 0, policy_choice, "NAME", "mean",
     "how cursors become the target: the mean of all, the latest to move, for each boid the "
     "nearest, or the presenter's"},
    {"idle", "FLOCKD_IDLE", OPTION_CHOICE, FIELD(idle), 0, 0, idle_choice, NULL, "wander",
     "with no active cursor the target wanders, or there is none"},
    {"cursor-timeout", "FLOCKD_CURSOR_TIMEOUT", OPTION_NUMBER, FIELD(cursor_timeout), 0.1, 86400,
     NULL, "SECONDS", "10", "a cursor that has not moved for so long no longer steers"},
    {"open-controls", "FLOCKD_OPEN_CONTROLS", OPTION_FLAG, FIELD(open_controls), 0, 0, NULL, NULL,
     NULL, "everyone is a presenter and may change the flock"},
    {"presenter-key", "FLOCKD_PRESENTER_KEY", OPTION_WORD, FIELD(key), 8, PROTO_KEY_MAX, NULL,
     "KEY", NULL, "what makes someone a presenter (default: a new one at each start, printed)"},
    {"port", "FLOCKD_PORT", OPTION_UINT, FIELD(port), 0, 65535, NULL, "N", "8080",
     "TCP port; 0 picks a free one and prints it"},
    {"bind", "FLOCKD_BIND", OPTION_TEXT, FIELD(bind), 1, 255, NULL, "ADDRESS", "127.0.0.1",
     "address to listen on; 0.0.0.0, or :: for IPv6 too, opens flockd to the network"},
    {"max-clients", "FLOCKD_MAX_CLIENTS", OPTION_UINT, FIELD(max_clients), 1, 100000, NULL, "N",
     "10000", "connections at a time, as far as the limit of open files allows"},
    {"net-threads", "FLOCKD_NET_THREADS", OPTION_UINT, FIELD(net_threads), 1, NET_THREADS_MAX, NULL,
     "N", NULL, "threads that serve clients (default: half the processors, at most 8)"},
    {"stall-timeout", "FLOCKD_STALL_TIMEOUT", OPTION_NUMBER, FIELD(stall_timeout), 1, 3600, NULL,
     "SECONDS", "30", "a client that has taken no snapshot for so long is disconnected"},
    {"allow-origin", "FLOCKD_ALLOW_ORIGIN", OPTION_TEXT, FIELD(allow_origin), 0, 255, NULL,
     "ORIGIN", "",
     "a further web origin whose pages may connect, such as https://example.org; * "
     "for all (default: only flockd's own page)"},
    {"web", "FLOCKD_WEB", OPTION_TEXT, FIELD(web), 1, CONFIG_TEXT_MAX - 1, NULL, "FOLDER", NULL,
     "folder of the built page (default: web beside the program, else the installed one)"},
    {"log-format", "FLOCKD_LOG_FORMAT", OPTION_CHOICE, FIELD(log_format), 0, 0, log_format_choice,
     NULL, "text", "log lines for people or for machines"},
    {"healthcheck", NULL, OPTION_FLAG, FIELD(healthcheck), 0, 0, NULL, NULL, NULL,
     "ask the flockd at this address and port how it is; exit 0 if it is well"},
};

#define OPTION_COUNT (sizeof options / sizeof options[0])

/* Writes the values that an option takes, as a reader would say it: "1-200000", "mean|latest". */
static void describe_range(char *out, size_t size, const struct option *option)
{
    size_t used = 0;

    out[0] = '\0';
    switch (option->type) {
    case OPTION_UINT:
    case OPTION_NUMBER:
        snprintf(out, size, "%.10g-%.10g", option->min, option->max);
        break;
    case OPTION_CHOICE:
        for (size_t i = 0; option->choice(i) != NULL && used < size; i++) {
            used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? "|" : "",
                                     option->choice(i));
        }
        break;
    case OPTION_WORLD:
        snprintf(out, size, "WxH, each %.10g-%.10g", option->min, option->max);
        break;
    case OPTION_TEXT:
    case OPTION_LIST:
        snprintf(out, size, "%.10g-%.10g bytes", option->min, option->max);
        break;
    case OPTION_WORD:
        snprintf(out, size, "%.10g-%.10g of a-z, 0-9 and -", option->min, option->max);
        break;
    case OPTION_FLAG:
        snprintf(out, size, "%s", option->env != NULL ? "0|1" : "");
        break;
    }
}

bool config_number(const char *text, double *value)
{
    char *end;

    /* strtod() would also take leading space, hexadecimal, "inf" and "nan". */
    for (const char *c = text; *c != '\0'; c++) {
        if (!isdigit((unsigned char)*c) && strchr("+-.eE", *c) == NULL) {
            return false;
        }
    }
    errno = 0;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && errno == 0 && isfinite(*value);
}

static bool parse_uint(const char *text, double *value)
{
    if (text[0] == '\0' || strlen(text) > 15 || strspn(text, "0123456789") != strlen(text)) {
        return false;
    }
    *value = strtod(text, NULL);
    return true;
}

static bool parse_world(const struct option *option, const char *text, struct config_world *world)
{
    const char *x = strchr(text, 'x');
    char width[32] = "";
    double w;
    double h;

    if (x == NULL || (size_t)(x - text) >= sizeof width) {
        return false;
    }
    memcpy(width, text, (size_t)(x - text));
    if (!config_number(width, &w) || !config_number(x + 1, &h) || w < option->min ||
        w > option->max || h < option->min || h > option->max) {
        return false;
    }
    *world = (struct config_world){(float)w, (float)h};
    return true;
}

static bool parse_choice(const struct option *option, const char *text, unsigned *index)
{
    for (unsigned i = 0; option->choice(i) != NULL; i++) {
        if (strcmp(text, option->choice(i)) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

/* Stores text, or what a list has so far and the text, if its length is allowed. */
static bool store_text(const struct option *option, const char *text, char *field)
{
    size_t used = option->type == OPTION_LIST ? strlen(field) : 0;
    size_t size = used + (used > 0) + strlen(text);

    if ((double)strlen(text) < option->min || (double)size > option->max) {
        return false;
    }
    if (option->type == OPTION_WORD &&
        strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(text)) {
        return false;
    }
    if (used > 0) {
        field[used++] = ',';
    }
    memcpy(field + used, text, strlen(text) + 1);
    return true;
}

/* Stores a value of that option. Returns false if it is not one. */
static bool store(struct config *config, const struct option *option, const char *text)
{
    void *field = (char *)config + option->offset;
    double number;

    switch (option->type) {
    case OPTION_UINT:
        if (!parse_uint(text, &number) || number < option->min || number > option->max) {
            return false;
        }
        *(uint32_t *)field = (uint32_t)number;
        return true;
    case OPTION_NUMBER:
        if (!config_number(text, &number) || number < option->min || number > option->max) {
            return false;
        }
        *(double *)field = number;
        return true;
    case OPTION_CHOICE:
        return parse_choice(option, text, field);
    case OPTION_WORLD:
        return parse_world(option, text, field);
    case OPTION_TEXT:
    case OPTION_WORD:
    case OPTION_LIST:
        return store_text(option, text, field);
    case OPTION_FLAG:
        *(bool *)field = strcmp(text, "1") == 0;
        return strcmp(text, "1") == 0 || strcmp(text, "0") == 0;
    }
    return false;
}

/* The line that every bad value gets. */
static enum config_result refuse(FILE *errors, const struct option *option, const char *source,
                                 const char *value)
{
    static const char *const kinds[] = {
        [OPTION_UINT] = "a whole number in ", [OPTION_NUMBER] = "in the range ",
        [OPTION_CHOICE] = "one of ",          [OPTION_WORLD] = "",
        [OPTION_TEXT] = "in the range ",      [OPTION_WORD] = "",
        [OPTION_LIST] = "in the range ",      [OPTION_FLAG] = "one of ",
    };
    char range[160];
    char shown[SHOWN_MAX];

    describe_range(range, sizeof range, option);
    log_escape(shown, sizeof shown, value, false);
    fprintf(errors, "flockd: %s: '%s' is not %s%s; see flockd --help\n", source, shown,
            kinds[option->type], range);
    return CONFIG_ERROR;
}

static void print_help(FILE *output)
{
    char left[192];
    char range[160];

    fputs("Usage: flockd [OPTION]...\n\n"
          "Ticks one flock for everybody: browsers and terminals that connect see it and steer it\n"
          "together with a shared cursor.\n\n",
          output);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &options[i];
        describe_range(range, sizeof range, option);
        snprintf(left, sizeof left, "--%s%s%s", option->flag,
                 option->type == OPTION_FLAG ? "" : " ",
                 option->value_name != NULL      ? option->value_name
                 : option->type == OPTION_CHOICE ? range
                                                 : "");
        fprintf(output, "  %-28s%s", left, option->text);
        if (option->type == OPTION_UINT || option->type == OPTION_NUMBER ||
            (option->type == OPTION_CHOICE && option->value_name != NULL)) {
            fprintf(output, "; %s", range);
        }
        if (option->initial != NULL && option->initial[0] != '\0') {
            fprintf(output, " (default: %s)", option->initial);
        }
        fputc('\n', output);
    }
    fprintf(output, "  %-28s%s\n  %-28s%s\n  %-28s%s\n\n", "--help", "print this", "--help-table",
            "print the options as a Markdown table", "--version", "print the version");
    fputs("Each option can also be set in the environment as FLOCKD_ and its name, such as\n"
          "FLOCKD_TICK_RATE=60; the command line wins. SIGTERM or SIGINT ends flockd.\n",
          output);
}

static void print_help_table(FILE *output)
{
    char range[160];

    fputs("| option | environment | values | default | meaning |\n"
          "| --- | --- | --- | --- | --- |\n",
          output);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &options[i];
        describe_range(range, sizeof range, option);
        fprintf(
            output, "| `--%s%s%s` | %s%s%s | ", option->flag, option->value_name != NULL ? " " : "",
            option->value_name != NULL ? option->value_name : "", option->env != NULL ? "`" : "",
            option->env != NULL ? option->env : "", option->env != NULL ? "`" : "");
        for (const char *c = option->type == OPTION_TEXT || option->type == OPTION_LIST ? "text"
                                                                                        : range;
             *c != '\0'; c++) {
            fputs(*c == '|' ? ", " : (char[]){*c, '\0'}, output);
        }
        fprintf(output, " | %s | %s |\n", option->initial != NULL ? option->initial : "",
                option->text);
    }
}

static const struct option *find_option(const char *name, size_t length)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (strlen(options[i].flag) == length && memcmp(options[i].flag, name, length) == 0) {
            return &options[i];
        }
    }
    return NULL;
}

/* The page's folder when none is named: beside the program as it is built, else where `make
 * install` puts it. */
static void default_web(char out[CONFIG_TEXT_MAX])
{
    char path[CONFIG_TEXT_MAX - 16];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);

    if (size > 0) {
        path[size] = '\0';
        char *slash = strrchr(path, '/');
        if (slash != NULL) {
            *slash = '\0';
            snprintf(out, CONFIG_TEXT_MAX, "%s/web", path);
            if (access(out, F_OK) == 0) {
                return;
            }
        }
    }
    snprintf(out, CONFIG_TEXT_MAX, "%s/share/flockd/web", FLOCKD_PREFIX);
}

/* All processors but one, which is left to the network. */
static uint32_t default_threads(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    if (processors <= 2) {
        return 1;
    }
    return processors > FLOCK_THREADS_MAX ? FLOCK_THREADS_MAX : (uint32_t)processors - 1;
}

/* Half of the processors: the kernel's own part of the network takes about as much again, and the
 * ticks want the rest. Eight fill a link of 10 Gbit/s: each sends more than 100,000 snapshots of
 * 2,400 bytes a second. */
static uint32_t default_net_threads(void)
{
    long half = sysconf(_SC_NPROCESSORS_ONLN) / 2;

    return half < 1 ? 1 : half > 8 ? 8 : (uint32_t)half;
}

static enum config_result parse_environment(struct config *config, FILE *errors)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const char *value = options[i].env != NULL ? getenv(options[i].env) : NULL;
        if (value != NULL && !store(config, &options[i], value)) {
            return refuse(errors, &options[i], options[i].env, value);
        }
    }
    return CONFIG_RUN;
}

/* Whether one of the arguments asks for something to read, wherever it stands and whatever the
 * others are; answers it. */
static bool answer_question(int argc, char **argv, FILE *output)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            print_help(output);
            return true;
        }
        if (strcmp(argv[i], "--help-table") == 0) {
            print_help_table(output);
            return true;
        }
        if (strcmp(argv[i], "--version") == 0) {
            fputs("flockd " FLOCKD_VERSION "\n", output);
            return true;
        }
    }
    return false;
}

static enum config_result parse_arguments(struct config *config, int argc, char **argv,
                                          FILE *errors)
{
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        const char *name = strncmp(argument, "--", 2) == 0 ? argument + 2 : "";
        size_t length = strcspn(name, "=");
        const struct option *option = find_option(name, length);
        if (option == NULL) {
            char shown[SHOWN_MAX];
            log_escape(shown, sizeof shown, argument, false);
            fprintf(errors, "flockd: unknown option '%s'; see flockd --help\n", shown);
            return CONFIG_ERROR;
        }
        const char *value = name[length] == '=' ? name + length + 1 : NULL;
        if (option->type == OPTION_FLAG && value != NULL) {
            fprintf(errors, "flockd: --%s takes no value; see flockd --help\n", option->flag);
            return CONFIG_ERROR;
        }
        if (option->type != OPTION_FLAG && value == NULL) {
            if (i + 1 == argc) {
                fprintf(errors, "flockd: --%s: a value is missing; see flockd --help\n",
                        option->flag);
                return CONFIG_ERROR;
            }
            value = argv[++i];
        }
        if (!store(config, option, option->type == OPTION_FLAG ? "1" : value)) {
            char source[64];
            snprintf(source, sizeof source, "--%s", option->flag);
            return refuse(errors, option, source, value);
        }
    }
    return CONFIG_RUN;
}

enum config_result config_parse(struct config *config, int argc, char **argv, FILE *output,
                                FILE *errors)
{
    enum config_result result;

    if (answer_question(argc, argv, output)) {
        return CONFIG_DONE;
    }
    memset(config, 0, sizeof *config);
    config->preset = config->model = config->boundary = CONFIG_NONE;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (options[i].initial != NULL) {
            store(config, &options[i], options[i].initial);
        }
    }
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    if (slash != NULL) {
        snprintf(config->folder, sizeof config->folder, "%.*s", (int)(slash - argv[0] + 1),
                 argv[0]);
    }
    result = parse_environment(config, errors);
    if (result == CONFIG_RUN) {
        result = parse_arguments(config, argc, argv, errors);
    }
    if (result != CONFIG_RUN) {
        return result;
    }
    if (config->snapshot_rate == 0) {
        config->snapshot_rate = config->tick_rate;
    }
    if (config->snapshot_rate > config->tick_rate) {
        fprintf(errors,
                "flockd: --snapshot-rate: %u is more than the tick rate of %u; there is one "
                "snapshot a tick at the most\n",
                config->snapshot_rate, config->tick_rate);
        return CONFIG_ERROR;
    }
    if (config->threads == 0) {
        config->threads = default_threads();
    }
    if (config->net_threads == 0) {
        config->net_threads = default_net_threads();
    }
    if (config->web[0] == '\0') {
        default_web(config->web);
    }
    return CONFIG_RUN;
}
