/* The change that an input has made in a scene. scene_apply() fills it; the audit log, the news,
 * undo and the history read it. */
#ifndef CHANGE_H
#define CHANGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "protocol.h"

#define CHANGE_VALUE_MAX 80u

/* µs between two parameters of one batch, such as all initial values. */
#define CHANGE_BATCH 200000u
/* µs between two changes that are not by hand one after the other. */
#define CHANGE_QUIET 500000u

struct change {
    bool changed; /* something is different from before */
    /* The value before and after, in words: "running", "0.5", "12"; "" without a word for it. */
    char before[CHANGE_VALUE_MAX], after[CHANGE_VALUE_MAX];
    /* Of a series (PROTO_SERIES), as numbers: words round them. */
    double number_before, number_after;
    uint32_t param; /* PROTO_PARAM: index in the table of the model */
    uint32_t slot;  /* INPUT_JOIN: of the person who joined */
    /* PROTO_SET of the model: the boundary before and after, a static string each. */
    const char *boundary_before, *boundary_after;
    char undone[PROTO_ROOM_MAX + 1]; /* PROTO_UNDO: what was taken back, as in an event */
    bool settings_only;              /* PROTO_UNDO: only settings were restored, no boids */
};

static inline void change_before(struct change *change, const char *value)
{
    snprintf(change->before, sizeof change->before, "%s", value);
}

/* changed: the value differs from the one before, which its words may not tell. */
static inline void change_after(struct change *change, const char *value, bool changed)
{
    snprintf(change->after, sizeof change->after, "%s", value);
    change->changed = changed;
}

#endif
