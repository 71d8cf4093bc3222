/* The flock engine: a flock of boids in a world, which moves one tick at a time by one of the
 * published models in models/. The engine does no I/O, reads no clock, has no globals and allocates
 * nothing within a tick, so other programs can use it as a library.
 *
 * A flock holds little more than what must last from one tick to the next. The threads and the
 * scratch memory of a tick are a workspace, which the caller lends to flock_tick(). One workspace
 * serves any number of flocks, one after another. The creator of a flock or a workspace owns it;
 * one thread at a time uses it.
 *
 * Distances are world units, speeds are world units per tick. The origin is top-left, and y points
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
#define FLOCK_FOOD_MAX    64u
#define FLOCK_HUNTERS_MAX 16u
#define FLOCK_THREADS_MAX 64u

/* Limits positions of boids and targets: neither coordinate is farther from the origin. */
#define FLOCK_FAR 1e6f

struct flock;

enum flock_boundary {
    FLOCK_OPEN,  /* no edge */
    FLOCK_WRAP,  /* a torus: positions in [0, width) x [0, height) */
    FLOCK_WALLS, /* the four edges and the wall segments reflect */
};

enum flock_update {
    FLOCK_SYNCHRONOUS, /* every boid reads the flock before the tick */
    FLOCK_SEQUENTIAL,  /* in index order: each boid reads the new positions of boids before it */
};

/* A choice: its name for the command line and the wire, and its text for people. */
struct flock_word {
    const char *name;
    const char *text;
};

/* The boundaries and the update orders, in the order of their enum; a NULL name ends the list. */
extern const struct flock_word flock_boundaries[];
extern const struct flock_word flock_updates[];

/* Returns the name of that index; NULL after the last. flock_models and flock_presets have such
 * functions, too. */
const char *flock_boundary_name(size_t index);
const char *flock_update_name(size_t index);
const char *flock_model_name(size_t index);
const char *flock_preset_name(size_t index);

/* A parameter of a model. Validation, --help, the wire schema and the clients' sliders are made
 * from this row. */
struct flock_param {
    const char *name; /* snake_case, unique within its model */
    const char *unit; /* "" for a plain number */
    float min, max, initial;
    const char *text; /* one line, shown to people */
    /* Bits (1 << enum flock_cause) of the rules whose vectors the parameter sets by itself. 0: it
     * belongs to no rule, or to all of them. */
    uint32_t causes;
};

/* Parameters that every model has, wherever its table lists them. */
enum flock_common {
    FLOCK_FLEE_WEIGHT,
    FLOCK_FLEE_DISTANCE,
    FLOCK_NOISE,
    FLOCK_INFORMED,
    FLOCK_COMMON_COUNT
};

/* A value of a parameter. */
struct flock_setting {
    const char *name;
    float value;
};

struct flock_rules; /* rules.h */

struct flock_model {
    const char *name;
    const char *text;
    uint32_t version; /* changes when a model moves flocks differently; recordings store it */
    enum flock_boundary boundary; /* the model's default */
    const struct flock_param *params;
    size_t param_count;
    size_t neighbour; /* index into `params`: boids nearer to each other than this are neighbours */
    size_t common[FLOCK_COMMON_COUNT]; /* indexes into `params` */
    float flight; /* the flee_weight with which a flock visibly flees; initially it is 0 */
    /* Values of parameters in states saved before the parameter existed, if the initial value would
     * move the flock differently. Ended by a NULL name; may be NULL. */
    const struct flock_setting *before;
    const struct flock_rules *rules;
};

/* All models, in the order of the menus; NULL ends the list. */
extern const struct flock_model *const flock_models[];

/* Returns the model of that name, or NULL. */
const struct flock_model *flock_model_find(const char *name);

/* Returns the model's index in flock_models. */
uint32_t flock_model_index(const struct flock_model *model);

/* Returns the value of a parameter that a saved state lacks: with it, the flock moves as it did
 * before the parameter existed. */
float flock_param_before(const struct flock_model *model, size_t index);

/* Returns the index of the parameter of that name, or -1. */
int flock_param_find(const struct flock_model *model, const char *name);

/* Returns the other parameter of a pair of a minimum and a maximum, such as max_speed for
 * min_speed, and stores whether this one is the minimum. Returns -1 if the parameter belongs to no
 * pair. */
int flock_param_pair(const struct flock_model *model, size_t index, bool *least);

/* Returns the index of a minimum that is above its maximum, or -1. The values are in the order of
 * the model's table. */
int flock_params_contradict(const struct flock_model *model, const float *params);

struct flock_point {
    float x, y;
};

/* A wall segment, longer than 0, with coordinates within FLOCK_WORLD_MAX of the origin. It reflects
 * boids on both sides if the boundary is FLOCK_WALLS, and has no effect otherwise. */
struct flock_wall {
    float x1, y1, x2, y2;
};

/* Returns whether there are at most FLOCK_WALLS_MAX walls, all of them valid. */
bool flock_walls_valid(const struct flock_wall *walls, size_t count);

/* A cursor as the flock needs it. */
struct flock_target {
    float x, y;
    bool predator; /* boids flee from it with the strength of flee_weight, instead of seeking it */
};

/* Food, with the units that are left of it. A boid that follows targets seeks the nearest food
 * within FLOCK_FOOD_SIGHT instead, with twice the weight. It eats a unit in each tick in which the
 * food is within FLOCK_FOOD_BITE. Food without units is gone. */
struct flock_food {
    float x, y;
    uint32_t amount; /* 1 to FLOCK_AMOUNT_MAX */
};

#define FLOCK_FOOD_SIGHT 150.0f /* units */
#define FLOCK_FOOD_BITE  6.0f   /* units */
#define FLOCK_AMOUNT_MAX 1000000u

/* Food and hunters, which lie and move among the boids. Hunters are predators. In each tick a
 * hunter moves toward the boid that was nearest before the tick, at FLOCK_HUNTER_PACE times the
 * flock's mean speed, and stops at walls. One value: assignment copies it. */
struct flock_things {
    uint32_t food_count, hunter_count;
    struct flock_food food[FLOCK_FOOD_MAX];
    struct flock_point hunters[FLOCK_HUNTERS_MAX];
};

#define FLOCK_HUNTER_PACE  0.9
#define FLOCK_HUNTER_SPEED 1.0 /* units per tick, at least */

/* The rules of a flock: everything that decides how it moves, except its boids and the seed. One
 * value: assignment copies it. Presets, definitions, undo and saved states hold it. */
struct flock_settings {
    const struct flock_model *model;
    enum flock_boundary boundary;
    float width, height; /* world units, FLOCK_WORLD_MIN to FLOCK_WORLD_MAX */
    enum flock_update update;
    float params[FLOCK_PARAMS_MAX]; /* in the order of the model's table; 0 beyond it */
    uint32_t wall_count;
    struct flock_wall walls[FLOCK_WALLS_MAX];
};

/* Sets the model and its parameters to their initial values. */
void flock_settings_choose(struct flock_settings *settings, const struct flock_model *model);

bool flock_settings_same(const struct flock_settings *a, const struct flock_settings *b);

/* Returns NULL if the settings are valid, else a literal that says what is wrong. */
const char *flock_settings_problem(const struct flock_settings *settings);

/* The definition of a flock. Start from flock_definition_default() and change what differs. */
struct flock_definition {
    struct flock_settings settings;
    uint32_t boids; /* 1 to FLOCK_BOIDS_MAX */
    uint64_t seed;  /* equal seeds make equal flocks */
    uint32_t lanes; /* most floats per instruction; 0: as many as the processor can; the result does
                       not depend on it */
};

/* Returns the original: model `swarm`, 12 boids in an open world of 550 x 400. */
struct flock_definition flock_definition_default(void);

/* Makes a flock whose boids are spread over the world at random. flock_destroy() frees it and takes
 * NULL. Returns NULL if memory runs out or a field of the definition is out of range. */
struct flock *flock_create(const struct flock_definition *definition);
void flock_destroy(struct flock *flock);

/* The worker threads and scratch memory of a tick. It holds nothing of a flock between ticks. The
 * result of a tick does not depend on it, bit for bit. */
struct flock_workspace;

/* `threads`, 1 to FLOCK_THREADS_MAX, includes the thread that calls flock_tick(). The other threads
 * start here and sleep between ticks. A small flock uses fewer of them. The workspace has no memory
 * for boids yet. Returns NULL if `threads` is out of range, or without memory or threads.
 * flock_workspace_destroy() ends the threads and takes NULL. */
struct flock_workspace *flock_workspace_create(uint32_t threads);
void flock_workspace_destroy(struct flock_workspace *workspace);

/* Makes memory for a tick of any flock of up to `boids` boids, 1 to FLOCK_BOIDS_MAX; never frees
 * any. Must be called before a flock is created or grows, because a tick does not allocate. Returns
 * false and changes nothing if memory runs out or `boids` is out of range. */
bool flock_workspace_reserve(struct flock_workspace *workspace, uint32_t boids)
    __attribute__((warn_unused_result));

/* Frees memory that only flocks of more than `boids` boids need; 0: all of it. */
void flock_workspace_shrink(struct flock_workspace *workspace, uint32_t boids);

uint32_t flock_workspace_threads(const struct flock_workspace *workspace);

/* Returns the number of boids of the largest flock that it has memory for. */
uint32_t flock_workspace_boids(const struct flock_workspace *workspace);

/* Limits the time of the next ticks, explanations (why.h), flock_nearest() and
 * flock_count_clusters() together to `time` ns; UINT64_MAX: no limit. The engine stops the one that
 * exceeds the limit within about 50 µs; for a small flock it ends before the first check. A pause
 * of 0.2 s or more, in which the process did not run, does not count. If the workspace has one
 * thread, only its processor time counts. Must be called between ticks.
 */
void flock_workspace_limit(struct flock_workspace *workspace, uint64_t time);

/* The first begins the same limit again. The second returns the ns since the limit began; 0: there
 * is no limit. Must be called between ticks. */
void flock_workspace_limit_again(struct flock_workspace *workspace);
uint64_t flock_workspace_spent(struct flock_workspace *workspace);

/* Gives up the present tick and all later ones, even those without a limit. Callable on any
 * thread. */
void flock_workspace_stop(struct flock_workspace *workspace);

/* Lends the threads between ticks: calls task(context, part) for every part from 0 to parts - 1,
 * each once, on the caller's thread and up to `workers` - 1 others. Returns when all are done. */
void flock_workspace_run(struct flock_workspace *workspace, uint32_t workers,
                         void (*task)(void *context, uint32_t part), void *context, uint32_t parts);

/* Moves every boid by one tick toward `target`; NULL: no target. Returns false and changes no bit
 * of the flock if the workspace has no memory for it, or if the tick was stopped: see
 * flock_workspace_limit(). */
bool flock_tick(struct flock *flock, struct flock_workspace *workspace,
                const struct flock_point *target) __attribute__((warn_unused_result));

/* As flock_tick(), with up to FLOCK_TARGETS_MAX targets; each boid seeks the nearest target.
 * Ignores targets that are not a number, and moves targets beyond FLOCK_FAR back to it. */
bool flock_tick_targets(struct flock *flock, struct flock_workspace *workspace,
                        const struct flock_target *targets, size_t count)
    __attribute__((warn_unused_result));

/* As flock_tick_targets(), but a boid nearer to its target than `clearance` units does not seek it:
 * a flock keeps its shape around a target that rests, and does not become a dot. 0: it always
 * seeks. */
bool flock_tick_clear(struct flock *flock, struct flock_workspace *workspace,
                      const struct flock_target *targets, size_t count, float clearance)
    __attribute__((warn_unused_result));

/* Returns the clearance that suits the flock's world and boids, for that number of targets. It is 0
 * in the model `swarm`, whose pull is of the centroid and ends at the target. */
float flock_clearance(const struct flock *flock, size_t targets);

uint32_t flock_count(const struct flock *flock);

/* Returns the bytes of its memory. */
size_t flock_bytes(const struct flock *flock);

/* Returns the number of floats per instruction: as many as the processor and the definition's
 * `lanes` allow. */
uint32_t flock_lanes(const struct flock *flock);

/* Returns the definition that would make this flock now. It follows every change. */
const struct flock_definition *flock_definition_of(const struct flock *flock);
const struct flock_settings *flock_settings_of(const struct flock *flock);

/* Boids are numbered from 0 in the order in which they were created, and keep their number for as
 * long as the epoch is the same. Adding gives the new boids the next numbers and leaves the epoch;
 * a call that removes or displaces boids (remove, reset, replace, a world that does not hold all of
 * them) adds one to the epoch. */
uint32_t flock_epoch(const struct flock *flock);

/* Returns the number of ticks that the flock has made since it was made or reset. The noise of a
 * tick depends on it. */
uint64_t flock_ticks(const struct flock *flock);

/* Returns how many of the boids with a number below `numbers` follow targets: see the parameter
 * `informed`. Boid i follows if flock_followers(i + 1) is greater than flock_followers(i). */
uint32_t flock_followers(const struct flock *flock, uint32_t numbers);

/* The boids in the order of memory, flock_count() of them. The order changes from tick to tick:
 * number[i] is the number of the boid at x[i], y[i]. Valid until the flock changes. */
struct flock_slots {
    const uint32_t *number;
    const float *x, *y, *vx, *vy;
};
struct flock_slots flock_slots(const struct flock *flock);

/* Copies positions or velocities in the order in which the boids were created; each array takes
 * flock_count() floats. */
void flock_positions(const struct flock *flock, float *x, float *y);
void flock_velocities(const struct flock *flock, float *vx, float *vy);

/* Stores a boid's own separation, alignment and cohesion in the model `swarm`. Returns false for
 * any other model. */
bool flock_coefficients(const struct flock *flock, float *separation, float *alignment,
                        float *cohesion);

/* Reads or sets the model's parameter of that index. Setting a value out of range, or NaN, returns
 * false and changes nothing. */
float flock_param_get(const struct flock *flock, size_t index);
bool flock_param_set(struct flock *flock, size_t index, float value);

/* These change a running flock. Boids keep their positions, except boids outside the new world.
 * Such boids move to its nearest edge, or in a torus to the point where they come around. Each
 * returns false and changes nothing if an argument is out of range or memory runs out. */
bool flock_set_model(
    struct flock *flock,
    const struct flock_model *model); /* sets its parameters to their initial values */
bool flock_set_world(struct flock *flock, enum flock_boundary boundary, float width, float height);
bool flock_set_update(struct flock *flock, enum flock_update update);
bool flock_set_walls(struct flock *flock, const struct flock_wall *walls, size_t count);
bool flock_set_settings(struct flock *flock, const struct flock_settings *settings);

/* Return or replace food and hunters. Replacing moves them into the world and off the walls. It
 * returns false and changes nothing if a number or a value is out of range or memory runs out. */
const struct flock_things *flock_things_of(const struct flock *flock);
bool flock_set_things(struct flock *flock, const struct flock_things *things);

/* Gives a flock whose flee_weight is 0 the strength with which its model visibly flees. Returns
 * whether it was 0. */
bool flock_frighten(struct flock *flock);

/* How clients draw boids. The engine only stores it. */
struct flock_look {
    const char *shape; /* as in PROTOCOL.md's message room; NULL: the client chooses */
    float size;        /* units: the diameter of a circle, the length of other shapes */
};

/* A part of the world, in units. */
struct flock_box {
    float left, top, right, bottom;
};

/* A preset: a model with its world, update order, parameters and walls. */
struct flock_preset {
    const char *name;
    const char *text;
    uint32_t boids;
    struct flock_settings settings; /* without `params`: see flock_preset_settings() */
    /* Parameters that differ from the model's initial values, ended by a NULL name; NULL: they are
     * in the settings. */
    const struct flock_setting *params;
    /* As `params`, in earlier editions of the presets; NULL: the same as in the next one. */
    const struct flock_setting *first;  /* in the first edition */
    const struct flock_setting *fourth; /* in the second to the fourth */
    struct flock_look look;
    uint32_t click;       /* boids that a click adds; 0: none */
    bool flees;           /* made to be chased: scenes let its boids flee from cursors */
    const char *ground;   /* the name of what clients draw behind the boids; NULL: the client
                             chooses */
    struct flock_box pen; /* in which boids are counted, within the walls; all 0: none */
};

/* All presets, in the order of the menus: the published originals first.
 * A NULL name ends the list. */
extern const struct flock_preset flock_presets[];

/* Returns the preset of that name, or NULL. */
const struct flock_preset *flock_preset_find(const char *name);

/* Returns the preset's index in flock_presets; FLOCK_PRESET_NONE for NULL. */
#define FLOCK_PRESET_NONE UINT32_MAX
uint32_t flock_preset_index(const struct flock_preset *preset);

/* The first function returns the preset's settings; the second returns its settings in an edition
 * of the presets, from 1, which old recordings replay. */
struct flock_settings flock_preset_settings(const struct flock_preset *preset);
struct flock_settings flock_preset_edition(const struct flock_preset *preset, uint32_t edition);

/* Gives a running flock other settings and that number of boids. Boids stay where they are. Missing
 * boids are spread over the world at random; surplus boids are removed, the newest first. */
bool flock_change(struct flock *flock, const struct flock_settings *settings, uint32_t boids);

/* Adds boids around a point; a single boid at the point. Returns false if the flock would be too
 * big or memory runs out. */
bool flock_add(struct flock *flock, float x, float y, uint32_t count);

/* Removes the newest boids, but leaves one. Returns the number of removed boids. */
uint32_t flock_remove(struct flock *flock, uint32_t count);

/* Moves all boids to the positions that the seed gives them in this world, removes food and
 * hunters, and counts ticks from 0 again: the flock then moves as a new one does. */
void flock_reset(struct flock *flock);

/* The boids' values from the caller, `count` of each. */
struct flock_state {
    const float *x, *y, *vx, *vy; /* within FLOCK_FAR */
    const float *separation, *alignment,
        *cohesion; /* model `swarm`: within the present range from _min to _max; NULL: random */
};

/* Replaces all boids. Returns false and changes nothing if the count or a value is out of range or
 * memory runs out. */
bool flock_replace(struct flock *flock, const struct flock_state *state, uint32_t count);

/* All of a flock. A flock made from the image continues like the original, bit for bit, with any
 * workspace and any number of lanes. */
struct flock_image {
    struct flock_definition definition; /* its lanes do not matter */
    uint32_t epoch;
    uint64_t ticks; /* see flock_ticks() */
    struct flock_things things;
    struct flock_slots boids; /* definition.boids entries in each array */
    /* By number, 0 to 1: a boid's place within the range of each of its own coefficients. All NULL:
     * the seed determines the places. */
    const float *place[3];
};

/* Fills in the image. It points into the flock, and is valid until the flock changes. */
void flock_image_of(const struct flock *flock, struct flock_image *image);

/* Checks an image and makes a flock from it. Returns NULL if memory runs out or a value is out of
 * range, and points *problem to a literal that says which. */
struct flock *flock_create_image(const struct flock_image *image, const char **problem);

/* Measures of the whole flock. Directions and speeds are those of the last tick. */
struct flock_measures {
    float polarization; /* 0 to 1: the length of the mean heading */
    float milling; /* 0 to 1: the mean of unit(position from the centroid) x heading, unsigned */
    float centroid_x, centroid_y; /* in a torus: the mean on its two circles */
    float gyration;               /* units: the root mean square distance from the centroid */
    float speed;                  /* units per tick: the mean */
};
struct flock_measures flock_measure(const struct flock *flock);

/* Boids up to which the measures below are exact. */
#define FLOCK_EXACT 20000u

/* Boids of a bigger flock whose nearest boid is found, at least; at most twice as many. They are
 * spread evenly over the numbers and stay the same. */
#define FLOCK_SAMPLE 1000u

/* Computes the mean distance to the nearest other boid, in units; 0 for a single boid. It takes
 * about 0.3 ms for 5,000 boids, and up to 10 ms if all lie on a line. Must be called between ticks.
 * Returns false and stores nothing if memory for the workspace runs out, or if it was stopped: see
 * flock_workspace_limit(). */
bool flock_nearest(const struct flock *flock, struct flock_workspace *workspace, float *nearest);

/* The clusters of a flock. Two boids are connected if they are neighbours, nearer to each other
 * than the parameter that the model names. A cluster is a group of at least 3 connected boids. */
struct flock_clusters {
    uint32_t count;
    uint32_t boids; /* that were looked at: all, or of more than FLOCK_EXACT boids a sample of half
                       as many at least, spread evenly over the numbers, always the same ones */
};

/* Counts the clusters; it takes up to 1 ms for 5,000 boids, and up to 20 ms for boids that are just
 * too far from each other. As flock_nearest(). */
bool flock_count_clusters(const struct flock *flock, struct flock_workspace *workspace,
                          struct flock_clusters *clusters);

/* Returns the mean number of others within `radius` of a boid, for a sample of 1,024 boids. */
float flock_neighbours(const struct flock *flock, float radius);

/* Returns the distance beyond which boids ignore others, with the present parameters. The second
 * function computes it for any model and parameters in the order of its table. */
float flock_reach(const struct flock *flock);
float flock_reach_of(const struct flock_model *model, const float *params);

/* Decides which pairs of boids a tick looks at. */
struct flock_rule {
    const struct flock_model *model;
    enum flock_update update;
    float reach;
};

/* Estimate how many pairs of boids a tick would look at with that rule: for the present positions
 * of a sample; after flock_add() of `count` boids; for `boids` boids spread evenly. In the
 * synchronous order `swarm` does not look at each boid: a boid costs about the square root of their
 * number. */
double flock_pairs(const struct flock *flock, const struct flock_rule *rule);
double flock_pairs_with(const struct flock *flock, float x, float y, uint32_t count);
double flock_pairs_spread(const struct flock_rule *rule, uint32_t boids, float width, float height);

/* Returns the cost of a pair in that update order, relative to the synchronous order. */
double flock_pair_cost(enum flock_update update);

#endif
