/* The structs of a history. For the files of history.h alone. */
#ifndef HISTORY_PARTS_H
#define HISTORY_PARTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "past/history.h"
#include "past/recording.h"
#include "scene/inputs.h"

struct film;
struct keyframes;

/* Reference-counted: the history holds it, and so does each recording made of it. */
struct part {
    struct recording_part part;
    struct list_item item;         /* in the list of its history */
    struct history_budget *budget; /* held; counts the part's bytes */
    bool lent;                     /* counted as lent: a copy that recordings hold */
    atomic_uint holders;
    size_t capacity; /* of the inputs */
    uint8_t *state, *inputs;
    struct part *state_of;       /* of a copy: the part that has its state; else NULL */
    struct keyframes *keyframes; /* or NULL */
};

struct history {
    uint64_t length; /* µs */
    struct history_budget *budget;
    struct film *film;        /* the past before the first part; NULL: none */
    struct list parts;        /* the oldest first */
    bool open;                /* inputs are appended to the last part */
    uint64_t due;             /* the next part begins before this round at the latest */
    struct input_clock clock; /* of the open part */
    uint64_t work, tick; /* boids times ticks since the last keyframe; counted up to this tick */
    uint64_t keyframe_round;        /* of the last keyframe, or of the part's checkpoint */
    struct scene_versions versions; /* of the scene when the open part began */
    size_t bytes;                   /* of all parts */
};

void history_part_release(struct part *part);

/* Counts a new part as lent, which no history has. */
void history_part_lend(struct part *part);

/* Returns the part of that item, or NULL if it is NULL. */
static inline struct part *part_of(const struct list_item *item)
{
    return list_entry(item, struct part, item);
}

#endif
