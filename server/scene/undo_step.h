/* The steps of an undo. For undo.c and undo_state.c alone. */
#ifndef UNDO_STEP_H
#define UNDO_STEP_H

#include "scene/inside.h"

/* A change, and how things were before it. */
struct undo_step {
    enum proto_type type;
    char name[PROTO_ROOM_MAX + 1];   /* of the control or parameter; "": none, or several */
    char value[PROTO_VALUE_MAX + 1]; /* of the control */
    uint32_t by;                     /* the id of the person who made the change */
    bool by_viewer;                  /* a viewer has drawn a thing, or viewers several */
    uint32_t foods;                  /* pieces of food that were dropped */
    uint64_t last;                   /* µs: when */
    const struct flock_preset *preset, *origin;
    struct scene_controls controls;
    uint32_t count; /* of boids before the change */
    struct flock_settings settings;
    struct flock_things things;
    struct flock *flock;    /* NULL: it was not kept */
    struct herding herding; /* of that flock */
};

/* Forgets flocks of the oldest steps until `boids` more fit. Returns whether the budget allows
 * them; then they are taken from it. */
bool undo_make_place(struct scene *scene, uint32_t boids);

#endif
