/* What flock-sim writes: rows of comma-separated values, of boids or of measures. */
#ifndef FLOCK_OUTPUT_H
#define FLOCK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/flock.h"

struct flock_output {
    FILE *file;
    const char *path;
    size_t buffered; /* bytes that are not yet written */
    float *state;    /* scratch: four floats a boid */
    uint32_t boids;  /* that there is memory for */
};

/* Opens the file; "-" is standard output. Ends the program with a line about it if that cannot be
 * done. */
void output_open(struct flock_output *output, const char *path);

/* Closes it. Returns the program's status: not 0, after a line about it, if something could not be
 * written. */
int output_close(struct flock_output *output);

bool output_failed(const struct flock_output *output);

/* Whether what is written goes to a terminal. */
bool output_is_seen(const struct flock_output *output);

/* A row, with its end. Whole rows leave the buffer, so that whatever ends the process there is no
 * half of one. */
void output_row(struct flock_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The header, and all rows of that tick. */
void output_header(struct flock_output *output, bool measures);
void output_boids(struct flock_output *output, const struct flock *flock, unsigned long tick);
void output_measures(struct flock_output *output, const struct flock *flock, unsigned long tick);

#endif
