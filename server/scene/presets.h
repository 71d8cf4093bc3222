/* The presets of a room: flockd's own, and those that its presenters saved, which are kept with the
 * room. A saved one never changes: one that is saved again under its name, or removed, lasts for as
 * long as the room or something that can be undone still names it. Owned by one scene; for the
 * room's own files. */
#ifndef PRESETS_H
#define PRESETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"
#include "sim/flock.h"

struct scene;

#define PRESETS_MAX 16u /* that a room may have beside flockd's own */

struct preset; /* one that was saved */

struct presets {
    struct preset *saved[PRESETS_MAX]; /* in the order in which they were saved first */
    uint32_t count;
    struct preset *retired; /* a list: no longer offered, but maybe still named by something */
};

/* Saves what the room runs now under that name, in place of what was saved under it before; from
 * now on that is the preset in force. Each returns false and fills *error if it cannot be done. */
bool presets_save(struct scene *scene, const char *name, struct proto_error *error);
bool presets_remove(struct scene *scene, const char *name, struct proto_error *error);

/* The name of the saved one that readers would take for that name; "": there is none. */
const char *presets_named(const struct scene *scene, const char *name);

/* How many presets are flockd's own; the preset if it is one of them, else NULL. */
size_t presets_built_in_count(void);
const struct flock_preset *presets_built_in(const struct flock_preset *preset);

/* The preset of that index, flockd's own first; NULL beyond the last. */
const struct flock_preset *presets_at(const struct scene *scene, size_t index);

/* Its index; -1: it is none that the room offers. */
int presets_index(const struct scene *scene, const struct flock_preset *preset);

/* The room goes on from where another one is: what that has in force is so here, and what it offers
 * is offered here, too, unless something is called so or there are as many as there may be. Nothing
 * can be undone any more. */
void presets_follow(struct scene *scene, const struct scene *from);

/* Frees the retired presets that neither the scene nor `named` names. */
void presets_sweep(struct scene *scene, const struct flock_preset *const *named, size_t count);

void presets_finish(struct scene *scene);

/* ---- for what saves and loads rooms ---- */

/* What of a saved preset there is to keep. */
enum presets_use { PRESETS_LISTED = 1, PRESETS_IN_FORCE = 2, PRESETS_ORIGIN = 4 };

/* The saved preset of that index, those that the room offers first, and what it is used for (bits
 * of enum presets_use); NULL beyond the last. Those that the room does not use are left out. */
const struct flock_preset *presets_kept(const struct scene *scene, size_t index, uint32_t *use);

/* A saved preset as it was kept: a copy is the room's. False if memory runs out, or the room has as
 * many as it may, or one of that name. */
bool presets_restore(struct scene *scene, const struct flock_preset *preset, uint32_t use);

#endif
