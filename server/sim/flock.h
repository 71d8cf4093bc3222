/* The flock engine: a flock of boids in a world, moved one tick at a time by one of the published
 * models of models/. It does no I/O, reads no clock, keeps no globals and allocates nothing within
 * a tick, so it can be lifted out of flockd as a library.
 *
 * A flock is owned by whoever created it and is used by one thread at a time. Distances are world
 * units, speeds are world units per tick; the origin is top-left and y points down. */
#ifndef FLOCK_H
#define FLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOCK_BOIDS_MAX  1000000u
#define FLOCK_PARAMS_MAX 32u
#define FLOCK_WORLD_MIN  16.0f
#define FLOCK_WORLD_MAX  65536.0f

struct flock;

enum flock_boundary {
    FLOCK_OPEN,  /* no edge */
    FLOCK_WRAP,  /* a torus: positions in [0, width) x [0, height) */
    FLOCK_WALLS, /* the four edges reflect */
};

/* One tunable of a model: the row from which validation, --help, the wire schema and the clients'
 * sliders are all made. */
struct flock_param {
    const char *name; /* snake_case, unique within its model */
    const char *unit; /* "" for a plain number */
    float min, max, initial;
    const char *text; /* one line, shown to people */
};

struct flock_model {
    const char *name;
    const char *text;
    enum flock_boundary boundary; /* the model's default */
    const struct flock_param *params;
    size_t param_count;
};

/* All models, in the order in which they are offered; NULL ends the list. */
extern const struct flock_model *const flock_models[];

/* The model of that name, or NULL. */
const struct flock_model *flock_model_find(const char *name);

struct flock_point {
    float x, y;
};

/* What a flock is made from. Start from flock_definition_default() and change what differs. */
struct flock_definition {
    const struct flock_model *model;
    enum flock_boundary boundary;
    float width, height; /* world units, FLOCK_WORLD_MIN to FLOCK_WORLD_MAX */
    uint32_t boids;      /* 1 to FLOCK_BOIDS_MAX */
    uint64_t seed;       /* the same seed makes the same flock */
};

/* The original: model `swarm`, 12 boids in an open world of 550 x 400. */
struct flock_definition flock_definition_default(void);

/* Makes a flock; flock_destroy() frees it and takes NULL. Returns NULL if memory runs out or a
 * field of the definition is outside its range. */
struct flock *flock_create(const struct flock_definition *definition);
void flock_destroy(struct flock *flock);

/* Moves every boid by one tick toward `target`; NULL when nobody steers. */
void flock_tick(struct flock *flock, const struct flock_point *target);

uint32_t flock_count(const struct flock *flock);
const struct flock_definition *flock_definition_of(const struct flock *flock);

/* Copies positions in the order in which the boids were created. x and y take flock_count()
 * floats each. */
void flock_positions(const struct flock *flock, float *x, float *y);

/* The model's parameter of that index: read it, or set it. Setting a value outside the table's
 * range, or NaN, returns false and changes nothing. */
float flock_param_get(const struct flock *flock, size_t index);
bool flock_param_set(struct flock *flock, size_t index, float value);

#endif
