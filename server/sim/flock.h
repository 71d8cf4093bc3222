/* The flock engine: a flock of boids in a world, moved one tick at a time by one of the published
 * models of models/. It does no I/O, reads no clock, keeps no globals and allocates nothing within
 * a tick, so it can be lifted out of flockd as a library.
 *
 * A flock holds what must last from one tick to the next, and little more. The threads and the
 * scratch memory of a tick are a workspace, which the caller lends to flock_tick(): one workspace
 * serves any number of flocks, one after another. The creator of a flock or
 * of a workspace owns it; one thread at a time uses it.
 *
 * Distances are world units, speeds are world units per tick; the origin is top-left and y points
 * down. */
#ifndef FLOCK_H
#define FLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOCK_BOIDS_MAX   1000000u
#define FLOCK_PARAMS_MAX  32u
#define FLOCK_MODELS_MAX  16u
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

enum flock_update {
    FLOCK_SYNCHRONOUS, /* every boid reads the state at the start of the tick */
    FLOCK_SEQUENTIAL,  /* in index order: each reads those before it as already moved */
};

/* One of several things to choose from, for the command line and the wire, and for people. */
struct flock_word {
    const char *name;
    const char *text;
};

/* The boundaries and the update orders, in the order of their enum; a NULL name ends the list. */
extern const struct flock_word flock_boundaries[];
extern const struct flock_word flock_updates[];

/* The names alone, by index; NULL behind the last. So, too, of flock_models and flock_presets. */
const char *flock_boundary_name(size_t index);
const char *flock_update_name(size_t index);
const char *flock_model_name(size_t index);
const char *flock_preset_name(size_t index);

/* One tunable of a model: the row from which validation, --help, the wire schema and the clients'
 * sliders are all made. */
struct flock_param {
    const char *name; /* snake_case, unique within its model */
    const char *unit; /* "" for a plain number */
    float min, max, initial;
    const char *text; /* one line, shown to people */
};

/* Parameters that every model has, wherever its table lists them. */
enum flock_common { FLOCK_FLEE_WEIGHT, FLOCK_FLEE_DISTANCE, FLOCK_COMMON_COUNT };

/* A value of a parameter of some model. */
struct flock_setting {
    const char *name;
    float value;
};

struct flock_rules; /* rules.h */

struct flock_model {
    const char *name;
    const char *text;
    uint32_t version; /* another one moves a flock otherwise: recordings say which made them */
    enum flock_boundary boundary; /* the model's default */
    const struct flock_param *params;
    size_t param_count;
    size_t common[FLOCK_COMMON_COUNT]; /* indexes into `params` */
    /* Values in states that were saved before the parameter existed, of the parameters whose
     * initial value moves a flock otherwise than before; ended by a NULL name; may be NULL. */
    const struct flock_setting *before;
    const struct flock_rules *rules;
};

/* All models, in the order in which they are offered; NULL ends the list. */
extern const struct flock_model *const flock_models[];

/* The model of that name, or NULL. */
const struct flock_model *flock_model_find(const char *name);

/* Returns the model's index in flock_models. */
uint32_t flock_model_index(const struct flock_model *model);

/* The initial values of its parameters, in the order of its table. */
void flock_model_params(const struct flock_model *model, float params[FLOCK_PARAMS_MAX]);

/* The value of a parameter that a saved state lacks: the flock moves as it did before there was
 * such a parameter. */
float flock_param_before(const struct flock_model *model, size_t index);

/* The index of the parameter of that name, or -1. */
int flock_param_find(const struct flock_model *model, const char *name);

/* The other one of a pair of a least and a greatest value, such as max_speed of min_speed, and
 * whether the one asked about is the least; -1: it is of no pair. */
int flock_param_pair(const struct flock_model *model, size_t index, bool *least);

/* The index of a least value that is above its greatest, or -1; of values in the order of the
 * model's table. */
int flock_params_contradict(const struct flock_model *model, const float *params);

struct flock_point {
    float x, y;
};

/* A wall segment, longer than zero, each coordinate within FLOCK_WORLD_MAX of the origin. It
 * reflects from both sides where the boundary is FLOCK_WALLS, and is not there elsewhere. */
struct flock_wall {
    float x1, y1, x2, y2;
};

/* Whether there are no more than FLOCK_WALLS_MAX, and each is one. */
bool flock_walls_valid(const struct flock_wall *walls, size_t count);

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
    uint32_t lanes; /* most floats at a time, 0: what the processor can; the result is the same */
};

/* The original: model `swarm`, 12 boids in an open world of 550 x 400. */
struct flock_definition flock_definition_default(void);

/* Makes a flock, its boids spread over the world at random; flock_destroy() frees it and takes
 * NULL. Returns NULL if memory runs out or a field of the definition is outside its range. */
struct flock *flock_create(const struct flock_definition *definition);
void flock_destroy(struct flock *flock);

/* What a tick needs beside the flock: worker threads and scratch memory. Nothing of a flock is left
 * in it between ticks. The result of a tick does not depend on it, bit for bit. */
struct flock_workspace;

/* `threads`, 1 to FLOCK_THREADS_MAX, counts the thread that calls flock_tick(); the others are
 * started here and sleep between ticks. A small flock is moved by fewer of them. There is no memory
 * for boids yet. NULL if `threads` is outside its range, or if threads or memory are not to be had.
 * flock_workspace_destroy() ends the threads and takes NULL. */
struct flock_workspace *flock_workspace_create(uint32_t threads);
void flock_workspace_destroy(struct flock_workspace *workspace);

/* Makes memory for a tick of any flock of up to `boids` boids, 1 to FLOCK_BOIDS_MAX; never takes
 * any away. Call it before a flock is created or grows, as a tick does not allocate. Returns
 * false and changes nothing if memory runs out or `boids` is outside its range. */
bool flock_workspace_reserve(struct flock_workspace *workspace, uint32_t boids)
    __attribute__((warn_unused_result));

/* Gives memory back that only flocks of more than `boids` boids need; 0: all of it. */
void flock_workspace_shrink(struct flock_workspace *workspace, uint32_t boids);

uint32_t flock_workspace_threads(const struct flock_workspace *workspace);

/* The boids of the largest flock that it has memory for. */
uint32_t flock_workspace_boids(const struct flock_workspace *workspace);

/* From now on, ticks together may take `time` ns, UINT64_MAX: any time. The engine gives up the
 * tick that takes longer, within about 50 µs; a tick of a small flock ends before it looks. A pause
 * of 0.2 s or more, in which the process did not run, does not count. Must be called between ticks.
 */
void flock_workspace_limit(struct flock_workspace *workspace, uint64_t time);

/* Gives up the present tick and all later ones, even those without a limit. Callable on any thread.
 */
void flock_workspace_stop(struct flock_workspace *workspace);

/* Lends the threads between ticks: calls task(context, part) for every part from 0 to parts - 1,
 * each once, on the caller's thread and up to `workers` - 1 others. Returns when all are done. */
void flock_workspace_run(struct flock_workspace *workspace, uint32_t workers,
                         void (*task)(void *context, uint32_t part), void *context, uint32_t parts);

/* Moves every boid by one tick toward `target`; NULL without a target. Returns false and
 * changes no bit of the flock if the workspace has no memory for a flock of this size, or if the
 * tick was given up: see flock_workspace_limit(). */
bool flock_tick(struct flock *flock, struct flock_workspace *workspace,
                const struct flock_point *target) __attribute__((warn_unused_result));

/* As flock_tick(), with up to FLOCK_TARGETS_MAX targets; each boid seeks the nearest target.
 * Targets that are not a number are left out; those beyond FLOCK_FAR are brought back to it. */
bool flock_tick_targets(struct flock *flock, struct flock_workspace *workspace,
                        const struct flock_target *targets, size_t count)
    __attribute__((warn_unused_result));

uint32_t flock_count(const struct flock *flock);

/* Floats that are taken at a time: as many as the processor and the definition's `lanes` allow. */
uint32_t flock_lanes(const struct flock *flock);

/* The definition that would make this flock now: it follows every change of model, world and count.
 */
const struct flock_definition *flock_definition_of(const struct flock *flock);

/* Boids are numbered from 0 in the order in which they were created, and keep their number for as
 * long as the epoch is the same. Adding gives the new boids the next numbers and leaves the epoch;
 * a call that removes or displaces boids (remove, reset, replace, a world that does not hold all of
 * them) adds one to the epoch. */
uint32_t flock_epoch(const struct flock *flock);

/* The boids as they lie in memory, flock_count() of them, in an order that changes from tick to
 * tick: number[i] is the number of the boid at x[i], y[i]. Valid until the flock is next changed.
 */
struct flock_slots {
    const uint32_t *number;
    const float *x, *y, *vx, *vy;
};
struct flock_slots flock_slots(const struct flock *flock);

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

/* Changes of a running flock. Boids keep their positions, except boids outside the new world: they
 * move to its nearest edge (or, in a torus, to where they would have come around).
 * Each returns false and changes nothing if an argument is outside its range or memory runs out. */
bool flock_set_model(struct flock *flock, const struct flock_model *model); /* at its defaults */
bool flock_set_world(struct flock *flock, enum flock_boundary boundary, float width, float height);
bool flock_set_update(struct flock *flock, enum flock_update update);
bool flock_set_walls(struct flock *flock, const struct flock_wall *walls, size_t count);

/* The walls there are, until they are set again; NULL if there are none. */
const struct flock_wall *flock_walls(const struct flock *flock, size_t *count);

/* How boids are to be drawn. The engine only hands it on. */
struct flock_look {
    const char *shape; /* "arrow", "triangle", "fish" or "blur" (a blurred circle); NULL: any */
    float size;        /* units: of a circle the diameter, of others the length */
};

/* A flock worth showing: a model with its world, update order, parameters and walls. */
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
    enum flock_update update;
    struct flock_look look;
    uint32_t click; /* boids that a click adds; 0: a click adds none */
};

/* All presets, in the order of the menus: the published originals first.
 * A NULL name ends the list. */
extern const struct flock_preset flock_presets[];

/* The preset of that name, or NULL. */
const struct flock_preset *flock_preset_find(const char *name);

/* Returns the preset's index in flock_presets; FLOCK_PRESET_NONE for NULL. */
#define FLOCK_PRESET_NONE UINT32_MAX
uint32_t flock_preset_index(const struct flock_preset *preset);

/* The values of the model's parameters under that preset, in the order of its table. */
void flock_preset_params(const struct flock_preset *preset, float params[FLOCK_PARAMS_MAX]);

/* To make a preset's flock: the definition takes its model, world, update order and number of
 * boids; the flock made from that takes its parameters and walls. flock_tune() returns false and
 * changes nothing if memory runs out. */
void flock_definition_preset(struct flock_definition *definition,
                             const struct flock_preset *preset);
bool flock_tune(struct flock *flock, const struct flock_preset *preset);

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

/* Everything that a flock is: another that is made of it goes on as this one would, bit for bit,
 * with any workspace and any number of lanes. */
struct flock_image {
    struct flock_definition definition; /* its lanes are of no account */
    float params[FLOCK_PARAMS_MAX];     /* the model's, in the order of its table */
    uint32_t epoch;
    struct flock_slots boids; /* definition.boids of each */
    /* By number, 0 to 1: where in the range of each coefficient of its own a boid is; all NULL: as
     * the seed says. */
    const float *place[3];
    const struct flock_wall *walls;
    size_t wall_count;
};

/* Fills in the image; it points into the flock, and is valid until that is next changed. */
void flock_image_of(const struct flock *flock, struct flock_image *image);

/* Makes a flock of an image, which is checked. Returns NULL if memory runs out or a value is out of
 * range, and sets *problem to a literal that says which. */
struct flock *flock_create_image(const struct flock_image *image, const char **problem);

/* Measures of the whole flock. Directions and speeds are of the last tick. */
struct flock_measures {
    float polarization; /* 0 to 1: length of the mean heading */
    float milling;      /* 0 to 1: mean of unit(place about the centroid) x heading, unsigned */
    float centroid_x, centroid_y; /* of a torus the mean on its two circles */
    float gyration;               /* units: root mean square distance from the centroid */
    float speed;                  /* units/tick, mean */
    float nearest; /* units: mean distance to the nearest other; 0 for a single boid */
};

/* The nearest distances are of a sample spread evenly over the flock: 1 boid in 128, at least 8 and
 * at most FLOCK_SAMPLE boids. All other measures are of all boids. */
#define FLOCK_SAMPLE 32u
struct flock_measures flock_measure(const struct flock *flock);

/* Mean number of others nearer than `radius` to a boid, of a sample of 1024 boids. */
float flock_neighbours(const struct flock *flock, float radius);

/* The distance beyond which the model does not look, with its present parameters; or any model with
 * such parameters, in the order of its table. */
float flock_reach(const struct flock *flock);
float flock_reach_of(const struct flock_model *model, const float *params);

/* Which pairs of boids a tick looks at depends on these. */
struct flock_rule {
    const struct flock_model *model;
    enum flock_update update;
    float reach;
};

/* About how many pairs of boids a tick would look at: by that rule, from where a sample of the
 * boids is; after flock_add() of `count` boids; or of `boids` boids spread evenly. In the
 * synchronous order the model `swarm` finds its sums without looking at each: about the square root
 * of the number of boids, for each of them. */
double flock_pairs(const struct flock *flock, const struct flock_rule *rule);
double flock_pairs_with(const struct flock *flock, float x, float y, uint32_t count);
double flock_pairs_spread(const struct flock_rule *rule, uint32_t boids, float width, float height);

/* How long a pair takes in that update order, in pairs of the synchronous one. */
double flock_pair_cost(enum flock_update update);

#endif
