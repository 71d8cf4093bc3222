/* The command line of flock-sim. */
#ifndef FLOCK_SIM_OPTIONS_H
#define FLOCK_SIM_OPTIONS_H

#include "sim/flock.h"

enum { SETTINGS_MAX = 64 };

struct options {
    struct flock_definition definition;
    const struct flock_preset *preset; /* NULL: none */
    bool boundary_given, model_given, world_given, boids_given, target_given;
    bool reference, measures, bench;
    const char *settings[SETTINGS_MAX]; /* KEY=VALUE, not yet checked */
    size_t setting_count;
    struct flock_wall walls[FLOCK_WALLS_MAX];
    size_t wall_count;
    struct flock_point target;
    double neighbours;         /* 0: the world as given */
    const char *init, *output; /* file names; init may be NULL */
    unsigned long ticks, every;
};

/* Says what is wrong in one line, and ends the program with status 2. */
__attribute__((noreturn, format(printf, 1, 2))) void refuse(const char *format, ...);

/* `count` numbers parted by `separator`, and nothing after them; false if that is not what it is.
 */
bool read_numbers(const char *text, char separator, double *numbers, int count);

/* Reads and checks the options, or ends the program: with help or version, or by refuse(). */
void options_read(struct options *options, int argc, char **argv);

#endif
