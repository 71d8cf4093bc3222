/* The configuration file: a user's values of options, and the user's keys.
 *
 * A line is "name = value". The name is an option without dashes, "server", or "key." and an action
 * of the table of keys. The file is not trusted: its size, its kind and each value are checked.
 * Main thread. */
#ifndef TERM_CONFIG_H
#define TERM_CONFIG_H

#include "base/options.h"

#include <stdbool.h>
#include <stdio.h>

#define TERM_CONFIG_BYTES_MAX  65536u /* of the file */
#define TERM_CONFIG_LINE_MAX   1100u  /* bytes: a name and the longest path */
#define TERM_CONFIG_SOURCE_MAX 1200u

/* A value that is checked later, when it is used: an error must name its line. */
struct term_config_value {
    char value[TERM_CONFIG_LINE_MAX + 1];
    char source[TERM_CONFIG_SOURCE_MAX + 1]; /* its file and line */
};

/* All zero: nothing was read. */
struct term_config {
    struct term_config_value theme, ca, server;
    char name[16]; /* of an option, with dashes */
};

/* Reads the file at `path`, stores values of options and binds keys. path NULL: the user's file,
 * which need not exist. Returns false after an error, which it has printed with the file and the
 * line. */
bool term_config_read(struct term_config *config, const char *path,
                      const struct options_program *program, void *values, FILE *errors);

/* Returns the source of a value for an error: the file and the line, or the option. */
const char *term_config_source(struct term_config *config, const char *flag, const char *value);

#endif
