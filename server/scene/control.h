/* The choices of presenters: a scene's controls as one value, and one table of all controls. From
 * the table follow the schema that clients draw, the answer to `set`, the fields of the API, the
 * saved state, undo and the hash. */
#ifndef CONTROL_H
#define CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <msgpack.h>

#include "protocol.h"

struct change;
struct flock_preset;
struct saved;
struct saved_reader;
struct scene;

enum control_cursors { CURSORS_LEAD, CURSORS_SCARE };
enum control_viewers { VIEWERS_STEER, VIEWERS_WATCH };
enum control_drawing { DRAWING_PRESENTERS, DRAWING_ALL };
enum control_run { RUN_ON, RUN_PAUSED };

/* The controls that are not settings of the flock. One value: assignment copies it. A new member
 * has a row in control_rows.c. Saved scenes without the member load as 0. */
struct scene_controls {
    uint32_t policy; /* enum cursor_policy: how cursors become the target */
    uint32_t idle;   /* enum cursor_idle: the target without an active cursor */
    uint32_t teams;  /* an index: see control_teams() */
    uint32_t turn;   /* an index: see control_turn() */
    uint32_t cursors;
    uint32_t viewers;  /* whether their cursors steer and are shown */
    uint32_t drawing;  /* whether viewers may draw walls, drop food, and set hunters loose */
    uint32_t layers;   /* an index: which layers everyone sees over the flock; 0: as each likes */
    uint32_t coloring; /* an index: what colours of boids say; 0: as each likes */
    uint32_t run;
    uint32_t boids;     /* after a reset; 1 or more in a scene */
    uint32_t clearance; /* 1: see flock_clearance(). Presets set it, and a chosen model clears it */
    /* The value before a preset that flees, plus 1; 0: a presenter chose the present value. */
    uint32_t policy_before, cursors_before;
};

/* Controls of the class mode that the creator of a scene chose. */
struct control_chosen {
    bool policy, cursors;
};

/* Fills *change. Returns false, with *error filled and nothing changed, if refused. */
bool control_set(struct scene *scene, const struct proto_set *message, struct change *change,
                 struct proto_error *error);

/* The controls as they travel: what can be chosen, and what is. Returns how many. */
uint32_t control_describe(const struct scene *scene, struct proto_control out[PROTO_CONTROLS_MAX]);

/* The index-th word that a control of every scene takes; NULL beyond the last one and for an
 * unknown control. Any thread. */
const char *control_choice(const char *control, size_t index);

/* Whether clients are offered that choice: a control with very many offers some, from which people
 * put the others together. Any thread. */
bool control_offers(const char *control, size_t index);

/* The value in force of the control of that name; "": none of its choices, or no such control. */
const char *control_value(const struct scene *scene, const char *name);

/* Returns the number of teams, 2 to PROTO_TEAMS_MAX. */
uint32_t control_teams(const struct scene_controls *values);

/* Returns the seconds of a relay's turn. */
uint32_t control_turn(const struct scene_controls *values);

/* ---- struct scene_controls ---- */

/* The name of the index-th member that can be chosen; NULL after the last. */
const char *control_name(size_t index);

/* Sets the control to the choice of that index. */
void control_choose(struct scene_controls *values, const char *name, size_t choice);

/* Sets the class mode of a new preset. If its boids flee from cursors, that is `scare` and
 * `nearest`. Any other preset, or NULL, restores the earlier values, except values that a presenter
 * has changed. */
void control_follow_preset(struct scene_controls *values, const struct flock_preset *preset,
                           struct control_chosen chosen);

/* Whether a presenter can undo a choice of that control, and whether a choice replaces the
 * parameters or moves boids. */
bool control_is_undoable(const char *name);
bool control_changes_params(const char *name);
bool control_moves_boids(const char *name);

/* Copies what can be taken back. */
void control_restore(struct scene_controls *values, const struct scene_controls *from);

/* Returns the members that decide the scene's future, some bits each. */
uint64_t control_bits(const struct scene_controls *values);

/* The maps of a saved scene that have controls. */
enum control_map { CONTROL_SETTINGS, CONTROL_TIME };

/* Write and read the controls of that map. A member that the map lacks is 0. */
void control_put(struct saved *saved, enum control_map map, const struct scene_controls *values);
void control_read(struct saved_reader *reader, enum control_map map,
                  const msgpack_object_map *values, struct scene_controls *into);

#endif
