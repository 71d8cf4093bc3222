/* The output of flock-sim: rows of comma-separated values, with boids or measures. */
#ifndef FLOCK_OUTPUT_H
#define FLOCK_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/flock.h"
#include "sim/sweep.h"

struct flock_output {
    FILE *file;
    const char *path;
    size_t buffered; /* bytes that are not yet written */
    float *state;    /* scratch: four floats a boid */
    uint32_t boids;  /* capacity of state */
};

/* Opens the file; "-" is standard output. If that fails, prints a line and ends the program. */
void output_open(struct flock_output *output, const char *path);

/* Closes the file. Returns the program's status: if a write failed, prints a line and returns a
 * status other than 0. */
int output_close(struct flock_output *output);

bool output_failed(const struct flock_output *output);

/* Returns whether the output is a terminal. */
bool output_is_seen(const struct flock_output *output);

/* Writes a row, with its end. Only whole rows leave the buffer, so the end of the process never
 * leaves half a row. */
void output_row(struct flock_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Write the header, and all rows of a tick. */
void output_header(struct flock_output *output, bool measures);
void output_boids(struct flock_output *output, const struct flock *flock, unsigned long tick);
void output_measures(struct flock_output *output, const struct flock *flock,
                     struct flock_workspace *workspace, unsigned long tick);

/* Write the header and a row of a sweep. */
void output_sweep_header(struct flock_output *output);
void output_sweep(struct flock_output *output, const struct sweep_point *point);

#endif
