/* The presets of a scene: flockd's own, and up to PRESETS_MAX that presenters saved. A saved preset
 * never changes. A preset that is replaced or removed lives on while the scene or an undo step
 * names it. For the files of scene/. */
#ifndef PRESETS_H
#define PRESETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"
#include "sim/flock.h"

struct scene;

#define PRESETS_MAX 16u /* saved presets of one scene */

struct preset; /* a saved preset */

struct presets {
    struct preset *saved[PRESETS_MAX]; /* in the order in which their names were first saved */
    uint32_t count;
    struct preset
        *retired; /* a list: no longer offered, but the scene or an undo step may name them */
};

/* Saves what the scene runs under that name, replacing a preset with that name; it becomes the
 * preset in force. Both return false, with *error filled, if refused. */
bool presets_save(struct scene *scene, const char *name, struct proto_error *error);
bool presets_remove(struct scene *scene, const char *name, struct proto_error *error);

/* Returns the name of the saved preset that readers would take for that name; "" without one. */
const char *presets_named(const struct scene *scene, const char *name);

/* Return the number of flockd's own presets, and the preset if it is one of flockd's own, else
 * NULL. */
size_t presets_built_in_count(void);
const struct flock_preset *presets_built_in(const struct flock_preset *preset);

/* Returns the preset with that index, flockd's own first; NULL after the last. */
const struct flock_preset *presets_at(const struct scene *scene, size_t index);

/* Returns the index of a preset; -1 if the scene does not offer it. */
int presets_index(const struct scene *scene, const struct flock_preset *preset);

/* Takes the presets of another scene: its preset in force is in force here, and its saved presets
 * are offered here unless a name or the last slot is taken. Undo must be empty. */
void presets_follow(struct scene *scene, const struct scene *from);

/* Frees the retired presets that neither the scene nor `named` names. */
void presets_sweep(struct scene *scene, const struct flock_preset *const *named, size_t count);

void presets_finish(struct scene *scene);

/* ---- for saving and loading ---- */

/* How the scene uses a saved preset. */
enum presets_use { PRESETS_LISTED = 1, PRESETS_IN_FORCE = 2, PRESETS_ORIGIN = 4 };

/* Returns the saved preset with that index, offered ones first, and stores how the scene uses it
 * (bits of enum presets_use); NULL after the last. Unused presets are left out. */
const struct flock_preset *presets_kept(const struct scene *scene, size_t index, uint32_t *use);

/* Restores a saved preset, of which the scene makes a copy. Returns false if memory runs out or the
 * name or the last slot is taken. */
bool presets_restore(struct scene *scene, const struct flock_preset *preset, uint32_t use);

#endif
