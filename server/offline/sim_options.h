/* The command line of flock-sim. */
#ifndef FLOCK_SIM_OPTIONS_H
#define FLOCK_SIM_OPTIONS_H

#include "config/flock_options.h"

#define PATH_LENGTH_MAX 4096

/* --sweep; 0 steps: none. */
struct options_sweep {
    char name[33]; /* of a parameter */
    float from, to;
    uint32_t steps;
};

struct options {
    struct flock_options flock; /* as given; what it makes is the definition */
    struct flock_definition definition;
    struct flock_wall walls[FLOCK_WALLS_MAX];
    size_t wall_count;
    struct flock_things things;
    unsigned engine, lanes; /* indexes of their words */
    uint64_t seed;
    double neighbours; /* 0: the world is as given */
    struct options_point target;
    bool target_given, wander, reference, measures, bench, verify;
    uint32_t threads, ticks, every;
    struct options_sweep sweep;
    uint32_t warm_up;
    char output[PATH_LENGTH_MAX];
    char init[PATH_LENGTH_MAX], load[PATH_LENGTH_MAX], save[PATH_LENGTH_MAX]; /* "": none */
    char replay[PATH_LENGTH_MAX];                                             /* "": none */
    uint64_t from, to; /* ticks of the recording */
};

/* Prints a line with the fault, and ends the program with status 2. */
__attribute__((noreturn, format(printf, 1, 2))) void refuse(const char *format, ...);

/* Reads and checks the options. Ends the program after an answer to --help and the like, or with a
 * line that names a fault. */
void options_read(struct options *options, int argc, char **argv);

#endif
