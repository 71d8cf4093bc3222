/* The parts of a flock; for the engine's own files, not for its users. Its memory is allocated when
 * the flock is made or grows, never in a tick. The scratch memory of a tick is in workspace.h.
 *
 * Boids lie in slots. Their order suits the neighbour search and changes from tick to tick;
 * id[slot] is the boid's number. */
#ifndef STATE_H
#define STATE_H

#include "sim/models/models.h"
#include "sim/walls.h"

/* Floats that a loop may read past the last boid. */
enum { FLOCK_SLACK = 16 };

struct flock {
    struct flock_definition definition; /* .boids follows count */
    struct walls walls;                 /* made of the definition's walls */
    struct flock_things *things;        /* NULL: no food and no hunters */
    uint32_t count, capacity, epoch;
    uint64_t ticks;  /* since the flock was made or reset */
    bool own_places; /* the coefficients' places of some boids do not come from the seed */
    uint32_t *id;
    float *x, *y, *vx, *vy;
    float *place[PLACE_COUNT]; /* by number, not by slot */
    unsigned char *memory;     /* memory of all these arrays */
    const struct kernel *kernel;
};

/* Boids of a swarm are on a lattice of 2^-14 units, which the integers of disc.h hold exactly.
 * Inside a dense swarm the mean displacement to the others is nearly 0, and its direction
 * matters. */
static inline float on_lattice(float value)
{
    return rintf(value * 0x1p14f) * 0x1p-14f;
}

/* Returns the size of the torus, or 0 x 0. */
static inline struct vec flock_torus(const struct flock *flock)
{
    bool torus = flock->definition.settings.boundary == FLOCK_WRAP;
    return (struct vec){torus ? (double)flock->definition.settings.width : 0.0,
                        torus ? (double)flock->definition.settings.height : 0.0};
}

/* Returns a boid's value of a coefficient. The model must have coefficients. */
static inline float flock_own_value(const struct flock *flock, size_t place, float within)
{
    float low = flock->definition.settings.params[2 * place];
    return low + within * (flock->definition.settings.params[2 * place + 1] - low);
}

/* Returns the flock's noise in the tick after `ticks` ticks. */
static inline struct noise flock_noise(const struct flock *flock, uint64_t ticks)
{
    const struct flock_settings *settings = &flock->definition.settings;
    return noise_of(flock->definition.seed, ticks,
                    common_param(settings->model, FLOCK_NOISE, settings->params));
}

bool flock_world_valid(enum flock_boundary boundary, float width, float height);

/* Moves a boid into the world after a change of its position. */
void flock_admit(struct flock *flock, uint32_t slot);

/* Initializes a boid: its place within each coefficient's range, a slow random velocity, and a
 * random position in the world. */
void flock_hatch(struct flock *flock, uint32_t slot, uint32_t id);

/* Makes memory for `capacity` boids, at least the present number, and copies the boids. Returns
 * false and changes nothing if memory runs out. */
bool flock_resize(struct flock *flock, uint32_t capacity);

/* Makes the memory that walls need. */
bool flock_reserve_walls(struct flock *flock);

void flock_set_count(struct flock *flock, uint32_t count);

/* Returns the centroid. In a torus it is the mean direction on each of its circles, from half a
 * world before to half a world after the origin. */
struct vec flock_centroid(const struct flock *flock);

#endif
