/* The options that flockd and flock-sim share: the flock at the start, from a preset, from single
 * options and from --set. */
#ifndef FLOCK_OPTIONS_H
#define FLOCK_OPTIONS_H

#include "base/options.h"
#include "sim/flock.h"

#define FLOCK_OPTIONS_SET_MAX 1024

struct flock_options {
    unsigned preset;   /* index into flock_presets */
    unsigned model;    /* index into flock_models */
    unsigned boundary; /* enum flock_boundary */
    unsigned update;   /* enum flock_update */
    struct options_world world;
    uint32_t boids;
    char set[FLOCK_OPTIONS_SET_MAX]; /* KEY=VALUE,… */
};

/* No option is given: the values before a program parses its options. */
#define FLOCK_OPTIONS_NONE                                                                         \
    {                                                                                              \
        .preset = OPTIONS_NONE, .model = OPTIONS_NONE, .boundary = OPTIONS_NONE,                   \
        .update = OPTIONS_NONE                                                                     \
    }

/* The options that fill struct flock_options. */
extern const struct option flock_options_table[];

/* Changes *definition (a default one) to what the options ask for. *preset is the one that the
 * flock is made from, or NULL. Returns false, and one line on `errors`, when --set has something
 * that is no parameter of the model or no value of it. */
bool flock_options_apply(const struct flock_options *options, const char *program,
                         struct flock_definition *definition, const struct flock_preset **preset,
                         FILE *errors);

/* Returns the preset whose look the flock has: that preset; without any option the flock is the
 * published swarm, `original`. May return NULL. */
const struct flock_preset *flock_options_origin(const struct flock_options *options,
                                                const struct flock_preset *preset);

#endif
