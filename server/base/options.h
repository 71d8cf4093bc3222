/* The options of a program, from one table. Reads the environment and the command line into a
 * struct of the program, and answers --help, --help-table and --version. flockd, flock-sim and
 * flock-term use it. It has no state and does not use the terminal. It reads the environment, so
 * call it before other threads start. */
#ifndef SERVER_OPTIONS_H
#define SERVER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define OPTIONS_NONE UINT32_MAX /* for a choice that was not given */

enum option_type {
    OPTION_UINT,    /* uint32_t or uint64_t: decimal digits only */
    OPTION_NUMBER,  /* double */
    OPTION_CHOICE,  /* an enum or unsigned: the index of a word */
    OPTION_WORLD,   /* struct options_world: WIDTHxHEIGHT, each min to max */
    OPTION_POINT,   /* struct options_point: X,Y, each min to max */
    OPTION_TEXT,    /* char[]: min to max bytes, without control characters */
    OPTION_LIST,    /* char[]: the same; a second value is appended after a comma */
    OPTION_FLAG,    /* bool: no value on the command line, 0 or 1 in the environment */
    OPTION_OTHER,   /* a type of its own, read by `take` */
    OPTION_REMOVED, /* an option of an earlier version: any value has no effect and prints a warning
                     */
};

struct options_world {
    float width, height; /* world units */
};

struct options_point {
    float x, y;
};

struct option;

/* Of some types only. */
struct option_rule {
    const char *const *words;          /* the words of a choice, ended by NULL; or instead: */
    const char *(*word)(size_t index); /* a function that returns them; NULL after the last */
    bool (*valid)(const char *text);   /* checks a text; `values` describes valid texts */
    const char *values;
    bool secret; /* errors do not repeat the value */
    /* Stores a value of OPTION_OTHER. Returns NULL, or what was expected. */
    const char *(*take)(void *field, const char *text, const struct option *option);
};

struct option {
    const char *flag; /* without the dashes */
    const char *env;  /* NULL: command line only */
    enum option_type type;
    size_t offset, size; /* offset and size of the field: OPTIONS_FIELD(); 0 for OPTION_REMOVED */
    double min, max;
    const struct option_rule *rule; /* NULL: none */
    const char *value_name;
    const char *initial; /* parsed like a value from the user; NULL: the field stays */
    const char *text;
};

#define OPTIONS_FIELD(type, name) offsetof(type, name), sizeof(((type *)0)->name)

/* Keys: a-z, 0-9 and -, and secret. */
extern const struct option_rule options_key;

/* Options of one subject. Several programs may share a group, as a member of their structs. */
struct options_group {
    const char *title; /* a heading of --help; NULL: the group continues the one before */
    const struct option *options; /* ended by an option without a flag */
    size_t offset;                /* offset of the group's struct within the program's */
};

struct options_program {
    const char *name, *usage;           /* the first lines of --help */
    const struct options_group *groups; /* ended by a group without options */
    bool environment;                   /* the program reads the environment */
    const struct option *argument;      /* the argument without a flag, such as a URL; NULL: none */
    void (*notes)(FILE *output);        /* prints the end of --help; NULL: nothing */
    /* Stores the values of a configuration file with options_take(). The environment and the
     * command line override them. Returns false after an error, which it has printed. NULL: no such
     * file. */
    bool (*remember)(const struct options_program *program, void *values, int argc, char **argv,
                     FILE *errors);
};

enum options_result {
    OPTIONS_RUN,   /* continue */
    OPTIONS_DONE,  /* a question was answered: exit with 0 */
    OPTIONS_ERROR, /* a line on `errors` names the fault: exit with 2 */
};

/* Fills the struct at `values` from the initial values, then the remembered ones, the environment,
 * the argument and the options. A later value wins, also over an earlier value of the same option.
 * An empty variable counts as unset. */
enum options_result options_parse(const struct options_program *program, void *values, int argc,
                                  char **argv, FILE *output, FILE *errors);

/* Returns the last value of an option on the command line, "1" for a flag, or NULL. */
const char *options_given(const struct options_program *program, const char *flag, int argc,
                          char **argv);

/* Returns whether the program has a flag of that name. */
bool options_is_flag(const struct options_program *program, const char *name);

/* Stores a value of an option, or of the argument by its value's name. Returns false after an
 * error, which it has printed: `source` names the value's place. */
bool options_take(const struct options_program *program, void *values, const char *flag,
                  const char *source, const char *value, FILE *errors);

/* Prints the error about a wrong value. `source` names its option or variable, such as --boids. A
 * NULL value is not repeated. */
void options_refuse(FILE *errors, const char *program, const char *source, const char *value,
                    const char *expected);

/* Reads `count` decimal numbers from low to high, separated by `separator`. Returns false for any
 * other text, such as spaces, hexadecimal, infinity or NaN. */
bool options_numbers(const char *text, char separator, double low, double high, double *numbers,
                     size_t count);

#endif
