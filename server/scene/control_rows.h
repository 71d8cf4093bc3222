/* A row for each control of presenters. A new control is a new row; control.h has what follows from
 * the rows. For control.c alone. */
#ifndef CONTROL_ROWS_H
#define CONTROL_ROWS_H

#include "scene/control.h"
#include "sim/flock.h"

/* A control offers the choices 0, 1, … */
struct control {
    const char *name, *text; /* NULL: no message sets it */
    /* Of a member of struct scene_controls: its choices, ended by a NULL name, and its offset. */
    const struct flock_word *words;
    size_t offset;
    /* Of any other control: whether there is that choice, and the one in force, or -1. */
    bool (*choice)(size_t index, struct flock_word *word);
    int (*current)(const struct scene *scene);
    /* Puts a choice in force, or fills *error and returns false. NULL: sets the member. */
    bool (*choose)(struct scene *scene, size_t index, struct proto_error *error);
    bool changes_params; /* which there are, or their values */
    bool moves_boids;    /* or takes them away */
    bool undoable;
    /* Whether clients are offered that choice; NULL: all. Any of the choices can be set. */
    bool (*offers)(size_t index);
    bool saves; /* presets that were saved in a scene are its choices, too */
    /* In a saved scene: the map, key and form; NULL: in the settings, by its name. */
    enum control_map map;
    const char *key;
    enum { AS_WORD, AS_BOOL, AS_COUNT, AS_WORD_OR_NONE } form; /* the last: 0, or a choice + 1 */
    uint32_t bit; /* the first in control_bits(); 0: none */
};

/* The controls, in the order in which clients show them. */
extern const struct control control_rows[];
extern const size_t control_count;

#endif
