#include "offline/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "offline/sim_options.h"

enum { OUTPUT_SIZE = 1 << 16, ROW_MAX = 256 };

void output_open(struct flock_output *output, const char *path)
{
    static char buffer[OUTPUT_SIZE];
    bool standard = strcmp(path, "-") == 0;
    *output = (struct flock_output){.file = standard ? stdout : fopen(path, "w"), .path = path};
    if (output->file == NULL) {
        refuse("--output: %s: %s", path, strerror(errno));
    }
    setvbuf(output->file, buffer, _IOFBF, sizeof buffer);
}

int output_close(struct flock_output *output)
{
    bool failed = ferror(output->file) != 0;
    failed = fclose(output->file) != 0 || failed;
    free(output->state);
    if (failed) {
        fprintf(stderr, "flock-sim: --output: %s: %s\n", output->path, strerror(errno));
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

bool output_failed(const struct flock_output *output)
{
    return ferror(output->file) != 0;
}

bool output_is_seen(const struct flock_output *output)
{
    return output->file == stdout && isatty(STDOUT_FILENO);
}

void output_row(struct flock_output *output, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vfprintf(output->file, format, arguments);
    va_end(arguments);
    output->buffered += length > 0 ? (size_t)length : 0;
    if (output->buffered > OUTPUT_SIZE - ROW_MAX) {
        fflush(output->file);
        output->buffered = 0;
    }
}

void output_header(struct flock_output *output, bool measures)
{
    output_row(output, "%s\n",
               measures ? "tick,polarization,milling,centroid_x,centroid_y,gyration,speed,nearest,"
                          "clusters"
                        : "tick,id,x,y,vx,vy");
}

static void reserve(struct flock_output *output, uint32_t boids)
{
    if (boids > output->boids) {
        free(output->state);
        output->state = malloc(4 * (size_t)boids * sizeof *output->state);
        output->boids = boids;
    }
    if (output->state == NULL) {
        refuse("out of memory");
    }
}

void output_boids(struct flock_output *output, const struct flock *flock, unsigned long tick)
{
    uint32_t count = flock_count(flock);
    reserve(output, count);
    float *x = output->state;
    float *y = x + count;
    float *vx = y + count;
    float *vy = vx + count;
    flock_positions(flock, x, y);
    flock_velocities(flock, vx, vy);
    for (uint32_t i = 0; i < count; i++) {
        output_row(output, "%lu,%u,%.9g,%.9g,%.9g,%.9g\n", tick, i, (double)x[i], (double)y[i],
                   (double)vx[i], (double)vy[i]);
    }
}

void output_measures(struct flock_output *output, const struct flock *flock,
                     struct flock_workspace *workspace, unsigned long tick)
{
    struct flock_measures m = flock_measure(flock);
    struct flock_clusters clusters;
    float nearest;
    if (!flock_nearest(flock, workspace, &nearest) ||
        !flock_count_clusters(flock, workspace, &clusters)) {
        refuse("out of memory");
    }
    output_row(output, "%lu,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%u\n", tick, (double)m.polarization,
               (double)m.milling, (double)m.centroid_x, (double)m.centroid_y, (double)m.gyration,
               (double)m.speed, (double)nearest, clusters.count);
}

void output_sweep_header(struct flock_output *output)
{
    output_row(output, "value,samples");
    for (uint32_t i = 0; i < SWEEP_MEASURES; i++) {
        output_row(output, ",%s,%s_error", sweep_measure_names[i], sweep_measure_names[i]);
    }
    output_row(output, "\n");
}

void output_sweep(struct flock_output *output, const struct sweep_point *point)
{
    char row[ROW_MAX];
    int length = snprintf(row, sizeof row, "%.9g,%u", (double)point->value, point->samples);

    for (uint32_t i = 0; i < SWEEP_MEASURES; i++) {
        length += snprintf(row + length, sizeof row - (size_t)length, ",%.9g,%.9g",
                           (double)point->mean[i], (double)point->error[i]);
    }
    output_row(output, "%s\n", row);
    fflush(output->file); /* the next row is long in coming */
    output->buffered = 0;
}
