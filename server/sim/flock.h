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

#define FLOCK_BOIDS_MAX   1000000u
#define FLOCK_PARAMS_MAX  32u
#define FLOCK_WORLD_MIN   16.0f
#define FLOCK_WORLD_MAX   65536.0f
#define FLOCK_WALLS_MAX   64u
#define FLOCK_TARGETS_MAX 128u
#define FLOCK_THREADS_MAX 64u

/* Where a boid or a target may be: nothing gets farther from the origin, in either axis. */
#define FLOCK_FAR 1e6f

struct flock;

enum flock_boundary {
    FLOCK_OPEN,  /* no edge */
    FLOCK_WRAP,  /* a torus: positions in [0, width) x [0, height) */
    FLOCK_WALLS, /* the four edges and the wall segments reflect */
};

/* What the boundaries are called, in the order of the enum; a NULL name ends the list. */
struct flock_boundary_name {
    const char *name;
    const char *text;
};
extern const struct flock_boundary_name flock_boundaries[];

enum flock_update {
    FLOCK_SYNCHRONOUS, /* every boid reads the state at the start of the tick */
    FLOCK_SEQUENTIAL,  /* in index order: each reads those before it as already moved */
};

/* One tunable of a model: the row from which validation, --help, the wire schema and the clients'
 * sliders are all made. */
struct flock_param {
    const char *name; /* snake_case, unique within its model */
    const char *unit; /* "" for a plain number */
    float min, max, initial;
    const char *text; /* one line, shown to people */
};

struct flock_rules; /* rules.h */

struct flock_model {
    const char *name;
    const char *text;
    enum flock_boundary boundary; /* the model's default */
    const struct flock_param *params;
    size_t param_count;
    const struct flock_rules *rules;
};

/* All models, in the order in which they are offered; NULL ends the list. */
extern const struct flock_model *const flock_models[];

/* The model of that name, or NULL. */
const struct flock_model *flock_model_find(const char *name);

/* The index of the parameter of that name, or -1. */
int flock_param_find(const struct flock_model *model, const char *name);

struct flock_point {
    float x, y;
};

/* A wall segment, longer than zero, each coordinate within FLOCK_WORLD_MAX of the origin. It
 * reflects from both sides where the boundary is FLOCK_WALLS, and is not there elsewhere. */
struct flock_wall {
    float x1, y1, x2, y2;
};

/* A cursor as the flock sees it. */
struct flock_target {
    float x, y;
    bool predator; /* fled from, as far as the model's flee_weight says, instead of sought */
};

/* What a flock is made from. Start from flock_definition_default() and change what differs. */
struct flock_definition {
    const struct flock_model *model;
    enum flock_boundary boundary;
    float width, height; /* world units, FLOCK_WORLD_MIN to FLOCK_WORLD_MAX */
    uint32_t boids;      /* 1 to FLOCK_BOIDS_MAX */
    uint64_t seed;       /* the same seed makes the same flock */
    enum flock_update update;
    uint32_t threads; /* 1 to FLOCK_THREADS_MAX: that share a tick; the result is the same */
    uint32_t lanes;   /* most floats at a time, 0: what the processor can; the result is the same */
};

/* The original: model `swarm`, 12 boids in an open world of 550 x 400. */
struct flock_definition flock_definition_default(void);

/* Makes a flock, its boids spread over the world at random; flock_destroy() frees it and takes
 * NULL. Returns NULL if memory runs out or a field of the definition is outside its range. */
struct flock *flock_create(const struct flock_definition *definition);
void flock_destroy(struct flock *flock);

/* Moves every boid by one tick toward `target`; NULL when nobody steers. */
void flock_tick(struct flock *flock, const struct flock_point *target);

/* The same with up to FLOCK_TARGETS_MAX targets, of which each boid seeks the one nearest to it.
 * Targets that are not a number are left out; those beyond FLOCK_FAR are brought back to it. */
void flock_tick_targets(struct flock *flock, const struct flock_target *targets, size_t count);

uint32_t flock_count(const struct flock *flock);

/* Floats that are taken at a time: as many as the processor and the definition's `lanes` allow. */
uint32_t flock_lanes(const struct flock *flock);

/* The definition that would make this flock now: it follows every change of model, world and count.
 */
const struct flock_definition *flock_definition_of(const struct flock *flock);

/* Boids are numbered from 0 in the order in which they were created, and keep their number for as
 * long as the epoch is the same. Adding gives the new boids the next numbers and leaves the epoch;
 * whatever takes boids away or puts them elsewhere (remove, reset, replace) moves it on. */
uint32_t flock_epoch(const struct flock *flock);

/* Copies positions or velocities in the order in which the boids were created; each array takes
 * flock_count() floats. */
void flock_positions(const struct flock *flock, float *x, float *y);
void flock_velocities(const struct flock *flock, float *vx, float *vy);

/* A boid's own separation, alignment and cohesion in the model `swarm`; false in any other. */
bool flock_coefficients(const struct flock *flock, float *separation, float *alignment,
                        float *cohesion);

/* The model's parameter of that index: read it, or set it. Setting a value outside the table's
 * range, or NaN, returns false and changes nothing. */
float flock_param_get(const struct flock *flock, size_t index);
bool flock_param_set(struct flock *flock, size_t index, float value);

/* Changes of a running flock; the boids stay where they are, but for those that the new world does
 * not hold, which come in at its nearest edge (or, in a torus, where they would have come around).
 * Each returns false and changes nothing if an argument is outside its range or memory runs out. */
bool flock_set_model(struct flock *flock, const struct flock_model *model); /* at its defaults */
bool flock_set_world(struct flock *flock, enum flock_boundary boundary, float width, float height);
bool flock_set_walls(struct flock *flock, const struct flock_wall *walls, size_t count);
const struct flock_wall *flock_walls(const struct flock *flock, size_t *count);

struct flock_setting {
    const char *name; /* of a parameter of the preset's model */
    float value;
};

/* A flock worth showing: a model with its world, parameters and walls. */
struct flock_preset {
    const char *name;
    const char *text;
    const struct flock_model *model;
    enum flock_boundary boundary;
    float width, height;
    uint32_t boids;
    const struct flock_setting *settings; /* ended by a NULL name; NULL: the model's defaults */
    const struct flock_wall *walls;
    size_t wall_count;
};

/* All presets, in the order in which they are offered; a NULL name ends the list. */
extern const struct flock_preset flock_presets[];

/* The preset of that name, or NULL. */
const struct flock_preset *flock_preset_find(const char *name);

/* To make a preset's flock: the definition takes its model, world and number of boids; the flock
 * made from that takes its parameters and walls. */
void flock_definition_preset(struct flock_definition *definition,
                             const struct flock_preset *preset);
void flock_tune(struct flock *flock, const struct flock_preset *preset);

/* Turns a running flock into the preset's. The boids there are stay where they are; missing ones
 * are spread over the world at random, and the newest of too many go. */
bool flock_set_preset(struct flock *flock, const struct flock_preset *preset);

/* Adds boids around a point, a single one at it. False if there is no room or memory for them. */
bool flock_add(struct flock *flock, float x, float y, uint32_t count);

/* Removes the newest boids, but leaves one. Returns how many went. */
uint32_t flock_remove(struct flock *flock, uint32_t count);

/* Puts all boids back to where the seed had put them in this world. */
void flock_reset(struct flock *flock);

/* The state of boids as the caller has it, `count` of each. */
struct flock_state {
    const float *x, *y, *vx, *vy;                   /* within FLOCK_FAR */
    const float *separation, *alignment, *cohesion; /* model `swarm`: within the present range
                                                       from _min to _max; or NULL: drawn */
};

/* Replaces all boids. False, with nothing changed, if the count or a value is outside its range or
 * memory runs out. */
bool flock_replace(struct flock *flock, const struct flock_state *state, uint32_t count);

/* What a flock does as a whole, now. Directions and speeds are those of the last tick. */
struct flock_measures {
    float polarization; /* 0 to 1: length of the mean heading */
    float milling;      /* 0 to 1: mean of unit(place about the centroid) x heading, unsigned */
    float centroid_x, centroid_y; /* of a torus the mean on its two circles */
    float gyration;               /* units: root mean square distance from the centroid */
    float speed;                  /* units/tick, mean */
    float nearest; /* units: mean distance to the nearest other; 0 for a single boid */
};

/* The nearest distances are those of a sample spread evenly over the flock: of one boid in 128, but
 * of 8 at least and of FLOCK_SAMPLE at most. All else is of all boids. */
#define FLOCK_SAMPLE 32u
struct flock_measures flock_measure(const struct flock *flock);

/* Mean number of others nearer than `radius` to a boid, of a sample of 1024 boids. */
float flock_neighbours(const struct flock *flock, float radius);

/* The distance beyond which the model, with its present parameters, does not look. */
float flock_reach(const struct flock *flock);

#endif
