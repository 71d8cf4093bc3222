#include "base/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "text.h"

#define SHOWN_MAX   80  /* bytes of a wrong value that the error repeats, and a NUL */
#define RANGE_MAX   160 /* bytes that describe_range() writes */
#define HELP_COLUMN 30  /* column at which the texts of --help begin */
#define HELP_WIDTH  80

/* ---- from text to field */

bool options_numbers(const char *text, char separator, double low, double high, double *numbers,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        /* strtod() would also accept leading space, hexadecimal, "inf" and "nan". */
        size_t length = strspn(text, "0123456789+-.eE");
        char *end;
        errno = 0;
        numbers[i] = strtod(text, &end);
        if (length == 0 || end != text + length || errno != 0 || !isfinite(numbers[i]) ||
            numbers[i] < low || numbers[i] > high || *end != (i + 1 < count ? separator : '\0')) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

static bool is_key(const char *text)
{
    return text_is_word(text, strlen(text), "-");
}

const struct option_rule options_key = {
    .valid = is_key, .values = "of a-z, 0-9 and -", .secret = true};

static bool store_uint(const struct option *option, const char *text, void *field)
{
    size_t digits = strspn(text, "0123456789");
    uint64_t number = strtoull(text, NULL, 10);

    if (digits == 0 || digits > 19 || text[digits] != '\0' || number < (uint64_t)option->min ||
        number > (uint64_t)option->max) {
        return false;
    }
    if (option->size == sizeof(uint64_t)) {
        *(uint64_t *)field = number;
    } else {
        *(uint32_t *)field = (uint32_t)number;
    }
    return true;
}

static bool store_number(const struct option *option, const char *text, void *field)
{
    return options_numbers(text, ',', option->min, option->max, field, 1);
}

static bool store_pair(const struct option *option, const char *text, void *field)
{
    double numbers[2];
    char separator = option->type == OPTION_WORLD ? 'x' : ',';

    if (!options_numbers(text, separator, option->min, option->max, numbers, 2)) {
        return false;
    }
    memcpy(field, (float[]){(float)numbers[0], (float)numbers[1]}, 2 * sizeof(float));
    return true;
}

static const char *choice(const struct option *option, size_t index)
{
    const struct option_rule *rule = option->rule;

    return rule->words != NULL ? rule->words[index] : rule->word(index);
}

static bool store_choice(const struct option *option, const char *text, void *field)
{
    unsigned i = 0;

    while (choice(option, i) != NULL && strcmp(text, choice(option, i)) != 0) {
        i++;
    }
    *(unsigned *)field = i;
    return choice(option, i) != NULL;
}

static bool store_flag(const struct option *option, const char *text, void *field)
{
    (void)option;
    *(bool *)field = strcmp(text, "1") == 0;
    return *(bool *)field || strcmp(text, "0") == 0;
}

/* Stores the text, or appends it to a list, if its length is allowed. */
static bool store_text(const struct option *option, const char *text, void *field)
{
    char *out = field;
    size_t used = option->type == OPTION_LIST ? strlen(out) : 0;
    size_t size = used + (used > 0) + strlen(text);

    if ((double)strlen(text) < option->min || (double)size > option->max ||
        (option->rule != NULL && !option->rule->valid(text))) {
        return false;
    }
    for (const char *c = text; *c != '\0' && option->type == OPTION_TEXT; c++) {
        if ((unsigned char)*c < ' ' || *c == '\x7f') {
            return false;
        }
    }
    if (used > 0) {
        out[used++] = ',';
    }
    memcpy(out + used, text, strlen(text) + 1);
    return true;
}

/* How to describe a value of each type to people: the words before the range, and the range from
 * min to max. */
static const struct {
    const char *kind, *range;
    bool (*store)(const struct option *option, const char *text, void *field);
} types[] = {
    [OPTION_UINT] = {"a whole number in ", "%.16g-%.16g", store_uint},
    [OPTION_NUMBER] = {"a number in ", "%.16g-%.16g", store_number},
    [OPTION_CHOICE] = {"one of ", NULL, store_choice},
    [OPTION_WORLD] = {"", "WxH, each %.10g-%.10g", store_pair},
    [OPTION_POINT] = {"", "X,Y, each from %.10g to %.10g", store_pair},
    [OPTION_TEXT] = {"", "%.10g-%.10g bytes without control characters", store_text},
    [OPTION_LIST] = {"", "%.10g-%.10g bytes", store_text},
    [OPTION_FLAG] = {"one of ", "0|1", store_flag},
    [OPTION_OTHER] = {"", NULL, NULL},
    [OPTION_REMOVED] = {"", "", NULL},
};

/* Stores a value of that option. Returns NULL, or what was expected: all of it for OPTION_OTHER,
 * otherwise the words before the range. */
static const char *store(const struct option *option, void *values, const char *text)
{
    void *field = (char *)values + option->offset;

    if (option->type == OPTION_OTHER) {
        return option->rule->take(field, text, option);
    }
    return types[option->type].store(option, text, field) ? NULL : types[option->type].kind;
}

/* Writes the allowed values of an option: "1-240", "mean|latest", "8-64 of a-z, 0-9 and -". */
static void describe_range(char out[RANGE_MAX], const struct option *option)
{
    size_t used = 0;

    if (option->type == OPTION_CHOICE) {
        for (size_t i = 0; choice(option, i) != NULL && used < RANGE_MAX; i++) {
            used += (size_t)snprintf(out + used, RANGE_MAX - used, "%s%s", i > 0 ? "|" : "",
                                     choice(option, i));
        }
    } else if (option->type == OPTION_OTHER) {
        snprintf(out, RANGE_MAX, "%s", option->rule->values);
    } else if ((option->type == OPTION_TEXT || option->type == OPTION_LIST) &&
               option->rule != NULL) {
        snprintf(out, RANGE_MAX, "%.10g-%.10g %s", option->min, option->max, option->rule->values);
    } else {
        snprintf(out, RANGE_MAX, types[option->type].range, option->min, option->max);
    }
}

void options_refuse(FILE *errors, const char *program, const char *source, const char *value,
                    const char *expected)
{
    char shown[SHOWN_MAX];

    if (value == NULL) {
        fprintf(errors, "%s: %s: expected %s; see %s --help\n", program, source, expected, program);
        return;
    }
    log_escape(shown, sizeof shown, value, false);
    fprintf(errors, "%s: %s: '%s' is not %s; see %s --help\n", program, source, shown, expected,
            program);
}

/* ---- where values come from */

struct parse {
    const struct options_program *program;
    void *values;
    int argc;
    char **argv;
    FILE *errors;
};

/* Returns the option of that index over all groups, and its group; NULL after the last. */
static const struct option *option_at(const struct options_program *program, size_t index,
                                      const struct options_group **group)
{
    for (*group = program->groups; (*group)->options != NULL; (*group)++) {
        for (const struct option *option = (*group)->options; option->flag != NULL; option++) {
            if (index-- == 0) {
                return option;
            }
        }
    }
    return NULL;
}

/* Stores a value of an option of that group, or refuses it. */
static bool take(const struct parse *parse, const struct option *option, size_t offset,
                 const char *source, const char *value)
{
    char range[RANGE_MAX] = "";
    char expected[2 * RANGE_MAX];
    const char *kind;

    if (option->type == OPTION_REMOVED) {
        fprintf(parse->errors, "%s: %s was removed and has no effect\n", parse->program->name,
                source);
        return true;
    }
    kind = store(option, (char *)parse->values + offset, value);

    if (kind == NULL) {
        return true;
    }
    if (option->type != OPTION_OTHER) {
        describe_range(range, option);
    }
    snprintf(expected, sizeof expected, "%s%s", kind, range);
    options_refuse(parse->errors, parse->program->name, source,
                   option->rule != NULL && option->rule->secret ? NULL : value, expected);
    return false;
}

/* Prints the error about a command line of the wrong form. Returns false. */
static bool complain(const struct parse *parse, const char *before, const char *word,
                     const char *after)
{
    const char *program = parse->program->name;
    char shown[SHOWN_MAX];

    log_escape(shown, sizeof shown, word, false);
    fprintf(parse->errors, "%s: %s%s%s; see %s --help\n", program, before, shown, after, program);
    return false;
}

static bool parse_environment(const struct parse *parse)
{
    const struct options_group *group;
    const struct option *option;

    for (size_t i = 0; (option = option_at(parse->program, i, &group)) != NULL; i++) {
        const char *value = option->env != NULL ? getenv(option->env) : NULL;
        if (value != NULL && value[0] != '\0' &&
            !take(parse, option, group->offset, option->env, value)) {
            return false;
        }
    }
    return true;
}

/* Returns the option of that name, `length` bytes, and its group; NULL: there is none. */
static const struct option *find_option(const struct options_program *program, const char *name,
                                        size_t length, const struct options_group **group)
{
    const struct option *option;

    for (size_t at = 0; (option = option_at(program, at, group)) != NULL; at++) {
        if (strlen(option->flag) == length && memcmp(option->flag, name, length) == 0) {
            break;
        }
    }
    return option;
}

/* Reads the option at argv[*i]. Moves *i to its value if that is a separate word. */
static bool parse_option(const struct parse *parse, int *i, bool taking)
{
    const char *text = parse->argv[*i];
    const char *name = strncmp(text, "--", 2) == 0 ? text + 2 : "";
    size_t length = strcspn(name, "=");
    const struct options_group *group;
    const struct option *option = find_option(parse->program, name, length, &group);
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    char source[64];

    if (option == NULL) {
        return text[0] == '-' ? complain(parse, "unknown option '", text, "'")
                              : complain(parse, "expected options only, got '", text, "'");
    }
    snprintf(source, sizeof source, "--%s", option->flag);
    if (option->type == OPTION_FLAG) {
        if (value != NULL) {
            return complain(parse, "", source, " takes no value");
        }
        value = "1";
    } else if (value == NULL) {
        if (*i + 1 == parse->argc) {
            return complain(parse, "", source, ": a value is missing");
        }
        value = parse->argv[++*i];
    }
    return !taking || take(parse, option, group->offset, source, value);
}

/* Reads the command line, for either the argument or the options. */
static bool parse_line(const struct parse *parse, bool taking_argument)
{
    const struct option *argument = parse->program->argument;
    bool ended = false; /* after "--": no more options */
    bool found = false;

    for (int i = 1; i < parse->argc; i++) {
        const char *text = parse->argv[i];
        if (argument != NULL && !ended && strcmp(text, "--") == 0) {
            ended = true;
        } else if (argument != NULL && (ended || text[0] != '-' || text[1] == '\0')) {
            if (found) {
                return complain(parse, "expected one ", argument->value_name, ", not several");
            }
            found = true;
            if (taking_argument && !take(parse, argument, 0, argument->value_name, text)) {
                return false;
            }
        } else if (!parse_option(parse, &i, !taking_argument)) {
            return false;
        }
    }
    return true;
}

const char *options_given(const struct options_program *program, const char *flag, int argc,
                          char **argv)
{
    const char *given = NULL;

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const struct options_group *group;
        const char *name = strncmp(argv[i], "--", 2) == 0 ? argv[i] + 2 : "";
        size_t length = strcspn(name, "=");
        const struct option *option = find_option(program, name, length, &group);
        const char *value = name[length] == '=' ? name + length + 1 : "1";
        if (option == NULL) {
            continue;
        }
        if (option->type != OPTION_FLAG && name[length] == '\0') {
            value = argv[++i]; /* NULL: it is missing */
        }
        given = strcmp(option->flag, flag) == 0 ? value : given;
    }
    return given;
}

bool options_is_flag(const struct options_program *program, const char *name)
{
    const struct options_group *group;
    const struct option *option = find_option(program, name, strlen(name), &group);

    return option != NULL && option->type == OPTION_FLAG;
}

bool options_take(const struct options_program *program, void *values, const char *flag,
                  const char *source, const char *value, FILE *errors)
{
    const struct parse parse = {.program = program, .values = values, .errors = errors};
    const struct options_group *group;
    const struct option *option = find_option(program, flag, strlen(flag), &group);

    if (option != NULL) {
        return take(&parse, option, group->offset, source, value);
    }
    return program->argument == NULL || take(&parse, program->argument, 0, source, value);
}

/* ---- questions */

/* Prints one row of --help and breaks its text into lines. */
static void print_row(FILE *output, const char *left, const char *text)
{
    const size_t width = HELP_WIDTH - HELP_COLUMN;

    fprintf(output, "  %-*s ", HELP_COLUMN - 3, left);
    while (strlen(text) > width) {
        size_t cut = width;
        while (cut > 0 && text[cut] != ' ' && text[cut - 1] != '|') {
            cut--;
        }
        cut = cut > 0 ? cut : width;
        fprintf(output, "%.*s\n%*s", (int)cut, text, HELP_COLUMN, "");
        text += cut + (text[cut] == ' ');
    }
    fprintf(output, "%s\n", text);
}

/* Returns whether an option takes any text. */
static bool takes_any(const struct option *option)
{
    return option->type == OPTION_LIST || (option->type == OPTION_TEXT && option->rule == NULL);
}

/* Returns whether the values of an option have a range. */
static bool has_range(const struct option *option)
{
    return !takes_any(option) && option->type != OPTION_FLAG && option->type != OPTION_REMOVED;
}

static void print_option(FILE *output, const struct option *option)
{
    char range[RANGE_MAX];
    char left[2 * RANGE_MAX];
    char text[1024];
    bool words = option->type == OPTION_CHOICE && option->value_name == NULL;
    bool ranged = !words && has_range(option);
    bool initial = option->initial != NULL && option->initial[0] != '\0';

    describe_range(range, option);
    const char *value = words ? range : option->value_name;
    snprintf(left, sizeof left, "--%s%s%s", option->flag, value != NULL ? " " : "",
             value != NULL ? value : "");
    snprintf(text, sizeof text, "%s%s%s%s%s%s", option->text, ranged ? "; " : "",
             ranged ? range : "", initial ? " (default: " : "", initial ? option->initial : "",
             initial ? ")" : "");
    print_row(output, left, text);
}

static void print_help(const struct options_program *program, FILE *output)
{
    fputs(program->usage, output);
    for (const struct options_group *group = program->groups; group->options != NULL; group++) {
        if (group->title != NULL) {
            fprintf(output, "\n%s:\n", group->title);
        }
        for (const struct option *option = group->options; option->flag != NULL; option++) {
            print_option(output, option);
        }
    }
    print_row(output, "--help", "print this (also: -h)");
    print_row(output, "--help-table", "print the options as a Markdown table");
    print_row(output, "--version", "print the version");
    if (program->notes != NULL) {
        fputc('\n', output);
        program->notes(output);
    }
}

static void print_help_table(const struct options_program *program, FILE *output)
{
    const struct options_group *group;
    const struct option *option;

    fputs("| option | environment | values | default | meaning |\n"
          "| --- | --- | --- | --- | --- |\n",
          output);
    for (size_t i = 0; (option = option_at(program, i, &group)) != NULL; i++) {
        const char *env = program->environment ? option->env : NULL;
        char range[RANGE_MAX] = "";
        if (takes_any(option)) {
            snprintf(range, sizeof range, "text");
        } else if (has_range(option) || (option->type == OPTION_FLAG && env != NULL)) {
            describe_range(range, option);
        }
        fprintf(output, "| `--%s%s%s` | %s%s%s | ", option->flag,
                option->value_name != NULL ? " " : "",
                option->value_name != NULL ? option->value_name : "", env != NULL ? "`" : "",
                env != NULL ? env : "", env != NULL ? "`" : "");
        for (const char *c = range; *c != '\0'; c++) {
            fputs(*c == '|' ? ", " : (char[]){*c, '\0'}, output);
        }
        fprintf(output, " | %s | %s. |\n", option->initial != NULL ? option->initial : "",
                option->text);
    }
}

/* Answers the first argument that asks for a text, such as --help, at any position. Returns whether
 * there is one. */
static bool answer_question(const struct parse *parse, FILE *output)
{
    for (int i = 1; i < parse->argc; i++) {
        if (strcmp(parse->argv[i], "--help") == 0 || strcmp(parse->argv[i], "-h") == 0) {
            print_help(parse->program, output);
            return true;
        }
        if (strcmp(parse->argv[i], "--help-table") == 0) {
            print_help_table(parse->program, output);
            return true;
        }
        if (strcmp(parse->argv[i], "--version") == 0) {
            fprintf(output, "%s " FLOCKD_VERSION "\n", parse->program->name);
            return true;
        }
    }
    return false;
}

enum options_result options_parse(const struct options_program *program, void *values, int argc,
                                  char **argv, FILE *output, FILE *errors)
{
    const struct parse parse = {program, values, argc, argv, errors};
    const struct options_group *group;
    const struct option *option;

    if (answer_question(&parse, output)) {
        return OPTIONS_DONE;
    }
    for (size_t i = 0; (option = option_at(program, i, &group)) != NULL; i++) {
        if (option->initial != NULL) {
            store(option, (char *)values + group->offset, option->initial);
        }
    }
    if (program->argument != NULL) {
        store(program->argument, values, program->argument->initial);
    }
    /* The argument is read first, so that an option wins over a part of a URL. */
    bool remembered =
        program->remember == NULL || program->remember(program, values, argc, argv, errors);
    return remembered && (!program->environment || parse_environment(&parse)) &&
                   parse_line(&parse, true) && parse_line(&parse, false)
               ? OPTIONS_RUN
               : OPTIONS_ERROR;
}
