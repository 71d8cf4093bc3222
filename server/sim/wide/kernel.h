/* The fast engine's inner loops. kernel.c and the models' files are compiled once for every width
 * of wide.h that the processor family may have. A flock chooses its width when it is made. For the
 * engine's own files. */
#ifndef KERNEL_H
#define KERNEL_H

#include "sim/disc.h"
#include "sim/grid.h"
#include "sim/limit.h"
#include "sim/line.h"
#include "sim/sums.h"

/* The inputs and outputs of one tick's inner loops. */
struct kernel_job {
    struct limit *limit;
    const struct flock_settings *world;
    const struct walls *walls;
    const struct grid *grid;
    const struct aim *aim;
    struct bites *bites;
    struct vec torus; /* its size; 0 x 0: a plane */
    struct noise noise;
    const float *params;
    float flee_distance;
    float prepared[8];      /* written by the model's prepare(), for its loops */
    float *x, *y, *vx, *vy; /* the boids after the tick, row by row */
    uint32_t *id;
    /* For the swarm. */
    const struct disc *disc;
    const float *place[PLACE_COUNT]; /* by number */
    float centroid_x, centroid_y;
    struct swarm_sums sums;
    const struct swarm_aims *aims; /* NULL: the loops find them while boids move */
};

/* In a plane width and height are infinite. */
struct measure_job {
    const float *x, *y, *vx, *vy;
    float centroid_x, centroid_y, width, height;
    float blur; /* units: boids nearer than this to the centroid count as at it */
};

struct measure_sums {
    double heading_x, heading_y, spin, square, speed;
};

/* Sums of the sines and cosines of the positions on the two circles of a torus. */
struct circle_sums {
    double cosine_x, sine_x, cosine_y, sine_y;
};

/* The boids of a flock, for a search around a hunter or another point. In a plane width and height
 * are 0. */
struct hunt {
    const float *x, *y;
    const uint32_t *number;
    uint32_t count;
    float width, height;
};

enum { SPEED_PARTS = 1 << 20 };

struct kernel {
    uint32_t lanes;
    uint32_t width; /* index of rules->loops */
    /* Computes unit headings of all boids from `first` to before `end`, including copies. */
    void (*headings)(struct grid *grid, uint32_t first, uint32_t end);
    void (*measure)(const struct measure_job *job, uint32_t count, struct measure_sums *sums);
    /* For positions in a torus. */
    void (*circles)(const struct measure_job *job, uint32_t count, struct circle_sums *sums);
    /* circles() with an error of up to 1e-6 of the torus, in half the time. */
    void (*quick_circles)(const struct measure_job *job, uint32_t count, struct circle_sums *sums);
    /* Returns the sum of the distances to the nearest other boid, of all boids whose number is a
     * multiple of `stride`, a power of two. Adds the number of these boids to *counted. Returns
     * early if the limit is exceeded. */
    double (*nearest)(const struct line *line, uint32_t stride, struct limit *limit,
                      uint32_t *counted);
    /* Returns the slot of the boid nearest to the point; of several, the one with the lowest
     * number. */
    uint32_t (*prey)(const struct hunt *hunt, float x, float y);
    /* Stores, in ascending order, the indexes of the boids within `reach` of the point, and of some
     * a little farther away. Returns how many. Needs memory for FLOCK_SLACK more. */
    uint32_t (*within)(const struct hunt *hunt, float x, float y, float reach, uint32_t *found);
    /* Returns the sum of the speeds, in SPEED_PARTS of a unit. */
    int64_t (*speeds)(const float *vx, const float *vy, uint32_t count);
};

/* Returns the widest kernel of at most that many lanes that this processor can run; 0: the
 * widest. */
const struct kernel *kernel_choose(uint32_t lanes);

#endif
