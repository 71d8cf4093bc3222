/* The models. Each is a file of this folder and a row below, of which flock_models[] is made.
 *
 * A model's file has its table of parameters, which ends with what all models share, its rules in
 * double precision, and its loops, WIDE boids at a time. It is compiled once for each width; what
 * is the same at every width is in the part for MODEL_ONCE. For the engine's own files. */
#ifndef MODELS_H
#define MODELS_H

#include "sim/rules.h"

/* In the order in which they are offered. */
#define MODELS(ROW) ROW(swarm) ROW(boids) ROW(vision) ROW(birds) ROW(steering)

#define MODEL_ONCE (WIDE == 4)

#define MODEL_DECLARED(name)                                                                       \
    extern const struct flock_model name##_model;                                                  \
    extern const struct flock_loops name##_loops_4, name##_loops_8, name##_loops_16;
MODELS(MODEL_DECLARED)

/* The loops of the widths that are built, WIDTHS of the Makefile. */
#if defined(__x86_64__)
#define MODEL_LOOPS(name)                                                                          \
    {                                                                                              \
        &name##_loops_4, &name##_loops_8, &name##_loops_16                                         \
    }
#else
#define MODEL_LOOPS(name)                                                                          \
    {                                                                                              \
        &name##_loops_4                                                                            \
    }
#endif

/* How boids flee: the last parameters of every model. */
#define FLEE_ROWS(weight)                                                                          \
    [weight] = {"flee_weight", "",   0.0f,                                                         \
                10.0f,         0.0f, "how strongly boids flee from cursors that are predators"},   \
    [(weight) + 1] = {"flee_distance", "units", 1.0f,                                              \
                      1000.0f,         100.0f,  "distance at which boids notice a predator"}

static inline float flee_distance(const struct flock_model *model, const float *params)
{
    return params[model->param_count - 1];
}

#endif
