/* A scene: a flock with its controls, presets, undo, clock, and the cursors and roles of the people
 * who steer it. A checkpoint holds a scene, and a replay repeats one. A scene knows no names, keys,
 * connections or real time.
 *
 * scene_apply() and scene_tick() change a scene; both take inputs that recordings hold, so that a
 * replay repeats them. Times are µs on the scene's clock. One thread at a time. */
#ifndef SCENE_H
#define SCENE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"
#include "scene/change.h"
#include "scene/control.h"
#include "scene/cursor.h"
#include "scene/inputs.h"
#include "scene/people.h"
#include "sim/flock.h"
#include "sim/why.h"

#define SCENE_BOIDS_MAX 1000000u

/* Maximum number of boids with the update order `sequential`, in which one thread compares each
 * boid with each other boid. */
#define SCENE_SEQUENTIAL_MAX 5000u

/* The newest edition of flockd's presets and of the relay. A checkpoint names its edition, with
 * which a recording replays. A saved room names none, and continues with the newest.
 * 1: before every preset followed cursors.
 * 2: before sheep and sardines set the class mode.
 * 3: before every flock fled from every cursor.
 * 4: before sheep kept their distance behind a class.
 * 5: before addresses shared the turns of a relay. */
#define SCENE_EDITION 6u

struct scene;
struct saved;
struct saved_reader;

/* Boids of all scenes together, or, below that, of the scenes of one creator: see base/share.h. */
struct boid_budget {
    _Atomic uint64_t boids;
    uint64_t boids_max;      /* of all scenes */
    struct boid_budget *all; /* outlives this one; NULL: this is the budget of all scenes */
    bool trusted;
    _Atomic uint64_t of_trusted; /* boids of trusted creators */
    _Atomic uint64_t kept;       /* in flocks that undo can restore; see undo.h */
    _Atomic uint64_t refused;    /* requests for more boids than a scene, or all, may have */
};

/* The definition of a scene, except its flock. */
struct scene_definition {
    uint32_t lanes;                    /* of the flock: see struct flock_definition */
    const struct flock_preset *preset; /* the flock was made from it; may be NULL */
    struct control_chosen chosen;      /* controls that a preset that flees leaves alone */
    const struct flock_preset *origin; /* the flock has its look; NULL: that of `preset` */
    char title[PROTO_TITLE_MAX + 1];
    uint32_t tick_rate;             /* Hz */
    struct scene_controls controls; /* `boids` follows the flock */
    uint64_t cursor_timeout;        /* µs */
    uint64_t tick_limit;            /* µs that a tick may take: see cost.h; 0: no limit */
    uint32_t boids_max;             /* in this scene */
    uint32_t people_max;            /* here at a time; 0: PEOPLE_HERE_MAX */
    struct boid_budget *budget;     /* of its creator; NULL: no limit. Outlives the scene */
    bool continues;                 /* a saved one: see budget_take_again() */
    bool forced;                    /* with it: see budget_force() */
    bool undo;                      /* keeps what presenters may take back */
};

/* Counters that go up with each change: of the controls and all else that describes the scene; of
 * the parameters' values; of title, model and preset. */
struct scene_versions {
    uint32_t controls, params, facts;
};

/* Makes a scene with a new flock. Returns NULL if memory runs out or the budget has fewer boids
 * left. */
struct scene *scene_create(const struct scene_definition *definition,
                           const struct flock_definition *flock);

/* Gives the boids back to the budget. Takes NULL. */
void scene_destroy(struct scene *scene);

/* Applies any input except INPUT_TICK and INPUT_STILL, and fills *change. Returns false, with
 * *error filled and the scene unchanged, if the input is refused. */
bool scene_apply(struct scene *scene, const struct input *input, struct change *change,
                 struct proto_error *error);

enum scene_tick_result {
    SCENE_TICK_DONE,      /* the flock moved, or is paused */
    SCENE_TICK_NO_MEMORY, /* the flock stood still */
    SCENE_TICK_GIVEN_UP,  /* the flock stood still; see flock_workspace_limit() */
};

/* Turns the cursors into targets and moves the flock by one tick unless it is paused. */
enum scene_tick_result scene_tick(struct scene *scene, struct flock_workspace *workspace,
                                  uint64_t time);

/* The two halves of scene_tick(): the first stores the targets and returns how many, the second
 * moves the flock. After SCENE_TICK_GIVEN_UP the second may be called again with these targets. */
size_t scene_aim(struct scene *scene, uint64_t time,
                 struct flock_target targets[FLOCK_TARGETS_MAX]);
enum scene_tick_result scene_move(struct scene *scene, struct flock_workspace *workspace,
                                  const struct flock_target *targets, size_t count);

/* Repeats a scene_tick() in which the flock stood still. */
void scene_tick_still(struct scene *scene, uint64_t time);

/* Takes flock and controls from another scene; people and title stay. Nothing can be undone
 * afterwards. Returns false, with *error filled and nothing changed, if the budget has fewer boids
 * left. `from` may only be destroyed afterwards. */
bool scene_take_over(struct scene *scene, struct scene *from, struct proto_error *error);

/* Forgets all people, and names the scene unless the title is "": it begins another room. */
void scene_empty(struct scene *scene, const char *title);

/* Sets the counters of ticks and rounds, and the greatest id of a person, of a new scene. */
void scene_start_at(struct scene *scene, uint64_t ticks, uint64_t rounds, uint32_t last_id);

/* Gives no new person one of the next `count` ids. */
void scene_skip_ids(struct scene *scene, uint32_t count);

/* Continues a loaded scene with the newest edition. */
void scene_modernize(struct scene *scene);

/* Whether a presenter may give the parameter that value now; else fills *error. */
bool scene_allows_param(const struct scene *scene, const char *name, float value,
                        struct proto_error *error);

/* Sets the versions of a scene that was loaded. */
void scene_set_versions(struct scene *scene, struct scene_versions versions);

/* ---- reading ---- */

/* Explains boids for the next tick, with the present cursors: see flock_explain(). */
bool scene_explain(const struct scene *scene, struct flock_workspace *workspace, uint64_t time,
                   struct flock_why *why, uint32_t count);

const struct scene_definition *scene_definition_of(const struct scene *scene);
const char *scene_title(const struct scene *scene);
const struct flock *scene_flock(const struct scene *scene);
const struct people *scene_people(const struct scene *scene);
const struct flock_preset *scene_preset(const struct scene *scene); /* in force, or NULL */
/* Returns the preset whose parameters are the initial ones and whose look the flock has; NULL: the
 * model's defaults are the initial ones. */
const struct flock_preset *scene_origin(const struct scene *scene);
/* Returns the pen, which is part of the look, or NULL: there is none, or no walls. */
const struct flock_box *scene_pen(const struct scene *scene);
/* Counts the boids in the pen. */
void scene_penned(const struct scene *scene, struct proto_penned *penned);
/* Returns the settings of one of the scene's presets, in the scene's edition. */
struct flock_settings scene_preset_settings(const struct scene *scene,
                                            const struct flock_preset *preset);
const struct scene_controls *scene_controls_of(const struct scene *scene);
bool scene_can_undo(const struct scene *scene);
float scene_quantum(const struct scene *scene);
size_t scene_bytes(const struct scene *scene);    /* of its memory, with people and undo */
uint64_t scene_ticks(const struct scene *scene);  /* that the flock made */
uint64_t scene_rounds(const struct scene *scene); /* ticks, and rounds in which it was paused */
struct scene_versions scene_versions(const struct scene *scene);
/* Returns whether there is one target for all boids. */
bool scene_target(const struct scene *scene, struct flock_point *target);

/* Whether the person's cursor steers and is shown. */
bool scene_cursor_is_active(const struct scene *scene, const struct person *person, uint64_t time);

/* Whether the person's cursor counts toward a target under the policy. */
bool scene_steers(const struct scene *scene, const struct person *person, uint64_t time);

/* A leader: a person of the policy `nearest`, or a team of the policy `teams`. */
struct scene_leader {
    uint32_t who; /* the person's id, or the team, 1 to PROTO_TEAMS_MAX */
    float x, y;   /* world units: what its boids follow */
    uint32_t people;
};

/* Lists the leaders; each boid follows the nearest one. Returns how many: 0 under other policies,
 * and while boids flee from cursors. */
uint32_t scene_leaders(const struct scene *scene, uint64_t time,
                       struct scene_leader out[PROTO_LEADERS_MAX]);

/* Stores the turn of the policy `relay`. Returns false under other policies. */
bool scene_turn(const struct scene *scene, struct proto_turn *turn);

/* Returns the person's team under the policy `teams`; 0: none. */
uint32_t scene_team(const struct scene *scene, const struct person *person);

/* Returns a hash of what decides the scene's future: flock, controls, and the cursors and roles of
 * the people here. */
uint64_t scene_hash(const struct scene *scene);

#endif
