/* The sweep of a room: measures of its flock for several values of one parameter (sim/sweep.h).
 * Each value is an input of the presenter who has started the sweep, so recordings have it. Undo
 * and saved rooms know only the value before the sweep, which the sweep puts back at its end. For
 * the room's own files. */
#ifndef SWEEPS_H
#define SWEEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "room/room.h"
#include "scene/change.h"
#include "scene/inputs.h"
#include "sim/sweep.h"

enum sweep_state {
    SWEEP_RUNNING,
    SWEEP_DONE,
    SWEEP_STOPPED, /* by a presenter */
    SWEEP_PARAM,   /* a presenter has set the parameter */
    SWEEP_PRESET,  /* a presenter has chosen a model or a preset */
    SWEEP_PAST,    /* a presenter has rewound the room */
    SWEEP_REFUSED, /* the room refused a value, which depends on others */
};

/* The newest sweep of a room. */
struct room_sweep {
    enum sweep_state state;
    uint32_t by; /* the id of the person who started it; 0: the HTTP API */
    char who[PROTO_NAME_MAX + 1];
    struct proto_sweep order;
    uint64_t tick; /* of the scene, after the last tick that counted */
    bool due;      /* a point has become complete */
    struct sweep sweep;
};

bool sweeps_runs(const struct room *room);

/* Starts a sweep. slot: of the presenter; PEOPLE_NONE: the HTTP API. time: the room's. Returns
 * false, with *error filled and nothing changed, if it is refused. */
bool sweeps_start(struct room *room, uint32_t slot, const struct proto_sweep *order, uint64_t time,
                  struct proto_error *error);

/* Ends a running sweep and puts the parameter back. Does nothing without a sweep. */
void sweeps_end(struct room *room, enum sweep_state state, uint64_t time);

/* Takes back the sweep that runs, and fills *change with that. */
void sweeps_undo(struct room *room, struct change *change, uint64_t time);

/* Applies the message that saves a preset while a sweep runs. The preset has the value before the
 * sweep. Returns false, with *error filled and nothing changed, if it is refused. If the passing
 * value has become too expensive, the sweep ends with the value before it. */
bool sweeps_save(struct room *room, const struct input *save, struct change *change,
                 struct proto_error *error);

/* Must be called after each change of the flock that a message has made. Ends the sweep if the
 * change has replaced its value. */
void sweeps_follow(struct room *room, const struct proto_client_message *message);

/* Must be called right before each tick of the present: sets the next value, or ends the sweep. The
 * history records the value as an input before the tick, as it records a presenter's change. */
void sweeps_advance(struct room *room, uint64_t time);

/* Must be called after each tick of the present. */
void sweeps_measure(struct room *room, struct flock_workspace *engine);

/* Returns the frame of the newest sweep; NULL when memory runs out. */
struct frame *sweeps_frame(const struct room *room);

#endif
