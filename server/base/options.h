/* The options of a program, from one table: its environment and its command line are read into a
 * struct of its own, and --help, --help-table and --version are answered. Used by flockd, flock-sim
 * and flock-term. Keeps no state and touches no terminal; reads the environment, so before other
 * threads start. */
#ifndef SERVER_OPTIONS_H
#define SERVER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define OPTIONS_NONE UINT32_MAX /* for a choice: not given */

enum option_type {
    OPTION_UINT,    /* uint32_t or uint64_t: decimal digits only */
    OPTION_NUMBER,  /* double */
    OPTION_CHOICE,  /* an enum or unsigned: the index of a word */
    OPTION_WORLD,   /* struct options_world: WIDTHxHEIGHT, each min to max */
    OPTION_POINT,   /* struct options_point: X,Y, each min to max */
    OPTION_TEXT,    /* char[]: min to max bytes, without control characters */
    OPTION_LIST,    /* char[]: the same; given again, it is added after a comma */
    OPTION_FLAG,    /* bool: no value on the command line, 0 or 1 in the environment */
    OPTION_OTHER,   /* what `take` makes of it */
    OPTION_REMOVED, /* of an earlier version: any value has no effect and gets a warning */
};

struct options_world {
    float width, height; /* world units */
};

struct options_point {
    float x, y;
};

struct option;

/* What only some types need to know of their values. */
struct option_rule {
    const char *const *words;          /* of a choice, ended by NULL; or instead: */
    const char *(*word)(size_t index); /* NULL beyond the last */
    bool (*valid)(const char *text);   /* of a text, which `values` describes */
    const char *values;
    bool secret; /* the line about a wrong value does not repeat it */
    /* Stores a value of OPTION_OTHER. Returns NULL, or what was expected instead. */
    const char *(*take)(void *field, const char *text, const struct option *option);
};

struct option {
    const char *flag; /* without the dashes */
    const char *env;  /* NULL: command line only */
    enum option_type type;
    size_t offset, size; /* of the field; OPTIONS_FIELD(); 0 for OPTION_REMOVED */
    double min, max;
    const struct option_rule *rule; /* NULL: none */
    const char *value_name;
    const char *initial; /* parsed as a value of the user's would be; NULL: the field stays */
    const char *text;
};

#define OPTIONS_FIELD(type, name) offsetof(type, name), sizeof(((type *)0)->name)

/* Keys are made of a-z, 0-9 and -, and secret. */
extern const struct option_rule options_key;

/* Options of one subject. Several programs may share one, as a member of their structs. */
struct options_group {
    const char *title;            /* a heading of --help; NULL: goes on with the one before */
    const struct option *options; /* ended by one without a flag */
    size_t offset;                /* of the struct that they fill, in the program's */
};

struct options_program {
    const char *name, *usage;           /* what --help begins with: lines */
    const struct options_group *groups; /* ended by one without options */
    bool environment;                   /* whether it reads the variables */
    const struct option *argument;      /* the one without a flag, such as a URL; NULL: none */
    void (*notes)(FILE *output);        /* what --help ends with; NULL: nothing */
};

enum options_result {
    OPTIONS_RUN,   /* go on */
    OPTIONS_DONE,  /* a question has been answered: exit 0 */
    OPTIONS_ERROR, /* one line on `errors` says what was wrong: exit 2 */
};

/* Fills the struct at `values` from the initial values, then the environment, the argument
 * and the options: what comes later wins, and so does the later of two that are the same. A
 * variable that is empty counts as not set. */
enum options_result options_parse(const struct options_program *program, void *values, int argc,
                                  char **argv, FILE *output, FILE *errors);

/* Writes the line that a wrong value gets. `source` is where it stood, such as --boids; a value
 * that is NULL is not repeated. */
void options_refuse(FILE *errors, const char *program, const char *source, const char *value,
                    const char *expected);

/* `count` decimal numbers from low to high, parted by `separator`, and nothing else: no space, no
 * hexadecimal, neither infinite nor NaN. Returns false if the text is not that. */
bool options_numbers(const char *text, char separator, double low, double high, double *numbers,
                     size_t count);

#endif
